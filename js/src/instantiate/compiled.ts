import type { Packed } from './packed.js';

/** An instance of a module that the platform has compiled, and the code has imported. */
export const instantiateNow = (packed: Packed): WebAssembly.Exports =>
  new WebAssembly.Instance(packed as WebAssembly.Module).exports;

/** The same, as a promise. */
export const instantiate = async (packed: Packed): Promise<WebAssembly.Exports> =>
  instantiateNow(packed);
