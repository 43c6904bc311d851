// Calls that the engine breaks off in the middle: its stack is full, or a time is up. What comes after them works, and
// nothing of theirs is left then.
import assert from 'node:assert/strict';
import test from 'node:test';
import { runInNewContext } from 'node:vm';
import { inflateRawSync } from 'node:zlib';
import { modules } from '../scripts/modules.mjs';
import { utf8 } from './support.mjs';

// The instances that are made from here on.
const instances = [];
const { Instance, instantiate } = WebAssembly;
WebAssembly.Instance = function (...args) {
  const made = new Instance(...args);
  instances.push(made.exports);
  return made;
};
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  // Node itself has modules of its own, which it compiles before.
  if (result.instance) instances.push(result.instance.exports);
  return result;
};

const message = utf8('message');
const secret = Uint8Array.from({ length: 32 }, (_, i) => (i < 31 ? 7 * i + 3 : 5));
const { fndsa512 } = await import('lanner/fn-dsa/sync');
const native = await import('lanner/native/sync');
const nacl = await import('lanner/tweetnacl');
const ristretto = await import('lanner/ristretto/sync');
const sync = await import('lanner/sync');
const x25519 = await import('lanner/x25519/sync');
const pair = sync.keyPairFromSeed(secret);
const signature = sync.sign(message, pair.secretKey);
const falcon = fndsa512.keyPairFromSeed(secret);
const signed = fndsa512.sign(message, falcon.secretKey);
const agreeing = x25519.keyPairFromSecretKey(secret);
const shared = x25519.sharedSecret(secret, agreeing.publicKey);
const element = ristretto.multiplyBase(secret);
const product = ristretto.multiply(secret, element);
const terms = Array.from({ length: 20 }, () => ({ scalar: secret, element }));
const same = (a, b) => Buffer.compare(a, b) == 0;

/** Each entry's module, what is broken off, and what then tells whether all is well. */
const entries = {
  'lanner/sync': ['small', () => sync.sign(message, pair.secretKey), () => same(sync.sign(message, pair.secretKey), signature)],
  'lanner/native/sync': [
    'small', () => native.verify(message, signature, pair.publicKey, { profile: 'zip215' }),
    () => native.verify(message, signature, pair.publicKey, { profile: 'zip215' }),
  ],
  'lanner/tweetnacl': [
    'nacl', () => nacl.sign.keyPair.fromSeed(secret),
    () => same(nacl.scalarMult(secret, agreeing.publicKey), shared) && same(nacl.sign.detached(message, pair.secretKey), signature),
  ],
  'lanner/x25519/sync': ['x25519', () => x25519.sharedSecret(secret, agreeing.publicKey), () => same(x25519.sharedSecret(secret, agreeing.publicKey), shared)],
  // What is broken off has more in the memory than what comes after it.
  'lanner/ristretto/sync': ['ristretto', () => ristretto.multiscalar(terms), () => same(ristretto.multiply(secret, element), product)],
  'lanner/fn-dsa/sync': ['fn-dsa', () => fndsa512.sign(message, falcon.secretKey), () => fndsa512.verify(message, signed, falcon.publicKey)],
};

/** Recursions with frames of several sizes, at whose end a call stands. */
const recursions = Array.from({ length: 8 }, (_, width) => {
  const names = Array.from({ length: width }, (_, i) => `, a${i}`).join('');
  return new Function('call', `return function recur(n${names}) { return n ? recur(n - 1${names}) : call(); }`);
});

/** Makes a call where the engine's stack ends, at many places; how often it was within a module that it did. */
const overflow = (call) => {
  let [within, failure] = [0];
  const attempt = () => {
    try {
      call();
    } catch (error) {
      failure = error;
    }
    return true;
  };
  for (const recursion of recursions) {
    const recur = recursion(attempt);
    const reached = (depth) => {
      failure = undefined;
      try {
        return recur(depth);
      } catch {
        return false;
      } finally {
        if (/wasm/.test(failure?.stack.split('\n')[1])) within++;
      }
    };
    let [low, high] = [10, 50_000];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (reached(middle)) low = middle;
      else high = middle;
    }
    for (let depth = low; depth > low - 60; depth--) reached(depth);
  }
  return within;
};

