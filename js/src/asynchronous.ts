import { makeEd25519, makeEngine, type Engine } from './engine.js';
import type { Packed } from './instantiate/packed.js';
import { loaded, once, type Fallback } from './loading.js';
import { copy } from './octets.js';
import { inTurns } from './session.js';
import type { Ed25519 } from './types.js';
import { judge, makeState, type Decide, type Perform, type Verifier } from './verifier.js';
import type { Exports } from './wasm/exports.js';

/** The engine over a module that comes with the code. */
export const engineOf = (packed: Packed, fallback: Fallback<Exports>): (() => Promise<Engine>) =>
  once(async () => makeEngine(await loaded(packed, fallback)));

/** Carries plans out as promises. Their arguments are copied before this returns. */
export const promising =
  <E extends Pick<Verifier, 'run'>>(engine: () => Promise<E>): Perform<E> =>
  async (plan) => {
    const [steps, secret] = plan();
    const state = makeState();
    try {
      const own = await engine();
      return await inTurns((slice) => own.run(state, slice), steps(own));
    } finally {
      state.fill(0);
      secret?.fill(0);
    }
  };

/**
 * The way to the verdict. When a message is first long, another way is loaded: by the engine's hash, which is tried, and
 * not waited for. It is a matter of speed alone, and is done without where it cannot be loaded.
 */
let decide: Decide = (engine, message, claim) => {
  if (message.length > 8191) {
    decide = judge;
    import('./long.js').then((m) => (decide = m.open(judge)), () => {});
  }
  return judge(engine, message, claim);
};

/** The asynchronous functions over an engine, with a way to the verdict of their own if one is given. */
export const makeAsynchronous = (
  engine: () => Promise<Engine>,
  own: Decide = (...given) => decide(...given),
): Ed25519 => makeEd25519(copy, promising(engine), own) as Ed25519;
