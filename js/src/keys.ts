import { keyPairFromSeed } from './index.js';
import { copy, still } from './octets.js';
import { keyPairFromSecretKey as x25519KeyPair } from './x25519.js';

/** What a key is for: signing or key agreement. */
export type Curve = 'Ed25519' | 'X25519';

/** A key as a JSON Web Key (RFC 8037). */
export interface Jwk {
  kty: 'OKP';
  crv: Curve;
  /** The public key. */
  x: string;
  /** The secret: of Ed25519 the seed. */
  d?: string;
}

/** A public key that was read: 32 bytes. */
export interface PublicKey {
  curve: Curve;
  publicKey: Uint8Array;
}

/**
 * A secret key that was read: 32 bytes, of Ed25519 the seed; and its public key, which was checked
 * if it was there.
 */
export interface PrivateKey extends PublicKey {
  secret: Uint8Array;
}

const HEX = '0123456789abcdef';

/** Hexadecimal digits, in lower case. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(still('bytes', bytes), (byte) => HEX[byte >> 4]! + HEX[byte & 15]!).join('');

/** The bytes of hexadecimal digits, of either case, and of nothing else. */
export const fromHex = (text: string): Uint8Array => {
  if (typeof text != 'string') throw TypeError('text must be a string');
  if (text.length % 2 || !/^[0-9a-f]*$/i.test(text))
    throw RangeError('text is not an even number of hexadecimal digits');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
};

/** Base64 (RFC 4648 section 4), with padding. */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of still('bytes', bytes)) text += String.fromCharCode(byte);
  return btoa(text);
};

