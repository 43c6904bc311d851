// One shape across schemes: the same names, the same order of arguments, the same errors for the same mistakes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { entries, randomBytes, utf8, words } from './support.mjs';

const api = {};
for (const [entry, source] of Object.entries(entries)) api[source] = await import(`lanner${entry.slice(1)}`);

/** Everything that signs and verifies: its functions, and how long its signatures and public keys are. */
const schemes = {};
for (const source of ['index', 'fast', 'compat', 'sync', 'streaming', 'streaming-fast']) schemes[source] = api[source];
for (const source of ['fn-dsa', 'fn-dsa-sync', 'fn-dsa-streaming', 'hybrid'])
  for (const [name, scheme] of Object.entries(api[source])) if (scheme.lengths) schemes[`${source}: ${name}`] = scheme;

const message = utf8('message');
const fails = (call, expected, name) => assert.rejects(async () => call(), expected, name);

test('the same names everywhere, and no other', () => {
  const names = ['createSigner', 'keyPairFromSecretKey', 'keyPairFromSeed', 'newKeyPair', 'sign', 'signChecked', 'verify', 'verifyBatch'];
  assert.ok(Object.keys(schemes).length >= 38, `${Object.keys(schemes).length} schemes`);
  for (const [name, scheme] of Object.entries(schemes)) {
    const own = Object.keys(scheme).filter((one) => !['name', 'lengths', 'ready', 'load', 'default', 'module.exports'].includes(one));
    // Those of Ed25519 that take messages in pieces are in `lanner/more`.
    const more = /^(fn-dsa(-streaming)?|hybrid):/.test(name) ? ['signStream', 'verifyStream'] : [];
    assert.deepEqual(own.sort(), [...names, ...more].sort(), name);
  }
  for (const [source, more] of [['verify', []], ['fn-dsa-verify', ['verifyStream']]])
    for (const verifier of source == 'verify' ? [api.verify] : Object.values(api[source]))
      assert.deepEqual(Object.keys(verifier).filter((one) => !['name', 'lengths'].includes(one)).sort(), ['verify', 'verifyBatch', ...more]);
});

test('message, signature, public key: in this order everywhere, and for each mistake one error', async () => {
  for (const [name, scheme] of Object.entries(schemes)) {
    const { publicKey, secretKey } = await scheme.keyPairFromSeed(new Uint8Array(32).fill(7));
    assert.deepEqual(await scheme.keyPairFromSecretKey(secretKey), { publicKey, secretKey }, name);
    const signature = await scheme.sign(message, secretKey);
    assert.equal(await scheme.verify(message, signature, publicKey), true, name);
    assert.equal(await scheme.verify(signature, message, publicKey), false, name);
    const items = [{ message, signature, publicKey }, { message: signature, signature: message, publicKey }];
    assert.deepEqual(await scheme.verifyBatch(items), [true, false], name);
    assert.deepEqual(await scheme.verifyBatch([]), [], name);
    const signer = await scheme.createSigner(secretKey);
    assert.deepEqual(signer.publicKey, publicKey, name);
    signer.wipe();
    const [sk, pk] = [secretKey.length, publicKey.length];
    const octets = (what) => ({ name: 'TypeError', message: `${what} must be a Uint8Array` });
    const length = (what, right, wrong) => ({ name: 'RangeError', message: `${what} must have ${right} bytes, not ${wrong}` });
    const option = (what) => ({ name: 'TypeError', message: `no option ${what}` });
    for (const [call, expected] of [
      [() => scheme.sign('text', secretKey), octets('message')],
      [() => scheme.sign(message, 'text'), octets('secretKey')],
      [() => scheme.sign(message, secretKey.slice(1)), length('secretKey', sk, sk - 1)],
      [() => scheme.signChecked('text', secretKey), octets('message')],
      [() => scheme.signChecked(message, secretKey.slice(1)), length('secretKey', sk, sk - 1)],
      [() => scheme.createSigner(secretKey.slice(1)), length('secretKey', sk, sk - 1)],
      [() => scheme.keyPairFromSecretKey(secretKey.slice(1)), length('secretKey', sk, sk - 1)],
      [() => scheme.keyPairFromSeed(''), octets('seed')],
      [() => scheme.keyPairFromSeed(), octets('seed')],
      [() => scheme.keyPairFromSeed(new Uint8Array(31)), length('seed', 32, 31)],
      [() => scheme.verify('text', signature, publicKey), octets('message')],
      [() => scheme.verify(message, 'text', publicKey), octets('signature')],
      [() => scheme.verify(message, signature, 'text'), octets('publicKey')],
      [() => scheme.verify(message, signature, publicKey.slice(1)), length('publicKey', pk, pk - 1)],
      [() => scheme.verify(message, signature, publicKey, { profil: 'dalek' }), option('profil')],
      [() => scheme.verify(message, signature, publicKey, 'dalek'), { name: 'TypeError', message: 'options must be an object' }],
      [() => scheme.verify(message, signature, publicKey, null), { name: 'TypeError', message: 'options must be an object' }],
      [() => scheme.verifyBatch(items, { contexts: message }), option('contexts')],
      [() => signer.sign(message), { name: 'TypeError', message: 'signer has been wiped' }],
      [() => signer.signChecked(message), { name: 'TypeError', message: 'signer has been wiped' }],
    ])
      await fails(call, expected, name);
  }
});

