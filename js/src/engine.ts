import type { Exports } from './wasm/exports.js';
import { check, makeVerifier } from './verifier.js';

/** An Ed25519 key pair. */
export interface KeyPair {
  /** 32 bytes. */
  publicKey: Uint8Array;
  /** 64 bytes: the seed, and the public key. */
  secretKey: Uint8Array;
}

/** The state of the module. */
const STATE = 17408;

/** All of Ed25519 with an instance of a module, whose memory begins with its stack. */
export const makeEngine = (wasm: Exports, stack = 16384) => {
  const verifier = makeVerifier(wasm);
  const { memory, address, put, feed } = verifier;
  const take = (from: number, to: number): Uint8Array =>
    memory.slice(address + from, address + to);
  /** Runs what has secrets, and overwrites them: the module's input, its state and its stack. */
  const secretly = <T>(run: () => T): T => {
    try {
      return run();
    } finally {
      memory.fill(0, 0, stack).fill(0, address, address + STATE);
    }
  };
  /** Expands a secret key: a seed, and after it the public key. */
  const expand = (secretKey: Uint8Array): void => {
    check('secretKey', secretKey, 64);
    put(secretKey);
    wasm.e();
  };
  /** Ends the first pass over the message; on request, the public key is checked. */
  const commit = (length: number, checked: boolean): void => {
    if (!wasm.c(length, checked)) throw RangeError("secretKey's public half is not its own");
  };
  const respond = (
    message: Uint8Array,
    checked: boolean,
    domain: ArrayLike<number> = [],
  ): Uint8Array => {
    check('message', message);
    // The message is hashed twice, and must be the same: a copy, if another thread could change it;
    // else a plain view, on which no code but this runs.
    const { buffer, byteOffset, length } = message;
    const copy =
      buffer instanceof ArrayBuffer
        ? new Uint8Array(buffer, byteOffset, length)
        : new Uint8Array(message);
    const first = (): number => (put(domain), domain.length);
    wasm.s(first());
    feed(copy);
    commit(first(), checked);
    feed(copy);
    wasm.r();
    return take(0, 64);
  };
  /** Checks that the halves of a secret key belong together. */
  const own = (secretKey: Uint8Array): void => {
    expand(secretKey);
    wasm.s(0);
    commit(0, true);
  };
  const fromSeed = (seed: Uint8Array): KeyPair =>
    secretly(() => {
      check('seed', seed, 32);
      put(seed);
      wasm.e();
      wasm.k();
      const secretKey = new Uint8Array(64);
      secretKey.set(seed);
      const publicKey = take(32, 64);
      secretKey.set(publicKey, 32);
      return { publicKey, secretKey };
    });
  return {
    ...verifier,
    secretly,
    expand,
    commit,
    take,
    wasm,
    sign: (message: Uint8Array, secretKey: Uint8Array, domain?: Uint8Array): Uint8Array =>
      secretly(() => {
        expand(secretKey);
        return respond(message, true, domain);
      }),
    keyPairFromSeed: fromSeed,
    keyPairFromSecretKey: (secretKey: Uint8Array): KeyPair =>
      secretly(() => {
        own(secretKey);
        return { publicKey: new Uint8Array(secretKey.subarray(32)), secretKey: new Uint8Array(secretKey) };
      }),
    newKeyPair: (): KeyPair => {
      const seed = crypto.getRandomValues(new Uint8Array(32));
      const pair = fromSeed(seed);
      seed.fill(0);
      return pair;
    },
    createSigner: (secretKey: Uint8Array) => {
      secretly(() => own(secretKey));
      const key = new Uint8Array(secretKey);
      let wiped = false;
      return {
        publicKey: key.slice(32),
        sign: (message: Uint8Array): Uint8Array =>
          secretly(() => {
            if (wiped) throw TypeError('signer has been wiped');
            expand(key);
            return respond(message, false);
          }),
        wipe: (): void => {
          key.fill(0);
          wiped = true;
        },
      };
    },
  };
};

export type Engine = ReturnType<typeof makeEngine>;
