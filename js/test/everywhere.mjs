// What must hold in every environment: takes the entries, throws where something does not hold.
// No module of any environment is imported here.

const assert = (condition, what) => {
  if (!condition) throw new Error(what);
};

const same = (a, b) => a.length == b.length && a.every((byte, i) => byte == b[i]);

const hex = (text) => Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16));

const throws = async (call, name) => {
  try {
    await call();
  } catch (error) {
    assert(error.name == name, `${error.name} instead of ${name}: ${error.message}`);
    return;
  }
  throw new Error(`no ${name}`);
};

// RFC 8032 section 7.1, test 2.
const seed = hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');
const known = hex(
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
    '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
);
const message = Uint8Array.of(0x72);

async function ed25519(api) {
  const { secretKey, publicKey } = await api.keyPairFromSeed(seed);
  const signature = await api.sign(message, secretKey);
  assert(same(signature, known), 'the signature of RFC 8032');
  assert(await api.verify(message, signature, publicKey), 'valid');
  assert(!(await api.verify(Uint8Array.of(1), signature, publicKey)), 'not valid');
  const signer = await api.createSigner((await api.newKeyPair()).secretKey);
  const items = [{ message, signature, publicKey }];
  items.push({ message, signature: await signer.sign(message), publicKey: signer.publicKey });
  items.push({ message, signature, publicKey: signer.publicKey });
  assert(String(await api.verifyBatch(items)) == 'true,true,false', 'verdicts');
  secretKey[40] ^= 1;
  await throws(async () => api.sign(message, secretKey), 'RangeError');
}

/** The same verdicts whoever gives them: where the engine may answer, and where this package does. */
async function native(api, name) {
  const publicKey = hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
  const items = [{ message, signature: known, publicKey }, { message: Uint8Array.of(1), signature: known, publicKey }];
  for (const profile of ['strict', 'dalek', 'zip215', 'rfc8032', 'donna'])
    assert(String(await api.verifyBatch(items, { profile })) == 'true,false', `verdicts of ${profile}`);
  assert(typeof (await api.isNative()) == 'boolean', 'isNative');
  await throws(async () => api.sign(message, publicKey), 'TypeError');
  if (name == 'nativeSync') return;
  // What the engine's own keys are for, where it has them.
  const pair = await globalThis.crypto.subtle?.generateKey('Ed25519', true, ['sign', 'verify']).catch(() => {});
  if (!pair) return;
  const signature = await api.sign(message, pair.privateKey);
  assert(await api.verify(message, signature, pair.publicKey), 'a CryptoKey');
  assert(!(await api.verify(seed, signature, pair.publicKey)), 'a CryptoKey, another message');
}

