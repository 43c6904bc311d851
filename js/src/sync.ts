/**
 * Ed25519, synchronous. The module is compiled in the first call; where an engine forbids that in its main thread, or has
 * no SIMD, await `ready()` first.
 *
 * @module
 */
import packed from '#wasm/small';
import { makeLazy, makeSynchronous } from './synchronous-ed25519.js';
import { makeReady, type Ready } from './synchronous.js';
import type { Ed25519Sync } from './types.js';
import type { Exports } from './wasm/exports.js';

export type { Bytes, Ed25519Sync, Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

const module: Ready<Exports> = /* @__PURE__ */ makeReady<Exports>(packed, () => import('#fallback/compat'));
const ed25519: Ed25519Sync = /* @__PURE__ */ makeSynchronous(/* @__PURE__ */ makeLazy(module));

/**
 * Signs a message by Ed25519 (RFC 8032): 64 bytes, the same for the same message and key.
 *
 * The secret key has 64 bytes, the seed and its public key; it fails with a `RangeError` where the public half is not
 * the seed's, because signatures under two public keys give the secret away. Constant time, as far as the engine's
 * compiler keeps it.
 *
 * @param secretKey - 64 bytes, as `newKeyPair` makes them
 */
export const sign: Ed25519Sync['sign'] = ed25519.sign;

/**
 * The signature of `sign`, made twice from the secret key on, compared and verified before it is given out: for machines
 * that others can disturb. An `Error` where it is not right; a `RangeError` as for `sign`.
 *
 * @param secretKey - 64 bytes
 */
export const signChecked: Ed25519Sync['signChecked'] = ed25519.signChecked;

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
export const verify: Ed25519Sync['verify'] = ed25519.verify;

/**
 * One verdict for each item, in their order, and the same that `verify` gives: one bad signature does not spoil the
 * others. A malformed item (a key that has not 32 bytes, a message that is no `Uint8Array`) is an error of the whole
 * call.
 *
 * @param items - an array of `{ message, signature, publicKey }`, or anything else that can be iterated over
 */
export const verifyBatch: Ed25519Sync['verifyBatch'] = ed25519.verifyBatch;

/** A new key pair, from `crypto.getRandomValues`: a public key of 32 bytes, a secret key of 64. */
export const newKeyPair: Ed25519Sync['newKeyPair'] = ed25519.newKeyPair;

/**
 * The key pair of a seed, always the same.
 *
 * @param seed - 32 bytes; another length is a `RangeError`
 */
export const keyPairFromSeed: Ed25519Sync['keyPairFromSeed'] = ed25519.keyPairFromSeed;

/**
 * The key pair of a secret key, whose public half is checked: a `RangeError` where it is not the seed's.
 *
 * @param secretKey - 64 bytes
 */
export const keyPairFromSecretKey: Ed25519Sync['keyPairFromSecretKey'] = ed25519.keyPairFromSecretKey;

/**
 * Checks a secret key once, to sign often, at half the cost: `{ publicKey, sign(message), wipe() }`. The key is kept in
 * memory until `wipe()`. A `RangeError` where its public half is not the seed's.
 *
 * @param secretKey - 64 bytes
 */
export const createSigner: Ed25519Sync['createSigner'] = ed25519.createSigner;

/** Instantiates the module without waiting for the first call; needed where the engine forbids that, or has no SIMD. */
export const ready: () => Promise<void> = module.ready;
