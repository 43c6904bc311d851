// What is given to a function is the caller's: it may be overwritten when the call has returned, and changed by
// another thread at any time. Every function that the package exports is abused; one that is new and unknown here
// is an error.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { entries, randomBytes, root, utf8, words } from './support.mjs';

// Every array that the package makes from here on is remembered while `watched` is one, to look for what was left of
// secrets.
let watched;
const Plain = Uint8Array;
globalThis.Uint8Array = class Uint8Array extends Plain {
  constructor(...args) {
    super(...args);
    watched?.push(this);
  }
};

// What runs whenever a module is called: the moment in which another thread would change what it shares.
let during = () => {};
let instances = 0;
const { Instance, instantiate, instantiateStreaming } = WebAssembly;
const disturbed = (instance) => {
  instances++;
  const exports = Object.fromEntries(
    Object.entries(instance.exports).map(([name, value]) => [
      name,
      typeof value != 'function'
        ? value
        : (...args) => {
            during();
            const result = value(...args);
            during();
            return result;
          },
    ]),
  );
  return { exports };
};
WebAssembly.Instance = function (...args) {
  return disturbed(new Instance(...args));
};
const later = async (promise) => {
  const result = await promise;
  return result.instance ? { ...result, instance: disturbed(result.instance) } : disturbed(result);
};
WebAssembly.instantiate = (...args) => later(instantiate(...args));
WebAssembly.instantiateStreaming = (...args) => later(instantiateStreaming(...args));

// The package keeps the clock that it finds when it is loaded: this one tells the time until a test takes its place.
const { now } = Date;
let clock = now;
Date.now = () => clock();

const api = {};
for (const [entry, source] of Object.entries(entries)) api[source] = await import(`lanner${entry.slice(1)}`);
const { index: lanner, keys, more, 'fn-dsa': fndsa } = api;

// Data: two of each, one to be given and one to replace it.
const next = words(71);
const bytes = (length) => Plain.from(randomBytes(next, length));
const seeds = [bytes(32), bytes(32)];
const pairs = [await lanner.keyPairFromSeed(seeds[0]), await lanner.keyPairFromSeed(seeds[1])];
const contexts = [utf8('context'), utf8('another')];
/** Long enough that the event loop has its turn, several times. */
const messages = [bytes(2_000_000), bytes(2_000_000)];
const short = [bytes(100), bytes(100)];
const both = async (make) => [await make(0), await make(1)];
const fnDsaPairs = {};
const schemesOf = (module) => Object.entries(module).filter(([, value]) => value.lengths);
for (const [name, scheme] of schemesOf(fndsa)) {
  const like = name.replace(/(falcon\d+).*/, '$1');
  fnDsaPairs[name] = fnDsaPairs[like] ?? (await both((i) => scheme.keyPairFromSeed(seeds[i])));
}
const x25519 = await both((i) => api.x25519.keyPairFromSecretKey(seeds[i]));
const rules = [{ profile: 'strict' }, { profile: 'dalek' }];
const clone = (value) =>
  value instanceof Plain
    ? new Plain(value)
    : Array.isArray(value)
      ? value.map(clone)
      : value && typeof value == 'object' && Object.getPrototypeOf(value) == Object.prototype
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clone(member)]))
        : value;

/**
 * How a function is called: `given` makes the arguments, for 0 the right ones and for 1 others of the same shape, and
 * `right` tells whether a result is that of the former. `secrets` are those among them.
 */
const equals = (expected) => (result) => {
  assert.deepEqual(clone(result), clone(expected));
};
const call = (given, right, secrets = []) => ({ given, right, secrets });

async function ed25519(functions) {
  const signed = await both((i) => lanner.sign(messages[i], pairs[i].secretKey));
  const claim = (i) => [messages[i], signed[i], pairs[i].publicKey, rules[i]];
  const items = (i) => [
    { message: messages[i], signature: signed[i], publicKey: pairs[i].publicKey },
    { message: short[i], signature: signed[i], publicKey: pairs[i].publicKey },
  ];
  const signer = await lanner.createSigner(pairs[0].secretKey);
  const all = {
    sign: call((i) => [messages[i], pairs[i].secretKey], equals(signed[0]), [pairs[0].secretKey]),
    signChecked: call((i) => [messages[i], pairs[i].secretKey], equals(signed[0]), [pairs[0].secretKey]),
    verify: call(claim, equals(true)),
    verifyBatch: call((i) => [items(i), rules[i]], equals([true, false])),
    newKeyPair: call(() => [], async (pair) =>
      equals(pair)(await lanner.keyPairFromSecretKey(pair.secretKey))),
    keyPairFromSeed: call((i) => [seeds[i]], equals(pairs[0]), [seeds[0]]),
    keyPairFromSecretKey: call((i) => [pairs[i].secretKey], equals(pairs[0]), [pairs[0].secretKey]),
    createSigner: call((i) => [pairs[i].secretKey], async (made) => {
      equals(signer.publicKey)(made.publicKey);
      equals(signed[0])(await made.sign(messages[0]));
      equals(signed[0])(await made.signChecked(messages[0]));
      // What was signed for when the key was wiped is signed all the same.
      const pending = [made.sign(messages[0]), made.signChecked(messages[0])];
      made.wipe();
      for (const signature of await Promise.all(pending)) equals(signed[0])(signature);
      for (const again of ['sign', 'signChecked']) await assert.rejects(async () => made[again](messages[0]), /wiped/);
    }, [pairs[0].secretKey]),
  };
  return Object.fromEntries(functions.map((name) => [name, all[name]]));
}

const FUNCTIONS = ['sign', 'signChecked', 'verify', 'verifyBatch', 'newKeyPair', 'keyPairFromSeed', 'keyPairFromSecretKey', 'createSigner'];
const FN_DSA = ['newKeyPair', 'keyPairFromSeed', 'keyPairFromSecretKey', 'sign', 'signChecked', 'createSigner', 'verify', 'verifyBatch'];
const FN_DSA_STREAMS = [...FN_DSA, 'signStream', 'verifyStream'];
const ready = call(() => [], equals(undefined));
const wasm = async (name) => {
  const { readFileSync } = await import('node:fs');
  const { createRequire } = await import('node:module');
  return Plain.from(readFileSync(createRequire(import.meta.url).resolve(`lanner/wasm/${name}.wasm`)));
};
const load = async (name) => {
  const file = await wasm(name);
  return call((i) => [i ? new Plain(file.length) : file], async (made) =>
    equals(pairs[0])(await made.keyPairFromSeed(seeds[0])));
};

