// Key files of FN-DSA, Falcon and hybrids: the same as those of the other faces, in both directions, and what is refused.
import assert from 'node:assert/strict';
import test from 'node:test';
import { own, hex, toHex } from './support.mjs';
import * as fnDsa from 'lanner/fn-dsa';
import * as sync from 'lanner/fn-dsa/sync';
import * as verifiers from 'lanner/fn-dsa/verify';
import { fromPkcs8, fromSpki, toPkcs8, toSpki } from 'lanner/fn-dsa/keys';
import * as hybrid from 'lanner/hybrid';
import * as keys from 'lanner/keys';

/** What the crates write: algorithm, seed, and both files. */
const cases = own('key_files.json').cases.map(({ algorithm, seed, pkcs8, spki }) => {
  const [, kind, degree] = /(fn-dsa|falcon|ed25519\+fn-dsa)-(\d+)/.exec(algorithm);
  const name = { 'fn-dsa': 'fndsa', falcon: 'falcon', 'ed25519+fn-dsa': 'hybrid' }[kind] + degree;
  return { algorithm, name, degree, kind, seed: hex(seed), pkcs8: hex(pkcs8), spki: hex(spki) };
});
const signing = { ...fnDsa, ...hybrid };
const message = new Uint8Array(9);

test('files are those of the other faces, and are read in every scheme that the key is for', async () => {
  assert.equal(cases.length, 6);
  for (const { name, kind, seed, pkcs8, spki } of cases) {
    const pair = await signing[name].keyPairFromSeed(seed);
    // All that have the same keys: Falcon has three encodings of signatures, and there are modules for one use or another.
    const like = Object.entries(signing).filter(([one]) => one == name || (kind == 'falcon' && one.startsWith(name)));
    assert.equal(like.length, kind == 'falcon' ? 3 : 1);
    for (const [one, scheme] of [...like, ...like.flatMap(([one]) => (sync[one] ? [[one, sync[one]]] : []))]) {
      assert.equal(scheme.name, one);
      assert.equal(toHex(await toPkcs8(pair.secretKey, scheme)), toHex(pkcs8), one);
      assert.equal(toHex(await toSpki(pair.publicKey, scheme)), toHex(spki), one);
      const read = await fromPkcs8(pkcs8, scheme);
      assert.deepEqual(read, pair, one);
      const publicKey = await fromSpki(spki, scheme);
      assert.deepEqual(publicKey, pair.publicKey, one);
      assert.equal(await scheme.verify(message, await scheme.sign(message, read.secretKey), publicKey), true, one);
      const verifier = verifiers[one];
      if (verifier) {
        assert.equal(toHex(await toSpki(pair.publicKey, verifier)), toHex(spki), one);
        assert.deepEqual(await fromSpki(spki, verifier), pair.publicKey, one);
      }
      // In PEM, and with a comment before it, as the command writes it.
      const pem = `Comment: a\n${keys.toPem(pkcs8, 'PRIVATE KEY')}`;
      assert.deepEqual(await fromPkcs8(keys.fromPem(pem).der, scheme), pair, one);
    }
  }
});

