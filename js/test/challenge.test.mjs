// The engine's hash in verifications of long messages: whatever the engine does, the verdicts are the same, and nothing
// of what is signed comes to it. Each engine is a process of its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { hex, plusOrder, randomBytes, root, toHex, words } from './support.mjs';

const PROFILES = ['strict', 'rfc8032', 'rfc8032-cofactorless', 'dalek', 'zip215', 'donna', 'libsodium'];
/** Where something begins or ends: the hash, its blocks, what waits, what does not. */
const LENGTHS = [0, 8191, 8192, 131071, 131072];

const { Point } = ed25519;
const L = Point.Fn.ORDER;
const mod = (n) => ((n % L) + L) % L;
const number = (bytes) => BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
const octets = (n) => Uint8Array.from({ length: 32 }, (_, i) => Number((n >> BigInt(8 * i)) & 255n));
/** A point of order 8. */
const T = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', true);
const small = (n) => (n % 8 ? T.multiplyUnsafe(BigInt(n % 8)) : Point.ZERO);

const content = (length) => {
  const octets = new Uint8Array(length);
  for (let i = 0; i < length; i++) octets[i] = (i * 7919) >> 5;
  return octets;
};

/** Signatures about whose validity the profiles disagree, good ones and bad ones: of the messages of all lengths. */
const signatures = () => {
  const next = words(61);
  const all = [];
  for (const [i, length] of LENGTHS.entries()) {
    const message = content(length);
    const sign = (ofA, ofR, order = true) => {
      const [a, r] = [randomBytes(next, 32), randomBytes(next, 32)].map((bytes) => mod(number(bytes)));
      const A = (order ? Point.BASE.multiply(a) : Point.ZERO).add(small(ofA)).toBytes();
      const R = Point.BASE.multiply(r).add(small(ofR)).toBytes();
      const k = number(createHash('sha512').update(R).update(A).update(message).digest());
      return { length, publicKey: A, signature: Uint8Array.of(...R, ...octets(mod(r + (order ? k * a : 0n)))) };
    };
    const good = sign(0, 0);
    all.push(good);
    all.push({ ...good, signature: plusOrder(good.signature) });
    for (const at of [0, 31, 32, 63]) {
      const signature = Uint8Array.from(good.signature);
      signature[at] ^= 16;
      all.push({ ...good, signature });
    }
    all.push({ ...good, length: length + 1 }, { ...good, signature: good.signature.slice(1) });
    // Components of small order; keys of small order, one of them not canonical.
    all.push(sign(1 + i, 0), sign(0, 1 + i), sign(4, 4), sign(i, 8 - (i % 8)), sign(3, 0, false));
    all.push({ ...sign(0, 0, false), publicKey: hex('eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f') });
  }
  return all.map(({ length, publicKey, signature }) => [length, toHex(publicKey), toHex(signature)]);
};

const dir = mkdtempSync(join(tmpdir(), 'lanner-'));
const data = join(dir, 'signatures.json');
writeFileSync(data, JSON.stringify(signatures()));
test.after(() => rmSync(dir, { recursive: true }));

