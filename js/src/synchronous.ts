import { each } from './verifier.js';
import { makeEngine, type Engine } from './engine.js';
import type { Exports } from './wasm/exports.js';
import type { Ed25519Sync } from './types.js';

/** The synchronous functions over a module, which is instantiated when the first is called. */
export const makeSynchronous = <E extends Exports>(
  load: () => E,
  loadLater: () => Promise<E>,
) => {
  let engine: Engine | undefined;
  let wasm: E | undefined;
  const ed25519 = (): Engine => (engine ??= makeEngine(instance()));
  const instance = (): E => {
    try {
      return (wasm ??= load());
    } catch (cause) {
      // What else goes wrong (a policy, no SIMD) waiting does not mend.
      if (!(cause instanceof RangeError)) throw cause;
      throw new Error('this engine compiles no module at once: first await ready()', { cause });
    }
  };
  const functions: Ed25519Sync = {
    sign: (message, secretKey) => ed25519().sign(message, secretKey),
    verify: (message, signature, publicKey, options) =>
      ed25519().verify(message, signature, publicKey, options),
    verifyBatch: (items, options) => each(ed25519().verify, items, options),
    newKeyPair: () => ed25519().newKeyPair(),
    keyPairFromSeed: (seed) => ed25519().keyPairFromSeed(seed),
    keyPairFromSecretKey: (secretKey) => ed25519().keyPairFromSecretKey(secretKey),
    createSigner: (secretKey) => ed25519().createSigner(secretKey),
  };
  return {
    ...functions,
    /** Instantiates without waiting for the first call; needed where the engine forbids that. */
    ready: async (): Promise<void> => {
      wasm ??= await loadLater();
    },
    instance,
    ed25519,
  };
};
