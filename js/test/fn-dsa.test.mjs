// FN-DSA and Falcon: signers, hashes in place of messages, the bits of the other faces, what stays behind.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import test from 'node:test';
import { outside, hex, randomBytes, toHex, utf8, words } from './support.mjs';

// The module that is loaded from here on is watched.
let memory;
let initial;
const watch = (instance) => {
  memory = instance.exports.memory;
  initial = memory.buffer.byteLength;
  return instance;
};
const { Instance, instantiate } = WebAssembly;
WebAssembly.Instance = function (...args) {
  return watch(new Instance(...args));
};
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  watch(result.instance);
  return result;
};
const fndsa = await import('lanner/fn-dsa');
const schemes = Object.entries(fndsa);

/** Bytes of the hash values. */
const PREHASHES = {
  sha256: 32,
  sha384: 48,
  sha512: 64,
  'sha512-256': 32,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
  shake128: 32,
  shake256: 64,
};

/** What crates/fn-dsa/tests/faces.rs has: variant, hash function, half of SHA-256 of the signature. */
const KNOWN = [
  ['fndsa512', '', 'b973e1cfe7b439414bc5cefd31207e52'],
  ['fndsa512draft2026', '', 'fb5c9376063814b2b64bbd3c1ed653f9'],
  ['fndsa512', 'sha256', '42f2774b74c6542618110387baa506b7'],
  ['fndsa512draft2026', 'sha256', '3089af6b049f57d8631db3a2135f42b0'],
  ['fndsa512', 'sha384', 'f3728479fb44f2c7569f807564d9d32f'],
  ['fndsa512draft2026', 'sha384', 'effa7b1c5769bcf7dc566e7b90ab22c2'],
  ['fndsa512', 'sha512', '9f4877563f1b8615d4536aa83a57d7fe'],
  ['fndsa512draft2026', 'sha512', '6156ef04b2813d69f2413073671ddf1a'],
  ['fndsa512', 'sha512-256', 'dd26d1808ac6b7dfeee49c22e702c29d'],
  ['fndsa512draft2026', 'sha512-256', 'cb759b308da56b5df0c8fbb2a0e155b4'],
  ['fndsa512', 'sha3-256', '81d413a6ce5f1dc9df3a70e503cac0b2'],
  ['fndsa512draft2026', 'sha3-256', 'cfdc7273c87dc91fd5c01d28f6b2c966'],
  ['fndsa512', 'sha3-384', 'a6d4104dd3c0767b660bf02a1091d183'],
  ['fndsa512draft2026', 'sha3-384', '4fbb65e6e44e1da90cea6546745232b6'],
  ['fndsa512', 'sha3-512', '06b3e2cc6ed0abb255909d89841114bb'],
  ['fndsa512draft2026', 'sha3-512', '49c19a114b321fe7737b2c7ff4d29eac'],
  ['fndsa512', 'shake128', '5d9d740a2c32bcdfe1a6db522581352c'],
  ['fndsa512draft2026', 'shake128', '5bbb2ba93ec14e681cdd0b1aecf61d64'],
  ['fndsa512', 'shake256', '13ba90ecbc05bc408d2fffecc052a423'],
  ['fndsa512draft2026', 'shake256', '5f93f0e3e1d425a073bd1cf73bd68f7c'],
  ['fndsa512draft2026', 'mu', 'add18232dd578c4e15c66b990f9bf72b'],
  ['falcon512', '', '111efbeda8eb8219f8b744021e8459c6'],
  ['falcon512padded', '', '30151cf390edc41d10a700edd427468d'],
  ['falcon512ct', '', '315e95fb6f27306a0574951cd62b41d8'],
  ['fndsa1024', '', '91c4f716332860af86c03885766aa571'],
  ['fndsa1024draft2026', '', '76b0eb367778b2ae282463845b3389a3'],
  ['fndsa1024', 'sha256', 'f6305ff966501ef38324eed25f365c7b'],
  ['fndsa1024draft2026', 'sha256', 'a18473b5f2d6541ff4c5b9d9afdef6a6'],
  ['fndsa1024', 'sha384', 'f9920c36a34d0cd907d17cd9fe65b92d'],
  ['fndsa1024draft2026', 'sha384', '4e4cb43dfee8f83d27161bbfcf02b5db'],
  ['fndsa1024', 'sha512', 'edf54c824554add464b820f7c76e3186'],
  ['fndsa1024draft2026', 'sha512', '1d83a64283c55a2cba45a82020b4fc8e'],
  ['fndsa1024', 'sha512-256', '9a5beb8006fe8db8e70cd7fe29e6f1de'],
  ['fndsa1024draft2026', 'sha512-256', '4e03fb97fa0a1a132bf71b8ddee9da42'],
  ['fndsa1024', 'sha3-256', '195cbc15b0cfd14cef0390ff4743429c'],
  ['fndsa1024draft2026', 'sha3-256', 'a8a06ed23a0da9014a1dc23968064cff'],
  ['fndsa1024', 'sha3-384', 'ee75287065fc1a2c5dc883120a49bf90'],
  ['fndsa1024draft2026', 'sha3-384', 'fcfaf552f2a827da3236119ad344353a'],
  ['fndsa1024', 'sha3-512', '5f1a9b59929cf226b20c65d1ec348271'],
  ['fndsa1024draft2026', 'sha3-512', 'c4b0a3caf3effd90f362a479b160d956'],
  ['fndsa1024', 'shake128', '000eace07d6adb61c520c6e6f5659ca3'],
  ['fndsa1024draft2026', 'shake128', '2c9c72981c24b31473121bbdf92e799b'],
  ['fndsa1024', 'shake256', '8d5e6a0006df878e525432ae09bc9bcf'],
  ['fndsa1024draft2026', 'shake256', '241cf1be692721da0f81f13319a2c4dd'],
  ['fndsa1024draft2026', 'mu', '5abf4bb72fe1627370266321471eaa51'],
  ['falcon1024', '', '06482bb785e9393210b888f864540289'],
  ['falcon1024padded', '', '83b5fab4fd61fc96b8660958639054a5'],
  ['falcon1024ct', '', '7928830179929e4ebb818ecb65bfccbf'],
];

