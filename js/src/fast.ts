// Its declarations are those of `index`: see `declaredAs` in scripts/modules.mjs.
import { promising } from './asynchronous.js';
import { batching } from './batching.js';
import { makeEd25519, type Engine } from './engine.js';
import { engine } from './fast-engine.js';
import { copy } from './octets.js';
import type { Ed25519 } from './types.js';
import type { Perform } from './verifier.js';

export type { Bytes, Ed25519, Item, KeyPair, Profile, Signer, VerifyOptions } from './types.js';

// By its own hash alone, which is nearly as fast as the engines'.
const perform: Perform<Engine> = /* @__PURE__ */ promising(engine);
const ed25519: Ed25519 = /* @__PURE__ */ batching(/* @__PURE__ */ makeEd25519(copy, perform) as Ed25519, perform);

export const sign: Ed25519['sign'] = ed25519.sign;
export const signChecked: Ed25519['signChecked'] = ed25519.signChecked;
export const verify: Ed25519['verify'] = ed25519.verify;
export const verifyBatch: Ed25519['verifyBatch'] = ed25519.verifyBatch;
export const newKeyPair: Ed25519['newKeyPair'] = ed25519.newKeyPair;
export const keyPairFromSeed: Ed25519['keyPairFromSeed'] = ed25519.keyPairFromSeed;
export const keyPairFromSecretKey: Ed25519['keyPairFromSecretKey'] = ed25519.keyPairFromSecretKey;
export const createSigner: Ed25519['createSigner'] = ed25519.createSigner;
