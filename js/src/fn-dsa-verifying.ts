import { PIECE, VERIFY, type Engine } from './fn-dsa-engine.js';
import type { FnDsaItem, FnDsaLengths, FnDsaOptions, Pieces, Prehash, Scheme } from './fn-dsa-types.js';
import { copy, each, known } from './octets.js';
import { reading, type Opening } from './pieces.js';
import type { Steps } from './session.js';

/**
 * An operation whose arguments are this code's own: its steps with an engine, and the secret among the arguments, which
 * is to be overwritten whatever happens.
 */
export type Plan<T> = [steps: (engine: Engine) => Steps<T>, secret?: Uint8Array];

/** How plans are made and carried out: at once, or as promises. */
export type Perform = <T>(plan: () => Plan<T>) => unknown;

/** One variant at one degree, by the numbers of the module. */
export interface Parameters {
  /** Its own name, and that of the scheme, which is what its keys are for. */
  readonly own: string;
  readonly name: Scheme;
  readonly variant: number;
  readonly logn: number;
  readonly lengths: FnDsaLengths;
}

/** What is signed: the message, the context and the number of the hash function. */
export type Framed = [message: Uint8Array, context: Uint8Array, prehash: number];

/** The hash functions in the order that the module counts them from 1, and the lengths of their values. */
const PREHASHES: readonly (readonly [Prehash | 'mu', number])[] = [
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
  ['sha512-256', 32],
  ['sha3-256', 32],
  ['sha3-384', 48],
  ['sha3-512', 64],
  ['shake128', 32],
  ['shake256', 64],
  ['mu', 64],
];

/** The keys that were made here, and for what. */
const made = /* @__PURE__ */ new WeakMap<Uint8Array, Scheme>();

/** Remembers what a key is for. */
export const mark = <K extends Uint8Array>(key: K, { name }: Pick<Parameters, 'name'>): K => {
  made.set(key, name);
  return key;
};

/** Copies and checks a key. */
export const owned = (
  what: 'publicKey' | 'secretKey',
  key: Uint8Array,
  { name, lengths }: Parameters,
): Uint8Array => {
  const other = made.get(key) ?? name;
  if (other != name)
    throw RangeError(`${what} was made for ${other}: a key for ${name}, too, lets others forge`);
  return copy(what, key, lengths[what]);
};

/** Copies and checks what is signed: first the options. */
export const framing = (options: FnDsaOptions | undefined, { variant }: Parameters): ((message: Uint8Array) => Framed) => {
  const [given = new Uint8Array(), prehash] = known(options, 'context', 'prehash') as [Uint8Array?, (Prehash | 'mu')?];
  const [draft, falcon] = [variant == 1, variant > 1];
  const context = copy('context', given);
  if (context.length > 255) throw RangeError('context must have at most 255 bytes');
  if (falcon && context.length) throw RangeError('Falcon has no context');
  if (prehash == undefined) return (message) => [copy('message', message), context, 0];
  if (falcon) throw RangeError('Falcon has no prehash');
  const found = PREHASHES.findIndex(([name]) => name == prehash);
  if (found < 0 || (prehash == 'mu' && !draft)) throw RangeError('no prehash ' + prehash);
  if (prehash == 'mu' && context.length) throw RangeError('mu has the context in it');
  return (message) => [
    copy(`message, which is a hash by ${prehash},`, copy('message', message), PREHASHES[found]![1]),
    context,
    found + 1,
  ];
};

/** How the next piece of a message is taken. */
export type Update = (block: number, piece: number, length: number) => void;

/**
 * Carries out an operation over a message in pieces: begins it, which gives the block that is kept, or nothing where it
 * has come to nothing; feeds it; ends it. The block and the secret are overwritten whatever happens.
 */
export type Stream = <T>(
  open: Opening,
  begin: (engine: Engine) => Uint8Array | undefined,
  update: (engine: Engine) => Update,
  finish: (engine: Engine, kept: Uint8Array | undefined) => T,
  secret?: Uint8Array,
) => Promise<T>;

/** What is signed besides a message in pieces, which is none of the hashes that have names. */
export const besides = (options: FnDsaOptions | undefined, parameters: Parameters): Framed => {
  known(options, 'context');
  return framing(options, parameters)(new Uint8Array());
};

/**
 * Feeds a message to the operation whose block was kept, piece by piece. Between two pieces nothing of it is in the
 * module, whose memory stays as small as it was. One that has come to nothing, without a block, is fed nothing.
 */
