// X25519, FN-DSA and Falcon, key formats.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { join } from 'node:path';
import test from 'node:test';
import * as noble from '@noble/post-quantum/falcon.js';
import * as x25519 from 'lanner/x25519';
import * as fndsa from 'lanner/fn-dsa';
import * as keys from 'lanner/keys';
import nacl from 'lanner/tweetnacl';
import { hex, outside, own, randomBytes, root, toHex, utf8, words } from './support.mjs';

test('X25519: the vectors', async () => {
  let refused = 0;
  const cases = [...own('x25519.json').cases, ...own('rfc7748.json').x25519];
  for (const vector of cases) {
    const [scalar, u] = [hex(vector.scalar), hex(vector.u)];
    assert.equal(toHex(nacl.scalarMult(scalar, u)), vector.out, vector.note);
    if (vector.contributory)
      assert.equal(toHex(await x25519.sharedSecret(scalar, u)), vector.out, vector.note);
    else {
      await assert.rejects(x25519.sharedSecret(scalar, u), /small order/);
      refused++;
    }
  }
  assert.ok(refused > 3 && refused < cases.length - 3);
  const { alice_secret, alice_public, bob_public, shared } = own('rfc7748.json').diffie_hellman;
  const pair = await x25519.keyPairFromSecretKey(hex(alice_secret));
  assert.equal(toHex(pair.publicKey), alice_public);
  assert.equal(toHex(nacl.scalarMult.base(hex(alice_secret))), alice_public);
  if (shared) assert.equal(toHex(await x25519.sharedSecret(pair.secretKey, hex(bob_public))), shared);
});

test('X25519: two parties agree; errors', async () => {
  const [alice, bob] = [await x25519.newKeyPair(), await x25519.newKeyPair()];
  assert.notDeepEqual(alice.secretKey, new Uint8Array(32));
  assert.deepEqual(
    await x25519.sharedSecret(alice.secretKey, bob.publicKey),
    await x25519.sharedSecret(bob.secretKey, alice.publicKey),
  );
  await assert.rejects(x25519.sharedSecret(alice.secretKey, new Uint8Array(31)), {
    name: 'RangeError',
    message: 'publicKey must have 32 bytes, not 31',
  });
});

test('FN-DSA and Falcon: every variant signs and verifies', async () => {
  for (const [name, scheme] of Object.entries(fndsa)) {
    const seed = new Uint8Array(32).fill(5);
    const pair = await scheme.keyPairFromSeed(seed);
    assert.deepEqual(await scheme.keyPairFromSeed(seed), pair, name);
    assert.equal(pair.publicKey.length, scheme.lengths.publicKey);
    assert.equal(pair.secretKey.length, scheme.lengths.secretKey);
    assert.deepEqual((await scheme.keyPairFromSecretKey(pair.secretKey)).publicKey, pair.publicKey);
    for (const length of [0, 33, 200000]) {
      const message = new Uint8Array(length).fill(1);
      const signature = await scheme.sign(message, pair.secretKey);
      assert.ok(signature.length <= scheme.lengths.signature && signature.length > 600, name);
      assert.notDeepEqual(await scheme.sign(message, pair.secretKey), signature);
      assert.equal(await scheme.verify(message, signature, pair.publicKey), true, name);
      assert.equal(await scheme.verify(utf8('other'), signature, pair.publicKey), false, name);
      assert.equal(await scheme.verify(message, signature.slice(1), pair.publicKey), false);
      signature[60] ^= 1;
      assert.equal(await scheme.verify(message, signature, pair.publicKey), false, name);
    }
    const other = await scheme.newKeyPair();
    const signature = await scheme.sign(utf8('m'), other.secretKey);
    assert.equal(await scheme.verify(utf8('m'), signature, pair.publicKey), false);
    await assert.rejects(scheme.sign(utf8('m'), pair.secretKey.slice(1)), RangeError);
    await assert.rejects(
      scheme.sign(utf8('m'), new Uint8Array(scheme.lengths.secretKey)),
      /not a key/,
    );
    await assert.rejects(
      scheme.verify(utf8('m'), signature, new Uint8Array(scheme.lengths.publicKey)),
      /not a key/,
    );
    await assert.rejects(scheme.keyPairFromSeed(new Uint8Array(31)), /seed must have 32 bytes/);
    const context = utf8('context');
    if (name.startsWith('falcon'))
      await assert.rejects(scheme.sign(utf8('m'), pair.secretKey, { context }), /no context/);
    else {
      const bound = await scheme.sign(utf8('m'), pair.secretKey, { context });
      assert.equal(await scheme.verify(utf8('m'), bound, pair.publicKey, { context }), true);
      assert.equal(await scheme.verify(utf8('m'), bound, pair.publicKey), false);
    }
  }
});

