// The libraries, each behind the same few functions, in Node as in a browser. `load` imports a
// package by its name. What a function here does beside calling the library is an arrow, no copy.
//
// A library that signs: `keyPair()` gives what its `sign(message, pair)` takes; `pair.publicKey` is
// what its `verify(message, signature, publicKey)` takes, and `publicKeyOf(bytes)`, where the two are
// not the same, makes it. `loop` marks those whose single verifications are set beside batches.

/** Anything in the manner of watsign, asynchronous or not. */
const watsignLike = (load, name) => async () => {
  const api = await load(name);
  return {
    keyPair: api.newKeyPair && (() => api.newKeyPair()),
    sign: api.sign && ((message, pair) => api.sign(message, pair.secretKey)),
    verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
    verifyBatch: api.verifyBatch && ((items) => api.verifyBatch(items)),
  };
};

/** The same with `createSigner`, whose key is checked beforehand. */
const signer = (load, name) => async () => {
  const api = await load(name);
  return {
    measured: ['sign'],
    keyPair: async () => {
      const { publicKey, secretKey } = await api.newKeyPair();
      return { publicKey, signer: await api.createSigner(secretKey) };
    },
    sign: (message, pair) => pair.signer.sign(message),
    verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
  };
};

const naclLike = (load, name) => async () => {
  const { default: nacl } = await load(name);
  return {
    keyPair: () => nacl.sign.keyPair(),
    sign: (message, pair) => nacl.sign.detached(message, pair.secretKey),
    verify: (message, signature, publicKey) =>
      nacl.sign.detached.verify(message, signature, publicKey),
  };
};

const webCrypto = async () => {
  const { subtle } = globalThis.crypto;
  const keyPair = () => subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  // Where the engine lacks Ed25519, this says so.
  await keyPair();
  return { subtle, keyPair };
};

