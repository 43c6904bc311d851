import { load } from '#small';
import { makeAsynchronous, once } from './asynchronous.js';

export type { Item, Profile, VerifyOptions } from './verifier.js';
export type { KeyPair } from './engine.js';
export type { Signer } from './types.js';

export const {
  sign,
  verify,
  verifyBatch,
  newKeyPair,
  keyPairFromSeed,
  keyPairFromSecretKey,
  createSigner,
} = /* @__PURE__ */ makeAsynchronous(/* @__PURE__ */ once(load));
