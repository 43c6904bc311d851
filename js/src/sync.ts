import { load, loadLater } from '#small-sync';
import { makeSynchronous } from './synchronous.js';

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
  ready,
} = /* @__PURE__ */ makeSynchronous(load, loadLater);