/** What every process begins with: the engine's hashes, counted. */
const COUNTED = `
  import { readFileSync } from 'node:fs';
  import nodeCrypto from 'node:crypto';
  const calls = { node: 0, subtle: 0 };
  /** What happens whenever an engine hashes. */
  let racing = () => {};
  const { createHash } = nodeCrypto;
  nodeCrypto.createHash = (...given) => { calls.node++; racing(); return createHash(...given); };
  const { digest } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.digest = function (...given) { calls.subtle++; racing(); return digest.apply(this, given); };
  /** Every digest as another one, and what becomes of it: from the nth on. */
  const changed = (change, from = 0) => {
    nodeCrypto.createHash = (...given) => {
      const count = calls.node++;
      const hashing = createHash(...given);
      return { update(part) { hashing.update(part); return this; }, digest: () => (count < from ? hashing.digest() : change(hashing.digest())) };
    };
  };
  const noNode = () => { process.getBuiltinModule = undefined; };
  const content = ${content};
  const contents = {};
  const cases = JSON.parse(readFileSync(${JSON.stringify(data)}, 'utf8'))
    .map(([length, key, signature]) => [(contents[length] ??= content(length)), Buffer.from(signature, 'hex'), Buffer.from(key, 'hex')].map((one) => Uint8Array.from(one)));
  /** An entry that has tried the engine's hash: with its first long message it loads what does so with the second. */
  const opened = async (name) => {
    const entry = await import(name);
    for (const _ of [0, 1]) {
      await entry.verify(content(9000), new Uint8Array(64), new Uint8Array(32));
      await new Promise((done) => setTimeout(done, 80));
    }
    return entry;
  };
  const verdicts = async ({ verify }) => {
    const all = [];
    for (const [message, signature, publicKey] of cases)
      for (const profile of ${JSON.stringify(PROFILES)}) all.push(await verify(message, signature, publicKey, { profile }));
    return all.map(Number).join('');
  };`;

const run = (code) =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', COUNTED + code], {
      cwd: join(root, 'test'), encoding: 'utf8', maxBuffer: 1 << 26,
    }),
  );

/** The verdicts of an entry where engines are made by some code, and how often they were asked after their trial. */
const outcome = (name, engine) =>
  run(`${engine}
    const entry = await opened('${name}');
    const before = { ...calls };
    const all = await verdicts(entry);
    console.log(JSON.stringify({ all, node: calls.node - before.node, subtle: calls.subtle - before.subtle }));`);

const expected = outcome('lanner', 'noNode();');

test('without an engine, the verdicts are those of a rule for each profile', () => {
  assert.deepEqual([expected.node, expected.subtle], [0, 0]);
  const each = PROFILES.length * (expected.all.length / PROFILES.length / LENGTHS.length);
  const [first, ...others] = LENGTHS.map((_, i) => expected.all.slice(i * each, (i + 1) * each));
  // The first of each length is valid by every profile, and those with a changed bit by none.
  for (const of of [first, ...others]) {
    assert.equal(of.slice(0, PROFILES.length), '1'.repeat(PROFILES.length));
    assert.equal(of.slice(2 * PROFILES.length, 8 * PROFILES.length), '0'.repeat(6 * PROFILES.length));
  }
  // The profiles disagree, at every length.
  for (const of of [first, ...others])
    assert.ok(new Set(PROFILES.map((_, j) => [...of].filter((_, i) => i % PROFILES.length == j).join(''))).size >= 5);
});

/** These have their own hash alone. */
const ALONE = ['lanner/verify', 'lanner/fast'];

for (const name of ['lanner', 'lanner/fast', 'lanner/compat', 'lanner/sync', 'lanner/verify', 'lanner/streaming'])
  test(`${name}: the hash of node:crypto gives the same verdicts, and is asked; WebCrypto never is`, () => {
    for (const engine of ['', 'noNode();']) {
      const result = outcome(name, engine);
      assert.equal(result.all, expected.all, engine);
      assert.equal(result.node > 0, !engine && !ALONE.includes(name), `node:crypto was asked ${result.node} times ${engine}`);
      assert.equal(result.subtle, 0, engine);
    }
  });

const BROKEN = {
  'throws': 'changed(() => { throw Error("not in this mode"); });',
  'throws after its trial': 'changed(() => { throw Error("not now"); }, 13);',
  'has no such function': 'nodeCrypto.createHash = undefined;',
  'gives too little': 'changed((made) => made.subarray(1));',
  'gives too much': 'changed((made) => Buffer.concat([made, made]));',
  'gives too much after its trial': 'changed((made) => Buffer.concat([made, Buffer.alloc(40000)]), 13);',
  'gives nothing after its trial': 'changed(() => undefined, 13);',
  'is wrong': 'changed((made) => made.fill(7));',
  'is wrong after its trial': 'changed((made) => made.fill(7), 13);',
  'is wrong in one bit': 'changed((made) => { made[63] ^= 1; return made; });',
  'is wrong in one bit after its trial': 'changed((made) => { made[63] ^= 1; return made; }, 13);',
  'gives a string after its trial': 'changed((made) => made.toString("latin1"), 13);',
};