test('unknown options are errors in every function that has options', async () => {
  const { secretKey, publicKey } = await api.index.newKeyPair();
  const signature = new Uint8Array(64);
  const bad = { contxt: message };
  const wrong = { name: 'TypeError', message: 'no option contxt' };
  for (const more of [api.more, api['more-fast']]) {
    const signer = await more.createSigner(secretKey);
    for (const call of [
      () => more.verifyWithContext(message, signature, publicKey, message, bad),
      () => more.signPrehashed(message, secretKey, bad),
      () => more.signPrehashedChecked(message, secretKey, bad),
      () => more.signChecked(message, secretKey, bad),
      () => signer.signChecked(message, bad),
      () => more.verifyPrehashed(message, signature, publicKey, bad),
      () => more.signStream(() => message, secretKey, bad),
      () => more.createVerifier(signature, publicKey, bad),
      () => more.verifyStream(message, signature, publicKey, bad),
      () => signer.sign(message, bad),
      () => signer.signStream(() => message, bad),
      () => signer.signPrehashed(message, bad),
    ])
      await fails(call, wrong);
    // What another function knows is unknown to this one, and not ignored.
    await fails(() => more.signStream(() => message, secretKey, { profile: 'dalek' }), { message: 'no option profile' });
    await fails(() => more.signPrehashed(message, secretKey, { profile: 'dalek' }), { message: 'no option profile' });
    await fails(() => more.verifyWithContext(message, signature, publicKey, message, { context: message }), { message: 'no option context' });
    signer.wipe();
  }
  const { fndsa512, falcon512 } = api['fn-dsa'];
  const pair = await fndsa512.newKeyPair();
  await fails(() => fndsa512.sign(message, pair.secretKey, { ctx: message }), { message: 'no option ctx' });
  await fails(() => falcon512.sign(message, new Uint8Array(1281), { hedged: true }), { message: 'no option hedged' });
  await fails(() => api.keys.privateToCryptoKey(new Uint8Array(32), 'Ed25519', { extractible: true }), { message: 'no option extractible' });
  await fails(() => api.index.verify(message, signature, publicKey, { toString: 1 }), { message: 'no option toString' });
});

test('Ed25519 to X25519: as libsodium and noble have it', async () => {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const { publicKeyFromEd25519, secretKeyFromEd25519 } = api.keys;
  const next = words(81);
  for (let i = 0; i < 40; i++) {
    const { publicKey, secretKey } = await api.index.keyPairFromSeed(randomBytes(next, 32));
    const pair = { publicKey: publicKeyFromEd25519(publicKey), secretKey: await secretKeyFromEd25519(secretKey) };
    assert.deepEqual(await api.x25519.keyPairFromSecretKey(pair.secretKey), pair);
    assert.deepEqual(pair.publicKey, sodium.crypto_sign_ed25519_pk_to_curve25519(publicKey));
    assert.deepEqual(pair.secretKey, sodium.crypto_sign_ed25519_sk_to_curve25519(secretKey));
    assert.deepEqual(pair.publicKey, ed25519.utils.toMontgomery(publicKey));
    assert.deepEqual(pair.secretKey, ed25519.utils.toMontgomerySecret(secretKey.slice(0, 32)));
    secretKey[50] ^= 1;
    await assert.rejects(secretKeyFromEd25519(secretKey), /public half is not its own/);
  }
});

test('Ed25519 to X25519: what is no point, is not canonical or has a small order is refused', async () => {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const { publicKeyFromEd25519 } = api.keys;
  const next = words(82);
  let [points, none] = [0, 0];
  for (let i = 0; i < 200; i++) {
    const octets = randomBytes(next, 32);
    let theirs;
    try {
      theirs = ed25519.utils.toMontgomery(octets);
    } catch {
      none++;
      assert.throws(() => publicKeyFromEd25519(octets), { name: 'RangeError', message: /no point/ });
      continue;
    }
    points++;
    assert.deepEqual(publicKeyFromEd25519(octets), theirs);
  }
  assert.ok(points > 50 && none > 50, `${points} points, ${none} others`);
  const L = ed25519.Point.Fn.ORDER;
  // All of order 1, 2, 4 and 8: L times any point, and so multiples of one of order 8.
  const torsion = new Set();
  for (let i = 0; torsion.size < 8 && i < 500; i++) {
    let point;
    try {
      point = ed25519.Point.fromBytes(randomBytes(next, 32));
    } catch {
      continue;
    }
    torsion.add(point.multiplyUnsafe(L - 1n).add(point).toHex());
  }
  assert.equal(torsion.size, 8);
  for (const text of torsion)
    assert.throws(() => publicKeyFromEd25519(Uint8Array.from(Buffer.from(text, 'hex'))), /small order/, text);
  const high = new Uint8Array(32).fill(255);
  for (const low of [0xed, 0xee, 0xf0, 0xff])
    for (const sign of [0x7f, 0xff]) {
      high[0] = low;
      high[31] = sign;
      assert.throws(() => publicKeyFromEd25519(high), /no point/);
    }
  assert.throws(() => publicKeyFromEd25519(new Uint8Array(31)), /publicKey must have 32 bytes, not 31/);
});

