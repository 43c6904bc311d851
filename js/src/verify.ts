/**
 * Verification of Ed25519 alone, smaller than the main entry.
 *
 * @module
 */
import packed from '#wasm/verify';
import { promising } from './asynchronous.js';
import { loaded, once } from './loading.js';
import { copy } from './octets.js';
import type { Ed25519 } from './types.js';
import { makeVerification, makeVerifier, type Verifier } from './verifier.js';
import type { Exports } from './wasm/exports.js';

export type { Item, Profile, VerifyOptions } from './types.js';

const ed25519: Pick<Ed25519, 'verify' | 'verifyBatch'> = /* @__PURE__ */ makeVerification(
  copy,
  /* @__PURE__ */ promising(
    /* @__PURE__ */ once(async (): Promise<Verifier> =>
      makeVerifier(await loaded<Exports>(packed, () => import('#fallback/compat'))),
    ),
  ),
) as Pick<Ed25519, 'verify' | 'verifyBatch'>;

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
