import { instantiate, type Source } from './address.js';
import { makeAsynchronous } from './asynchronous.js';
import { makeEngine, type Engine } from './engine.js';
import type { Ed25519 } from './types.js';

/**
 * The asynchronous functions over a module that is fetched from an address of its own when the
 * first is called, and `load`, which takes it from elsewhere.
 */
export const makeStreaming = (own: () => Source, builds: string[], stack?: number) => {
  const start = async (source: Source | PromiseLike<Source>): Promise<Engine> =>
    makeEngine(await instantiate(await source, builds), stack);
  let promise: Promise<Engine> | undefined;
  // What a network refused once it may grant the next time: a failure is not kept.
  const shared = (): Promise<Engine> =>
    (promise ??= (async () => {
      try {
        return await start(own());
      } catch (error) {
        promise = undefined;
        throw error;
      }
    })());
  const load = async (source: Source | PromiseLike<Source>): Promise<Ed25519> => {
    const engine = await start(source);
    return makeAsynchronous(async () => engine);
  };
  return { ...makeAsynchronous(shared), load };
};
