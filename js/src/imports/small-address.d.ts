// What the import `#small-address` gives; `scripts/build.mjs` makes the files behind it.
import type { Source } from '../address.js';

/** Where the module lies; in workerd the module itself. */
export declare const source: () => Source;
/** The names that the build has written into the modules that will do. */
export declare const builds: string[];
