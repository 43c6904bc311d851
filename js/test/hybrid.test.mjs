// Hybrid signatures: the vectors of the specification, what is refused, and what is left of the secrets of the halves.
import assert from 'node:assert/strict';
import test from 'node:test';
import { own, hex, toHex, utf8 } from './support.mjs';

// Every array that the package makes from here on is remembered while `watched` is one, and every module's memory.
let watched;
const Plain = Uint8Array;
globalThis.Uint8Array = class Uint8Array extends Plain {
  constructor(...args) {
    super(...args);
    watched?.push(this);
  }
};
const memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  if (result.instance) memories.push(result.instance.exports.memory);
  return result;
};
const { hybrid512, hybrid1024 } = await import('lanner/hybrid');
const { fndsa512, fndsa1024 } = await import('lanner/fn-dsa');
const { keyPairFromSeed, verify } = await import('lanner');
const { ed25519 } = await import('@noble/curves/ed25519.js');

const cases = own('hybrid.json').map((it) => {
  const [seed, message, context, signature, publicKey, representative] = [
    it.seed, it.message, it.context, it.signature, it.verifying_key, it.representative,
  ].map(hex);
  const large = it.algorithm.endsWith('1024');
  const [scheme, half] = large ? [hybrid1024, fndsa1024] : [hybrid512, fndsa512];
  const label = utf8(`Ed25519+FN-DSA-${large ? 1024 : 512}-main-SHA512`);
  const halves = [it.ed25519_seed, it.fn_dsa_seed].map(hex);
  return { scheme, half, label, halves, seed, message, context, signature, publicKey, representative };
});

test('the vectors of the specification', async () => {
  assert.ok(cases.length >= 6);
  for (const { scheme, half, label, halves, seed, message, context, signature, publicKey, representative } of cases) {
    const pair = await scheme.keyPairFromSeed(seed);
    assert.deepEqual([toHex(pair.publicKey), toHex(pair.secretKey)], [toHex(publicKey), toHex(seed)]);
    assert.deepEqual(scheme.lengths, {
      publicKey: publicKey.length, secretKey: seed.length, seed: seed.length, signature: signature.length,
    });
    assert.equal(await scheme.verify(message, signature, publicKey, { context }), true);
    const mine = await scheme.sign(message, seed, { context });
    assert.equal(mine.length, signature.length);
    // The half of Ed25519 is the same, that of FN-DSA is another one each time.
    assert.equal(toHex(mine.slice(0, 64)), toHex(signature.slice(0, 64)));
    assert.notEqual(toHex(mine), toHex(signature));
    assert.equal(await scheme.verify(message, mine, publicKey, { context }), true);
    // Each half is what its scheme makes of the representative, with the key that the seed of the half is.
    assert.equal(toHex((await keyPairFromSeed(halves[0])).publicKey), toHex(publicKey.slice(0, 32)));
    assert.equal(toHex((await half.keyPairFromSeed(halves[1])).publicKey), toHex(publicKey.slice(32)));
    assert.equal(await verify(representative, mine.slice(0, 64), publicKey.slice(0, 32)), true);
    assert.equal(await half.verify(representative, mine.slice(64), publicKey.slice(32), { context: label }), true);
    assert.equal(await half.verify(representative, mine.slice(64), publicKey.slice(32)), false);
  }
  const [small, large] = [cases[0], cases.find(({ scheme }) => scheme == hybrid1024)];
  assert.equal(toHex(small.seed), toHex(large.seed));
  assert.notEqual(toHex(small.publicKey.slice(0, 32)), toHex(large.publicKey.slice(0, 32)));
});

