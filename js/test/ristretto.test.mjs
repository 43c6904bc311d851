// Ristretto255 and hashing to the curves: the vectors of RFC 9496 and RFC 9380, noble and libsodium beside it, and what is
// refused.
import assert from 'node:assert/strict';
import test from 'node:test';
import { inflateRawSync } from 'node:zlib';
import * as group from 'lanner/ristretto';
import * as sync from 'lanner/ristretto/sync';
import { ed25519, ed25519_hasher, ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js';
import { makeGroup, makeRistretto } from '../dist/ristretto-of.js';
import { atOnce } from '../dist/session.js';
import { ORDER, hex, outside, own, randomBytes, toHex, utf8, words } from './support.mjs';

const apis = { group, sync };
const ROUNDS = Math.max(20, Number(process.env.LANNER_TEST_ROUNDS ?? 2000) / 20);
const L = ristretto255.Point.Fn.ORDER;
const number = (bytes) => BigInt('0x' + (toHex(Uint8Array.from(bytes).reverse()) || '0'));
const octets = (value, length = 32) => hex(value.toString(16).padStart(2 * length, '0')).reverse();
const mod = (value) => ((value % L) + L) % L;
const { Point } = ristretto255;
const fails = (call, name, message) => assert.rejects(async () => call(), { name, message });
const zero = new Uint8Array(32);
const one = octets(1n);

test('RFC 9496: encodings, the one-way map, and the group', async () => {
  const { encodings, mapped, group: cases } = own('ristretto255.json');
  assert.ok(encodings.length > 200 && mapped.length > 100 && cases.length > 60);
  for (const api of Object.values(apis)) {
    let valid = 0;
    for (const { bytes, valid: expected, note } of encodings) {
      assert.equal(await api.isElement(hex(bytes)), expected, note);
      valid += expected;
      if (expected) assert.equal(toHex(await api.add(hex(bytes), zero)), bytes, note);
      else {
        // Wherever an element is taken, and in either place.
        const bad = hex(bytes);
        await fails(() => api.add(bad, zero), 'RangeError', 'a encodes no element');
        await fails(() => api.add(zero, bad), 'RangeError', 'b encodes no element');
        await fails(() => api.subtract(zero, bad), 'RangeError', 'b encodes no element');
        await fails(() => api.equals(bad, bad), 'RangeError', 'a encodes no element');
        for (const call of [() => api.negate(bad), () => api.multiply(one, bad), () => api.multiscalar([{ scalar: one, element: zero }, { scalar: one, element: bad }]), () => api.multiscalar([{ scalar: zero, element: bad }])])
          await fails(call, 'RangeError', 'element encodes no element');
      }
    }
    assert.ok(valid > 20 && valid < encodings.length - 50, `${valid} valid`);
    for (const { uniform, element, note } of mapped) assert.equal(toHex(await api.elementFromHash(hex(uniform))), element, note);
    for (const { p, q, scalar, sum, difference, product, of_the_generator: base } of cases) {
      const [a, b, n] = [p, q, scalar].map(hex);
      assert.equal(toHex(await api.add(a, b)), sum);
      assert.equal(toHex(await api.subtract(a, b)), difference);
      assert.equal(await api.equals(a, b), p == q);
      for (const [call, expected] of [[() => api.multiply(n, a), product], [() => api.multiplyBase(n), base]])
        if (expected == toHex(zero)) await fails(call, 'RangeError', 'the product is the neutral element');
        else assert.equal(toHex(await call()), expected);
    }
  }
  // RFC 9496 appendix A.1: the multiples of the base point.
  for (let i = 1n; i < 16n; i++) assert.equal(toHex(await group.multiplyBase(octets(i))), Point.BASE.multiply(i).toHex());
});

/** The suites, and the functions that have them. */
const SUITES = {
  'edwards25519_XMD:SHA-512_ELL2_RO_': 'hashToEdwards25519',
  'edwards25519_XMD:SHA-512_ELL2_NU_': 'encodeToEdwards25519',
  'curve25519_XMD:SHA-512_ELL2_RO_': 'hashToCurve25519',
  'curve25519_XMD:SHA-512_ELL2_NU_': 'encodeToCurve25519',
  'ristretto255_XMD:SHA-512_R255MAP_RO_': 'hashToRistretto255',
};

test('RFC 9380: the project’s vectors', async () => {
  const { cases } = own('hash_to_curve.json');
  const seen = new Set();
  for (const { suite, tag, message, output } of cases)
    for (const api of Object.values(apis)) {
      assert.equal(toHex(await api[SUITES[suite]](hex(message), hex(tag))), output, suite);
      seen.add(suite);
    }
  assert.deepEqual([...seen].sort(), Object.keys(SUITES).sort());
});

test('RFC 9380: the vectors of the RFC', async () => {
  let count = 0;
  for (const [suite, name] of Object.entries(SUITES)) {
    // The RFC has none for Ristretto255.
    if (suite.startsWith('ristretto')) continue;
    const text = outside(`hash-to-curve/${suite.replace(':', '_')}.json`);
    // Without outside data, the test before has the same messages.
    if (!text) continue;
    const { dst, vectors } = JSON.parse(text);
    for (const { msg, P } of vectors) {
      const [x, y] = [BigInt(P.x), BigInt(P.y)];
      const expected = suite.startsWith('curve') ? octets(x) : octets(y | ((x & 1n) << 255n));
      assert.deepEqual(await group[name](utf8(msg), utf8(dst)), expected, `${suite}: ${msg.slice(0, 10)}`);
      count++;
    }
  }
  if (outside('hash-to-curve/edwards25519_XMD_SHA-512_ELL2_RO_.json')) assert.ok(count >= 20, `${count} vectors`);
});

test('RFC 9497 appendix A.1: the key that is derived from its seed, and the blinded element', async () => {
  const message = Uint8Array.of(...new Uint8Array(32).fill(0xa3), 0, 8, ...utf8('test key'), 0);
  const key = await group.hashToScalar(message, utf8('DeriveKeyPairOPRFV1-\0-ristretto255-SHA512'));
  assert.equal(toHex(key), '5ebcea5ee37023ccb9fc2d2019f9d7737be85591ae8652ffa9ef0f4d37063b0e');
  const element = await group.hashToRistretto255(Uint8Array.of(0), utf8('HashToGroup-OPRFV1-\0-ristretto255-SHA512'));
  const blind = hex('64d37aed22a27f5191de1c1d69fadb899d8862b58eb4220029e036ec4c1f6706');
  assert.equal(toHex(await group.multiply(blind, element)), '609a0ae68c15a3cf6903766461307e5c8bb2f95e7e6550e1ffa2dc99e412803c');
});

test('beside noble: elements, scalars and hashes of all lengths', async () => {
  const next = words(91);
  for (let i = 0; i < ROUNDS; i++) {
    const [u, v] = [randomBytes(next, 64), randomBytes(next, 64)];
    const [p, q] = [await group.elementFromHash(u), sync.elementFromHash(v)];
    const [P, Q] = [u, v].map((bytes) => ristretto255_hasher.deriveToCurve(bytes));
    assert.equal(toHex(p), P.toHex());
    assert.equal(toHex(q), Q.toHex());
    assert.equal(toHex(await group.add(p, q)), P.add(Q).toHex());
    assert.equal(toHex(await group.subtract(p, q)), P.subtract(Q).toHex());
    assert.equal(toHex(await group.negate(p)), P.negate().toHex());
    assert.equal(await group.equals(p, q), false);
    assert.equal(await group.equals(await group.subtract(await group.add(p, q), q), p), true);
    // Scalars that are not reduced, too.
    const [x, y] = [randomBytes(next, 32), i % 5 ? randomBytes(next, 32) : octets(L + BigInt(i))];
    const [X, Y] = [number(x), number(y)];
    assert.equal(number(await group.addScalars(x, y)), mod(X + Y));
    assert.equal(number(sync.subtractScalars(x, y)), mod(X - Y));
    assert.equal(number(await group.multiplyScalars(x, y)), mod(X * Y));
    assert.equal(number(sync.negateScalar(x)), mod(-X));
    assert.equal(number(await group.invertScalar(x)), Point.Fn.inv(mod(X)));
    assert.equal(number(sync.reduceScalar(u)), mod(number(u)));
    assert.equal(await group.isScalar(x), X < L);
    // Of these the highest bit does not count.
    const low = mod(X & ((1n << 255n) - 1n));
    assert.equal(toHex(await group.multiply(x, p)), P.multiply(low).toHex());
    assert.equal(toHex(sync.multiplyBase(x)), Point.BASE.multiply(low).toHex());
    const message = randomBytes(next, i * 3);
    const tag = randomBytes(next, 1 + ((i * 7) % 300));
    const DST = tag;
    assert.equal(toHex(await group.hashToRistretto255(message, tag)), ristretto255_hasher.hashToCurve(message, { DST }).toHex());
    assert.equal(number(sync.hashToScalar(message, tag)), ristretto255_hasher.hashToScalar(message, { DST }));
    assert.equal(toHex(sync.hashToEdwards25519(message, tag)), ed25519_hasher.hashToCurve(message, { DST }).toHex());
    assert.equal(toHex(await group.encodeToEdwards25519(message, tag)), ed25519_hasher.encodeToCurve(message, { DST }).toHex());
    for (const name of ['hashTo', 'encodeTo']) {
      const point = await group[`${name}Edwards25519`](message, tag);
      assert.deepEqual(await group[`${name}Curve25519`](message, tag), ed25519.utils.toMontgomery(point));
    }
  }
});

test('beside noble: which bytes are elements, in both directions and around every border', async () => {
  const next = words(92);
  const theirs = (bytes) => {
    try {
      return Point.fromBytes(bytes).toHex() == toHex(bytes);
    } catch {
      return false;
    }
  };
  const p = 2n ** 255n - 19n;
  const candidates = [];
  for (let i = 0n; i < 40n; i++) candidates.push(octets(i), octets(p - i), octets(p + i), octets(2n ** 255n + i), octets(2n ** 256n - 1n - i));
  for (let i = 0; i < 4 * ROUNDS; i++) {
    const random = randomBytes(next, 32);
    // What is neither negative nor too large, half of which is no point.
    if (i % 2) [random[0], random[31]] = [random[0] & 254, random[31] & 127];
    candidates.push(random);
    // A point of the curve and of each of its cosets by points of small order, as Edwards points are encoded.
    if (i < 50) candidates.push(ed25519.getPublicKey(random));
    const element = sync.elementFromHash(randomBytes(next, 64));
    const negative = octets(p - number(element));
    const high = Uint8Array.from(element);
    high[31] |= 128;
    candidates.push(element, negative, high);
  }
  let valid = 0;
  for (const bytes of candidates) {
    const answer = await group.isElement(bytes);
    assert.equal(answer, theirs(bytes), toHex(bytes));
    valid += answer;
  }
  assert.ok(valid > candidates.length / 5 && valid < candidates.length / 1.5, `${valid} of ${candidates.length}`);
});

test('sums of multiples: those of noble, in all sizes, and what they leave to others', async () => {
  const next = words(93);
  const made = Array.from({ length: 40 }, () => {
    const uniform = randomBytes(next, 64);
    return [sync.elementFromHash(uniform), ristretto255_hasher.deriveToCurve(uniform)];
  });
  for (const size of [0, 1, 2, 3, 8, 40, 127, 128, 129, 300, 1025]) {
    const terms = Array.from({ length: size }, (_, i) => {
      const scalar = i % 7 == 5 ? zero : i % 7 == 6 ? octets(number(randomBytes(next, 16))) : randomBytes(next, 32);
      return { scalar, element: i % 11 == 10 ? zero : made[i % 40][0] };
    });
    // Terms of the same element put together, so that noble has less to do.
    const factors = made.map(() => 0n);
    terms.forEach(({ scalar, element }, i) => {
      if (element != zero) factors[i % 40] += number(scalar) & ((1n << 255n) - 1n);
    });
    let expected = Point.ZERO;
    made.forEach(([, point], i) => (expected = expected.add(point.multiplyUnsafe(mod(factors[i])))));
    for (const api of Object.values(apis)) {
      assert.equal(toHex(await api.multiscalar(terms)), expected.toHex(), `of ${size}`);
      // Anything that can be iterated over, once.
      if (size < 10) assert.equal(toHex(await api.multiscalar(terms.values())), expected.toHex(), `of ${size}`);
    }
  }
  const [a] = made[0];
  const cancelling = [{ scalar: one, element: a }, { scalar: octets(L - 1n), element: a }];
  // The neutral element is a sum like any other.
  assert.deepEqual(await group.multiscalar(cancelling), zero);
  assert.deepEqual(sync.multiscalar([]), zero);
  await fails(() => group.multiscalar(), 'TypeError', /iterable|undefined/);
  await fails(() => group.multiscalar([{ scalar: one }]), 'TypeError', 'element must be a Uint8Array');
  await fails(() => group.multiscalar([{ scalar: zero.subarray(1), element: a }]), 'RangeError', 'scalar must have 32 bytes, not 31');
  // A long sum leaves the event loop its turns.
  let [turns, pending] = [0, true];
  const tick = () => {
    turns++;
    if (pending) setImmediate(tick);
  };
  setImmediate(tick);
  await group.multiscalar(Array.from({ length: 2000 }, (_, i) => ({ scalar: one, element: made[i % 40][0] })));
  pending = false;
  assert.ok(turns > 2, `${turns} turns`);
});

test('what is refused: neutral products, inverses of zero, empty tags, other types and lengths', async () => {
  const element = await group.newElement();
  const neutral = 'the product is the neutral element';
  for (const api of Object.values(apis)) {
    for (const scalar of [zero, ORDER, octets(2n * L), octets(7n * L), octets(1n << 255n), octets((1n << 255n) + L)]) {
      await fails(() => api.multiply(scalar, element), 'RangeError', neutral);
      await fails(() => api.multiplyBase(scalar), 'RangeError', neutral);
    }
    await fails(() => api.multiply(one, zero), 'RangeError', neutral);
    for (const scalar of [zero, ORDER, octets(2n * L), octets(15n * L)])
      await fails(() => api.invertScalar(scalar), 'RangeError', 'scalar is zero: it has no inverse');
    assert.deepEqual(await api.invertScalar(octets(L + 1n)), one);
    assert.deepEqual(await api.negateScalar(ORDER), zero);
    assert.deepEqual(await api.negate(zero), zero);
    assert.deepEqual(await api.add(element, await api.negate(element)), zero);
    assert.deepEqual([await api.isScalar(ORDER), await api.isScalar(octets(L - 1n)), await api.isScalar(zero)], [false, true, true]);
    assert.equal(await api.isElement(zero), true);
    const one32 = { a: 32, b: 32, element: 32, scalar: 32, x: 32, y: 32, hash: 64, wide: 64 };
    const functions = {
      isElement: ['element'], equals: ['a', 'b'], add: ['a', 'b'], subtract: ['a', 'b'], negate: ['element'],
      multiply: ['scalar', 'element'], multiplyBase: ['scalar'], elementFromHash: ['hash'], isScalar: ['scalar'], reduceScalar: ['wide'],
      addScalars: ['x', 'y'], subtractScalars: ['x', 'y'], multiplyScalars: ['x', 'y'], negateScalar: ['scalar'], invertScalar: ['scalar'],
      hashToScalar: ['message', 'tag'], hashToRistretto255: ['message', 'tag'], hashToEdwards25519: ['message', 'tag'],
      encodeToEdwards25519: ['message', 'tag'], hashToCurve25519: ['message', 'tag'], encodeToCurve25519: ['message', 'tag'],
    };
    const others = ['multiscalar', 'newElement', 'newScalar', 'ready', 'module.exports'];
    assert.deepEqual(Object.keys(api).filter((name) => !others.includes(name)).sort(), Object.keys(functions).sort());
    for (const [name, parameters] of Object.entries(functions))
      for (const [i, parameter] of parameters.entries()) {
        const right = parameters.map((one) => new Uint8Array(one32[one] ?? 3));
        for (const wrong of ['00'.repeat(32), undefined, null, 5, 5n, new Uint8ClampedArray(32), new ArrayBuffer(32), Array(32).fill(0)])
          await fails(() => api[name](...right.with(i, wrong)), 'TypeError', `${parameter} must be a Uint8Array`);
        const length = one32[parameter];
        for (const other of length ? [0, 31, 33, 63, 65].filter((n) => n != length) : [])
          await fails(() => api[name](...right.with(i, new Uint8Array(other))), 'RangeError', `${parameter} must have ${length} bytes, not ${other}`);
      }
    for (const name of Object.keys(functions).filter((one) => /^(hash|encode)To/.test(one)))
      await fails(() => api[name](zero, new Uint8Array()), 'RangeError', 'tag must not be empty');
  }
});

test('random elements and scalars are reduced, and differ', async () => {
  const seen = new Set();
  for (let i = 0; i < 50; i++) {
    const [element, scalar] = [await group.newElement(), sync.newScalar()];
    assert.ok((await group.isElement(element)) && (await group.isScalar(scalar)));
    seen.add(toHex(element)).add(toHex(scalar));
  }
  assert.equal(seen.size, 100);
  const { getRandomValues } = crypto;
  try {
    crypto.getRandomValues = (bytes) => bytes;
    await fails(() => sync.newScalar(), 'Error', 'crypto.getRandomValues gave zeros');
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
});

test('messages are hashed in pieces: the same hashes, and a memory that stays small', async () => {
  const { default: text } = await import('../dist/wasm/ristretto.text.js');
  const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(inflateRawSync(Buffer.from(text, 'base64'))));
  const inner = makeGroup(wasm);
  let copied;
  const alone = makeRistretto((plan) => {
    const [steps, copies] = plan();
    copied = copies;
    return atOnce(steps(inner));
  });
  const long = randomBytes(words(94), 3_000_000);
  const PIECE = 65536;
  for (const length of [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 100, long.length])
    // A block of the hash is as long as one of the tags; longer ones are hashed first.
    for (const DST of [1, 127, 128, 129, 255, 256, 70_000].map((n) => long.subarray(5, 5 + n))) {
      if (length == long.length && DST.length != 128) continue;
      const message = long.subarray(0, length);
      const right = ristretto255_hasher.hashToCurve(message, { DST }).toHex();
      assert.equal(toHex(alone.hashToRistretto255(message, DST)), right, `${length}, ${DST.length}`);
      assert.equal(toHex(await group.hashToRistretto255(message, DST)), right);
      // The hash between two pieces is overwritten with the message and the tag.
      assert.equal(copied.length, 3);
      if (DST.length > 1) continue;
      assert.equal(number(alone.hashToScalar(message, DST)), ristretto255_hasher.hashToScalar(message, { DST }));
      assert.equal(toHex(alone.hashToEdwards25519(message, DST)), ed25519_hasher.hashToCurve(message, { DST }).toHex());
    }
  // A piece and the longest of the tags are there at once.
  assert.ok(wasm.memory.buffer.byteLength < 6 * PIECE, `${wasm.memory.buffer.byteLength} octets`);
  // As long as no memory is, and as one whose length modulo 2^32 would do.
  for (const length of [2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 32])
    assert.throws(() => inner.run([{ length: 32 }, { length: length - 32 }], () => assert.fail()), RangeError(`lanner has no memory for ${length} bytes`));
  assert.equal(toHex(alone.multiplyBase(one)), toHex(await group.multiplyBase(one)));
});

test('memory beyond 2^31 is wiped to its end', () => {
  const { buffer } = new Uint8Array(65536).fill(1);
  // A stand-in for a module: its end of 2^32 - 8, as whoever calls it sees it, is beyond that of this memory.
  const wasm = { memory: { buffer }, z: { value: 0 }, a: () => 40_000, t: () => -8 };
  makeGroup(wasm).run([new Uint8Array(32)], () => {});
  assert.deepEqual(new Set(new Uint8Array(buffer, 40_000)), new Set([0]));
});

test('the event loop runs while a long message is hashed', async () => {
  // The module is there.
  await group.newElement();
  let turns = 0;
  let pending = true;
  const tick = () => {
    turns++;
    if (pending) setImmediate(tick);
  };
  setImmediate(tick);
  await group.hashToRistretto255(new Uint8Array(40_000_000), utf8('tag'));
  pending = false;
  assert.ok(turns > 2, `${turns} turns`);
});