/** Base64url (RFC 4648 section 5), without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const decode = (text: string, name: string): Uint8Array => {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  // The decoder ignores bits that are none of any byte; then another text would be the same bytes.
  if (toBase64(bytes) != text) throw RangeError(`text is not canonical ${name}`);
  return bytes;
};

/** The bytes of canonical base64 with padding. */
export const fromBase64 = (text: string): Uint8Array => {
  if (typeof text != 'string') throw TypeError('text must be a string');
  if (text.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw RangeError('text is not base64');
  return decode(text, 'base64');
};

/** The bytes of canonical base64url without padding. */
export const fromBase64Url = (text: string): Uint8Array => {
  if (typeof text != 'string') throw TypeError('text must be a string');
  if (text.length % 4 == 1 || !/^[\w-]*$/.test(text)) throw RangeError('text is not base64url');
  const padded = text + '='.repeat(-text.length & 3);
  return decode(padded.replaceAll('-', '+').replaceAll('_', '/'), 'base64url');
};

// RFC 8410: the identifiers are 1.3.101.110 and 1.3.101.112.
const ARCS: Record<Curve, number> = { X25519: 110, Ed25519: 112 };

const arc = (curve: Curve): number => {
  if (!Object.hasOwn(ARCS, curve)) throw RangeError('curve must be Ed25519 or X25519');
  return ARCS[curve];
};

const curveOf = (code: number | undefined): Curve => {
  if (code == 110) return 'X25519';
  if (code == 112) return 'Ed25519';
  throw RangeError('the key is neither of Ed25519 nor of X25519');
};

/** A public key in DER, SubjectPublicKeyInfo: 44 bytes. */
export const toSpki = (publicKey: Uint8Array, curve: Curve = 'Ed25519'): Uint8Array => {
  const own = copy('publicKey', publicKey, 32);
  return Uint8Array.of(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, arc(curve), 3, 0x21, 0, ...own);
};

/** Reads DER, SubjectPublicKeyInfo. */
export const fromSpki = (der: Uint8Array): PublicKey => {
  const own = copy('der', der);
  const curve = curveOf(own[8]);
  const publicKey = own.slice(12);
  if (publicKey.length != 32 || toSpki(publicKey, curve).some((byte, i) => byte != own[i]))
    throw RangeError('der is not a SubjectPublicKeyInfo of RFC 8410');
  return { curve, publicKey };
};

/** A secret key in DER, PKCS#8 version 1, which everyone reads: 48 bytes. Of Ed25519, the seed. */
export const toPkcs8 = (secret: Uint8Array, curve: Curve = 'Ed25519'): Uint8Array => {
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
  secret: Uint8Array,
  given?: Uint8Array,
): Promise<PrivateKey> => {
  try {
    const pair = await (curve == 'Ed25519' ? keyPairFromSeed : x25519KeyPair)(secret);
    pair.secretKey.fill(0);
    const { publicKey } = pair;
    if (given && (given.length != 32 || given.some((byte, i) => byte != publicKey[i])))
      throw RangeError('the public key is not that of the secret');
    return { curve, secret, publicKey };
  } catch (error) {
    secret.fill(0);
    throw error;
  }
};

/** Reads DER piece by piece: definite lengths, in the shortest form. */
const reader = (der: Uint8Array) => {
  let at = 0;
  const fail = (): never => {
    throw RangeError('der is not a PKCS#8 key of RFC 8410');
  };
  return {
    fail,
    more: (): boolean => at < der.length,
    tag: (): number | undefined => der[at],
    /** The content of the next element, which has this tag. */
    take: (tag: number): Uint8Array => {
      if (der[at++] != tag) fail();
      let length = der[at++] ?? fail();
      if (length > 127) {
        const octets = length - 128;
        if (octets < 1 || octets > 3) fail();
        length = 0;
        for (let i = 0; i < octets; i++) length = length * 256 + (der[at++] ?? fail());
        if (length < 128 || length < 256 ** (octets - 1)) fail();
      }
      if (at + length > der.length) fail();
      at += length;
      return der.subarray(at - length, at);
    },
  };
};

/**
 * Reads DER, PKCS#8: version 1, version 2 (RFC 5958) with attributes and public key, and the form
 * that old versions of ring wrote, whose public key has another tag.
 */
export const fromPkcs8 = async (der: Uint8Array): Promise<PrivateKey> => {
  const own = copy('der', der);
  try {
    const { curve, secret, given } = parsePkcs8(own);
    return await complete(curve, secret, given);
  } finally {
    own.fill(0);
  }
};

const parsePkcs8 = (der: Uint8Array): { curve: Curve; secret: Uint8Array; given?: Uint8Array } => {
  const outer = reader(der);
  const key = reader(outer.take(0x30));
  if (outer.more()) outer.fail();
  const version = key.take(2);
  if (version.length != 1 || version[0]! > 1) key.fail();
  const algorithm = reader(key.take(0x30));
  const oid = algorithm.take(6);
  if (algorithm.more() || oid.length != 3 || oid[0] != 0x2b || oid[1] != 0x65) key.fail();
  const curve = curveOf(oid[2]);
  const wrapped = reader(key.take(4));
  const secret = wrapped.take(4);
  if (wrapped.more() || secret.length != 32) key.fail();
  if (key.tag() == 0xa0) key.take(0xa0);
  let given: Uint8Array | undefined;
  // RFC 5958 section 2: version 2 where there is a public key, else version 1.
  if (key.more() != !!version[0]) key.fail();
  if (key.more()) {
    let bits: Uint8Array;
    if (key.tag() == 0xa1) {
      const inner = reader(key.take(0xa1));
      bits = inner.take(3);
      if (inner.more()) key.fail();
    } else bits = key.take(0x81);
    if (bits[0] != 0) key.fail();
    given = bits.slice(1);
  }
  if (key.more()) key.fail();
  // Nothing fails from here on, and so the copy is in good hands.
  return { curve, secret: secret.slice(), ...(given && { given }) };
};

/** A public key as a JWK (RFC 8037). */
export const publicToJwk = (publicKey: Uint8Array, curve: Curve = 'Ed25519'): Jwk => {
  arc(curve);
  return { kty: 'OKP', crv: curve, x: toBase64Url(copy('publicKey', publicKey, 32)) };
};

/** A secret key as a JWK, of Ed25519 the seed; with its public key, which is derived. */
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

/** The members of a JWK, each looked at once. */
const readJwk = (jwk: Jwk): { curve: Curve; x: unknown; d: unknown } => {
  const { kty, crv: curve, x, d } = jwk ?? {};
  if (kty != 'OKP') throw RangeError('jwk.kty must be OKP');
  arc(curve);
  return { curve, x, d };
};

const part = (name: string, text: unknown): Uint8Array => {
  const bytes = fromBase64Url(text as string);
  if (bytes.length == 32) return bytes;
  bytes.fill(0);
  throw RangeError(`jwk.${name} must have 32 bytes, not ${bytes.length}`);
};

/** Reads the public key of a JWK. */
export const publicFromJwk = (jwk: Jwk): PublicKey => {
  const { curve, x } = readJwk(jwk);
  return { curve, publicKey: part('x', x) };
};

/** Reads the secret key of a JWK, whose public key must be the secret's. */
export const privateFromJwk = async (jwk: Jwk): Promise<PrivateKey> => {
  const { curve, x, d } = readJwk(jwk);
  const publicKey = part('x', x);
  return complete(curve, part('d', d), publicKey);
};

/** DER as PEM (RFC 7468). */
export const toPem = (der: Uint8Array, label: 'PRIVATE KEY' | 'PUBLIC KEY'): string =>
  `-----BEGIN ${label}-----\n${toBase64(der).replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;

/** The most characters of PEM: ten times as many as the longest key of this package takes. */
const PEM = 65536;

/**
 * The DER and the label of PEM (RFC 7468), in time linear in its length, and of at most 65536 characters. White space
 * may be around it and within the base64.
 */
export const fromPem = (pem: string): { label: string; der: Uint8Array } => {
  if (typeof pem != 'string') throw TypeError('text must be a string');
  if (pem.length > PEM) throw RangeError(`text has more than ${PEM} characters`);
  const none = (): never => {
    throw RangeError('text is not PEM');
  };
  const text = pem.trim();
  const begin = '-----BEGIN ';
  const label = text.slice(begin.length, text.indexOf('-----', begin.length));
  const [first, last] = [`${begin}${label}-----`, `-----END ${label}-----`];
  if (!/^[A-Z ]+$/.test(label) || !text.startsWith(first) || !text.endsWith(last)) none();
  const body = text.slice(first.length, -last.length);
  if (!/^\s/.test(body) || !body.trim()) none();
  return { label, der: fromBase64(body.replace(/\s+/g, '')) };
};

/** Splits a secret key of 64 bytes: the seed, and the public key, which is checked. */
export const fromSecretKey = async (secretKey: Uint8Array): Promise<PrivateKey> => {
  const own = copy('secretKey', secretKey, 64);
  try {
    return await complete('Ed25519', own.slice(0, 32), own.subarray(32));
  } finally {
    own.fill(0);
  }
};

/** The secret key of 64 bytes of a seed. */
export const toSecretKey = async (seed: Uint8Array): Promise<Uint8Array> =>
  (await keyPairFromSeed(seed)).secretKey;
