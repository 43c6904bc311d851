// The same bytes and verdicts as the libraries that this one replaces, on random input.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as watsign from 'watsign';
import tweetnacl from 'tweetnacl';
import * as lanner from 'lanner';
import * as fast from 'lanner/fast';
import nacl from 'lanner/tweetnacl';
import { plusOrder, randomBytes, words } from './support.mjs';

test('watsign and tweetnacl: thousands of signatures', { timeout: 300_000 }, async () => {
  const next = words(21);
  const rounds = Number(process.env.LANNER_TEST_ROUNDS ?? 1000);
  for (let i = 0; i < rounds; i++) {
    const seed = randomBytes(next, 32);
    const message = randomBytes(next, next() % 300);
    const pair = await lanner.keyPairFromSeed(seed);
    const signature = await lanner.sign(message, pair.secretKey);
    assert.deepEqual(await fast.sign(message, pair.secretKey), signature);
    const peer = i % 8 ? undefined : i % 16 ? watsign : 'tweetnacl';
    if (typeof peer == 'string') {
      assert.deepEqual(tweetnacl.sign.keyPair.fromSeed(seed), pair);
      assert.deepEqual(tweetnacl.sign.detached(message, pair.secretKey), signature);
    } else if (peer) {
      assert.deepEqual({ ...(await peer.keyPairFromSeed(seed)) }, { ...pair });
      assert.deepEqual(await peer.sign(message, pair.secretKey), signature);
    }
    assert.equal(await lanner.verify(message, signature, pair.publicKey), true);
    assert.equal(await fast.verify(message, signature, pair.publicKey), true);
    signature[next() % 64] ^= 1 << next() % 8;
    assert.equal(await lanner.verify(message, signature, pair.publicKey), false);
    assert.equal(await fast.verify(message, signature, pair.publicKey), false);
  }
});

test('tweetnacl: every member of nacl.sign, and its messages', () => {
  const next = words(22);
  for (const name of Object.keys(tweetnacl.sign)) assert.ok(name in nacl.sign, name);
  for (const name of Object.keys(tweetnacl.sign.keyPair)) assert.ok(name in nacl.sign.keyPair, name);
  for (const name of Object.keys(tweetnacl.scalarMult)) assert.ok(name in nacl.scalarMult, name);
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
  assert.equal(nacl.randomBytes(70000).length, 70000);
  assert.notDeepEqual(nacl.randomBytes(32), nacl.randomBytes(32));
  for (const [x, y] of [[[1, 2], [1, 2]], [[1, 2], [1, 3]], [[], []], [[1], [1, 2]]])
    assert.equal(
      nacl.verify(Uint8Array.from(x), Uint8Array.from(y)),
      tweetnacl.verify(Uint8Array.from(x), Uint8Array.from(y)),
    );
  // Each bad call fails with the same words.
  const bytes = (length) => new Uint8Array(length);
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
