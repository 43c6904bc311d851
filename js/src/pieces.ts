// Messages that come in pieces.
import type { Pieces } from './fn-dsa-types.js';
import type { Source, WebBlob, WebStream } from './more-types.js';
import { copy, isObject, isOctets } from './octets.js';

/** The failures of streams. */
const failures: WeakMap<object, [error: unknown]> = /* @__PURE__ */ new WeakMap();

/**
 * Listens to a stream of Node before it is read: one that fails meanwhile would end the process, if nobody did. Some streams
 * that have failed are at their end to whoever reads them then, and so the failure is kept.
 */
const heed = (source: unknown): void => {
  if (!isObject(source)) return;
  const { on } = source as { on?: (event: 'error', listener: (error: unknown) => void) => void };
  if (typeof on == 'function') on.call(source, 'error', (error) => failures.set(source, [error]));
};

/**
 * Refuses a stream of Node that has given its message to somebody already: it is at its end, as one without octets is, and
 * another message would be signed than the one that was meant. Octets that were looked at and put back are there still.
 */
const unread = (source: object): void => {
  const { readableEnded, readableDidRead } = source as { readableEnded?: unknown; readableDidRead?: unknown };
  if (readableEnded && readableDidRead !== false) throw TypeError('source has been read already');
};

/** A source whose octets, as far as they are there, are copied. */
export const taken = (source: Source): Source => {
  heed(source);
  if (isOctets(source)) return [copy('piece', source)];
  if (Array.isArray(source)) return source.map((piece) => copy('piece', piece));
  if (isObject(source)) {
    unread(source);
    if (Symbol.asyncIterator in source || Symbol.iterator in source || 'getReader' in source) return source;
    const { stream } = source as WebBlob;
    if (typeof stream == 'function') return stream.call(source);
  }
  throw TypeError('source must be a Uint8Array, a Blob, a stream or another iterable of Uint8Arrays');
};

/** How a message is opened. What it gives is read at once, or nobody would close it. */
export type Opening = () => Source | Promise<Source>;

/** A message that a function will open, when all else is ready for it; one that is there already is taken now. */
export const opening = (source: Pieces): Opening => {
  if (typeof source == 'function') return async () => taken(await source());
  const own = taken(source);
  return () => own;
};

/** The pieces of a source that was {@link taken}, each copied when it comes. */
export async function* pieces(source: Source): AsyncIterable<Uint8Array> {
  if (Array.isArray(source)) yield* source;
  else if (Symbol.asyncIterator in source || Symbol.iterator in source) {
    // Somebody else may have read it since it was taken.
    unread(source);
    for await (const piece of source as AsyncIterable<Uint8Array>) yield copy('piece', piece);
    const failure = failures.get(source);
    if (failure) throw failure[0];
  } else {
    // A ReadableStream of an engine whose streams cannot be iterated over.
    const reader = (source as WebStream).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield copy('piece', value!);
      }
    } finally {
      await reader.cancel();
    }
  }
}
