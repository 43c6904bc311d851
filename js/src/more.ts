import { load } from '#small';
import { check, type VerifyOptions } from './verifier.js';
import { makeEngine, type Engine } from './engine.js';

export type { Profile, VerifyOptions } from './verifier.js';

/** A message in pieces: octets, a stream of the web, or anything to iterate over. */
export type Source =
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

export interface ContextOptions {
  /** Up to 255 bytes that both sides must name. */
  context?: Uint8Array;
}

/** A stream keeps a hash from one piece to the next, so that each has an instance of its own. */
const instance = async (): Promise<Engine> => makeEngine(await load());

let promise: Promise<Engine> | undefined;
const shared = (): Promise<Engine> => (promise ??= instance());

const isBytes = (source: unknown): source is Uint8Array =>
  (source as Uint8Array | undefined)?.[Symbol.toStringTag] == 'Uint8Array';

async function* pieces(source: Source): AsyncIterable<Uint8Array> {
  if (isBytes(source)) yield source;
  else if (Symbol.asyncIterator in source || Symbol.iterator in source)
    yield* source as AsyncIterable<Uint8Array>;
  else {
    // A ReadableStream of an engine whose streams cannot be iterated over.
    const reader = (source as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel();
    }
  }
}

/** The prefix `dom2` of RFC 8032 section 2. */
const domain = (flag: number, context: Uint8Array = new Uint8Array()): Uint8Array => {
  check('context', context);
  if (context.length > 255) throw RangeError('context must have at most 255 bytes');
  const name = new TextEncoder().encode('SigEd25519 no Ed25519 collisions');
  return Uint8Array.of(...name, flag, context.length, ...context);
};

/** SHA-512 of a source, with an instance of its own. */
const hash = async (source: Source): Promise<Uint8Array> => {
  const engine = await instance();
  try {
    engine.wasm.h();
    for await (const piece of pieces(source)) {
      check('piece', piece);
      engine.feed(piece);
    }
    engine.wasm.d();
    return engine.take(0, 64);
  } finally {
    engine.secretly(() => {});
  }
};

/** Signs a message under a context: Ed25519ctx, RFC 8032 section 5.1. */
export const signWithContext = async (
  message: Uint8Array,
  secretKey: Uint8Array,
  context: Uint8Array,
): Promise<Uint8Array> => (await shared()).sign(message, secretKey, domain(0, context));

/** Whether an Ed25519ctx signature is valid. */
export const verifyWithContext = async (
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
  context: Uint8Array,
  options?: VerifyOptions,
): Promise<boolean> =>
  (await shared()).verify(message, signature, publicKey, options, domain(0, context));

/** Signs the SHA-512 of a message of any length, which is read once: Ed25519ph. */
export const signPrehashed = async (
  source: Source,
  secretKey: Uint8Array,
  options?: ContextOptions,
): Promise<Uint8Array> => {
  const prefix = domain(1, options?.context);
  const digest = await hash(source);
  return (await shared()).sign(digest, secretKey, prefix);
};

/** Whether an Ed25519ph signature is valid for a message of any length. */
export const verifyPrehashed = async (
  source: Source,
  signature: Uint8Array,
  publicKey: Uint8Array,
  options?: VerifyOptions & ContextOptions,
): Promise<boolean> => {
  const prefix = domain(1, options?.context);
  const digest = await hash(source);
  return (await shared()).verify(digest, signature, publicKey, options, prefix);
};

/**
 * Signs a message of any length by pure Ed25519, which reads it twice: `open` is called for each
 * time. The same signature as `sign` of the whole message. The promise is rejected where the
 * message was another the second time.
 */
export const signStream = async (
  open: () => Source | Promise<Source>,
  secretKey: Uint8Array,
): Promise<Uint8Array> => {
  const key = new Uint8Array(secretKey);
  const [first, second] = [await instance(), await instance()];
  try {
    const start = (engine: Engine): void => {
      engine.expand(key);
      engine.wasm.s(0);
    };
    start(first);
    for await (const piece of pieces(await open())) {
      check('piece', piece);
      first.feed(new Uint8Array(piece));
    }
    first.commit(0, true);
    const commitment = first.take(0, 32);
    // The second pass derives the commitment again: another message, another commitment.
    start(second);
    for await (const piece of pieces(await open())) {
      check('piece', piece);
      const copy = new Uint8Array(piece);
      first.feed(copy);
      second.feed(copy);
    }
    second.commit(0, true);
    if (second.take(0, 32).some((byte, i) => byte != commitment[i]))
      throw Error('the message changed while it was signed');
    first.wasm.r();
    return first.take(0, 64);
  } finally {
    key.fill(0);
    first.secretly(() => {});
    second.secretly(() => {});
  }
};

/** A verifier that takes the message piece by piece. */
export interface StreamVerifier {
  update(piece: Uint8Array): void;
  /** The verdict; nothing comes after it. */
  verify(): boolean;
}

/** Starts the verification of a message that comes piece by piece. */
export const createVerifier = async (
  signature: Uint8Array,
  publicKey: Uint8Array,
  options?: VerifyOptions,
): Promise<StreamVerifier> => {
  const engine = await instance();
  const sized = engine.start(signature, publicKey, options);
  let done = false;
  const once = (): void => {
    if (done) throw TypeError('verifier is used up');
  };
  return {
    update: (piece) => {
      once();
      check('piece', piece);
      engine.feed(piece);
    },
    verify: () => {
      once();
      done = true;
      return sized && !!engine.wasm.f();
    },
  };
};

/** Whether a signature is valid for a message of any length; by pure Ed25519, as `verify`. */
export const verifyStream = async (
  source: Source,
  signature: Uint8Array,
  publicKey: Uint8Array,
  options?: VerifyOptions,
): Promise<boolean> => {
  const verifier = await createVerifier(signature, publicKey, options);
  for await (const piece of pieces(source)) verifier.update(piece);
  return verifier.verify();
};
