import type { Pieces } from './fn-dsa-types.js';
import type { Bytes } from './types.js';

/** A hybrid key pair. */
export interface HybridKeyPair {
  /** 929 bytes, or 1825: the key of Ed25519, and that of FN-DSA. */
  publicKey: Bytes;
  /** 32 bytes: a seed, from which the secret keys of both halves are derived. They are handed to nobody. */
  secretKey: Bytes;
}

/** What is signed besides the message. Other members than this one are errors. */
export interface HybridOptions {
  /** Up to 255 bytes that both sides must name; empty unless there is one. */
  context?: Uint8Array | undefined;
}

/** Lengths in bytes. A secret key is a seed. */
export interface HybridLengths {
  readonly publicKey: number;
  readonly secretKey: number;
  readonly seed: number;
  readonly signature: number;
}

/** A signature to verify, with others. */
export interface HybridItem {
  /** Any number of bytes. */
  message: Uint8Array;
  /** `lengths.signature` bytes; of another length it is not valid. */
  signature: Uint8Array;
  /** `lengths.publicKey` bytes; another length is an error. */
  publicKey: Uint8Array;
}

/** Signs with one key, whose halves were derived before. */
export interface HybridSigner {
  /** `lengths.publicKey` bytes. */
  readonly publicKey: Bytes;
  /** Signs a message: `lengths.signature` bytes. After `wipe`, a `TypeError`. */
  sign(message: Uint8Array, options?: HybridOptions): Promise<Bytes>;
  /** See {@link Hybrid.signChecked}. After `wipe`, a `TypeError`. */
  signChecked(message: Uint8Array, options?: HybridOptions): Promise<Bytes>;
  /** See {@link Hybrid.signStream}. After `wipe`, a `TypeError`. */
  signStream(source: Pieces, options?: HybridOptions): Promise<Bytes>;
  /** Overwrites the keys, at once or when the signatures are made that are under way; the signer begins no more. */
  wipe(): void;
}

/**
 * Signatures that are one of Ed25519 and one of FN-DSA, both of which must be valid: experimental. What is given may be
 * changed or overwritten as soon as a function has returned its promise.
 */
export interface Hybrid {
  /** What it is called here: `hybrid512` or `hybrid1024`. */
  readonly name: string;
  readonly lengths: HybridLengths;
  /** A new key pair, from `crypto.getRandomValues`. */
  newKeyPair(): Promise<HybridKeyPair>;
  /** The key pair of a seed of 32 bytes, always the same; another length is a `RangeError`. */
  keyPairFromSeed(seed: Uint8Array): Promise<HybridKeyPair>;
  /** The key pair of a secret key, which is its seed: the same as `keyPairFromSeed`. */
  keyPairFromSecretKey(secretKey: Uint8Array): Promise<HybridKeyPair>;
  /**
   * Signs a message: `lengths.signature` bytes; two signatures of the same are not the same. Every call derives both
   * keys anew from the 32 bytes of the secret key, which costs more than signing: `createSigner` does it once.
   */
  sign(message: Uint8Array, secretKey: Uint8Array, options?: HybridOptions): Promise<Bytes>;
  /**
   * Signs a message, and gives the signature out only if it is right: each half made twice, compared and verified, and then
   * the whole, for which all is hashed and the keys are derived once more; against faults of the machine. An `Error` where it
   * is not right.
   */
  signChecked(message: Uint8Array, secretKey: Uint8Array, options?: HybridOptions): Promise<Bytes>;
  /** Signs a message of any length, which comes in pieces, is read once and is never whole in memory. */
  signStream(source: Pieces, secretKey: Uint8Array, options?: HybridOptions): Promise<Bytes>;
  /** Derives both keys of a secret key once, to sign often. They are kept in memory until `wipe()`. */
  createSigner(secretKey: Uint8Array): Promise<HybridSigner>;
  /**
   * Whether both halves of a signature are valid; one of another length is not. A public key that is none, of another length
   * or not, is a `RangeError`; so is one whose half of Ed25519 has a small order, under which anybody can sign.
   */
  verify(
    message: Uint8Array,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: HybridOptions,
  ): Promise<boolean>;
  /** One verdict for each item, in their order, and the same that `verify` gives. */
  verifyBatch(items: Iterable<HybridItem>, options?: HybridOptions): Promise<boolean[]>;
  /** Whether a signature is valid for a message of any length, which comes in pieces and is never whole in memory. */
  verifyStream(
    source: Pieces,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: HybridOptions,
  ): Promise<boolean>;
}
