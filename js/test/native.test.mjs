// lanner/native: the engine is asked where its answer is bound to be ours, and nowhere else; an engine with another equation
// is found out.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as builtin from 'node:crypto';
import { join } from 'node:path';
import test from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import * as lanner from 'lanner';
import * as native from 'lanner/native';
import * as nativeSync from 'lanner/native/sync';
import * as keys from 'lanner/keys';
import { nodeEngine, probes, webEngine } from '../dist/native-engines.js';
import { isOrdinary } from '../dist/native-ordinary.js';
import { chosen } from '../scripts/probe.mjs';
import { ORDER, hex, own, plusOrder, root, toHex, utf8 } from './support.mjs';
import { PROFILES, signing, verification } from './vectors.mjs';

const { Point } = ed25519;
const L = Point.Fn.ORDER;
const number = (bytes) => BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
const edges = own('ed25519_verify.json').cases.map((v) => ({
  ...v, message: hex(v.msg), signature: hex(v.sig), publicKey: hex(v.key),
}));
const COFACTORED = ['rfc8032', 'zip215'];

/** S·B - k·A - R as noble computes it, or undefined where A or R is no point. */
function residue(message, signature, publicKey, { reduced = true, zip215 = true } = {}) {
  try {
    const [A, R] = [Point.fromBytes(publicKey, zip215), Point.fromBytes(signature.subarray(0, 32), zip215)];
    const hash = number(builtin.createHash('sha512').update(signature.subarray(0, 32)).update(publicKey).update(message).digest());
    const times = (point, k) => (k ? point.multiplyUnsafe(k) : Point.ZERO);
    const whole = (k) => times(times(A, 8n), (k % (8n * L)) / 8n).add(times(A, k % 8n));
    return times(Point.BASE, number(signature.subarray(32)) % L).subtract(R).subtract(reduced ? times(A, hash % L) : whole(hash));
  } catch {
    return undefined;
  }
}

/** Engines that are not what they should be, and one that is. */
const engines = {
  right: (...given) => residue(...given)?.is0() ?? false,
  'the cofactor': (...given) => residue(...given)?.clearCofactor().is0() ?? false,
  'a factor of two': (...given) => residue(...given)?.double().is0() ?? false,
  'a factor of four': (...given) => residue(...given)?.double().double().is0() ?? false,
  'a factor that depends on the signature': (message, signature, key) => {
    const left = residue(message, signature, key);
    return (signature[40] & 1 ? left?.double() : left)?.is0() ?? false;
  },
  'a hash that is not reduced': (...given) => residue(...given, { reduced: false })?.is0() ?? false,
  'keys of order L alone': (message, signature, key) =>
    (Point.fromBytes(key, true).isTorsionFree() && residue(message, signature, key)?.is0()) ?? false,
  'everything valid': () => true,
  'nothing valid': () => false,
  'an answer that is none': (...given) => +(residue(...given)?.is0() ?? 0),
  'an error': () => {
    throw new Error('not today');
  },
};

/** `crypto.subtle` with another verification. */
const subtleOf = (verify) => ({
  importKey: async (_, octets) => Uint8Array.from(octets),
  verify: async (_, key, signature, message) => verify(message, signature, key),
});
/** `node:crypto` with another verification. */
const builtinOf = (verify) => ({
  KeyObject: builtin.KeyObject,
  createPublicKey: ({ key }) => ({ octets: new Uint8Array(Buffer.from(key.x, 'base64url')) }),
  verify: (_, message, { octets }, signature) => verify(message, signature, octets),
});

test('the probe is what scripts/probe.mjs makes of the edge cases, and holds every order', () => {
  execFileSync(process.execPath, [join(root, 'scripts', 'probe.mjs'), '--check']);
  const wanted = new Map(chosen().map((one) => [one.sig, one]));
  const seen = new Set();
  for (const [[message, signature, publicKey], valid] of probes()) {
    const { msg, key, reduced } = wanted.get(toHex(signature));
    assert.deepEqual([toHex(message), toHex(publicKey), valid], [msg, key, reduced == 1]);
    assert.equal(residue(message, signature, publicKey).is0(), valid);
    assert.equal(isOrdinary(signature, publicKey), true);
    seen.add(reduced);
  }
  assert.deepEqual([...seen].sort(), [1, 2, 4, 8]);
  assert.equal(wanted.size, probes().length);
});

