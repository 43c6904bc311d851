/** The name of a verification profile: who accepts what. */
export type Profile =
  | 'strict'
  | 'rfc8032'
  | 'rfc8032-cofactorless'
  | 'dalek'
  | 'zip215'
  | 'donna'
  | 'libsodium';

export interface VerifyOptions {
  /** Default: `strict`. */
  profile?: Profile;
}

export interface Item {
  message: Uint8Array;
  signature: Uint8Array;
  publicKey: Uint8Array;
}

/** An Ed25519 key pair. */
export interface KeyPair {
  /** 32 bytes. */
  publicKey: Uint8Array;
  /** 64 bytes: the seed, and the public key. */
  secretKey: Uint8Array;
}

/** Either the value or the promise of it: the synchronous or the asynchronous twin. */
export type Signer<Result> = {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Signs a message: 64 bytes. */
  sign(message: Uint8Array): Result;
  /** Overwrites the key; the signer signs no more. */
  wipe(): void;
};

/**
 * Ed25519, asynchronously. What is given may be changed or overwritten as soon as a function has returned its promise:
 * all of it has been copied by then.
 */
export interface Ed25519 {
  /**
   * Signs a message: 64 bytes, deterministic, RFC 8032.
   *
   * The secret key has 64 bytes, a seed and its public key. The promise is rejected where the
   * public key is not the seed's: signing under two public keys would reveal the secret.
   */
  sign(message: Uint8Array, secretKey: Uint8Array): Promise<Uint8Array>;
  /**
   * Whether a signature is valid, by default by the profile `strict`: S + L, non-canonical R, and
   * keys and R of small order are refused. A signature that has not 64 bytes is not valid; a public
   * key that has not 32 is an error.
   */
  verify(
    message: Uint8Array,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyOptions,
  ): Promise<boolean>;
  /** One verdict for each item, the same as that of `verify`. */
  verifyBatch(items: Iterable<Item>, options?: VerifyOptions): Promise<boolean[]>;
  /** A new key pair, from `crypto.getRandomValues`. */
  newKeyPair(): Promise<KeyPair>;
  /** The key pair of a seed of 32 bytes. */
  keyPairFromSeed(seed: Uint8Array): Promise<KeyPair>;
  /** The key pair of a secret key of 64 bytes, whose public half is checked. */
  keyPairFromSecretKey(secretKey: Uint8Array): Promise<KeyPair>;
  /** Checks a secret key of 64 bytes once, to sign often, at half the cost. */
  createSigner(secretKey: Uint8Array): Promise<Signer<Promise<Uint8Array>>>;
}

/** Ed25519, synchronously; each does what its namesake in `Ed25519` does. */
export interface Ed25519Sync {
  /** See {@link Ed25519.sign}. */
  sign(message: Uint8Array, secretKey: Uint8Array): Uint8Array;
  /** See {@link Ed25519.verify}. */
  verify(
    message: Uint8Array,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyOptions,
  ): boolean;
  /** See {@link Ed25519.verifyBatch}. */
  verifyBatch(items: Iterable<Item>, options?: VerifyOptions): boolean[];
  /** See {@link Ed25519.newKeyPair}. */
  newKeyPair(): KeyPair;
  /** See {@link Ed25519.keyPairFromSeed}. */
  keyPairFromSeed(seed: Uint8Array): KeyPair;
  /** See {@link Ed25519.keyPairFromSecretKey}. */
  keyPairFromSecretKey(secretKey: Uint8Array): KeyPair;
  /** See {@link Ed25519.createSigner}. */
  createSigner(secretKey: Uint8Array): Signer<Uint8Array>;
}
