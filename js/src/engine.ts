import { twice } from './checked.js';
import { copy, type Own } from './octets.js';
import { RULES } from './rules.js';
import type { Steps } from './session.js';
import type { Bytes, KeyPair } from './types.js';
import { judge, makeVerification, makeVerifier, type Decide, type Perform, type Plan, type Verifier } from './verifier.js';
import type { Exports } from './wasm/exports.js';

const pair = (secretKey: Bytes): KeyPair => ({ publicKey: secretKey.slice(32), secretKey });

export const strange = (): RangeError => RangeError("secretKey's public half is not its own");

/** All of Ed25519 with an instance of a module. All arguments are the caller's own copies. */
export interface Engine extends Verifier {
  sign(message: Uint8Array, secretKey: Uint8Array, checked?: boolean): Steps<Bytes>;
  keyPair(seed: Uint8Array): Steps<KeyPair>;
}

export const makeEngine = (wasm: Exports): Engine => {
  const verifier = makeVerifier(wasm);
  const { put, take, feed } = verifier;
  return {
    ...verifier,
    *sign(message: Uint8Array, secretKey: Uint8Array, checked = true): Steps<Bytes> {
      put(secretKey);
      wasm.e();
      wasm.s(0);
      // The message is hashed twice, and must be the same.
      yield* feed(message);
      if (!wasm.c(0, checked)) throw strange();
      yield* feed(message);
      wasm.r();
      return take(64);
    },
    *keyPair(seed: Uint8Array): Steps<KeyPair> {
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
  const signing = (message: Uint8Array, key: Uint8Array, checked?: boolean): Plan<Engine, Bytes> => [
    (engine) => engine.sign(message, key, checked),
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
  const pairing = (seed: Uint8Array): Plan<Engine, KeyPair> => [(engine) => engine.keyPair(seed), seed];
  /** Makes something of a secret key whose halves belong together: nothing can be signed with another. */
  const checking = <T>(secretKey: Uint8Array, make: (key: Bytes) => T) =>
    perform(() => {
      const key = copy('secretKey', secretKey, 64);
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
    sign: (message: Uint8Array, secretKey: Uint8Array) =>
      perform(() => signing(own('message', message), copy('secretKey', secretKey, 64))),
    signChecked: (message: Uint8Array, secretKey: Uint8Array) =>
      perform(() => signingTwice(own('message', message), copy('secretKey', secretKey, 64))),
    newKeyPair: () => perform(() => pairing(crypto.getRandomValues(new Uint8Array(32)))),
    keyPairFromSeed: (seed: Uint8Array) => perform(() => pairing(copy('seed', seed, 32))),
    keyPairFromSecretKey: (secretKey: Uint8Array) => checking(secretKey, pair),
    createSigner: (secretKey: Uint8Array) =>
      checking(secretKey, (key) => {
        let wiped = false;
        const sign = (plan: (text: Bytes, key: Bytes) => Plan<Engine, Bytes>) => (message: Uint8Array) =>
          perform(() => {
            const text = own('message', message);
            if (wiped) throw TypeError('signer has been wiped');
            // A copy: the key may be wiped before this signature is made.
            return plan(text, key.slice());
          });
        return {
          publicKey: key.slice(32),
          sign: sign((text, key) => signing(text, key, false)),
          signChecked: sign(signingTwice),
          wipe: (): void => {
            key.fill(0);
            wiped = true;
          },
        };
      }),
  };
};
