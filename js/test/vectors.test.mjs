// The outside test data: every entry gives the stated verdicts under every profile, the stated
// signatures, products and keys. Where the data are not here, that is said, and the project's own take their place.
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import test from 'node:test';
import * as small from 'lanner';
import * as fast from 'lanner/fast';
import * as sync from 'lanner/sync';
import * as compat from 'lanner/compat';
import * as verifyOnly from 'lanner/verify';
import * as streaming from 'lanner/streaming';
import * as streamingFast from 'lanner/streaming/fast';
import * as more from 'lanner/more';
import * as keys from 'lanner/keys';
import * as x25519 from 'lanner/x25519';
import nacl from 'lanner/tweetnacl';
import { hex, outside, own, toHex, utf8 } from './support.mjs';
import { PROFILES, agreement, signing, stanzas, verification } from './vectors.mjs';

/** The own vectors with contexts and prehashing, and what another context or another message makes of them. */
async function ownContexts() {
  const seen = new Set();
  const cases = ['ed25519_sign.json', 'rfc8032.json'].flatMap((name) => own(name).cases);
  for (const v of cases.filter(({ scheme }) => scheme != 'ed25519')) {
    const [message, context, publicKey] = [v.message, v.context, v.public_key].map(hex);
    const { secretKey } = await small.keyPairFromSeed(hex(v.seed));
    const prehashed = v.scheme == 'ed25519ph';
    const sign = () => (prehashed ? more.signPrehashed(message, secretKey, { context }) : more.signWithContext(message, secretKey, context));
    const verify = (text, bound, profile) =>
      prehashed
        ? more.verifyPrehashed(text, hex(v.signature), publicKey, { context: bound, profile })
        : more.verifyWithContext(text, hex(v.signature), publicKey, bound, { profile });
    assert.equal(toHex(await sign()), v.signature, v.name);
    for (const profile of PROFILES) {
      assert.equal(await verify(message, context, profile), true, `${v.name}, ${profile}`);
      assert.equal(await verify(utf8('another'), context, profile), false, `${v.name}, ${profile}`);
      assert.equal(await verify(message, utf8('another'), profile), false, `${v.name}, ${profile}`);
    }
    seen.add(v.scheme);
  }
  assert.equal(seen.size, 2);
}

/** The keys of the own vectors in every form, as node:crypto writes and reads them; and each octet of them altered. */
async function ownKeys(...curves) {
  let [read, refused] = [0, 0];
  for (const curve of curves) {
    const seeds = own('ed25519_sign.json').cases.slice(0, 12).map((v) => hex(v.seed));
    for (const [i, seed] of seeds.entries()) {
      const der = keys.toPkcs8(seed, curve);
      const theirs = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
      const open = createPublicKey(theirs);
      assert.equal(theirs.asymmetricKeyType, curve.toLowerCase());
      const spki = new Uint8Array(open.export({ format: 'der', type: 'spki' }));
      const key = await keys.fromPkcs8(new Uint8Array(theirs.export({ format: 'der', type: 'pkcs8' })));
      assert.deepEqual(key, { curve, secret: seed, publicKey: spki.slice(12) });
      assert.deepEqual(keys.fromSpki(spki), { curve, publicKey: key.publicKey });
      assert.deepEqual(keys.toSpki(key.publicKey, curve), spki);
      assert.deepEqual(keys.fromPem(theirs.export({ format: 'pem', type: 'pkcs8' })), { label: 'PRIVATE KEY', der });
      assert.equal(keys.toPem(spki, 'PUBLIC KEY'), open.export({ format: 'pem', type: 'spki' }));
      assert.deepEqual(await keys.privateToJwk(seed, curve), { ...theirs.export({ format: 'jwk' }) });
      assert.deepEqual(await keys.privateFromJwk(theirs.export({ format: 'jwk' })), key);
      read++;
      // Version 2, with the right public key and with another one.
      const second = Uint8Array.of(0x30, 0x51, 2, 1, 1, ...der.subarray(5), 0x81, 0x21, 0, ...key.publicKey);
      assert.deepEqual(await keys.fromPkcs8(second), key);
      second[second.length - 1] ^= 1;
      await assert.rejects(keys.fromPkcs8(second), { name: 'RangeError', message: 'the public key is not that of the secret' });
      // Whatever stands before the octets of a key is as it must be.
      for (let at = 0; i == 0 && at < 16; at++)
        for (const bit of [1, 32, 128]) {
          const wrong = der.slice();
          wrong[at] ^= bit;
          const other = await keys.fromPkcs8(wrong).catch((error) => assert.equal(error.name, 'RangeError'));
          // One bit of the identifier makes the other curve of it.
          if (other) assert.notEqual(other.curve, curve);
          else refused++;
        }
      for (const length of [0, 1, 15, 47]) {
        await assert.rejects(keys.fromPkcs8(der.slice(0, length)), RangeError);
        assert.throws(() => keys.fromSpki(spki.slice(0, length && length - 4)), RangeError);
        refused += 2;
      }
    }
  }
  assert.ok(read >= 12 && refused > 90, `${read} read, ${refused} refused`);
}

