import { engine, feed, PIECE, SIGN, KEYGEN, VERIFY, type Engine } from './fn-dsa-engine.js';
import { copy } from './octets.js';

/** What a key is for. A pair for FN-DSA and for Falcon lets others forge signatures, and so it is for one of them. */
export type Scheme = 'FN-DSA' | 'FN-DSA draft 2026' | 'Falcon';

declare const scheme: unique symbol;

/**
 * A key for one scheme. Its bytes do not tell for which; the type does, and arrays that this module has made are
 * known and refused elsewhere. Bytes that come from anywhere else are for the scheme whose function is called.
 */
export type KeyFor<S extends Scheme> = Uint8Array & { readonly [scheme]?: S };

/** A key pair of FN-DSA or Falcon. */
export interface FnDsaKeyPair<S extends Scheme = any> {
  publicKey: KeyFor<S>;
  secretKey: KeyFor<S>;
}

/** What may be signed in place of a message: its hash by one of these functions. */
export type Prehash =
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha512-256'
  | 'sha3-256'
  | 'sha3-384'
  | 'sha3-512'
  | 'shake128'
  | 'shake256';

export interface FnDsaOptions {
  /** Up to 255 bytes that both sides must name; not in Falcon. */
  context?: Uint8Array;
  /**
   * The message that is given is the hash of the real one by this function, which the signature names: 32 bytes for
   * `shake128` and 64 for `shake256`, for the others as many as they have. A signature of a hash is not one
   * of the message itself. Not in Falcon.
   *
   * The variants `…draft2026` know `mu`, too: 64 bytes that stand for context and message, computed elsewhere.
   */
  prehash?: Prehash | 'mu';
}

/** Lengths in bytes. `signature` is the most that one has. */
export interface FnDsaLengths {
  readonly publicKey: number;
  readonly secretKey: number;
  readonly seed: number;
  readonly signature: number;
}

/** Signs with one key, which was decoded and checked before. */
export interface FnDsaSigner<Options, S extends Scheme = Scheme> {
  readonly publicKey: KeyFor<S>;
  sign(message: Uint8Array, options?: Options): Promise<Uint8Array>;
  /** Overwrites the key; afterwards, `sign` is refused. */
  wipe(): void;
}

/**
 * One variant at one degree. What is given may be changed or overwritten as soon as a function has returned its promise.
 */
export interface FnDsa<Options, S extends Scheme = Scheme> {
  readonly lengths: FnDsaLengths;
  /** A new key pair, or that of a seed of 32 bytes. */
  keygen(seed?: Uint8Array): Promise<FnDsaKeyPair<S>>;
  /** The public key of a secret key. */
  getPublicKey(secretKey: KeyFor<S>): Promise<KeyFor<S>>;
  /** Signs a message; two signatures of the same are not the same. */
  sign(message: Uint8Array, secretKey: KeyFor<S>, options?: Options): Promise<Uint8Array>;
  /** Decodes and checks the key once, for many signatures. */
  createSigner(secretKey: KeyFor<S>): Promise<FnDsaSigner<Options, S>>;
  /**
   * Whether a signature is valid, and in Falcon of this encoding: anybody can turn one into another encoding. A public
   * key that is none is an error.
   */
  verify(
    signature: Uint8Array,
    message: Uint8Array,
    publicKey: KeyFor<S>,
    options?: Options,
  ): Promise<boolean>;
}

/** The randomness of one signature, and the room for it. */
const RANDOM = 40;
const OUTPUT = 1600;

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
const known = /* @__PURE__ */ new WeakMap<Uint8Array, Scheme>();

