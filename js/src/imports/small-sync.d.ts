// What the import `#small-sync` gives; `scripts/build.mjs` makes the files behind it.
import type { Exports } from '../wasm/exports.js';

/** An instance; throws where the engine compiles nothing at once. */
export declare const load: () => Exports;
export declare const loadLater: () => Promise<Exports>;