const signers = { small, fast, sync, compat, streaming, streamingFast };
const verifiers = { ...signers, verifyOnly };

for (const [set, count, cases] of verification) {
  test(`verification: ${set}`, async () => {
    assert.equal(cases.length, count);
    const seen = new Set();
    for (const [name, lanner] of Object.entries(verifiers))
      for (const profile of PROFILES) {
        const stated = cases.filter((one) => profile in one.stated);
        const expected = stated.map((one) => one.stated[profile]);
        const items = stated.map(({ message, signature, key }) => ({ message, signature, publicKey: key }));
        const together = await lanner.verifyBatch(items, { profile });
        for (const [i, one] of stated.entries()) {
          const where = `${set}, ${one.name}, ${name}, ${profile}`;
          const alone = await lanner.verify(one.message, one.signature, one.key, { profile });
          assert.equal(alone, expected[i], where);
          assert.equal(together[i], expected[i], `${where}, in a batch`);
          seen.add(alone);
        }
      }
    // What has no options has the default; and what takes pieces, every profile.
    for (const one of cases) {
      for (const profile of PROFILES) {
        if (!(profile in one.stated)) continue;
        const verifier = await more.createVerifier(one.signature, one.key, { profile });
        for (let at = 0; at < one.message.length; at += 50)
          verifier.update(one.message.subarray(at, at + 50));
        assert.equal(verifier.verify(), one.stated[profile], `${one.name} in pieces, ${profile}`);
      }
      if (!('strict' in one.stated)) continue;
      assert.equal(await small.verify(one.message, one.signature, one.key), one.stated.strict);
      if (one.signature.length != 64) continue;
      const verdict = nacl.sign.detached.verify(one.message, one.signature, one.key);
      assert.equal(verdict, one.stated.strict, `${one.name}, nacl`);
    }
    if (cases.length > 2) assert.equal(seen.size, 2, 'accepted some and refused some');
  });
}

for (const [set, count, cases] of signing)
  test(`signing: ${set}`, async () => {
    assert.equal(cases.length, count);
    for (const { name, seed, key, message, signature } of cases) {
      for (const lanner of Object.values(signers)) {
        const { publicKey, secretKey } = await lanner.keyPairFromSeed(seed);
        assert.deepEqual(publicKey, key, name);
        assert.deepEqual(await lanner.sign(message, secretKey), signature, name);
        assert.deepEqual(await (await lanner.createSigner(secretKey)).sign(message), signature);
        assert.equal(await lanner.verify(message, signature, key), true);
      }
      const pair = nacl.sign.keyPair.fromSeed(seed);
      assert.deepEqual(pair.publicKey, key);
      assert.deepEqual(nacl.sign.detached(message, pair.secretKey), signature, name);
      assert.deepEqual(await more.signStream(() => [message], pair.secretKey), signature, name);
    }
  });

