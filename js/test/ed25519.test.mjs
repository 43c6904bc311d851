// Every entry with Ed25519: the vectors, the forgeries, the errors.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as small from 'lanner';
import * as fast from 'lanner/fast';
import * as sync from 'lanner/sync';
import * as compat from 'lanner/compat';
import * as verifyOnly from 'lanner/verify';
import * as more from 'lanner/more';
import { hex, own, plusOrder, randomBytes, toHex, utf8, words } from './support.mjs';

const entries = { small, fast, sync, compat };
const verifiers = { ...entries, verifyOnly };
const IDENTITY = hex('01'.padEnd(64, '0'));

for (const [name, lanner] of Object.entries(entries)) {
  test(`${name}: signatures of the vectors`, async () => {
    let count = 0;
    for (const file of ['rfc8032.json', 'ed25519_sign.json'])
      for (const vector of own(file).cases) {
        if (vector.scheme != 'ed25519') continue;
        const message = hex(vector.message);
        const pair = await lanner.keyPairFromSeed(hex(vector.seed));
        assert.equal(toHex(pair.publicKey), vector.public_key, vector.name);
        assert.equal(toHex(pair.secretKey), vector.seed + vector.public_key);
        const signature = await lanner.sign(message, pair.secretKey);
        assert.equal(toHex(signature), vector.signature, vector.name);
        const signer = await lanner.createSigner(pair.secretKey);
        assert.deepEqual(await signer.sign(message), signature);
        assert.deepEqual(signer.publicKey, pair.publicKey);
        assert.equal(await lanner.verify(message, signature, pair.publicKey), true);
        count++;
      }
    assert.ok(count > 20, `${count} vectors`);
  });

  test(`${name}: refuses a public half that is not the seed's`, async () => {
    const next = words(3);
    for (let i = 0; i < 20; i++) {
      const { secretKey } = await lanner.keyPairFromSeed(randomBytes(next, 32));
      const other = (await lanner.newKeyPair()).publicKey;
      const swapped = Uint8Array.from(secretKey);
      if (i % 2) swapped.set(other, 32);
      else swapped[32 + (next() % 32)] ^= 1 << next() % 8;
      for (const use of ['sign', 'keyPairFromSecretKey', 'createSigner']) {
        const call = async () =>
          use == 'sign' ? lanner.sign(utf8('m'), swapped) : lanner[use](swapped);
        await assert.rejects(call, { name: 'RangeError', message: /public half/ });
      }
      assert.deepEqual((await lanner.keyPairFromSecretKey(secretKey)).secretKey, secretKey);
    }
  });

  test(`${name}: errors name the argument and the lengths`, async () => {
    const { secretKey } = await lanner.newKeyPair();
    const rejects = (call, name, message) =>
      assert.rejects(async () => call(), { name, message });
    await rejects(() => lanner.sign('text', secretKey), 'TypeError', 'message must be a Uint8Array');
    await rejects(() => lanner.sign(), 'TypeError', /must be a Uint8Array/);
    await rejects(
      () => lanner.sign(utf8('m'), secretKey.subarray(1)),
      'RangeError',
      'secretKey must have 64 bytes, not 63',
    );
    await rejects(
      () => lanner.keyPairFromSeed(new Uint8Array(33)),
      'RangeError',
      'seed must have 32 bytes, not 33',
    );
    await rejects(() => lanner.keyPairFromSeed(new Array(32).fill(1)), 'TypeError', /^seed/);
    await rejects(() => lanner.createSigner(new Uint8Array()), 'RangeError', /64 bytes, not 0/);
  });

  test(`${name}: a wiped signer signs no more`, async () => {
    const signer = await lanner.createSigner((await lanner.newKeyPair()).secretKey);
    assert.equal((await signer.sign(utf8('m'))).length, 64);
    signer.wipe();
    await assert.rejects(async () => signer.sign(utf8('m')), /wiped/);
  });

  test(`${name}: long messages, views and other kinds of arrays`, async () => {
    const { secretKey, publicKey } = await lanner.keyPairFromSeed(new Uint8Array(32).fill(9));
    for (const length of [0, 1, 127, 128, 16383, 16384, 16385, 100000]) {
      const message = randomBytes(words(length + 1), length + 8);
      const view = message.subarray(8);
      const signature = await lanner.sign(view, secretKey);
      assert.deepEqual(await small.sign(message.slice(8), secretKey), signature);
      assert.equal(await lanner.verify(Buffer.from(view), Buffer.from(signature), publicKey), true);
      if (length) {
        view[length - 1] ^= 1;
        assert.equal(await lanner.verify(view, signature, publicKey), false);
      }
    }
    // An array that changes its mind from one look to the next: the signature is that of its octets.
    // Of two different messages under one nonce, anybody could compute the secret key.
    class Fickle extends Uint8Array {
      subarray() {
        return new Uint8Array(this.length).fill(Math.random() * 256);
      }
    }
    for (const length of [1, 100, 20000]) {
      const fickle = new Fickle(length).fill(5);
      assert.deepEqual(
        await lanner.sign(fickle, secretKey),
        await small.sign(new Uint8Array(length).fill(5), secretKey),
      );
    }
    if (globalThis.SharedArrayBuffer) {
      const message = new Uint8Array(new SharedArrayBuffer(40)).fill(3);
      assert.deepEqual(
        await lanner.sign(message, secretKey),
        await lanner.sign(new Uint8Array(message), secretKey),
      );
    }
  });

  test(`${name}: new key pairs differ`, async () => {
    const [one, two] = [await lanner.newKeyPair(), await lanner.newKeyPair()];
    assert.notDeepEqual(one.secretKey, two.secretKey);
    assert.deepEqual(one.secretKey.slice(32), one.publicKey);
    assert.deepEqual((await lanner.keyPairFromSeed(one.secretKey.slice(0, 32))), one);
  });
}

