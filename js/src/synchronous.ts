import { instantiateNow } from '#instantiate/now';
import type { Packed } from './instantiate/packed.js';
import { failure, loaded, once, type Fallback } from './loading.js';

/** The smallest module that has SIMD: the type of a function that takes a vector. */
const VECTOR = /* @__PURE__ */ Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 1, 123, 0);

/** A module that is instantiated when it is first used, or before. */
export interface Ready<E> {
  /** The exports. Throws where the engine compiles nothing at once, or lacks something; then `ready` is to be awaited. */
  instance(): E;
  ready(): Promise<void>;
}

/** What waiting mends: a limit of the engine's main thread, and SIMD that it has not. */
const mendable = (cause: unknown): boolean =>
  (cause instanceof RangeError && !/memory|stack/i.test(cause.message)) || !WebAssembly.validate(VECTOR);

/**
 * A module for synchronous functions. Once there is an instance, it stays: engines are made over it, and have their secrets in
 * its memory.
 */
export const makeReady = <E>(packed: Packed, fallback: Fallback<E>): Ready<E> => {
  let wasm: E | undefined;
  return {
    instance: () => {
      try {
        return (wasm ??= instantiateNow(packed) as E);
      } catch (cause) {
        let mends = false;
        try {
          mends = mendable(cause);
        } catch {
          // There is no WebAssembly at all.
        }
        throw mends ? Error('lanner cannot load at once: first await ready()', { cause }) : failure(cause);
      }
    },
    ready: once(async () => {
      if (wasm) return;
      const late = await loaded(packed, fallback);
      // A call may have made one meanwhile.
      wasm ??= late;
    }),
  };
};
