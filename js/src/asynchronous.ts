import { makeEd25519, makeEngine, type Engine } from './engine.js';
import { copy } from './octets.js';
import { inTurns } from './session.js';
import type { Ed25519 } from './types.js';
import { makeState, type Perform, type Verifier } from './verifier.js';
import type { Exports } from './wasm/exports.js';

/**
 * What is made when it is first asked for. A failure is not kept: what a network refused once, or what there was no
 * memory for, may be there the next time.
 */
export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let promise: Promise<T> | undefined;
  return () =>
    (promise ??= make().catch((error) => {
      promise = undefined;
      throw error;
    }));
};

/** The engine over a module that comes with the code. */
export const engineOf = (load: () => Exports | Promise<Exports>): (() => Promise<Engine>) =>
  once(async () => makeEngine(await load()));

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

/** The asynchronous functions over an engine. */
export const makeAsynchronous = (engine: () => Promise<Engine>): Ed25519 =>
  makeEd25519(copy, promising(engine)) as Ed25519;
