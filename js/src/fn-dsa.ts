import { load } from '#fn-dsa';
import { check } from './verifier.js';

/** A key pair of FN-DSA or Falcon. */
export interface FnDsaKeyPair {
  publicKey: Uint8Array;
  secretKey: Uint8Array;
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
export interface FnDsaSigner<Options> {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array, options?: Options): Promise<Uint8Array>;
  /** Overwrites the key; afterwards, `sign` is refused. */
  wipe(): void;
}

/** One variant at one degree. */
export interface FnDsa<Options> {
  readonly lengths: FnDsaLengths;
  /** A new key pair, or that of a seed of 32 bytes. */
  keygen(seed?: Uint8Array): Promise<FnDsaKeyPair>;
  /** The public key of a secret key. */
  getPublicKey(secretKey: Uint8Array): Promise<Uint8Array>;
  /** Signs a message; two signatures of the same are not the same. */
  sign(message: Uint8Array, secretKey: Uint8Array, options?: Options): Promise<Uint8Array>;
  /** Decodes and checks the key once, for many signatures. */
  createSigner(secretKey: Uint8Array): Promise<FnDsaSigner<Options>>;
  /** Whether a signature is valid. A public key that is none is an error. */
  verify(
    signature: Uint8Array,
    message: Uint8Array,
    publicKey: Uint8Array,
    options?: Options,
  ): Promise<boolean>;
}

/** The stack of the module, at the beginning of its memory; it grows downwards. */
const STACK = 524288;
const PAGE = 65536;

/**
 * How much of the stack the functions use: what is overwritten after each call. Overwriting all of it would
 * take longer than a verification. The tests look for what was left.
 */
const KEYGEN = 196608;
const SIGN = 98304;
const VERIFY = 32768;

/** Writes inputs behind the module's own memory, gives their addresses to `run`, wipes all. */
const makeEngine = async () => {
  const wasm = await load();
  const base = wasm.memory.buffer.byteLength;
  return {
    wasm,
    prepared: wasm.n(),
    run<T>(
      depth: number,
      inputs: (Uint8Array | number)[],
      run: (addresses: number[], memory: Uint8Array<ArrayBuffer>) => T,
    ): T {
      const size = (input: Uint8Array | number): number =>
        typeof input == 'number' ? input : input.length;
      let end = base;
      const addresses = inputs.map((input) => {
        const address = end;
        end += (size(input) + 15) & ~15;
        return address;
      });
      const missing = end - wasm.memory.buffer.byteLength;
      if (missing > 0) wasm.memory.grow(Math.ceil(missing / PAGE));
      const memory = new Uint8Array(wasm.memory.buffer);
      try {
        inputs.forEach((input, i) => {
          if (typeof input != 'number') memory.set(input, addresses[i]);
        });
        return run(addresses, memory);
      } finally {
        memory.fill(0, STACK - depth, STACK).fill(0, base, end);
      }
    },
  };
};

let promise: ReturnType<typeof makeEngine> | undefined;
const engine = () => (promise ??= makeEngine());

/** The randomness of one signature, and the room for it. */
const OUTPUT = 1600;
const RANDOM = 96;

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

