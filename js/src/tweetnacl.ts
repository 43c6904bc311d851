import { load, loadLater } from '#nacl';
import { makeSynchronous } from './synchronous.js';
import { copy, isOctets, still } from './octets.js';
import type { KeyPair } from './types.js';
import { makeState } from './verifier.js';

const { ready, instance, engine, ...ed25519 } = /* @__PURE__ */ makeSynchronous(load, loadLater);

export { ready };

const types = (...values: Uint8Array[]): void => {
  for (const value of values)
    if (!isOctets(value)) throw new TypeError('unexpected type, use Uint8Array');
};

/** In the words of tweetnacl; what is used is checked again, when it has been copied. */
const size = (value: Uint8Array, length: number, name: string): void => {
  if (value.length != length) throw new Error(`bad ${name} size`);
};

const detached = (message: Uint8Array, secretKey: Uint8Array): Uint8Array => {
  types(message, secretKey);
  size(secretKey, 64, 'secret key');
  return ed25519.sign(message, secretKey);
};

detached.verify = (
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean => {
  types(message, signature, publicKey);
  size(signature, 64, 'signature');
  size(publicKey, 32, 'public key');
  return ed25519.verify(message, signature, publicKey);
};

const keyPair = (): KeyPair => ed25519.newKeyPair();

keyPair.fromSecretKey = (secretKey: Uint8Array): KeyPair => {
  types(secretKey);
  size(secretKey, 64, 'secret key');
  return ed25519.keyPairFromSecretKey(secretKey);
};

keyPair.fromSeed = (seed: Uint8Array): KeyPair => {
  types(seed);
  size(seed, 32, 'seed');
  return ed25519.keyPairFromSeed(seed);
};

/** `nacl.sign`: a signature of 64 bytes and the message after it. */
export const sign = (message: Uint8Array, secretKey: Uint8Array): Uint8Array => {
  types(message, secretKey);
  const text = still('message', message);
  const signed = new Uint8Array(64 + text.length);
  signed.set(text, 64);
  signed.set(detached(text, secretKey));
  return signed;
};

sign.open = (signed: Uint8Array, publicKey: Uint8Array): Uint8Array | null => {
  types(signed, publicKey);
  size(publicKey, 32, 'public key');
  const bytes = still('signed', signed);
  const message = bytes.slice(64);
  return bytes.length > 63 && ed25519.verify(message, bytes.subarray(0, 64), publicKey) ? message : null;
};

sign.detached = detached;
sign.keyPair = keyPair;
sign.publicKeyLength = 32;
sign.secretKeyLength = 64;
sign.seedLength = 32;
sign.signatureLength = 64;

/** `nacl.scalarMult`: X25519. As in tweetnacl, a result of zeros is no error. */
export const scalarMult = (n: Uint8Array, p: Uint8Array): Uint8Array => {
  types(n, p);
  size(n, 32, 'n');
  size(p, 32, 'p');
  const { run, put, take } = engine();
  const u = copy('p', p, 32);
  const scalar = copy('n', n, 32);
  const state = makeState();
  try {
    return run(state, () => {
      put(scalar);
      put(u, 32);
      instance().x();
      return take(32);
    });
  } finally {
    state.fill(0);
    scalar.fill(0);
  }
};

scalarMult.base = (n: Uint8Array): Uint8Array => {
  types(n);
  size(n, 32, 'n');
  const nine = new Uint8Array(32);
  nine[0] = 9;
  return scalarMult(n, nine);
};

scalarMult.scalarLength = 32;
scalarMult.groupElementLength = 32;

/** `nacl.randomBytes`: from `crypto.getRandomValues`. */
export const randomBytes = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  // 65536 at once is what the interface allows.
  for (let i = 0; i < length; i += 65536) crypto.getRandomValues(bytes.subarray(i, i + 65536));
  return bytes;
};

/** `nacl.verify`: whether two arrays are the same, in constant time; empty ones never are. */
export const verify = (x: Uint8Array, y: Uint8Array): boolean => {
  types(x, y);
  if (!x.length || x.length != y.length) return false;
  let difference = 0;
  for (let i = 0; i < x.length; i++) difference |= x[i]! ^ y[i]!;
  return difference == 0;
};

export default { sign, scalarMult, randomBytes, verify, ready };