/** Breaks off a loop of calls, again and again, and looks whether all is well after each. */
const interrupt = (times, call, well) => {
  for (let i = 0; i < times; i++) {
    assert.throws(() => runInNewContext('for (;;) call()', { call }, { timeout: 2 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    assert.ok(well(), `after ${i + 1} times`);
  }
};

const stackOf = (name) => modules.find((one) => one.name == name).stack;

/** Whether a module's memory is as it was: its stack empty, and nothing of the secret anywhere. */
const isClean = (exports, stack) => {
  const memory = Buffer.from(exports.memory.buffer);
  const secrets = [secret.subarray(0, 16), secret.subarray(16), falcon.secretKey.subarray(100, 116), falcon.secretKey.subarray(-16)];
  return memory.subarray(0, stack).every((octet) => octet == 0) && secrets.every((one) => !memory.includes(one));
};

for (const [name, [module, call, well]] of Object.entries(entries)) {
  test(`${name}: calls on a stack that is full, and calls whose time is up, harm none that come later`, () => {
    for (let i = 0; i < 30; i++) call();
    const before = instances.map(({ z }) => z.value);
    let within = 0;
    for (let round = 0; round < 5; round++) {
      within += overflow(call);
      assert.ok(well(), `round ${round}`);
    }
    assert.ok(within > 2, `${within} times within the module`);
    interrupt(60, call, () => well() && instances.every((exports) => isClean(exports, exports.z.value)));
    assert.ok(before.includes(stackOf(module)), module);
    assert.deepEqual(instances.map(({ z }) => z.value), before);
  });
}

test('a verifier of pieces is as it was before a piece that was broken off', async () => {
  const more = await import('lanner/more');
  const pieces = Array.from({ length: 3 }, (_, i) => new Uint8Array(20_000_000).fill(i));
  const made = sync.sign(Buffer.concat(pieces), pair.secretKey);
  const verifier = await more.createVerifier(made, pair.publicKey);
  for (const piece of pieces) {
    const update = () => verifier.update(piece);
    for (const timeout of [1, 5, 20])
      assert.throws(() => runInNewContext('update()', { update }, { timeout }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    update();
  }
  assert.equal(verifier.verify(), true);
});

test('tables of the module made for speed are whole, or made again', async () => {
  const { default: text } = await import('../dist/wasm/fast.text.js');
  const module = new WebAssembly.Module(inflateRawSync(Buffer.from(text, 'base64')));
  let wasm;
  const derive = () => {
    const address = wasm.i();
    const memory = new Uint8Array(wasm.memory.buffer);
    memory.set(secret, address);
    wasm.e();
    wasm.k();
    return memory.slice(address + 32, address + 64);
  };
  const make = () => {
    wasm = new Instance(module).exports;
    derive();
  };
  make();
  interrupt(80, make, () => {
    wasm.z.value = stackOf('fast');
    return same(derive(), pair.publicKey);
  });
});

test('a module whose first call was broken off is made ready all the same', async () => {
  const { makeVerifier } = await import('../dist/verifier.js');
  for (const name of ['small', 'verify', 'nacl', 'compat', 'fast']) {
    const { default: text } = await import(`../dist/wasm/${name}.text.js`);
    const { exports: wasm } = new Instance(new WebAssembly.Module(inflateRawSync(Buffer.from(text, 'base64'))));
    wasm.z.value = 16;
    const { put, run } = makeVerifier(wasm);
    const valid = run(new Uint8Array(1024), () => {
      put(signature);
      put(pair.publicKey, 64);
      wasm.v(0, 0);
      put(message);
      wasm.u(message.length);
      wasm.d?.();
      return !!wasm.f();
    });
    assert.equal(valid, true, name);
  }
});