const make = (variant: number, logn: number): FnDsa<FnDsaOptions> => {
  const large = logn - 9;
  const draft = variant == 1;
  const falcon = variant > 1;
  const lengths = {
    publicKey: large ? 1793 : 897,
    secretKey: (large ? 2305 : 1281) + (draft ? 64 : 0),
    seed: 32,
    signature: [[666, 1280], [666, 1280], [752, 1462], [666, 1280], [809, 1577]][variant]![large]!,
  };
  /** Checks what is signed, and gives the context and the number of the hash function. */
  const framing = (message: Uint8Array, options: FnDsaOptions = {}): [Uint8Array, number] => {
    const { context = new Uint8Array(), prehash } = options;
    check('message', message);
    check('context', context);
    if (context.length > 255) throw RangeError('context must have at most 255 bytes');
    if (falcon && context.length) throw RangeError('Falcon has no context');
    if (prehash == undefined) return [context, 0];
    if (falcon) throw RangeError('Falcon has no prehash');
    const found = PREHASHES.findIndex(([name]) => name == prehash);
    if (found < 0 || (prehash == 'mu' && !draft)) throw RangeError(`no prehash '${prehash}' here`);
    check(`message, which is a hash by ${prehash},`, message, PREHASHES[found]![1]);
    if (prehash == 'mu' && context.length) throw RangeError('mu has the context in it');
    return [context, found + 1];
  };
  const none = () => RangeError('secretKey is not a key');
  /** Signs with a key that is given in its encoding or decoded. */
  const signWith = async (
    message: Uint8Array,
    key: () => Uint8Array,
    decoded: boolean,
    options?: FnDsaOptions,
  ): Promise<Uint8Array> => {
    const [context, prehash] = framing(message, options);
    const { wasm, run, prepared } = await engine();
    const given = key();
    return run(
      SIGN,
      [decoded ? given : prepared, decoded ? 0 : given, context, message, OUTPUT],
      ([own, from, ctx, text, to], memory) => {
        if (!decoded && !wasm.k(variant, from!, given.length, own!)) throw none();
        crypto.getRandomValues(memory.subarray(to!, to! + RANDOM));
        const length = wasm.s(
          variant, own!, prehash, ctx!, context.length, text!, message.length, to!,
        );
        if (!length) throw none();
        return memory.slice(to!, to! + length);
      },
    );
  };
  /** Decodes a secret key: what the module makes of it, and the public key. */
  const decode = async (secretKey: Uint8Array, keep: boolean): Promise<[Uint8Array, Uint8Array]> => {
    check('secretKey', secretKey, lengths.secretKey);
    const { wasm, run, prepared } = await engine();
    const room = [prepared, secretKey, lengths.publicKey];
    return run(SIGN, room, ([own, key, to], memory) => {
      if (!wasm.k(variant, key!, secretKey.length, own!)) throw none();
      const length = wasm.p(variant, own!, to!);
      return [memory.slice(own, own! + (keep ? prepared : 0)), memory.slice(to, to! + length)];
    });
  };
  return {
    lengths,
    keygen: async (seed) => {
      if (seed) check('seed', seed, 32);
      const own = seed ? new Uint8Array(seed) : crypto.getRandomValues(new Uint8Array(32));
      const { wasm, run } = await engine();
      const { secretKey, publicKey } = lengths;
      try {
        return run(KEYGEN, [own, secretKey + publicKey], ([from, to], memory) => {
          if (!wasm.g(variant, logn, from!, to!)) throw Error('no key');
          return {
            publicKey: memory.slice(to! + secretKey, to! + secretKey + publicKey),
            secretKey: memory.slice(to!, to! + secretKey),
          };
        });
      } finally {
        own.fill(0);
      }
    },
    getPublicKey: async (secretKey) => (await decode(secretKey, false))[1],
    sign: async (message, secretKey, options) => {
      check('secretKey', secretKey, lengths.secretKey);
      return signWith(message, () => secretKey, false, options);
    },
    createSigner: async (secretKey) => {
      let [key, publicKey]: [Uint8Array | undefined, Uint8Array] = await decode(secretKey, true);
      const own = (): Uint8Array => {
        if (!key) throw Error('the signer was wiped');
        return key;
      };
      return {
        publicKey,
        sign: async (message, options) => signWith(message, own, true, options),
        wipe: () => {
          key?.fill(0);
          key = undefined;
        },
      };
    },
    verify: async (signature, message, publicKey, options) => {
      check('signature', signature);
      check('publicKey', publicKey, lengths.publicKey);
      const [context, prehash] = framing(message, options);
      const { wasm, run } = await engine();
      return run(VERIFY, [publicKey, context, message, signature], ([key, ctx, text, from]) => {
        const verdict = wasm.v(
          variant, key!, publicKey.length, prehash, ctx!, context.length, text!, message.length,
          from!, signature.length,
        );
        if (verdict > 1) throw RangeError('publicKey is not a key');
        return verdict == 1;
      });
    },
  };
};

/** FN-DSA as of fn-dsa 0.3 (no standard has been published): 512 and 1024. */
export const fndsa512 = /* @__PURE__ */ make(0, 9);
export const fndsa1024 = /* @__PURE__ */ make(0, 10);
/** FN-DSA as fn-dsa 0.4 guesses the draft of 2026. */
export const fndsa512draft2026 = /* @__PURE__ */ make(1, 9);
export const fndsa1024draft2026 = /* @__PURE__ */ make(1, 10);
/** Original Falcon, round 3; compressed signatures of variable length. */
export const falcon512: FnDsa<object> = /* @__PURE__ */ make(2, 9);
export const falcon1024: FnDsa<object> = /* @__PURE__ */ make(2, 10);
/** The same, padded to a fixed length. */
export const falcon512padded: FnDsa<object> = /* @__PURE__ */ make(3, 9);
export const falcon1024padded: FnDsa<object> = /* @__PURE__ */ make(3, 10);
/** The same, with coefficients of a fixed width: for signatures that are secrets themselves. */
export const falcon512ct: FnDsa<object> = /* @__PURE__ */ make(4, 9);
export const falcon1024ct: FnDsa<object> = /* @__PURE__ */ make(4, 10);
