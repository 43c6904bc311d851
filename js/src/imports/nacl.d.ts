// What the import `#nacl` gives; `scripts/build.mjs` makes the files behind it.
import type { NaclExports } from '../wasm/exports.js';

/** An instance; throws where the engine compiles nothing at once. */
export declare const load: () => NaclExports;
export declare const loadLater: () => Promise<NaclExports>;
