import { instantiate, taken, type Source } from './address.js';
import { makeAsynchronous, once } from './asynchronous.js';
import { makeEngine, type Engine } from './engine.js';
import type { Ed25519 } from './types.js';

/**
 * The asynchronous functions over a module that is fetched from an address of its own when the
 * first is called, and `load`, which takes it from elsewhere.
 */
export const makeStreaming = (own: () => Source, builds: string[]) => {
  const start = async (source: Source | PromiseLike<Source>): Promise<Engine> =>
    makeEngine(await instantiate(await taken(source), builds));
  const load = async (source: Source | PromiseLike<Source>): Promise<Ed25519> => {
    const engine = await start(source);
    return makeAsynchronous(async () => engine);
  };
  return { ...makeAsynchronous(once(() => start(own()))), load };
};