const make = <S extends Scheme>(
  name: S,
  variant: number,
  logn: number,
): FnDsa<FnDsaOptions, S> => {
  /** Remembers what a key is for. */
  const mark = (key: Uint8Array): KeyFor<S> => {
    known.set(key, name);
    return key;
  };
  /** Copies and checks a key. */
  const owned = (what: 'publicKey' | 'secretKey', key: Uint8Array): Uint8Array => {
    const other = known.get(key) ?? name;
    if (other != name)
      throw RangeError(`${what} was made for ${other}: a key for ${name}, too, lets others forge`);
    return copy(what, key, lengths[what]);
  };
  const large = logn - 9;
  const draft = variant == 1;
  const falcon = variant > 1;
  const lengths = {
    publicKey: large ? 1793 : 897,
    secretKey: (large ? 2305 : 1281) + (draft ? 64 : 0),
    seed: 32,
    signature: [[666, 1280], [666, 1280], [752, 1462], [666, 1280], [809, 1577]][variant]![large]!,
  };
  /** Copies and checks what is signed: the message, the context and the number of the hash function. */
  const framing = (
    message: Uint8Array,
    options: FnDsaOptions = {},
  ): [message: Uint8Array, context: Uint8Array, prehash: number] => {
    const { context: given = new Uint8Array(), prehash } = options;
    const text = copy('message', message);
    const context = copy('context', given);
    if (context.length > 255) throw RangeError('context must have at most 255 bytes');
    if (falcon && context.length) throw RangeError('Falcon has no context');
    if (prehash == undefined) return [text, context, 0];
    if (falcon) throw RangeError('Falcon has no prehash');
    const found = PREHASHES.findIndex(([name]) => name == prehash);
    if (found < 0 || (prehash == 'mu' && !draft)) throw RangeError(`no prehash '${prehash}' here`);
    copy(`message, which is a hash by ${prehash},`, text, PREHASHES[found]![1]);
    if (prehash == 'mu' && context.length) throw RangeError('mu has the context in it');
    return [text, context, found + 1];
  };
  const none = () => RangeError('secretKey is not a key');
  /** Decodes a secret key to the address of one. */
  const decode = ({ wasm }: Engine, key: number, to: number): void => {
    if (!wasm.k(variant, key, lengths.secretKey, to)) throw none();
  };
  /** Signs with a key that is given in its encoding, or decoded; it is this function's own, and wiped. */
  const signWith = async (
    [message, context, prehash]: ReturnType<typeof framing>,
    own: Uint8Array,
    decoded: boolean,
  ): Promise<Uint8Array> => {
    const random = new Uint8Array(RANDOM);
    let kept: Uint8Array | undefined;
    try {
      crypto.getRandomValues(random);
      const made = await engine();
      const { wasm, run, block } = made;
      const begin = (at: number, key: number, ctx: number, from: number, memory: Uint8Array): void => {
        if (decoded) memory.copyWithin(at, key, key + own.length);
        else decode(made, key, at);
        if (!wasm.b(variant, at, prehash, ctx, context.length, from)) throw none();
      };
      const finish = (at: number, to: number, memory: Uint8Array): Uint8Array => {
        const length = wasm.s(variant, at, to);
        if (!length) throw none();
        return memory.slice(to, to + length);
      };
      const inputs = [block, own, context, random];
      if (message.length <= PIECE)
        return run(SIGN, [...inputs, message, OUTPUT], ([at, key, ctx, from, text, to], memory) => {
          begin(at!, key!, ctx!, from!, memory);
          wasm.u(variant, at!, text!, message.length);
          return finish(at!, to!, memory);
        });
      kept = run(SIGN, inputs, ([at, key, ctx, from], memory) => {
        begin(at!, key!, ctx!, from!, memory);
        return memory.slice(at!, at! + block);
      });
      await feed(made, kept, message, (at, piece, length) => wasm.u(variant, at, piece, length));
      return run(SIGN, [kept, OUTPUT], ([at, to], memory) => finish(at!, to!, memory));
    } finally {
      own.fill(0);
      random.fill(0);
      kept?.fill(0);
    }
  };
  /** What a secret key decodes to, and the public key. */
  const prepare = async (secretKey: Uint8Array): Promise<[Uint8Array, Uint8Array]> => {
    const own = owned('secretKey', secretKey);
    try {
      const made = await engine();
      const { wasm, run, prepared } = made;
      return run(SIGN, [prepared, own, lengths.publicKey], ([at, key, to], memory) => {
        decode(made, key!, at!);
        const length = wasm.p(variant, at!, to!);
        return [memory.slice(at!, at! + prepared), mark(memory.slice(to!, to! + length))];
      });
    } finally {
      own.fill(0);
    }
  };
  const verdict = (code: number): boolean => {
    if (code > 1) throw RangeError('publicKey is not a key');
    return code == 1;
  };
  return {
    lengths,
    keygen: async (seed) => {
      const own = seed
        ? copy('seed', seed, lengths.seed)
        : crypto.getRandomValues(new Uint8Array(lengths.seed));
      try {
        const { wasm, run } = await engine();
        const { secretKey, publicKey } = lengths;
        return run(KEYGEN, [own, secretKey + publicKey], ([from, to], memory) => {
          if (!wasm.g(variant, logn, from!, to!)) throw Error('no key');
          return {
            publicKey: mark(memory.slice(to! + secretKey, to! + secretKey + publicKey)),
            secretKey: mark(memory.slice(to!, to! + secretKey)),
          };
        });
      } finally {
        own.fill(0);
      }
    },
    getPublicKey: async (secretKey) => {
      const [key, publicKey] = await prepare(secretKey);
      key.fill(0);
      return publicKey;
    },
    sign: async (message, secretKey, options) =>
      signWith(framing(message, options), owned('secretKey', secretKey), false),
    createSigner: async (secretKey) => {
      let [key, publicKey]: [Uint8Array | undefined, Uint8Array] = await prepare(secretKey);
      return {
        publicKey,
        sign: async (message, options) => {
          const framed = framing(message, options);
          if (!key) throw Error('the signer was wiped');
          // It may be wiped before this signature is made.
          return signWith(framed, key.slice(), true);
        },
        wipe: () => {
          key?.fill(0);
          key = undefined;
        },
      };
    },
    verify: async (signature, message, publicKey, options) => {
      const [sig, key] = [copy('signature', signature), owned('publicKey', publicKey)];
      const [text, context, prehash] = framing(message, options);
      const made = await engine();
      const { wasm, run, block } = made;
      if (text.length <= PIECE)
        return run(VERIFY, [key, context, text, sig], ([pk, ctx, from, s]) =>
          verdict(
            wasm.v(
              variant, pk!, key.length, prehash, ctx!, context.length, from!, text.length, s!, sig.length,
            ),
          ),
        );
      const kept = new Uint8Array(block);
      const begun = run(VERIFY, [block, key, context, sig], ([at, pk, ctx, s], memory) => {
        const code = wasm.w(
          variant, at!, pk!, key.length, prehash, ctx!, context.length, s!, sig.length,
        );
        kept.set(memory.subarray(at!, at! + block));
        return verdict(code);
      });
      if (!begun) return false;
      await feed(made, kept, text, (at, piece, length) => wasm.x(variant, at, piece, length));
      return run(VERIFY, [kept], ([at]) => !!wasm.y(variant, at!));
    },
  };
};

