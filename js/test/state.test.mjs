// What stays behind: nothing of the secrets in any module's memory; one instance, whoever asks for it when; ESM and CommonJS side
// by side.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { modules } from '../scripts/modules.mjs';
import { entries, randomBytes, root, utf8, words } from './support.mjs';

// Modules loaded from here on are watched.
const memories = [];
const { Instance, instantiate } = WebAssembly;
const watch = (instance) => {
  memories.push(instance.exports.memory);
  return instance;
};
WebAssembly.Instance = function (...args) {
  return watch(new Instance(...args));
};
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  // Node itself has modules of its own, which it compiles before.
  if (result.instance) watch(result.instance);
  return result;
};

/** Whether any 8 bytes in a row of the secret lie in a module's memory. */
const found = (secret) =>
  memories.some((memory) => {
    const bytes = Buffer.from(memory.buffer);
    for (let i = 0; i + 8 <= secret.length; i += 4)
      if (bytes.includes(secret.subarray(i, i + 8))) return true;
    return false;
  });

/** The length of a module's stack. */
const stackOf = (name) => modules.find((one) => one.name == name).stack;

const sha512 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-512', bytes));

test('secrets are wiped from the memory of the modules', async () => {
  const next = words(41);
  const lanner = await import('lanner');
  const fast = await import('lanner/fast');
  const sync = await import('lanner/sync');
  const more = await import('lanner/more');
  const x25519 = await import('lanner/x25519');
  const fndsa = await import('lanner/fn-dsa');
  const nacl = await import('lanner/tweetnacl');
  const compat = await import('lanner/compat');
  const streaming = await import('lanner/streaming');
  const streamingFast = await import('lanner/streaming/fast');
  for (const api of [lanner, fast, sync, compat, streaming, streamingFast, nacl.sign]) {
    const seed = randomBytes(next, 32);
    const nonces = [];
    const message = randomBytes(next, 3000);
    if (api === nacl.sign) {
      const { secretKey } = api.keyPair.fromSeed(seed);
      api.detached(message, secretKey);
    } else {
      const { secretKey } = await api.keyPairFromSeed(seed);
      await api.sign(message, secretKey);
      await api.signChecked(message, secretKey);
      const signer = await api.createSigner(secretKey);
      await signer.sign(message);
      signer.wipe();
      await api.verify(message, await api.sign(message, secretKey), secretKey.slice(32));
      secretKey[60] ^= 1;
      await assert.rejects(async () => api.sign(message, secretKey));
    }
    const expanded = await sha512(seed);
    const nonce = await sha512(Buffer.concat([expanded.subarray(32), message]));
    // The scalar's outermost octets are clamped; those between are as the hash has them.
    nonces.push(seed, expanded.subarray(1, 31), expanded.subarray(32), nonce);
    for (const secret of nonces) assert.equal(found(secret), false);
    assert.equal(found(message), false);
    // The stack, where there may be other forms of them, is at the beginning: all of it is zero.
    const length = stackOf([fast, streamingFast].includes(api) ? 'fast' : 'small');
    const memory = new Uint8Array(memories.at(-1).buffer, 0, length);
    assert.ok(memory.every((octet) => octet == 0), `${length} octets of the stack`);
  }
  const seed = randomBytes(next, 32);
  const { secretKey } = await lanner.keyPairFromSeed(seed);
  await more.signStream(() => [utf8('a'), utf8('b')], secretKey);
  await more.signPrehashed(utf8('ab'), secretKey);
  assert.equal(found(seed), false);
  assert.equal(found((await sha512(seed)).subarray(32)), false);
  const pair = await x25519.newKeyPair();
  const shared = await x25519.sharedSecret(pair.secretKey, (await x25519.newKeyPair()).publicKey);
  nacl.scalarMult(pair.secretKey, pair.publicKey);
  assert.equal(found(pair.secretKey), false);
  assert.equal(found(shared), false);
  const falcon = await fndsa.falcon512.keyPairFromSeed(seed);
  await fndsa.falcon512.sign(utf8('m'), falcon.secretKey);
  assert.equal(found(seed), false);
  assert.equal(found(falcon.secretKey), false);
  // The search itself works: a constant that every Ed25519 module has.
  assert.ok(memories.length >= 9, `${memories.length} modules`);
  assert.equal(found(Uint8Array.of(0x98, 0x2f, 0x8a, 0x42)), false);
  const memory = new Uint8Array(memories[0].buffer);
  memory.set(seed, memory.length - 40);
  assert.equal(found(seed), true);
  memory.fill(0, memory.length - 40);
});

