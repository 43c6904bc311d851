/**
 * In place of `tweetnacl` where it signs: `nacl.sign`, `nacl.scalarMult`, `nacl.randomBytes`, `nacl.verify`, with its
 * results and in its words. `nacl.box`, `nacl.secretbox`, `nacl.hash` and `nacl.lowlevel` are not here, and `nacl.setPRNG` throws.
 *
 * @module
 */
import packed from '#wasm/nacl';
import { copy, isOctets, still } from './octets.js';
import { makeLazy, makeSynchronous, type EngineOver } from './synchronous-ed25519.js';
import { makeReady, type Ready } from './synchronous.js';
import type { Bytes, Ed25519Sync } from './types.js';
import { makeState } from './verifier.js';
import type { NaclExports } from './wasm/exports.js';

/** A key pair for signing: 32 bytes, and 64. What makes one gives `SignKeyPair<Bytes>`. */
export interface SignKeyPair<Octets extends Uint8Array = Uint8Array> {
  publicKey: Octets;
  secretKey: Octets;
}

/** `nacl.sign.detached`. */
export interface Detached {
  (message: Uint8Array, secretKey: Uint8Array): Bytes;
  /** Whether a signature of 64 bytes is valid under a public key of 32; by the profile `strict`. Other lengths are errors. */
  verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
}

/** `nacl.sign.keyPair`. */
export interface MakeKeyPair {
  (): SignKeyPair<Bytes>;
  /** The key pair of a secret key of 64 bytes, whose public half is checked. */
  fromSecretKey(secretKey: Uint8Array): SignKeyPair<Bytes>;
  /** The key pair of a seed of 32 bytes. */
  fromSeed(seed: Uint8Array): SignKeyPair<Bytes>;
}

/** `nacl.sign`. */
export interface Sign {
  (message: Uint8Array, secretKey: Uint8Array): Bytes;
  /** The message of a signed one, or null where the signature is not valid under the public key of 32 bytes. */
  open(signed: Uint8Array, publicKey: Uint8Array): Bytes | null;
  /** Signs a message with a secret key of 64 bytes: the signature alone, 64 bytes. */
  readonly detached: Detached;
  /** A new key pair. */
  readonly keyPair: MakeKeyPair;
  readonly publicKeyLength: 32;
  readonly secretKeyLength: 64;
  readonly seedLength: 32;
  readonly signatureLength: 64;
}

/** `nacl.scalarMult`. */
export interface ScalarMult {
  (n: Uint8Array, p: Uint8Array): Bytes;
  /** X25519 of a scalar of 32 bytes and the base point: a public key of 32 bytes. */
  base(n: Uint8Array): Bytes;
  readonly scalarLength: 32;
  readonly groupElementLength: 32;
}

const module: Ready<NaclExports> = /* @__PURE__ */ makeReady<NaclExports>(packed, () => import('#fallback/compat'));
const engine: () => EngineOver<NaclExports> = /* @__PURE__ */ makeLazy(module);
const ed25519: Ed25519Sync = /* @__PURE__ */ makeSynchronous(engine);

/** Instantiates the module without waiting for the first call; needed where the engine forbids that, or has no SIMD. */
export const ready: () => Promise<void> = module.ready;

const types = (...values: Uint8Array[]): void => {
  for (const value of values)
    if (!isOctets(value)) throw new TypeError('unexpected type, use Uint8Array');
};

/** In the words of tweetnacl; what is used is checked again, when it has been copied. */
const size = (value: Uint8Array, length: number, name: string): void => {
  if (value.length != length) throw new Error(`bad ${name} size`);
};

const detached = (message: Uint8Array, secretKey: Uint8Array): Bytes => {
  types(message, secretKey);
  size(secretKey, 64, 'secret key');
  return ed25519.sign(message, secretKey);
};

