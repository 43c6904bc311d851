import { load, loadLater } from '#small-sync';
import { makeSynchronous } from './synchronous.js';

export type { Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

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