const counting = (length) => Uint8Array.from({ length }, (_, i) => i);

test('FN-DSA: the signatures of the other faces, bit for bit', async () => {
  const { getRandomValues } = globalThis.crypto;
  const keys = {};
  for (const [name, scheme] of schemes)
    keys[name] = await scheme.keyPairFromSeed(new Uint8Array(32).fill(5));
  // The one source of randomness, and no other.
  globalThis.crypto.getRandomValues = (array) => array.fill(7);
  const kinds = new Set();
  try {
    for (const [name, prehash, expected] of KNOWN) {
      const scheme = fndsa[name];
      const { secretKey, publicKey } = keys[name];
      const message = counting(PREHASHES[prehash] ?? (prehash ? 64 : 100));
      const options = {
        ...(prehash && { prehash }),
        ...(prehash != 'mu' && name.startsWith('fndsa') && { context: utf8('context') }),
      };
      const signature = await scheme.sign(message, secretKey, options);
      const digest = crypto.createHash('sha256').update(signature).digest('hex').slice(0, 32);
      assert.equal(digest, expected, `${name} ${prehash}`);
      assert.equal(await scheme.verify(message, signature, publicKey, options), true);
      const signer = await scheme.createSigner(secretKey);
      assert.deepEqual(await signer.sign(message, options), signature);
      kinds.add(`${name} ${prehash}`);
    }
  } finally {
    globalThis.crypto.getRandomValues = getRandomValues;
  }
  assert.equal(kinds.size, KNOWN.length);
  assert.ok(kinds.size > 40);
});

