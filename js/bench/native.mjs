// node:crypto: with bytes as keys, which become key objects in every call, and with key objects ready.
// It is imported only when it is measured, so that its own start is measured as well.

const pkcs8 = { format: 'der', type: 'pkcs8' };
const spki = { format: 'der', type: 'spki' };
const encoded = { publicKeyEncoding: spki, privateKeyEncoding: pkcs8 };
const jwk = { format: 'jwk' };

const start = async () => {
  const { default: crypto } = await import('node:crypto');
  return {
    crypto,
    der: {
      private: (key) => crypto.createPrivateKey({ key, ...pkcs8 }),
      public: (key) => crypto.createPublicKey({ key, ...spki }),
    },
    jwk: {
      private: (key) => crypto.createPrivateKey({ key, ...jwk }),
      public: (key) => crypto.createPublicKey({ key, ...jwk }),
    },
    /** A key object from the 32 bytes of a public key. */
    publicKeyOf: (crv) => (bytes) =>
      crypto.createPublicKey({
        key: { kty: 'OKP', crv, x: Buffer.from(bytes).toString('base64url') },
        ...jwk,
      }),
  };
};

/** Rows of Ed25519. */
export const ed25519 = {
  'lanner/native/sync, KeyObject': async () => {
    const { crypto, publicKeyOf } = await start();
    const api = await import('lanner/native/sync');
    return {
      measured: ['sign', 'verify', 'verify 64, each'],
      keyPair: () => crypto.generateKeyPairSync('ed25519'),
      publicKeyOf: publicKeyOf('Ed25519'),
      sign: (message, pair) => api.sign(message, pair.privateKey),
      verify: (message, signature, publicKey) => api.verify(message, signature, publicKey),
      verifyBatch: (items) => api.verifyBatch(items),
    };
  },
  'node:crypto, KeyObject': async () => {
    const { crypto, publicKeyOf } = await start();
    return {
      loop: true,
      keyPair: () => crypto.generateKeyPairSync('ed25519'),
      publicKeyOf: publicKeyOf('Ed25519'),
      sign: (message, pair) => crypto.sign(null, message, pair.privateKey),
      verify: (message, signature, publicKey) => crypto.verify(null, message, publicKey, signature),
    };
  },
  'node:crypto, DER in': async () => {
    const { crypto, der } = await start();
    return {
      keyPair: () => crypto.generateKeyPairSync('ed25519', encoded),
      sign: (message, pair) => crypto.sign(null, message, der.private(pair.privateKey)),
      verify: (message, signature, publicKey) =>
        crypto.verify(null, message, der.public(publicKey), signature),
    };
  },
  'node:crypto, JWK in': async () => {
    const { crypto, jwk: of } = await start();
    return {
      // In one call: to export a key as JWK, Node 20 takes a lock that the collection of what made the key takes as well, in
      // the same thread, so that now and then it waits for itself for ever.
      keyPair: () =>
        crypto.generateKeyPairSync('ed25519', { publicKeyEncoding: jwk, privateKeyEncoding: jwk }),
      sign: (message, pair) => crypto.sign(null, message, of.private(pair.privateKey)),
      verify: (message, signature, publicKey) =>
        crypto.verify(null, message, of.public(publicKey), signature),
    };
  },
};

/** Rows of X25519. */
export const x25519 = {
  'node:crypto, KeyObject': async () => {
    const { crypto, publicKeyOf } = await start();
    return {
      keyPair: () => crypto.generateKeyPairSync('x25519'),
      publicKeyOf: publicKeyOf('X25519'),
      agree: (pair, publicKey) => crypto.diffieHellman({ privateKey: pair.privateKey, publicKey }),
    };
  },
  'node:crypto, DER in': async () => {
    const { crypto, der } = await start();
    return {
      keyPair: () => crypto.generateKeyPairSync('x25519', encoded),
      agree: (pair, publicKey) =>
        crypto.diffieHellman({
          privateKey: der.private(pair.privateKey),
          publicKey: der.public(publicKey),
        }),
    };
  },
};
