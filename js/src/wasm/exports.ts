/** The stack pointer of a module: a global of its that can be set. */
export interface StackPointer {
  value: number;
}

/** What the modules for Ed25519 export; the Rust side is `wasm/curve/src/exports.rs`. */
export interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly z: StackPointer;
  /** Prepares the module; the address of its state, at whose start input and output lie. */
  i(): number;
  /** Starts a hash. */
  h(): void;
  /** Hashes octets of the input. */
  u(length: number): void;
  /** The hash to the output; a module that only verifies has no such call, and `f` does it. */
  d?(): void;
  /** Expands the seed; the public key is after it. */
  e(): void;
  /** Derives the public key. */
  k(): void;
  /** Signing, before the message. */
  s(length: number): void;
  /** Before it comes again: R to the output; false where the public key is to be checked and wrong. */
  c(length: number, check: boolean): number;
  /** After it: the signature to the output. */
  r(): void;
  /** Verifying: before the message. */
  v(length: number, rules: number): void;
  /** The verdict by the hash of R, the public key and the message, which is the input: `d` has put it there. */
  f(): number;
  /**
   * Whether all of some signatures are valid, of which the input has R, S, the public key and the hash of R, the public key and
   * the message. The module made for speed alone has it.
   */
  b?(count: number, rules: number): number;
}

/** The module for tweetnacl's functions. */
export interface NaclExports extends Exports {
  /** X25519 of the scalar and the u that are the input; the product to the output. */
  x(): void;
}

/** The module for X25519. */
export interface X25519Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly z: StackPointer;
  i(): number;
  /** X25519 of the scalar and the u that are the input; the product to the output. */
  x(): void;
}

/**
 * The module for FN-DSA and Falcon: variants by number, addresses and lengths; what the functions
 * do is told in `wasm/fn-dsa/src/boundary.rs`.
 */
export interface FnDsaExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly z: StackPointer;
  g(variant: number, logn: number, seed: number, output: number): number;
  n(): number;
  k(variant: number, key: number, keyLength: number, output: number): number;
  p(variant: number, key: number, output: number): number;
  m(): number;
  b(
    variant: number,
    block: number,
    prehash: number,
    context: number,
    contextLength: number,
    random: number,
  ): number;
  u(variant: number, block: number, piece: number, length: number): void;
  s(variant: number, block: number, output: number): number;
  w(
    variant: number,
    block: number,
    key: number,
    keyLength: number,
    prehash: number,
    context: number,
    contextLength: number,
    signature: number,
    signatureLength: number,
  ): number;
  x(variant: number, block: number, piece: number, length: number): void;
  y(variant: number, block: number): number;
  v(
    variant: number,
    key: number,
    keyLength: number,
    prehash: number,
    context: number,
    contextLength: number,
    message: number,
    messageLength: number,
    signature: number,
    signatureLength: number,
  ): number;
}

/**
 * The module for Ristretto255. Input and output are where `a` says; what is refused has a number above 0. What the functions do
 * is told in `wasm/ristretto/src/boundary.rs`.
 */
export interface RistrettoExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly z: StackPointer;
  /** Room for so many octets of input: its address, or 0 if there is no memory. */
  a(length: number): number;
  /** Ends a call; the end of all memory that it had. */
  t(): number;
  /** Whether the input encodes an element. */
  d(): number;
  /** The sum of two elements, or their difference. */
  p(subtract: boolean): number;
  /** A scalar times an element or the base point. */
  m(base: boolean): number;
  /** The sum of multiples. */
  s(count: number): number;
  /** The element of 64 octets. */
  u(): void;
  /** 64 octets modulo L. */
  r(): void;
  /** Whether the input is below L. */
  l(): number;
  /** The sum of two scalars, their difference, or their product. */
  f(operation: number): void;
  /** The inverse of a scalar. */
  v(): number;
  /**
   * Hashes octets of a message, which are behind the hash that was begun before, or begins it; where the tag is behind them,
   * the output is what all of the message is hashed to, and else that hash.
   */
  h(suite: number, begin: boolean, message: number, tag: number): void;
}
