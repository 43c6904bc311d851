import type { Exports } from './wasm/exports.js';

/** The name of a verification profile: who accepts what. */
export type Profile =
  | 'strict'
  | 'rfc8032'
  | 'rfc8032-cofactorless'
  | 'dalek'
  | 'zip215'
  | 'donna'
  | 'libsodium';

export interface VerifyOptions {
  /** Default: `strict`. */
  profile?: Profile;
}

export interface Item {
  message: Uint8Array;
  signature: Uint8Array;
  publicKey: Uint8Array;
}

/** How many octets the module takes at once. */
const ROOM = 16384;

// Bits: 1 times the cofactor, 2 refuse small orders, 4 canonical A, 8 canonical R, 16 loose S.
const RULES: Record<Profile, number> = {
  strict: 2,
  rfc8032: 13,
  'rfc8032-cofactorless': 4,
  dalek: 0,
  zip215: 1,
  donna: 16,
  libsodium: 6,
};

/**
 * Throws unless a value is octets, of a certain number if one is given.
 *
 * The tag and not `instanceof`: arrays of other realms (frames, test runners) are arrays, too.
 */
export const check = (name: string, value: Uint8Array, length?: number): void => {
  if ((value as Uint8Array | undefined)?.[Symbol.toStringTag] != 'Uint8Array')
    throw TypeError(name + ' must be a Uint8Array');
  if (length && value.length != length)
    throw RangeError(`${name} must have ${length} bytes, not ` + value.length);
};

/** Verification with an instance of a module. */
export const makeVerifier = (wasm: Exports) => {
  const address = wasm.i();
  const memory = new Uint8Array(wasm.memory.buffer);
  /** Writes a few octets of input. */
  const put = (bytes: ArrayLike<number>, at = 0): void => memory.set(bytes, address + at);
  /** Hashes a message, however long. */
  const feed = (message: Uint8Array): void => {
    for (let i = 0; i < message.length; i += ROOM) {
      const part = message.subarray(i, i + ROOM);
      put(part);
      wasm.u(part.length);
    }
  };
  /** Starts a verification; false where the signature has not the size of one. */
  const start = (
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyOptions,
    domain: ArrayLike<number> = [],
  ): boolean => {
    check('signature', signature);
    check('publicKey', publicKey, 32);
    const name = options?.profile ?? 'strict';
    if (!Object.hasOwn(RULES, name)) throw RangeError('no profile ' + name);
    if (signature.length != 64) return false;
    put(signature);
    put(publicKey, 64);
    put(domain, 96);
    wasm.v(domain.length, RULES[name]);
    return true;
  };
  const verify = (
    message: Uint8Array,
    signature: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyOptions,
    domain?: Uint8Array,
  ): boolean => {
    check('message', message);
    if (!start(signature, publicKey, options, domain)) return false;
    feed(message);
    return !!wasm.f();
  };
  return { address, memory, put, feed, start, verify };
};

/** One verdict for each item. */
export const each = (
  verify: (m: Uint8Array, s: Uint8Array, k: Uint8Array, o?: VerifyOptions) => boolean,
  items: Iterable<Item>,
  options?: VerifyOptions,
): boolean[] => {
  return Array.from(items, (i) => verify(i.message, i.signature, i.publicKey, options));
};
