/**
 * Ristretto255 (RFC 9496), a group of prime order, its scalars, and hashing to it, to edwards25519 and to curve25519 (RFC
 * 9380), asynchronous. What is given to a function has been copied when it returns its promise.
 *
 * @module
 */
import packed from '#wasm/ristretto';
import { loaded, once } from './loading.js';
import { makeGroup, makeRistretto, wipe, type Group } from './ristretto-of.js';
import type { Ristretto } from './ristretto-types.js';
import { inTurns } from './session.js';
import type { RistrettoExports } from './wasm/exports.js';

export type { Ristretto, Term } from './ristretto-types.js';
export type { Bytes } from './types.js';

const group = /* @__PURE__ */ once(async (): Promise<Group> =>
  makeGroup(await loaded<RistrettoExports>(packed, () => import('#fallback/ristretto'))),
);
const ristretto: Ristretto = /* @__PURE__ */ makeRistretto(async (plan) => {
  const [steps, copies] = plan();
  try {
    return await inTurns((slice) => slice(), steps(await group()));
  } finally {
    wipe(copies);
  }
}) as Ristretto;

/**
 * Whether 32 bytes are the encoding of an element (RFC 9496 section 4.3.1), the neutral one included. Each element has one
 * encoding; what is not reduced, negative, of another coset or with the highest bit set is none.
 *
 * @param element - 32 bytes; another length is a `RangeError`
 */
export const isElement: Ristretto['isElement'] = ristretto.isElement;

/**
 * Whether two elements are the same (RFC 9496 section 4.3.3: of canonical encodings, whether they are the same bytes). A
 * `RangeError` where one encodes no element. Constant time.
 *
 * @param a - an element, 32 bytes
 * @param b - an element, 32 bytes
 */
export const equals: Ristretto['equals'] = ristretto.equals;

/**
 * The sum of two elements, 32 bytes. A `RangeError` where one encodes no element. Constant time.
 *
 * @param a - an element, 32 bytes
 * @param b - an element, 32 bytes
 */
export const add: Ristretto['add'] = ristretto.add;

/**
 * The difference a - b of two elements, 32 bytes. A `RangeError` where one encodes no element. Constant time.
 *
 * @param a - an element, 32 bytes
 * @param b - an element, 32 bytes
 */
export const subtract: Ristretto['subtract'] = ristretto.subtract;

/**
 * The negative of an element, 32 bytes. A `RangeError` where it encodes no element. Constant time.
 *
 * @param element - 32 bytes
 */
export const negate: Ristretto['negate'] = ristretto.negate;

/**
 * A scalar times an element, 32 bytes. A `RangeError` where the element's bytes encode none, and where the product is the
 * neutral element, as in libsodium: for the scalar zero, a multiple of L, or the neutral element. Constant time.
 *
 * @param scalar - 32 bytes, little-endian; the highest bit does not count, and the rest is taken modulo L
 * @param element - 32 bytes
 */
export const multiply: Ristretto['multiply'] = ristretto.multiply;

/**
 * A scalar times the base point of RFC 9496 (section 4), 32 bytes. A `RangeError` where the product is the neutral element,
 * that is for zero and multiples of L. Constant time.
 *
 * @param scalar - 32 bytes, little-endian; the highest bit does not count, and the rest is taken modulo L
 */
export const multiplyBase: Ristretto['multiplyBase'] = ristretto.multiplyBase;

/**
 * The sum of multiples of elements, 32 bytes: much faster than one by one. It may be the neutral element, 32 zeros, and of
 * no terms it is. A `RangeError` where one of them has bytes that encode no element. Constant time in all but the number of
 * terms. The asynchronous one lets the event loop run meanwhile.
 *
 * @param terms - an array of `{ scalar, element }`, 32 bytes each, as for `multiply`; or anything else to iterate over
 */
export const multiscalar: Ristretto['multiscalar'] = ristretto.multiscalar;

/** A random element, 32 bytes, from 64 bytes of `crypto.getRandomValues`: nobody knows its logarithm. */
export const newElement: Ristretto['newElement'] = ristretto.newElement;

/**
 * The element that 64 uniformly distributed bytes are mapped to, as those of SHA-512 (RFC 9496 section 4.3.4): uniform, and
 * nobody knows its logarithm. 32 bytes. Constant time.
 *
 * @param hash - 64 bytes; another length is a `RangeError`
 */
export const elementFromHash: Ristretto['elementFromHash'] = ristretto.elementFromHash;

/** A random scalar below L, not zero: 32 bytes, little-endian, of 64 bytes from `crypto.getRandomValues`. */
export const newScalar: Ristretto['newScalar'] = ristretto.newScalar;

/**
 * Whether 32 bytes, little-endian, are an integer below L. Functions that take scalars take all others as well, modulo L;
 * protocols may have to refuse them. Constant time.
 *
 * @param scalar - 32 bytes; another length is a `RangeError`
 */
export const isScalar: Ristretto['isScalar'] = ristretto.isScalar;

