import { each } from './verifier.js';
import { makeEngine, type Engine } from './engine.js';
import type { Exports } from './wasm/exports.js';
import type { Ed25519 } from './types.js';

/** The asynchronous functions over a module, which is loaded when the first is called. */
export const makeAsynchronous = (
  load: () => Exports | Promise<Exports>,
  stack?: number,
): Ed25519 => {
  let promise: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => (promise ??= (async () => makeEngine(await load(), stack))());
  return {
    sign: async (message, secretKey) => (await engine()).sign(message, secretKey),
    verify: async (message, signature, publicKey, options) =>
      (await engine()).verify(message, signature, publicKey, options),
    verifyBatch: async (items, options) => each((await engine()).verify, items, options),
    newKeyPair: async () => (await engine()).newKeyPair(),
    keyPairFromSeed: async (seed) => (await engine()).keyPairFromSeed(seed),
    keyPairFromSecretKey: async (secretKey) => (await engine()).keyPairFromSecretKey(secretKey),
    createSigner: async (secretKey) => {
      const signer = (await engine()).createSigner(secretKey);
      return { ...signer, sign: async (message) => signer.sign(message) };
    },
  };
};
