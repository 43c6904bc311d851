/**
 * FN-DSA and Falcon, 512 and 1024, asynchronous. What is given to a function has been copied when it returns its promise.
 *
 * @module
 */
import packed from '#wasm/fn-dsa';
import { makeEngine, type Engine } from './fn-dsa-engine.js';
import { makeSigning } from './fn-dsa-signing.js';
import type { FnDsaSchemes } from './fn-dsa-types.js';
import { streaming } from './fn-dsa-streams.js';
import { promising, variants } from './fn-dsa-variants.js';
import type { Perform, Stream } from './fn-dsa-verifying.js';
import { loaded, once } from './loading.js';
import type { FnDsaExports } from './wasm/exports.js';

export type {
  FalconOptions,
  FnDsa,
  FnDsaDraftOptions,
  FnDsaItem,
  FnDsaKeyPair,
  FnDsaLengths,
  FnDsaOptions,
  FnDsaSigner,
  FnDsaStreamSigner,
  FnDsaVerifier,
  For,
  KeyFor,
  MadeKey,
  Pieces,
  Prehash,
  Scheme,
} from './fn-dsa-types.js';
export type { Bytes } from './types.js';

const engine: () => Promise<Engine> = /* @__PURE__ */ once(async () =>
  makeEngine(await loaded<FnDsaExports>(packed, () => import('#fallback/fn-dsa-compat'))),
);
const perform: Perform = /* @__PURE__ */ promising(engine);
const stream: Stream = /* @__PURE__ */ streaming(engine);
const schemes: FnDsaSchemes = /* @__PURE__ */ variants((parameters) =>
  makeSigning(parameters, perform, stream),
) as FnDsaSchemes;

/**
 * FN-DSA of degree 512, as the crate fn-dsa 0.3 defines it (no standard has been published): public keys of 897 bytes,
 * signatures of 666.
 */
export const fndsa512: FnDsaSchemes['fndsa512'] = schemes.fndsa512;

/**
 * FN-DSA of degree 1024, as `fndsa512`: public keys of 1793 bytes, signatures of 1280.
 */
export const fndsa1024: FnDsaSchemes['fndsa1024'] = schemes.fndsa1024;

/**
 * The draft guess of degree 512: FN-DSA as the crate fn-dsa 0.4 has it.
 */
export const fndsa512draft2026: FnDsaSchemes['fndsa512draft2026'] = schemes.fndsa512draft2026;

/**
 * The draft guess of degree 1024: FN-DSA as the crate fn-dsa 0.4 has it.
 */
export const fndsa1024draft2026: FnDsaSchemes['fndsa1024draft2026'] = schemes.fndsa1024draft2026;

/**
 * Falcon of degree 512, round 3, with compressed signatures, of at most 752 bytes. Each of the three encodings is taken
 * under its own name alone.
 */
export const falcon512: FnDsaSchemes['falcon512'] = schemes.falcon512;

/**
 * Falcon of degree 1024, round 3, with compressed signatures, of at most 1462 bytes.
 */
export const falcon1024: FnDsaSchemes['falcon1024'] = schemes.falcon1024;

/**
 * Falcon of degree 512, its signatures padded to 666 bytes.
 */
export const falcon512padded: FnDsaSchemes['falcon512padded'] = schemes.falcon512padded;

/**
 * Falcon of degree 1024, its signatures padded to 1280 bytes.
 */
export const falcon1024padded: FnDsaSchemes['falcon1024padded'] = schemes.falcon1024padded;

/**
 * Falcon of degree 512, the coefficients of fixed width, 809 bytes: for signatures that are secrets themselves.
 */
export const falcon512ct: FnDsaSchemes['falcon512ct'] = schemes.falcon512ct;

/**
 * Falcon of degree 1024, the coefficients of fixed width, 1577 bytes.
 */
export const falcon1024ct: FnDsaSchemes['falcon1024ct'] = schemes.falcon1024ct;