test('FN-DSA: a hash in place of a message', async () => {
  const message = utf8('message');
  for (const name of ['fndsa512', 'fndsa1024draft2026']) {
    const scheme = fndsa[name];
    const { publicKey, secretKey } = await scheme.newKeyPair();
    const value = new Uint8Array(crypto.createHash('sha256').update(message).digest());
    const signature = await scheme.sign(value, secretKey, { prehash: 'sha256' });
    const check = (what, options) => scheme.verify(what, signature, publicKey, options);
    assert.equal(await check(value, { prehash: 'sha256' }), true);
    // Another function of the same length, none, and the message itself.
    assert.equal(await check(value, { prehash: 'sha3-256' }), false);
    assert.equal(await check(value), false);
    assert.equal(await check(message), false);
    assert.equal(await check(value, { prehash: 'sha256', context: utf8('c') }), false);
    for (const [prehash, length] of Object.entries(PREHASHES)) {
      const wrong = new Uint8Array(length + 1);
      const expected = {
        name: 'RangeError',
        message: `message, which is a hash by ${prehash}, must have ${length} bytes, not ${length + 1}`,
      };
      await assert.rejects(scheme.sign(wrong, secretKey, { prehash }), expected);
      await assert.rejects(scheme.verify(wrong, signature, publicKey, { prehash }), expected);
    }
    for (const prehash of ['SHA-256', 'md5', '', 7])
      await assert.rejects(scheme.sign(value, secretKey, { prehash }), /no prehash/);
  }
  const falcon = await fndsa.falcon512.newKeyPair();
  await assert.rejects(
    fndsa.falcon512.sign(new Uint8Array(32), falcon.secretKey, { prehash: 'sha256' }),
    /Falcon has no prehash/,
  );
});

test('FN-DSA: mu, computed elsewhere', async () => {
  const shake = (...parts) => {
    const hash = crypto.createHash('shake256', { outputLength: 64 });
    parts.forEach((part) => hash.update(part));
    return new Uint8Array(hash.digest());
  };
  const scheme = fndsa.fndsa512draft2026;
  const { publicKey, secretKey } = await scheme.newKeyPair();
  const [message, context] = [utf8('message'), utf8('context')];
  const mu = shake(shake(publicKey), Uint8Array.of(0, context.length), context, message);
  const plain = await scheme.sign(message, secretKey, { context });
  assert.equal(await scheme.verify(mu, plain, publicKey, { prehash: 'mu' }), true);
  const signature = await scheme.sign(mu, secretKey, { prehash: 'mu' });
  assert.equal(await scheme.verify(message, signature, publicKey, { context }), true);
  assert.equal(await scheme.verify(message, signature, publicKey), false);
  await assert.rejects(scheme.sign(mu, secretKey, { prehash: 'mu', context }), /context in it/);
  await assert.rejects(scheme.sign(mu.subarray(1), secretKey, { prehash: 'mu' }), /64 bytes/);
  const main = await fndsa.fndsa512.newKeyPair();
  await assert.rejects(fndsa.fndsa512.sign(mu, main.secretKey, { prehash: 'mu' }), /no prehash/);
  const file = outside('fndsa/pornin-fn-dsa-0.4.0-extmu-512.json');
  for (const vector of file ? JSON.parse(file).vectors : []) {
    const [given, theirs] = [hex(vector.mu), hex(vector.sig)];
    const check = () => scheme.verify(given, theirs, hex(vector.vk), { prehash: 'mu' });
    assert.equal(await check(), true);
    given[0] ^= 1;
    assert.equal(await check(), false);
  }
});

test('FN-DSA: signers', async () => {
  for (const [name, scheme] of schemes) {
    const { publicKey, secretKey } = await scheme.newKeyPair();
    const copy = secretKey.slice();
    const signer = await scheme.createSigner(copy);
    assert.deepEqual(signer.publicKey, publicKey, name);
    // The signer has a copy of its own.
    copy.fill(0);
    const other = await scheme.createSigner((await scheme.newKeyPair()).secretKey);
    for (const length of [0, 1, 5000]) {
      const message = new Uint8Array(length).fill(length);
      const [signature, second, foreign] = await Promise.all([
        signer.sign(message), signer.sign(message), other.sign(message),
      ]);
      assert.notDeepEqual(signature, second);
      for (const own of [signature, second])
        assert.equal(await scheme.verify(message, own, publicKey), true, name);
      assert.equal(await scheme.verify(message, foreign, publicKey), false);
    }
    signer.wipe();
    signer.wipe();
    await assert.rejects(signer.sign(utf8('m')), /^TypeError: signer has been wiped$/);
    assert.ok(await other.sign(utf8('m')));
    const { secretKey: length } = scheme.lengths;
    await assert.rejects(scheme.createSigner(new Uint8Array(length)), /not a key/);
    await assert.rejects(scheme.createSigner(new Uint8Array(length - 1)), {
      name: 'RangeError',
      message: `secretKey must have ${length} bytes, not ${length - 1}`,
    });
    await assert.rejects(other.sign('m'), TypeError);
    secretKey[secretKey.length >> 1] ^= 1;
    await assert.rejects(scheme.createSigner(secretKey), /not a key/);
  }
});

