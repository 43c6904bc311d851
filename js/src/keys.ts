/**
 * Keys in the forms of others: PKCS#8, SubjectPublicKeyInfo, PEM, JWK, `CryptoKey`, hexadecimal, base64; and those of
 * Ed25519 turned into those of X25519.
 *
 * @module
 */
import type { MadeWebKey, WebKey } from './crypto-key.js';
import { elements, readPrivate } from './der.js';
import { strange } from './engine.js';
import { keyPairFromSeed } from './index.js';
import { copy, known, still } from './octets.js';
import { engine } from './small-engine.js';
import type { Bytes } from './types.js';
import { makeState } from './verifier.js';
import { keyPairFromSecretKey as x25519KeyPair } from './x25519.js';

export type { MadeWebKey, WebKey } from './crypto-key.js';

/** What a key is for: signing or key agreement. */
export type Curve = 'Ed25519' | 'X25519';

// No interface: types with members of any name, as older ones of Node, take none.
/** A key as a JSON Web Key (RFC 8037). */
export type Jwk = {
  kty: 'OKP';
  crv: Curve;
  /** The public key. */
  x: string;
  /** The secret: of Ed25519 the seed. */
  d?: string;
};

/** What is read as a JWK: any object, as `JsonWebKey` of WebCrypto, whose members are looked at. */
export interface JwkLike {
  kty?: string | undefined;
  crv?: string | undefined;
  x?: string | undefined;
  d?: string | undefined;
}

/** A public key that was read: 32 bytes. */
export interface PublicKey {
  curve: Curve;
  publicKey: Bytes;
}

/**
 * A secret key that was read: 32 bytes, of Ed25519 the seed; and its public key, which was checked
 * if it was there.
 */
export interface PrivateKey extends PublicKey {
  secret: Bytes;
}

const HEX = '0123456789abcdef';

/** The hexadecimal digits of octets, in lower case: two for each. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(still('bytes', bytes), (byte) => HEX[byte >> 4]! + HEX[byte & 15]!).join('');

/** The octets of hexadecimal digits, of either case; a `RangeError` where there is anything else. */
export const fromHex = (text: string): Bytes => {
  if (typeof text != 'string') throw TypeError('text must be a string');
  if (text.length % 2 || !/^[0-9a-f]*$/i.test(text))
    throw RangeError('text is not an even number of hexadecimal digits');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
};

/** Octets in base64 (RFC 4648 section 4), with padding. */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of still('bytes', bytes)) text += String.fromCharCode(byte);
  return btoa(text);
};

