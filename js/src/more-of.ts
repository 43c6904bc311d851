import { promising } from './asynchronous.js';
import { twice } from './checked.js';
import { strange, type Engine } from './engine.js';
import { feedEach, makeHashes } from './hashing.js';
import { ascii, copy, known, still } from './octets.js';
import { reading, type Opening } from './pieces.js';
import { RULES } from './rules.js';
import { atOnce, type Steps } from './session.js';
import type { ContextOptions, More, Source, VerifyContextOptions } from './more-types.js';
import type { Bytes } from './types.js';
import { claim, makeState, rulesOf, type Claim } from './verifier.js';

/** The prefix `dom2` of RFC 8032 section 2. */
const domain = (flag: number, context: Uint8Array): Uint8Array => {
  const own = copy('context', context);
  if (own.length > 255) throw RangeError('context must have at most 255 bytes');
  const name = ascii('SigEd25519 no Ed25519 collisions');
  return Uint8Array.of(...name, flag, own.length, ...own);
};

/** The prefix of Ed25519ph. */
const prehashing = (options?: ContextOptions): Uint8Array => {
  const [context = new Uint8Array()] = known(options, 'context', 'profile');
  return domain(1, context);
};

/** The prefix of Ed25519ctx where there is a context, and none of pure Ed25519. */
const plainly = (options?: ContextOptions): Uint8Array => {
  const [context] = known(options, 'context', 'profile');
  return context === undefined ? new Uint8Array() : domain(0, context);
};

/** The same for signing, which knows no profile. */
const only = (options?: ContextOptions): ContextOptions => ({ context: known(options, 'context')[0] });

/** The rules that options name beside a context. */
const rulesWith = (options?: VerifyContextOptions): number =>
  rulesOf({ profile: known(options, 'profile', 'context')[0] as VerifyContextOptions['profile'] });

/** A secret key, whose public half is checked unless it was before. */
type Key = [key: Bytes, checked: boolean];

/** Begins to sign, with what is hashed before all else. */
const begin = ({ put, wasm }: Engine, [secretKey]: Key, prefix: ArrayLike<number>): void => {
  put(secretKey);
  wasm.e();
  put(prefix);
  wasm.s(prefix.length);
};

/** Ends the first pass over the message, of which R is the output. */
const commit = ({ put, wasm }: Engine, [, checked]: Key, prefix: ArrayLike<number>): void => {
  put(prefix);
  if (!wasm.c(prefix.length, checked)) throw strange();
};

function* sign(engine: Engine, message: Uint8Array, key: Key, prefix: Uint8Array): Steps<Bytes> {
  begin(engine, key, prefix);
  yield* engine.feed(message);
  commit(engine, key, prefix);
  yield* engine.feed(message);
  engine.wasm.r();
  return engine.take(64);
}

/** Begins to verify; false where the signature has not the size of one. */
const start = (
  { put, wasm }: Engine,
  [signature, publicKey, rules]: Claim,
  prefix: ArrayLike<number>,
): boolean => {
  if (signature.length != 64) return false;
  put(signature);
  put(publicKey, 64);
  put(prefix, 96);
  wasm.v(prefix.length, rules);
  return true;
};

/** The verdict, when the message has been. */
const decided = ({ wasm }: Engine): boolean => {
  wasm.d!();
  return !!wasm.f();
};

function* verify(
  engine: Engine,
  message: Uint8Array,
  claimed: Claim,
  prefix: Uint8Array,
): Steps<boolean> {
  if (!start(engine, claimed, prefix)) return false;
  yield* engine.feed(message);
  return decided(engine);
}

/**
 * The functions over a module. A stream keeps a hash from one piece to the next, outside of the module: all share one
 * instance, and streams that are left open cost their kilobyte until the garbage collector comes.
 */