/** What is not zero in the memory that calls use: the stack, and behind what the module begins with. */
const left = () => {
  const bytes = new Uint8Array(memory.buffer);
  const stack = bytes.subarray(0, 524288).findLastIndex((octet) => octet);
  const behind = bytes.subarray(initial).findIndex((octet) => octet);
  return { stack, behind };
};

test('FN-DSA: every call leaves zeros', async () => {
  const next = words(43);
  const clean = { stack: -1, behind: -1 };
  for (const [name, scheme] of schemes) {
    const looked = async (call) => {
      const result = await call;
      assert.deepEqual(left(), clean, name);
      return result;
    };
    for (let i = 0; i < 5; i++) {
      const { publicKey, secretKey } = await looked(scheme.newKeyPair());
      const message = randomBytes(next, 200);
      await looked(scheme.keyPairFromSecretKey(secretKey));
      const signer = await looked(scheme.createSigner(secretKey));
      await looked(signer.sign(message));
      const signature = await looked(scheme.sign(message, secretKey));
      assert.equal(await looked(scheme.verify(message, signature, publicKey)), true);
      signature[99] ^= 1;
      assert.equal(await looked(scheme.verify(message, signature, publicKey)), false);
      await assert.rejects(scheme.sign(message, new Uint8Array(secretKey.length)), RangeError);
      assert.deepEqual(left(), clean);
    }
  }
  // The search finds something.
  const bytes = new Uint8Array(memory.buffer);
  bytes[1000] = 1;
  bytes[initial + 1] = 1;
  assert.deepEqual(left(), { stack: 1000, behind: 1 });
  bytes[1000] = bytes[initial + 1] = 0;
  assert.match(toHex(bytes.subarray(0, 4)), /^0+$/);
});

test('FN-DSA: long messages come in pieces, and the memory stays as small as it was', async () => {
  const { falcon512padded: theirs } = await import('@noble/post-quantum/falcon.js');
  const next = words(47);
  const whole = randomBytes(next, 300_000);
  for (const [name, scheme] of schemes) {
    const { publicKey, secretKey } = await scheme.newKeyPair();
    const signer = await scheme.createSigner(secretKey);
    for (const length of [65535, 65536, 65537, 131072, 131073, 300_000]) {
      const message = whole.slice(0, length);
      const signatures = [await scheme.sign(message, secretKey), await signer.sign(message)];
      for (const signature of signatures) {
        assert.equal(await scheme.verify(message, signature, publicKey), true, `${name}, ${length}`);
        if (name == 'falcon512padded') assert.equal(theirs.verify(signature, message, publicKey), true);
        for (const at of [0, 65535, length - 1].filter((at) => at < length)) {
          message[at] ^= 1;
          assert.equal(await scheme.verify(message, signature, publicKey), false, `${name}, ${length}, ${at}`);
          message[at] ^= 1;
        }
        assert.equal(await scheme.verify(message, signature.slice(0, -1), publicKey), false);
        assert.equal(await scheme.verify(message, new Uint8Array(100_000), publicKey), false);
      }
      assert.deepEqual(left(), { stack: -1, behind: -1 });
    }
    await assert.rejects(scheme.verify(whole, new Uint8Array(700), new Uint8Array(publicKey.length)), /not a key/);
  }
  const long = new Uint8Array(40_000_000);
  const { publicKey, secretKey } = await fndsa.fndsa512.newKeyPair();
  const signature = await fndsa.fndsa512.sign(long, secretKey);
  assert.equal(await fndsa.fndsa512.verify(long, signature, publicKey), true);
  const grown = (memory.buffer.byteLength - initial) / 65536;
  assert.ok(grown <= 3, `${grown} pages more`);
});

