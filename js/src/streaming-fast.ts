// Its declarations are those of `streaming`: see `declaredAs` in scripts/modules.mjs.
import { build, source, spare } from '#address/fast';
import type { Source } from './address.js';
import { makeAsynchronous, promising } from './asynchronous.js';
import { batching } from './batching.js';
import { makeStreaming, type Streaming } from './from-address.js';
import type { Ed25519 } from './types.js';

export type { Source } from './address.js';
export type { Bytes, Ed25519, Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

const ed25519: Streaming = /* @__PURE__ */ makeStreaming(
  { source, build, spare },
  () => import('#fallback/compat'),
  (engine) => batching(makeAsynchronous(engine), promising(engine)),
);

export const sign: Ed25519['sign'] = ed25519.sign;
export const signChecked: Ed25519['signChecked'] = ed25519.signChecked;
export const verify: Ed25519['verify'] = ed25519.verify;
export const verifyBatch: Ed25519['verifyBatch'] = ed25519.verifyBatch;
export const newKeyPair: Ed25519['newKeyPair'] = ed25519.newKeyPair;
export const keyPairFromSeed: Ed25519['keyPairFromSeed'] = ed25519.keyPairFromSeed;
export const keyPairFromSecretKey: Ed25519['keyPairFromSecretKey'] = ed25519.keyPairFromSecretKey;
export const createSigner: Ed25519['createSigner'] = ed25519.createSigner;
export const load: Streaming['load'] = ed25519.load;
