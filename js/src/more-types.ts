import type { Bytes, VerifyOptions } from './types.js';

/** A stream of the web, `ReadableStream`, by its members: the declarations need no library. */
export interface WebStream {
  /** A reader of it, for itself alone. */
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** A `Blob` or a `File`, by its members. */
export interface WebBlob {
  readonly size: number;
  /** Its octets. */
  stream(): WebStream;
}

/** A message in pieces: octets, a `Blob`, a stream of the web, or anything to iterate over. */
export type Source =
  | Uint8Array
  | WebBlob
  | WebStream
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

/** What is signed besides the message. Other members than these are errors. */
export interface ContextOptions {
  /**
   * Up to 255 bytes that both sides must name. Without one, a message is signed by pure Ed25519 (or Ed25519ph with an
   * empty context, which is none); with one, even an empty one, by Ed25519ctx (or Ed25519ph).
   */
  context?: Uint8Array | undefined;
}

/** How to verify, and what was signed besides the message. */
export interface VerifyContextOptions extends VerifyOptions, ContextOptions {}

/** A verifier that takes the message piece by piece. */
export interface StreamVerifier {
  /** Takes the next piece, of any number of bytes. After `verify`, a `TypeError`. */
  update(piece: Uint8Array): void;
  /** The verdict; nothing comes after it. */
  verify(): boolean;
}

/** Signs with one key, which was checked before, in every way that there is here. After `wipe`, a `TypeError`. */
export interface ContextSigner {
  /** 32 bytes. */
  readonly publicKey: Bytes;
  /** Signs a message; with a context by Ed25519ctx: 64 bytes. */
  sign(message: Uint8Array, options?: ContextOptions): Promise<Bytes>;
  /** See {@link More.signChecked}. */
  signChecked(message: Uint8Array, options?: ContextOptions): Promise<Bytes>;
  /** See {@link More.signStream}. */
  signStream(open: () => Source | Promise<Source>, options?: ContextOptions): Promise<Bytes>;
  /** See {@link More.signPrehashed}. */
  signPrehashed(source: Source, options?: ContextOptions): Promise<Bytes>;
  /** Overwrites the key; the signer signs no more. */
  wipe(): void;
}

/** Ed25519ctx, Ed25519ph and messages as streams. */
export interface More {
  /** Signs a message under a context: Ed25519ctx, RFC 8032 section 5.1. */
  signWithContext(message: Uint8Array, secretKey: Uint8Array, context: Uint8Array): Promise<Bytes>;
  /** Signs by pure Ed25519, or with a context by Ed25519ctx: twice, compared and verified. */
  signChecked(message: Uint8Array, secretKey: Uint8Array, options?: ContextOptions): Promise<Bytes>;
  /** Whether an Ed25519ctx signature is valid. */
  verifyWithContext(
    message: Uint8Array,
    signature: Uint8Array,
    publicKey: Uint8Array,
    context: Uint8Array,
    options?: VerifyOptions,
  ): Promise<boolean>;
  /** Signs the SHA-512 of a message of any length, which is read once: Ed25519ph. */
  signPrehashed(source: Source, secretKey: Uint8Array, options?: ContextOptions): Promise<Bytes>;
  /** As `signPrehashed`: twice, compared and verified. */
  signPrehashedChecked(source: Source, secretKey: Uint8Array, options?: ContextOptions): Promise<Bytes>;
  /** Whether an Ed25519ph signature is valid for a message of any length. */
  verifyPrehashed(
    source: Source,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyContextOptions,
  ): Promise<boolean>;
  /** Signs a message of any length, which is read twice: `open` is called for each time. */
  signStream(
    open: () => Source | Promise<Source>,
    secretKey: Uint8Array,
    options?: ContextOptions,
  ): Promise<Bytes>;
  /** Checks a secret key once, to sign often, at half the cost. */
  createSigner(secretKey: Uint8Array): Promise<ContextSigner>;
  /** Starts the verification of a message that comes piece by piece. */
  createVerifier(
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyContextOptions,
  ): Promise<StreamVerifier>;
  /** Whether a signature is valid for a message of any length. */
  verifyStream(
    source: Source,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyContextOptions,
  ): Promise<boolean>;
}
