import { Buffer } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import type { Packed } from './packed.js';

const bytes = (packed: Packed): Uint8Array<ArrayBuffer> =>
  inflateRawSync(Buffer.from(packed as string, 'base64'));

/** An instance of a module, at once. */
export const instantiateNow = (packed: Packed): WebAssembly.Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes(packed))).exports;

/** An instance of a module. */
export const instantiate = async (packed: Packed): Promise<WebAssembly.Exports> =>
  (await WebAssembly.instantiate(bytes(packed))).instance.exports;