test('FN-DSA: messages in pieces: the very signatures of whole ones', async () => {
  const next = words(53);
  const whole = randomBytes(next, 200_000);
  const cut = (...at) => [0, ...at].map((from, i) => whole.subarray(from, at[i] ?? whole.length));
  async function* slowly(parts) {
    for (const part of parts) {
      await new Promise((resolve) => setTimeout(resolve));
      yield part;
    }
  }
  const { getRandomValues } = globalThis.crypto;
  for (const [name, scheme] of schemes) {
    const { publicKey, secretKey } = await scheme.keyPairFromSeed(randomBytes(next, 32));
    const signer = await scheme.createSigner(secretKey);
    const options = name.startsWith('falcon') ? {} : { context: utf8('context') };
    const sources = [
      whole,
      cut(1, 135, 136, 137, 65_672, 131_209),
      cut(0, 0, 199_999),
      new Set([whole]),
      slowly(cut(70_000, 70_000)),
      new Blob([whole]).stream(),
      () => cut(5),
      async () => new Blob([whole]).stream(),
    ];
    const again = () => [cut(1000), slowly(cut(136)), () => new Blob([whole]).stream()];
    // All that is random is the same in all of them.
    globalThis.crypto.getRandomValues = (array) => array.fill(9);
    let expected, made;
    try {
      expected = await scheme.sign(whole, secretKey, options);
      // Side by side: they share one instance of the module.
      made = await Promise.all([
        ...sources.map((source) => scheme.signStream(source, secretKey, options)),
        ...again().map((source) => signer.signStream(source, options)),
      ]);
    } finally {
      globalThis.crypto.getRandomValues = getRandomValues;
    }
    for (const signature of made) assert.deepEqual(signature, expected, name);
    const verdicts = [...again(), cut(3).reverse(), [whole, Uint8Array.of(0)], []].map((source) =>
      scheme.verifyStream(source, expected, publicKey, options));
    assert.deepEqual(await Promise.all(verdicts), [true, true, true, false, false, false], name);
    const empty = await scheme.signStream([], secretKey, options);
    assert.equal(await scheme.verify(new Uint8Array(), empty, publicKey, options), true, name);
    if (options.context) assert.equal(await scheme.verifyStream([whole], expected, publicKey), false, name);
    // A signature that is none reads its message to the end all the same.
    let read = 0;
    const counted = (function* () {
      for (const part of cut(5, 6)) {
        read++;
        yield part;
      }
    })();
    assert.equal(await scheme.verifyStream(counted, new Uint8Array(5000), publicKey, options), false);
    assert.equal(read, 3);
    const rejects = (call, expected) => assert.rejects(async () => call(), expected, name);
    await rejects(() => scheme.signStream([whole], secretKey, { prehash: 'sha256' }), { name: 'TypeError', message: 'no option prehash' });
    await rejects(() => scheme.verifyStream([whole], expected, publicKey, { prehash: 'sha256' }), /no option prehash/);
    await rejects(() => scheme.signStream(['text'], secretKey), { name: 'TypeError', message: 'piece must be a Uint8Array' });
    await rejects(() => scheme.verifyStream('text', expected, publicKey), { name: 'TypeError' });
    await rejects(() => scheme.signStream([whole], secretKey.slice(1)), /secretKey must have/);
    await rejects(() => scheme.signStream([whole], new Uint8Array(secretKey.length)), /secretKey is not a key/);
    await rejects(() => scheme.verifyStream([whole], expected, new Uint8Array(publicKey.length)), /publicKey is not a key/);
    await rejects(() => scheme.signStream(() => Promise.reject(Error('closed')), secretKey), /closed/);
    signer.wipe();
    await rejects(() => signer.signStream([whole]), /^TypeError: signer has been wiped$/);
    assert.deepEqual(left(), { stack: -1, behind: -1 });
  }
});