test('contexts and prehashing: RFC 8032 and ACVP, or the own vectors', async () => {
  const rfc = outside('rfc8032/rfc8032.json');
  const acvp = outside('acvp/acvp_25519_shared.json');
  if (!rfc || !acvp) return ownContexts();
  const vectors = JSON.parse(rfc);
  const file = JSON.parse(acvp);
  let count = 0;
  for (const v of vectors.ed25519ctx) {
    const { secretKey, publicKey } = await small.keyPairFromSeed(hex(v.secretKey));
    const signature = await more.signWithContext(hex(v.message), secretKey, hex(v.context));
    assert.equal(toHex(signature), v.signature.toLowerCase(), v.name);
    assert.equal(await more.verifyWithContext(hex(v.message), signature, publicKey, hex(v.context)), true);
    count++;
  }
  const signed = [
    ...vectors.ed25519ph,
    ...file['EDDSA-SigGen-1.0'].filter((g) => g.preHash)
      .flatMap((g) => g.tests.map((v) => ({ ...v, secretKey: g.d }))),
  ];
  for (const v of signed) {
    const { secretKey, publicKey } = await small.keyPairFromSeed(hex(v.secretKey));
    const options = { context: hex(v.context ?? '') };
    const signature = await more.signPrehashed(hex(v.message), secretKey, options);
    assert.equal(toHex(signature), v.signature.toLowerCase());
    assert.equal(await more.verifyPrehashed(hex(v.message), signature, publicKey, options), true);
    count++;
  }
  const verdicts = [];
  for (const v of file['EDDSA-SigVer-1.0'].filter((g) => g.preHash).flatMap((g) => g.tests))
    for (const profile of PROFILES) {
      const options = { profile, context: hex(v.context ?? '') };
      const verdict = await more.verifyPrehashed(hex(v.message), hex(v.signature), hex(v.q), options);
      assert.equal(verdict, v.testPassed, `${v.tcId}: ${v.reason}, ${profile}`);
      verdicts.push(verdict);
    }
  assert.equal(count, 15);
  assert.equal(new Set(verdicts).size, 2);
});

for (const [set, count, cases] of agreement)
  test(`agreement: ${set}`, async () => {
    assert.equal(cases.length, count);
    for (const { name, scalar, u, product, zero } of cases) {
      assert.deepEqual(nacl.scalarMult(scalar, u), product, name);
      if (zero) {
        assert.ok(product.every((octet) => octet == 0), name);
        await assert.rejects(x25519.sharedSecret(scalar, u), /small order/, name);
      } else assert.deepEqual(await x25519.sharedSecret(scalar, u), product, name);
    }
  });

test('keys: Wycheproof, every form of a public key; X25519 in DER; or own keys', async () => {
  const file = outside('wycheproof/ed25519_test.json');
  const asn = outside('wycheproof/x25519_asn_test.json');
  if (!file || !asn) return ownKeys('X25519');
  let count = 0;
  for (const group of JSON.parse(file).testGroups) {
    const read = { curve: 'Ed25519', publicKey: hex(group.publicKey.pk) };
    assert.deepEqual(keys.fromSpki(hex(group.publicKeyDer)), read);
    assert.deepEqual(keys.fromSpki(keys.fromPem(group.publicKeyPem).der), read);
    if (group.publicKeyJwk) assert.deepEqual(keys.publicFromJwk(group.publicKeyJwk), read);
    assert.deepEqual(keys.toSpki(read.publicKey), hex(group.publicKeyDer));
    count++;
  }
  assert.ok(count > 5, `${count} keys`);
  let [agreed, refused] = [0, 0];
  for (const v of JSON.parse(asn).testGroups.flatMap((group) => group.tests)) {
    let secret, peer;
    try {
      ({ secret } = await keys.fromPkcs8(hex(v.private)));
      peer = keys.fromSpki(hex(v.public));
      if (peer.curve != 'X25519') throw new RangeError('another curve');
    } catch (error) {
      assert.equal(error.name, 'RangeError', `case ${v.tcId}: ${error.stack}`);
      assert.notEqual(v.result, 'valid', `case ${v.tcId}: ${v.comment}`);
      refused++;
      continue;
    }
    assert.notEqual(v.result, 'invalid', `case ${v.tcId}: ${v.comment}`);
    assert.deepEqual(nacl.scalarMult(secret, peer.publicKey), hex(v.shared), `case ${v.tcId}`);
    agreed++;
  }
  assert.ok(agreed > 500 && refused > 3, `${agreed} agreed, ${refused} refused`);
});

