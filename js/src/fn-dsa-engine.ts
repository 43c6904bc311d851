import type { FnDsaExports } from './wasm/exports.js';
import { FN_DSA_STACK } from './wasm/layout.js';

const PAGE = 65536;

/**
 * How much of the stack the functions use: what is overwritten after each call. Overwriting all of it would
 * take longer than a verification. The tests look for what was left.
 */
export const KEYGEN = 196608;
export const SIGN = 98304;
export const VERIFY = 32768;

/** How much of a message lies in the module's memory at once. */
export const PIECE = 65536;

/** An instance of the module. */
export interface Engine {
  readonly wasm: FnDsaExports;
  /** The length of the block of an operation that is under way. */
  readonly block: number;
  /** Writes inputs behind the module's own memory, gives their addresses to `work`, wipes all. */
  run<T>(
    depth: number,
    inputs: (Uint8Array | number)[],
    work: (addresses: number[], memory: Uint8Array<ArrayBuffer>) => T,
  ): T;
}

export const makeEngine = (wasm: FnDsaExports): Engine => {
  const base = wasm.memory.buffer.byteLength;
  /** From the start of a call to its end. If it is so when one starts, the last was broken off: see `makeVerifier`. */
  let broken = false;
  return {
    wasm,
    block: wasm.m(),
    run(depth, inputs, work) {
      let end = base;
      const addresses = inputs.map((input) => {
        const address = end;
        end += ((typeof input == 'number' ? input : input.length) + 15) & ~15;
        return address;
      });
      const missing = end - wasm.memory.buffer.byteLength;
      if (missing > 0) wasm.memory.grow(Math.ceil(missing / PAGE));
      const memory = new Uint8Array(wasm.memory.buffer);
      if (broken) memory.fill(0, 0, FN_DSA_STACK).fill(0, base);
      broken = true;
      wasm.z.value = FN_DSA_STACK;
      try {
        inputs.forEach((input, i) => {
          if (typeof input != 'number') memory.set(input, addresses[i]);
        });
        return work(addresses, memory);
      } finally {
        // The stack is at the beginning of the memory, and grows downwards.
        memory.fill(0, FN_DSA_STACK - depth, FN_DSA_STACK).fill(0, base, end);
        broken = false;
      }
    },
  };
};
