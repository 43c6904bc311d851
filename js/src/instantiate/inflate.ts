import { inflateSync } from 'fflate';
import type { Packed } from './packed.js';

const bytes = (packed: Packed): Uint8Array<ArrayBuffer> => {
  const text = atob(packed as string);
  const deflated = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) deflated[i] = text.charCodeAt(i);
  return inflateSync(deflated);
};

/** An instance of a module, at once: with no help of the engine, which has none that does not wait. */
export const instantiateNow = (packed: Packed): WebAssembly.Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes(packed))).exports;

/** An instance of a module. */
export const instantiate = async (packed: Packed): Promise<WebAssembly.Exports> =>
  (await WebAssembly.instantiate(bytes(packed))).instance.exports;
