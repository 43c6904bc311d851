/**
 * X25519 (RFC 7748), synchronous: key agreement. The module is compiled in the first call; where an engine forbids that
 * in its main thread, or has no SIMD, await `ready()` first.
 *
 * @module
 */
import packed from '#wasm/x25519';
import { makeReady, type Ready } from './synchronous.js';
import type { X25519Exports } from './wasm/exports.js';
import { makeMultiply, makeX25519, type Multiply } from './x25519-of.js';
import type { X25519Sync } from './x25519-types.js';

export type { Bytes } from './types.js';
export type { X25519KeyPair, X25519Sync } from './x25519-types.js';

const module: Ready<X25519Exports> = /* @__PURE__ */ makeReady<X25519Exports>(
  packed,
  () => import('#fallback/compat'),
);
let made: Multiply | undefined;
const x25519: X25519Sync = /* @__PURE__ */ makeX25519((plan) => {
  const [work, secret] = plan();
  try {
    return work((made ??= makeMultiply(module.instance())));
  } finally {
    secret.fill(0);
  }
}) as X25519Sync;

/** A new key pair, 32 bytes each, from `crypto.getRandomValues`. */
export const newKeyPair: X25519Sync['newKeyPair'] = x25519.newKeyPair;

/**
 * The key pair of a secret key.
 *
 * @param secretKey - any 32 bytes; another length is a `RangeError`
 */
export const keyPairFromSecretKey: X25519Sync['keyPairFromSecretKey'] = x25519.keyPairFromSecretKey;

/**
 * The shared secret of `sharedSecret` of `lanner/x25519`, at once: 32 bytes, to be hashed before use. A `RangeError` where it
 * would be zero, which public keys of small order bring about.
 *
 * @param secretKey - 32 bytes
 * @param publicKey - 32 bytes
 */
export const sharedSecret: X25519Sync['sharedSecret'] = x25519.sharedSecret;

/** Instantiates the module without waiting for the first call; needed where the engine forbids that, or has no SIMD. */
export const ready: () => Promise<void> = module.ready;