test('the engines of this Node pass', async () => {
  assert.equal(await native.isNative(), true);
  assert.equal(nativeSync.isNative(), true);
  assert.ok(await webEngine());
  assert.ok(nodeEngine());
});

test('engines with another equation do not, and one with the same does', async () => {
  const { subtle } = crypto;
  for (const [name, verify] of Object.entries(engines)) {
    assert.equal(!!nodeEngine(builtinOf(verify)), name == 'right', name);
    Object.defineProperty(crypto, 'subtle', { value: subtleOf(verify), configurable: true });
    try {
      assert.equal(!!(await webEngine()), name == 'right', name);
    } finally {
      delete crypto.subtle;
    }
  }
  assert.equal(crypto.subtle, subtle);
});

test('where the engine has a cofactor, or none of this, every verdict is ours', async () => {
  // In a process of its own, where the engine is another before anything is imported.
  const before = {
    'a cofactor': `
      const verify = (message, signature, key) => ed25519.verify(signature, message, key, { zip215: true });
      crypto.subtle.importKey = async (_, octets) => Uint8Array.from(octets);
      crypto.subtle.verify = async (_, key, signature, message) => (asked++, verify(message, signature, key));
      const { getBuiltinModule } = process;
      const builtin = getBuiltinModule('node:crypto');
      process.getBuiltinModule = (name) => name == 'node:crypto' ? { ...builtin,
        createPublicKey: ({ key }) => Buffer.from(key.x, 'base64url'),
        verify: (_, message, key, signature) => (asked++, verify(message, signature, key)) } : getBuiltinModule(name);`,
    'nothing': `
      Object.defineProperty(crypto, 'subtle', { value: undefined });
      process.getBuiltinModule = undefined;`,
  };
  for (const [what, code] of Object.entries(before)) {
    const program = `
      import { readFileSync } from 'node:fs';
      import { ed25519 } from '@noble/curves/ed25519.js';
      let asked = 0;
      ${code}
      const native = await import('lanner/native');
      const sync = await import('lanner/native/sync');
      const hex = (text) => new Uint8Array(Buffer.from(text, 'hex'));
      const { cases } = JSON.parse(readFileSync('../../vectors/data/ed25519_verify.json', 'utf8'));
      const is = [await native.isNative(), sync.isNative()];
      const probed = asked;
      let wrong = 0;
      for (const profile of ${JSON.stringify(PROFILES)})
        for (const v of cases) {
          const given = [hex(v.msg), hex(v.sig), hex(v.key), { profile }];
          const stated = v.accept.includes(profile);
          wrong += (await native.verify(...given)) != stated;
          wrong += sync.verify(...given) != stated;
        }
      console.log(JSON.stringify({ is, wrong, probed: probed > 0, asked: asked - probed }));`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: join(root, 'test'), encoding: 'utf8' });
    assert.deepEqual(JSON.parse(said), { is: [false, false], wrong: 0, probed: what == 'a cofactor', asked: 0 }, what);
  }
});

