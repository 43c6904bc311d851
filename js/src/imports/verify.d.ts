// What the import `#verify` gives; `scripts/build.mjs` makes the files behind it.
import type { Exports } from '../wasm/exports.js';

export declare const load: () => Exports | Promise<Exports>;
