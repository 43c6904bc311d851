import { engineOf, promising } from './asynchronous.js';
import { strange, type Engine } from './engine.js';
import { copy, isOctets, still } from './octets.js';
import { atOnce, inTurns, type Steps } from './session.js';
import type { VerifyOptions } from './types.js';
import { claim, makeState, type Claim } from './verifier.js';
import type { Exports } from './wasm/exports.js';

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

/** A verifier that takes the message piece by piece. */
export interface StreamVerifier {
  update(piece: Uint8Array): void;
  /** The verdict; nothing comes after it. */
  verify(): boolean;
}

/** A source whose octets, as far as they are there, are copied. */
const taken = (source: Source): Source =>
  isOctets(source)
    ? [copy('piece', source)]
    : Array.isArray(source)
      ? source.map((piece) => copy('piece', piece))
      : source;

/** The pieces of a source that was {@link taken}, each copied when it comes. */
async function* pieces(source: Source): AsyncIterable<Uint8Array> {
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

/** The prefix `dom2` of RFC 8032 section 2. */
const domain = (flag: number, context: Uint8Array = new Uint8Array()): Uint8Array => {
  const own = copy('context', context);
  if (own.length > 255) throw RangeError('context must have at most 255 bytes');
  const name = new TextEncoder().encode('SigEd25519 no Ed25519 collisions');
  return Uint8Array.of(...name, flag, own.length, ...own);
};

/** Begins to sign, with what is hashed before all else. */
const begin = ({ put, wasm }: Engine, secretKey: Uint8Array, prefix: ArrayLike<number> = []): void => {
  put(secretKey);
  wasm.e();
  put(prefix);
  wasm.s(prefix.length);
};

/** Ends the first pass over the message, of which R is the output. The public key is checked. */
const commit = ({ put, wasm }: Engine, prefix: ArrayLike<number> = []): void => {
  put(prefix);
  if (!wasm.c(prefix.length, true)) throw strange();
};

function* sign(
  engine: Engine,
  message: Uint8Array,
  secretKey: Uint8Array,
  prefix: Uint8Array,
): Steps<Uint8Array> {
  begin(engine, secretKey, prefix);
  yield* engine.feed(message);
  commit(engine, prefix);
  yield* engine.feed(message);
  engine.wasm.r();
  return engine.take(64);
}

/** Begins to verify; false where the signature has not the size of one. */
const start = (
  { put, wasm }: Engine,
  [signature, publicKey, rules]: Claim,
  prefix: ArrayLike<number> = [],
): boolean => {
  if (signature.length != 64) return false;
  put(signature);
  put(publicKey, 64);
  put(prefix, 96);
  wasm.v(prefix.length, rules);
  return true;
};

function* verify(
  engine: Engine,
  message: Uint8Array,
  claimed: Claim,
  prefix: Uint8Array,
): Steps<boolean> {
  if (!start(engine, claimed, prefix)) return false;
  yield* engine.feed(message);
  return !!engine.wasm.f();
}

/**
 * The functions over a module. A stream keeps a hash from one piece to the next, outside of the module: all share one
 * instance, and streams that are left open cost their kilobyte until the garbage collector comes.
 */
export const makeMore = (load: () => Exports | Promise<Exports>) => {
  const shared = engineOf(load);
  const perform = promising(shared);

  /** Feeds a source to streams, known by their states, all of which get the same octets. */
  const feed = async (engine: Engine, states: Uint8Array[], source: Source): Promise<void> => {
    for await (const piece of pieces(source))
      for (const state of states)
        await inTurns((slice) => engine.run(state, slice), engine.feed(piece));
  };

  /** SHA-512 of a source. */
  const hash = async (source: Source): Promise<Uint8Array> => {
    const engine = await shared();
    const state = makeState();
    const { h, d } = engine.wasm;
    try {
      engine.run(state, h);
      await feed(engine, [state], source);
      return engine.run(state, () => {
        d();
        return engine.take(64);
      });
    } finally {
      state.fill(0);
    }
  };

  const createVerifier = async (
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyOptions,
  ) => {
    const own = claim(signature, publicKey, options);
    const engine = await shared();
    const state = makeState();
    const sized = engine.run(state, () => start(engine, own));
    return { engine, state, verdict: () => sized && !!engine.run(state, engine.wasm.f) };
  };

  return {
    /** Signs a message under a context: Ed25519ctx, RFC 8032 section 5.1. */
    signWithContext: async (
      message: Uint8Array,
      secretKey: Uint8Array,
      context: Uint8Array,
    ): Promise<Uint8Array> =>
      perform(() => {
        const [text, prefix] = [copy('message', message), domain(0, context)];
        const key = copy('secretKey', secretKey, 64);
        return [(engine) => sign(engine, text, key, prefix), key];
      }) as Promise<Uint8Array>,

    /** Whether an Ed25519ctx signature is valid. */
    verifyWithContext: async (
      message: Uint8Array,
      signature: Uint8Array,
      publicKey: Uint8Array,
      context: Uint8Array,
      options?: VerifyOptions,
    ): Promise<boolean> =>
      perform(() => {
        const [text, prefix] = [copy('message', message), domain(0, context)];
        const claimed = claim(signature, publicKey, options);
        return [(engine) => verify(engine, text, claimed, prefix)];
      }) as Promise<boolean>,

    /** Signs the SHA-512 of a message of any length, which is read once: Ed25519ph. */
    signPrehashed: async (
      source: Source,
      secretKey: Uint8Array,
      options?: ContextOptions,
    ): Promise<Uint8Array> => {
      const [own, prefix] = [taken(source), domain(1, options?.context)];
      const key = copy('secretKey', secretKey, 64);
      try {
        const digest = await hash(own);
        return (await perform(() => [
          (engine) => sign(engine, digest, key, prefix),
        ])) as Uint8Array;
      } finally {
        key.fill(0);
      }
    },

    /** Whether an Ed25519ph signature is valid for a message of any length. */
    verifyPrehashed: async (
      source: Source,
      signature: Uint8Array,
      publicKey: Uint8Array,
      options?: VerifyOptions & ContextOptions,
    ): Promise<boolean> => {
      const [own, prefix] = [taken(source), domain(1, options?.context)];
      const claimed = claim(signature, publicKey, options);
      const digest = await hash(own);
      return perform(() => [
        (engine) => verify(engine, digest, claimed, prefix),
      ]) as Promise<boolean>;
    },

    /**
     * Signs a message of any length by pure Ed25519, which reads it twice: `open` is called for each
     * time. The same signature as `sign` of the whole message. The promise is rejected where the
     * message was another the second time.
     */
    signStream: async (
      open: () => Source | Promise<Source>,
      secretKey: Uint8Array,
    ): Promise<Uint8Array> => {
      const key = copy('secretKey', secretKey, 64);
      const [first, second] = [makeState(), makeState()];
      try {
        const engine = await shared();
        const started = (state: Uint8Array): void => engine.run(state, () => begin(engine, key));
        const committed = (state: Uint8Array): Uint8Array =>
          engine.run(state, () => {
            commit(engine);
            return engine.take(32);
          });
        started(first);
        await feed(engine, [first], taken(await open()));
        const commitment = committed(first);
        // The second pass derives the commitment again: another message, another commitment.
        started(second);
        await feed(engine, [first, second], taken(await open()));
        if (committed(second).some((byte, i) => byte != commitment[i]))
          throw Error('the message changed while it was signed');
        return engine.run(first, () => {
          engine.wasm.r();
          return engine.take(64);
        });
      } finally {
        for (const secret of [key, first, second]) secret.fill(0);
      }
    },

    /** Starts the verification of a message that comes piece by piece. */
    createVerifier: async (
      signature: Uint8Array,
      publicKey: Uint8Array,
      options?: VerifyOptions,
    ): Promise<StreamVerifier> => {
      const { engine, state, verdict } = await createVerifier(signature, publicKey, options);
      let done = false;
      const once = (): void => {
        if (done) throw TypeError('verifier is used up');
      };
      return {
        update: (piece) => {
          once();
          const own = still('piece', piece);
          engine.run(state, () => atOnce(engine.feed(own)));
        },
        verify: () => {
          once();
          done = true;
          return verdict();
        },
      };
    },

    /** Whether a signature is valid for a message of any length; by pure Ed25519, as `verify`. */
    verifyStream: async (
      source: Source,
      signature: Uint8Array,
      publicKey: Uint8Array,
      options?: VerifyOptions,
    ): Promise<boolean> => {
      const own = taken(source);
      const { engine, state, verdict } = await createVerifier(signature, publicKey, options);
      await feed(engine, [state], own);
      return verdict();
    },
  };
};
