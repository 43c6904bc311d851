/**
 * Octets in memory of their own, which all results are. TypeScript calls them `Uint8Array<ArrayBuffer>` from 5.7 on (so
 * that `new Response(signature)` and `crypto.subtle` take them), and `Uint8Array` before.
 */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/** The name of a verification profile: who accepts what. */
export type Profile =
  | 'strict'
  | 'rfc8032'
  | 'rfc8032-cofactorless'
  | 'dalek'
  | 'zip215'
  | 'donna'
  | 'libsodium';

/** How to verify. Other members than these are errors. */
export interface VerifyOptions {
  /** Who accepts what; `strict` unless another is named. */
  profile?: Profile | undefined;
}

/** A signature to verify, with others. */
export interface Item {
  /** Any number of bytes. */
  message: Uint8Array;
  /** 64 bytes; of another length it is not valid. */
  signature: Uint8Array;
  /** 32 bytes; another length is an error. */
  publicKey: Uint8Array;
}

/** An Ed25519 key pair. What makes one gives `KeyPair<Bytes>`. */
export interface KeyPair<Octets extends Uint8Array = Uint8Array> {
  /** 32 bytes. */
  publicKey: Octets;
  /** 64 bytes: the seed, and the public key. */
  secretKey: Octets;
}

/**
 * Signs with one key, which was checked before. `Result` is the signature, or the promise of it: the synchronous or the
 * asynchronous twin.
 */
export interface Signer<Result = Promise<Bytes>> {
  /** 32 bytes. */
  readonly publicKey: Bytes;
  /** Signs a message: 64 bytes. After `wipe`, a `TypeError`. */
  sign(message: Uint8Array): Result;
  /** See {@link Ed25519.signChecked}. After `wipe`, a `TypeError`. */
  signChecked(message: Uint8Array): Result;
  /** Overwrites the key; the signer signs no more. */
  wipe(): void;
}

/**
 * Ed25519, asynchronously. What is given may be changed or overwritten as soon as a function has returned its promise:
 * all of it has been copied by then.
 */
export interface Ed25519 {
  /** Signs a message: 64 bytes, deterministic, RFC 8032. Rejected where the secret key's public half is not the seed's. */
  sign(message: Uint8Array, secretKey: Uint8Array): Promise<Bytes>;
  /** The same signature, made twice, compared and verified before it is given out. An `Error` where it is not right. */
  signChecked(message: Uint8Array, secretKey: Uint8Array): Promise<Bytes>;
  /** Whether a signature is valid, by the profile `strict` unless another is named. A public key that has not 32 bytes is an error. */
  verify(
    message: Uint8Array,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyOptions,
  ): Promise<boolean>;
  /** One verdict for each item, the same as that of `verify`. */
  verifyBatch(items: Iterable<Item>, options?: VerifyOptions): Promise<boolean[]>;
  /** A new key pair, from `crypto.getRandomValues`. */
  newKeyPair(): Promise<KeyPair<Bytes>>;
  /** The key pair of a seed of 32 bytes. */
  keyPairFromSeed(seed: Uint8Array): Promise<KeyPair<Bytes>>;
  /** The key pair of a secret key of 64 bytes, whose public half is checked. */
  keyPairFromSecretKey(secretKey: Uint8Array): Promise<KeyPair<Bytes>>;
  /** Checks a secret key of 64 bytes once, to sign often, at half the cost. */
  createSigner(secretKey: Uint8Array): Promise<Signer<Promise<Bytes>>>;
}

/** Ed25519, synchronously; each does what its namesake in `Ed25519` does. */
export interface Ed25519Sync {
  /** See {@link Ed25519.sign}. */
  sign(message: Uint8Array, secretKey: Uint8Array): Bytes;
  /** See {@link Ed25519.signChecked}. */
  signChecked(message: Uint8Array, secretKey: Uint8Array): Bytes;
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
  newKeyPair(): KeyPair<Bytes>;
  /** See {@link Ed25519.keyPairFromSeed}. */
  keyPairFromSeed(seed: Uint8Array): KeyPair<Bytes>;
  /** See {@link Ed25519.keyPairFromSecretKey}. */
  keyPairFromSecretKey(secretKey: Uint8Array): KeyPair<Bytes>;
  /** See {@link Ed25519.createSigner}. */
  createSigner(secretKey: Uint8Array): Signer<Bytes>;
}