test('another scheme, another degree, or none: errors that say so', async () => {
  const words = { fndsa: 'FN-DSA', falcon: 'Falcon', hybrid: 'hybrid signatures' };
  const ed25519 = [keys.toPkcs8(new Uint8Array(32)), keys.toSpki(new Uint8Array(32))];
  // An algorithm with parameters: P-256.
  const curve = '301306072a8648ce3d020106082a8648ce3d030107';
  const others = [...cases.map(({ name, pkcs8, spki }) => [name, pkcs8, spki]), ['x0', ...ed25519], ['x0', hex(`301a020100${curve}0400`), hex(`3018${curve}030100`)]];
  for (const { name, degree } of cases)
    for (const [other, pkcs8, spki] of others) {
      const [mine, theirs] = [name, other].map((one) => one.replace(/\d+/, ''));
      if (name == other) continue;
      const message = mine == theirs ? `der is a key of degree ${1536 - degree}, not ${degree}` : `der is not a key of ${words[mine]}`;
      await assert.rejects(fromPkcs8(pkcs8, signing[name]), { name: 'RangeError', message }, `${name}, ${other}`);
      await assert.rejects(fromSpki(spki, signing[name]), { name: 'RangeError', message }, `${name}, ${other}`);
    }
  const { fndsa512, fndsa512draft2026, falcon512 } = fnDsa;
  const draft = await fndsa512draft2026.newKeyPair();
  const nameless = { name: 'RangeError', message: 'keys of fndsa512draft2026 have no identifier, and no files' };
  for (const call of [
    () => toPkcs8(draft.secretKey, fndsa512draft2026), () => toSpki(draft.publicKey, fndsa512draft2026),
    () => fromPkcs8(cases[0].pkcs8, fndsa512draft2026), () => fromSpki(cases[0].spki, fndsa512draft2026),
  ])
    await assert.rejects(call(), nameless);
  for (const scheme of [undefined, null, 'x', {}, keys, { name: 'ed25519' }])
    for (const call of [toPkcs8, toSpki, fromPkcs8, fromSpki])
      await assert.rejects(call(cases[0].pkcs8, scheme), { name: 'TypeError', message: 'scheme must be one of lanner/fn-dsa or lanner/hybrid' });
  // What was read is for its scheme alone, and so is what is written.
  const [pair, publicKey] = [await fromPkcs8(cases[0].pkcs8, fndsa512), await fromSpki(cases[0].spki, fndsa512)];
  for (const call of [() => falcon512.sign(message, pair.secretKey), () => falcon512.verify(message, message, publicKey), () => toPkcs8(pair.secretKey, falcon512), () => toSpki(publicKey, falcon512)])
    await assert.rejects(call(), /^RangeError: \w+Key was made for FN-DSA: a key for Falcon, too, lets others forge$/);
});

/** An element of DER. */
const element = (tag, ...parts) => {
  const content = Buffer.concat(parts);
  const { length } = content;
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : length < 256 ? [tag, 129, length] : [tag, 130, length >> 8, length & 255]), content]);
};

