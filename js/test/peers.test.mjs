// The same bytes and verdicts as the libraries that this one replaces, on random input; and the
// forgeries that they let pass, refused. LANNER_TEST_ROUNDS asks for more.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import * as watsign from 'watsign';
import tweetnacl from 'tweetnacl';
import * as lanner from 'lanner';
import * as fast from 'lanner/fast';
import * as sync from 'lanner/sync';
import * as compat from 'lanner/compat';
import * as verifyOnly from 'lanner/verify';
import * as x25519 from 'lanner/x25519';
import nacl from 'lanner/tweetnacl';
import { ORDER, hex, plusOrder, randomBytes, toHex, utf8, words } from './support.mjs';

/** tweetnacl's functions under the names of the others. */
const named = ({ sign }) => ({
  keyPairFromSeed: sign.keyPair.fromSeed,
  keyPairFromSecretKey: sign.keyPair.fromSecretKey,
  newKeyPair: sign.keyPair,
  sign: sign.detached,
  verify: sign.detached.verify,
});
const entries = { lanner, fast, sync, compat, tweetnacl: named(nacl) };
const verifiers = { ...entries, verifyOnly };
const theirs = named(tweetnacl);
const plain = ({ publicKey, secretKey }) => ({ publicKey, secretKey });

// Around the blocks of SHA-512, less what stands before the message; around what fits in at once.
const BORDERS = [
  47, 48, 63, 64, 79, 80, 111, 112, 127, 128, 175, 176, 191, 192, 207, 208, 239, 240, 255, 256,
  16383, 16384, 16385, 16448, 32768, 40000,
];

test('watsign and tweetnacl: keys, signatures and verdicts', { timeout: 3_600_000 }, async () => {
  const next = words(21);
  const rounds = Number(process.env.LANNER_TEST_ROUNDS ?? 600);
  for (let i = 0; i < rounds; i++) {
    // Every length up to 300, then borders, then any.
    const length = i <= 300 ? i : i <= 300 + BORDERS.length ? BORDERS[i - 301] : next() % 300;
    const seed = randomBytes(next, 32);
    const message = randomBytes(next, length);
    const where = `seed ${toHex(seed)}, ${length} bytes, round ${i}`;
    const pair = await lanner.keyPairFromSeed(seed);
    const { publicKey, secretKey } = pair;
    const signature = await lanner.sign(message, secretKey);

    // A bit of the signature, the message or the key is another.
    const wrong = [message, signature, publicKey].map((bytes) => Uint8Array.from(bytes));
    const part = wrong[length ? next() % 3 : 1 + (next() % 2)];
    part[next() % part.length] ^= 1 << next() % 8;

    for (const [name, entry] of Object.entries(entries)) {
      assert.deepEqual(plain(await entry.keyPairFromSeed(seed)), plain(pair), `${name}, ${where}`);
      assert.deepEqual(await entry.sign(message, secretKey), signature, `${name}, ${where}`);
    }
    for (const [name, entry] of Object.entries(verifiers)) {
      assert.equal(await entry.verify(message, signature, publicKey), true, `${name}, ${where}`);
      assert.equal(await entry.verify(...wrong), false, `${name}, ${where}: ${wrong.map(toHex)}`);
    }

    assert.deepEqual(plain(await watsign.keyPairFromSeed(seed)), plain(pair), where);
    // Of an empty message, watsign 0.1.9 runs out of its memory.
    if (length) {
      assert.deepEqual(await watsign.sign(message, secretKey), signature, where);
      assert.equal(await watsign.verify(message, signature, publicKey), true, where);
      assert.equal(await watsign.verify(...wrong), false, where);
    }
    // tweetnacl takes 4 ms for each of these, and 8 for a verdict.
    assert.deepEqual(theirs.sign(message, secretKey), signature, where);
    if (i % 4 == 0) assert.deepEqual(plain(theirs.keyPairFromSeed(seed)), plain(pair), where);
    if (i % 4 == 1) assert.equal(theirs.verify(message, signature, publicKey), true, where);
    if (i % 4 == 2) assert.equal(theirs.verify(...wrong), false, where);
  }
});

