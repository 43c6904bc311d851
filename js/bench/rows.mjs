// What is measured, the same in Node and in a browser: libraries, each with the operations it has.

const message = (length) => Uint8Array.from({ length }, (_, i) => i * 7);

/** Rows of Ed25519 for a library in the manner of watsign. */
const watsignLike = (api) => async (long) => {
  const { secretKey, publicKey } = await api.newKeyPair();
  const text = message(long);
  const signature = await api.sign(text, secretKey);
  const signer = await api.createSigner?.(secretKey);
  return {
    keygen: () => api.newKeyPair(),
    sign: () => api.sign(text, secretKey),
    ...(signer && { signer: () => signer.sign(text) }),
    verify: () => api.verify(text, signature, publicKey),
  };
};

/** The libraries: name, what loads it, and its rows. */
export const libraries = (load) => ({
  lanner: async () => watsignLike(await load('lanner')),
  'lanner/sync': async () => watsignLike(await load('lanner/sync')),
  'lanner/fast': async () => watsignLike(await load('lanner/fast')),
  watsign: async () => watsignLike(await load('watsign')),
  tweetnacl: async () => {
    const { default: nacl } = await load('tweetnacl');
    return async (long) => {
      const { secretKey, publicKey } = nacl.sign.keyPair();
      const text = message(long);
      const signature = nacl.sign.detached(text, secretKey);
      return {
        keygen: () => nacl.sign.keyPair(),
        sign: () => nacl.sign.detached(text, secretKey),
        verify: () => nacl.sign.detached.verify(text, signature, publicKey),
      };
    };
  },
  'noble-ed25519': async () => {
    const noble = await load('@noble/ed25519');
    return async (long) => {
      const { secretKey, publicKey } = await noble.keygenAsync();
      const text = message(long);
      const signature = await noble.signAsync(text, secretKey);
      return {
        keygen: () => noble.keygenAsync(),
        sign: () => noble.signAsync(text, secretKey),
        verify: () => noble.verifyAsync(signature, text, publicKey),
      };
    };
  },
  'noble-curves': async () => {
    const { ed25519 } = await load('@noble/curves/ed25519.js');
    return async (long) => {
      const { secretKey, publicKey } = ed25519.keygen();
      const text = message(long);
      const signature = ed25519.sign(text, secretKey);
      return {
        keygen: () => ed25519.keygen(),
        sign: () => ed25519.sign(text, secretKey),
        verify: () => ed25519.verify(signature, text, publicKey),
      };
    };
  },
  'libsodium-wrappers': async () => {
    const { default: sodium } = await load('libsodium-wrappers');
    await sodium.ready;
    return async (long) => {
      const { privateKey, publicKey } = sodium.crypto_sign_keypair();
      const text = message(long);
      const signature = sodium.crypto_sign_detached(text, privateKey);
      return {
        keygen: () => sodium.crypto_sign_keypair(),
        sign: () => sodium.crypto_sign_detached(text, privateKey),
        verify: () => sodium.crypto_sign_verify_detached(signature, text, publicKey),
      };
    };
  },
  WebCrypto: async () => {
    const { subtle } = globalThis.crypto;
    const make = () => subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    await make();
    return async (long) => {
      const { privateKey, publicKey } = await make();
      const text = message(long);
      const signature = await subtle.sign('Ed25519', privateKey, text);
      return {
        keygen: make,
        signer: () => subtle.sign('Ed25519', privateKey, text),
        verify: () => subtle.verify('Ed25519', publicKey, signature, text),
      };
    };
  },
});

/** Libraries with X25519: key pair and agreement. */
export const agreements = (load) => ({
  'lanner/x25519': async () => {
    const api = await load('lanner/x25519');
    const [a, b] = [await api.newKeyPair(), await api.newKeyPair()];
    return { keygen: () => api.newKeyPair(), agree: () => api.sharedSecret(a.secretKey, b.publicKey) };
  },
  tweetnacl: async () => {
    const { default: nacl } = await load('tweetnacl');
    const [a, b] = [nacl.box.keyPair(), nacl.box.keyPair()];
    return { keygen: () => nacl.box.keyPair(), agree: () => nacl.scalarMult(a.secretKey, b.publicKey) };
  },
  'noble-curves': async () => {
    const { x25519 } = await load('@noble/curves/ed25519.js');
    const [a, b] = [x25519.keygen(), x25519.keygen()];
    return { keygen: () => x25519.keygen(), agree: () => x25519.getSharedSecret(a.secretKey, b.publicKey) };
  },
  'libsodium-wrappers': async () => {
    const { default: sodium } = await load('libsodium-wrappers');
    await sodium.ready;
    const [a, b] = [sodium.crypto_box_keypair(), sodium.crypto_box_keypair()];
    return {
      keygen: () => sodium.crypto_box_keypair(),
      agree: () => sodium.crypto_scalarmult(a.privateKey, b.publicKey),
    };
  },
});

/** Libraries with Falcon-512. */
export const falcons = (load) => ({
  'lanner/fn-dsa': async () => {
    const { falcon512padded: falcon } = await load('lanner/fn-dsa');
    const { secretKey, publicKey } = await falcon.keygen();
    const text = message(32);
    const signature = await falcon.sign(text, secretKey);
    return {
      keygen: () => falcon.keygen(),
      sign: () => falcon.sign(text, secretKey),
      verify: () => falcon.verify(signature, text, publicKey),
    };
  },
  'noble-post-quantum': async () => {
    const { falcon512padded: falcon } = await load('@noble/post-quantum/falcon.js');
    const { secretKey, publicKey } = falcon.keygen();
    const text = message(32);
    const signature = falcon.sign(text, secretKey);
    return {
      keygen: () => falcon.keygen(),
      sign: () => falcon.sign(text, secretKey),
      verify: () => falcon.verify(signature, text, publicKey),
    };
  },
});

/**
 * Medians in microseconds, all rows of all libraries taking turns: in each round, each runs for
 * about `slice` milliseconds.
 */
export async function measure(tables, { rounds = 9, slice = 20, tell = () => {} } = {}) {
  const rows = Object.entries(tables).flatMap(([library, operations]) =>
    Object.entries(operations).map(([operation, run]) => ({ library, operation, run, times: [] })),
  );
  for (const row of rows) {
    // Warm, and how many make a slice.
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < slice * 2 || count < 3) {
      await row.run();
      count++;
    }
    row.count = Math.max(1, Math.round((count * slice) / (performance.now() - start)));
  }
  for (let round = 0; round < rounds; round++) {
    tell(round / rounds);
    for (const row of rows) {
      const start = performance.now();
      for (let i = 0; i < row.count; i++) await row.run();
      row.times.push(((performance.now() - start) / row.count) * 1000);
    }
  }
  const result = {};
  for (const { library, operation, times } of rows) {
    times.sort((a, b) => a - b);
    (result[library] ??= {})[operation] = times[times.length >> 1];
  }
  return result;
}
