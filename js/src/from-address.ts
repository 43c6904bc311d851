import { instantiate, taken, type Source } from './address.js';
import { makeAsynchronous } from './asynchronous.js';
import { makeEngine, type Engine } from './engine.js';
import { once, type Fallback } from './loading.js';
import type { Ed25519 } from './types.js';
import type { Exports } from './wasm/exports.js';

/** What `#address/NAME` says of a module. */
export interface Own {
  readonly source: () => Source;
  readonly build: string;
  readonly spare: (() => Promise<BufferSource>) | undefined;
}

/**
 * The exports of the module at its own address; where it is not there, of the same from its text, if there is one; where
 * the engine cannot compile it, of the one to fall back to.
 */
export const first = async <E>(
  { source, build, spare }: Own,
  fallback: Fallback<E>,
): Promise<E> => {
  try {
    return await instantiate<E>(source(), build);
  } catch (error) {
    try {
      if (((error as Error).cause as Error | undefined)?.name == 'CompileError')
        return (await fallback()).load!();
      if (spare) return (await WebAssembly.instantiate(await spare())).instance.exports as E;
    } catch {
      // What is reported is what went wrong first.
    }
    throw error;
  }
};

/** The functions over a module of an address of its own, and `load`, which takes it from elsewhere. */
export interface Streaming extends Ed25519 {
  load(source: Source | PromiseLike<Source>): Promise<Ed25519>;
}

/** The asynchronous functions over a module that is fetched when the first is called. */
export const makeStreaming = (own: Own, fallback: Fallback<Exports>, make: typeof makeAsynchronous = makeAsynchronous): Streaming => {
  const load = async (source: Source | PromiseLike<Source>): Promise<Ed25519> => {
    const engine = makeEngine(await instantiate<Exports>(await taken(source), own.build));
    return make(async () => engine);
  };
  const engine = once(async (): Promise<Engine> => makeEngine(await first(own, fallback)));
  return { ...make(engine), load };
};