test('tweetnacl: thousands of products of X25519', { timeout: 3_600_000 }, async () => {
  const next = words(23);
  const rounds = Number(process.env.LANNER_TEST_ROUNDS ?? 2000);
  for (let i = 0; i < rounds; i++) {
    const [n, p] = [randomBytes(next, 32), randomBytes(next, 32)];
    // Every fourth near a corner: runs of ones and zeros, where carries run far.
    if (i % 4 == 0) p.fill(next() % 2 ? 255 : 0, next() % 8, 24 + (next() % 8));
    if (i % 8 == 0) n.fill(next() % 2 ? 255 : 0, next() % 8, 24 + (next() % 8));
    const product = tweetnacl.scalarMult(n, p);
    const where = `${toHex(n)} ${toHex(p)}`;
    assert.deepEqual(nacl.scalarMult(n, p), product, where);
    assert.deepEqual(await x25519.sharedSecret(n, p), product, where);
    if (i % 4) continue;
    const base = tweetnacl.scalarMult.base(n);
    assert.deepEqual(nacl.scalarMult.base(n), base, where);
    assert.deepEqual((await x25519.keyPairFromSecretKey(n)).publicKey, base, where);
  }
});

test('forgeries: S plus multiples of L, refused; watsign and tweetnacl take them', async () => {
  const next = words(24);
  for (let i = 0; i < 20; i++) {
    const { publicKey, secretKey } = await lanner.keyPairFromSeed(randomBytes(next, 32));
    const message = randomBytes(next, 1 + i * 7);
    const signature = await lanner.sign(message, secretKey);
    let forged = plusOrder(signature);
    assert.equal(await watsign.verify(message, forged, publicKey), true);
    if (i < 3) assert.equal(theirs.verify(message, forged, publicKey), true);
    // As long as the sum fits into 32 bytes.
    for (let k = 1; k < 15; k++, forged = plusOrder(forged))
      for (const [name, entry] of Object.entries(verifiers))
        assert.equal(await entry.verify(message, forged, publicKey), false, `${name}, ${k} L`);
    const signed = new Uint8Array([...plusOrder(signature), ...message]);
    assert.equal(nacl.sign.open(signed, publicKey), null);
    if (i < 3) assert.deepEqual(tweetnacl.sign.open(signed, publicKey), message);
    // S = L, by which the verdict of a verifier that only reduces would be that of S = 0.
    const none = Uint8Array.from(signature);
    none.set(ORDER, 32);
    for (const entry of Object.values(verifiers))
      assert.equal(await entry.verify(message, none, publicKey), false);
  }
});

// The points of order 1, 2, 4, 8, and their encodings that are not canonical.
const SMALL_ORDERS = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
].map(hex);

test('forgeries: keys and R of small order, refused; others accept some for any message', async () => {
  let passed = 0;
  let passedThere = 0;
  for (const key of SMALL_ORDERS)
    for (const r of SMALL_ORDERS) {
      const forged = new Uint8Array(64);
      forged.set(r);
      for (const text of ['', 'pay nothing', 'pay everything']) {
        const message = utf8(text);
        for (const [name, entry] of Object.entries(verifiers))
          assert.equal(await entry.verify(message, forged, key), false, `${name} ${toHex(key)} ${toHex(r)}`);
        // They are forgeries indeed.
        passed += await lanner.verify(message, forged, key, { profile: 'zip215' });
        if (text) passedThere += await watsign.verify(message, forged, key);
      }
    }
  // Times eight everything of small order vanishes.
  assert.equal(passed, SMALL_ORDERS.length ** 2 * 3);
  assert.ok(passedThere > 10, `watsign took ${passedThere}`);
  // An honest key and an R of small order: its owner can make S = k s, which is a valid answer for as
  // many R as there are of small order.
  const integer = (bytes) => BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
  const sha512 = (...parts) => createHash('sha512').update(Buffer.concat(parts)).digest();
  const { publicKey, secretKey } = await lanner.newKeyPair();
  const scalar = sha512(secretKey.subarray(0, 32)).subarray(0, 32);
  scalar[0] &= 248;
  scalar[31] = (scalar[31] & 63) | 64;
  const message = utf8('m');
  for (const r of SMALL_ORDERS) {
    const k = integer(sha512(r, publicKey, message));
    const answer = (k * integer(scalar)) % integer(ORDER);
    const forged = hex(toHex(r) + answer.toString(16).padStart(64, '0').match(/../g).reverse().join(''));
    for (const [name, entry] of Object.entries(verifiers))
      assert.equal(await entry.verify(message, forged, publicKey), false, `${name} ${toHex(forged)}`);
    assert.equal(await lanner.verify(message, forged, publicKey, { profile: 'zip215' }), true);
  }
});