async function streams() {
  const options = (i) => ({ context: contexts[i], ...rules[i] });
  const key = (i) => pairs[i].secretKey;
  const pure = await both((i) => lanner.sign(messages[i], key(i)));
  const bound = await both((i) => more.signWithContext(messages[i], key(i), contexts[i]));
  const hashed = await both((i) => more.signPrehashed(messages[i], key(i), { context: contexts[i] }));
  const parts = (i) => [messages[i].subarray(0, 1_000_000), messages[i].subarray(1_000_000)];
  const secrets = [pairs[0].secretKey];
  return {
    signWithContext: call((i) => [messages[i], key(i), contexts[i]], equals(bound[0]), secrets),
    verifyWithContext: call((i) => [messages[i], bound[i], pairs[i].publicKey, contexts[i], rules[i]], equals(true)),
    signPrehashed: call((i) => [messages[i], key(i), { context: contexts[i] }], equals(hashed[0]), secrets),
    signPrehashedChecked: call((i) => [parts(i), key(i), { context: contexts[i] }], equals(hashed[0]), secrets),
    signChecked: call((i) => [messages[i], key(i), { context: contexts[i] }], equals(bound[0]), secrets),
    verifyPrehashed: call((i) => [parts(i), hashed[i], pairs[i].publicKey, options(i)], equals(true)),
    signStream: call((i) => [() => messages[0], key(i)], equals(pure[0]), secrets),
    createVerifier: call((i) => [pure[i], pairs[i].publicKey, rules[i]], (verifier) => {
      verifier.update(messages[0]);
      assert.equal(verifier.verify(), true);
    }),
    verifyStream: call((i) => [messages[i], pure[i], pairs[i].publicKey, rules[i]], equals(true)),
    createSigner: call((i) => [key(i)], async (made) => {
      equals(pairs[0].publicKey)(made.publicKey);
      const given = [messages[0], { context: contexts[0] }].map(clone);
      const pending = [made.sign(...given), made.signPrehashed(...given), made.signStream(() => messages[0], given[1]), made.signChecked(...given)];
      overwrite(given, [messages[1], { context: contexts[1] }]);
      made.wipe();
      const [ctx, ph, stream, checked] = await Promise.all(pending);
      equals(bound[0])(ctx);
      equals(bound[0])(checked);
      equals(hashed[0])(ph);
      equals(bound[0])(stream);
      for (const again of [() => made.sign(messages[0]), () => made.signChecked(messages[0]), () => made.signPrehashed(messages[0]), () => made.signStream(() => messages[0])])
        await assert.rejects(again, /^TypeError: signer has been wiped$/);
    }, secrets),
  };
}

/** The schemes of an entry, with the functions of `members`. */
async function fnDsa(source, members = FN_DSA) {
  const all = {};
  for (const [name, scheme] of schemesOf(api[source])) {
    const pair = fnDsaPairs[name];
    const falcon = name.startsWith('falcon');
    const options = (i) => (falcon ? {} : { context: contexts[i] });
    const halves = (i) => [messages[i].subarray(0, 500_000), messages[i].subarray(500_000)];
    // The context is in the signature, and so is a hash: another one would not be valid.
    const valid = async (signature) =>
      assert.equal(await scheme.verify(messages[0], signature, pair[0].publicKey, options(0)), true);
    const signatures = await both((i) => fndsa[name].sign(messages[i], pair[i].secretKey, options(i)));
    const secrets = [pair[0].secretKey];
    const items = (i) => [
      { message: messages[i], signature: signatures[i], publicKey: pair[i].publicKey },
      { message: short[i], signature: signatures[i], publicKey: pair[i].publicKey },
    ];
    const each = {
      [`${name}.newKeyPair`]: call(() => [], async (made) =>
        equals(made)(await scheme.keyPairFromSecretKey(made.secretKey))),
      [`${name}.keyPairFromSeed`]: call((i) => [seeds[i]], equals(pair[0]), [seeds[0]]),
      [`${name}.keyPairFromSecretKey`]: call((i) => [pair[i].secretKey], equals(pair[0]), secrets),
      [`${name}.sign`]: call((i) => [messages[i], pair[i].secretKey, options(i)], valid, secrets),
      [`${name}.signChecked`]: call((i) => [messages[i], pair[i].secretKey, options(i)], valid, secrets),
      [`${name}.createSigner`]: call((i) => [pair[i].secretKey], async (made) => {
        equals(pair[0].publicKey)(made.publicKey);
        const given = [messages[0], options(0)].map(clone);
        const pending = [made.sign(...given), made.signChecked(...given)];
        overwrite(given, [messages[1], options(1)]);
        made.wipe();
        for (const signature of await Promise.all(pending)) await valid(signature);
        for (const again of ['sign', 'signChecked']) await assert.rejects(async () => made[again](messages[0]), /wiped/);
        if (!members.includes('signStream')) return;
        const other = await scheme.createSigner(pair[0].secretKey);
        const parts = [halves(0), options(0)].map(clone);
        const streamed = other.signStream(...parts);
        overwrite(parts, [halves(1), options(1)]);
        other.wipe();
        await valid(await streamed);
        await assert.rejects(other.signStream(messages[0]), /^TypeError: signer has been wiped$/);
      }, secrets),
      [`${name}.signStream`]: call((i) => [halves(i), pair[i].secretKey, options(i)], valid, secrets),
      [`${name}.verifyStream`]: call((i) => [halves(i), signatures[i], pair[i].publicKey, options(i)], equals(true)),
      [`${name}.verify`]: call((i) => [messages[i], signatures[i], pair[i].publicKey, options(i)], equals(true)),
      [`${name}.verifyBatch`]: call((i) => [items(i), options(i)], equals([true, false])),
    };
    for (const member of members) all[`${name}.${member}`] = each[`${name}.${member}`];
  }
  return all;
}

