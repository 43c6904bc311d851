// What the import `#x25519` gives; `scripts/build.mjs` makes the files behind it.
import type { X25519Exports } from '../wasm/exports.js';

export declare const load: () => X25519Exports | Promise<X25519Exports>;
