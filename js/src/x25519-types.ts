import type { Bytes } from './types.js';

/** An X25519 key pair. */
export interface X25519KeyPair {
  /** 32 bytes. */
  publicKey: Bytes;
  /** 32 bytes. */
  secretKey: Bytes;
}

/** X25519, asynchronously. What is given has been copied when a function returns its promise. */
export interface X25519 {
  /** A new key pair, from `crypto.getRandomValues`. */
  newKeyPair(): Promise<X25519KeyPair>;
  /** The key pair of a secret key: any 32 bytes. */
  keyPairFromSecretKey(secretKey: Uint8Array): Promise<X25519KeyPair>;
  /** The shared secret of one's own secret key and another's public key: 32 bytes. */
  sharedSecret(secretKey: Uint8Array, publicKey: Uint8Array): Promise<Bytes>;
}

/** X25519, synchronously; each does what its namesake in `X25519` does. */
export interface X25519Sync {
  /** See {@link X25519.newKeyPair}. */
  newKeyPair(): X25519KeyPair;
  /** See {@link X25519.keyPairFromSecretKey}. */
  keyPairFromSecretKey(secretKey: Uint8Array): X25519KeyPair;
  /** See {@link X25519.sharedSecret}. */
  sharedSecret(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;
}