/** Ed25519 and FN-DSA in one. What is derived from the secret keys is looked for in hybrid.test.mjs. */
async function hybrid() {
  const all = {};
  for (const [name, scheme] of schemesOf(api.hybrid)) {
    const pair = await both((i) => scheme.keyPairFromSeed(seeds[i]));
    const options = (i) => ({ context: contexts[i] });
    const halves = (i) => [messages[i].subarray(0, 500_000), messages[i].subarray(500_000)];
    const valid = async (signature) =>
      assert.equal(await scheme.verify(messages[0], signature, pair[0].publicKey, options(0)), true);
    const signatures = await both((i) => scheme.sign(messages[i], seeds[i], options(i)));
    const items = (i) => [
      { message: messages[i], signature: signatures[i], publicKey: pair[i].publicKey },
      { message: short[i], signature: signatures[i], publicKey: pair[i].publicKey },
    ];
    const secrets = [seeds[0]];
    Object.assign(all, {
      [`${name}.newKeyPair`]: call(() => [], async (made) =>
        equals(made)(await scheme.keyPairFromSecretKey(made.secretKey))),
      [`${name}.keyPairFromSeed`]: call((i) => [seeds[i]], equals(pair[0]), secrets),
      [`${name}.keyPairFromSecretKey`]: call((i) => [seeds[i]], equals(pair[0]), secrets),
      [`${name}.sign`]: call((i) => [messages[i], seeds[i], options(i)], valid, secrets),
      [`${name}.signChecked`]: call((i) => [messages[i], seeds[i], options(i)], valid, secrets),
      [`${name}.signStream`]: call((i) => [halves(i), seeds[i], options(i)], valid, secrets),
      [`${name}.createSigner`]: call((i) => [seeds[i]], async (made) => {
        equals(pair[0].publicKey)(made.publicKey);
        const given = [messages[0], options(0)].map(clone);
        const parts = [halves(0), options(0)].map(clone);
        const pending = [made.sign(...given), made.signStream(...parts), made.signChecked(...given)];
        overwrite(given, [messages[1], options(1)]);
        overwrite(parts, [halves(1), options(1)]);
        made.wipe();
        for (const signature of await Promise.all(pending)) await valid(signature);
        for (const again of [() => made.sign(messages[0]), () => made.signChecked(messages[0]), () => made.signStream(messages[0])])
          await assert.rejects(again, /^TypeError: signer has been wiped$/);
      }, secrets),
      [`${name}.verify`]: call((i) => [messages[i], signatures[i], pair[i].publicKey, options(i)], equals(true)),
      [`${name}.verifyBatch`]: call((i) => [items(i), options(i)], equals([true, false])),
      [`${name}.verifyStream`]: call((i) => [halves(i), signatures[i], pair[i].publicKey, options(i)], equals(true)),
    });
  }
  return all;
}

async function formats() {
  const der = seeds.map((seed) => keys.toPkcs8(seed));
  // Version 2, with the public key in it.
  const second = seeds.map((seed, i) =>
    Plain.of(0x30, 0x51, 2, 1, 1, ...keys.toPkcs8(seed).subarray(5), 0x81, 0x21, 0, ...pairs[i].publicKey));
  const read = (i) => ({ curve: 'Ed25519', secret: seeds[i], publicKey: pairs[i].publicKey });
  const jwk = await both((i) => keys.privateToJwk(seeds[i]));
  const text = keys.toPem(der[0], 'PRIVATE KEY');
  const spki = pairs.map(({ publicKey }) => keys.toSpki(publicKey));
  const { d, ...open } = jwk[0];
  assert.ok(d);
  const [open0, secret0] = [await keys.publicToCryptoKey(pairs[0].publicKey), await keys.privateToCryptoKey(seeds[0], 'Ed25519', { extractable: true })];
  const agreed = await both(async (i) => api.x25519.keyPairFromSecretKey(await keys.secretKeyFromEd25519(pairs[i].secretKey)));
  return {
    toHex: call((i) => [seeds[i]], equals(Buffer.from(seeds[0]).toString('hex'))),
    fromHex: call(() => [Buffer.from(seeds[0]).toString('hex')], equals(seeds[0])),
    toBase64: call((i) => [seeds[i]], equals(Buffer.from(seeds[0]).toString('base64'))),
    fromBase64: call(() => [Buffer.from(seeds[0]).toString('base64')], equals(seeds[0])),
    toBase64Url: call((i) => [seeds[i]], equals(Buffer.from(seeds[0]).toString('base64url'))),
    fromBase64Url: call(() => [Buffer.from(seeds[0]).toString('base64url')], equals(seeds[0])),
    toSpki: call((i) => [pairs[i].publicKey], equals(spki[0])),
    fromSpki: call((i) => [spki[i]], equals({ curve: 'Ed25519', publicKey: pairs[0].publicKey })),
    toPkcs8: call((i) => [seeds[i]], equals(der[0]), [seeds[0]]),
    fromPkcs8: call((i) => [second[i]], equals(read(0)), [seeds[0]]),
    publicToJwk: call((i) => [pairs[i].publicKey], equals(open)),
    privateToJwk: call((i) => [seeds[i]], equals(jwk[0]), [seeds[0]]),
    publicFromJwk: call((i) => [{ ...jwk[i] }], equals({ curve: 'Ed25519', publicKey: pairs[0].publicKey })),
    privateFromJwk: call((i) => [{ ...jwk[i] }], equals(read(0)), [seeds[0]]),
    toPem: call((i) => [der[i], 'PRIVATE KEY'], equals(text)),
    fromPem: call(() => [text], equals({ label: 'PRIVATE KEY', der: der[0] })),
    fromSecretKey: call((i) => [pairs[i].secretKey], equals(read(0)), [pairs[0].secretKey]),
    toSecretKey: call((i) => [seeds[i]], equals(pairs[0].secretKey), [seeds[0]]),
    publicKeyFromEd25519: call((i) => [pairs[i].publicKey], equals(agreed[0].publicKey)),
    secretKeyFromEd25519: call((i) => [pairs[i].secretKey], equals(agreed[0].secretKey), [pairs[0].secretKey]),
    publicToCryptoKey: call((i) => [pairs[i].publicKey], async (key) => equals(pairs[0].publicKey)((await keys.publicFromCryptoKey(key)).publicKey)),
    privateToCryptoKey: call((i) => [seeds[i], 'Ed25519', { extractable: true }], async (key) => equals(read(0))(await keys.privateFromCryptoKey(key)), [seeds[0]]),
    publicFromCryptoKey: call(() => [open0], equals({ curve: 'Ed25519', publicKey: pairs[0].publicKey })),
    privateFromCryptoKey: call(() => [secret0], equals(read(0))),
  };
}

async function schemeFiles() {
  const { falcon512 } = fndsa;
  const pair = fnDsaPairs.falcon512;
  const { toPkcs8, toSpki } = api['fn-dsa-keys'];
  const der = await both((i) => toPkcs8(pair[i].secretKey, falcon512));
  const spki = await both((i) => toSpki(pair[i].publicKey, falcon512));
  const secrets = [pair[0].secretKey];
  return {
    toPkcs8: call((i) => [pair[i].secretKey, falcon512], equals(der[0]), secrets),
    fromPkcs8: call((i) => [der[i], falcon512], equals(pair[0]), secrets),
    toSpki: call((i) => [pair[i].publicKey, falcon512], equals(spki[0])),
    fromSpki: call((i) => [spki[i], falcon512], equals(pair[0].publicKey)),
  };
}

