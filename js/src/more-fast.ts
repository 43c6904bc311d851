// Its declarations are those of `more`: see `declaredAs` in scripts/modules.mjs.
import { makeMore } from './more-of.js';
import type { More } from './more-types.js';
import { engine } from './fast-engine.js';

export type {
  ContextOptions,
  ContextSigner,
  More,
  Source,
  StreamVerifier,
  VerifyContextOptions,
} from './more-types.js';
export type { Bytes, Profile, VerifyOptions } from './types.js';

const more: More = /* @__PURE__ */ makeMore(engine);

export const signWithContext: More['signWithContext'] = more.signWithContext;
export const signChecked: More['signChecked'] = more.signChecked;
export const verifyWithContext: More['verifyWithContext'] = more.verifyWithContext;
export const signPrehashed: More['signPrehashed'] = more.signPrehashed;
export const signPrehashedChecked: More['signPrehashedChecked'] = more.signPrehashedChecked;
export const verifyPrehashed: More['verifyPrehashed'] = more.verifyPrehashed;
export const signStream: More['signStream'] = more.signStream;
export const createSigner: More['createSigner'] = more.createSigner;
export const createVerifier: More['createVerifier'] = more.createVerifier;
export const verifyStream: More['verifyStream'] = more.verifyStream;