test('what is ordinary: canonical, not of small order, S below L', () => {
  const p = 2n ** 255n - 19n;
  const small = new Set();
  for (let i = 1n; small.size < 5; i++) {
    // L times a point is one of small order.
    try {
      const octets = Uint8Array.from({ length: 32 }, (_, at) => Number((i >> BigInt(8 * at)) & 255n));
      const point = Point.fromBytes(octets);
      small.add(point.multiplyUnsafe(L - 1n).add(point).toAffine().y);
    } catch {}
  }
  const isPoint = (octets) => {
    const y = number(octets) & (2n ** 255n - 1n);
    return y < p && !small.has(y);
  };
  const counts = [0, 0];
  for (const { signature, publicKey } of edges) {
    const expected = number(signature.subarray(32)) < L && isPoint(signature.subarray(0, 32)) && isPoint(publicKey);
    assert.equal(isOrdinary(signature, publicKey), expected, toHex(signature));
    counts[+expected]++;
  }
  assert.ok(counts[0] > 500 && counts[1] > 100, String(counts));
  // Each boundary, by one.
  const scalar = (n) => Uint8Array.from({ length: 32 }, (_, at) => Number((n >> BigInt(8 * at)) & 255n));
  const [usual] = probes();
  const [, signature, publicKey] = usual[0];
  const withS = (n) => Uint8Array.of(...signature.subarray(0, 32), ...scalar(n));
  assert.deepEqual([L - 1n, L, L + 1n].map((n) => isOrdinary(withS(n), publicKey)), [true, false, false]);
  for (const sign of [0n, 1n << 255n])
    for (const y of [...small, ...small].map((y, i) => (i < small.size ? y : (y + 2n) % p)).concat(p - 2n, p, p + 1n, p + 18n)) {
      const expected = y < p && !small.has(y);
      assert.equal(isOrdinary(signature, scalar(y | sign)), expected, String(y));
      assert.equal(isOrdinary(Uint8Array.of(...scalar(y | sign), ...signature.subarray(32)), publicKey), expected, String(y));
    }
});

/** The keys of a case, in every kind that the engine takes. */
async function kinds(publicKey) {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: keys.toBase64Url(publicKey) };
  return {
    octets: publicKey,
    CryptoKey: await keys.publicToCryptoKey(publicKey),
    KeyObject: builtin.createPublicKey({ key: jwk, format: 'jwk' }),
  };
}

test('every edge case, by every profile, with every kind of key', async () => {
  const seen = { true: 0, false: 0 };
  for (const { id, message, signature, publicKey, accept } of edges) {
    const given = await kinds(publicKey);
    for (const profile of PROFILES)
      for (const [kind, key] of Object.entries(given)) {
        const stated = accept.includes(profile);
        const where = `case ${id}, ${profile}, ${kind}`;
        assert.equal(await native.verify(message, signature, key, { profile }), stated, where);
        if (kind != 'CryptoKey') assert.equal(nativeSync.verify(message, signature, key, { profile }), stated, where);
        seen[stated]++;
      }
  }
  assert.ok(seen.true > 1000 && seen.false > 1000, JSON.stringify(seen));
});

test('outside cases: every profile, in batches', async () => {
  for (const [set, count, cases] of verification) {
    assert.equal(cases.length, count);
    for (const profile of PROFILES) {
      const stated = cases.filter((one) => profile in one.stated);
      const items = await Promise.all(stated.map(async ({ message, signature, key }, i) => {
        const given = await kinds(key);
        return { message, signature, publicKey: given[Object.keys(given)[i % 3]] };
      }));
      const expected = stated.map((one) => one.stated[profile]);
      assert.deepEqual(await native.verifyBatch(items, { profile }), expected, `${set}, ${profile}`);
      const plain = stated.map(({ message, signature, key }) => ({ message, signature, publicKey: key }));
      assert.deepEqual(nativeSync.verifyBatch(plain, { profile }), expected, `${set}, ${profile}`);
    }
  }
});

