/**
 * FN-DSA and Falcon, 512 and 1024, synchronous. The module is compiled in the first call; where an engine forbids that in
 * its main thread, or has no SIMD, await `ready()` first.
 *
 * @module
 */
import packed from '#wasm/fn-dsa';
import { makeSigning } from './fn-dsa-signing.js';
import type { FnDsaSyncSchemes } from './fn-dsa-types.js';
import { immediate, variants } from './fn-dsa-variants.js';
import type { Perform } from './fn-dsa-verifying.js';
import { makeReady, type Ready } from './synchronous.js';
import type { FnDsaExports } from './wasm/exports.js';

export type {
  FalconOptions,
  FnDsaDraftOptions,
  FnDsaItem,
  FnDsaKeyPair,
  FnDsaLengths,
  FnDsaOptions,
  FnDsaSigner,
  FnDsaSync,
  For,
  KeyFor,
  MadeKey,
  Prehash,
  Scheme,
} from './fn-dsa-types.js';
export type { Bytes } from './types.js';

const module: Ready<FnDsaExports> = /* @__PURE__ */ makeReady<FnDsaExports>(
  packed,
  () => import('#fallback/fn-dsa-compat'),
);
const perform: Perform = /* @__PURE__ */ immediate(module.instance);
const schemes: FnDsaSyncSchemes = /* @__PURE__ */ variants((parameters) =>
  makeSigning(parameters, perform),
) as FnDsaSyncSchemes;

/**
 * FN-DSA of degree 512, as the crate fn-dsa 0.3 defines it (no standard has been published): public keys of 897 bytes,
 * signatures of 666.
 */
export const fndsa512: FnDsaSyncSchemes['fndsa512'] = schemes.fndsa512;

/**
 * FN-DSA of degree 1024, as `fndsa512`: public keys of 1793 bytes, signatures of 1280.
 */
export const fndsa1024: FnDsaSyncSchemes['fndsa1024'] = schemes.fndsa1024;

/**
 * The draft guess of degree 512: FN-DSA as the crate fn-dsa 0.4 has it.
 */
export const fndsa512draft2026: FnDsaSyncSchemes['fndsa512draft2026'] = schemes.fndsa512draft2026;

/**
 * The draft guess of degree 1024: FN-DSA as the crate fn-dsa 0.4 has it.
 */
export const fndsa1024draft2026: FnDsaSyncSchemes['fndsa1024draft2026'] = schemes.fndsa1024draft2026;

/**
 * Falcon of degree 512, round 3, with compressed signatures, of at most 752 bytes. Each of the three encodings is taken
 * under its own name alone.
 */
export const falcon512: FnDsaSyncSchemes['falcon512'] = schemes.falcon512;

/**
 * Falcon of degree 1024, round 3, with compressed signatures, of at most 1462 bytes.
 */
export const falcon1024: FnDsaSyncSchemes['falcon1024'] = schemes.falcon1024;

/**
 * Falcon of degree 512, its signatures padded to 666 bytes.
 */
export const falcon512padded: FnDsaSyncSchemes['falcon512padded'] = schemes.falcon512padded;

/**
 * Falcon of degree 1024, its signatures padded to 1280 bytes.
 */
export const falcon1024padded: FnDsaSyncSchemes['falcon1024padded'] = schemes.falcon1024padded;

/**
 * Falcon of degree 512, the coefficients of fixed width, 809 bytes: for signatures that are secrets themselves.
 */
export const falcon512ct: FnDsaSyncSchemes['falcon512ct'] = schemes.falcon512ct;

/**
 * Falcon of degree 1024, the coefficients of fixed width, 1577 bytes.
 */
export const falcon1024ct: FnDsaSyncSchemes['falcon1024ct'] = schemes.falcon1024ct;

/** Instantiates the module without waiting for the first call; needed where the engine forbids that, or has no SIMD. */
export const ready: () => Promise<void> = module.ready;
