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

/** A module that the package carries as text. */
const compiled = async (name) => {
  const { default: text } = await import(`../dist/wasm/${name}.text.js`);
  return new WebAssembly.Module(inflateRawSync(Buffer.from(text, 'base64')));
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
  const module = await compiled('fast');
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

/** The factors of FN-DSA's transform modulo q = 12289, 7^e 2^16 for each e, centred, and where they lie in the table. */
const factors = (() => {
  const [q, table, places] = [12289, new Int16Array(1024), []];
  for (let [e, power] = [1, 7]; e < 1024; e++, power = (power * 7) % q) {
    const place = parseInt(e.toString(2).padStart(10, '0').split('').reverse().join(''), 2);
    const factor = (power * 65536) % q;
    table[place] = factor > q / 2 ? factor - q : factor;
    places.push(place);
  }
  return { table, places };
})();

for (const name of ['fn-dsa', 'fn-dsa-verify', 'fn-dsa-compat'])
  test(`tables of the module ${name} are whole, or made again`, async () => {
    const { makeEngine, VERIFY } = await import('../dist/fn-dsa-engine.js');
    const module = await compiled(name);
    let engine;
    const verify = () =>
      engine.run(VERIFY, [falcon.publicKey, message, signed], ([key, text, signature]) =>
        engine.wasm.v(0, key, falcon.publicKey.length, 0, 0, 0, text, message.length, signature, signed.length));
    const make = () => {
      engine = makeEngine(new Instance(module).exports);
      return verify();
    };
    assert.equal(make(), 1);
    interrupt(200, make, () => verify() == 1);
    // What a call leaves that was broken off after so many factors.
    for (const made of [0, 1, 100, 510, 511, 512, 513, 700, 1000, 1021, 1022, 1023]) {
      assert.equal(make(), 1);
      const memory = Buffer.from(engine.wasm.memory.buffer);
      const at = memory.indexOf(Buffer.from(factors.table.buffer));
      assert.ok(at > 0 && memory.indexOf(Buffer.from(factors.table.buffer), at + 1) < 0);
      for (const place of factors.places.slice(made)) memory.fill(0, at + 2 * place, at + 2 * place + 2);
      assert.equal(verify(), 1, `${made} factors`);
      assert.equal(memory.indexOf(Buffer.from(factors.table.buffer)), at);
    }
  });

test('roots of the modules for FN-DSA are whole, or made again', async () => {
  const { makeEngine, SIGN } = await import('../dist/fn-dsa-engine.js');
  for (const name of ['fn-dsa', 'fn-dsa-compat']) {
    const module = await compiled(name);
    const random = new Uint8Array(40).fill(3);
    let engine;
    /** A signature, always of the same randomness. */
    const sign = () =>
      engine.run(SIGN, [engine.block, falcon.secretKey, random, message, 1600], ([block, key, seed, text, output]) => {
        assert.ok(engine.wasm.k(0, key, falcon.secretKey.length, block) && engine.wasm.b(0, block, 0, 0, 0, seed));
        engine.wasm.u(0, block, text, message.length);
        const length = engine.wasm.s(0, block, output);
        return new Uint8Array(engine.wasm.memory.buffer).slice(output, output + length);
      });
    const make = () => {
      engine = makeEngine(new Instance(module).exports);
      return sign();
    };
    const right = make();
    assert.equal(fndsa512.verify(message, right, falcon.publicKey), true);
    interrupt(60, make, () => same(sign(), right));
  }
});

test('a module whose first call was broken off is made ready all the same', async () => {
  const { makeVerifier } = await import('../dist/verifier.js');
  for (const name of ['small', 'verify', 'nacl', 'compat', 'fast']) {
    const { exports: wasm } = new Instance(await compiled(name));
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
  const { makeMultiply } = await import('../dist/x25519-of.js');
  for (const name of ['x25519', 'nacl', 'compat']) {
    const { exports: wasm } = new Instance(await compiled(name));
    wasm.z.value = 16;
    assert.deepEqual(makeMultiply(wasm)(secret, agreeing.publicKey), shared, name);
  }
});