/** The libraries that sign with Ed25519. */
export const ed25519 = (load) => ({
  'lanner/fast': watsignLike(load, 'lanner/fast'),
  'lanner/fast, createSigner': signer(load, 'lanner/fast'),
  lanner: watsignLike(load, 'lanner'),
  'lanner, createSigner': signer(load, 'lanner'),
  'lanner/sync': watsignLike(load, 'lanner/sync'),
  'lanner/sync, createSigner': signer(load, 'lanner/sync'),
  'lanner/verify': watsignLike(load, 'lanner/verify'),
  'lanner/compat': watsignLike(load, 'lanner/compat'),
  'lanner/tweetnacl': naclLike(load, 'lanner/tweetnacl'),
  watsign: watsignLike(load, 'watsign'),
  tweetnacl: naclLike(load, 'tweetnacl'),
  'noble-ed25519': async () => {
    const noble = await load('@noble/ed25519');
    return {
      keyPair: () => noble.keygenAsync(),
      sign: (message, pair) => noble.signAsync(message, pair.secretKey),
      verify: (message, signature, publicKey) => noble.verifyAsync(signature, message, publicKey),
    };
  },
  'noble-curves': async () => {
    const { ed25519: noble } = await load('@noble/curves/ed25519.js');
    return {
      keyPair: () => noble.keygen(),
      sign: (message, pair) => noble.sign(message, pair.secretKey),
      verify: (message, signature, publicKey) => noble.verify(signature, message, publicKey),
    };
  },
  'libsodium-wrappers': async () => {
    const { default: sodium } = await load('libsodium-wrappers');
    await sodium.ready;
    return {
      loop: true,
      keyPair: () => sodium.crypto_sign_keypair(),
      sign: (message, pair) => sodium.crypto_sign_detached(message, pair.privateKey),
      verify: (message, signature, publicKey) =>
        sodium.crypto_sign_verify_detached(signature, message, publicKey),
    };
  },
  'supercop.wasm': async () => {
    const { default: supercop } = await load('supercop.wasm');
    // It calls back with a thenable that resolves to itself.
    await new Promise((resolve) => supercop.ready(() => resolve()));
    return {
      keyPair: () => supercop.createKeyPair(supercop.createSeed()),
      sign: (message, pair) => supercop.sign(message, pair.publicKey, pair.secretKey),
      verify: (message, signature, publicKey) => supercop.verify(signature, message, publicKey),
    };
  },
  'lanner/native': async () => {
    const api = await load('lanner/native');
    const { keyPair } = await webCrypto();
    return {
      measured: ['verify', 'verify 64, each'],
      keyPair: async () => {
        const { privateKey, publicKey } = await keyPair();
        return { privateKey, publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)) };
      },
      sign: (message, pair) => api.sign(message, pair.privateKey),
      verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
      verifyBatch: (items) => api.verifyBatch(items),
    };
  },
  'lanner/native, CryptoKey': async () => {
    const api = await load('lanner/native');
    const { subtle, keyPair } = await webCrypto();
    return {
      measured: ['sign', 'verify', 'verify 64, each'],
      keyPair,
      publicKeyOf: (bytes) => subtle.importKey('raw', bytes, 'Ed25519', true, ['verify']),
      sign: (message, pair) => api.sign(message, pair.privateKey),
      verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
      verifyBatch: (items) => api.verifyBatch(items),
    };
  },
  'WebCrypto, CryptoKey': async () => {
    const { subtle, keyPair } = await webCrypto();
    return {
      keyPair,
      publicKeyOf: (bytes) => subtle.importKey('raw', bytes, 'Ed25519', true, ['verify']),
      sign: (message, pair) => subtle.sign('Ed25519', pair.privateKey, message),
      verify: (message, signature, publicKey) =>
        subtle.verify('Ed25519', publicKey, signature, message),
    };
  },
  'WebCrypto, bytes in': async () => {
    const { subtle, keyPair } = await webCrypto();
    const imported = (format, bytes, use) => subtle.importKey(format, bytes, 'Ed25519', true, [use]);
    return {
        keyPair: async () => {
        const { privateKey, publicKey } = await keyPair();
        return {
          privateKey: await subtle.exportKey('pkcs8', privateKey),
          publicKey: await subtle.exportKey('raw', publicKey),
        };
      },
      sign: async (message, pair) =>
        subtle.sign('Ed25519', await imported('pkcs8', pair.privateKey, 'sign'), message),
      verify: async (message, signature, publicKey) =>
        subtle.verify('Ed25519', await imported('raw', publicKey, 'verify'), signature, message),
    };
  },
});

/** The libraries with X25519: `keyPair()`, and `agree(pair, publicKey)`. */
export const x25519 = (load) => ({
  'lanner/x25519': async () => {
    const api = await load('lanner/x25519');
    return {
      keyPair: () => api.newKeyPair(),
      agree: (pair, publicKey) => api.sharedSecret(pair.secretKey, publicKey),
    };
  },
  'lanner/tweetnacl': async () => {
    const { default: nacl } = await load('lanner/tweetnacl');
    return {
      keyPair: () => {
        const secretKey = nacl.randomBytes(32);
        return { secretKey, publicKey: nacl.scalarMult.base(secretKey) };
      },
      agree: (pair, publicKey) => nacl.scalarMult(pair.secretKey, publicKey),
    };
  },
  tweetnacl: async () => {
    const { default: nacl } = await load('tweetnacl');
    return {
      keyPair: () => nacl.box.keyPair(),
      agree: (pair, publicKey) => nacl.scalarMult(pair.secretKey, publicKey),
    };
  },
  'noble-curves': async () => {
    const { x25519: noble } = await load('@noble/curves/ed25519.js');
    return {
      keyPair: () => noble.keygen(),
      agree: (pair, publicKey) => noble.getSharedSecret(pair.secretKey, publicKey),
    };
  },
  'libsodium-wrappers': async () => {
    const { default: sodium } = await load('libsodium-wrappers');
    await sodium.ready;
    return {
      keyPair: () => sodium.crypto_box_keypair(),
      agree: (pair, publicKey) => sodium.crypto_scalarmult(pair.privateKey, publicKey),
    };
  },
  'WebCrypto, CryptoKey': async () => {
    const { subtle } = globalThis.crypto;
    const keyPair = () => subtle.generateKey('X25519', true, ['deriveBits']);
    await keyPair();
    return {
      keyPair,
      publicKeyOf: (bytes) => subtle.importKey('raw', bytes, 'X25519', true, []),
      agree: (pair, publicKey) =>
        subtle.deriveBits({ name: 'X25519', public: publicKey }, pair.privateKey, 256),
    };
  },
});

