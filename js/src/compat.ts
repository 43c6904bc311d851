// Its declarations are those of `index`: see `declaredAs` in scripts/modules.mjs.
import { load } from './fallback/compat.js';
import { makeAsynchronous } from './asynchronous.js';
import { makeEngine, type Engine } from './engine.js';
import { failure, once } from './loading.js';
import { open } from './long.js';
import type { Ed25519 } from './types.js';
import { judge } from './verifier.js';

export type { Bytes, Ed25519, Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

/** The module alone that needs nothing: for those who know that their engines have no SIMD. */
const engine = /* @__PURE__ */ once(async (): Promise<Engine> => {
  try {
    return makeEngine(load());
  } catch (cause) {
    throw failure(cause);
  }
});
// What the others load when it is needed is a part of this entry: bundlers have one file to make of it, and some scripts,
// those of workers among them, may be of one file only.
const ed25519: Ed25519 = /* @__PURE__ */ makeAsynchronous(engine, /* @__PURE__ */ open(judge));

export const sign: Ed25519['sign'] = ed25519.sign;
export const signChecked: Ed25519['signChecked'] = ed25519.signChecked;
export const verify: Ed25519['verify'] = ed25519.verify;
export const verifyBatch: Ed25519['verifyBatch'] = ed25519.verifyBatch;
export const newKeyPair: Ed25519['newKeyPair'] = ed25519.newKeyPair;
export const keyPairFromSeed: Ed25519['keyPairFromSeed'] = ed25519.keyPairFromSeed;
export const keyPairFromSecretKey: Ed25519['keyPairFromSecretKey'] = ed25519.keyPairFromSecretKey;
export const createSigner: Ed25519['createSigner'] = ed25519.createSigner;
