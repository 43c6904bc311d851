/**
 * X25519 (RFC 7748), asynchronous: key agreement. What is given to a function has been copied when it returns its promise.
 *
 * @module
 */
import packed from '#wasm/x25519';
import { loaded, once } from './loading.js';
import type { X25519Exports } from './wasm/exports.js';
import { makeMultiply, makeX25519, type Multiply } from './x25519-of.js';
import type { X25519 } from './x25519-types.js';

export type { Bytes } from './types.js';
export type { X25519, X25519KeyPair } from './x25519-types.js';

const engine = /* @__PURE__ */ once(async (): Promise<Multiply> =>
  makeMultiply(await loaded<X25519Exports>(packed, () => import('#fallback/compat'))),
);
const x25519: X25519 = /* @__PURE__ */ makeX25519(async (plan) => {
  const [work, secret] = plan();
  try {
    return work(await engine());
  } finally {
    secret.fill(0);
  }
}) as X25519;

/** A new key pair, 32 bytes each, from `crypto.getRandomValues`. */
export const newKeyPair: X25519['newKeyPair'] = x25519.newKeyPair;

/**
 * The key pair of a secret key.
 *
 * @param secretKey - any 32 bytes; another length is a `RangeError`
 */
export const keyPairFromSecretKey: X25519['keyPairFromSecretKey'] = x25519.keyPairFromSecretKey;

/**
 * The shared secret of one's own secret key and another's public key: 32 bytes, to be hashed before use. A `RangeError`
 * where it would be zero, which public keys of small order bring about (RFC 7748 section 6.1). Constant time, as far as
 * the engine's compiler keeps it.
 *
 * @param secretKey - 32 bytes
 * @param publicKey - 32 bytes
 */
export const sharedSecret: X25519['sharedSecret'] = x25519.sharedSecret;