for (const name of ['lanner', 'lanner/sync'])
  test(`${name}: an engine that goes wrong changes no verdict`, () => {
    for (const [kind, engine] of Object.entries(BROKEN)) {
      const result = outcome(name, engine);
      assert.equal(result.all, expected.all, kind);
      // One that fails its trial is never asked again; one that goes wrong after it is asked again and again.
      assert.equal(result.node > 0, kind.includes('after'), kind);
    }
  });

test('a stack that is full in the trial of an engine is not held against it', () => {
  const result = run(`
    let full = true;
    const endless = () => endless() + 1;
    const { createHash: counted } = nodeCrypto;
    nodeCrypto.createHash = (...given) => (full ? endless() : counted(...given));
    const { verify } = await import('lanner/sync');
    const outcome = [];
    for (const [message, signature, publicKey] of cases.slice(0, 1).map(([, ...rest]) => [content(9000), ...rest])) {
      try { outcome.push(verify(message, signature, publicKey)); } catch (error) { outcome.push(String(error)); }
      full = false;
      outcome.push(verify(message, signature, publicKey), calls.node > 1);
    }
    console.log(JSON.stringify(outcome));`);
  assert.deepEqual(result, ['RangeError: Maximum call stack size exceeded', false, true]);
});

test('an engine that is wrong in its trial verifies no forgery', () => {
  // With a challenge that is known before, anybody makes signatures: S B = R + k A.
  const a = mod(12345678901234567890n);
  const k = mod(number(new Uint8Array(64).fill(7)));
  const R = Point.BASE.multiply(5n);
  const forged = Uint8Array.of(...R.toBytes(), ...octets(mod(5n + k * a)));
  const key = toHex(Point.BASE.multiply(a).toBytes());
  for (const name of ['lanner', 'lanner/sync']) {
    const accepted = (engine) => run(`${engine}
      const { verify } = await opened('${name}');
      const outcome = [];
      for (const length of [100, 9000, 3000000])
        outcome.push(await verify(content(length), Uint8Array.from(Buffer.from('${toHex(forged)}', 'hex')), Uint8Array.from(Buffer.from('${key}', 'hex'))));
      console.log(JSON.stringify(outcome));`);
    assert.deepEqual(accepted('changed((made) => made.fill(7));'), [false, false, false], name);
    // The forgery itself works: an engine that lies to its owner from some moment on is believed.
    assert.deepEqual(accepted('changed((made) => made.fill(7), 13);'), [false, true, true], name);
  }
});

test('the engine gets R, the key and the message, in pieces of at most a megabyte', () => {
  // Where it got anything else, the package's own hash would give the verdict all the same.
  for (const name of ['lanner', 'lanner/sync']) {
    const result = run(`
      const hashed = [];
      nodeCrypto.createHash = (...given) => {
        const hashing = createHash(...given);
        const parts = [];
        return { update(part) { parts.push(part.length); hashing.update(part); }, digest() { const made = hashing.digest(); hashed.push([parts, made.toString('hex')]); return made; } };
      };
      const { verify, sign, newKeyPair } = await opened('${name}');
      const { secretKey, publicKey } = await newKeyPair();
      const outcome = [];
      for (const length of [8192, 1 << 20, (1 << 20) + 1, 3000000]) {
        const message = content(length);
        const signature = await sign(message, secretKey);
        const before = hashed.length;
        const verdict = await verify(message, signature, publicKey);
        const expected = createHash('sha512').update(signature.subarray(0, 32)).update(publicKey).update(message).digest('hex');
        const [[parts, made]] = hashed.slice(before);
        outcome.push([verdict, hashed.length - before, made == expected, Math.max(...parts) <= 1 << 20, parts.length]);
      }
      console.log(JSON.stringify(outcome));`);
    assert.deepEqual(result, [3, 3, 4, 5].map((parts) => [true, 1, true, true, parts]), name);
  }
});