/** In place of the keys and signatures of others: own ones in their form, of every hash function and with contexts. */
async function ownVectors(schemes) {
  const vectors = [];
  for (const [logn, scheme] of Object.entries(schemes))
    for (const [i, [prehash, length]] of Object.entries([['', 100], ['SHA256', 32], ['SHA3-512', 64], ['SHAKE128', 32]])) {
      const { publicKey, secretKey } = await scheme.keyPairFromSeed(new Uint8Array(32).fill(i));
      const [message, context] = [new Uint8Array(length).fill(3), new Uint8Array(Number(i)).fill(9)];
      const signature = await scheme.sign(message, secretKey, { context, ...(prehash && { prehash: prehash.toLowerCase() }) });
      vectors.push({
        logn: Number(logn), vk: toHex(publicKey), sk: toHex(secretKey), sig: toHex(signature), hv: toHex(message),
        ctx: toHex(context), ...(prehash && { prehash }),
      });
    }
  return vectors;
}

test('FN-DSA: keys and signatures of fn-dsa 0.3 and 0.4', async (t) => {
  const files = {
    'pornin-fn-dsa-0.3.0-kat.j0-4.json': { 9: fndsa.fndsa512, 10: fndsa.fndsa1024 },
    'pornin-fn-dsa-0.4.0-kat.j0-4.json': { 9: fndsa.fndsa512draft2026, 10: fndsa.fndsa1024draft2026 },
  };
  for (const [name, schemes] of Object.entries(files)) {
    const file = outside(`fndsa/${name}`);
    const vectors = file ? JSON.parse(file).vectors : await ownVectors(schemes);
    let checked = 0;
    const kinds = new Set();
    for (const vector of vectors) {
      const scheme = schemes[vector.logn];
      if (!scheme) continue;
      const [key, signature] = [hex(vector.vk), hex(vector.sig)];
      const prehash = vector.prehash?.toLowerCase();
      const options = { context: hex(vector.ctx), ...(prehash && { prehash }) };
      const message = hex(vector.hv);
      kinds.add(prehash);
      assert.deepEqual((await scheme.keyPairFromSecretKey(hex(vector.sk))).publicKey, key);
      assert.equal(await scheme.verify(message, signature, key, options), true);
      const { context } = options;
      assert.equal(await scheme.verify(message, signature, key), !context.length && !prehash);
      assert.equal(await scheme.verify(message, signature, key, { context }), !prehash);
      message[0] ^= 1;
      assert.equal(await scheme.verify(message, signature, key, options), false);
      checked++;
    }
    assert.ok(checked > 5 && kinds.size > 1, `${checked} vectors of ${name}`);
  }
});

test('Falcon: both ways with noble-post-quantum', { timeout: 300_000 }, async () => {
  for (const name of ['falcon512', 'falcon512padded', 'falcon1024']) {
    const [ours, theirs] = [fndsa[name], noble[name]];
    const message = utf8(`message for ${name}`);
    const mine = await ours.newKeyPair();
    const signature = await ours.sign(message, mine.secretKey);
    assert.equal(theirs.verify(signature, message, mine.publicKey), true, name);
    assert.equal(await ours.verify(message, theirs.sign(message, mine.secretKey), mine.publicKey), true);
    if (name == 'falcon512') {
      const pair = theirs.keygen();
      assert.deepEqual((await ours.keyPairFromSecretKey(pair.secretKey)).publicKey, pair.publicKey);
      const other = theirs.sign(message, pair.secretKey);
      assert.equal(await ours.verify(message, other, pair.publicKey), true);
      other[100] ^= 1;
      assert.equal(await ours.verify(message, other, pair.publicKey), false);
    }
  }
});