/** Octets in base64url (RFC 4648 section 5), without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const decode = (name: string, text: string, encoding: string): Bytes => {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  // The decoder ignores bits that are none of any byte; then another text would be the same bytes.
  if (toBase64(bytes) == text) return bytes;
  // They may be a secret all the same.
  bytes.fill(0);
  throw RangeError(`${name} is not canonical ${encoding}`);
};

/** The octets of canonical base64 with padding; a `RangeError` where it is none. */
export const fromBase64 = (text: string): Bytes => {
  if (typeof text != 'string') throw TypeError('text must be a string');
  if (text.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw RangeError('text is not base64');
  return decode('text', text, 'base64');
};

const base64Url = (name: string, text: string): Bytes => {
  if (typeof text != 'string') throw TypeError(name + ' must be a string');
  if (text.length % 4 == 1 || !/^[\w-]*$/.test(text)) throw RangeError(name + ' is not base64url');
  const padded = text + '='.repeat(-text.length & 3);
  return decode(name, padded.replaceAll('-', '+').replaceAll('_', '/'), 'base64url');
};

/** The octets of canonical base64url without padding; a `RangeError` where it is none. */
export const fromBase64Url = (text: string): Bytes => base64Url('text', text);

// RFC 8410: the identifiers are 1.3.101.110 and 1.3.101.112.
const ARCS: Record<Curve, number> = { X25519: 110, Ed25519: 112 };

const arc = (curve: Curve): number => {
  // An array of one name would be the name of a member, too.
  if (typeof curve != 'string' || !Object.hasOwn(ARCS, curve)) throw RangeError('curve must be Ed25519 or X25519');
  return ARCS[curve];
};

const curveOf = (code: number | undefined): Curve => {
  if (code == 110) return 'X25519';
  if (code == 112) return 'Ed25519';
  throw RangeError('the key is neither of Ed25519 nor of X25519');
};

/** A public key of 32 bytes in DER, SubjectPublicKeyInfo (RFC 8410): 44 bytes. */
export const toSpki = (publicKey: Uint8Array, curve: Curve = 'Ed25519'): Bytes => {
  const own = copy('publicKey', publicKey, 32);
  return Uint8Array.of(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, arc(curve), 3, 0x21, 0, ...own);
};

/** Reads a public key in DER, SubjectPublicKeyInfo (RFC 8410): 44 bytes, a `RangeError` where they are none. */
export const fromSpki = (der: Uint8Array): PublicKey => {
  const own = copy('der', der);
  const curve = curveOf(own[8]);
  const publicKey = own.slice(12);
  if (publicKey.length != 32 || toSpki(publicKey, curve).some((byte, i) => byte != own[i]))
    throw RangeError('der is not a SubjectPublicKeyInfo of RFC 8410');
  return { curve, publicKey };
};

/** A secret of 32 bytes (of Ed25519 the seed) in DER, PKCS#8 version 1, which everyone reads: 48 bytes. */
export const toPkcs8 = (secret: Uint8Array, curve: Curve = 'Ed25519'): Bytes => {
  const code = arc(curve);
  const own = copy('secret', secret, 32);
  const der = new Uint8Array(48);
  der.set([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, code, 4, 0x22, 4, 0x20]);
  der.set(own, 16);
  own.fill(0);
  return der;
};

/**
 * The key pair of a secret, whose public key, if given, must be the same. Both are the caller's own copies; the secret
 * is overwritten, unless it is given out.
 */
const complete = async (
  curve: Curve,
  secret: Bytes,
  given?: Uint8Array,
  foreign = (): RangeError => RangeError('the public key is not that of the secret'),
): Promise<PrivateKey> => {
  try {
    const pair = await (curve == 'Ed25519' ? keyPairFromSeed : x25519KeyPair)(secret);
    pair.secretKey.fill(0);
    const { publicKey } = pair;
    if (given && (given.length != 32 || given.some((byte, i) => byte != publicKey[i])))
      throw foreign();
    return { curve, secret, publicKey };
  } catch (error) {
    secret.fill(0);
    throw error;
  }
};

/**
 * Reads DER, PKCS#8: version 1, version 2 (RFC 5958) with attributes and public key, and the form
 * that old versions of ring wrote, whose public key has another tag. A `RangeError` where it is none of these, or where
 * the public key in it is not that of the secret.
 */
export const fromPkcs8 = async (der: Uint8Array): Promise<PrivateKey> => {
  const fail = (): never => {
    throw RangeError('der is not a PKCS#8 key of RFC 8410');
  };
  const own = copy('der', der);
  try {
    const [algorithm, octets, given] = readPrivate(own, fail);
    if (!/^6,3,43,101,\d+$/.test(String(algorithm))) fail();
    const curve = curveOf(algorithm[4]);
    const secret = elements(octets, /^4,$/, fail)[0]![1];
    if (secret.length != 32) fail();
    // Nothing fails from here on, and so the copy is in good hands.
    return await complete(curve, secret.slice() as Bytes, given);
  } finally {
    own.fill(0);
  }
};

/** A public key of 32 bytes as a JWK (RFC 8037), which WebCrypto takes as `JsonWebKey`. */
export const publicToJwk = (publicKey: Uint8Array, curve: Curve = 'Ed25519'): Jwk => {
  arc(curve);
  return { kty: 'OKP', crv: curve, x: toBase64Url(copy('publicKey', publicKey, 32)) };
};

/** A secret of 32 bytes (of Ed25519 the seed) as a JWK (RFC 8037), with its public key, which is derived. */
export const privateToJwk = async (
  secret: Uint8Array,
  curve: Curve = 'Ed25519',
): Promise<Jwk> => {
  arc(curve);
  const own = copy('secret', secret, 32);
  try {
    const { publicKey } = await complete(curve, own);
    return { ...publicToJwk(publicKey, curve), d: toBase64Url(own) };
  } finally {
    own.fill(0);
  }
};

/** A curve by its name. */
const named = (curve: unknown): Curve => {
  arc(curve as Curve);
  return curve as Curve;
};

/** The members of a JWK, each looked at once. */
const readJwk = (jwk: JwkLike): { curve: Curve; x: unknown; d: unknown } => {
  const { kty, crv: curve, x, d } = jwk ?? {};
  if (kty !== 'OKP') throw RangeError('jwk.kty must be OKP');
  return { curve: named(curve), x, d };
};

const part = (name: string, text: unknown): Bytes => {
  const bytes = base64Url('jwk.' + name, text as string);
  if (bytes.length == 32) return bytes;
  bytes.fill(0);
  throw RangeError(`jwk.${name} must have 32 bytes, not ${bytes.length}`);
};

/** Reads the public key of a JWK, or of a `JsonWebKey`; a `RangeError` where it is none of Ed25519 or X25519. */
export const publicFromJwk = (jwk: JwkLike): PublicKey => {
  const { curve, x } = readJwk(jwk);
  return { curve, publicKey: part('x', x) };
};

/** Reads the secret of a JWK, or of a `JsonWebKey`; a `RangeError` where its public key is not that of the secret. */
export const privateFromJwk = async (jwk: JwkLike): Promise<PrivateKey> => {
  const { curve, x, d } = readJwk(jwk);
  const publicKey = part('x', x);
  return complete(curve, part('d', d), publicKey);
};

/** DER as PEM (RFC 7468), in lines of 64 characters. */
export const toPem = (der: Uint8Array, label: 'PRIVATE KEY' | 'PUBLIC KEY'): string => {
  if (!/^(PRIVATE|PUBLIC) KEY$/.test(label)) throw RangeError('label must be PRIVATE KEY or PUBLIC KEY');
  return `-----BEGIN ${label}-----\n${toBase64(der).replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;
};

/** The most characters of PEM: ten times as many as the longest key of this package takes. */
const PEM = 65536;

/**
 * The DER and the label of PEM (RFC 7468), in time linear in its length, and of at most 65536 characters. Text may be before
 * it, in lines of its own, and white space around it, and that of ASCII within the base64. Labels are words of capitals.
 */
export const fromPem = (pem: string): { label: string; der: Bytes } => {
  if (typeof pem != 'string') throw TypeError('text must be a string');
  if (pem.length > PEM) throw RangeError(`text has more than ${PEM} characters`);
  const none = (): never => {
    throw RangeError('text is not PEM');
  };
  const all = pem.trim();
  const text = all.slice(all.search(/(^|[\r\n])-----BEGIN /)).trimStart();
  const begin = '-----BEGIN ';
  const label = text.slice(begin.length, text.indexOf('-----', begin.length));
  const [first, last] = [`${begin}${label}-----`, `-----END ${label}-----`];
  if (!/^[A-Z]+( [A-Z]+)*$/.test(label) || !text.startsWith(first) || !text.endsWith(last)) none();
  const body = text.slice(first.length, -last.length);
  // The white space of RFC 7468 section 3, of which there are no other characters in ECMAScript's sense.
  if (!/^[\t-\r ]/.test(body) || !body.trim()) none();
  return { label, der: fromBase64(body.replace(/[\t-\r ]+/g, '')) };
};

/** Splits a secret key of 64 bytes: the seed, and the public key; a `RangeError` where that is not the seed's. */
export const fromSecretKey = async (secretKey: Uint8Array): Promise<PrivateKey> => {
  const own = copy('secretKey', secretKey, 64);
  try {
    return await complete('Ed25519', own.slice(0, 32), own.subarray(32), strange);
  } finally {
    own.fill(0);
  }
};

/** The secret key of 64 bytes of a seed of 32: the seed, and its public key. */
export const toSecretKey = async (seed: Uint8Array): Promise<Bytes> =>
  (await keyPairFromSeed(seed)).secretKey;

export { publicKeyFromEd25519 } from './conversion.js';

/**
 * The X25519 secret key of an Ed25519 secret key: the first half of the seed's SHA-512, as libsodium and noble derive it.
 * What belongs to it is `publicKeyFromEd25519` of the public key. 32 bytes.
 *
 * @param secretKey - 64 bytes; a `RangeError` where its public half is not the seed's
 */
export const secretKeyFromEd25519 = async (secretKey: Uint8Array): Promise<Bytes> => {
  const { secret: seed } = await fromSecretKey(secretKey);
  const state = makeState();
  try {
    const { put, take, run, wasm } = await engine();
    const digest = run(state, () => {
      wasm.h();
      put(seed);
      wasm.u(32);
      wasm.d!();
      return take(64);
    });
    const scalar = digest.slice(0, 32);
    digest.fill(0);
    // RFC 8032 section 5.1.5, step 2. X25519 would do the same with it.
    scalar[0]! &= 248;
    scalar[31]! &= 127;
    scalar[31]! |= 64;
    return scalar;
  } finally {
    seed.fill(0);
    state.fill(0);
  }
};

/** What a `CryptoKey` is to be like. Other members than these are errors. */
export interface CryptoKeyOptions {
  /** Whether the engine gives the key out again; not unless it is asked for. A public key always is. */
  extractable?: boolean | undefined;
}

/** What WebCrypto may do with the keys. */
const usages = (curve: Curve, isPrivate: boolean): KeyUsage[] =>
  curve == 'X25519' ? (isPrivate ? ['deriveBits'] : []) : [isPrivate ? 'sign' : 'verify'];

/** A public key of 32 bytes as a `CryptoKey`, to verify or to agree with. Rejected where the engine has no such keys. */
export const publicToCryptoKey = async (
  publicKey: Uint8Array,
  curve: Curve = 'Ed25519',
): Promise<MadeWebKey> => {
  arc(curve);
  const own = copy('publicKey', publicKey, 32);
  return (await crypto.subtle.importKey('raw', own, { name: curve }, true, usages(curve, false))) as MadeWebKey;
};

/**
 * A secret of 32 bytes (of Ed25519 the seed) as a private `CryptoKey`, to sign or to agree. What the engine copies of
 * it, this package cannot overwrite. Rejected where the engine has no such keys.
 */
export const privateToCryptoKey = async (
  secret: Uint8Array,
  curve: Curve = 'Ed25519',
  options?: CryptoKeyOptions,
): Promise<MadeWebKey> => {
  const [extractable = false] = known(options, 'extractable');
  const der = toPkcs8(secret, curve);
  try {
    return (await crypto.subtle.importKey('pkcs8', der, { name: curve }, extractable, usages(curve, true))) as MadeWebKey;
  } finally {
    der.fill(0);
  }
};

/** What a `CryptoKey` of a certain type is for. */
const curveOfKey = (key: WebKey, type: 'public' | 'private'): Curve => {
  if (key?.type != type) throw TypeError(`key must be a ${type} CryptoKey`);
  return named(key.algorithm.name);
};

/** Reads a public `CryptoKey` of Ed25519 or X25519: 32 bytes. A `TypeError` where it is no public key. */
export const publicFromCryptoKey = async (key: WebKey): Promise<PublicKey> => {
  const curve = curveOfKey(key, 'public');
  return { curve, publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', key as CryptoKey)) };
};

/** Reads a private `CryptoKey` of Ed25519 or X25519, which must be extractable: the engine rejects others. */
export const privateFromCryptoKey = async (key: WebKey): Promise<PrivateKey> => {
  const curve = curveOfKey(key, 'private');
  const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', key as CryptoKey));
  try {
    const read = await fromPkcs8(der);
    if (read.curve == curve) return read;
    read.secret.fill(0);
    throw RangeError('key is not what it is named for');
  } finally {
    der.fill(0);
  }
};