test('the double-key oracle: a public half that is not its own is refused, where others sign', async () => {
  const next = words(25);
  const message = utf8('message');
  for (let i = 0; i < 25; i++) {
    const { secretKey } = await lanner.keyPairFromSeed(randomBytes(next, 32));
    const other = Uint8Array.from(secretKey);
    if (i % 2) other.set((await lanner.newKeyPair()).publicKey, 32);
    else other[32 + (next() % 32)] ^= 1 << next() % 8;
    // The same R under two keys gives the secret scalar away.
    const [one, two] = [await watsign.sign(message, secretKey), await watsign.sign(message, other)];
    assert.deepEqual(one.subarray(0, 32), two.subarray(0, 32));
    assert.notDeepEqual(one, two);
    for (const [name, entry] of Object.entries(entries)) {
      const refusal = { name: 'RangeError', message: /public half/ };
      await assert.rejects(async () => entry.sign(message, other), refusal, name);
      await assert.rejects(async () => entry.keyPairFromSecretKey(other), refusal, name);
      if (entry.createSigner) await assert.rejects(async () => entry.createSigner(other), refusal, name);
      assert.deepEqual(await entry.sign(message, secretKey), one, name);
    }
    assert.throws(() => nacl.sign(message, other), /public half/);
  }
});

