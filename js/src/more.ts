/**
 * Ed25519 with contexts (Ed25519ctx), prehashing (Ed25519ph) and messages as streams, asynchronous.
 *
 * @module
 */
import { makeMore } from './more-of.js';
import type { More } from './more-types.js';
import { engine } from './small-engine.js';

export type {
  ContextOptions,
  ContextSigner,
  More,
  Source,
  StreamVerifier,
  VerifyContextOptions,
} from './more-types.js';
export type { Bytes, Profile, VerifyOptions } from './types.js';

const more: More = /* @__PURE__ */ makeMore(engine);

/**
 * Signs a message under a context: Ed25519ctx, RFC 8032 section 5.1. 64 bytes, the same for the same arguments. A
 * `RangeError` where the secret key's public half is not the seed's.
 *
 * @param secretKey - 64 bytes
 * @param context - at most 255 bytes, more are a `RangeError`
 */
export const signWithContext: More['signWithContext'] = more.signWithContext;

/**
 * Signs by pure Ed25519, or with `options.context` by Ed25519ctx: twice, from the secret key on, compared and verified. An
 * `Error` where the signature is not right; a `RangeError` as for `signWithContext`.
 *
 * @param secretKey - 64 bytes
 */
export const signChecked: More['signChecked'] = more.signChecked;

/**
 * Whether an Ed25519ctx signature is valid; by the profile `strict`, unless `options.profile` names another.
 *
 * @param signature - 64 bytes; of another length it is not valid
 * @param publicKey - 32 bytes; another length is a `RangeError`
 * @param context - at most 255 bytes
 */
export const verifyWithContext: More['verifyWithContext'] = more.verifyWithContext;

/**
 * Signs the SHA-512 of a message of any length, which is read once: Ed25519ph, RFC 8032 section 5.1; under
 * `options.context`, if there is one. 64 bytes.
 *
 * @param source - the message: octets, a stream, or pieces to iterate over
 * @param secretKey - 64 bytes; a `RangeError` where its public half is not the seed's
 */
export const signPrehashed: More['signPrehashed'] = more.signPrehashed;

/**
 * As `signPrehashed`, the hash and the signature made twice, compared and verified. An `Error` where it is not right; a
 * `RangeError` as for `signPrehashed`.
 *
 * @param secretKey - 64 bytes
 */
export const signPrehashedChecked: More['signPrehashedChecked'] = more.signPrehashedChecked;

/**
 * Whether an Ed25519ph signature is valid for a message of any length; under `options.context`, and by the profile
 * `strict` unless `options.profile` names another.
 *
 * @param source - the message: octets, a stream, or pieces to iterate over
 * @param signature - 64 bytes; of another length it is not valid
 * @param publicKey - 32 bytes; another length is a `RangeError`
 */
export const verifyPrehashed: More['verifyPrehashed'] = more.verifyPrehashed;

/**
 * Signs a message of any length by pure Ed25519, or with `options.context` by Ed25519ctx, which reads it twice: `open` is
 * called for each time. The same 64 bytes that `sign` gives for the whole message. Rejected where the message was
 * another the second time.
 *
 * @param open - gives the message from its start: octets, a stream, or pieces to iterate over
 * @param secretKey - 64 bytes; a `RangeError` where its public half is not the seed's
 */
export const signStream: More['signStream'] = more.signStream;

/**
 * Checks a secret key once, to sign often, at half the cost: its `sign`, `signStream` and `signPrehashed` take a
 * `context` each. The key is kept in memory until `wipe()`.
 *
 * @param secretKey - 64 bytes; a `RangeError` where its public half is not the seed's
 */
export const createSigner: More['createSigner'] = more.createSigner;

/**
 * Starts the verification of a message that comes piece by piece, by `update(piece)`; then `verify()` gives the
 * verdict. By pure Ed25519, or with `options.context` by Ed25519ctx.
 *
 * @param signature - 64 bytes; of another length it is not valid
 * @param publicKey - 32 bytes; another length is a `RangeError`
 */
export const createVerifier: More['createVerifier'] = more.createVerifier;

/**
 * Whether a signature is valid for a message of any length; by pure Ed25519, as `verify`, or with `options.context` by
 * Ed25519ctx.
 *
 * @param source - the message: octets, a stream, or pieces to iterate over
 * @param signature - 64 bytes; of another length it is not valid
 * @param publicKey - 32 bytes; another length is a `RangeError`
 */
export const verifyStream: More['verifyStream'] = more.verifyStream;
