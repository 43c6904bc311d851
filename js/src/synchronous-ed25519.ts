import { open } from './long.js';
import { makeEd25519, makeEngine, type Engine } from './engine.js';
import { still } from './octets.js';
import { atOnce } from './session.js';
import type { Ready } from './synchronous.js';
import type { Ed25519Sync } from './types.js';
import { judge, makeState, type Decide } from './verifier.js';
import type { Exports } from './wasm/exports.js';

/** An engine over a module of a certain kind. */
export type EngineOver<E extends Exports> = Engine & { readonly wasm: E };

/** The engine over a module that is instantiated when it is first asked for. */
export const makeLazy = <E extends Exports>({ instance }: Ready<E>): (() => EngineOver<E>) => {
  let made: EngineOver<E> | undefined;
  return () => (made ??= makeEngine(instance()) as EngineOver<E>);
};

/** By the engine's hash, where it is any good; it is tried when something is first verified. */
let decide: Decide | undefined;

/** The synchronous functions over an engine. */
export const makeSynchronous = (engine: () => Engine): Ed25519Sync =>
  makeEd25519(still, (plan) => {
    const [steps, secret] = plan();
    const state = makeState();
    try {
      const own = engine();
      return own.run(state, () => atOnce(steps(own)));
    } finally {
      state.fill(0);
      secret?.fill(0);
    }
  }, (...given) => (decide ??= open(judge))(...given)) as Ed25519Sync;
