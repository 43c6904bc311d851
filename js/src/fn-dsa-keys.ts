/**
 * Key files of FN-DSA, Falcon and hybrids: PKCS#8 and SubjectPublicKeyInfo, in DER, as the other faces of this project write and
 * read them, for the schemes of `lanner/fn-dsa` and its siblings and of `lanner/hybrid`. `toPem` and `fromPem` of `lanner/keys`
 * make PEM of them, and take it. No standard has named these keys: the identifiers of FN-DSA and of hybrids are this
 * project's own, those of Falcon Open Quantum Safe's. Keys of `…draft2026` have none, and no files.
 *
 * @module
 */
import { elements, readPrivate, type Elements } from './der.js';
import type { Scheme } from './fn-dsa-types.js';
import { mark } from './fn-dsa-verifying.js';
import { copy } from './octets.js';
import type { Bytes } from './types.js';

/** A scheme that verifies, as far as its public keys go: `fndsa512`, `falcon1024`, `hybrid512`, and so on. */
export interface VerifyingScheme<Key extends Uint8Array> {
  readonly name: string;
  readonly lengths: { readonly publicKey: number };
  verify(message: Uint8Array, signature: Uint8Array, publicKey: Key): boolean | Promise<boolean>;
}

/** A scheme that signs, as far as its key pairs go. */
export interface SigningScheme<Pair extends { publicKey: Uint8Array; secretKey: Uint8Array }> {
  readonly name: string;
  readonly lengths: { readonly secretKey: number };
  keyPairFromSecretKey(secretKey: Pair['secretKey']): Pair | Promise<Pair>;
}

type Degree = 512 | 1024;

/** The identifiers of the keys of a kind of scheme: what they begin with, and how they end; written is the first. */
type Kind = readonly [name: Scheme | 'hybrid signatures', start: readonly number[], ends: { readonly [degree in Degree]: readonly number[] }];

/** 2.25.2041985364: an arc that needs no registration. */
const OWN = [0x69, 0x87, 0xcd, 0xd8, 0xf2, 0x54];

/** Of 1.3.9999.3 there are three generations, and in the last one keys for padded signatures as well. */
const KINDS: { readonly [name: string]: Kind } = {
  fndsa: ['FN-DSA', OWN, { 512: [9], 1024: [10] }],
  falcon: ['Falcon', [0x2b, 0xce, 0x0f, 3], { 512: [11, 16, 6, 1], 1024: [14, 19, 9, 4] }],
  hybrid: ['hybrid signatures', OWN, { 512: [109], 1024: [110] }],
};

/** What is known of the files of a scheme, by its name. */
const kindOf = (scheme: { readonly name: string }): [kind: Kind, degree: Degree] => {
  const { name } = Object(scheme) as { name: unknown };
  const [, kind, degree, draft] = /^(fndsa|falcon|hybrid)(512|1024)(draft2026)?/.exec(String(name)) ?? [];
  if (!kind) throw TypeError('scheme must be one of lanner/fn-dsa or lanner/hybrid');
  if (draft) throw RangeError(`keys of ${name} have no identifier, and no files`);
  return [KINDS[kind]!, Number(degree) as Degree];
};

const fails = (what: string) => (): never => {
  throw RangeError(`der is not a ${what}`);
};
const noPrivate = /* @__PURE__ */ fails('PKCS#8 key');
const noPublic = /* @__PURE__ */ fails('SubjectPublicKeyInfo');

/** What an element begins with. */
const head = (tag: number, length: number): number[] =>
  length < 128 ? [tag, length] : length < 256 ? [tag, 129, length] : [tag, 130, length >> 8, length & 255];

/** A sequence of what is written already, the identifier, and octets within elements of these tags, the innermost first. */
const write = (
  before: number[],
  [[, start, ends], degree]: ReturnType<typeof kindOf>,
  tags: number[],
  ...contents: ArrayLike<number>[]
): Bytes => {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  const oid = [...start, ends[degree][0]!];
  let front: number[] = [];
  for (const tag of tags) front = [...head(tag, front.length + length), ...front];
  front = [...before, ...head(0x30, oid.length + 2), ...head(6, oid.length), ...oid, ...front];
  front = [...head(0x30, front.length + length), ...front];
  const der = new Uint8Array(front.length + length);
  der.set(front);
  let at = front.length;
  for (const content of contents) {
    der.set(content, at);
    at += content.length;
  }
  return der;
};

/** Refuses another algorithm, of which none has parameters, and another degree. */
const check = (algorithm: Uint8Array, [[name, start, ends], degree]: ReturnType<typeof kindOf>, fail: () => never): void => {
  const [[, oid], parameters] = elements(algorithm, /^6,/, fail) as [Elements[0], Elements[0]?];
  const end = oid.length == start.length + 1 && start.every((octet, i) => octet == oid[i]) ? oid.at(-1)! : -1;
  if (ends[degree].includes(end)) return parameters && fail();
  const other = [...ends[512], ...ends[1024]].includes(end);
  throw RangeError(other ? `der is a key of degree ${1536 - degree}, not ${degree}` : `der is not a key of ${name}`);
};

/** What there is one of. */
const only = (der: Uint8Array, tags: RegExp): Uint8Array => elements(der, tags, noPrivate)[0]![1];

/**
 * Puts the secret key of FN-DSA or Falcon out of the octets that are stored into an array that is as long as one, and gives the
 * public key if it is there, with its header. They stand one behind the other, in an octet string of their own or not; or
 * the polynomials apart and without headers, as Bouncy Castle has them.
 */