/** Keys of the engine do not change, and have nothing that can be read or overwritten. */
async function native(source) {
  const isSync = source == 'native-sync';
  const signed = await both((i) => lanner.sign(messages[i], pairs[i].secretKey));
  const own = await both(async (i) => {
    const der = keys.toPkcs8(seeds[i]);
    return isSync ? createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' }) : keys.privateToCryptoKey(seeds[i]);
  });
  const all = await ed25519(['verify', 'verifyBatch']);
  return {
    ...all,
    sign: call((i) => [messages[i], own[0]], equals(signed[0])),
    isNative: call(() => [], equals(true)),
    ...(isSync && { ready }),
  };
}

async function tweetnacl() {
  const signature = await both((i) => lanner.sign(messages[i], pairs[i].secretKey));
  const signed = [0, 1].map((i) => Plain.from(Buffer.concat([signature[i], messages[i]])));
  const shared = api.tweetnacl.scalarMult(seeds[0], x25519[1].publicKey);
  const nacl = {
    sign: call((i) => [messages[i], pairs[i].secretKey], equals(signed[0]), [pairs[0].secretKey]),
    'sign.open': call((i) => [signed[i], pairs[i].publicKey], equals(messages[0])),
    'sign.detached': call((i) => [messages[i], pairs[i].secretKey], equals(signature[0]), [pairs[0].secretKey]),
    'sign.detached.verify': call((i) => [messages[i], signature[i], pairs[i].publicKey], equals(true)),
    'sign.keyPair': call(() => [], (pair) =>
      equals(pair)(api.tweetnacl.sign.keyPair.fromSecretKey(pair.secretKey))),
    'sign.keyPair.fromSecretKey': call((i) => [pairs[i].secretKey], equals(pairs[0]), [pairs[0].secretKey]),
    'sign.keyPair.fromSeed': call((i) => [seeds[i]], equals(pairs[0]), [seeds[0]]),
    scalarMult: call((i) => [seeds[i], x25519[1].publicKey], equals(shared), [seeds[0]]),
    'scalarMult.base': call((i) => [seeds[i]], equals(x25519[0].publicKey), [seeds[0]]),
    randomBytes: call(() => [70000], (random) => assert.equal(random.length, 70000)),
    verify: call(() => [seeds[0], seeds[0]], equals(true)),
    ready,
  };
  return { ...nacl, ...Object.fromEntries(Object.entries(nacl).map(([name, one]) => [`default.${name}`, one])) };
}

const shared = await both(async (i) => {
  // One's own key is another in each case, and so is the other's.
  return api.x25519.sharedSecret(seeds[i], x25519[1 - i].publicKey);
});
const agreement = {
  newKeyPair: call(() => [], async (pair) =>
    equals(pair)(await api.x25519.keyPairFromSecretKey(pair.secretKey))),
  keyPairFromSecretKey: call((i) => [seeds[i]], equals(x25519[0]), [seeds[0]]),
  sharedSecret: call((i) => [seeds[i], x25519[1 - i].publicKey], equals(shared[0]), [seeds[0]]),
};
/** Ristretto255 and hashing to the curves. What is given may be a secret of the protocol, whichever it is. */
async function ristretto() {
  const group = api.ristretto;
  const scalars = [bytes(32), bytes(32)];
  const wide = [bytes(64), bytes(64)];
  const elements = await both((i) => group.elementFromHash(wide[i]));
  const terms = (i) => Array.from({ length: 200 }, (_, j) => ({ scalar: scalars[(i + j) % 2], element: elements[(i + j * j) % 2] }));
  const hashes = ['Ristretto255', 'Edwards25519', 'Curve25519', 'Scalar'].map((name) => `hashTo${name}`);
  const all = {
    isElement: call((i) => [i ? seeds[0] : elements[0]], equals(true)),
    equals: call((i) => [elements[i], elements[0]], equals(true)),
    isScalar: call((i) => [new Plain(32).fill(i ? 255 : 0)], equals(true)),
    newElement: call(() => [], async (made) => assert.ok(await group.isElement(made))),
    newScalar: call(() => [], async (made) => assert.ok(await group.isScalar(made))),
  };
  const add = async (name, given, secrets) => {
    all[name] = call(given, equals(await group[name](...given(0))), secrets);
  };
  for (const name of ['add', 'subtract']) await add(name, (i) => [elements[i], elements[1 - i]], [elements[0]]);
  await add('negate', (i) => [elements[i]], [elements[0]]);
  await add('multiply', (i) => [scalars[i], elements[i]], [scalars[0]]);
  await add('multiplyBase', (i) => [scalars[i]], [scalars[0]]);
  await add('multiscalar', (i) => [terms(i)]);
  await add('elementFromHash', (i) => [wide[i]], [wide[0]]);
  await add('reduceScalar', (i) => [wide[i]], [wide[0]]);
  for (const name of ['addScalars', 'subtractScalars', 'multiplyScalars']) await add(name, (i) => [scalars[i], scalars[1 - i]], [scalars[0]]);
  for (const name of ['negateScalar', 'invertScalar']) await add(name, (i) => [scalars[i]], [scalars[0]]);
  for (const name of [...hashes, 'encodeToEdwards25519', 'encodeToCurve25519']) await add(name, (i) => [short[i], contexts[i]], [short[0]]);
  return all;
}

const loadFnDsa = async () => {
  const file = await wasm('fn-dsa');
  return call((i) => [i ? new Plain(file.length) : file], async (made) =>
    equals(fnDsaPairs.falcon512[0])(await made.falcon512.keyPairFromSeed(seeds[0])));
};
const table = {
  index: await ed25519(FUNCTIONS),
  compat: await ed25519(FUNCTIONS),
  fast: await ed25519(FUNCTIONS),
  sync: { ...(await ed25519(FUNCTIONS)), ready },
  verify: await ed25519(['verify', 'verifyBatch']),
  streaming: { ...(await ed25519(FUNCTIONS)), load: await load('small') },
  'streaming-fast': { ...(await ed25519(FUNCTIONS)), load: await load('fast') },
  more: await streams(),
  'more-fast': await streams(),
  x25519: agreement,
  'x25519-sync': { ...agreement, ready },
  ristretto: await ristretto(),
  'ristretto-sync': { ...(await ristretto()), ready },
  'fn-dsa': await fnDsa('fn-dsa', FN_DSA_STREAMS),
  'fn-dsa-sync': { ...(await fnDsa('fn-dsa-sync')), ready },
  'fn-dsa-verify': await fnDsa('fn-dsa-verify', ['verify', 'verifyBatch', 'verifyStream']),
  'fn-dsa-streaming': { ...(await fnDsa('fn-dsa-streaming', FN_DSA_STREAMS)), load: await loadFnDsa() },
  'fn-dsa-keys': await schemeFiles(),
  hybrid: await hybrid(),
  keys: await formats(),
  native: await native('native'),
  'native-sync': await native('native-sync'),
  tweetnacl: await tweetnacl(),
};

