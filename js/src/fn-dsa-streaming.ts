/**
 * The schemes of `lanner/fn-dsa`, over a module that is fetched from an address of its own when the first function is
 * called, or taken from where `load` is told.
 *
 * @module
 */
import { build, source, spare } from '#address/fn-dsa';
import { instantiate, taken, type Source } from './address.js';
import { makeEngine, type Engine } from './fn-dsa-engine.js';
import { makeSigning } from './fn-dsa-signing.js';
import type { FnDsaSchemes } from './fn-dsa-types.js';
import { streaming } from './fn-dsa-streams.js';
import { promising, variants } from './fn-dsa-variants.js';
import { first } from './from-address.js';
import { once } from './loading.js';
import type { FnDsaExports } from './wasm/exports.js';

export type { Source } from './address.js';
export type { FnDsaSchemes, Variants } from './fn-dsa-types.js';
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

const over = (engine: () => Promise<Engine>): FnDsaSchemes => {
  const [perform, stream] = [promising(engine), streaming(engine)];
  return variants((parameters) => makeSigning(parameters, perform, stream)) as FnDsaSchemes;
};

const schemes: FnDsaSchemes = /* @__PURE__ */ over(
  /* @__PURE__ */ once(async (): Promise<Engine> =>
    makeEngine(
      await first<FnDsaExports>({ source, build, spare }, () => import('#fallback/fn-dsa-compat')),
    ),
  ),
);

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

/**
 * The same schemes over a module from elsewhere: an address, the answer to a fetch or the promise of it, octets, or a
 * compiled module. Rejected where it cannot be had, or is not one of those that this code was built with.
 *
 * @param from - a string, `URL`, `Request`, `Response`, `ArrayBuffer`, `Uint8Array`, `WebAssembly.Module`, or the promise of one
 */
export const load = async (from: Source | PromiseLike<Source>): Promise<FnDsaSchemes> => {
  const engine = makeEngine(await instantiate<FnDsaExports>(await taken(from), build));
  return over(async () => engine);
};
