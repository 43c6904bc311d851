import type { WebKey } from './crypto-key.js';
import type { NodeCrypto } from './native-engines.js';
import type { NodeKey } from './native-types.js';
import type { Bytes } from './types.js';

/** The octets of public keys that were looked at. */
const seen: WeakMap<object, Bytes> = /* @__PURE__ */ new WeakMap();

/** A `KeyObject` of `node:crypto`. */
export const isNodeKey = (key: unknown, crypto: NodeCrypto | undefined): key is NodeKey =>
  !!crypto?.KeyObject && key instanceof crypto.KeyObject;

/** A `CryptoKey`, by what it says of itself; the engine refuses what only says so. */
export const isCryptoKey = (key: unknown): key is WebKey =>
  typeof (key as WebKey | undefined)?.algorithm?.name == 'string';

/** Whether a `CryptoKey` is for one of the two uses of Ed25519. */
export const isFor = (key: WebKey, type: 'public' | 'private', use: 'sign' | 'verify'): boolean =>
  key.type == type && key.algorithm.name == 'Ed25519' && key.usages.includes(use);

/** The 32 octets of a public `KeyObject`. */
export const ofNodeKey = (key: NodeKey): Bytes => {
  const known = seen.get(key);
  if (known) return known;
  if (key.type != 'public' || key.asymmetricKeyType != 'ed25519')
    throw TypeError('publicKey must be a public KeyObject of Ed25519');
  // SubjectPublicKeyInfo (RFC 8410): the key is its end.
  const der = (key as NodeKey & { export(how: object): Uint8Array }).export({ format: 'der', type: 'spki' });
  const octets = new Uint8Array(der.subarray(-32));
  seen.set(key, octets);
  return octets;
};

/** The 32 octets of a public `CryptoKey`. */
export const ofCryptoKey = async (key: WebKey): Promise<Bytes> => {
  const known = seen.get(key);
  if (known) return known;
  if (!isFor(key, 'public', 'verify')) throw TypeError('publicKey must be a public CryptoKey of Ed25519, to verify');
  if (!key.extractable) throw TypeError('publicKey must be extractable: its octets are looked at');
  const octets = new Uint8Array(await crypto.subtle.exportKey('raw', key as CryptoKey));
  seen.set(key, octets);
  return octets;
};

/** The signature by a private `KeyObject`. */
export const signByNode = (crypto: NodeCrypto, message: Uint8Array, key: NodeKey): Bytes => {
  if (key.type != 'private' || key.asymmetricKeyType != 'ed25519')
    throw TypeError('key must be a private KeyObject of Ed25519');
  return new Uint8Array(crypto.sign(null, message, key));
};