/** The functions of a module, by the path to each. */
function* functions(module, path = '', seen = new Set()) {
  for (const [name, value] of Object.entries(module)) {
    // `setPRNG` takes nothing over: it throws.
    if (['module.exports', 'setPRNG'].includes(name) || !value || !['object', 'function'].includes(typeof value)) continue;
    const at = path ? `${path}.${name}` : name;
    if (typeof value == 'function') yield [at, value];
    if (value instanceof Plain || seen.has(value)) continue;
    yield* functions(value, at, new Set(seen).add(value));
  }
}

/** Puts other octets, numbers and words in the place of what was given, wherever that can be reached. */
function overwrite(value, by) {
  for (const name of Object.keys(value)) {
    const [old, other] = [value[name], by?.[name]];
    if (old instanceof Plain) {
      if (other instanceof Plain && other.length == old.length) old.set(other);
      else old.fill(0);
    } else if (old && typeof old == 'object') overwrite(old, other);
    else if (typeof old != 'function') value[name] = other;
  }
}

/** The arguments on memory that threads share, and what changes them. */
const share = (value, by) => {
  const changes = [];
  const shared = (one, other) => {
    if (one instanceof Plain) {
      const view = new Plain(new SharedArrayBuffer(one.length));
      view.set(one);
      const replaced = other instanceof Plain && other.length == one.length ? other : new Plain(one.length);
      changes.push((changed) => view.set(changed ? replaced : one));
      return view;
    }
    if (Array.isArray(one)) return one.map((member, i) => shared(member, other?.[i]));
    if (one && typeof one == 'object' && Object.getPrototypeOf(one) == Object.prototype)
      return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, shared(member, other?.[name])]));
    return one;
  };
  return [shared(value, by), (changed) => changes.forEach((change) => change(changed))];
};

const cases = [];
test('every function of every entry is known here, and no other', () => {
  for (const [source, module] of Object.entries(api)) {
    const found = [...functions(module)];
    assert.deepEqual(found.map(([name]) => name).sort(), Object.keys(table[source] ?? {}).sort(), source);
    for (const [name, run] of found) cases.push({ name: `${source}: ${name}`, run, ...table[source][name] });
  }
  assert.ok(cases.length > 140, `${cases.length} functions`);
});

const promises = (value) => typeof value?.then == 'function';

test('an argument that is left out is an error, whichever it is', async () => {
  /** What may be left out: options, and the curve of a key. */
  const optional = (value) => value === 'Ed25519' || (Object.getPrototypeOf(value) == Object.prototype && !value.kty);
  let count = 0;
  for (const { name, run, given } of cases)
    for (const [i, value] of given(0).entries()) {
      if (optional(value)) continue;
      for (const none of [undefined, null]) {
        const args = given(0);
        args[i] = none;
        await assert.rejects(async () => run(...args), (error) => /^(TypeError|RangeError)$/.test(error.name) || assert.fail(error), `${name}: argument ${i} ${none}`);
        count++;
      }
    }
  assert.ok(count > 300, `${count} calls`);
});

test('a context that is left out is an error where there must be one', async () => {
  for (const { signWithContext, verifyWithContext } of [more, api['more-fast']])
    for (const call of [() => signWithContext(short[0], pairs[0].secretKey), () => verifyWithContext(short[0], new Plain(64), pairs[0].publicKey)])
      await assert.rejects(call, { name: 'TypeError', message: 'context must be a Uint8Array' });
});

test('arguments may be overwritten as soon as a function has returned', async () => {
  let asynchronous = 0;
  for (const { name, run, given, right } of cases)
    for (const way of ['others', 'zeros', 'restored']) {
      const args = clone(given(0));
      // Forged when the call is made, and right when the answer comes.
      if (way == 'restored') overwrite(args, given(1).map((one, i) => (i ? one : undefined)));
      const mixed = clone(args);
      let result;
      try {
        result = run(...args);
      } catch (error) {
        assert.ok(way == 'restored', `${name}: ${error.stack}`);
        continue;
      }
      if (!promises(result)) {
        if (way != 'restored') await right(result);
        continue;
      }
      asynchronous++;
      overwrite(args, way == 'others' ? given(1) : way == 'zeros' ? undefined : given(0));
      const outcome = await result.then((value) => ({ value }), (error) => ({ error }));
      if (way != 'restored') {
        assert.ok(!outcome.error, `${name}: ${outcome.error?.stack}`);
        await assert.doesNotReject(async () => right(outcome.value), `${name}, ${way}`);
        continue;
      }
      // Neither this nor the same without touching it is what it would be for the right arguments.
      const untouched = await run(...mixed).then((value) => ({ value }), (error) => ({ error }));
      assert.equal(outcome.error?.message, untouched.error?.message, name);
      if (typeof untouched.value == 'boolean' || Array.isArray(untouched.value))
        assert.deepEqual(outcome.value, untouched.value, name);
    }
  assert.ok(asynchronous > 250, `${asynchronous} promises`);
});

test('memory that another thread changes: what was checked is what is used', async () => {
  for (const { name, run, given, right } of cases) {
    const [args, change] = share(clone(given(0)), given(1));
    // Each of the first times that the module is called, and then now and again.
    let count = 0;
    during = () => {
      if (count++ < 40 || count % 99 < 2) change(count % 2 == 1);
    };
    let outcome;
    try {
      outcome = await (async () => run(...args))().then((value) => ({ value }), (error) => ({ error }));
    } finally {
      during = () => {};
    }
    // `load` is handed octets, which WebAssembly takes from no memory that is shared.
    assert.ok(!outcome.error, `${name}: ${outcome.error?.stack}`);
    await assert.doesNotReject(async () => right(outcome.value), name);
  }
});

/** Whether 16 octets in a row of a secret lie in one of these arrays: any, or every eighth of a long array, where a message lies. */
const leftIn = (arrays, secret) =>
  arrays.filter((array) => {
    // None where it has been handed over.
    if (!array.length) return false;
    const octets = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i + 16 <= secret.length; i += octets.length > 100_000 ? 128 : 16)
      if (octets.includes(secret.subarray(i, i + 16))) return true;
    return false;
  });

/** All arrays within a value. */
function* arraysOf(value) {
  if (value instanceof Plain) yield value.buffer;
  else if (value && typeof value == 'object') for (const one of Object.values(value)) yield* arraysOf(one);
}

