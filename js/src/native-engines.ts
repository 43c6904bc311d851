import type { WebKey } from './crypto-key.js';
import { CASES, KEYS } from './native-probe.js';
import type { NodeKey } from './native-types.js';
import { ascii, isOverflow } from './octets.js';
import type { Bytes } from './types.js';

/** What is used of `node:crypto`. */
export interface NodeCrypto {
  readonly KeyObject: abstract new (...args: never[]) => NodeKey;
  createPublicKey(key: { format: 'jwk'; key: object }): NodeKey;
  sign(algorithm: null, message: Uint8Array, key: NodeKey): Uint8Array;
  verify(algorithm: null, message: Uint8Array, key: NodeKey, signature: Uint8Array): unknown;
}

/** A signature to verify: the key has 32 octets, the signature 64. */
type Signed = [message: Bytes, signature: Bytes, publicKey: Bytes];

const decoded = (text: string): Bytes => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/**
 * Signatures whose verdict tells equations apart, and that verdict: A and R are sums of a point of order L and of one of
 * small order, in which the parts of order L cancel. Without a cofactor it depends on the other parts whether the
 * signature is valid; with it, all are.
 */
export const probes = (): [signed: Signed, valid: boolean][] =>
  CASES.map(([key, nth, valid, signature]) => [
    [ascii(`Lanner ${nth}`), decoded(signature), decoded(KEYS[key]!)],
    valid,
  ]);

/** An engine's word, if it gives one. */
const word = (verdict: unknown): boolean | undefined => (typeof verdict == 'boolean' ? verdict : undefined);

/** WebCrypto, as it was when it was probed. */
export interface WebEngine {
  verify(message: Bytes, signature: Bytes, publicKey: Bytes | WebKey): Promise<boolean | undefined>;
}

const ED25519 = { name: 'Ed25519' };

/** WebCrypto, where there is one: what stands in its place (of a sandbox, of a test) may refuse even to be looked at. */
const webCrypto = () => {
  try {
    const { subtle } = globalThis.crypto;
    return { subtle, importKey: subtle.importKey, verifyBy: subtle.verify };
  } catch (error) {
    if (isOverflow(error)) throw error;
    return undefined;
  }
};

/**
 * WebCrypto, if it verifies Ed25519 without a cofactor. Where it fails to answer (a key that is no point, for one), there
 * is no verdict; where the stack is full, that is the caller's doing and says nothing of the engine, and is the caller's error.
 */
export const webEngine = async (): Promise<WebEngine | undefined> => {
  const found = webCrypto();
  if (!found) return undefined;
  const { subtle, importKey, verifyBy } = found;
  const verify: WebEngine['verify'] = async (message, signature, publicKey) => {
    try {
      const key =
        publicKey instanceof Uint8Array
          ? await importKey.call(subtle, 'raw', publicKey, ED25519, false, ['verify'])
          : (publicKey as CryptoKey);
      return word(await verifyBy.call(subtle, ED25519, key, signature, message));
    } catch (error) {
      if (isOverflow(error)) throw error;
      return undefined;
    }
  };
  // One first: most engines that are refused do not know the algorithm.
  const [[first, valid], ...others] = probes() as [[Signed, boolean], ...[Signed, boolean][]];
  if ((await verify(...first)) !== valid) return undefined;
  const verdicts = await Promise.all(others.map(([signed]) => verify(...signed)));
  return others.every(([, right], i) => verdicts[i] === right) ? { verify } : undefined;
};

/** `node:crypto`, as it was when it was probed. */
export interface NodeEngine {
  verify(message: Uint8Array, signature: Bytes, publicKey: Bytes | NodeKey): boolean | undefined;
}

/** `node:crypto` where there is one, without an import that bundlers for browsers would have to resolve. */
export const nodeCrypto = (): NodeCrypto | undefined => {
  try {
    const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
    return process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  } catch {
    return undefined;
  }
};

/** Base64url (RFC 4648 section 5), without padding. */
const base64Url = (bytes: Bytes): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** `node:crypto`, if it verifies Ed25519 without a cofactor. Where it fails to answer, all is as with {@link webEngine}. */
export const nodeEngine = (crypto: NodeCrypto | undefined = nodeCrypto()): NodeEngine | undefined => {
  if (!crypto) return undefined;
  const { createPublicKey, verify: verifyBy } = crypto;
  const verify: NodeEngine['verify'] = (message, signature, publicKey) => {
    try {
      // As a JWK: the quickest way in.
      const key =
        publicKey instanceof Uint8Array
          ? createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: base64Url(publicKey) } })
          : publicKey;
      return word(verifyBy(null, message, key, signature));
    } catch (error) {
      if (isOverflow(error)) throw error;
      return undefined;
    }
  };
  return probes().every(([signed, valid]) => verify(...signed) === valid) ? { verify } : undefined;
};
