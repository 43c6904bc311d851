import { load } from '#fn-dsa';
import { once } from './asynchronous.js';
import { inTurns, type Steps } from './session.js';
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

export interface Engine {
  readonly wasm: FnDsaExports;
  /** The lengths of a decoded key, and of the block of an operation that is under way. */
  readonly prepared: number;
  readonly block: number;
  /** Writes inputs behind the module's own memory, gives their addresses to `run`, wipes all. */
  run<T>(
    depth: number,
    inputs: (Uint8Array | number)[],
    run: (addresses: number[], memory: Uint8Array<ArrayBuffer>) => T,
  ): T;
}

export const engine = /* @__PURE__ */ once(async (): Promise<Engine> => {
  const wasm = await load();
  const base = wasm.memory.buffer.byteLength;
  return {
    wasm,
    prepared: wasm.n(),
    block: wasm.m(),
    run(depth, inputs, run) {
      let end = base;
      const addresses = inputs.map((input) => {
        const address = end;
        end += ((typeof input == 'number' ? input : input.length) + 15) & ~15;
        return address;
      });
      const missing = end - wasm.memory.buffer.byteLength;
      if (missing > 0) wasm.memory.grow(Math.ceil(missing / PAGE));
      const memory = new Uint8Array(wasm.memory.buffer);
      try {
        inputs.forEach((input, i) => {
          if (typeof input != 'number') memory.set(input, addresses[i]);
        });
        return run(addresses, memory);
      } finally {
        // The stack is at the beginning of the memory, and grows downwards.
        memory.fill(0, FN_DSA_STACK - depth, FN_DSA_STACK).fill(0, base, end);
      }
    },
  };
});

/**
 * Feeds a message to the operation whose block was kept: piece by piece, and in turns with whatever else there is to
 * do. Between two turns nothing of it is in the module, whose memory stays as small as it was.
 */
export const feed = async (
  { run }: Engine,
  kept: Uint8Array,
  message: Uint8Array,
  update: (block: number, piece: number, length: number) => void,
): Promise<void> => {
  let [block, piece, memory] = [0, 0, kept];
  function* steps(): Steps<void> {
    for (let i = 0; i < message.length; i += PIECE) {
      if (i) yield;
      const part = message.subarray(i, i + PIECE);
      memory.set(part, piece);
      update(block, piece, part.length);
    }
  }
  const room = Math.min(PIECE, message.length);
  // The block is the first input, and so its address is the same in each turn: it has addresses within it.
  await inTurns(
    (slice) =>
      run(VERIFY, [kept, room], (addresses, octets) => {
        [block, piece, memory] = [addresses[0]!, addresses[1]!, octets];
        slice();
        kept.set(octets.subarray(block, block + kept.length));
      }),
    steps(),
  );
};
