// Messages that come in pieces.
import type { Pieces } from './fn-dsa-types.js';
import type { Source, WebBlob, WebStream } from './more-types.js';
import { copy, isObject, isOctets } from './octets.js';

/** What can be read but once and is being read, by a call in which these failures have come. */
const held: WeakMap<object, unknown[]> = /* @__PURE__ */ new WeakMap();

/**
 * Refuses a stream of Node that has given its message to somebody already: it is at its end, as one without octets is, and
 * another message would be signed than the one that was meant. Octets that were looked at and put back are there still.
 */
const unread = (source: object): void => {
  const { readableEnded, readableDidRead } = source as { readableEnded?: unknown; readableDidRead?: unknown };
  if (readableEnded && readableDidRead !== false) throw TypeError('source has been read already');
};

/** A source whose octets, as far as they are there, are copied. */
const taken = (source: Source): Source => {
  if (isOctets(source)) return [copy('piece', source)];
  if (Array.isArray(source)) return source.map((piece) => copy('piece', piece));
  if (isObject(source)) {
    unread(source);
    if (held.has(source)) throw TypeError('source is being read already');
    if (Symbol.asyncIterator in source || Symbol.iterator in source || 'getReader' in source) return source;
    const { stream } = source as WebBlob;
    if (typeof stream == 'function') return stream.call(source);
  }
  throw TypeError('source must be a Uint8Array, a Blob, a stream or another iterable of Uint8Arrays');
};

/** How a message is opened. What it gives is read at once, or nobody would close it. */
export type Opening = () => Source | Promise<Source>;

/** A stream of Node, as far as its failures go. */
type Emitter = { on?(event: 'error', listener: (error: unknown) => void): void; off?: Emitter['on'] };

/**
 * Carries out a call that reads a message, which is there or which a function will open when all else is ready for it. What is
 * there is taken now, and then `plan` looks at the other arguments: where it refuses them, the message stays as it was.
 *
 * A stream or an iterator is this call's alone until that ends: of two, each would get a part. To a stream of Node it listens: if
 * it failed before it is read and nobody did, the process would end.
 */
export const reading = async <T>(given: Pieces, plan: () => (open: Opening) => Promise<T>): Promise<T> => {
  const sources: Source[] = [];
  const failures: unknown[] = [];
  const note = (error: unknown): void => void failures.push(error);
  const keep = (source: Source): Source => {
    sources.push(source);
    (source as Emitter).on?.('error', note);
    if ('on' in source || 'next' in source || 'getReader' in source) held.set(source, failures);
    return source;
  };
  const own = typeof given == 'function' ? undefined : taken(given);
  const work = plan();
  if (own) keep(own);
  try {
    return await work(async () => own ?? keep(taken(await (given as Opening)())));
  } finally {
    for (const source of sources) {
      held.delete(source);
      (source as Emitter).off?.('error', note);
    }
  }
};

/** The pieces of a source that was opened, each copied when it comes. */
export async function* pieces(source: Source): AsyncIterable<Uint8Array> {
  if (Array.isArray(source)) yield* source;
  else if (Symbol.asyncIterator in source || Symbol.iterator in source) {
    // Somebody else may have read it since it was taken.
    unread(source);
    for await (const piece of source as AsyncIterable<Uint8Array>) yield copy('piece', piece);
    // Some streams that have failed are at their end to whoever reads them then.
    for (const failure of held.get(source) ?? []) throw failure;
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
