// What is decided here is public: keys, signatures, messages. Nothing of it runs in constant time.

/** The order of the base point, little-endian. */
const L: readonly number[] = [
  237, 211, 245, 92, 26, 99, 18, 88, 214, 156, 247, 162, 222, 249, 222, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16,
];
/** 2^255 - 19, little-endian. */
const P: readonly number[] = [237, ...Array<number>(30).fill(255), 127];

/**
 * One of the two y of the points of order 8, little-endian; the other is its negative. Those of order 1, 2 and 4 have 1, -1
 * and 0.
 */
const EIGHTH: readonly number[] = [
  38, 232, 149, 143, 194, 178, 39, 176, 69, 195, 244, 137, 242, 239, 152, 240, 213, 223, 172, 5, 211, 198, 51, 57, 177, 56, 2, 136, 109, 83, 252, 5,
];

/** Whether a number of 32 octets is below another one. */
const below = (number: ArrayLike<number>, bound: ArrayLike<number>): boolean => {
  for (let i = 31; i >= 0; i--) if (number[i] != bound[i]) return number[i]! < bound[i]!;
  return false;
};

/** Whether y is 0, 1, -1, or one of order 8; it is canonical. */
const ofSmallOrder = (y: Uint8Array): boolean => {
  const negative = minus(y);
  const low = below(y, negative) ? y : negative;
  return (low[0]! < 2 && low.every((byte, i) => !i || !byte)) || low.every((byte, i) => byte == EIGHTH[i]);
};

/** P - y; P itself where y is zero. */
const minus = (y: Uint8Array): Uint8Array => {
  let borrow = 0;
  return y.map((byte, i) => {
    const digit = P[i]! - byte - borrow;
    borrow = +(digit < 0);
    return digit;
  });
};

/** Whether an encoded point, if it is one, is canonical and not of small order. */
const isOrdinaryPoint = (octets: Uint8Array): boolean => {
  const y = octets.slice();
  y[31]! &= 127;
  return below(y, P) && !ofSmallOrder(y);
};

/**
 * Whether S is below L, and A and R are canonical and not of small order: then the profiles without a cofactor have the
 * same verdict, that of the equation (Chalkias, Garillot, Nikolaenko 2020, section 3). Everything else is for code that
 * knows the profiles.
 *
 * @param signature - 64 bytes
 * @param publicKey - 32 bytes
 */
export const isOrdinary = (signature: Uint8Array, publicKey: Uint8Array): boolean =>
  below(signature.subarray(32), L) && isOrdinaryPoint(signature.subarray(0, 32)) && isOrdinaryPoint(publicKey);