test('Falcon: a signature is valid in one encoding, and in no other', async () => {
  for (const degree of [512, 1024]) {
    const [free, padded, ct] = ['', 'padded', 'ct'].map((kind) => fndsa[`falcon${degree}${kind}`]);
    const { publicKey, secretKey } = await free.newKeyPair();
    const message = utf8('message');
    const only = async (scheme, signature) => {
      const verdicts = [];
      for (const one of [free, padded, ct]) verdicts.push(await one.verify(message, signature, publicKey));
      // One in some hundred of degree 1024 fills the padded length: then both encodings are the same bytes. A compressed
      // signature never ends with a zero.
      const isWhole = signature.length === padded.lengths.signature && signature.at(-1) !== 0;
      const valid = scheme === padded && isWhole ? [free, padded] : [scheme];
      assert.deepEqual(verdicts, [free, padded, ct].map((one) => valid.includes(one)), `${degree}`);
    };
    let converted = 0;
    for (let i = 0; i < 20; i++) {
      const one = await padded.sign(message, secretKey);
      await only(padded, one);
      // Anybody can take the padding away, or part of it.
      const end = one.findLastIndex((byte) => byte) + 1;
      if (end < one.length) {
        const stripped = one.slice(0, end);
        await only(free, stripped);
        converted++;
        if (end + 1 < one.length) await only(undefined, one.slice(0, end + 1));
      }
      const two = await free.sign(message, secretKey);
      if (two.length < padded.lengths.signature) {
        await only(free, two);
        const filled = new Uint8Array(padded.lengths.signature);
        filled.set(two);
        await only(padded, filled);
      }
      await only(ct, await ct.sign(message, secretKey));
    }
    assert.ok(converted > 10, `${converted} converted`);
  }
});

test('Falcon and FN-DSA: a key is for one of them', async () => {
  const seed = new Uint8Array(32).fill(9);
  const [main, falcon] = [await fndsa.fndsa512.keyPairFromSeed(seed), await fndsa.falcon512.keyPairFromSeed(seed)];
  assert.deepEqual(main, falcon);
  const message = utf8('m');
  const signature = await fndsa.falcon512padded.sign(message, falcon.secretKey);
  assert.equal(await fndsa.falcon512padded.verify(message, signature, falcon.publicKey), true);
  const [signer, own] = [await fndsa.fndsa512.createSigner(main.secretKey), (await fndsa.fndsa512.keyPairFromSecretKey(main.secretKey)).publicKey];
  const refused = (call, words) => assert.rejects(call, { name: 'RangeError', message: words });
  const [forMain, forFalcon] = [/was made for FN-DSA: a key for Falcon, too, lets others forge/, /was made for Falcon: a key for FN-DSA, too/];
  for (const [scheme, pair, words] of [[fndsa.falcon512, main, forMain], [fndsa.falcon512ct, main, forMain], [fndsa.fndsa512, falcon, forFalcon]]) {
    await refused(scheme.sign(message, pair.secretKey), words);
    await refused(scheme.createSigner(pair.secretKey), words);
    await refused(scheme.keyPairFromSecretKey(pair.secretKey), words);
    await refused(scheme.verify(message, signature, pair.publicKey), words);
  }
  for (const key of [signer.publicKey, own]) await refused(fndsa.falcon512.verify(message, signature, key), forMain);
  // What it is about: a Falcon signature of a chosen message is one of FN-DSA, of what nobody signed.
  const shake = crypto.createHash('shake256', { outputLength: 64 }).update(main.publicKey).digest();
  const chosen = new Uint8Array([...shake, 0, 0, ...utf8('I owe you a horse')]);
  const both = new Uint8Array(falcon.secretKey);
  const forged = await fndsa.falcon512padded.sign(chosen, both);
  assert.equal(await fndsa.fndsa512.verify(utf8('I owe you a horse'), forged, main.publicKey), true);
});