test('copies of secrets are overwritten, whether a call succeeds or fails', async () => {
  let looked = 0;
  for (const { name, run, given, secrets } of cases) {
    if (!secrets.length) continue;
    for (const way of ['right', 'short', 'refused']) {
      const args = clone(given(0));
      // Another length than the secret must have; and a public half that is not its own.
      const changed = args.findIndex((one) => one instanceof Plain && secrets.some((secret) => secret[0] == one[0] && secret[5] == one[5]));
      if (changed < 0) continue;
      if (way == 'short') args[changed] = args[changed].slice(0, -1);
      if (way == 'refused') args[changed][args[changed].length - 1] ^= 1;
      // What is behind the seed is public, and so is the hash of the public key at the end of keys of `…draft2026`.
      const { length } = args[changed];
      const hidden = args[changed].slice(0, [63, 64].includes(length) ? 32 : name.includes('draft2026') && length > 64 ? length - 64 : undefined);
      watched = [];
      const value = await (async () => run(...args))().catch(() => undefined);
      const arrays = watched;
      watched = undefined;
      const [own, out] = [new Set(arraysOf(args)), new Set(arraysOf(value))];
      const suspects = arrays.filter(({ buffer }) => !own.has(buffer) && !out.has(buffer));
      // A signer keeps its key until it is wiped.
      if (typeof value?.wipe == 'function') value.wipe();
      const left = leftIn(suspects, hidden);
      assert.equal(left.length, 0, `${name}, ${way}: ${left.length} arrays of ${left.map(({ length }) => length)}`);
      looked += arrays.length;
    }
  }
  assert.ok(looked > 500, `${looked} arrays were looked at`);
  // The search finds what is there.
  watched = [];
  const kept = new Uint8Array(pairs[0].secretKey);
  assert.deepEqual(leftIn(watched, pairs[0].secretKey), [kept]);
  watched = undefined;
});

test('what the text of a secret says is overwritten where it is refused', async () => {
  const { x, d } = await keys.privateToJwk(seeds[0]);
  const last = d.charCodeAt(d.length - 1);
  // Bits behind the last byte; more bytes; another's public key, and none.
  const bad = [
    [{ d: d.slice(0, -1) + String.fromCharCode(last + 1) }, /not canonical/], [{ d: d + 'AAAA' }, /must have 32 bytes, not 35/],
    [{ x: keys.toBase64Url(pairs[1].publicKey) }, /not that of the secret/], [{ x: d.slice(1) }, /x/], [{ crv: 'X25519' }, /not that of the secret/],
  ];
  for (const [changed, words] of bad) {
    watched = [];
    await assert.rejects(keys.privateFromJwk({ kty: 'OKP', crv: 'Ed25519', x, d, ...changed }), words);
    const arrays = watched;
    watched = undefined;
    assert.deepEqual(leftIn(arrays, seeds[0]), [], JSON.stringify(changed));
  }
  // The same of its encodings.
  for (const [read, text] of [[keys.fromBase64, Buffer.from(seeds[0]).toString('base64')], [keys.fromBase64Url, d]]) {
    const at = d.length - 1;
    watched = [];
    const made = read(text);
    assert.deepEqual([...new Set(leftIn(watched, seeds[0]).map(({ buffer }) => buffer))], [made.buffer]);
    watched = [];
    assert.throws(() => read(text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) + 1) + text.slice(at + 1)), /not canonical/);
    const arrays = watched;
    watched = undefined;
    assert.deepEqual(leftIn(arrays, seeds[0]), []);
  }
});

test('copies of secrets are overwritten when no module can be loaded', () => {
  // In a process of its own, where nothing has been loaded.
  const calls = cases
    .filter(({ secrets }) => secrets.length)
    .map(({ name, given, secrets }) => {
      const [source, path] = name.split(': ');
      const entry = Object.keys(entries).find((one) => entries[one] == source);
      const args = given(0).map((one) =>
        typeof one == 'function' ? [] : one instanceof Plain ? [...one.subarray(0, 5000)] : Array.isArray(one) ? 'pieces' : one.lengths ? { scheme: one.name } : one.kty ? one : {},
      );
      return { name, entry: `lanner${entry.slice(1)}`, path, args, secret: [...secrets[0].subarray(0, 32)] };
    });
  const code = `
    import { readFileSync } from 'node:fs';
    const calls = JSON.parse(readFileSync(0, 'utf8'));
    const Plain = Uint8Array;
    let watched = [];
    globalThis.Uint8Array = class Uint8Array extends Plain {
      constructor(...args) { super(...args); watched.push(this); }
    };
    process.on('unhandledRejection', () => {});
    WebAssembly.Module = WebAssembly.Instance = function () { throw new WebAssembly.CompileError('no'); };
    WebAssembly.instantiate = WebAssembly.instantiateStreaming = async () => { throw new WebAssembly.CompileError('no'); };
    const outcome = [];
    for (const { name, entry, path, args, secret } of calls) {
      const run = path.split('.').reduce((value, member) => value[member], await import(entry));
      const schemes = await import('lanner/fn-dsa');
      const given = args.map((one) => (one.scheme ? schemes[one.scheme] : one == 'pieces' ? [] : Array.isArray(one) ? (one.length ? Plain.from(one) : () => []) : one));
      watched = [];
      const failed = await (async () => run(...given))().then(() => false, (error) => /cannot load/.test(error.message));
      const left = watched.filter((array) => array.length && Buffer.from(array.buffer, array.byteOffset, array.byteLength).includes(Plain.from(secret))).length;
      outcome.push([name, failed, left, watched.length]);
    }
    console.log(JSON.stringify(outcome));`;
  const outcome = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: join(root, 'test'), encoding: 'utf8', input: JSON.stringify(calls), maxBuffer: 1e8,
    }),
  );
  let copies = 0;
  for (const [name, failed, left, count] of outcome) {
    // What needs no module fails at nothing.
    if (['keys: toPkcs8', 'keys: privateToCryptoKey'].includes(name)) continue;
    assert.equal(failed, true, name);
    assert.equal(left, 0, `${name}: ${left} copies are left`);
    copies += count;
  }
  assert.ok(outcome.length > 60 && copies >= outcome.length, `${outcome.length} calls, ${copies} copies`);
});

