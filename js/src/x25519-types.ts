import type { Bytes } from './types.js';

/** An X25519 key pair. What makes one gives `X25519KeyPair<Bytes>`. */
export interface X25519KeyPair<Octets extends Uint8Array = Uint8Array> {
  /** 32 bytes. */
  publicKey: Octets;
  /** 32 bytes. */
  secretKey: Octets;
}

/** X25519, asynchronously. What is given has been copied when a function returns its promise. */
export interface X25519 {
  /** A new key pair, from `crypto.getRandomValues`. */
  newKeyPair(): Promise<X25519KeyPair<Bytes>>;
  /** The key pair of a secret key: any 32 bytes. */
  keyPairFromSecretKey(secretKey: Uint8Array): Promise<X25519KeyPair<Bytes>>;
  /** The shared secret of one's own secret key and another's public key: 32 bytes. */
  sharedSecret(secretKey: Uint8Array, publicKey: Uint8Array): Promise<Bytes>;
}

/** X25519, synchronously; each does what its namesake in `X25519` does. */
export interface X25519Sync {
  /** See {@link X25519.newKeyPair}. */
  newKeyPair(): X25519KeyPair<Bytes>;
  /** See {@link X25519.keyPairFromSecretKey}. */
  keyPairFromSecretKey(secretKey: Uint8Array): X25519KeyPair<Bytes>;
  /** See {@link X25519.sharedSecret}. */
  sharedSecret(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;
}