test('scalars, elements and messages of Ristretto255 are wiped from the memory of its module', async () => {
  const next = words(42);
  for (const group of [await import('lanner/ristretto'), await import('lanner/ristretto/sync')]) {
    const [x, y] = [randomBytes(next, 32), randomBytes(next, 32)];
    const message = randomBytes(next, 300_000);
    const element = await group.elementFromHash(randomBytes(next, 64));
    const memory = memories.at(-1);
    const terms = Array.from({ length: 300 }, () => ({ scalar: randomBytes(next, 32), element }));
    const outcomes = [
      await group.multiply(x, element), await group.multiplyBase(x), await group.multiplyScalars(x, y), await group.addScalars(x, y),
      await group.invertScalar(x), await group.newScalar(), await group.reduceScalar(randomBytes(next, 64)), await group.newElement(),
      await group.multiscalar(terms), await group.hashToRistretto255(message, y),
      await group.hashToScalar(message, y), await group.hashToEdwards25519(message, y), await group.encodeToCurve25519(message, y),
    ];
    // And what is refused.
    const bad = Uint8Array.from(element, (octet) => octet ^ 255);
    for (const call of [
      () => group.multiply(x, bad),
      () => group.multiscalar([...terms, { scalar: y, element: bad }]),
      () => group.hashToScalar(message, new Uint8Array()),
    ])
      await assert.rejects(async () => call(), RangeError);
    const secrets = [x, y, message.subarray(0, 64), element, ...terms.slice(0, 3).map(({ scalar }) => scalar), ...outcomes];
    for (const [i, secret] of secrets.entries()) assert.equal(found(secret), false, `secret ${i}`);
    // All of it is zeros but what the module brought along: constants, which lie between the stack and the heap.
    const whole = new Uint8Array(memory.buffer);
    assert.ok(whole.length > stackOf('ristretto') + 65536, `${whole.length} octets`);
    assert.ok(whole.subarray(0, stackOf('ristretto')).every((octet) => octet == 0), 'the stack');
    assert.ok(whole.subarray(stackOf('ristretto') + 65536).every((octet) => octet == 0), 'the heap');
    assert.ok(whole.some((octet) => octet != 0));
  }
});

/** What code prints, as JSON, in a fresh process, where no module has been loaded. */
const fresh = (code) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: join(root, 'test'), encoding: 'utf8' });
  assert.match(stdout, /^\S/, stderr);
  return JSON.parse(stdout);
};

test('lanner/tweetnacl: a scalar is multiplied, however ready() and the calls fall together', () => {
  const base = 'results.push(nacl.scalarMult.base(scalar));';
  const user = (delay) => `(async () => { await new Promise((done) => setTimeout(done, ${delay})); await nacl.ready(); ${base} })()`;
  const ways = {
    'a call while ready() is pending': `const pending = nacl.ready(); ${base} await pending;`,
    'two that are pending': `const [one, two] = [nacl.ready(), nacl.ready()]; await one; ${base} await two;`,
    'ready() after a call, twice': `${base} await nacl.ready(); await nacl.ready();`,
    ...Object.fromEntries([0, 1, 2, 3].map((delay) => [`two users, ${delay} ms apart`, `await Promise.all([${user(0)}, ${user(delay)}]);`])),
  };
  for (const [way, code] of Object.entries(ways)) {
    const { results, expected } = fresh(`
      import old from 'tweetnacl';
      import nacl from 'lanner/tweetnacl';
      const [scalar, point] = [old.randomBytes(32), old.scalarMult.base(old.randomBytes(32))];
      const results = [];
      ${code}
      ${base}
      results.push(nacl.scalarMult(scalar, point));
      const base = old.scalarMult.base(scalar);
      const expected = [...results.slice(1).map(() => base), old.scalarMult(scalar, point)];
      console.log(JSON.stringify({ results, expected }));`);
    assert.ok(results.length >= 3, way);
    assert.deepEqual(results, expected, way);
  }
});

