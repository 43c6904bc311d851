// What the imports `#address/NAME` give; `scripts/build.mjs` makes the files behind them.
import type { Source } from '../address.js';

/** Where the module lies; where modules are imported, the module itself. */
export declare const source: () => Source;
/** The name that the build has written into the module. */
export declare const build: string;
/**
 * Where the platform has a file system: the octets of the module, from its text. A bundler for servers takes the
 * module along to where browsers find it, and the server does not.
 */
export declare const spare: (() => Promise<BufferSource>) | undefined;
