import { load } from '#x25519';
import { once } from './asynchronous.js';
import { copy } from './octets.js';
import { X25519_STACK } from './wasm/layout.js';

/** An X25519 key pair; 32 bytes each. */
export interface X25519KeyPair {
  publicKey: Uint8Array;
  secretKey: Uint8Array;
}

const engine = /* @__PURE__ */ once(async () => {
  const wasm = await load();
  const address = wasm.i();
  const memory = new Uint8Array(wasm.memory.buffer);
  return (scalar: Uint8Array, u?: Uint8Array): Uint8Array => {
    try {
      memory.set(scalar, address);
      if (u) memory.set(u, address + 32);
      if (!u) wasm.b();
      else if (!wasm.x()) throw RangeError('publicKey is of small order: the product is zero');
      return memory.slice(address, address + 32);
    } finally {
      memory.fill(0, 0, X25519_STACK).fill(0, address, address + 64);
    }
  };
});

/** The key pair of a secret key: any 32 bytes. */
export const keyPairFromSecretKey = async (secretKey: Uint8Array): Promise<X25519KeyPair> => {
  const own = copy('secretKey', secretKey, 32);
  try {
    return { publicKey: (await engine())(own), secretKey: own.slice() };
  } finally {
    own.fill(0);
  }
};

/** A new key pair, from `crypto.getRandomValues`. */
export const newKeyPair = async (): Promise<X25519KeyPair> => {
  const secretKey = crypto.getRandomValues(new Uint8Array(32));
  const pair = keyPairFromSecretKey(secretKey);
  secretKey.fill(0);
  return pair;
};

/**
 * The shared secret of one's own secret key and another's public key: 32 bytes, to be hashed before
 * use. The promise is rejected where it would be zero, which public keys of small order bring about
 * (RFC 7748 section 6.1).
 */
export const sharedSecret = async (
  secretKey: Uint8Array,
  publicKey: Uint8Array,
): Promise<Uint8Array> => {
  const theirs = copy('publicKey', publicKey, 32);
  const own = copy('secretKey', secretKey, 32);
  try {
    return (await engine())(own, theirs);
  } finally {
    own.fill(0);
  }
};