test('CryptoKey in and out: what the engine makes is read, what is read the engine uses', async () => {
  const { subtle } = crypto;
  const { keys } = api;
  const pair = await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const own = await keys.privateFromCryptoKey(pair.privateKey);
  assert.deepEqual(await keys.publicFromCryptoKey(pair.publicKey), { curve: 'Ed25519', publicKey: own.publicKey });
  const secretKey = await keys.toSecretKey(own.secret);
  const signature = await api.index.sign(message, secretKey);
  assert.deepEqual(new Uint8Array(await subtle.sign('Ed25519', pair.privateKey, message)), signature);
  const given = await keys.privateToCryptoKey(own.secret);
  assert.equal(given.extractable, false);
  assert.deepEqual(new Uint8Array(await subtle.sign('Ed25519', given, message)), signature);
  await assert.rejects(keys.privateFromCryptoKey(given), /not extractable|InvalidAccess/i);
  const open = await keys.publicToCryptoKey(own.publicKey);
  assert.equal(await subtle.verify('Ed25519', open, signature, message), true);
  await assert.rejects(keys.publicFromCryptoKey(given), { name: 'TypeError', message: 'key must be a public CryptoKey' });
  await assert.rejects(keys.privateFromCryptoKey(open), { name: 'TypeError', message: 'key must be a private CryptoKey' });
  await assert.rejects(keys.privateFromCryptoKey(undefined), { name: 'TypeError' });
  // The agreement, both ways.
  const theirs = await subtle.generateKey('X25519', true, ['deriveBits']);
  const mine = await api.x25519.newKeyPair();
  const public_ = await keys.publicToCryptoKey(mine.publicKey, 'X25519');
  const bits = await subtle.deriveBits({ name: 'X25519', public: public_ }, theirs.privateKey, 256);
  const { publicKey } = await keys.publicFromCryptoKey(theirs.publicKey);
  assert.deepEqual(new Uint8Array(bits), await api.x25519.sharedSecret(mine.secretKey, publicKey));
  const private_ = await keys.privateToCryptoKey(mine.secretKey, 'X25519', { extractable: true });
  assert.deepEqual(await keys.privateFromCryptoKey(private_), { curve: 'X25519', secret: mine.secretKey, publicKey: mine.publicKey });
  // Keys of other algorithms.
  const hmac = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
  await assert.rejects(keys.publicFromCryptoKey(hmac), { name: 'TypeError' });
  const ec = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  await assert.rejects(keys.publicFromCryptoKey(ec.publicKey), { message: 'curve must be Ed25519 or X25519' });
});

test('signers and streams with a context: the same as signWithContext, and another than without', async () => {
  const { secretKey, publicKey } = await api.index.newKeyPair();
  for (const more of [api.more, api['more-fast']]) {
    const context = utf8('context');
    const whole = randomBytes(words(83), 100_000);
    const parts = () => [whole.subarray(0, 70_000), whole.subarray(70_000)];
    const bound = await more.signWithContext(whole, secretKey, context);
    const plain = await api.index.sign(whole, secretKey);
    const empty = await more.signWithContext(whole, secretKey, new Uint8Array());
    const signer = await more.createSigner(secretKey);
    assert.deepEqual(await signer.sign(whole, { context }), bound);
    assert.deepEqual(await signer.sign(whole), plain);
    assert.deepEqual(await signer.sign(whole, { context: undefined }), plain);
    assert.deepEqual(await signer.sign(whole, { context: new Uint8Array() }), empty);
    assert.deepEqual(await signer.signStream(parts, { context }), bound);
    assert.deepEqual(await signer.signStream(parts), plain);
    assert.deepEqual(await more.signStream(parts, secretKey, { context }), bound);
    assert.deepEqual(await signer.signPrehashed(parts(), { context }), await more.signPrehashed(whole, secretKey, { context }));
    for (const [signature, options] of [[bound, { context }], [plain, {}], [empty, { context: new Uint8Array() }]]) {
      assert.equal(await more.verifyStream(parts(), signature, publicKey, options), true);
      const verifier = await more.createVerifier(signature, publicKey, { profile: 'rfc8032', ...options });
      for (const part of parts()) verifier.update(part);
      assert.equal(verifier.verify(), true);
      for (const other of [{ context: utf8('other') }, options.context?.length ? {} : { context }])
        assert.equal(await more.verifyStream(parts(), signature, publicKey, other), false);
    }
    await fails(() => signer.sign(whole, { context: new Uint8Array(256) }), /at most 255 bytes/);
    signer.wipe();
    const swapped = Uint8Array.from(secretKey);
    swapped[40] ^= 1;
    await fails(() => more.createSigner(swapped), /public half is not its own/);
  }
});