for (const [name, lanner] of Object.entries(verifiers)) {
  test(`${name}: every profile gives the verdicts of the vectors, one by one and together`, async () => {
    const profiles = [
      'rfc8032', 'rfc8032-cofactorless', 'dalek', 'strict', 'zip215', 'donna', 'libsodium',
    ];
    // `sync` and `compat` have the module of `small`: a sample suffices.
    const sample = name == 'sync' || name == 'compat' ? 11 : 1;
    const cases = own('ed25519_verify.json').cases.filter((_, i) => i % sample == 0);
    const counts = {};
    for (const profile of profiles) {
      const items = cases.map((vector) => ({
        message: hex(vector.msg),
        signature: hex(vector.sig),
        publicKey: hex(vector.key),
      }));
      const expected = cases.map((vector) => vector.accept.includes(profile));
      assert.deepEqual(await lanner.verifyBatch(items, { profile }), expected, profile);
      for (const [i, { message, signature, publicKey }] of items.entries()) {
        if (i % 7) continue;
        const options = profile == 'strict' && i % 2 ? undefined : { profile };
        assert.equal(
          await lanner.verify(message, signature, publicKey, options),
          expected[i],
          `${profile}, case ${cases[i].id}`,
        );
      }
      counts[profile] = expected.filter(Boolean).length;
    }
    // The vectors tell the profiles apart.
    assert.equal(new Set(Object.values(counts)).size >= 6, true, JSON.stringify(counts));
  });

  test(`${name}: verdicts together are those one by one, whatever is in a batch`, async () => {
    const pairs = await Promise.all(Array.from({ length: 9 }, () => small.newKeyPair()));
    const good = await Promise.all(
      Array.from({ length: 140 }, async (_, i) => {
        const { publicKey, secretKey } = pairs[i % 9];
        const message = new Uint8Array(i * 7).fill(i);
        return { message, signature: await small.sign(message, secretKey), publicKey };
      }),
    );
    const changed = (item, name, at) => {
      const value = Uint8Array.from(item[name]);
      value[at] ^= 1;
      return { ...item, [name]: value };
    };
    for (const length of [0, 1, 2, 7, 8, 9, 63, 64, 65, 71, 72, 128, 140]) {
      const items = good.slice(0, length);
      assert.deepEqual(await lanner.verifyBatch(items), items.map(() => true), `${length}`);
      if (!length) continue;
      // One that is wrong, in whichever part; two; one whose signature is too short; all.
      for (const wrong of [[0], [length - 1], [length >> 1], [0, length - 1]]) {
        const some = items.map((item, i) =>
          wrong.includes(i) ? changed(item, i % 2 ? 'signature' : 'publicKey', 1 + (i % 30)) : item,
        );
        assert.deepEqual(await lanner.verifyBatch(some), items.map((_, i) => !wrong.includes(i)), `${length}: ${wrong}`);
      }
      const short = items.map((item, i) => (i == length >> 1 ? { ...item, signature: new Uint8Array(63) } : item));
      assert.deepEqual(await lanner.verifyBatch(short), items.map((_, i) => i != length >> 1), `${length}`);
      const none = items.map((item) => changed(item, 'signature', 40));
      assert.deepEqual(await lanner.verifyBatch(none), items.map(() => false), `${length}`);
    }
  });

  test(`${name}: refuses the known forgeries`, async () => {
    const { secretKey, publicKey } = await small.keyPairFromSeed(new Uint8Array(32).fill(1));
    const message = utf8('message');
    const signature = await small.sign(message, secretKey);
    assert.equal(await lanner.verify(message, signature, publicKey), true);
    assert.equal(await lanner.verify(message, plusOrder(signature), publicKey), false);
    // A = R = the identity, S = 0: by the plain equation valid for any message.
    const weak = new Uint8Array(64);
    weak.set(IDENTITY);
    for (const text of ['', 'any', 'message'])
      assert.equal(await lanner.verify(utf8(text), weak, IDENTITY), false);
    assert.equal(await lanner.verify(message, weak, IDENTITY, { profile: 'dalek' }), true);
    for (let bit = 0; bit < 512; bit += 5) {
      const changed = Uint8Array.from(signature);
      changed[bit >> 3] ^= 1 << bit % 8;
      assert.equal(await lanner.verify(message, changed, publicKey), false, `bit ${bit}`);
    }
  });

  test(`${name}: a signature of another length is not valid, other arguments are errors`, async () => {
    const { publicKey } = await small.newKeyPair();
    for (const length of [0, 63, 65, 200])
      assert.equal(await lanner.verify(utf8('m'), new Uint8Array(length), publicKey), false);
    const rejects = (call, name, message) => assert.rejects(async () => call(), { name, message });
    await rejects(
      () => lanner.verify(utf8('m'), new Uint8Array(64), new Uint8Array(31)),
      'RangeError',
      'publicKey must have 32 bytes, not 31',
    );
    await rejects(() => lanner.verify(utf8('m'), 'sig', publicKey), 'TypeError', /^signature/);
    for (const profile of ['Strict', '', 'toString', '__proto__'])
      await rejects(
        () => lanner.verify(utf8('m'), new Uint8Array(64), publicKey, { profile }),
        'RangeError',
        /profile/,
      );
    assert.deepEqual(await lanner.verifyBatch([]), []);
  });
}