test('a racing thread: no signer and no key pair with a public half that is not its own', async () => {
  // The key, whose public half flickers between its own and another one.
  const memory = new SharedArrayBuffer(72);
  const flag = new Int32Array(memory, 64, 2);
  const key = new Plain(memory, 0, 64);
  key.set(pairs[0].secretKey);
  const worker = new Worker(
    `const { workerData: { memory, own, other } } = require('node:worker_threads');
     const flag = new Int32Array(memory, 64, 2);
     const half = new Uint8Array(memory, 32, 32);
     Atomics.store(flag, 1, 1);
     Atomics.notify(flag, 1);
     while (!Atomics.load(flag, 0)) {
       for (let i = 0; i < 50; i++) half.set(other);
       for (let i = 0; i < 50; i++) half.set(own);
     }`,
    { eval: true, workerData: { memory, own: pairs[0].publicKey, other: pairs[1].publicKey } },
  );
  const own = Buffer.from(pairs[0].publicKey);
  let [made, refused, foreign] = [0, 0, 0];
  const look = (publicKey) => {
    made++;
    if (!own.equals(publicKey)) foreign++;
  };
  try {
    if (!Atomics.load(flag, 1)) await Atomics.waitAsync(flag, 1, 0, 20_000).value;
    const { sync, tweetnacl } = api;
    for (let i = 0; i < 3000; i++)
      for (const attempt of [
        () => look(sync.createSigner(key).publicKey),
        () => look(sync.keyPairFromSecretKey(key).publicKey),
        () => look(tweetnacl.sign.keyPair.fromSecretKey(key).publicKey),
        async () => look((await lanner.createSigner(key)).publicKey),
        async () => look((await lanner.keyPairFromSecretKey(key)).publicKey),
      ])
        try {
          await attempt();
        } catch (error) {
          assert.match(error.message, /public half/);
          refused++;
        }
  } finally {
    Atomics.store(flag, 0, 1);
    await worker.terminate();
  }
  assert.equal(foreign, 0, `${foreign} of ${made}`);
  assert.ok(made > 100 && refused > 100, `${made} made, ${refused} refused: there was no race`);
});

/** How often the event loop came round while a promise was pending. */
const turns = async (promise) => {
  let [count, pending] = [0, true];
  const tick = () => {
    count++;
    if (pending) setImmediate(tick);
  };
  setImmediate(tick);
  const value = await promise;
  pending = false;
  return [count, value];
};

test('the event loop runs while long messages are hashed, and short ones overtake them', async () => {
  const long = new Plain(64_000_000).fill(7);
  const { publicKey, secretKey } = pairs[0];
  const expected = api.sync.sign(long, secretKey);
  for (const source of ['index', 'fast', 'compat', 'streaming']) {
    const { sign, verify, verifyBatch, createSigner } = api[source];
    const order = [];
    const [count, signature] = await turns(
      Promise.all([
        sign(long, secretKey).finally(() => order.push('long')),
        sign(short[0], secretKey).finally(() => order.push('short')),
      ]),
    );
    equals(expected)(signature[0]);
    equals(await lanner.sign(short[0], secretKey))(signature[1]);
    assert.deepEqual(order, ['short', 'long'], source);
    const signer = await createSigner(secretKey);
    const items = [{ message: long, signature: expected, publicKey }, { message: short[0], signature: expected, publicKey }];
    const rest = [
      await turns(signer.sign(long)),
      await turns(verify(long, expected, publicKey)),
      await turns(verifyBatch(items)),
    ];
    assert.deepEqual(rest.map(([, value]) => clone(value)), [clone(expected), true, [true, false]]);
    for (const [number] of [[count], ...rest]) assert.ok(number > 2, `${source}: ${number} turns`);
  }
  const { verify } = api.verify;
  const [count, valid] = await turns(verify(long, expected, publicKey));
  assert.ok(valid && count > 2, `${count} turns`);
  for (const source of ['more', 'more-fast']) {
    const [number, verdict] = await turns(api[source].verifyStream([long], expected, publicKey));
    assert.ok(verdict && number > 2, `${source}: ${number} turns`);
  }
  const scheme = fndsa.falcon512;
  const pair = fnDsaPairs.falcon512[0];
  const [signing, signature] = await turns(scheme.sign(long, pair.secretKey));
  const [verifying, accepted] = await turns(scheme.verify(long, signature, pair.publicKey));
  assert.ok(accepted && signing > 2 && verifying > 2, `${signing} and ${verifying} turns`);
});

/** A clock by which each look takes a millisecond: how long a slice of time is does not depend on the machine. */
const byLooks = async (work) => {
  let time = now();
  clock = () => time++;
  try {
    return await work();
  } finally {
    clock = now;
  }
};

test('the event loop runs while long messages are hashed where somebody has stopped the clock since', async () => {
  const { now: own } = Date;
  const stopped = own();
  Date.now = () => stopped;
  try {
    const [count] = await turns(lanner.sign(new Plain(32_000_000), pairs[0].secretKey));
    assert.ok(count > 2, `${count} turns`);
  } finally {
    Date.now = own;
  }
});

test('the event loop runs while a message comes in many pieces, which may all be there', async () => {
  const count = 3000;
  const piece = short[0].subarray(0, 20);
  const whole = Plain.from({ length: count * piece.length }, (_, i) => piece[i % piece.length]);
  const sources = {
    'an array': () => Array(count).fill(piece),
    'a generator': function* () { for (let i = 0; i < count; i++) yield piece; },
    'an asynchronous one': async function* () { for (let i = 0; i < count; i++) yield piece; },
    'a stream': () => Readable.from(sources['a generator']()),
  };
  const { publicKey, secretKey } = pairs[0];
  const [signature, hashed] = [await lanner.sign(whole, secretKey), await more.signPrehashed(whole, secretKey)];
  const [falcon, hybrid] = [fnDsaPairs.falcon512[0], await api.hybrid.hybrid512.keyPairFromSeed(seeds[0])];
  const { falcon512 } = fndsa;
  const [falconSignature, both] = [await falcon512.sign(whole, falcon.secretKey), await api.hybrid.hybrid512.sign(whole, hybrid.secretKey)];
  const calls = {
    signPrehashed: async (source) => equals(hashed)(await more.signPrehashed(source, secretKey)),
    verifyPrehashed: async (source) => assert.ok(await more.verifyPrehashed(source, hashed, publicKey)),
    verifyStream: async (source) => assert.ok(await more.verifyStream(source, signature, publicKey)),
    signStream: async (_, open) => equals(signature)(await more.signStream(open, secretKey)),
    'FN-DSA: signStream': async (source) => assert.ok(await falcon512.verify(whole, await falcon512.signStream(source, falcon.secretKey), falcon.publicKey)),
    'FN-DSA: verifyStream': async (source) => assert.ok(await falcon512.verifyStream(source, falconSignature, falcon.publicKey)),
    // What is no signature has its message read all the same.
    'FN-DSA: verifyStream, none': async (source) => assert.equal(await falcon512.verifyStream(source, short[0], falcon.publicKey), false),
    'hybrid: verifyStream': async (source) => assert.ok(await api.hybrid.hybrid512.verifyStream(source, both, hybrid.publicKey)),
  };
  for (const [kind, open] of Object.entries(sources))
    for (const [name, call] of Object.entries(calls)) {
      const [number] = await turns(byLooks(() => call(open(), open)));
      // The clock is looked at for each piece at least, and ten looks are a slice.
      assert.ok(number > count / 20, `${name}, ${kind}: ${number} turns`);
    }
  const items = Array.from({ length: 40 }, () => ({ message: whole, signature: both, publicKey: hybrid.publicKey }));
  const [number, verdicts] = await turns(byLooks(() => api.hybrid.hybrid512.verifyBatch(items)));
  assert.ok(number > 10 && verdicts.length == 40 && verdicts.every(Boolean), `hybrid: verifyBatch: ${number} turns`);
});