test('every entry works with one instance from its first call on, however its loading and its calls fall together', () => {
  const message = 'new Uint8Array(9)';
  const [ed25519, fnDsa] = ['api.newKeyPair()', 'api.falcon512.keyPairFromSeed(new Uint8Array(32))'];
  const verify = `api.verify(${message}, new Uint8Array(64), new Uint8Array(32).fill(1), { profile: 'rfc8032' })`;
  const prehashed = `api.signPrehashed(${message}, new Uint8Array(64)).catch(() => {})`;
  const first = {
    sync: ed25519, tweetnacl: 'api.sign.keyPair()', 'x25519/sync': ed25519, 'ristretto/sync': 'api.newScalar()', 'fn-dsa/sync': fnDsa,
    'native/sync': verify, '': ed25519, fast: ed25519, compat: ed25519, streaming: ed25519, 'streaming/fast': ed25519, x25519: ed25519,
    verify, native: verify, ristretto: 'api.newScalar()', 'fn-dsa': fnDsa, 'fn-dsa/streaming': fnDsa,
    'fn-dsa/verify': `api.falcon512.verify(${message}, ${message}, new Uint8Array(897)).catch(() => {})`,
    // Without a module: that of the scheme does the work.
    'fn-dsa/keys': `api.toPkcs8(new Uint8Array(32), { name: 'hybrid512', keyPairFromSecretKey: (secretKey) => ({ secretKey }) })`,
    hybrid: 'api.hybrid512.newKeyPair()', keys: 'api.toSecretKey(new Uint8Array(32))',
    more: prehashed, 'more/fast': prehashed,
  };
  // Of those with two modules: one each.
  const modules = { hybrid: 2, 'fn-dsa/keys': 0 };
  for (const entry of Object.keys(entries)) {
    const name = entry.slice(2);
    const call = first[name];
    assert.ok(call, `${entry} is unknown here`);
    const waiting = /sync|tweetnacl/.test(name);
    const ways = waiting
      ? [
          `const pending = api.ready(); ${call}; await pending; ${call};`,
          `const [one, two] = [api.ready(), api.ready()]; await one; ${call}; await two; ${call};`,
          `${call}; await api.ready(); ${call}; await api.ready(); ${call};`,
        ]
      : [`await Promise.all([${call}, ${call}]); await ${call};`];
    for (const way of ways) {
      const [made, used] = fresh(`
        const { Instance, instantiate, instantiateStreaming } = WebAssembly;
        let made = 0;
        const used = new Set();
        const noted = ({ exports }) => {
          const number = made++;
          const note = ([name, value]) => [name, typeof value == 'function' ? (...args) => (used.add(number), value(...args)) : value];
          return { exports: Object.fromEntries(Object.entries(exports).map(note)) };
        };
        const later = async (promise) => {
          const result = await promise;
          // Node itself has modules of its own, which it compiles before.
          return result.instance ? { ...result, instance: noted(result.instance) } : result;
        };
        const api = await import('lanner${entry.slice(1)}');
        WebAssembly.Instance = function (...args) { return noted(new Instance(...args)); };
        WebAssembly.instantiate = (...args) => later(instantiate(...args));
        WebAssembly.instantiateStreaming = (...args) => later(instantiateStreaming(...args));
        ${way}
        console.log(JSON.stringify([made, used.size]));`);
      assert.equal(used, modules[name] ?? 1, `${entry}: ${way}`);
      // One that came late is left unused.
      assert.ok(made == used || (made == 2 && waiting && way.includes('pending')), `${entry}: ${made} instances, ${way}`);
    }
  }
});

test('CommonJS requires the same code: ESM and CommonJS in one process are one', async () => {
  const require = createRequire(import.meta.url);
  for (const entry of Object.keys(entries)) {
    const name = `lanner${entry.slice(1)}`;
    const [esm, cjs] = [await import(name), require(name)];
    // What has a default export is marked for those who know CommonJS alone; tweetnacl's is what it gives, whole.
    const names = Object.keys(cjs).filter((one) => one != '__esModule').concat(cjs === esm.default ? 'default' : []);
    assert.deepEqual(names.sort(), Object.keys(esm).sort(), name);
    for (const one of Object.keys(esm)) assert.equal(cjs[one], esm[one], `${name}: ${one}`);
  }
  const nacl = require('lanner/tweetnacl');
  const { default: imported } = await import('lanner/tweetnacl');
  assert.equal(nacl, imported);
  assert.equal(nacl.default, nacl);
  // As programs do with tweetnacl's: `nacl.util = require('tweetnacl-util')`.
  nacl.util = 1;
  assert.deepEqual([nacl.util, Object.keys(nacl).includes('default')], [1, false]);
  delete nacl.util;
  const text = "const { sign } = require('lanner'); console.log(typeof sign)";
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=commonjs', '-e', text], { cwd: join(root, 'test'), encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['function\n', '']);
});
