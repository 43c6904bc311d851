import type { Engine } from './engine.js';
import type { Source } from './more-types.js';
import { pieces, type Opening } from './pieces.js';
import { inTurns, type Clock } from './session.js';
import type { Bytes } from './types.js';
import { makeState } from './verifier.js';

/** Feeds a source to hashes that were begun, known by their states, all of which get the same octets. */
export const feedEach = async (
  engine: Engine,
  states: Uint8Array[],
  source: Source,
): Promise<void> => {
  const clock: Clock = [];
  for await (const piece of pieces(source))
    for (const state of states)
      await inTurns((slice) => engine.run(state, slice), engine.feed(piece), clock);
};

/**
 * SHA-512 of a source, or of what is opened when the module is there; by the module and not by the engine, which would keep
 * copies. The members of an array are read where they are: secrets among them are not copied either. The source is read once,
 * and can be hashed several times side by side: what the values are then compared for, a fault of the machine, is in one of them.
 */
export const makeHashes =
  (shared: () => Promise<Engine>) =>
  async (source: Source | Opening, count = 1): Promise<Bytes[]> => {
    const engine = await shared();
    const states = Array.from({ length: count }, makeState);
    const { h, d } = engine.wasm;
    try {
      for (const state of states) engine.run(state, h);
      await feedEach(engine, states, typeof source == 'function' ? await source() : source);
      return states.map((state) =>
        engine.run(state, () => {
          d!();
          return engine.take(64);
        }),
      );
    } finally {
      for (const state of states) state.fill(0);
    }
  };
