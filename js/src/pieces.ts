// Messages that come in pieces.
import type { Pieces } from './fn-dsa-types.js';
import type { Source } from './more-types.js';
import { copy, isOctets } from './octets.js';

/** A source whose octets, as far as they are there, are copied. */
export const taken = (source: Source): Source =>
  isOctets(source)
    ? [copy('piece', source)]
    : Array.isArray(source)
      ? source.map((piece) => copy('piece', piece))
      : source;

/**
 * A source that is opened now, if a function does that. What it gives is waited for, and a failure is the promise's: so
 * that one is to be waited for from the first, lest it fail while nobody looks.
 */
export const opened = async (source: Pieces): Promise<Source> =>
  taken(typeof source == 'function' ? await source() : source);

/** The pieces of a source that was {@link taken}, each copied when it comes. */
export async function* pieces(source: Source): AsyncIterable<Uint8Array> {
  if (Array.isArray(source)) yield* source;
  else if (Symbol.asyncIterator in source || Symbol.iterator in source)
    for await (const piece of source as AsyncIterable<Uint8Array>) yield copy('piece', piece);
  else {
    // A ReadableStream of an engine whose streams cannot be iterated over.
    const reader = (source as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield copy('piece', value);
      }
    } finally {
      await reader.cancel();
    }
  }
}
