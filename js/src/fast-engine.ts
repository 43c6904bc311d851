import packed from '#wasm/fast';
import { engineOf } from './asynchronous.js';
import type { Engine } from './engine.js';

/** One instance of the module, which the entries that need it share. */
export const engine: () => Promise<Engine> = /* @__PURE__ */ engineOf(packed, () => import('#fallback/compat'));
