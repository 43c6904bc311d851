import { load } from '#small';
import { engineOf, makeAsynchronous } from './asynchronous.js';

export type { Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

export const {
  sign,
  verify,
  verifyBatch,
  newKeyPair,
  keyPairFromSeed,
  keyPairFromSecretKey,
  createSigner,
} = /* @__PURE__ */ makeAsynchronous(/* @__PURE__ */ engineOf(load));
