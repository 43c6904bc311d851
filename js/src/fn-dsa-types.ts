import type { Source } from './more-types.js';
import type { Bytes } from './types.js';

/** What a key is for. A pair for FN-DSA and for Falcon lets others forge signatures, and so it is for one of them. */
export type Scheme = 'FN-DSA' | 'FN-DSA draft 2026' | 'Falcon';

declare const scheme: unique symbol;

/** Marks a type, and nothing else, as belonging to a scheme. */
export interface For<S extends Scheme> {
  readonly [scheme]?: S;
}

/**
 * A key for one scheme, as it is taken. Its bytes do not tell for which; the type does, and arrays that this module has
 * made are known and refused elsewhere. Bytes that come from anywhere else are for the scheme whose function is called.
 */
export type KeyFor<S extends Scheme> = Uint8Array & For<S>;

/** A key for one scheme that was made here. */
export type MadeKey<S extends Scheme> = Bytes & For<S>;

/** A key pair of FN-DSA or Falcon. */
export interface FnDsaKeyPair<S extends Scheme = any> {
  /** 897 bytes, or 1793. */
  publicKey: MadeKey<S>;
  /** 1281 bytes, or 2305; 64 more for `…draft2026`. */
  secretKey: MadeKey<S>;
}

/** What may be signed in place of a message: its hash by one of these functions. */
export type Prehash =
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha512-256'
  | 'sha3-256'
  | 'sha3-384'
  | 'sha3-512'
  | 'shake128'
  | 'shake256';

/** What is signed besides the message. Other members than these are errors. */
export interface FnDsaOptions {
  /** Up to 255 bytes that both sides must name; not in Falcon. */
  context?: Uint8Array | undefined;
  /**
   * The message that is given is the hash of the real one by this function, which the signature names: 32 bytes for
   * `shake128` and 64 for `shake256`, for the others as many as they have. A signature of a hash is not one
   * of the message itself. Not in Falcon.
   */
  prehash?: Prehash | undefined;
}

/** The same for the variants `…draft2026`. */
export interface FnDsaDraftOptions {
  /** As in {@link FnDsaOptions}; with `mu` none, which has it. */
  context?: Uint8Array | undefined;
  /** As in {@link FnDsaOptions}; or `mu`: 64 bytes that stand for context and message, computed elsewhere. */
  prehash?: Prehash | 'mu' | undefined;
}

/** Falcon signs the message and nothing besides. */
export interface FalconOptions {
  context?: undefined;
  prehash?: undefined;
}

/**
 * A message in pieces: octets, a `Blob`, a stream of the web, anything to iterate over, or a function that opens one of these. It
 * is read once.
 */
export type Pieces = Source | (() => Source | Promise<Source>);

/** Lengths in bytes. `signature` is the most that one has. */
export interface FnDsaLengths {
  readonly publicKey: number;
  readonly secretKey: number;
  readonly seed: number;
  readonly signature: number;
}

/** A signature to verify, with others. */
export interface FnDsaItem<S extends Scheme = Scheme> {
  message: Uint8Array;
  signature: Uint8Array;
  publicKey: KeyFor<S>;
}

/** Verification of one variant at one degree, asynchronously. */
export interface FnDsaVerifier<Options, S extends Scheme = Scheme> {
  /** What it is called here: `fndsa512`, for example. */
  readonly name: string;
  readonly lengths: FnDsaLengths;
  /**
   * Whether a signature is valid, and in Falcon of this encoding: anybody can turn one into another encoding. A public
   * key that is none, of another length or not, is a `RangeError`; an unknown option a `TypeError`.
   */
  verify(
    message: Uint8Array,
    signature: Uint8Array,
    publicKey: KeyFor<S>,
    options?: Options,
  ): Promise<boolean>;
  /** One verdict for each item, in their order, and the same that `verify` gives. */
  verifyBatch(items: Iterable<FnDsaItem<S>>, options?: Options): Promise<boolean[]>;
  /**
   * Whether a signature is valid for a message of any length, which comes in pieces and is never whole in memory. The
   * options may name a `context`, and no `prehash`.
   */
  verifyStream(
    source: Pieces,
    signature: Uint8Array,
    publicKey: KeyFor<S>,
    options?: Omit<Options, 'prehash'>,
  ): Promise<boolean>;
}

/** Signs with one key, which was decoded and checked before. `Result` is the signature, or the promise of it. */
export interface FnDsaSigner<Options, S extends Scheme = Scheme, Result = Promise<Bytes>> {
  readonly publicKey: MadeKey<S>;
  /** Signs a message: at most `lengths.signature` bytes. After `wipe`, a `TypeError`. */
  sign(message: Uint8Array, options?: Options): Result;
  /** See {@link FnDsa.signChecked}. After `wipe`, a `TypeError`. */
  signChecked(message: Uint8Array, options?: Options): Result;
  /** Overwrites the key; the signer signs no more. */
  wipe(): void;
}