export const makeMore = (shared: () => Promise<Engine>): More => {
  const perform = promising(shared);

  const hashes = makeHashes(shared);

  // The keys that these are given are their own, and overwritten.
  const signing = async (message: Uint8Array, key: Key, prefix: Uint8Array): Promise<Bytes> =>
    perform(() => [(engine) => sign(engine, message, key, prefix), key[0]]) as Promise<Bytes>;

  /** `again` is the same message, if it was computed, from another computation. */
  const signingTwice = async (message: Uint8Array, [key]: Key, prefix: Uint8Array, again = message): Promise<Bytes> =>
    perform(() => [
      (engine) =>
        // The signature itself and no copy: where it is not right, it is overwritten.
        twice(
          () => sign(engine, message, [key, true], prefix),
          (made) => verify(engine, again, [made, key.subarray(32), RULES.strict], prefix),
        ),
      key,
    ]) as Promise<Bytes>;

  /** `key` gives one of its own when all else is right. */
  const signingPrehashed = (
    source: Source,
    key: () => Key,
    options?: ContextOptions,
    by: typeof signingTwice = signing,
  ): Promise<Bytes> =>
    reading(source, () => {
      const prefix = prehashing(only(options));
      const own = key();
      return async (open) => {
        try {
          const [digest, again] = await hashes(open, by == signing ? 1 : 2);
          return await by(digest!, own, prefix, again);
        } finally {
          own[0].fill(0);
        }
      };
    });

  const signingStream = async (open: Opening, key: Key, prefix: Uint8Array): Promise<Bytes> => {
    const [first, second] = [makeState(), makeState()];
    try {
      const engine = await shared();
      const started = (state: Uint8Array): void => engine.run(state, () => begin(engine, key, prefix));
      const committed = (state: Uint8Array): Bytes =>
        engine.run(state, () => {
          commit(engine, key, prefix);
          return engine.take(32);
        });
      started(first);
      await feedEach(engine, [first], await open());
      const commitment = committed(first);
      // The second pass derives the commitment again: another message, another commitment.
      started(second);
      await feedEach(engine, [first, second], await open());
      if (committed(second).some((byte, i) => byte != commitment[i]))
        throw Error('the message changed while it was signed');
      return engine.run(first, () => {
        engine.wasm.r();
        return engine.take(64);
      });
    } finally {
      for (const secret of [key[0], first, second]) secret.fill(0);
    }
  };

  const streamed = (open: Opening, key: () => Key, options?: ContextOptions): Promise<Bytes> =>
    reading(() => open(), () => {
      const prefix = plainly(only(options));
      const own = key();
      return (again) => signingStream(again, own, prefix);
    });

  const startVerifier = async (own: Claim, prefix: Uint8Array) => {
    const engine = await shared();
    const state = makeState();
    const sized = engine.run(state, () => start(engine, own, prefix));
    return { engine, state, verdict: () => sized && !!engine.run(state, () => decided(engine)) };
  };

  const owned = (secretKey: Uint8Array): Key => [copy('secretKey', secretKey, 64), true];

  return {
    signWithContext: async (message, secretKey, context) => {
      const [text, prefix] = [copy('message', message), domain(0, context)];
      return signing(text, owned(secretKey), prefix);
    },

    signChecked: async (message, secretKey, options) => {
      const [text, prefix] = [copy('message', message), plainly(only(options))];
      return signingTwice(text, owned(secretKey), prefix);
    },

    verifyWithContext: async (message, signature, publicKey, context, options) => {
      const rules = rulesOf(options);
      const [text, prefix] = [copy('message', message), domain(0, context)];
      const claimed = claim(signature, publicKey, rules);
      return perform(() => [(engine) => verify(engine, text, claimed, prefix)]) as Promise<boolean>;
    },

    signPrehashed: (source, secretKey, options) => signingPrehashed(source, () => owned(secretKey), options),

    signPrehashedChecked: (source, secretKey, options) =>
      signingPrehashed(source, () => owned(secretKey), options, signingTwice),

    verifyPrehashed: (source, signature, publicKey, options) =>
      reading(source, () => {
        const prefix = prehashing(options);
        const claimed = claim(signature, publicKey, rulesWith(options));
        return async (open) => {
          const [digest] = await hashes(open);
          return perform(() => [(engine) => verify(engine, digest!, claimed, prefix)]) as Promise<boolean>;
        };
      }),

    signStream: (open, secretKey, options) => streamed(open, () => owned(secretKey), options),

    createSigner: async (secretKey) => {
      const [key] = owned(secretKey);
      try {
        // Nothing can be signed with a key whose halves do not belong together.
        await signing(new Uint8Array(), [key.slice(), true], new Uint8Array());
      } catch (error) {
        key.fill(0);
        throw error;
      }
      let wiped = false;
      /** A copy: the key may be wiped before the signature is made. */
      const ready = (): Key => {
        if (wiped) throw TypeError('signer has been wiped');
        return [key.slice(), false];
      };
      return {
        publicKey: key.slice(32) as Bytes,
        sign: async (message, options) => {
          const [text, prefix] = [copy('message', message), plainly(only(options))];
          return signing(text, ready(), prefix);
        },
        signChecked: async (message, options) => {
          const [text, prefix] = [copy('message', message), plainly(only(options))];
          return signingTwice(text, ready(), prefix);
        },
        signStream: (open, options) => streamed(open, ready, options),
        signPrehashed: (source, options) => signingPrehashed(source, ready, options),
        wipe: () => {
          key.fill(0);
          wiped = true;
        },
      };
    },

    createVerifier: async (signature, publicKey, options) => {
      const claimed = claim(signature, publicKey, rulesWith(options));
      const { engine, state, verdict } = await startVerifier(claimed, plainly(options));
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

    verifyStream: (source, signature, publicKey, options) =>
      reading(source, () => {
        const claimed = claim(signature, publicKey, rulesWith(options));
        const prefix = plainly(options);
        return async (open) => {
          const { engine, state, verdict } = await startVerifier(claimed, prefix);
          await feedEach(engine, [state], await open());
          return verdict();
        };
      }),
  };
};
