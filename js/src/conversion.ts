import { copy } from './octets.js';
import type { Bytes } from './types.js';

// Public keys are no secrets, and conversions few: so numbers of the engine do here, whose time depends on their values.
// No `**`: tools that compile for old engines make `Math.pow` of it, which takes no such numbers.
const P = /* @__PURE__ */ (() => (1n << 255n) - 19n)();
/** The A of the Montgomery curve v^2 = u^3 + A u^2 + u, RFC 7748 section 4.1. */
const A = 486662n;

const power = (base: bigint, exponent: bigint): bigint => {
  let [result, square] = [1n, base % P];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
};

/** u^3 + A u^2 + u, of a fraction x/z times z^4: of points a square, or zero. */
const right = (x: bigint, z: bigint): bigint => (x * z * (x * x + A * x * z + z * z)) % P;

/** Whether three doublings of x/z lead to the neutral element (Montgomery 1987, section 10.3.1). */
const smallOrder = (u: bigint): boolean => {
  let [x, z] = [u, 1n];
  for (let i = 0; i < 3; i++) {
    const difference = x * x - z * z;
    [x, z] = [(difference * difference) % P, (4n * right(x, z)) % P];
  }
  return !z;
};

/**
 * The X25519 public key of an Ed25519 public key: u = (1 + y)/(1 - y), RFC 7748 section 4.1. 32 bytes. The secret that
 * belongs to it is `secretKeyFromEd25519` of the secret key. A `RangeError` where the key is no point of the curve, is
 * not canonical, or is of small order, so that nothing secret could be agreed on with it.
 *
 * @param publicKey - 32 bytes, of Ed25519
 */
export const publicKeyFromEd25519 = (publicKey: Uint8Array): Bytes => {
  const own = copy('publicKey', publicKey, 32);
  own[31]! &= 127;
  const y = own.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
  const u = ((1n + y) * power(1n + P - y, P - 2n)) % P;
  // Of a point that is not on the curve it is one on its twist. Fermat: what is no square has another power.
  if (y >= P || power(right(u, 1n), (P - 1n) / 2n) > 1n || smallOrder(u))
    throw RangeError('publicKey is no point, or one of small order');
  return own.map((_, i) => Number((u >> BigInt(8 * i)) & 255n)) as Bytes;
};