test('keys: PKCS#8, SPKI and JWK as node has them', async () => {
  for (const curve of ['Ed25519', 'X25519']) {
    const { publicKey, privateKey } = crypto.generateKeyPairSync(curve.toLowerCase());
    const jwk = privateKey.export({ format: 'jwk' });
    const secret = keys.fromBase64Url(jwk.d);
    const raw = keys.fromBase64Url(jwk.x);
    const pkcs8 = new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }));
    const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
    assert.deepEqual(keys.toPkcs8(secret, curve), pkcs8);
    assert.deepEqual(keys.toSpki(raw, curve), spki);
    const read = { curve, secret, publicKey: raw };
    assert.deepEqual(await keys.fromPkcs8(pkcs8), read);
    assert.deepEqual(keys.fromSpki(spki), { curve, publicKey: raw });
    const written = await keys.privateToJwk(secret, curve);
    assert.deepEqual({ ...written }, { ...jwk });
    assert.deepEqual(await keys.privateFromJwk(jwk), read);
    assert.deepEqual(keys.publicFromJwk(publicKey.export({ format: 'jwk' })).publicKey, raw);
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    assert.equal(keys.toPem(pkcs8, 'PRIVATE KEY'), pem);
    assert.deepEqual(keys.fromPem(pem), { label: 'PRIVATE KEY', der: pkcs8 });
    // A public key of somebody else's.
    const other = await keys.privateToJwk(crypto.randomBytes(32).subarray(0), curve);
    await assert.rejects(keys.privateFromJwk({ ...written, x: other.x }), /not that of the secret/);
  }
});

test('keys: version 2, attributes, old ring; and what is none', async () => {
  const secret = new Uint8Array(32).fill(7);
  const { publicKey } = await keys.fromPkcs8(keys.toPkcs8(secret));
  const head = '020101300506032b657004220420' + toHex(secret);
  const accepted = [
    '3051' + head + '812100' + toHex(publicKey),
    '3053' + head + 'a123032100' + toHex(publicKey),
  ];
  for (const text of accepted) {
    assert.deepEqual((await keys.fromPkcs8(hex(text))).publicKey, publicKey);
    for (let cut = 0; cut < text.length / 2; cut++)
      await assert.rejects(keys.fromPkcs8(hex(text).subarray(0, cut)), RangeError);
    await assert.rejects(keys.fromPkcs8(hex(text + '00')), RangeError);
    const wrong = hex(text);
    wrong[wrong.length - 1] ^= 1;
    await assert.rejects(keys.fromPkcs8(wrong), /not that of the secret/);
  }
  // That tag ring wrote of Ed25519 alone.
  const other = await keys.fromPkcs8(keys.toPkcs8(secret, 'X25519'));
  const [version2, ring] = accepted.map((text) => text.replace('2b6570', '2b656e').replace(toHex(publicKey), toHex(other.publicKey)));
  assert.deepEqual(await keys.fromPkcs8(hex(version2)), other);
  await assert.rejects(keys.fromPkcs8(hex(ring)), { name: 'RangeError', message: 'der is not a PKCS#8 key of RFC 8410' });
  // RFC 8410 section 10.3, with attributes and public key.
  const rfc = outside('rfc8410/10.3-ed25519-pkcs8-v2-attrs-pub.pem');
  if (rfc) {
    const { der } = keys.fromPem(rfc.toString());
    const key = await keys.fromPkcs8(der);
    assert.equal(toHex(key.secret).slice(0, 16), 'd4ee72dbf913584a');
  }
  assert.throws(() => keys.fromSpki(new Uint8Array(44)), RangeError);
  assert.throws(() => keys.fromSpki(keys.toSpki(publicKey).subarray(1)), RangeError);
  assert.throws(() => keys.toSpki(publicKey, 'P-256'), RangeError);
  assert.throws(() => keys.publicFromJwk({ kty: 'EC', crv: 'Ed25519', x: '' }), RangeError);
  assert.throws(() => keys.publicFromJwk({ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }), /32 bytes/);
});