/** A scalar as a number, for those that compute with these. */
const integer = (bytes) => bytes.reduceRight((sum, octet) => (sum << 8n) | BigInt(octet), 0n);

/**
 * The libraries with Ristretto255, bytes in and bytes out: `multiply(scalar, element)`, `multiplyBase(scalar)`, `add(a, b)`,
 * `hash(message, tag)` and `sum(terms)`.
 */
export const ristretto255 = (load) => {
  const own = (name) => async () => {
    const api = await load(name);
    return {
      multiply: api.multiply, multiplyBase: api.multiplyBase, add: api.add, hash: api.hashToRistretto255, sum: api.multiscalar,
    };
  };
  return {
    'lanner/ristretto': own('lanner/ristretto'),
    'lanner/ristretto/sync': own('lanner/ristretto/sync'),
    'noble-curves': async () => {
      const { ristretto255: { Point }, ristretto255_hasher: hasher } = await load('@noble/curves/ed25519.js');
      const { pippenger } = await load('@noble/curves/abstract/curve.js');
      return {
        multiply: (scalar, element) => Point.fromBytes(element).multiply(integer(scalar)).toBytes(),
        multiplyBase: (scalar) => Point.BASE.multiply(integer(scalar)).toBytes(),
        add: (a, b) => Point.fromBytes(a).add(Point.fromBytes(b)).toBytes(),
        hash: (message, tag) => hasher.hashToCurve(message, { DST: tag }).toBytes(),
        // Not in constant time.
        sum: (terms) =>
          pippenger(Point, terms.map(({ element }) => Point.fromBytes(element)), terms.map(({ scalar }) => integer(scalar))).toBytes(),
      };
    },
  };
};

/** The libraries with round-3 Falcon, padded: `degree` is 512 or 1024. */
export const falcon = (load, degree) => ({
  'lanner/fn-dsa': async () => {
    const api = (await load('lanner/fn-dsa'))[`falcon${degree}padded`];
    return {
      keyPair: () => api.newKeyPair(),
      sign: (message, pair) => api.sign(message, pair.secretKey),
      verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
    };
  },
  'lanner/fn-dsa, createSigner': async () => {
    const api = (await load('lanner/fn-dsa'))[`falcon${degree}padded`];
    return {
      measured: ['sign'],
      keyPair: async () => {
        const { publicKey, secretKey } = await api.newKeyPair();
        return { publicKey, signer: await api.createSigner(secretKey) };
      },
      sign: (message, pair) => pair.signer.sign(message),
      verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
    };
  },
  'noble-post-quantum': async () => {
    const api = (await load('@noble/post-quantum/falcon.js'))[`falcon${degree}padded`];
    return {
      keyPair: () => api.keygen(),
      sign: (message, pair) => api.sign(message, pair.secretKey),
      verify: (message, signature, publicKey) => api.verify(signature, message, publicKey),
    };
  },
  'liboqs-js': async () => {
    const { createFalconPadded512, createFalconPadded1024 } = await load('@oqs/liboqs-js/sig');
    const api = await (degree == 512 ? createFalconPadded512 : createFalconPadded1024)();
    return {
      keyPair: () => api.generateKeyPair(),
      sign: (message, pair) => api.sign(message, pair.secretKey),
      verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
    };
  },
});

/** The packages whose versions a report names. */
export const packages = [
  'watsign',
  'tweetnacl',
  '@noble/ed25519',
  '@noble/curves',
  '@noble/post-quantum',
  'libsodium-wrappers',
  'supercop.wasm',
  '@oqs/liboqs-js',
];
