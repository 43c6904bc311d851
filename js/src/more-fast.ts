import { load } from '#fast';
import { makeMore } from './more-of.js';

export type { ContextOptions, Source, StreamVerifier } from './more-of.js';
export type { Profile, VerifyOptions } from './types.js';

export const {
  signWithContext,
  verifyWithContext,
  signPrehashed,
  verifyPrehashed,
  signStream,
  createVerifier,
  verifyStream,
} = /* @__PURE__ */ makeMore(load);