const unfold = (octets: Uint8Array, degree: Degree, secret: Uint8Array): Uint8Array | undefined => {
  const { length } = secret;
  if (octets[0] == 0x30) {
    const [version, ...parts] = elements(only(octets, /^48,$/), /^2,4,4,4,(48,)?$/, noPrivate).map(([, content]) => content);
    const short = (length - 1 - degree) / 2;
    if (String(version) != '0' || [short, short, degree].some((size, i) => parts[i]!.length != size)) noPrivate();
    secret[0] = degree == 512 ? 0x59 : 0x5a;
    parts.slice(0, 3).forEach((part, i) => secret.set(part, 1 + i * short));
    return parts[3] && Uint8Array.of(secret[0] - 0x50, ...only(parts[3], /^4,$/));
  }
  const keys = octets[0] == 4 ? only(octets, /^4,$/) : octets;
  if (keys.length < length) noPrivate();
  secret.set(keys.subarray(0, length));
  return keys.length > length ? keys.subarray(length) : undefined;
};

/**
 * A secret key in DER, PKCS#8. Of FN-DSA and Falcon it has the public key behind the secret one, as in Open Quantum Safe's
 * files; a hybrid key is its seed of 32 bytes. A `RangeError` where the secret key is none of the scheme.
 *
 * @param scheme - `fndsa512`, `falcon512` or `hybrid512` of `lanner/fn-dsa` or `lanner/hybrid`, for example
 */
export const toPkcs8 = async <Pair extends { publicKey: Uint8Array; secretKey: Uint8Array }>(
  secretKey: Pair['secretKey'],
  scheme: SigningScheme<Pair>,
): Promise<Bytes> => {
  const kind = kindOf(scheme);
  const pair = await scheme.keyPairFromSecretKey(secretKey);
  const keys = kind[0] == KINDS['hybrid'] ? [pair.secretKey] : [pair.secretKey, pair.publicKey];
  try {
    return write([2, 1, 0], kind, keys[1] ? [4, 4] : [4], ...keys);
  } finally {
    pair.secretKey.fill(0);
  }
};

/**
 * Reads a key pair from DER, PKCS#8, as {@link toPkcs8} and the other faces of this project write it; of Falcon also what Open
 * Quantum Safe and Bouncy Castle write. A `RangeError` where it is none, of another scheme or degree, or has a public key that
 * is not that of the secret.
 *
 * @param scheme - what the key is to be used for
 */
export const fromPkcs8 = async <Pair extends { publicKey: Uint8Array; secretKey: Uint8Array }>(
  der: Uint8Array,
  scheme: SigningScheme<Pair>,
): Promise<Pair> => {
  const kind = kindOf(scheme);
  const own = copy('der', der);
  const secret = new Uint8Array(scheme.lengths.secretKey);
  try {
    const [algorithm, octets, beside] = readPrivate(own, noPrivate);
    check(algorithm, kind, noPrivate);
    let behind: Uint8Array | undefined;
    if (kind[0] != KINDS['hybrid']) behind = unfold(octets, kind[1], secret);
    else if (octets.length == secret.length) secret.set(octets);
    else noPrivate();
    const pair = await scheme.keyPairFromSecretKey(secret);
    const { publicKey } = pair;
    const whole = String(publicKey);
    // Outside of the octets, that of FN-DSA and Falcon may be without its header.
    const forms = [whole, kind[0] == KINDS['hybrid'] ? whole : String(publicKey.subarray(1))];
    if ((beside && !forms.includes(String(beside))) || (behind && String(behind) != whole)) {
      pair.secretKey.fill(0);
      throw RangeError('the public key is not that of the secret');
    }
    return pair;
  } finally {
    own.fill(0);
    secret.fill(0);
  }
};

/**
 * A public key in DER, SubjectPublicKeyInfo. A `RangeError` where it is none of the scheme.
 *
 * @param scheme - `fndsa512`, `falcon512` or `hybrid512` of `lanner/fn-dsa`, `lanner/fn-dsa/verify` or `lanner/hybrid`, for example
 */
export const toSpki = async <Key extends Uint8Array>(publicKey: Key, scheme: VerifyingScheme<Key>): Promise<Bytes> => {
  const kind = kindOf(scheme);
  const own = copy('publicKey', publicKey, scheme.lengths.publicKey);
  // What the key is for, and whether it is one, verification tells, whatever the signature is.
  await scheme.verify(new Uint8Array(), new Uint8Array(), publicKey);
  return write([], kind, [3], [0], own);
};

/**
 * Reads a public key from DER, SubjectPublicKeyInfo. A `RangeError` where it is none, or of another scheme or degree.
 *
 * @param scheme - what the key is to be used for
 */
export const fromSpki = async <Key extends Uint8Array>(
  der: Uint8Array,
  scheme: VerifyingScheme<Key>,
): Promise<Bytes & Key> => {
  const kind = kindOf(scheme);
  const [[, info]] = elements(copy('der', der), /^48,$/, noPublic) as [Elements[0]];
  const [[, algorithm], [, bits]] = elements(info, /^48,3,$/, noPublic) as [Elements[0], Elements[0]];
  check(algorithm, kind, noPublic);
  const key = bits.slice(1) as Bytes & Key;
  if (bits[0] || key.length != scheme.lengths.publicKey) noPublic();
  await scheme.verify(new Uint8Array(), new Uint8Array(), key);
  const [[name]] = kind;
  return name == 'hybrid signatures' ? key : mark(key, { name });
};
