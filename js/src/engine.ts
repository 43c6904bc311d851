import { twice } from './checked.js';
import { copy, type Own } from './octets.js';
import { RULES } from './rules.js';
import type { Steps } from './session.js';
import type { Bytes, KeyPair } from './types.js';
import { judge, makeVerification, makeVerifier, type Decide, type Perform, type Plan, type Verifier } from './verifier.js';
import type { Exports } from './wasm/exports.js';

const pair = (secretKey: Bytes): KeyPair<Bytes> => ({ publicKey: secretKey.slice(32), secretKey });

export const strange = (): RangeError => RangeError("secretKey's public half is not its own");

/** All of Ed25519 with an instance of a module. All arguments are the caller's own copies. */
export interface Engine extends Verifier {
  /** Checks the public half of the secret key, unless it is known to be right. */
  sign(message: Uint8Array, secretKey: Uint8Array, known?: boolean): Steps<Bytes>;
  keyPair(seed: Uint8Array): Steps<KeyPair<Bytes>>;
}

export const makeEngine = (wasm: Exports): Engine => {
  const verifier = makeVerifier(wasm);
  const { put, take, feed } = verifier;
  return {
    ...verifier,
    *sign(message: Uint8Array, secretKey: Uint8Array, known?: boolean): Steps<Bytes> {
      put(secretKey);
      wasm.e();
      wasm.s(0);
      // The message is hashed twice, and must be the same.
      yield* feed(message);
      if (!wasm.c(0, !known)) throw strange();
      yield* feed(message);
      wasm.r();
      return take(64);
    },
    *keyPair(seed: Uint8Array): Steps<KeyPair<Bytes>> {
      put(seed);
      wasm.e();
      wasm.k();
      // The seed has stayed where it was, and the public key is behind it.
      return pair(take(64));
    },
  };
};

/**
 * All functions of Ed25519, whose arguments `own` takes over and which `perform` carries out: `Ed25519` or `Ed25519Sync`.
 */
export const makeEd25519 = (own: Own, perform: Perform<Engine>, decide?: Decide): object => {
  const signing = (message: Uint8Array, key: Uint8Array, known?: boolean): Plan<Engine, Bytes> => [
    (engine) => engine.sign(message, key, known),
    key,
  ];
  const signingTwice = (message: Bytes, key: Bytes): Plan<Engine, Bytes> => [
    (engine) =>
      // The signature itself and no copy: where it is not right, it is overwritten.
      twice(
        () => engine.sign(message, key),
        (made) => judge(engine, message, [made, key.subarray(32), RULES.strict]),
      ),
    key,
  ];
  const pairing = (seed: Uint8Array): Plan<Engine, KeyPair<Bytes>> => [(engine) => engine.keyPair(seed), seed];
  const whole = (secretKey: Uint8Array): Bytes => copy('secretKey', secretKey, 64);
  /** A function that signs by a plan, with a copy of a key: of the one that is given, or that a signer has. */
  const signs =
    (plan: (text: Bytes, key: Bytes) => Plan<Engine, Bytes>, take: (secretKey: Uint8Array) => Bytes) =>
    (message: Uint8Array, secretKey: Uint8Array) =>
      perform(() => plan(own('message', message), take(secretKey)));
  /** Makes something of a secret key whose halves belong together: nothing can be signed with another. */
  const checking = <T>(secretKey: Uint8Array, make: (key: Bytes) => T) =>
    perform(() => {
      const key = whole(secretKey);
      return [
        function* (engine): Steps<T> {
          yield* engine.sign(new Uint8Array(), key);
          return make(key.slice());
        },
        key,
      ];
    });
  return {
    ...makeVerification(own, perform, decide),
    sign: signs(signing, whole),
    signChecked: signs(signingTwice, whole),
    newKeyPair: () => perform(() => pairing(crypto.getRandomValues(new Uint8Array(32)))),
    keyPairFromSeed: (seed: Uint8Array) => perform(() => pairing(copy('seed', seed, 32))),
    keyPairFromSecretKey: (secretKey: Uint8Array) => checking(secretKey, pair),
    createSigner: (secretKey: Uint8Array) =>
      checking(secretKey, (key) => {
        let wiped = false;
        /** A copy: the key may be wiped before the signature is made. */
        const mine = (): Bytes => {
          if (wiped) throw TypeError('signer has been wiped');
          return key.slice();
        };
        return {
          publicKey: key.slice(32),
          sign: signs((text, key) => signing(text, key, true), mine),
          signChecked: signs(signingTwice, mine),
          wipe: (): void => {
            key.fill(0);
            wiped = true;
          },
        };
      }),
  };
};