export function* feed(
  { run }: Engine,
  kept: Uint8Array | undefined,
  message: Uint8Array,
  update: Update,
): Steps<void> {
  if (!kept) return;
  for (let i = 0; i < message.length; i += PIECE) {
    if (i) yield;
    const part = message.subarray(i, i + PIECE);
    // The block is the first input, and so its address is the same each time: it has addresses within it.
    run(VERIFY, [kept, part], ([block, piece], memory) => {
      update(block!, piece!, part.length);
      kept.set(memory.subarray(block, block! + kept.length));
    });
  }
}

const verdict = (code: number): boolean => {
  if (code > 1) throw RangeError('publicKey is not a key');
  return code == 1;
};

/** What verification is made of, over a variant; all arguments are this code's own. */
export interface Judging {
  /** Begins to verify; nothing where the signature is none. */
  begin(engine: Engine, framed: Framed, signature: Uint8Array, key: Uint8Array): Uint8Array | undefined;
  update(engine: Engine): Update;
  finish(engine: Engine, kept: Uint8Array | undefined): boolean;
  /** The verdict about a message that is there. */
  judge(engine: Engine, framed: Framed, signature: Uint8Array, key: Uint8Array): Steps<boolean>;
}

export const makeJudging = ({ variant }: Parameters): Judging => {
  const begin = (
    { wasm, run, block }: Engine,
    [, context, prehash]: Framed,
    sig: Uint8Array,
    key: Uint8Array,
  ): Uint8Array | undefined =>
    run(VERIFY, [block, key, context, sig], ([at, pk, ctx, s], memory) => {
      const code = wasm.w(
        variant, at!, pk!, key.length, prehash, ctx!, context.length, s!, sig.length,
      );
      return verdict(code) ? memory.slice(at!, at! + block) : undefined;
    });
  const update =
    ({ wasm }: Engine): Update =>
    (at, piece, length) =>
      wasm.x(variant, at, piece, length);
  const finish = ({ wasm, run }: Engine, kept: Uint8Array | undefined): boolean =>
    !!kept && run(VERIFY, [kept], ([at]) => !!wasm.y(variant, at!));
  function* judge(engine: Engine, framed: Framed, sig: Uint8Array, key: Uint8Array): Steps<boolean> {
    const [text, context, prehash] = framed;
    const { wasm, run } = engine;
    if (text.length <= PIECE)
      return run(VERIFY, [key, context, text, sig], ([pk, ctx, from, s]) =>
        verdict(
          wasm.v(
            variant, pk!, key.length, prehash, ctx!, context.length, from!, text.length, s!, sig.length,
          ),
        ),
      );
    const kept = begin(engine, framed, sig, key);
    yield* feed(engine, kept, text, update(engine));
    return finish(engine, kept);
  }
  return { begin, update, finish, judge };
};

/** The functions of verification over a variant. */
export const makeVerifying = (parameters: Parameters, perform: Perform, stream?: Stream): object => {
  const { begin, update, finish, judge } = makeJudging(parameters);
  /** None is longer than 1600 bytes; of what is, no more is needed to see that. */
  const signed = (signature: Uint8Array) => copy('signature', signature).subarray(0, 1601);
  const plan = (options?: FnDsaOptions) => {
    const frame = framing(options, parameters);
    return ({ message, signature, publicKey }: FnDsaItem) => {
      const framed = frame(message);
      const sig = signed(signature);
      const key = owned('publicKey', publicKey, parameters);
      return (engine: Engine): Steps<boolean> => judge(engine, framed, sig, key);
    };
  };
  return {
    name: parameters.own,
    lengths: parameters.lengths,
    ...(stream && {
      verifyStream: (
        source: Pieces,
        signature: Uint8Array,
        publicKey: Uint8Array,
        options?: FnDsaOptions,
      ) =>
        reading(source, () => {
          const framed = besides(options, parameters);
          const [sig, key] = [signed(signature), owned('publicKey', publicKey, parameters)];
          return (open) => stream(open, (engine) => begin(engine, framed, sig, key), update, finish);
        }),
    }),
    verify: (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array, options?: FnDsaOptions) =>
      perform(() => [plan(options)({ message, signature, publicKey })]),
    verifyBatch: (items: Iterable<FnDsaItem>, options?: FnDsaOptions) =>
      perform(() => {
        const plans = each(items, plan(options));
        return [
          function* (engine) {
            const verdicts: boolean[] = [];
            for (const steps of plans) {
              verdicts.push(yield* steps(engine));
              yield;
            }
            return verdicts;
          },
        ];
      }),
  };
};