test('the engine is asked about what is ordinary, and about nothing else', () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import crypto from 'node:crypto';
    let asked = [];
    const { subtle } = globalThis.crypto;
    const [verify, subtleVerify] = [crypto.verify, subtle.verify];
    crypto.verify = (...given) => (asked.push('node'), verify(...given));
    subtle.verify = function (...given) { asked.push('web'); return subtleVerify.apply(this, given); };
    process.getBuiltinModule = () => crypto;
    const native = await import('lanner/native');
    const sync = await import('lanner/native/sync');
    const hex = (text) => new Uint8Array(Buffer.from(text, 'hex'));
    const { cases } = JSON.parse(readFileSync('../../vectors/data/ed25519_verify.json', 'utf8'));
    const usual = cases.find(({ a, r, s, accept }) => s == 'S' && a + r == 'order Lorder L' && accept.includes('strict'));
    const given = (v, profile) => [hex(v.msg), hex(v.sig), hex(v.key), { profile }];
    const outcome = {};
    const note = async (name, call) => { asked = []; await call(); outcome[name] = asked.join(); };
    await note('probe', async () => [await native.verify(...given(usual)), sync.verify(...given(usual)), await native.verify(new Uint8Array(65537), ...given(usual).slice(1))]);
    for (const profile of ${JSON.stringify(PROFILES)})
      await note(profile, async () => [await native.verify(...given(usual, profile)), sync.verify(...given(usual, profile))]);
    for (const s of ['S + L', 'S + 2^255'])
      await note(s, async () => { const v = cases.find((one) => one.s == s && one.a == 'order L'); await native.verify(...given(v, 'donna')); sync.verify(...given(v, 'dalek')); });
    const small = cases.find(({ a, r, s }) => s == 'S' && a.startsWith('torsion') && r == 'order L');
    await note('A of small order', async () => [await native.verify(...given(small, 'dalek')), sync.verify(...given(small, 'dalek'))]);
    const other = cases.find(({ a, r, s }) => s == 'S' && r.startsWith('torsion') && a == 'order L');
    await note('R of small order', async () => [await native.verify(...given(other, 'dalek')), sync.verify(...given(other, 'dalek'))]);
    await note('long', () => native.verify(new Uint8Array(65537), ...given(usual).slice(1)));
    const [, signature, publicKey] = given(usual);
    const key = await subtle.importKey('raw', publicKey, 'Ed25519', true, ['verify']);
    await note('CryptoKey', () => native.verify(hex(usual.msg), signature, key));
    await note('KeyObject', () => native.verify(hex(usual.msg), signature, crypto.KeyObject.from(key)));
    console.log(JSON.stringify(outcome));`;
  const said = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: join(root, 'test'), encoding: 'utf8' }));
  const count = probes().length;
  assert.equal(said.probe.match(/node/g).length, 2 * count + 2);
  assert.equal(said.probe.match(/web/g).length, count + 1);
  for (const profile of PROFILES) assert.equal(said[profile], COFACTORED.includes(profile) ? '' : 'node,node', profile);
  for (const name of ['S + L', 'S + 2^255', 'A of small order', 'R of small order']) assert.equal(said[name], '', name);
  assert.deepEqual([said.long, said.CryptoKey, said.KeyObject], ['web', 'web', 'node']);
});

test('an engine that is missing, refuses to be looked at, fails or lies is not asked, and the verdicts are ours', () => {
  const refusing = "{ get() { throw Error('refused'); }, configurable: true }";
  const engines = {
    'no crypto': 'delete globalThis.crypto;',
    'a crypto that refuses': `Object.defineProperty(globalThis, 'crypto', ${refusing});`,
    'no subtle': "Object.defineProperty(crypto, 'subtle', { value: undefined });",
    'a subtle that refuses': `Object.defineProperty(crypto, 'subtle', ${refusing});`,
    'an empty subtle': "Object.defineProperty(crypto, 'subtle', { value: {} });",
    'one that throws at once': "crypto.subtle.verify = () => { throw Error('failed'); };",
    'one that says yes': 'crypto.subtle.verify = async () => true;',
    'one that says no': 'crypto.subtle.verify = async () => false;',
    'one that says nothing': 'crypto.subtle.verify = async () => undefined;',
    'one that says 1': 'const { verify: own } = crypto.subtle; crypto.subtle.verify = async (...given) => +(await own.apply(crypto.subtle, given));',
  };
  for (const [name, code] of Object.entries(engines)) {
    const program = `
      const { newKeyPair, sign } = await import('lanner');
      const { publicKey, secretKey } = await newKeyPair();
      const message = new Uint8Array(70000);
      const signature = await sign(message, secretKey);
      process.getBuiltinModule = undefined;
      ${code}
      const { isNative, verify } = await import('lanner/native');
      const outcome = [await verify(message, signature, publicKey), await isNative()];
      signature[40] ^= 1;
      console.log(JSON.stringify([...outcome, await verify(message, signature, publicKey)]));`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: join(root, 'test'), encoding: 'utf8' });
    assert.deepEqual(JSON.parse(said), [true, false, false], name);
  }
});

test('a stack that is full when the engine is first asked is not held against it', () => {
  const program = `
    import crypto from 'node:crypto';
    let full = true;
    const endless = () => endless() + 1;
    const { subtle } = globalThis.crypto;
    const [verify, importKey] = [crypto.verify, subtle.importKey];
    crypto.verify = (...given) => (full ? endless() : verify(...given));
    subtle.importKey = function (...given) { return full ? endless() : importKey.apply(this, given); };
    process.getBuiltinModule = () => crypto;
    const native = await import('lanner/native');
    const sync = await import('lanner/native/sync');
    const { newKeyPair, sign } = await import('lanner');
    const { publicKey, secretKey } = await newKeyPair();
    const outcome = [];
    for (const length of [10, 70000]) {
      const message = new Uint8Array(length);
      const signature = await sign(message, secretKey);
      for (const { isNative, verify } of [native, sync]) {
        full = true;
        const said = await (async () => verify(message, signature, publicKey))().catch(String);
        full = false;
        outcome.push([said, await verify(message, signature, publicKey), await isNative()]);
      }
    }
    console.log(JSON.stringify(outcome));`;
  const said = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: join(root, 'test'), encoding: 'utf8' }));
  for (const one of said) assert.deepEqual(one, ['RangeError: Maximum call stack size exceeded', true, true]);
});

test('signing: with keys of the engine, and with no others', async () => {
  for (const [set, , cases] of signing)
    for (const { name, seed, message, signature } of cases) {
      const cryptoKey = await keys.privateToCryptoKey(seed);
      const keyObject = builtin.createPrivateKey({ key: Buffer.from(keys.toPkcs8(seed)), format: 'der', type: 'pkcs8' });
      // OpenSSL adds no randomness.
      for (const made of [await native.sign(message, cryptoKey), await native.sign(message, keyObject), nativeSync.sign(message, keyObject)]) {
        assert.deepEqual(made, signature, `${set}, ${name}`);
        assert.ok(made instanceof Uint8Array && !(made instanceof Buffer));
      }
    }
  const { secretKey } = await lanner.newKeyPair();
  const [open, secret] = Object.values(builtin.generateKeyPairSync('ed25519'));
  const agreeing = builtin.generateKeyPairSync('x25519').privateKey;
  const web = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  const exchange = await crypto.subtle.generateKey('X25519', false, ['deriveBits']);
  const message = utf8('message');
  const kind = { name: 'TypeError', message: 'key must be a CryptoKey or a KeyObject' };
  for (const key of [secretKey, secretKey.slice(0, 32), 'key', undefined, null, {}]) {
    await assert.rejects(native.sign(message, key), kind);
    assert.throws(() => nativeSync.sign(message, key), { name: 'TypeError', message: 'key must be a KeyObject' });
  }
  for (const key of [open, agreeing, builtin.createSecretKey(Buffer.alloc(32))]) {
    const wrong = { name: 'TypeError', message: 'key must be a private KeyObject of Ed25519' };
    await assert.rejects(native.sign(message, key), wrong);
    assert.throws(() => nativeSync.sign(message, key), wrong);
  }
  for (const key of [web.publicKey, exchange.privateKey])
    await assert.rejects(native.sign(message, key), { name: 'TypeError', message: 'key must be a private CryptoKey of Ed25519, to sign' });
  await assert.rejects(native.sign('text', secret), { name: 'TypeError', message: 'message must be a Uint8Array' });
  // A name is not a key: the engine itself refuses what only looks like one.
  const posing = { type: 'private', algorithm: { name: 'Ed25519' }, usages: ['sign'] };
  await assert.rejects(native.sign(message, posing), TypeError);
  assert.equal(await native.verify(message, await native.sign(message, web.privateKey), web.publicKey), true);
});

test('errors: those of the other entries, and what a key must be', async () => {
  const { publicKey, secretKey } = await lanner.newKeyPair();
  const message = utf8('message');
  const signature = await lanner.sign(message, secretKey);
  const web = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  const exchange = await crypto.subtle.generateKey('X25519', false, ['deriveBits']);
  const hidden = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  const unused = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', true, []);
  const type = (text) => ({ name: 'TypeError', message: text });
  const octets = (what) => type(`${what} must be a Uint8Array`);
  const both = [
    [['text', signature, publicKey], octets('message')],
    [[message, 'text', publicKey], octets('signature')],
    [[message, signature, publicKey.slice(1)], { name: 'RangeError', message: 'publicKey must have 32 bytes, not 31' }],
    [[message, signature, publicKey, { profile: 'Strict' }], { name: 'RangeError', message: 'no profile Strict' }],
    [[message, signature, publicKey, { profil: 'strict' }], type('no option profil')],
    [[message, signature, publicKey, 'strict'], type('options must be an object')],
    ...[builtin.createPublicKey(builtin.generateKeyPairSync('x25519').privateKey), builtin.generateKeyPairSync('ed25519').privateKey, builtin.createSecretKey(Buffer.alloc(32))]
      .map((key) => [[message, signature, key], type('publicKey must be a public KeyObject of Ed25519')]),
  ];
  for (const [given, expected] of both) {
    await assert.rejects(native.verify(...given), expected);
    assert.throws(() => nativeSync.verify(...given), expected);
  }
  for (const key of ['text', {}, null, undefined]) {
    await assert.rejects(native.verify(message, signature, key), type('publicKey must be a Uint8Array, a CryptoKey or a KeyObject'));
    assert.throws(() => nativeSync.verify(message, signature, key), type('publicKey must be a Uint8Array or a KeyObject'));
  }
  for (const key of [web.privateKey, exchange.publicKey, unused])
    await assert.rejects(native.verify(message, signature, key), type('publicKey must be a public CryptoKey of Ed25519, to verify'));
  await assert.rejects(native.verify(message, signature, hidden), type('publicKey must be extractable: its octets are looked at'));
  await assert.rejects(native.verify(message, signature, { type: 'public', algorithm: { name: 'Ed25519' }, usages: ['verify'], extractable: true }), TypeError);
  assert.throws(() => nativeSync.verify(message, signature, web.publicKey), type('publicKey must be a Uint8Array or a KeyObject'));
  for (const api of [native, nativeSync]) {
    assert.equal(await api.verify(message, signature.slice(1), publicKey), false);
    assert.equal(await api.verify(message, plusOrder(signature), publicKey), false);
    assert.deepEqual(await api.verifyBatch([]), []);
    await assert.rejects(async () => api.verifyBatch([{ message, signature, publicKey }, { message, signature, publicKey: ORDER.slice(1) }]), RangeError);
  }
});

test('a batch of many keeps its order, and leaves the event loop its turn', async () => {
  const { publicKey, secretKey } = await lanner.newKeyPair();
  const message = utf8('message');
  const [right, wrong] = [await lanner.sign(message, secretKey), new Uint8Array(64).fill(3)];
  const items = Array.from({ length: 200 }, (_, i) => ({ message, signature: i % 3 ? right : wrong, publicKey }));
  let [turns, pending] = [0, true];
  const tick = () => pending && (turns++, setImmediate(tick));
  setImmediate(tick);
  const verdicts = await native.verifyBatch(items);
  pending = false;
  assert.deepEqual(verdicts, items.map((_, i) => i % 3 > 0));
  assert.ok(turns >= 5, `${turns} turns`);
});