test('PEM: text may stand before the block, in lines of its own, and none behind it', () => {
  const der = keys.toPkcs8(new Uint8Array(32).fill(7));
  const pem = keys.toPem(der, 'PRIVATE KEY');
  // A comment as the command writes one, prose as openssl does, and what only looks like a block.
  for (const before of ['Comment: alice@example.org\n', 'Bag Attributes\r\n    friendlyName: a\r\n\r\n', '----- BEGIN here -----\n-----BEGIN\n', '\n\n# -----BEGIN A-----\n'])
    assert.deepEqual(keys.fromPem(before + pem), { label: 'PRIVATE KEY', der }, before);
  for (const text of [`Comment: a ${pem}`, `Comment: a\n ${pem}`, `${pem}Comment: a\n`, pem + pem, `Comment: a\n${pem}${pem}`, `Comment: a\n${pem.slice(0, -2)}`, 'Comment: a\n', '-----BEGIN A-----\n' + pem])
    assert.throws(() => keys.fromPem(text), { name: 'RangeError', message: /^text is not (PEM|base64)$/ }, text);
  // What is white space in ECMAScript alone is none within the block, and ends no line before it. Labels are words, with a space between them.
  for (const space of ['\u00a0', '\u2028', '\u2029', '\ufeff', '\u3000', '\u1680'])
    for (const text of [pem.replace('M', `M${space}`), pem.replace('-----\n', `-----${space}`), `Comment: a${space}${pem}`])
      assert.throws(() => keys.fromPem(text), { name: 'RangeError', message: /^text is not (PEM|base64)$/ }, JSON.stringify(text));
  for (const space of ['\t', '\v', '\f', '\r', ' ', '\r\n']) assert.deepEqual(keys.fromPem(pem.replace('M', `M${space}`)).der, der);
  for (const before of ['\ufeff', 'Comment: a\r', '\ufeffComment: a\r\n']) assert.deepEqual(keys.fromPem(before + pem).der, der);
  for (const label of ['PRIVATE  KEY', ' PRIVATE KEY', 'PRIVATE KEY ', ' ', 'PRIVATE\u00a0KEY', 'private key', 'X509 KEY', ''])
    assert.throws(() => keys.fromPem(pem.replaceAll('PRIVATE KEY', label)), { name: 'RangeError', message: 'text is not PEM' }, label);
});

