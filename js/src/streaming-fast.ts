import { builds, source } from '#fast-address';
import { makeStreaming } from './from-address.js';

export type { Source } from './address.js';
export type { Ed25519, Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

export const {
  sign,
  verify,
  verifyBatch,
  newKeyPair,
  keyPairFromSeed,
  keyPairFromSecretKey,
  createSigner,
  /**
   * The same functions over a module from elsewhere: an address, the answer to a fetch or the
   * promise of it, octets, or a compiled module. Rejected where it cannot be had, or is not one of
   * those that this code was built with.
   */
  load,
} = /* @__PURE__ */ makeStreaming(source, builds);