test('everything counts', async () => {
  for (const scheme of [hybrid512, hybrid1024]) {
    const { publicKey, secretKey } = await scheme.newKeyPair();
    const message = utf8('message');
    const signature = await scheme.sign(message, secretKey);
    assert.equal(await scheme.verify(message, signature, publicKey), true);
    assert.equal(await scheme.verify(message, signature, publicKey, { context: new Plain() }), true);
    for (const at of [0, 40, 63, 64, 104, 400, scheme.lengths.signature - 1]) {
      const bad = signature.slice();
      bad[at] ^= 1;
      assert.equal(await scheme.verify(message, bad, publicKey), false, `${at}`);
    }
    const lengths = [signature.slice(1), signature.slice(0, 64), signature.slice(0, -1), new Plain(), Plain.of(...signature, 0)];
    for (const bad of lengths) assert.equal(await scheme.verify(message, bad, publicKey), false, `${bad.length}`);
    assert.equal(await scheme.verify(utf8('massage'), signature, publicKey), false);
    assert.equal(await scheme.verify(message, signature, publicKey, { context: utf8('x') }), false);
    // Halves of two signatures of one key do, those of two messages or of two keys do not.
    const halves = (first, second) => Plain.of(...first.slice(0, 64), ...second.slice(64));
    const again = await scheme.sign(message, secretKey);
    assert.equal(await scheme.verify(message, halves(signature, again), publicKey), true);
    const other = await scheme.sign(utf8('other'), secretKey);
    assert.equal(await scheme.verify(message, halves(signature, other), publicKey), false);
    assert.equal(await scheme.verify(message, halves(other, signature), publicKey), false);
    const another = await scheme.newKeyPair();
    const mixed = Plain.of(...publicKey.slice(0, 32), ...another.publicKey.slice(32));
    const theirs = await scheme.sign(message, another.secretKey);
    assert.equal(await scheme.verify(message, halves(signature, theirs), mixed), false);
    // No half is a signature of the message or of its hash.
    const digest = new Plain(await crypto.subtle.digest('SHA-512', message));
    const half = scheme == hybrid512 ? fndsa512 : fndsa1024;
    for (const signed of [message, digest]) {
      assert.equal(await verify(signed, signature.slice(0, 64), publicKey.slice(0, 32)), false);
      assert.equal(await half.verify(signed, signature.slice(64), publicKey.slice(32)), false);
    }
  }
});