test('fast: each edge case among good signatures of its profile', async () => {
  // One equation serves eight and more: those that are valid all together, each of the others with seven of them.
  const cases = own('ed25519_verify.json').cases.map(({ key, msg, sig, accept }) => ({
    item: { message: hex(msg), signature: hex(sig), publicKey: hex(key) },
    accept,
  }));
  let [accepted, refused] = [0, 0];
  for (const profile of ['rfc8032', 'rfc8032-cofactorless', 'dalek', 'strict', 'zip215', 'donna', 'libsodium']) {
    const good = cases.filter(({ accept }) => accept.includes(profile)).map(({ item }) => item);
    const bad = cases.filter(({ accept }) => !accept.includes(profile)).map(({ item }) => item);
    assert.equal((await fast.verifyBatch(good, { profile })).every(Boolean), true, profile);
    accepted += good.length;
    for (const [i, item] of bad.entries()) {
      const others = Array.from({ length: 7 }, (_, j) => good[(i * 7 + j) % good.length]);
      const verdicts = await fast.verifyBatch([...others.slice(0, i % 8), item, ...others.slice(i % 8)], { profile });
      assert.deepEqual(verdicts, verdicts.map((_, j) => j != i % 8), `${profile}, ${i}`);
      refused++;
    }
  }
  assert.ok(accepted > 1000 && refused > 1000, `${accepted}, ${refused}`);
});

