import type { Bytes } from './types.js';

/** A term of a sum: a scalar and the element that it multiplies. */
export interface Term {
  /** 32 bytes, little-endian; the highest bit does not count, and the rest is taken modulo L. */
  scalar: Uint8Array;
  /** 32 bytes. */
  element: Uint8Array;
}

/**
 * Ristretto255 and hashing to it and to the curves, asynchronously. Elements and scalars have 32 bytes. What is given has
 * been copied when a function returns its promise.
 */
export interface Ristretto {
  /** Whether 32 bytes are the encoding of an element, the neutral one included. */
  isElement(element: Uint8Array): Promise<boolean>;
  /** Whether two elements are the same. */
  equals(a: Uint8Array, b: Uint8Array): Promise<boolean>;
  /** The sum of two elements. */
  add(a: Uint8Array, b: Uint8Array): Promise<Bytes>;
  /** The difference of two elements. */
  subtract(a: Uint8Array, b: Uint8Array): Promise<Bytes>;
  /** The negative of an element. */
  negate(element: Uint8Array): Promise<Bytes>;
  /** A scalar times an element. */
  multiply(scalar: Uint8Array, element: Uint8Array): Promise<Bytes>;
  /** A scalar times the base point. */
  multiplyBase(scalar: Uint8Array): Promise<Bytes>;
  /** The sum of multiples of elements. */
  multiscalar(terms: Iterable<Term>): Promise<Bytes>;
  /** A random element, whose logarithm nobody knows. */
  newElement(): Promise<Bytes>;
  /** The element of 64 bytes of a hash: the one-way map. */
  elementFromHash(hash: Uint8Array): Promise<Bytes>;
  /** A random scalar, not zero. */
  newScalar(): Promise<Bytes>;
  /** Whether 32 bytes are a reduced scalar. */
  isScalar(scalar: Uint8Array): Promise<boolean>;
  /** 64 bytes modulo L. */
  reduceScalar(wide: Uint8Array): Promise<Bytes>;
  /** x + y modulo L. */
  addScalars(x: Uint8Array, y: Uint8Array): Promise<Bytes>;
  /** x - y modulo L. */
  subtractScalars(x: Uint8Array, y: Uint8Array): Promise<Bytes>;
  /** x y modulo L. */
  multiplyScalars(x: Uint8Array, y: Uint8Array): Promise<Bytes>;
  /** The negative of a scalar modulo L. */
  negateScalar(scalar: Uint8Array): Promise<Bytes>;
  /** The inverse of a scalar modulo L. */
  invertScalar(scalar: Uint8Array): Promise<Bytes>;
  /** The scalar that a message is hashed to under a tag. */
  hashToScalar(message: Uint8Array, tag: Uint8Array): Promise<Bytes>;
  /** hash_to_ristretto255: the element that a message is hashed to under a tag. */
  hashToRistretto255(message: Uint8Array, tag: Uint8Array): Promise<Bytes>;
  /** hash_to_curve of edwards25519. */
  hashToEdwards25519(message: Uint8Array, tag: Uint8Array): Promise<Bytes>;
  /** encode_to_curve of edwards25519, which is not uniform. */
  encodeToEdwards25519(message: Uint8Array, tag: Uint8Array): Promise<Bytes>;
  /** hash_to_curve of curve25519: the u-coordinate. */
  hashToCurve25519(message: Uint8Array, tag: Uint8Array): Promise<Bytes>;
  /** encode_to_curve of curve25519, which is not uniform: the u-coordinate. */
  encodeToCurve25519(message: Uint8Array, tag: Uint8Array): Promise<Bytes>;
}

/** The same, synchronously; each does what its namesake in `Ristretto` does. */
export interface RistrettoSync {
  /** See {@link Ristretto.isElement}. */
  isElement(element: Uint8Array): boolean;
  /** See {@link Ristretto.equals}. */
  equals(a: Uint8Array, b: Uint8Array): boolean;
  /** See {@link Ristretto.add}. */
  add(a: Uint8Array, b: Uint8Array): Bytes;
  /** See {@link Ristretto.subtract}. */
  subtract(a: Uint8Array, b: Uint8Array): Bytes;
  /** See {@link Ristretto.negate}. */
  negate(element: Uint8Array): Bytes;
  /** See {@link Ristretto.multiply}. */
  multiply(scalar: Uint8Array, element: Uint8Array): Bytes;
  /** See {@link Ristretto.multiplyBase}. */
  multiplyBase(scalar: Uint8Array): Bytes;
  /** See {@link Ristretto.multiscalar}. */
  multiscalar(terms: Iterable<Term>): Bytes;
  /** See {@link Ristretto.newElement}. */
  newElement(): Bytes;
  /** See {@link Ristretto.elementFromHash}. */
  elementFromHash(hash: Uint8Array): Bytes;
  /** See {@link Ristretto.newScalar}. */
  newScalar(): Bytes;
  /** See {@link Ristretto.isScalar}. */
  isScalar(scalar: Uint8Array): boolean;
  /** See {@link Ristretto.reduceScalar}. */
  reduceScalar(wide: Uint8Array): Bytes;
  /** See {@link Ristretto.addScalars}. */
  addScalars(x: Uint8Array, y: Uint8Array): Bytes;
  /** See {@link Ristretto.subtractScalars}. */
  subtractScalars(x: Uint8Array, y: Uint8Array): Bytes;
  /** See {@link Ristretto.multiplyScalars}. */
  multiplyScalars(x: Uint8Array, y: Uint8Array): Bytes;
  /** See {@link Ristretto.negateScalar}. */
  negateScalar(scalar: Uint8Array): Bytes;
  /** See {@link Ristretto.invertScalar}. */
  invertScalar(scalar: Uint8Array): Bytes;
  /** See {@link Ristretto.hashToScalar}. */
  hashToScalar(message: Uint8Array, tag: Uint8Array): Bytes;
  /** See {@link Ristretto.hashToRistretto255}. */
  hashToRistretto255(message: Uint8Array, tag: Uint8Array): Bytes;
  /** See {@link Ristretto.hashToEdwards25519}. */
  hashToEdwards25519(message: Uint8Array, tag: Uint8Array): Bytes;
  /** See {@link Ristretto.encodeToEdwards25519}. */
  encodeToEdwards25519(message: Uint8Array, tag: Uint8Array): Bytes;
  /** See {@link Ristretto.hashToCurve25519}. */
  hashToCurve25519(message: Uint8Array, tag: Uint8Array): Bytes;
  /** See {@link Ristretto.encodeToCurve25519}. */
  encodeToCurve25519(message: Uint8Array, tag: Uint8Array): Bytes;
}
