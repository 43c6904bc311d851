import { each } from './verifier.js';
import { makeEngine, type Engine } from './engine.js';
import type { Exports } from './wasm/exports.js';
import type { Ed25519 } from './types.js';

/** The engine over a module that comes with the code: loaded when it is first asked for. */
export const once = (
  load: () => Exports | Promise<Exports>,
  stack?: number,
): (() => Promise<Engine>) => {
  let promise: Promise<Engine> | undefined;
  return () => (promise ??= (async () => makeEngine(await load(), stack))());
};

/** The asynchronous functions over an engine. */
export const makeAsynchronous = (engine: () => Promise<Engine>): Ed25519 => ({
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
});
