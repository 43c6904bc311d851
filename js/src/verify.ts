import { load } from '#verify';
import { once, promising } from './asynchronous.js';
import { copy } from './octets.js';
import type { Ed25519 } from './types.js';
import { makeVerification, makeVerifier } from './verifier.js';

export type { Item, Profile, VerifyOptions } from './types.js';

/** `verify` and `verifyBatch` of the main module. */
export const { verify, verifyBatch } = /* @__PURE__ */ makeVerification(
  copy,
  /* @__PURE__ */ promising(/* @__PURE__ */ once(async () => makeVerifier(await load()))),
) as Pick<Ed25519, 'verify' | 'verifyBatch'>;