test('the forms of others are read: without a public key, with one beside, in pieces', async () => {
  for (const { name, kind, degree, seed, pkcs8 } of cases) {
    const scheme = signing[name];
    const { publicKey, secretKey } = await scheme.keyPairFromSeed(seed);
    const start = pkcs8.indexOf(0x30, 5);
    const algorithm = pkcs8.subarray(start, start + 2 + pkcs8[start + 1]);
    const version = (more) => Buffer.from([2, 1, more.some(([tag]) => tag == 0x81 || tag == 0xa1) ? 1 : 0]);
    const file = (octets, ...more) => element(0x30, version(more), algorithm, element(4, octets), ...more);
    const beside = (key) => element(0x81, Buffer.from([0]), key);
    const attributes = element(0xa0, Buffer.from([0x30, 0]));
    const changed = publicKey.slice();
    changed[40] ^= 1;
    const good = [file(secretKey), file(secretKey, attributes), file(secretKey, beside(publicKey)), file(secretKey, attributes, beside(publicKey))];
    const strangers = [file(secretKey, beside(changed)), file(secretKey, beside(publicKey.subarray(2)))];
    // The tag that ring wrote is of Ed25519 alone; what comes behind the public key has no name.
    const explicit = element(0xa1, element(3, Buffer.from([0]), publicKey));
    const bad = [
      file(secretKey.subarray(1)), file(Buffer.concat([Buffer.from([0]), secretKey])), file(Buffer.alloc(0)),
      file(secretKey, explicit), file(secretKey, element(0xa2, Buffer.from([5, 0]))),
    ];
    if (kind == 'ed25519+fn-dsa') {
      strangers.push(file(secretKey, beside(publicKey.subarray(1))));
      bad.push(file(element(4, secretKey)), file(Buffer.concat([secretKey, publicKey])));
    } else {
      const both = Buffer.concat([secretKey, publicKey]);
      good.push(file(both), file(element(4, secretKey)), file(element(4, both)), file(secretKey, beside(publicKey.subarray(1))));
      strangers.push(file(Buffer.concat([secretKey, changed])), file(element(4, secretKey, changed)));
      // Within the octets the header is where Open Quantum Safe has it, and not where Bouncy Castle has none.
      strangers.push(file(element(4, secretKey, publicKey.subarray(1))));
      // The polynomials apart.
      const n = Number(degree);
      const short = (secretKey.length - 1 - n) / 2;
      const parts = [secretKey.subarray(1, 1 + short), secretKey.subarray(1 + short, 1 + 2 * short), secretKey.subarray(1 + 2 * short)].map((part) => element(4, part));
      const zero = Buffer.from([2, 1, 0]);
      good.push(file(element(0x30, zero, ...parts)), file(element(0x30, zero, ...parts, element(0x30, element(4, publicKey.subarray(1))))));
      for (const other of [changed.subarray(1), publicKey, publicKey.subarray(2)]) strangers.push(file(element(0x30, zero, ...parts, element(0x30, element(4, other)))));
      bad.push(
        file(element(0x30, Buffer.from([2, 1, 1]), ...parts)), file(element(0x30, zero, ...parts.slice(1))), file(element(0x30, zero, parts[2], parts[0], parts[1])),
        file(element(0x30, zero, ...parts, element(4, publicKey.subarray(1)))), file(Buffer.concat([element(4, secretKey), Buffer.from([0])])),
      );
    }
    for (const [i, der] of good.entries()) assert.deepEqual(await fromPkcs8(new Uint8Array(der), scheme), { publicKey, secretKey }, `${name}: ${i}`);
    for (const [i, der] of strangers.entries())
      await assert.rejects(fromPkcs8(new Uint8Array(der), scheme), { name: 'RangeError', message: 'the public key is not that of the secret' }, `${name}: ${i}`);
    for (const [i, der] of bad.entries())
      await assert.rejects(fromPkcs8(new Uint8Array(der), scheme), { name: 'RangeError', message: /^der is not a PKCS#8 key$|^secretKey is not a key$/ }, `${name}: ${i}`);
  }
  // All the identifiers of Falcon.
  const [{ pkcs8, spki }] = cases.filter(({ name }) => name == 'falcon512');
  for (const end of [1, 6, 11, 16]) {
    const [secret, open] = [pkcs8.slice(), spki.slice()];
    for (const der of [secret, open]) der[Buffer.from(der).indexOf(Buffer.from('2bce0f03', 'hex')) + 4] = end;
    assert.deepEqual((await fromPkcs8(secret, fnDsa.falcon512padded)).publicKey, await fromSpki(open, fnDsa.falcon512padded));
  }
});

test('what is cut off, followed by something or changed is refused', async () => {
  for (const { name, pkcs8, spki } of cases) {
    const scheme = signing[name];
    for (const [read, der, none] of [[fromPkcs8, pkcs8, 'PKCS#8 key'], [fromSpki, spki, 'SubjectPublicKeyInfo']]) {
      const wrong = { name: 'RangeError', message: `der is not a ${none}` };
      const cuts = [...Array(40).keys(), der.length >> 1, der.length - 1];
      for (const cut of cuts) await assert.rejects(read(der.subarray(0, cut), scheme), wrong, `${name}: ${cut}`);
      for (const behind of [[0], [0x30, 0], [0x30]]) await assert.rejects(read(Uint8Array.of(...der, ...behind), scheme), wrong, name);
      // Each bit of what frames the key counts.
      const framing = der.length - (read == fromSpki ? scheme.lengths.publicKey : scheme.lengths.secretKey + (name.startsWith('hybrid') ? 0 : scheme.lengths.publicKey));
      for (let i = 0; i < 8 * framing; i++) {
        const changed = der.slice();
        changed[i >> 3] ^= 1 << i % 8;
        await assert.rejects(read(changed, scheme), RangeError, `${name}: bit ${i}`);
      }
      await assert.rejects(read('text', scheme), { name: 'TypeError', message: 'der must be a Uint8Array' });
    }
    // A key that is none is neither written nor read.
    const bad = new Uint8Array(scheme.lengths.publicKey).fill(255);
    await assert.rejects(toSpki(bad, scheme), { name: 'RangeError', message: 'publicKey is not a key' });
    await assert.rejects(toSpki(bad.subarray(1), scheme), { name: 'RangeError', message: `publicKey must have ${bad.length} bytes, not ${bad.length - 1}` });
    const filled = spki.slice().fill(255, spki.length - bad.length);
    await assert.rejects(fromSpki(filled, scheme), { name: 'RangeError', message: 'publicKey is not a key' });
    await assert.rejects(toPkcs8(bad.subarray(0, 31), scheme), { name: 'RangeError', message: `secretKey must have ${scheme.lengths.secretKey} bytes, not 31` });
  }
});