/**
 * 64 bytes, little-endian, modulo L: 32 bytes. Of uniformly distributed bytes, as those of SHA-512, a uniform scalar.
 * Constant time.
 *
 * @param wide - 64 bytes; another length is a `RangeError`
 */
export const reduceScalar: Ristretto['reduceScalar'] = ristretto.reduceScalar;

/**
 * x + y modulo L, 32 bytes, little-endian. Constant time.
 *
 * @param x - 32 bytes: any integer below 2^256
 * @param y - 32 bytes: any integer below 2^256
 */
export const addScalars: Ristretto['addScalars'] = ristretto.addScalars;

/**
 * x - y modulo L, 32 bytes, little-endian. Constant time.
 *
 * @param x - 32 bytes: any integer below 2^256
 * @param y - 32 bytes: any integer below 2^256
 */
export const subtractScalars: Ristretto['subtractScalars'] = ristretto.subtractScalars;

/**
 * x y modulo L, 32 bytes, little-endian. Constant time.
 *
 * @param x - 32 bytes: any integer below 2^256
 * @param y - 32 bytes: any integer below 2^256
 */
export const multiplyScalars: Ristretto['multiplyScalars'] = ristretto.multiplyScalars;

/**
 * The negative of a scalar modulo L, 32 bytes, little-endian. Constant time.
 *
 * @param scalar - 32 bytes: any integer below 2^256
 */
export const negateScalar: Ristretto['negateScalar'] = ristretto.negateScalar;

/**
 * The inverse of a scalar modulo L, 32 bytes, little-endian. A `RangeError` for multiples of L, which have none. Constant
 * time.
 *
 * @param scalar - 32 bytes: any integer below 2^256
 */
export const invertScalar: Ristretto['invertScalar'] = ristretto.invertScalar;

/**
 * The scalar that a message is hashed to under a domain separation tag: expand_message_xmd (RFC 9380 section 5.3.1) with
 * SHA-512, 64 bytes modulo L, as HashToScalar of RFC 9497 section 4.1. 32 bytes. Constant time in all but the lengths.
 *
 * @param message - any number of bytes
 * @param tag - at least one byte, else a `RangeError`; one of more than 255 is hashed (section 5.3.3)
 */
export const hashToScalar: Ristretto['hashToScalar'] = ristretto.hashToScalar;

/**
 * hash_to_ristretto255 (RFC 9380 appendix B), suite `ristretto255_XMD:SHA-512_R255MAP_RO_`: the element that a message is
 * hashed to under a domain separation tag, as by a random oracle. 32 bytes. Constant time in all but the lengths.
 *
 * @param message - any number of bytes
 * @param tag - at least one byte, else a `RangeError`; one of more than 255 is hashed (section 5.3.3)
 */
export const hashToRistretto255: Ristretto['hashToRistretto255'] = ristretto.hashToRistretto255;

/**
 * hash_to_curve (RFC 9380 section 3), suite `edwards25519_XMD:SHA-512_ELL2_RO_`: a point of the subgroup of order L, as by a
 * random oracle. 32 bytes, as public keys of Ed25519 are encoded. Constant time in all but the lengths.
 *
 * @param message - any number of bytes
 * @param tag - at least one byte, else a `RangeError`; one of more than 255 is hashed (section 5.3.3)
 */
export const hashToEdwards25519: Ristretto['hashToEdwards25519'] = ristretto.hashToEdwards25519;

/**
 * encode_to_curve (RFC 9380 section 3), suite `edwards25519_XMD:SHA-512_ELL2_NU_`: a point of the subgroup of order L, in
 * less time and not uniform. 32 bytes, as public keys of Ed25519 are encoded. Constant time in all but the lengths.
 *
 * @param message - any number of bytes
 * @param tag - at least one byte, else a `RangeError`; one of more than 255 is hashed (section 5.3.3)
 */
export const encodeToEdwards25519: Ristretto['encodeToEdwards25519'] = ristretto.encodeToEdwards25519;

/**
 * hash_to_curve (RFC 9380 section 3), suite `curve25519_XMD:SHA-512_ELL2_RO_`: the u-coordinate of the point, 32 bytes as
 * public keys of X25519. Constant time in all but the lengths.
 *
 * @param message - any number of bytes
 * @param tag - at least one byte, else a `RangeError`; one of more than 255 is hashed (section 5.3.3)
 */
export const hashToCurve25519: Ristretto['hashToCurve25519'] = ristretto.hashToCurve25519;

/**
 * encode_to_curve (RFC 9380 section 3), suite `curve25519_XMD:SHA-512_ELL2_NU_`: the u-coordinate of a point, in less time
 * and not uniform; 32 bytes, as public keys of X25519. Constant time in all but the lengths.
 *
 * @param message - any number of bytes
 * @param tag - at least one byte, else a `RangeError`; one of more than 255 is hashed (section 5.3.3)
 */
export const encodeToCurve25519: Ristretto['encodeToCurve25519'] = ristretto.encodeToCurve25519;