/** Runs everything over the entries that are given; the number of entries that were run. */
export async function everywhere(entries) {
  let count = 0;
  for (const [name, api] of Object.entries(entries)) {
    try {
      if (['lanner', 'fast', 'sync', 'compat'].includes(name)) await ed25519(api);
      else if (['streaming', 'streamingFast'].includes(name)) {
        await ed25519(api);
        await throws(() => api.load(Uint8Array.of(0, 97, 115, 109)), 'Error');
      }
      else if (name == 'verify') {
        const publicKey = hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
        assert(await api.verify(message, known, publicKey), 'valid');
        assert(!(await api.verify(message, known.slice(1), publicKey)), 'not valid');
      } else if (['native', 'nativeSync'].includes(name)) await native(api, name);
      else if (name == 'tweetnacl') {
        const nacl = api.default;
        const pair = nacl.sign.keyPair.fromSeed(seed);
        assert(same(nacl.sign.detached(message, pair.secretKey), known), 'detached');
        const signed = nacl.sign(message, pair.secretKey);
        assert(same(nacl.sign.open(signed, pair.publicKey), message), 'open');
        assert(nacl.scalarMult.base(nacl.randomBytes(32)).length == 32, 'scalarMult');
      } else if (['x25519', 'x25519Sync'].includes(name)) {
        const [a, b] = [await api.newKeyPair(), await api.newKeyPair()];
        const shared = await api.sharedSecret(a.secretKey, b.publicKey);
        assert(same(shared, await api.sharedSecret(b.secretKey, a.publicKey)), 'agreement');
      } else if (['ristretto', 'ristrettoSync'].includes(name)) {
        // RFC 9496 appendix A.1: the base point, and its double.
        const one = Uint8Array.of(1, ...new Uint8Array(31));
        const base = await api.multiplyBase(one);
        assert(same(base, hex('e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76')), 'the base point');
        const twice = await api.add(base, base);
        assert(same(twice, hex('6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919')), 'its double');
        const element = await api.hashToRistretto255(message, seed);
        const scalar = await api.newScalar();
        const back = await api.multiply(await api.invertScalar(scalar), await api.multiply(scalar, element));
        assert(await api.equals(back, element), 'there and back');
        assert(same(twice, await api.multiscalar([{ scalar: one, element: base }, { scalar: one, element: base }])), 'a sum');
        await throws(async () => api.add(base, new Uint8Array(32).fill(255)), 'RangeError');
      } else if (name == 'fnDsaVerify') {
        await throws(async () => api.falcon512.verify(message, known, new Uint8Array(897)), 'RangeError');
        await throws(async () => api.fndsa1024.verify(message, known, new Uint8Array(897)), 'RangeError');
      } else if (['fnDsa', 'fnDsaSync', 'fnDsaStreaming'].includes(name)) {
        for (const scheme of [api.fndsa512, api.falcon512padded]) {
          const pair = await scheme.newKeyPair();
          const signature = await scheme.sign(message, pair.secretKey);
          assert(await scheme.verify(message, signature, pair.publicKey), 'valid');
          assert(!(await scheme.verify(seed, signature, pair.publicKey)), 'not valid');
          if (name == 'fnDsaSync') continue;
          const streamed = await scheme.signStream(() => new Blob([message, seed]).stream(), pair.secretKey);
          assert(await scheme.verify(Uint8Array.of(...message, ...seed), streamed, pair.publicKey), 'signed stream');
          assert(await scheme.verifyStream([message, seed], streamed, pair.publicKey), 'stream');
          assert(!(await scheme.verifyStream([seed, message], streamed, pair.publicKey)), 'another stream');
        }
      } else if (name == 'hybrid') {
        // The length of the seed's public key, and both ways to sign.
        const { publicKey, secretKey } = await api.hybrid512.keyPairFromSeed(seed);
        assert(publicKey.length == 929, 'a key');
        const signature = await api.hybrid512.sign(message, secretKey);
        assert(await api.hybrid512.verify(message, signature, publicKey), 'valid');
        assert(!(await api.hybrid512.verify(seed, signature, publicKey)), 'not valid');
        const signer = await api.hybrid1024.createSigner(seed);
        const streamed = await signer.signStream(() => new Blob([message, seed]).stream());
        assert(await api.hybrid1024.verifyStream([message, seed], streamed, signer.publicKey), 'stream');
        await throws(() => api.hybrid512.verify(message, signature, new Uint8Array(929)), 'RangeError');
      } else if (name == 'fnDsaKeys') {
        // Schemes are from other entries: one stands for them.
        const publicKey = new Uint8Array(929);
        const scheme = {
          name: 'hybrid512',
          lengths: { secretKey: 32, publicKey: 929 },
          keyPairFromSecretKey: async (secretKey) => ({ publicKey, secretKey: secretKey.slice() }),
          verify: async () => false,
        };
        const key = await api.fromPkcs8(await api.toPkcs8(seed, scheme), scheme);
        assert(same(key.secretKey, seed), 'PKCS#8');
        assert(same(await api.fromSpki(await api.toSpki(publicKey, scheme), scheme), publicKey), 'SubjectPublicKeyInfo');
        await throws(() => api.fromSpki(publicKey, scheme), 'RangeError');
      } else if (name == 'keys') {
        const key = await api.fromPkcs8(api.toPkcs8(seed));
        assert(same(key.secret, seed), 'PKCS#8');
      } else if (['more', 'moreFast'].includes(name)) {
        const secretKey = hex(
          '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb' +
            '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        );
        const stream = () => new Blob([message]).stream();
        assert(same(await api.signStream(stream, secretKey), known), 'stream');
      } else throw new Error('what is this entry?');
    } catch (error) {
      // Not every engine has the message in the stack.
      throw new Error(`${name}: ${error}\n${error.stack}`);
    }
    count++;
  }
  return count;
}
