/**
 * Ed25519 by the engine's own cryptography where the result is bound to be that of this package, and by this package's
 * everywhere else. What is given to a function has been copied when it returns its promise, and may be changed or
 * overwritten then.
 *
 * @module
 */
import { promising } from './asynchronous.js';
import type { WebKey } from './crypto-key.js';
import { once } from './loading.js';
import { nodeCrypto, nodeEngine, webEngine, type NodeEngine, type WebEngine } from './native-engines.js';
import { isCryptoKey, isFor, isNodeKey, ofCryptoKey, ofNodeKey, signByNode } from './native-keys.js';
import { isForEngine, makeRequest, type Request } from './native-of.js';
import type { NativeItem, NodeKey } from './native-types.js';
import { copy, each } from './octets.js';
import { turn } from './long.js';
import { rest } from './session.js';
import { engine } from './small-engine.js';
import type { Bytes, VerifyOptions } from './types.js';
import { judge, rulesOf, type Claim } from './verifier.js';

export type { WebKey } from './crypto-key.js';
export type { NativeItem, NodeKey } from './native-types.js';
export type { Bytes, Profile, VerifyOptions } from './types.js';

/** A key of the engine: `CryptoKey` of WebCrypto, or `KeyObject` of `node:crypto`. */
export type EngineKey = WebKey | NodeKey;

/** The most octets of a message for which the event loop may wait. */
const SHORT = 65536;

/** How many signatures are handed to the engine together. */
const TOGETHER = 32;

const web: () => Promise<WebEngine | undefined> = /* @__PURE__ */ once(webEngine);
const node: () => Promise<NodeEngine | undefined> = /* @__PURE__ */ once(async () => nodeEngine());
const ours = /* @__PURE__ */ promising(engine);

const request = /* @__PURE__ */ makeRequest<EngineKey>(
  copy,
  (key): key is EngineKey => isNodeKey(key, nodeCrypto()) || isCryptoKey(key),
  'a Uint8Array, a CryptoKey or a KeyObject',
);

/** What the engine says of a claim under a key of its own, or under octets. */
const asked = async (
  { message, publicKey: given }: Request<EngineKey>,
  [signature, octets]: Claim,
): Promise<boolean | undefined> => {
  const [sig, key] = [signature as Bytes, octets as Bytes];
  if (isNodeKey(given, nodeCrypto())) return (await node())?.verify(message, sig, given);
  if (isCryptoKey(given)) return (await web())?.verify(message, sig, given);
  // Where both are there, the one does not wait for a thread, and the other does not keep this one.
  const byNode = message.length <= SHORT ? (await node())?.verify(message, sig, key) : undefined;
  return byNode ?? (await web())?.verify(message, sig, key);
};

const decide = async (one: Request<EngineKey>): Promise<boolean> => {
  const { message, signature, publicKey, rules } = one;
  const octets = isNodeKey(publicKey, nodeCrypto())
    ? ofNodeKey(publicKey)
    : isCryptoKey(publicKey)
      ? await ofCryptoKey(publicKey)
      : publicKey;
  if (signature.length != 64) return false;
  const claim: Claim = [signature, octets, rules];
  const verdict = isForEngine(claim) ? await asked(one, claim) : undefined;
  return verdict ?? (ours(() => [(own) => judge(own, message, claim)]) as Promise<boolean>);
};

/**
 * Whether a signature of a message is valid under a public key: the verdict that `verify` of `lanner` has, by every
 * profile.
 *
 * The engine is asked only where its answer is bound to be the same: S is below L, the public key and R are canonical
 * and not of small order, the profile has no cofactor, and the engine told signatures with components of small
 * order apart when it was first used. By default by the profile `strict`; the errors are those of `lanner`, and a
 * `TypeError` for a key of another kind.
 *
 * @param signature - 64 bytes
 * @param publicKey - 32 bytes, or a public `CryptoKey` (extractable, to verify) or `KeyObject` of Ed25519, which spare the
 *   engine to read it each time
 */
export const verify = async (
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array | EngineKey,
  options?: VerifyOptions,
): Promise<boolean> => {
  const own = request({ message, signature, publicKey }, rulesOf(options));
  await rest();
  return decide(own);
};

/**
 * One verdict for each item, in their order, and the same that `verify` gives. A malformed item is an error of the whole
 * call. Where the engine has threads for it, several are verified at once.
 *
 * @param items - an array of `{ message, signature, publicKey }`, or anything else that can be iterated over
 */
export const verifyBatch = async (
  items: Iterable<NativeItem<EngineKey>>,
  options?: VerifyOptions,
): Promise<boolean[]> => {
  const rules = rulesOf(options);
  const requests = each(items, (item) => request(item, rules));
  const verdicts: boolean[] = [];
  while (verdicts.length < requests.length) {
    if (verdicts.length) await turn();
    const some = requests.slice(verdicts.length, verdicts.length + TOGETHER);
    verdicts.push(...(await Promise.all(some.map(decide))));
  }
  return verdicts;
};

/**
 * Signs a message with a private key that the engine holds: 64 bytes.
 *
 * The engine alone signs: an octet string is never a key here, because what an engine copies of it cannot be overwritten.
 * RFC 8032 signs without randomness; engines may add some, and then sign differently each time. A `TypeError` where the key
 * is no private key of Ed25519 to sign with; what the engine refuses, it refuses in its own words. In constant time as
 * far as the engine is.
 *
 * @param key - a private `CryptoKey` (to sign) or `KeyObject` of Ed25519
 */
export const sign = async (message: Uint8Array, key: EngineKey): Promise<Bytes> => {
  const own = copy('message', message);
  const builtin = nodeCrypto();
  if (isNodeKey(key, builtin)) return signByNode(builtin!, own, key);
  if (!isCryptoKey(key)) throw TypeError('key must be a CryptoKey or a KeyObject');
  if (!isFor(key, 'private', 'sign')) throw TypeError('key must be a private CryptoKey of Ed25519, to sign');
  return new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, key as CryptoKey, own));
};

/**
 * Whether signatures under public keys of 32 bytes are verified by the engine here, as far as `verify` lets it: it has
 * Ed25519, and computes the equation without a cofactor. Of engine keys of another kind than it uses for these it says
 * nothing.
 */
export const isNative = async (): Promise<boolean> => !!((await node()) ?? (await web()));