/** The same, asynchronously, and for messages in pieces. */
export interface FnDsaStreamSigner<Options, S extends Scheme = Scheme> extends FnDsaSigner<Options, S> {
  /** See {@link FnDsa.signStream}. After `wipe`, a `TypeError`. */
  signStream(source: Pieces, options?: Omit<Options, 'prehash'>): Promise<Bytes>;
}

/**
 * One variant at one degree, asynchronously. What is given may be changed or overwritten as soon as a function has
 * returned its promise.
 */
export interface FnDsa<Options, S extends Scheme = Scheme> extends FnDsaVerifier<Options, S> {
  /** A new key pair, from `crypto.getRandomValues`. */
  newKeyPair(): Promise<FnDsaKeyPair<S>>;
  /** The key pair of a seed of 32 bytes, always the same; another length is a `RangeError`. */
  keyPairFromSeed(seed: Uint8Array): Promise<FnDsaKeyPair<S>>;
  /** The key pair of a secret key; a `RangeError` where that is none, of another length or not. */
  keyPairFromSecretKey(secretKey: KeyFor<S>): Promise<FnDsaKeyPair<S>>;
  /** Signs a message, at most `lengths.signature` bytes; two signatures of the same are not the same. */
  sign(message: Uint8Array, secretKey: KeyFor<S>, options?: Options): Promise<Bytes>;
  /**
   * Signs a message, and gives the signature out only if it is right: made twice of the same randomness, compared and
   * verified, against faults of the machine. An `Error` where it is not.
   */
  signChecked(message: Uint8Array, secretKey: KeyFor<S>, options?: Options): Promise<Bytes>;
  /**
   * Signs a message of any length, which comes in pieces, is read once and is never whole in memory. The options may
   * name a `context`, and no `prehash`.
   */
  signStream(
    source: Pieces,
    secretKey: KeyFor<S>,
    options?: Omit<Options, 'prehash'>,
  ): Promise<Bytes>;
  /** Decodes and checks the key once, for many signatures. It is kept in memory until `wipe()`. */
  createSigner(secretKey: KeyFor<S>): Promise<FnDsaStreamSigner<Options, S>>;
}

/** The same, synchronously; each does what its namesake in `FnDsa` does. */
export interface FnDsaSync<Options, S extends Scheme = Scheme> {
  /** See {@link FnDsaVerifier.name}. */
  readonly name: string;
  readonly lengths: FnDsaLengths;
  /** See {@link FnDsaVerifier.verify}. */
  verify(message: Uint8Array, signature: Uint8Array, publicKey: KeyFor<S>, options?: Options): boolean;
  /** See {@link FnDsaVerifier.verifyBatch}. */
  verifyBatch(items: Iterable<FnDsaItem<S>>, options?: Options): boolean[];
  /** See {@link FnDsa.newKeyPair}. */
  newKeyPair(): FnDsaKeyPair<S>;
  /** See {@link FnDsa.keyPairFromSeed}. */
  keyPairFromSeed(seed: Uint8Array): FnDsaKeyPair<S>;
  /** See {@link FnDsa.keyPairFromSecretKey}. */
  keyPairFromSecretKey(secretKey: KeyFor<S>): FnDsaKeyPair<S>;
  /** See {@link FnDsa.sign}. */
  sign(message: Uint8Array, secretKey: KeyFor<S>, options?: Options): Bytes;
  /** See {@link FnDsa.signChecked}. */
  signChecked(message: Uint8Array, secretKey: KeyFor<S>, options?: Options): Bytes;
  /** See {@link FnDsa.createSigner}. */
  createSigner(secretKey: KeyFor<S>): FnDsaSigner<Options, S, Bytes>;
}

/** The variants: their schemes, and the options that they take. */
export interface Variants {
  fndsa512: ['FN-DSA', FnDsaOptions];
  fndsa1024: ['FN-DSA', FnDsaOptions];
  fndsa512draft2026: ['FN-DSA draft 2026', FnDsaDraftOptions];
  fndsa1024draft2026: ['FN-DSA draft 2026', FnDsaDraftOptions];
  falcon512: ['Falcon', FalconOptions];
  falcon1024: ['Falcon', FalconOptions];
  falcon512padded: ['Falcon', FalconOptions];
  falcon1024padded: ['Falcon', FalconOptions];
  falcon512ct: ['Falcon', FalconOptions];
  falcon1024ct: ['Falcon', FalconOptions];
}

/** All variants, asynchronously. */
export type FnDsaSchemes = {
  readonly [Name in keyof Variants]: FnDsa<Variants[Name][1], Variants[Name][0]>;
};

/** All variants, synchronously. */
export type FnDsaSyncSchemes = {
  readonly [Name in keyof Variants]: FnDsaSync<Variants[Name][1], Variants[Name][0]>;
};

/** Verification of all variants. */
export type FnDsaVerifiers = {
  readonly [Name in keyof Variants]: FnDsaVerifier<Variants[Name][1], Variants[Name][0]>;
};
