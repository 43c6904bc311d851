import { instantiateNow } from '#instantiate/now';
import packed from '#wasm/fn-dsa-compat';
import type { FnDsaExports } from '../wasm/exports.js';

/** The module for engines that lack SIMD, or what the others take for granted. */
export const load = (): FnDsaExports => instantiateNow(packed) as unknown as FnDsaExports;
