import { load } from '#verify';
import { each, makeVerifier, type Item, type VerifyOptions } from './verifier.js';

export type { Item, Profile, VerifyOptions } from './verifier.js';

let promise: Promise<ReturnType<typeof makeVerifier>> | undefined;
const engine = () => (promise ??= (async () => makeVerifier(await load()))());

/** Whether a signature is valid: `verify` of the main module. */
export const verify = async (
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
  options?: VerifyOptions,
): Promise<boolean> => (await engine()).verify(message, signature, publicKey, options);

/** One verdict for each item: `verifyBatch` of the main module. */
export const verifyBatch = async (
  items: Iterable<Item>,
  options?: VerifyOptions,
): Promise<boolean[]> => each((await engine()).verify, items, options);
