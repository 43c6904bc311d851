import { makeEd25519, makeEngine, type Engine } from './engine.js';
import { still } from './octets.js';
import { atOnce } from './session.js';
import type { Ed25519Sync } from './types.js';
import { makeState } from './verifier.js';
import type { Exports } from './wasm/exports.js';

/** The synchronous functions over a module, which is instantiated when the first is called. */
export const makeSynchronous = <E extends Exports>(
  load: () => E,
  loadLater: () => Promise<E>,
) => {
  let made: Engine | undefined;
  let wasm: E | undefined;
  const instance = (): E => {
    try {
      return (wasm ??= load());
    } catch (error) {
      // What else goes wrong (a policy, no SIMD, no memory) waiting does not mend.
      const { cause } = error as Error;
      if (!(cause instanceof RangeError) || /memory/i.test(cause.message)) throw error;
      throw new Error('this engine compiles no module at once: first await ready()', { cause });
    }
  };
  const engine = (): Engine => (made ??= makeEngine(instance()));
  const functions = makeEd25519(still, (plan) => {
    const [steps, secret] = plan();
    const state = makeState();
    try {
      const own = engine();
      return own.run(state, () => atOnce(steps(own)));
    } finally {
      state.fill(0);
      secret?.fill(0);
    }
  }) as Ed25519Sync;
  return {
    ...functions,
    /** Instantiates without waiting for the first call; needed where the engine forbids that. */
    ready: async (): Promise<void> => {
      wasm ??= await loadLater();
    },
    instance,
    engine,
  };
};