test('the event loop runs while short calls are made one after another', async () => {
  const { publicKey, secretKey } = pairs[0];
  const signature = await lanner.sign(short[0], secretKey);
  const calls = {
    sign: () => lanner.sign(short[0], secretKey),
    verify: () => api.verify.verify(short[0], signature, publicKey),
    native: () => api.native.verify(short[0], signature, publicKey),
    'FN-DSA': () => fndsa.falcon512.verify(short[0], signature, fnDsaPairs.falcon512[0].publicKey),
  };
  for (const [name, call] of Object.entries(calls)) {
    const [number] = await turns(byLooks(async () => { for (let i = 0; i < 200; i++) await call(); }));
    // The clock is looked at twice for each at least.
    assert.ok(number > 20, `${name}: ${number} turns`);
    // One that follows a pause does not wait; but on a busy machine its slice may be over before it is done.
    const { MessageChannel } = globalThis;
    let waited = name != 'native';
    for (let i = 0; waited && i < 20; i++) {
      await new Promise((done) => setTimeout(done, 30));
      waited = false;
      // Whoever waits does so by a message.
      globalThis.MessageChannel = class extends MessageChannel { constructor() { super(); waited = true; } };
      await call();
      globalThis.MessageChannel = MessageChannel;
    }
    assert.equal(waited, false, name);
  }
});

test('of many long calls at once, each has its slice in a round of the event loop of its own', async () => {
  const long = messages[0];
  const { publicKey, secretKey } = pairs[0];
  const [falcon, { falcon512 }] = [fnDsaPairs.falcon512[0], fndsa];
  const signature = api.sync.sign(long, secretKey);
  const falconSignature = await falcon512.sign(long, falcon.secretKey);
  const calls = {
    sign: async () => equals(signature)(await lanner.sign(long, secretKey)),
    'sign, fast': async () => equals(signature)(await api.fast.sign(long, secretKey)),
    verifyStream: async () => assert.ok(await more.verifyStream([long], signature, publicKey)),
    'FN-DSA: verify': async () => assert.ok(await falcon512.verify(long, falconSignature, falcon.publicKey)),
  };
  for (const [name, call] of Object.entries(calls)) {
    const [one] = await turns(byLooks(call));
    const [many] = await turns(byLooks(() => Promise.all(Array.from({ length: 20 }, call))));
    assert.ok(one > 1 && many > 10 * one, `${name}: ${one} turns, ${many} for 20`);
  }
  // All of them in one line.
  const [all] = await turns(byLooks(() => Promise.all(Array.from({ length: 5 }, () => Object.values(calls).map((call) => call())).flat())));
  const [last] = await turns(byLooks(calls.sign));
  assert.ok(all > 5 * last, `${all} turns, ${last} for one`);
});

test('what many calls at once need to wait for one another grows with their number, and not with its square', async () => {
  const long = messages[0].subarray(0, 100_000);
  const { secretKey } = pairs[0];
  const { MessageChannel } = globalThis;
  let work;
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      work++;
      for (const port of [this.port1, this.port2]) {
        const post = port.postMessage.bind(port);
        port.postMessage = (message) => (work++, post(message));
      }
    }
  };
  /** How many channels and messages a call takes, of so many at once. */
  const each = async (count) => {
    work = 0;
    await byLooks(() => Promise.all(Array.from({ length: count }, () => lanner.sign(long, secretKey))));
    return work / count;
  };
  try {
    const [few, many] = [await each(40), await each(240)];
    assert.ok(few > 10 && many < 2 * few, `${few} for each of 40, ${many} for each of 240`);
  } finally {
    globalThis.MessageChannel = MessageChannel;
  }
});

test('a turn that never comes, as that of a request which was cancelled, keeps no other waiting', async () => {
  const { secretKey } = pairs[0];
  const signature = api.sync.sign(messages[0], secretKey);
  const sign = async () => equals(signature)(await lanner.sign(messages[0], secretKey));
  const [before] = await turns(byLooks(sign));
  const { MessageChannel } = globalThis;
  let lost = 0;
  globalThis.MessageChannel = class {
    port1 = { close() {} };
    port2 = { postMessage: () => void lost++ };
  };
  try {
    await byLooks(async () => {
      for (let i = 0; i < 5; i++) void sign();
      while (lost < 5) await new Promise((done) => setImmediate(done));
    });
  } finally {
    globalThis.MessageChannel = MessageChannel;
  }
  await byLooks(() => Promise.all([sign(), sign(), sign()]));
  // And it is made up for.
  const [after] = await turns(byLooks(sign));
  assert.ok(before > 1 && after < 2 * before, `${before} turns, ${after} after that`);
});

test('open streams share one instance, however many there are', async () => {
  const { publicKey, secretKey } = pairs[0];
  const signature = await lanner.sign(short[0], secretKey);
  for (const source of ['more', 'more-fast']) {
    const { createVerifier, verifyStream } = api[source];
    await verifyStream([short[0]], signature, publicKey);
    const before = instances;
    const open = [];
    for (let i = 0; i < 20_000; i++) open.push(await createVerifier(signature, publicKey));
    assert.equal(instances, before);
    // All of them, piece by piece, in turns.
    const some = open.filter((_, i) => i % 100 == 0);
    for (const part of [short[0].subarray(0, 50), short[0].subarray(50)])
      for (const [i, verifier] of some.entries()) verifier.update(i % 3 ? part : part.map((byte) => byte ^ 1));
    assert.deepEqual(some.map((verifier) => verifier.verify()), some.map((_, i) => i % 3 != 0));
    assert.equal(await lanner.verify(short[0], signature, publicKey), true);
  }
});

test('what is under way at the same time does not mix', async () => {
  const lengths = [0, 1, 1000, 40_000, 700_000, 3_000_000];
  for (const source of ['index', 'fast']) {
    const { sign, verify } = api[source];
    const many = Array.from({ length: 24 }, (_, i) => randomBytes(words(i + 1), 16).reduce((message, byte, j) => (message[j] = byte, message), new Plain(lengths[i % 6] || 0)));
    const signatures = await Promise.all(many.map((message, i) => sign(message, pairs[i & 1].secretKey)));
    signatures.forEach((signature, i) => equals(api.sync.sign(many[i], pairs[i & 1].secretKey))(signature));
    const verdicts = await Promise.all(many.map((message, i) => verify(message, signatures[i], pairs[i % 3 & 1].publicKey)));
    assert.deepEqual(verdicts, many.map((_, i) => (i & 1) == (i % 3 & 1)));
  }
});