test('nothing of keys and of what is signed comes to the engine', () => {
  for (const name of ['lanner', 'lanner/fast', 'lanner/compat', 'lanner/sync', 'lanner/streaming']) {
    const result = run(`
      const { verify, sign, newKeyPair, keyPairFromSeed, keyPairFromSecretKey, createSigner } = await opened('${name}');
      const before = { ...calls };
      const { secretKey, publicKey } = await newKeyPair();
      await keyPairFromSeed(secretKey.slice(0, 32));
      await keyPairFromSecretKey(secretKey);
      const signer = await createSigner(secretKey);
      const outcome = [];
      for (const length of [100, 9000, 140000, 5000000]) {
        const message = content(length);
        const signature = await sign(message, secretKey);
        outcome.push(Buffer.compare(signature, await signer.sign(message)), [calls.node - before.node, calls.subtle - before.subtle]);
        outcome.push(await verify(message, signature, publicKey));
        Object.assign(before, calls);
      }
      console.log(JSON.stringify(outcome));`);
    assert.deepEqual(result, Array(4).fill([0, [0, 0], true]).flat(), name);
  }
});

test('a message that changes during the call: what it was is verified', () => {
  for (const [name, engine] of [
    ['lanner', ''], ['lanner', 'noNode();'], ['lanner/streaming/fast', ''], ['lanner/streaming/fast', 'noNode();'],
  ]) {
    const result = run(`${engine}
      const { verify, verifyBatch, sign, newKeyPair } = await opened('${name}');
      const { secretKey, publicKey } = await newKeyPair();
      const outcome = [];
      for (const length of [9000, 140000, 5000000]) {
        const first = content(length);
        const [one, other] = [await sign(first, secretKey), await sign(first.slice().fill(1), secretKey)];
        const message = first.slice();
        const given = [one.slice(), publicKey.slice()];
        // Whatever is overwritten as soon as the call has returned, and whenever the engine hashes.
        racing = () => message.fill(1);
        const verdict = verify(message, ...given);
        message.fill(1);
        for (const one of given) one.fill(1);
        outcome.push(await verdict);
        // By another thread: a message that is now this, now that.
        const shared = new Uint8Array(new SharedArrayBuffer(length));
        shared.set(first);
        racing = () => shared.fill(1);
        const both = verifyBatch([{ message: shared, signature: one, publicKey }, { message: shared, signature: other, publicKey }]);
        shared.fill(1);
        outcome.push(...(await both));
      }
      console.log(JSON.stringify(outcome));`);
    assert.deepEqual(result, Array(3).fill([true, true, false]).flat(), `${name} ${engine}`);
  }
});

test('many verifications at once, long and short, take turns on one module', () => {
  for (const engine of ['', 'noNode();']) {
    const result = run(`${engine}
      const { verify, sign, newKeyPair } = await opened('lanner');
      const { secretKey, publicKey } = await newKeyPair();
      const all = [];
      for (let i = 0; i < 60; i++) {
        const message = content([50, 9000, 140000, 300000][i % 4] + i);
        const signature = await sign(message, secretKey);
        if (i % 3 == 0) signature[i] ^= 1;
        all.push([message, signature]);
      }
      const outcome = await Promise.all(all.map(([message, signature]) => verify(message, signature, publicKey)));
      console.log(JSON.stringify(outcome));`);
    assert.deepEqual(result, Array.from({ length: 60 }, (_, i) => i % 3 != 0), engine);
  }
});
