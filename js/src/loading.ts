import { instantiate } from '#instantiate/later';
import type { Packed } from './instantiate/packed.js';

/** What brings the module to fall back to: a part of the code that is only loaded where it is needed. */
export type Fallback<E> = () => Promise<{ readonly load: (() => E) | undefined }>;

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

/** The error for a module that did not load: the engine's words, and its error as the cause. */
export const failure = (cause: unknown): Error =>
  Error('lanner cannot load: ' + (cause as Error).message, { cause });

/**
 * The exports of a module, or of the one to fall back to where that does not load: without SIMD, or in an engine
 * that inflates nothing. If neither loads (a policy, no WebAssembly), the error is about the first.
 */
export const loaded = <E>(packed: Packed, fallback: Fallback<E>): Promise<E> =>
  (instantiate(packed) as Promise<E>).catch((cause: unknown) =>
    fallback()
      .then(({ load }) => load!())
      .catch(() => {
        throw failure(cause);
      }),
  );
