/**
 * The functions of the main entry, over a module that is fetched from an address of its own when the first is called, or
 * taken from where `load` is told.
 *
 * @module
 */
import { build, source, spare } from '#address/small';
import type { Source } from './address.js';
import { makeStreaming, type Streaming } from './from-address.js';
import type { Ed25519 } from './types.js';

export type { Source } from './address.js';
export type { Bytes, Ed25519, Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

const ed25519: Streaming = /* @__PURE__ */ makeStreaming(
  { source, build, spare },
  () => import('#fallback/compat'),
);

/**
 * Signs a message by Ed25519 (RFC 8032): 64 bytes, the same for the same message and key.
 *
 * The secret key has 64 bytes, the seed and its public key; the promise is rejected with a `RangeError` where the public half is not
 * the seed's, because signatures under two public keys give the secret away. Constant time, as far as the engine's
 * compiler keeps it.
 *
 * @param secretKey - 64 bytes, as `newKeyPair` makes them
 */
export const sign: Ed25519['sign'] = ed25519.sign;

/**
 * The signature of `sign`, made twice from the secret key on, compared and verified before it is given out: for machines
 * that others can disturb. An `Error` where it is not right; a `RangeError` as for `sign`.
 *
 * @param secretKey - 64 bytes
 */
export const signChecked: Ed25519['signChecked'] = ed25519.signChecked;

/**
 * Whether a signature of a message is valid under a public key.
 *
 * By default by the profile `strict`, which refuses S + L, non-canonical R, and keys and R of small order, under which
 * anybody can sign; `options.profile` names another. A signature that has not 64 bytes is not valid; a public key
 * that has not 32, an unknown profile (`RangeError`) and an unknown option (`TypeError`) are errors.
 *
 * @param signature - 64 bytes
 * @param publicKey - 32 bytes
 */
export const verify: Ed25519['verify'] = ed25519.verify;

/**
 * One verdict for each item, in their order, and the same that `verify` gives: one bad signature does not spoil the
 * others. A malformed item (a key that has not 32 bytes, a message that is no `Uint8Array`) is an error of the whole
 * call.
 *
 * @param items - an array of `{ message, signature, publicKey }`, or anything else that can be iterated over
 */
export const verifyBatch: Ed25519['verifyBatch'] = ed25519.verifyBatch;

/** A new key pair, from `crypto.getRandomValues`: a public key of 32 bytes, a secret key of 64. */
export const newKeyPair: Ed25519['newKeyPair'] = ed25519.newKeyPair;

/**
 * The key pair of a seed, always the same.
 *
 * @param seed - 32 bytes; another length is a `RangeError`
 */
export const keyPairFromSeed: Ed25519['keyPairFromSeed'] = ed25519.keyPairFromSeed;

/**
 * The key pair of a secret key, whose public half is checked: a `RangeError` where it is not the seed's.
 *
 * @param secretKey - 64 bytes
 */
export const keyPairFromSecretKey: Ed25519['keyPairFromSecretKey'] = ed25519.keyPairFromSecretKey;

/**
 * Checks a secret key once, to sign often, at half the cost: `{ publicKey, sign(message), wipe() }`. The key is kept in
 * memory until `wipe()`. A `RangeError` where its public half is not the seed's.
 *
 * @param secretKey - 64 bytes
 */
export const createSigner: Ed25519['createSigner'] = ed25519.createSigner;

/**
 * The same functions over a module from elsewhere: an address, the answer to a fetch or the promise of it, octets, or a
 * compiled module. Rejected where it cannot be had, or is not one of those that this code was built with.
 *
 * @param source - a string, `URL`, `Request`, `Response`, `ArrayBuffer`, `Uint8Array`, `WebAssembly.Module`, or the promise of one
 */
export const load: (source: Source | PromiseLike<Source>) => Promise<Ed25519> = ed25519.load;