test('tweetnacl: every member of nacl.sign, and its messages', () => {
  const next = words(22);
  for (const name of Object.keys(tweetnacl.sign)) assert.ok(name in nacl.sign, name);
  for (const name of Object.keys(tweetnacl.sign.keyPair)) assert.ok(name in nacl.sign.keyPair, name);
  for (const name of Object.keys(tweetnacl.scalarMult)) assert.ok(name in nacl.scalarMult, name);
  // What is not there is missing by name, and the source of randomness is not for anybody to replace.
  assert.deepEqual(Object.keys(tweetnacl).filter((name) => !(name in nacl)).sort(), ['box', 'hash', 'lowlevel', 'secretbox']);
  assert.throws(() => nacl.setPRNG((x, n) => x.fill(0, 0, n)), { name: 'Error', message: /randomness comes from crypto.getRandomValues/ });
  for (const name of ['publicKeyLength', 'secretKeyLength', 'seedLength', 'signatureLength'])
    assert.equal(nacl.sign[name], tweetnacl.sign[name]);
  for (let i = 0; i < 40; i++) {
    const seed = randomBytes(next, 32);
    const pair = nacl.sign.keyPair.fromSeed(seed);
    assert.deepEqual(pair, tweetnacl.sign.keyPair.fromSeed(seed));
    assert.deepEqual(nacl.sign.keyPair.fromSecretKey(pair.secretKey), pair);
    const message = randomBytes(next, i * 5);
    const signed = nacl.sign(message, pair.secretKey);
    assert.deepEqual(signed, tweetnacl.sign(message, pair.secretKey));
    assert.deepEqual(nacl.sign.open(signed, pair.publicKey), message);
    assert.deepEqual(tweetnacl.sign.open(signed, pair.publicKey), message);
    const detached = nacl.sign.detached(message, pair.secretKey);
    assert.deepEqual(detached, tweetnacl.sign.detached(message, pair.secretKey));
    assert.equal(nacl.sign.detached.verify(message, detached, pair.publicKey), true);
    signed[next() % signed.length] ^= 4;
    assert.equal(nacl.sign.open(signed, pair.publicKey), null);
    assert.equal(nacl.sign.detached.verify(message, plusOrder(detached), pair.publicKey), false);
    const [n, p] = [randomBytes(next, 32), randomBytes(next, 32)];
    assert.deepEqual(nacl.scalarMult(n, p), tweetnacl.scalarMult(n, p));
    assert.deepEqual(nacl.scalarMult.base(n), tweetnacl.scalarMult.base(n));
  }
  assert.equal(nacl.sign.open(new Uint8Array(63), new Uint8Array(32)), null);
  const bytes = (length) => new Uint8Array(length);
  assert.notDeepEqual(nacl.randomBytes(32), nacl.randomBytes(32));
  // As many as are asked for, and all of them random: none is zero in each of ten.
  for (const length of [0, 1, 8.5, 65536, 65537, 70000]) {
    const any = new Uint8Array(length);
    for (let i = 0; i < 10; i++) nacl.randomBytes(length).forEach((octet, j) => (any[j] |= octet));
    assert.deepEqual([any.length, any.includes(0)], [tweetnacl.randomBytes(length).length, false], String(length));
  }
  for (const none of [bytes(8), [8], [1, 2, 3], { length: 4 }, new ArrayBuffer(4), '8', '0x8', true, 8n, null, undefined, NaN, -1, Infinity]) {
    assert.throws(() => tweetnacl.randomBytes(none), (error) => /^(TypeError|RangeError)$/.test(error.name));
    assert.throws(() => nacl.randomBytes(none), typeof none == 'number' ? RangeError : { name: 'TypeError', message: 'unexpected type, use a number' });
  }
  for (const [x, y] of [[[1, 2], [1, 2]], [[1, 2], [1, 3]], [[], []], [[1], [1, 2]]])
    assert.equal(
      nacl.verify(Uint8Array.from(x), Uint8Array.from(y)),
      tweetnacl.verify(Uint8Array.from(x), Uint8Array.from(y)),
    );
  // Each bad call fails with the same words.
  const calls = [
    (api) => api.sign('text', bytes(64)),
    (api) => api.sign(bytes(1), bytes(63)),
    (api) => api.sign.open(bytes(70), bytes(31)),
    (api) => api.sign.open([1], bytes(32)),
    (api) => api.sign.detached(bytes(1), bytes(65)),
    (api) => api.sign.detached.verify(bytes(1), bytes(63), bytes(32)),
    (api) => api.sign.detached.verify(bytes(1), bytes(64), bytes(33)),
    (api) => api.sign.keyPair.fromSecretKey(bytes(32)),
    (api) => api.sign.keyPair.fromSeed(bytes(64)),
    (api) => api.sign.keyPair.fromSeed('seed'),
    (api) => api.scalarMult(bytes(31), bytes(32)),
    (api) => api.scalarMult(bytes(32), bytes(31)),
    (api) => api.scalarMult.base(bytes(0)),
    (api) => api.verify([1], bytes(1)),
  ];
  for (const call of calls) {
    let expected;
    try {
      call(tweetnacl);
    } catch (error) {
      expected = error;
    }
    assert.ok(expected, String(call));
    assert.throws(() => call(nacl), { name: expected.name, message: expected.message });
  }
  // Where tweetnacl would give the secret away, this one does not.
  const { secretKey } = nacl.sign.keyPair();
  secretKey[33] ^= 1;
  assert.throws(() => nacl.sign(bytes(1), secretKey), /public half/);
});