test('text is read in time linear in its length: what took hours takes none', () => {
  // In a process that can be stopped: a regular expression cannot.
  const hang = `import { fromPem } from 'lanner/keys';
    try { fromPem('-----BEGIN A-----' + '\\n'.repeat(65000)); } catch ({ name }) { console.log(name); }`;
  const args = ['--input-type=module', '-e', hang];
  const said = execFileSync(process.execPath, args, { cwd: join(root, 'test'), encoding: 'utf8', timeout: 60_000 });
  assert.equal(said, 'RangeError\n');
  const [begin, end] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
  const many = (text, count) => text.repeat(count);
  const size = 65536 - begin.length - end.length;
  for (const text of [
    begin + many('\n', size), begin + many('\n', size - 1) + '!' + end, begin + '\n' + many('A', size), many('\n', 65536),
    begin + many(' \n', size / 2) + end, begin + many('A\n', size / 2) + '-', many(begin, 2000), many('-', 65536),
    begin + '\n' + many('=', size - 1) + end, begin + '\n' + many('AAAA\n', 9000) + '=' + end, `${begin}\n\n${end}`, begin, '',
    `${begin}AAAA${end}`, '-----BEGIN A-----END A-----', '-----BEGIN A-----\nAAAA\n-----END B-----', '-----BEGIN a-----\nAAAA\n-----END a-----',
    `${begin}\nAAAA\n-----END PRIVATE KEY----`, `x${begin}\nAAAA\n${end}`, `${begin}\nAA AA*\n${end}`,
  ])
    assert.throws(() => keys.fromPem(text), RangeError, text.slice(0, 60));
  assert.throws(() => keys.fromPem(many('\n', 65537)), { name: 'RangeError', message: 'text has more than 65536 characters' });
  assert.throws(() => keys.fromPem(Uint8Array.of(1)), TypeError);
  const der = new Uint8Array(40_000).fill(3);
  for (const pem of [keys.toPem(der, 'PUBLIC KEY'), `\n \t${keys.toPem(der, 'PUBLIC KEY').replaceAll('\n', ' \r\n')}\n\n`])
    assert.deepEqual(keys.fromPem(pem), { label: 'PUBLIC KEY', der });
  for (const read of [keys.fromHex, keys.fromBase64, keys.fromBase64Url])
    for (const [one, last] of [['a', '!'], ['A', '=A*'], [' ', 'A'], ['=', '='], ['/', '\n'], ['-', '*']])
      assert.throws(() => read(many(one, 999_999) + last), RangeError);
  assert.equal(keys.fromBase64(keys.toBase64(new Uint8Array(999_999))).length, 999_999);
  assert.equal(keys.fromHex(keys.toHex(new Uint8Array(999_999))).length, 999_999);
});

test('hexadecimal and base64: there and back, and nothing else', () => {
  const next = words(31);
  for (let length = 0; length < 70; length++) {
    const bytes = randomBytes(next, length);
    assert.equal(keys.toHex(bytes), toHex(bytes));
    assert.deepEqual(keys.fromHex(keys.toHex(bytes).toUpperCase()), bytes);
    assert.equal(keys.toBase64(bytes), Buffer.from(bytes).toString('base64'));
    assert.deepEqual(keys.fromBase64(keys.toBase64(bytes)), bytes);
    assert.equal(keys.toBase64Url(bytes), Buffer.from(bytes).toString('base64url'));
    assert.deepEqual(keys.fromBase64Url(keys.toBase64Url(bytes)), bytes);
  }
  for (const text of ['a', '0g', ' 00', '0x00']) assert.throws(() => keys.fromHex(text), RangeError);
  for (const text of ['AA', 'AAA', 'AB==', 'A===', 'AA==AA==', 'AA A', '_-==', '===='])
    assert.throws(() => keys.fromBase64(text), RangeError, text);
  for (const text of ['A', 'AB', 'AA==', '+/', 'AA A'])
    assert.throws(() => keys.fromBase64Url(text), RangeError, text);
  assert.throws(() => keys.fromHex(Uint8Array.of(1)), TypeError);
});

test('the demo reads a line of OpenSSH as it is written, and no other', async () => {
  const { keyOf } = await import('../demo/reading.js');
  const { publicKey } = await keys.fromPkcs8(keys.toPkcs8(new Uint8Array(32).fill(7)));
  const head = Buffer.from('0000000b7373682d6564323535313900000020', 'hex');
  const line = (blob) => `ssh-ed25519 ${Buffer.concat([blob, publicKey]).toString('base64')} a@b`;
  assert.deepEqual(keyOf(line(head)), publicKey);
  for (let bit = 0; bit < 8 * head.length; bit++) {
    const changed = Buffer.from(head);
    changed[bit >> 3] ^= 1 << bit % 8;
    assert.throws(() => keyOf(line(changed)), { name: 'RangeError', message: 'This line of OpenSSH is no Ed25519 key.' });
  }
  assert.throws(() => keyOf(line(Buffer.concat([head, Buffer.of(0)]))), RangeError);
});
