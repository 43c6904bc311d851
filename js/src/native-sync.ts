/**
 * Ed25519 by `node:crypto` where there is one and the result is bound to be that of this package, and by this package's
 * code everywhere else; synchronous. Where an engine forbids to compile a module in its main thread, or has no SIMD, await
 * `ready()` first.
 *
 * @module
 */
import packed from '#wasm/small';
import { nodeCrypto, nodeEngine, type NodeEngine } from './native-engines.js';
import { isNodeKey, ofNodeKey, signByNode } from './native-keys.js';
import { isForEngine, makeRequest, type Request } from './native-of.js';
import type { NativeItem, NodeKey } from './native-types.js';
import { copy, each, still, type Own } from './octets.js';
import { atOnce } from './session.js';
import { makeLazy } from './synchronous-ed25519.js';
import { makeReady, type Ready } from './synchronous.js';
import type { Bytes, VerifyOptions } from './types.js';
import { judge, makeState, rulesOf, type Claim } from './verifier.js';
import type { Exports } from './wasm/exports.js';

export type { NativeItem, NodeKey } from './native-types.js';
export type { Bytes, Profile, VerifyOptions } from './types.js';

const module: Ready<Exports> = /* @__PURE__ */ makeReady<Exports>(packed, () => import('#fallback/compat'));
const ours = /* @__PURE__ */ makeLazy(module);

let probed: { engine: NodeEngine | undefined } | undefined;
const engine = (): NodeEngine | undefined => (probed ??= { engine: nodeEngine() }).engine;

const requests = (own: Own) =>
  makeRequest<NodeKey>(own, (key): key is NodeKey => isNodeKey(key, nodeCrypto()), 'a Uint8Array or a KeyObject');
const request = /* @__PURE__ */ requests(still);
/** One of many, between which the caller's code runs. */
const item = /* @__PURE__ */ requests(copy);

const decide = ({ message, signature, publicKey: key, rules }: Request<NodeKey>): boolean => {
  const octets = key instanceof Uint8Array ? key : ofNodeKey(key);
  if (signature.length != 64) return false;
  const claim: Claim = [signature, octets, rules];
  const verdict = isForEngine(claim) ? engine()?.verify(message, signature, key) : undefined;
  if (verdict !== undefined) return verdict;
  const own = ours();
  return own.run(makeState(), () => atOnce(judge(own, message, claim)));
};

/**
 * Whether a signature of a message is valid under a public key: the verdict that `verify` of `lanner/sync` has, by every
 * profile, with the same errors. `node:crypto` is asked where `verify` of `lanner/native` would ask it.
 *
 * @param signature - 64 bytes
 * @param publicKey - 32 bytes, or a public `KeyObject` of Ed25519, which need not be read each time
 */
export const verify = (
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array | NodeKey,
  options?: VerifyOptions,
): boolean => decide(request({ message, signature, publicKey }, rulesOf(options)));

/**
 * One verdict for each item, in their order, and the same that `verify` gives. A malformed item is an error of the whole
 * call.
 *
 * @param items - an array of `{ message, signature, publicKey }`, or anything else that can be iterated over
 */
export const verifyBatch = (items: Iterable<NativeItem<NodeKey>>, options?: VerifyOptions): boolean[] => {
  const rules = rulesOf(options);
  return each(items, (one) => item(one, rules)).map(decide);
};

/**
 * Signs a message with a private `KeyObject`: 64 bytes.
 *
 * `node:crypto` alone signs: an octet string is never a key here, because what an engine copies of it cannot be
 * overwritten. A `TypeError` where the key is no private `KeyObject` of Ed25519. In constant time as far as the engine is.
 *
 * @param key - a private `KeyObject` of Ed25519
 */
export const sign = (message: Uint8Array, key: NodeKey): Bytes => {
  const own = still('message', message);
  const builtin = nodeCrypto();
  if (!isNodeKey(key, builtin)) throw TypeError('key must be a KeyObject');
  return signByNode(builtin!, own, key);
};

/**
 * Whether signatures under public keys are verified by `node:crypto` here, as far as `verify` lets it: it is there, and
 * computes the equation without a cofactor.
 */
export const isNative = (): boolean => !!engine();

/** Instantiates the module without waiting for the first call; needed where the engine forbids that, or has no SIMD. */
export const ready: () => Promise<void> = module.ready;