detached.verify = (
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean => {
  types(message, signature, publicKey);
  size(signature, 64, 'signature');
  size(publicKey, 32, 'public key');
  return ed25519.verify(message, signature, publicKey);
};

const keyPair = (): SignKeyPair<Bytes> => ed25519.newKeyPair();

keyPair.fromSecretKey = (secretKey: Uint8Array): SignKeyPair<Bytes> => {
  types(secretKey);
  size(secretKey, 64, 'secret key');
  return ed25519.keyPairFromSecretKey(secretKey);
};

keyPair.fromSeed = (seed: Uint8Array): SignKeyPair<Bytes> => {
  types(seed);
  size(seed, 32, 'seed');
  return ed25519.keyPairFromSeed(seed);
};

const signed = (message: Uint8Array, secretKey: Uint8Array): Bytes => {
  types(message, secretKey);
  const text = still('message', message);
  const both = new Uint8Array(64 + text.length);
  both.set(text, 64);
  both.set(detached(text, secretKey));
  return both;
};

const open = (both: Uint8Array, publicKey: Uint8Array): Bytes | null => {
  types(both, publicKey);
  size(publicKey, 32, 'public key');
  const bytes = still('signed', both);
  const message = bytes.slice(64);
  return bytes.length > 63 && ed25519.verify(message, bytes.subarray(0, 64), publicKey) ? message : null;
};

/**
 * `nacl.sign`: a signature of 64 bytes and the message after it. The secret key has 64 bytes; an error where its public
 * half is not its own.
 */
export const sign: Sign = /* @__PURE__ */ Object.assign(signed, {
  open,
  detached,
  keyPair,
  publicKeyLength: 32,
  secretKeyLength: 64,
  seedLength: 32,
  signatureLength: 64,
} as const);

const multiply = (n: Uint8Array, p: Uint8Array): Bytes => {
  types(n, p);
  size(n, 32, 'n');
  size(p, 32, 'p');
  const { run, put, take, wasm } = engine();
  const u = copy('p', p, 32);
  const scalar = copy('n', n, 32);
  const state = makeState();
  try {
    return run(state, () => {
      put(scalar);
      put(u, 32);
      wasm.x();
      return take(32);
    });
  } finally {
    state.fill(0);
    scalar.fill(0);
  }
};

const base = (n: Uint8Array): Bytes => {
  types(n);
  size(n, 32, 'n');
  const nine = new Uint8Array(32);
  nine[0] = 9;
  return multiply(n, nine);
};

/** `nacl.scalarMult`: X25519 of a scalar and a u of 32 bytes each. As in tweetnacl, a result of zeros is no error. */
export const scalarMult: ScalarMult = /* @__PURE__ */ Object.assign(multiply, {
  base,
  scalarLength: 32,
  groupElementLength: 32,
} as const);

/** `nacl.randomBytes`: from `crypto.getRandomValues`. What is no number is an error. */
export const randomBytes = (length: number): Bytes => {
  // An array would be copied, and another object or NaN would make an empty one.
  if (typeof length != 'number') throw new TypeError('unexpected type, use a number');
  if (!(length >= 0)) throw new RangeError('bad length');
  const bytes = new Uint8Array(length);
  // 65536 at once is what the interface allows.
  for (let i = 0; i < bytes.length; i += 65536) crypto.getRandomValues(bytes.subarray(i, i + 65536));
  return bytes;
};

/** `nacl.verify`: whether two arrays are the same, in constant time; empty ones never are. */
export const verify = (x: Uint8Array, y: Uint8Array): boolean => {
  types(x, y);
  if (!x.length || x.length != y.length) return false;
  let difference = 0;
  for (let i = 0; i < x.length; i++) difference |= x[i]! ^ y[i]!;
  return difference == 0;
};

/**
 * `nacl.setPRNG` throws: randomness comes from `crypto.getRandomValues` and from nowhere else. For keys that are known before,
 * there is `nacl.sign.keyPair.fromSeed`.
 */
export const setPRNG = (generate: (x: Uint8Array, n: number) => void): never => {
  throw new Error('no setPRNG: randomness comes from crypto.getRandomValues; use sign.keyPair.fromSeed for keys that are known before');
};

/** All of it, as the default export of `tweetnacl` has it. */
interface nacl {
  /** Signs: a signature of 64 bytes and the message after it. */
  readonly sign: Sign;
  /** X25519 of a scalar and a u of 32 bytes each. */
  readonly scalarMult: ScalarMult;
  /** From `crypto.getRandomValues`. */
  randomBytes(length: number): Bytes;
  /** Whether two arrays are the same, in constant time; empty ones never are. */
  verify(x: Uint8Array, y: Uint8Array): boolean;
  /** Throws: there is no other randomness than that of `crypto.getRandomValues`. */
  setPRNG(generate: (x: Uint8Array, n: number) => void): never;
  /** Instantiates the module without waiting for the first call; needed where the engine forbids that, or has no SIMD. */
  ready(): Promise<void>;
}

/** What was compiled to CommonJS may ask what it has required for its default export. */
const withDefault = (all: nacl): nacl => Object.defineProperty(all, 'default', { value: all });

const nacl: nacl = /* @__PURE__ */ withDefault({ sign, scalarMult, randomBytes, verify, setPRNG, ready });

// The three merge, as in tweetnacl's declarations: the value's types have its name before them.
declare namespace nacl {
  export type { SignKeyPair, Sign as sign, ScalarMult as scalarMult };
  export namespace signProps {
    export type { Detached as detached, MakeKeyPair as keyPair };
  }
}

export default nacl;