test('what is no key is an error, whatever the signature is', async () => {
  const scheme = hybrid512;
  const { publicKey, secretKey } = await scheme.newKeyPair();
  const message = utf8('message');
  const signature = await scheme.sign(message, secretKey);
  const changed = (text, at = 0) => {
    const key = publicKey.slice();
    key.set(hex(text), at);
    return key;
  };
  let noPoint;
  for (let i = 2; !noPoint; i++)
    try {
      ed25519.Point.fromBytes(Plain.of(i, ...new Plain(31)));
    } catch {
      noPoint = i.toString(16).padStart(2, '0') + '00'.repeat(31);
    }
  const keys = {
    'a header that is none': changed('0a', 32),
    'a coefficient of 12289 or more': changed('ff'.repeat(4), 33),
    'y of p + 3, which is on the curve': changed('f0' + 'ff'.repeat(30) + '7f'),
    'the same with the other sign': changed('f0' + 'ff'.repeat(31)),
    'no point': changed(noPoint),
    'the neutral element': changed('01' + '00'.repeat(31)),
    'order 2': changed('ec' + 'ff'.repeat(30) + '7f'),
    'order 4': changed('00'.repeat(32)),
    'order 8': changed('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
  };
  ed25519.Point.fromBytes(hex('03' + '00'.repeat(31)));
  const wrong = { name: 'RangeError', message: 'publicKey is not a key' };
  let read = 0;
  const counted = function* () {
    read++;
    yield message;
  };
  for (const [name, key] of Object.entries(keys)) {
    for (const given of [signature, signature.slice(1), new Plain(), new Plain(signature.length)])
      await assert.rejects(scheme.verify(message, given, key), wrong, name);
    await assert.rejects(scheme.verifyBatch([{ message, signature, publicKey }, { message, signature, publicKey: key }]), wrong, name);
    await assert.rejects(scheme.verifyStream(counted(), signature, key), wrong, name);
  }
  assert.equal(read, 0);
  await assert.rejects(scheme.verify(message, signature, publicKey.slice(1)), { name: 'RangeError', message: 'publicKey must have 929 bytes, not 928' });
});

test('contexts, options and signers', async () => {
  const scheme = hybrid512;
  const { publicKey, secretKey } = await scheme.newKeyPair();
  const [message, context] = [utf8('message'), new Plain(255).fill(1)];
  const signer = await scheme.createSigner(secretKey);
  const signature = await signer.sign(message, { context });
  assert.equal(await scheme.verify(message, signature, publicKey, { context }), true);
  assert.equal(await scheme.verify(message, signature, publicKey), false);
  assert.deepEqual(await scheme.verifyBatch([{ message, signature, publicKey }], { context }), [true]);
  const calls = [
    (options) => scheme.sign(message, secretKey, options),
    (options) => scheme.signStream([message], secretKey, options),
    (options) => signer.sign(message, options),
    (options) => signer.signStream([message], options),
    (options) => scheme.verify(message, signature, publicKey, options),
    (options) => scheme.verifyBatch([], options),
    (options) => scheme.verifyStream([message], signature, publicKey, options),
  ];
  for (const call of calls) {
    await assert.rejects(call({ context: new Plain(256) }), { name: 'RangeError', message: 'context must have at most 255 bytes' });
    await assert.rejects(call({ context: 'text' }), { name: 'TypeError', message: 'context must be a Uint8Array' });
    await assert.rejects(call({ prehash: 'sha256' }), { name: 'TypeError', message: 'no option prehash' });
    await assert.rejects(call('text'), { name: 'TypeError', message: 'options must be an object' });
    await call({ context: undefined });
  }
  // The public key that is signed for is the signer's own, whatever becomes of the array.
  signer.publicKey.fill(0);
  assert.equal(await scheme.verify(message, await signer.sign(message), publicKey), true);
  signer.wipe();
  await assert.rejects(signer.sign(message), { name: 'TypeError', message: 'signer has been wiped' });
});

test('a secret key that was made for one degree is refused by the other: it would be another key there', async () => {
  const { fromPkcs8, toPkcs8 } = await import('lanner/fn-dsa/keys');
  for (const [scheme, other] of [[hybrid512, hybrid1024], [hybrid1024, hybrid512]]) {
    const seed = new Plain(32).fill(3);
    const message = utf8('message');
    const pair = await scheme.keyPairFromSeed(seed);
    const made = [
      pair.secretKey, (await scheme.newKeyPair()).secretKey, (await scheme.keyPairFromSecretKey(seed)).secretKey,
      (await fromPkcs8(await toPkcs8(pair.secretKey, scheme), scheme)).secretKey,
    ];
    for (const secretKey of made) {
      await scheme.keyPairFromSeed(secretKey);
      for (const [what, call] of [
        ['secretKey', () => other.sign(message, secretKey)],
        ['secretKey', () => other.signChecked(message, secretKey)],
        ['secretKey', () => other.signStream([message], secretKey)],
        ['secretKey', () => other.createSigner(secretKey)],
        ['secretKey', () => other.keyPairFromSecretKey(secretKey)],
        ['secretKey', () => toPkcs8(secretKey, other)],
        ['seed', () => other.keyPairFromSeed(secretKey)],
      ])
        await assert.rejects(call(), { name: 'RangeError', message: `${what} was made for ${scheme.name}, not for ${other.name}` });
      // Its octets do not tell.
      await other.keyPairFromSecretKey(new Plain(secretKey));
    }
  }
});

test('messages in pieces: the same as whole ones, and what fails is an error of the promise alone', async () => {
  const unhandled = [];
  process.on('unhandledRejection', (error) => unhandled.push(error));
  const scheme = hybrid512;
  const { publicKey, secretKey } = await scheme.newKeyPair();
  const message = new Plain(100_000).map((_, i) => i);
  const halves = [message.subarray(0, 70_000), message.subarray(70_000)];
  const sources = [
    message,
    halves,
    new Blob([message]).stream(),
    () => halves,
    async () => new Blob([message]).stream(),
    (async function* () {
      for (const half of halves) {
        await new Promise((resolve) => setTimeout(resolve));
        yield half;
      }
    })(),
  ];
  const signer = await scheme.createSigner(secretKey);
  const whole = await scheme.sign(message, secretKey);
  for (const source of sources) {
    const again = source instanceof ReadableStream || Symbol.asyncIterator in source ? () => halves : source;
    const made = await scheme.signStream(source, secretKey);
    assert.equal(toHex(made.slice(0, 64)), toHex(whole.slice(0, 64)));
    for (const signature of [made, await signer.signStream(again)]) {
      assert.equal(await scheme.verify(message, signature, publicKey), true);
      assert.equal(await scheme.verifyStream(again, signature, publicKey), true);
      assert.equal(await scheme.verifyStream([...halves].reverse(), signature, publicKey), false);
    }
  }
  const closed = () => new Promise((_, reject) => setTimeout(reject, 1, Error('closed')));
  for (const open of [closed, () => Promise.reject(Error('closed')), () => { throw Error('closed'); }, () => (function* () { throw Error('closed'); })()])
    for (const call of [
      () => scheme.signStream(open, secretKey),
      () => signer.signStream(open),
      () => scheme.verifyStream(open, whole, publicKey),
    ])
      await assert.rejects(call, /^Error: closed$/);
  // The error is of the key, and what its opening comes to is nobody's.
  await assert.rejects(scheme.verifyStream(() => Promise.reject(Error('closed')), whole, new Plain(929)), RangeError);
  await assert.rejects(scheme.signStream(['text'], secretKey), { name: 'TypeError', message: 'piece must be a Uint8Array' });
  signer.wipe();
  await assert.rejects(signer.signStream(message), /wiped/);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(unhandled, []);
});

test('nothing is left of the secrets of either half', async () => {
  for (const { scheme, half, halves, seed, message, context, publicKey } of cases) {
    const secrets = [seed, ...halves];
    for (const one of halves) secrets.push((await half.keyPairFromSeed(one)).secretKey);
    const found = (bytes) =>
      secrets.some((secret) => {
        for (let i = 0; i + 16 <= Math.min(secret.length, 64); i += 16) if (bytes.includes(secret.subarray(i, i + 16))) return true;
        return false;
      });
    const ways = {
      keyPairFromSeed: async () => void (await scheme.keyPairFromSeed(seed)).secretKey.fill(0),
      sign: () => scheme.sign(message, seed, { context }),
      'sign, refused': () => scheme.sign(message, seed, { contexts: context }).catch(() => {}),
      signStream: () => scheme.signStream([message], seed),
      'signStream, closed': () => scheme.signStream(() => Promise.reject(Error('closed')), seed).catch(() => {}),
      createSigner: async () => {
        const signer = await scheme.createSigner(seed);
        const [first, second] = [signer.sign(message), signer.signStream([message])];
        signer.wipe();
        // What was begun before is signed all the same.
        for (const pending of [first, second]) assert.equal(await scheme.verify(message, await pending, publicKey), true);
      },
    };
    for (const [name, run] of Object.entries(ways)) {
      watched = [];
      await run();
      const arrays = watched;
      watched = undefined;
      const left = arrays.filter((array) => array.length && found(Buffer.from(array.buffer, array.byteOffset, array.byteLength)));
      assert.equal(left.length, 0, `${name}: ${left.length} arrays of ${left.map(({ length }) => length)}`);
      assert.equal(memories.some(({ buffer }) => found(Buffer.from(buffer))), false, name);
    }
  }
  assert.ok(memories.length >= 2, `${memories.length} modules`);
  // The search finds what is there: a signer that is not wiped keeps both keys.
  const [{ seed, halves }] = cases;
  watched = [];
  const signer = await hybrid512.createSigner(seed);
  const arrays = watched;
  watched = undefined;
  assert.ok(arrays.some((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).includes(halves[0])));
  signer.wipe();
});