test('contexts and prehashing: the vectors', async () => {
  let count = 0;
  for (const file of ['rfc8032.json', 'ed25519_sign.json'])
    for (const vector of own(file).cases) {
      if (vector.scheme == 'ed25519') continue;
      const [message, context] = [hex(vector.message), hex(vector.context)];
      const { secretKey, publicKey } = await small.keyPairFromSeed(hex(vector.seed));
      const other = utf8('another context');
      if (vector.scheme == 'ed25519ctx') {
        const signature = await more.signWithContext(message, secretKey, context);
        assert.equal(toHex(signature), vector.signature, vector.name);
        const verify = (c) => more.verifyWithContext(message, signature, publicKey, c);
        assert.equal(await verify(context), true);
        assert.equal(await verify(other), false);
      } else {
        assert.equal(vector.scheme, 'ed25519ph');
        const signature = await more.signPrehashed(message, secretKey, { context });
        assert.equal(toHex(signature), vector.signature, vector.name);
        const verify = (m, c) => more.verifyPrehashed(m, signature, publicKey, { context: c });
        assert.equal(await verify([message.subarray(0, 1), message.subarray(1)], context), true);
        assert.equal(await verify(message, other), false);
        assert.equal(await small.verify(message, signature, publicKey), false);
      }
      count++;
    }
  assert.ok(count > 5, `${count} vectors`);
  const { secretKey } = await small.newKeyPair();
  await assert.rejects(more.signWithContext(utf8(''), secretKey, new Uint8Array(256)), RangeError);
});

test('streams: the same signatures, in whatever pieces', async () => {
  const { secretKey, publicKey } = await small.keyPairFromSeed(new Uint8Array(32).fill(2));
  const next = words(11);
  const message = randomBytes(next, 70000);
  const pieces = [];
  for (let at = 0; at < message.length; ) {
    const length = next() % 9000;
    pieces.push(message.subarray(at, at + length));
    at += length;
  }
  async function* iterate() {
    yield* pieces;
  }
  const stream = () => new Blob(pieces).stream();
  const signature = await small.sign(message, secretKey);
  // A stream of an engine that cannot iterate over it; cancelled when it has been read.
  let cancelled = 0;
  const bare = () => {
    const reader = stream().getReader();
    return {
      getReader: () => ({ read: () => reader.read(), cancel: async () => void cancelled++ }),
    };
  };
  for (const open of [() => pieces, iterate, stream, bare, () => message]) {
    assert.deepEqual(await more.signStream(open, secretKey), signature);
    assert.equal(await more.verifyStream(open(), signature, publicKey), true);
  }
  assert.equal(cancelled, 3);
  const verifier = await more.createVerifier(signature, publicKey);
  for (const piece of pieces) verifier.update(piece);
  assert.equal(verifier.verify(), true);
  assert.throws(() => verifier.verify(), TypeError);
  assert.throws(() => verifier.update(message), TypeError);
  assert.equal(await more.verifyStream(pieces.slice(1), signature, publicKey), false);
  assert.equal(await more.verifyStream(pieces, signature.slice(1), publicKey), false);
  assert.equal(await more.verifyStream(pieces, plusOrder(signature), publicKey), false);
  // Many at once: each has its own state.
  const all = await Promise.all([1, 2, 3].map(() => more.signStream(iterate, secretKey)));
  for (const one of all) assert.deepEqual(one, signature);
  let times = 0;
  const changing = () => [message, Uint8Array.of(times++)];
  await assert.rejects(more.signStream(changing, secretKey), /changed/);
  await assert.rejects(more.signStream(() => ['text'], secretKey), TypeError);
  const swapped = Uint8Array.from(secretKey);
  swapped[40] ^= 1;
  await assert.rejects(more.signStream(() => pieces, swapped), RangeError);
});
