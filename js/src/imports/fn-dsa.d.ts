// What the import `#fn-dsa` gives; `scripts/build.mjs` makes the files behind it.
import type { FnDsaExports } from '../wasm/exports.js';

export declare const load: () => FnDsaExports | Promise<FnDsaExports>;