test('keys: ring, PKCS#8 of both versions, good and bad; or own keys', async () => {
  const file = outside('ring/ed25519_from_pkcs8_tests.txt');
  if (!file) return ownKeys('Ed25519');
  const cases = stanzas(file.toString());
  assert.equal(cases.length, 41);
  let accepted = 0;
  for (const [i, v] of cases.entries()) {
    if (v['Result-Maybe-Unchecked'] == 'OK') {
      const key = await keys.fromPkcs8(hex(v.Input));
      assert.equal(toHex(key.publicKey), v.Public.toLowerCase(), `stanza ${i}`);
      accepted++;
    } else await assert.rejects(keys.fromPkcs8(hex(v.Input)), RangeError, `stanza ${i}`);
  }
  assert.equal(accepted, 16);
});

test('keys: BoringSSL, every form of a key, good and bad; or own keys', async () => {
  const files = ['ed25519', 'x25519'].map((name) => outside(`boringssl/evp_${name}_tests.txt`));
  if (files.some((file) => !file)) return ownKeys('Ed25519', 'X25519');
  let [read, refused] = [0, 0];
  for (const v of files.flatMap((file) => stanzas(file.toString())).filter((v) => v.Key)) {
    const decode = async () => {
      const key = v.PKCS8 && (await keys.fromPkcs8(hex(v.PKCS8)));
      const other = v.SPKI && keys.fromSpki(hex(v.SPKI));
      return { key, other };
    };
    if (v.Error) {
      await assert.rejects(decode(), RangeError, v.Key);
      refused++;
      continue;
    }
    const { key, other } = await decode();
    if (v.RawPrivate && key) assert.equal(toHex(key.secret), v.RawPrivate, v.Key);
    for (const form of [key, other])
      if (form) {
        assert.equal(form.curve.toLowerCase(), v.Algorithm.toLowerCase());
        if (v.RawPublic) assert.equal(toHex(form.publicKey), v.RawPublic, v.Key);
      }
    read++;
  }
  assert.ok(read > 5 && refused > 0, `${read} read, ${refused} refused`);
});

test('keys: RFC 8410 and RFC 8037, or own keys', async () => {
  const jose = outside('jose/rfc8037.json');
  const names = ['10.1-ed25519-spki', '10.3-ed25519-pkcs8-v1', '10.3-ed25519-pkcs8-v2-attrs-pub'];
  const pems = names.map((name) => outside(`rfc8410/${name}.pem`));
  if (!jose || pems.some((pem) => !pem)) return ownKeys('Ed25519', 'X25519');
  const [spki, one, two] = pems.map((pem) => keys.fromPem(pem.toString()).der);
  const { publicKey } = keys.fromSpki(spki);
  const [first, second] = [await keys.fromPkcs8(one), await keys.fromPkcs8(two)];
  assert.deepEqual(first, second);
  assert.deepEqual(first.publicKey, publicKey);
  assert.deepEqual(keys.toPkcs8(first.secret), one);
  assert.deepEqual(keys.toSpki(publicKey), spki);
  const vectors = JSON.parse(jose);
  const key = await keys.privateFromJwk(vectors.A1_private_jwk);
  assert.deepEqual(key.publicKey, keys.publicFromJwk(vectors.A2_public_jwk).publicKey);
  const text = vectors.A4_jws_compact;
  const at = text.lastIndexOf('.');
  const signature = await small.sign(utf8(text.slice(0, at)), await keys.toSecretKey(key.secret));
  assert.equal(keys.toBase64Url(signature), text.slice(at + 1));
  const { epk_jwk, peer_jwk, z_hex, ephemeral_private_hex } = vectors.A6_x25519;
  const ephemeral = await x25519.keyPairFromSecretKey(hex(ephemeral_private_hex));
  assert.deepEqual(ephemeral.publicKey, keys.publicFromJwk(epk_jwk).publicKey);
  const shared = await x25519.sharedSecret(ephemeral.secretKey, keys.publicFromJwk(peer_jwk).publicKey);
  assert.equal(toHex(shared), z_hex);
});