/** FN-DSA as of fn-dsa 0.3 (no standard has been published): 512 and 1024. */
export const fndsa512 = /* @__PURE__ */ make('FN-DSA', 0, 9);
export const fndsa1024 = /* @__PURE__ */ make('FN-DSA', 0, 10);
/** FN-DSA as fn-dsa 0.4 guesses the draft of 2026. */
export const fndsa512draft2026 = /* @__PURE__ */ make('FN-DSA draft 2026', 1, 9);
export const fndsa1024draft2026 = /* @__PURE__ */ make('FN-DSA draft 2026', 1, 10);

type Falcon = FnDsa<object, 'Falcon'>;

/** Original Falcon, round 3; compressed signatures of variable length. Each of the three takes only its own encoding. */
export const falcon512: Falcon = /* @__PURE__ */ make('Falcon', 2, 9);
export const falcon1024: Falcon = /* @__PURE__ */ make('Falcon', 2, 10);
/** The same, padded to a fixed length. */
export const falcon512padded: Falcon = /* @__PURE__ */ make('Falcon', 3, 9);
export const falcon1024padded: Falcon = /* @__PURE__ */ make('Falcon', 3, 10);
/** The same, with coefficients of a fixed width: for signatures that are secrets themselves. */
export const falcon512ct: Falcon = /* @__PURE__ */ make('Falcon', 4, 9);
export const falcon1024ct: Falcon = /* @__PURE__ */ make('Falcon', 4, 10);
