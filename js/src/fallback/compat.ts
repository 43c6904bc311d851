import { instantiateNow } from '#instantiate/now';
import packed from '#wasm/compat';
import type { NaclExports } from '../wasm/exports.js';

/** The module for engines that lack SIMD, or what the others take for granted. */
export const load = (): NaclExports => instantiateNow(packed) as unknown as NaclExports;
