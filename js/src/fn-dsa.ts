import { load } from '#fn-dsa';
import { check } from './verifier.js';

/** A key pair of FN-DSA or Falcon. */
export interface FnDsaKeyPair {
  publicKey: Uint8Array;
  secretKey: Uint8Array;
}

export interface FnDsaOptions {
  /** Up to 255 bytes that both sides must name; not in Falcon. */
  context?: Uint8Array;
}

/** Lengths in bytes. `signature` is the most that one has. */
export interface FnDsaLengths {
  readonly publicKey: number;
  readonly secretKey: number;
  readonly seed: number;
  readonly signature: number;
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
  /** Whether a signature is valid. A public key that is none is an error. */
  verify(
    signature: Uint8Array,
    message: Uint8Array,
    publicKey: Uint8Array,
    options?: Options,
  ): Promise<boolean>;
}

/** The stack of the module, at the beginning of its memory. */
const STACK = 524288;
const PAGE = 65536;

/** Writes inputs behind the module's own memory, gives their addresses to `run`, wipes all. */
const makeEngine = async () => {
  const wasm = await load();
  const base = wasm.memory.buffer.byteLength;
  return {
    wasm,
    run<T>(inputs: (Uint8Array | number)[], run: (addresses: number[], memory: Uint8Array<ArrayBuffer>) => T): T {
      const size = (input: Uint8Array | number): number =>
        typeof input == 'number' ? input : input.length;
      let end = base;
      const addresses = inputs.map((input) => {
        const address = end;
        end += size(input);
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
        memory.fill(0, 0, STACK).fill(0, base, end);
      }
    },
  };
};

let promise: ReturnType<typeof makeEngine> | undefined;
const engine = () => (promise ??= makeEngine());

/** The randomness of one signature, and the room for it. */
const OUTPUT = 1600;
const RANDOM = 96;

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
  const contextOf = (options?: FnDsaOptions): Uint8Array => {
    const context = options?.context ?? new Uint8Array();
    check('context', context);
    if (context.length > 255) throw RangeError('context must have at most 255 bytes');
    if (falcon && context.length) throw RangeError('Falcon has no context');
    return context;
  };
  return {
    lengths,
    keygen: async (seed) => {
      if (seed) check('seed', seed, 32);
      const own = seed ? new Uint8Array(seed) : crypto.getRandomValues(new Uint8Array(32));
      const { wasm, run } = await engine();
      const { secretKey, publicKey } = lengths;
      try {
        return run([own, secretKey + publicKey], ([from, to], memory) => {
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
    getPublicKey: async (secretKey) => {
      check('secretKey', secretKey, lengths.secretKey);
      const { wasm, run } = await engine();
      return run([secretKey, lengths.publicKey], ([key, to], memory) => {
        const length = wasm.p(variant, key!, secretKey.length, to!);
        if (!length) throw RangeError('secretKey is not a key');
        return memory.slice(to!, to! + length);
      });
    },
    sign: async (message, secretKey, options) => {
      check('message', message);
      check('secretKey', secretKey, lengths.secretKey);
      const context = contextOf(options);
      const { wasm, run } = await engine();
      return run([secretKey, context, message, OUTPUT], ([key, ctx, text, to], memory) => {
        crypto.getRandomValues(memory.subarray(to!, to! + RANDOM));
        const length = wasm.s(
          variant, key!, secretKey.length, ctx!, context.length, text!, message.length, to!,
        );
        if (!length) throw RangeError('secretKey is not a key');
        return memory.slice(to!, to! + length);
      });
    },
    verify: async (signature, message, publicKey, options) => {
      check('signature', signature);
      check('message', message);
      check('publicKey', publicKey, lengths.publicKey);
      const context = contextOf(options);
      const { wasm, run } = await engine();
      return run([publicKey, context, message, signature], ([key, ctx, text, from]) => {
        const verdict = wasm.v(
          variant, key!, publicKey.length, ctx!, context.length, text!, message.length, from!,
          signature.length,
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
