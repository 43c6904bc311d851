// A fuzzer of the decoders that the package has in TypeScript (src/der.ts, src/keys.ts, src/fn-dsa-keys.ts): the decoders in Rust
// give the same verdict, the same key, and the same way to write it; an error is one of those that are documented, in its own
// words; and what was given is as it was. In the place of the text of a JSON Web Key there is what JSON.parse makes of it.
//
//   node test/decoders.mjs [--seconds N] [--executions N] [--seed N] [--all]
//
// It ends with the first input on which the two sides differ; with --all, at the end of its time, with one of each sort.
//
// Inputs are good encodings that were spoiled: octets, the elements of DER and their lengths, lines and labels of PEM, the
// alphabets of base64 and hexadecimal, members of JWKs. Those that reach a block of the code that none has reached (the
// engine counts), or bring a pair of words of both sides that none has brought, are spoiled in their turn.
import { execFileSync, spawn } from 'node:child_process';
import inspector from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import * as fnDsa from 'lanner/fn-dsa/sync';
import { fromPkcs8, fromSpki, toPkcs8, toSpki } from 'lanner/fn-dsa/keys';
import { hybrid1024, hybrid512 } from 'lanner/hybrid';
import * as keys from 'lanner/keys';
import { root, words } from './support.mjs';

const text = (octets) => Buffer.from(octets).toString();
const octets = (text) => new Uint8Array(Buffer.from(text));

/** A scheme whose key pairs are derived once: most files have the same key. */
const remembering = (scheme) => {
  const pairs = new Map();
  return {
    ...scheme,
    keyPairFromSecretKey: async (secretKey) => {
      const name = Buffer.from(secretKey).toString('base64');
      if (!pairs.has(name)) {
        const pair = await scheme.keyPairFromSecretKey(secretKey);
        if (pairs.size > 200) pairs.clear();
        pairs.set(name, [pair.publicKey, pair.secretKey]);
      }
      const [publicKey, secret] = pairs.get(name).map((key) => new Uint8Array(key));
      return { publicKey, secretKey: secret };
    },
  };
};

const SCHEMES = Object.fromEntries([fnDsa.fndsa512, fnDsa.fndsa1024, fnDsa.falcon512, fnDsa.falcon1024, hybrid512, hybrid1024].map((scheme) => [scheme.name, scheme]));
/** How often an input of a kind is drawn: the larger the keys, the longer it takes, and those of hybrids are made anew. */
const weight = (kind) => (/^hybrid/.test(kind) ? 1 : /1024/.test(kind) ? 2 : /512/.test(kind) ? 4 : 10);

const NOT_STRING = /^text must be a string$/;
const READERS = {
  pkcs8: {
    read: keys.fromPkcs8,
    parts: ({ curve, secret, publicKey }) => [octets(curve), secret, publicKey, keys.toPkcs8(secret, curve)],
    words: /^(der is not a PKCS#8 key of RFC 8410|the key is neither of Ed25519 nor of X25519|the public key is not that of the secret)$/,
  },
  spki: {
    read: keys.fromSpki,
    parts: ({ curve, publicKey }) => [octets(curve), publicKey, keys.toSpki(publicKey, curve)],
    words: /^(der is not a SubjectPublicKeyInfo of RFC 8410|the key is neither of Ed25519 nor of X25519)$/,
  },
  pem: {
    text: true,
    read: keys.fromPem,
    parts: ({ label, der }) => [octets(label), der],
    words: /^text is not (PEM|base64|canonical base64)$|^text has more than 65536 characters$/,
  },
  base64: { text: true, read: keys.fromBase64, parts: (bytes) => [bytes], again: ([bytes]) => keys.toBase64(bytes), words: /^text is not (canonical )?base64$/ },
  base64url: { text: true, read: keys.fromBase64Url, parts: (bytes) => [bytes], again: ([bytes]) => keys.toBase64Url(bytes), words: /^text is not (canonical )?base64url$/ },
  hex: { text: true, read: keys.fromHex, parts: (bytes) => [bytes], words: /^text is not an even number of hexadecimal digits$/ },
  'public jwk': {
    json: true,
    read: keys.publicFromJwk,
    parts: ({ curve, publicKey }) => [octets(curve), publicKey],
    words: /^(jwk\.kty must be OKP|curve must be Ed25519 or X25519|jwk\.x is not (canonical )?base64url|jwk\.x must have 32 bytes, not \d+)$/,
    types: /^jwk\.x must be a string$/,
  },
  'private jwk': {
    json: true,
    read: keys.privateFromJwk,
    parts: ({ curve, publicKey, secret }) => [octets(curve), publicKey, secret],
    words: /^(jwk\.kty must be OKP|curve must be Ed25519 or X25519|jwk\.[xd] is not (canonical )?base64url|jwk\.[xd] must have 32 bytes, not \d+|the public key is not that of the secret)$/,
    types: /^jwk\.[xd] must be a string$/,
  },
  pair: {
    read: keys.fromSecretKey,
    parts: ({ secret, publicKey }) => [secret, publicKey],
    words: /^secretKey must have 64 bytes, not \d+$|^secretKey's public half is not its own$/,
  },
};
for (const [name, scheme] of Object.entries(SCHEMES)) {
  const own = remembering(scheme);
  READERS[`${name} pkcs8`] = {
    read: (der) => fromPkcs8(der, own),
    parts: async ({ publicKey, secretKey }) => [secretKey, publicKey, await toPkcs8(secretKey, own)],
    words: /^(der is not a PKCS#8 key|der is a key of degree \d+, not \d+|der is not a key of [\w -]+|the public key is not that of the secret|secretKey is not a key)$/,
  };
  READERS[`${name} spki`] = {
    read: (der) => fromSpki(der, scheme),
    parts: async (publicKey) => [publicKey, await toSpki(publicKey, scheme)],
    words: /^(der is not a SubjectPublicKeyInfo|der is a key of degree \d+, not \d+|der is not a key of [\w -]+|publicKey is not a key)$/,
  };
}
const KINDS = Object.keys(READERS);
const DRAWN = KINDS.flatMap((kind) => Array(weight(kind)).fill(kind));

/** An element of DER. */
const element = (tag, ...parts) => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : length < 256 ? [tag, 129, length] : [tag, 130, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
};

/** The elements that octets are, and those within them; nothing where they are none. */
const parsed = (der, deep = 0) => {
  const found = [];
  for (let at = 0; at < der.length; ) {
    const tag = der[at++];
    let length = der[at++];
    if (length > 127) {
      const count = length - 128;
      if (!count || count > 4) return undefined;
      length = 0;
      for (let i = 0; i < count; i++) length = length * 256 + der[at++];
    }
    if (!(at + length <= der.length)) return undefined;
    const content = der.subarray(at, (at += length));
    // A bit string begins with how many bits are unused.
    const skip = tag == 3 ? 1 : 0;
    const inner = (tag & 32 || tag == 4 || tag == 3) && deep < 6 && content.length > skip ? parsed(content.subarray(skip), deep + 1) : undefined;
    found.push({ tag, content, inner, before: content.subarray(0, skip) });
  }
  return found;
};

/** The octets of elements, the lengths right, unless one is to be written in another way. */
const written = (elements) =>
  Buffer.concat(
    elements.map(({ tag, content, inner, before, form }) => {
      const body = inner ? Buffer.concat([before, written(inner)]) : Buffer.from(content);
      const { length } = body;
      if (!form) return element(tag, body);
      return Buffer.concat([Buffer.from([tag, ...form(length)]), body, ...(form == FORMS[0] ? [Buffer.alloc(2)] : [])]);
    }),
  );

/** Lengths as DER does not have them: indefinite, in more octets than it takes, wrong. */
const FORMS = [
  () => [128], (n) => [129, n & 255], (n) => [130, n >> 8, n & 255], (n) => [131, 0, n >> 8, n & 255], (n) => [132, 0, 0, n >> 8, n & 255],
  (n) => [(n + 1) & 127], (n) => [(n - 1) & 127], (n) => [n & 127], () => [255], () => [136, 255, 255, 255, 255, 255, 255, 255, 255],
  (n) => [133, 1, 0, 0, n >> 8, n & 255], (n) => [130, (n + 1) >> 8, (n + 1) & 255],
];

const flat = (elements, parent = elements) =>
  elements.flatMap((one, i) => [[parent, i], ...(one.inner ? flat(one.inner, one.inner) : [])]);

const raw = (tag, ...content) => ({ tag, content: Uint8Array.from(content), before: new Uint8Array() });

/** Changes octets as fuzzers do. */
const spoilOctets = (draw, bytes, others) => {
  let own = Buffer.from(bytes);
  for (let i = 1 + draw(3); i; i--) {
    const at = draw(own.length + 1);
    switch (draw(8)) {
      case 0: if (at < own.length) own[at] ^= 1 << draw(8); break;
      case 1: if (at < own.length) own[at] = draw(256); break;
      case 2: if (at < own.length) own[at] = [0, 1, 0x7f, 0x80, 0x81, 0x82, 0xff, 0x30, 4, 3, 2, 0xa0, 0xa1][draw(13)]; break;
      case 3: own = Buffer.concat([own.subarray(0, at), Buffer.from([draw(256)]), own.subarray(at)]); break;
      case 4: own = Buffer.concat([own.subarray(0, at), own.subarray(at + 1 + draw(4))]); break;
      case 5: own = own.subarray(0, at); break;
      case 6: own = Buffer.concat([own, Buffer.from([[0], [0x30, 0], [draw(256)], [5, 0]][draw(4)])]); break;
      default: {
        const other = others[draw(others.length)];
        own = Buffer.concat([own.subarray(0, at), other.subarray(draw(other.length + 1))]);
      }
    }
  }
  return new Uint8Array(own);
};

/** Changes elements of DER, and puts the lengths right around them. */
const spoilDer = (draw, der, others) => {
  const elements = parsed(der);
  if (!elements?.length || !draw(4)) return spoilOctets(draw, der, others);
  for (let i = 1 + draw(2); i; i--) {
    const all = flat(elements);
    if (!all.length) break;
    const [list, at] = all[draw(all.length)];
    const one = list[at];
    switch (draw(11)) {
      case 0: one.form = FORMS[draw(FORMS.length)]; break;
      case 1: one.tag = [one.tag ^ (1 << draw(8)), 2, 3, 4, 5, 6, 48, 49, 128, 129, 160, 161, 162, 163, draw(256)][draw(15)]; break;
      case 2: list.splice(at, 1); break;
      case 3: list.splice(at, 0, one); break;
      case 4: if (at) [list[at - 1], list[at]] = [one, list[at - 1]]; break;
      case 5: {
        const theirs = flat(parsed(others[draw(others.length)]) ?? []);
        if (theirs.length) {
          const [from, place] = theirs[draw(theirs.length)];
          list.splice(at + draw(2), draw(2), from[place]);
        }
        break;
      }
      case 6: list.splice(at + draw(2), 0, [raw(5), raw(160), raw(160, 48, 0), raw(2, 0), raw(2, 1), raw(162, 5, 0), raw(163, 4, 1, 7), raw(130, 0), raw(129, 0), raw(draw(256), draw(256))][draw(10)]); break;
      // In an element of its own, or without it.
      case 7: list[at] = { tag: [4, 48, 160, 161][draw(4)], content: new Uint8Array(), inner: [one], before: new Uint8Array() }; break;
      case 8: if (one.inner) list.splice(at, 1, ...one.inner); break;
      case 9: {
        const content = one.inner ? Buffer.concat([one.before, written(one.inner)]) : one.content;
        Object.assign(one, { content: spoilOctets(draw, content, others), inner: undefined });
        break;
      }
      default: if (one.tag == 2 || one.tag == 3) Object.assign(one, one.inner ? { before: Uint8Array.of(draw(9)) } : { content: Uint8Array.of(draw(3)) });
    }
  }
  const made = written(elements);
  return new Uint8Array(draw(12) ? made.subarray(0, 70_000) : spoilOctets(draw, made, others));
};

/** What looks like one of these characters, or is white space to some. */
const ALIKE = ['\u0410', '\uff21', '\uff10', '\u0661', '\u2010', '\u2014', '\u2212', '\u00ad', '\u017f', '\u212a', '\u0131', '\u1d2c', '\u200b', '\u0000'];
const SPACES = [' ', '\t', '\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u00a0', '\ufeff', '\u2028', '\u2029', '\u3000', '\u1680', '\u180e'];
const put = (text, at, what, instead = 0) => text.slice(0, at) + what + text.slice(at + instead);

/** Changes a text of an alphabet. */
const spoilText = (draw, text, others) => {
  for (let i = 1 + draw(3); i; i--) {
    const at = draw(text.length + 1);
    switch (draw(12)) {
      case 0: text = put(text, at, SPACES[draw(SPACES.length)]); break;
      case 1: text = put(text, at, ALIKE[draw(ALIKE.length)], 1); break;
      case 2: text = put(text, at, '', 1 + draw(4)); break;
      case 3: text = put(text, at, 'Aa0+/-_=gGfF9zZ:.,xX'[draw(20)], draw(2)); break;
      case 4: text += ['=', '==', '===', '\n', 'A', 'AA', '\0'][draw(7)]; break;
      case 5: text = text.replace(/=+\s*$/, ''); break;
      // Bits behind the last byte.
      case 6: text = text.replace(/[\w+/-](?==*\s*$)/, (c) => String.fromCharCode(c.charCodeAt(0) + 1 + draw(3))); break;
      case 7: text = text.replaceAll('+', '-').replaceAll('/', '_'); break;
      case 8: text = draw(2) ? text.toUpperCase() : text.toLowerCase(); break;
      case 9: text = text.slice(0, at); break;
      case 10: text = put(text, draw(4) ? 0 : text.length, ['0x', '\ufeff', ' ', '\n', '='][draw(5)]); break;
      default: text = text.slice(0, at) + others[draw(others.length)].slice(draw(50));
    }
  }
  return text;
};

const LABELS = ['PRIVATE KEY', 'PUBLIC KEY', 'PUBLIC  KEY', ' PUBLIC KEY', 'PUBLIC KEY ', 'PUBLIC\tKEY', 'Public Key', 'X509 CERTIFICATE', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', '', ' ', 'A', 'A-B', 'PUBLIC\u00a0KEY', 'A B C', 'PUBL\u0130C KEY'];
const BEFORE = ['Comment: a\n', 'a\r\nb\r\n', '\ufeff', ' ', '\n', '# -----BEGIN A-----\n', '-----BEGIN A-----\n', 'a ', '\u2028', 'a\u2028', 'a\r', '\0\n', 'a\0\n', '\u00e9\n', '-----\n', '-----BEGIN PUBLIC KEY----\n'];
const AFTER = ['\n', '\n\n', ' ', '\r', '\0', 'a', '\na\n', '\ufeff', '-', '\u00a0', '\u0085', '\v'];
const HEADERS = ['Proc-Type: 4,ENCRYPTED\n\n', 'Comment: a\n', '\n', ' ', 'A:\n', '=\n', '-----\n'];

/** Changes a block of PEM. */
const spoilPem = (draw, pem, others) => {
  for (let i = 1 + draw(2); i; i--) {
    const eol = SPACES[draw(SPACES.length)];
    switch (draw(13)) {
      case 0: pem = pem.replaceAll(/\r?\n/g, eol); break;
      case 1: pem = pem.replace(/(-----BEGIN )([^-]*)/, (_, begin) => begin + LABELS[draw(LABELS.length)]); break;
      case 2: { const label = LABELS[draw(LABELS.length)]; pem = pem.replace(/(-----BEGIN )([^-]*)/, (_, begin) => begin + label).replace(/(-----END )([^-]*)/, (_, end) => end + label); break; }
      case 3: pem = BEFORE[draw(BEFORE.length)] + pem; break;
      case 4: pem += AFTER[draw(AFTER.length)]; break;
      case 5: pem = pem.replace('-----\n', () => '-----\n' + HEADERS[draw(HEADERS.length)]); break;
      case 6: { const width = [1, 4, 60, 63, 65, 76, 100_000][draw(7)]; pem = pem.replace(/(-----\s)([A-Za-z0-9+/=\s]*)(\s-----)/, (_, a, body, b) => a + (body.replaceAll(/\s/g, '').match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n') + b); break; }
      case 7: pem = pem.replace(/\n/, eol); break;
      case 8: pem = pem.replace(/\n(?=-----END)/, () => [eol, '', '\n\n', ' \n', '=\n', '\n='][draw(6)]); break;
      case 9: pem = pem.replace(/[A-Za-z0-9+/](?==*\s*-----END)/, (c) => String.fromCharCode(c.charCodeAt(0) + 1 + draw(3))); break;
      case 10: pem = pem.replace('-----', () => ['----', '------', '\u2014\u2014', '- ---', ''][draw(5)]); break;
      case 11: pem = draw(2) ? pem + others[draw(others.length)] : others[draw(others.length)] + pem; break;
      default: {
        const body = pem.indexOf('\n') + 1;
        const at = body + draw(Math.max(1, pem.length - body));
        pem = draw(2) ? put(pem, at, eol) : put(pem, at, [ALIKE[draw(ALIKE.length)], '=', '', '-', 'A'][draw(5)], draw(2));
      }
    }
  }
  if (!draw(400)) pem = pem.replace('\n', '\n' + '\n'.repeat(65_400 + draw(300)));
  return draw(5) ? pem : spoilText(draw, pem, others);
};

const VALUES = ['null', 'true', '0', '1e999', '""', '"OKP"', '"okp"', '"EC"', '"Ed25519"', '"X25519"', '"ed25519"', '"Ed448"', '["OKP"]', '["Ed25519"]', '["X25519"]', '{}', '[]', '{"a":[1]}', '"\\ud800"', '"Ed25519\\u0000"', '"\\u004fKP"', '"toString"', '"__proto__"', '"constructor"'];
const NAMES = ['kty', 'crv', 'x', 'd', 'kid', 'use', 'key_ops', 'alg', 'ext', 'keys', 'KTY', 'y', 'X', '__proto__', 'toString', 'kty\\u0000', '\\u0078'];

/** The members of an object of JSON, name and value as they stand there; nothing where it is written in another way. */
const membersOf = (json) => {
  const members = [...json.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^{}]*\}|[\w.+-]+)\s*([,}])/g)].map(([, name, value]) => [name, value]);
  return members.length ? members : undefined;
};

/** Changes a JSON Web Key. */
const spoilJwk = (draw, json, others) => {
  const members = membersOf(json);
  if (!members || !draw(10)) return spoilText(draw, json, others);
  for (let i = 1 + draw(2); i && members.length; i--) {
    const at = draw(members.length);
    const value = () => VALUES[draw(VALUES.length)];
    const theirs = () => (membersOf(others[draw(others.length)]) ?? members)[0];
    switch (draw(11)) {
      case 0: members.splice(at, 1); break;
      case 1: members.splice(draw(members.length), 0, [...members[at]]); break;
      case 2: members.push([members[at][0], value()]); break;
      case 3: members[at][1] = value(); break;
      case 4: members[at][0] = NAMES[draw(NAMES.length)]; break;
      case 5: members.push([NAMES[draw(NAMES.length)], value()]); break;
      case 6: members[at] = theirs(); break;
      case 7: members[at][1] = members[at][1].replace(/\w/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`); break;
      case 8: members[at][1] = `[${members[at][1]}]`; break;
      case 9: { const inner = members[at][1].slice(1, -1); members[at][1] = `"${spoilText(draw, inner, [inner]).replaceAll(/["\\]/g, '').replaceAll(/[\0-\x1f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`; break; }
      default: { const from = (membersOf(others[draw(others.length)]) ?? members).find(([name]) => name == members[at][0]); if (from) members[at][1] = from[1]; }
    }
  }
  const space = draw(4) ? '' : [' ', '\n', '\t', '\r\n', '\u00a0', '\ufeff'][draw(6)];
  let made = `{${members.map(([name, value]) => `"${name}"${space}:${space}${value}`).join(',' + space)}}`;
  if (!draw(200)) made = `{"a":${'['.repeat(200)}${']'.repeat(200)},${made.slice(1)}`;
  return draw(30) ? made : ['[', '"', '\ufeff', ' '][draw(4)] + made + [']', '"', '', 'x'][draw(4)];
};

const SPOIL = { pem: spoilPem, base64: spoilText, base64url: spoilText, hex: spoilText, 'public jwk': spoilJwk, 'private jwk': spoilJwk, pair: spoilOctets };

/** Good inputs of every kind, and one for every difference. */
async function goodInputs() {
  const good = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  const seeds = [1, 2].map((i) => new Uint8Array(32).fill(i));
  const attributes = element(0xa0, element(0x30, element(6, Buffer.from([42, 3])), element(0x31, element(12, Buffer.from('a')))));
  /** PKCS#8 with what may be behind the octets. */
  const pkcs8 = (algorithm, octets, publicKey, forms) => {
    const one = (version, ...more) => new Uint8Array(element(0x30, Buffer.from([2, 1, version]), algorithm, element(4, octets), ...more));
    const implicit = element(0x81, Buffer.from([0]), publicKey);
    const extension = element(0xa2, Buffer.from([5, 0]));
    const made = [one(0), one(0, attributes), one(1, implicit), one(1, attributes, implicit), one(0, extension), one(1, implicit, extension)];
    return forms ? made : [...made, one(1, element(0xa1, element(3, Buffer.from([0]), publicKey)))];
  };
  const pem = [];
  for (const curve of ['Ed25519', 'X25519'])
    for (const secret of seeds) {
      const { publicKey } = await keys.fromPkcs8(keys.toPkcs8(secret, curve));
      const algorithm = Buffer.from([48, 5, 6, 3, 43, 101, curve == 'X25519' ? 110 : 112]);
      good.pkcs8.push(...pkcs8(algorithm, element(4, secret), publicKey));
      good.spki.push(keys.toSpki(publicKey, curve), keys.toSpki(new Uint8Array(32).fill(2), curve));
      pem.push(keys.toPem(keys.toPkcs8(secret, curve), 'PRIVATE KEY'), keys.toPem(keys.toSpki(publicKey, curve), 'PUBLIC KEY'), keys.toPem(good.pkcs8.at(-1), 'PRIVATE KEY'));
      const jwk = await keys.privateToJwk(secret, curve);
      const open = keys.publicToJwk(publicKey, curve);
      const none = { ...open, x: keys.toBase64Url(new Uint8Array(32).fill(2)) };
      for (const kind of ['public jwk', 'private jwk'])
        good[kind].push(...[jwk, open, none, { ...jwk, kid: 'a', use: 'sig', key_ops: ['sign'] }, { ...jwk, keys: [] }, { ...jwk, kid: '\ud800' }].map((one) => octets(JSON.stringify(one))), octets(JSON.stringify(jwk).replace('{', '{"a":1e999,')));
      if (curve == 'Ed25519') good.pair.push(await keys.toSecretKey(secret));
    }
  for (let length = 0; length < 70; length += 1 + (length > 8) * 6) {
    const bytes = words(length)() && Uint8Array.from({ length }, (_, i) => (i * 37 + length * 101) & 255);
    good.base64.push(octets(keys.toBase64(bytes)));
    good.base64url.push(octets(keys.toBase64Url(bytes)));
    good.hex.push(octets(keys.toHex(bytes)));
  }
  good.pem.push(...[...pem, ' ' + pem[1] + pem[0], 'a\n'.repeat(33_000) + pem[0], ...LABELS.map((label) => `-----BEGIN ${label}-----\nMAAA\n-----END ${label}-----\n`)].map(octets));
  for (const [name, scheme] of Object.entries(SCHEMES)) {
    const { publicKey, secretKey } = await scheme.keyPairFromSeed(seeds[0]);
    const files = [await toPkcs8(secretKey, scheme), await toSpki(publicKey, scheme)];
    const algorithm = written([parsed(files[1])[0].inner[0]]);
    const inner = [secretKey];
    if (!name.startsWith('hybrid')) {
      const both = Buffer.concat([secretKey, publicKey]);
      const short = (secretKey.length - 1 - Number(name.slice(6))) / 2;
      const parts = [secretKey.subarray(1, 1 + short), secretKey.subarray(1 + short, 1 + 2 * short), secretKey.subarray(1 + 2 * short)].map((part) => element(4, part));
      const zero = Buffer.from([2, 1, 0]);
      inner.push(both, element(4, secretKey), element(4, both), element(4, secretKey, publicKey.subarray(1)));
      inner.push(element(0x30, zero, ...parts), ...[publicKey.subarray(1), publicKey].map((key) => element(0x30, zero, ...parts, element(0x30, element(4, key)))));
    }
    for (const one of inner) good[`${name} pkcs8`].push(...pkcs8(algorithm, one, publicKey, true));
    good[`${name} pkcs8`].push(files[0], ...pkcs8(algorithm, secretKey, publicKey.subarray(1)).slice(2));
    good[`${name} spki`].push(files[1], await toSpki((await scheme.keyPairFromSeed(seeds[1])).publicKey, scheme));
    good.pem.push(octets(keys.toPem(files[0], 'PRIVATE KEY')), octets(keys.toPem(files[1], 'PUBLIC KEY')));
  }
  // All identifiers of Falcon, and each other's files.
  for (const [degree, ends] of [[512, [1, 6, 16]], [1024, [4, 9, 19]]])
    for (const form of ['pkcs8', 'spki'])
      for (const end of ends) {
        const der = Buffer.from(good[`falcon${degree} ${form}`][0]);
        der[der.indexOf(Buffer.from('2bce0f03', 'hex')) + 4] = end;
        good[`falcon${degree} ${form}`].push(new Uint8Array(der));
      }
  for (const name of Object.keys(SCHEMES)) {
    const other = name.endsWith('512') ? name.replace('512', '1024') : name.replace('1024', '512');
    for (const form of ['pkcs8', 'spki']) good[`${name} ${form}`].push(good[`${other} ${form}`][0], good[form][0]);
  }
  return good;
}

/** Whether the outermost sequence of PKCS#8 goes on behind what RFC 5958 names, with elements of context-specific tags. */
const isExtended = (der) => {
  const inner = parsed(der)?.[0].inner;
  const tags = inner?.map(({ tag }) => tag).join() ?? '';
  return /^2,48,4(,160)?(,129|,161)?(,1[6-8]\d|,190)+$/.test(tags);
};

const accepted = ({ parts }) => !!parts;

/**
 * Where the two sides may differ, and why. Each holds for the kinds of its pattern, one way round, and if its condition does;
 * and one that no input shows any more is an error as well.
 */
const DIFFERENCES = [
  {
    // RFC 5958 leaves room for fields to come, which nobody has named: one that is not understood is refused here.
    name: 'PKCS#8 with fields that RFC 5958 does not name',
    kinds: /pkcs8$/,
    by: 'Rust',
    if: ({ input }) => isExtended(input),
  },
  {
    // Whether the octets are a point is decided where the key is used: `verify` says that no signature is valid.
    name: 'public keys of Ed25519 that are no point',
    kinds: /^(spki|public jwk)$/,
    by: 'JavaScript',
    if: ({ theirs }) => /not a point/.test(theirs.why),
  },
  {
    // The object is the caller's: what else it has as members, nobody looks at.
    name: 'a JWK that has keys, as a set of keys has',
    kinds: /jwk$/,
    by: 'JavaScript',
    if: ({ theirs }) => /set of keys/.test(theirs.why),
  },
  {
    // The text is read by the engine, which takes numbers that are too large, halves of surrogate pairs and any depth.
    name: 'JSON as JSON.parse takes it',
    kinds: /jwk$/,
    by: 'JavaScript',
    if: ({ input, theirs }) => /it is not JSON \((number out of range|unexpected end of hex escape|lone leading surrogate|recursion limit)/.test(theirs.why) && /1e999|\\u[dD][89a-fA-F]|\[{100}/.test(text(input)),
  },
  {
    // What makes room in the lines of a text is no part of its key.
    name: 'PEM with white space where RFC 7468 does not write any',
    kinds: /^pem, strict$/,
    by: 'JavaScript',
    if: () => true,
  },
  {
    name: 'PEM under a label that no key has',
    kinds: /^pem, strict$/,
    by: 'Rust',
    if: ({ input }) => !/^-----BEGIN [A-Z]+( [A-Z]+)*-----/m.test(text(input)),
  },
  {
    // Behind white space at the start, and behind a carriage return alone, a block is text to Rust; to this side it is the
    // block, which then has something behind it.
    name: 'PEM behind a block that is indented, or behind a carriage return',
    kinds: /^pem, strict$/,
    by: 'Rust',
    if: ({ input }) => /(^\s+|\r)-----BEGIN [^]*\n-----BEGIN /.test(text(input)),
  },
  {
    name: 'PEM of more than 65536 characters',
    kinds: /^pem, strict$/,
    by: 'Rust',
    if: ({ input }) => text(input).length > 65536,
  },
];

/** What this side makes of an input: its parts, or why not; what is wrong by itself is thrown. */
async function mineOf(kind, input) {
  const reader = READERS[kind];
  let given = input;
  if (reader.text) given = text(input);
  if (reader.json)
    try {
      given = JSON.parse(text(input));
    } catch {
      return { why: 'no JSON' };
    }
  const before = reader.text || reader.json ? undefined : input.slice();
  let read;
  try {
    read = await reader.read(given);
  } catch (error) {
    const { constructor, message } = Object(error);
    const known = constructor == RangeError ? reader.words.test(message) : constructor == TypeError && reader.types?.test(message);
    if (!known) throw Error(`an error that is none of its own: ${error}`);
    if (before && Buffer.compare(before, input)) throw Error('what was given has changed');
    return { why: message };
  }
  if (before && Buffer.compare(before, input)) throw Error('what was given has changed');
  const parts = await reader.parts(read);
  for (const member of Object.values(read?.constructor == Object ? read : { read }))
    if (typeof member != 'string' && Object.getPrototypeOf(member) != Uint8Array.prototype) throw Error(`a member of another kind: ${typeof member}`);
  if (reader.again && reader.again(parts) != given) throw Error('the same octets are another text');
  return { parts };
}

/** A process that has the decoders in Rust: its answers, in the order of the requests. The program is built, unless one is named. */
class Others {
  #waiting = [];
  #rest = Buffer.alloc(0);
  constructor() {
    const program = process.env.LANNER_DECODERS ?? Others.build();
    this.process = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.stdout.on('data', (data) => this.#take(data));
    this.process.on('exit', (code) => this.#waiting.splice(0).forEach(({ reject }) => reject(Error(`the decoders in Rust ended with ${code}`))));
    this.process.stdin.on('error', () => {});
  }
  static build() {
    const args = ['build', '--locked', '--profile', 'test', '-p', 'lanner-fuzz-targets', '--example', 'decoders', '--message-format', 'json-render-diagnostics'];
    const said = execFileSync('cargo', args, { cwd: join(root, '..'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 30 });
    return said.split('\n').filter(Boolean).map((line) => JSON.parse(line)).findLast(({ executable, target }) => executable && target.name == 'decoders').executable;
  }
  #take(data) {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, data]) : data;
    let at = 0;
    while (this.#waiting.length) {
      const [{ count, answers, resolve }] = this.#waiting;
      while (answers.length < count && at + 4 <= this.#rest.length) {
        const length = this.#rest.readUInt32LE(at);
        if (at + 4 + length > this.#rest.length) break;
        answers.push(Buffer.from(this.#rest.subarray(at + 4, (at += 4 + length))));
      }
      if (answers.length < count) break;
      this.#waiting.shift();
      resolve(answers);
    }
    this.#rest = this.#rest.subarray(at);
  }
  ask(requests) {
    const frames = [];
    for (const [number, input] of requests) {
      const head = Buffer.alloc(5);
      head.writeUInt32LE(input.length + 1);
      head[4] = number;
      frames.push(head, input);
    }
    this.process.stdin.write(Buffer.concat(frames));
    return new Promise((resolve, reject) => this.#waiting.push({ count: requests.length, answers: [], resolve, reject }));
  }
  static read(answer) {
    const content = answer.subarray(1);
    if (!answer[0]) return { why: content.toString() };
    const parts = [];
    for (let at = 0; at < content.length; ) {
      const length = content.readUInt32LE(at);
      parts.push(content.subarray(at + 4, (at += 4 + length)));
    }
    return { parts };
  }
  end() {
    this.process.stdin.end();
  }
}

/** The blocks of the decoders' code that ran since it was asked the last time, as V8 counts them. */
class Blocks {
  #session = new inspector.Session();
  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }
  #post(method, given) {
    let result;
    this.#session.post(method, given, (error, value) => {
      if (error) throw error;
      result = value;
    });
    return result;
  }
  take() {
    const ran = [];
    for (const { url, functions } of this.#post('Profiler.takePreciseCoverage').result)
      if (/\/dist\/(der|keys|fn-dsa-keys)\.js$/.test(url))
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges) if (count) ran.push(`${url} ${startOffset} ${endOffset}`);
    return ran;
  }
  end() {
    this.#post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}

/**
 * Another thread, which ends the process with words where this one stays with one input: no timer of its own would come to its turn.
 */
class Watch {
  #count;
  #length;
  #input;
  constructor() {
    const shared = new SharedArrayBuffer(8 + (1 << 18));
    this.#count = new Int32Array(shared, 0, 1);
    this.#length = new Int32Array(shared, 4, 1);
    this.#input = new Uint8Array(shared, 8);
    const code = `
      const { writeSync } = require('node:fs');
      const { workerData: [shared, eternity] } = require('node:worker_threads');
      const [count, length] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];
      let last = -1;
      setInterval(() => {
        const now = Atomics.load(count, 0);
        if (now == last && now % 2) {
          writeSync(2, 'an input that never ends: ' + Buffer.from(new Uint8Array(shared, 8, length[0])).toString('hex') + '\\n');
          process.kill(process.pid, 'SIGKILL');
        }
        last = now;
      }, eternity);`;
    this.thread = new Worker(code, { eval: true, workerData: [shared, ETERNITY] });
    this.thread.unref();
  }
  /** What is looked at from now on; nothing without an input. The count is odd while there is one. */
  look(input) {
    if (input) {
      const part = input.subarray(0, this.#input.length);
      this.#input.set(part);
      this.#length[0] = part.length;
    }
    Atomics.add(this.#count, 0, 1);
  }
  end() {
    return this.thread.terminate();
  }
}

const BATCH = 500;
/** Every so many batches the blocks are counted, which costs time. */
const COUNTED = 20;
/** Milliseconds that one input may take, twice in a row; making a key of a hybrid takes tens. */
const PATIENCE = 5000;
/** Milliseconds after which an input never ends. */
const ETERNITY = 120_000;
/** How many inputs of a kind are kept besides the good ones. */
const KEPT = 2000;

/** Runs until one of the limits is reached; throws what is found, the first or one of each sort. Gives the counts. */
export async function fuzz({ seconds = Infinity, executions = Infinity, seed = 1, all = false, say = () => {} }) {
  const next = words(seed);
  const draw = (n) => next() % n;
  const good = await goodInputs();
  const others = new Others();
  const watch = new Watch();
  let names = [];
  const numberOf = (kind) => names.indexOf(kind);
  const pools = Object.fromEntries(KINDS.map((kind) => [kind, good[kind].map((one) => new Uint8Array(one))]));
  const isText = (kind) => READERS[kind].text || READERS[kind].json;
  const texts = Object.fromEntries(KINDS.filter(isText).map((kind) => [kind, pools[kind].map(text)]));
  /** What is spoiled: texts where they are some. */
  const poolOf = (kind) => texts[kind] ?? pools[kind];
  const brought = new Set();
  const reached = new Set();
  const met = new Map(DIFFERENCES.map(({ name }) => [name, 0]));
  const counts = { executions: 0, read: 0, kept: 0, blocks: 0, differences: met };

  const keep = ({ kind, input }) => {
    if (input.length > 20_000) return;
    counts.kept++;
    const first = good[kind].length;
    const { [kind]: own } = pools;
    const at = own.length < first + KEPT ? own.length : first + draw(KEPT);
    own[at] = input;
    const list = poolOf(kind);
    if (list != own) list[at] = text(input);
  };
  const make = () => {
    const kind = DRAWN[draw(DRAWN.length)];
    const list = poolOf(kind);
    const spoil = SPOIL[kind] ?? spoilDer;
    const made = spoil(draw, list[draw(list.length)], list);
    return { kind, input: typeof made == 'string' ? octets(made) : made };
  };
  const shown = ({ kind, input }, what) =>
    Error(`${kind}: ${what}\nseed ${seed}, input ${isText(kind) ? JSON.stringify(text(input)).slice(0, 5000) : Buffer.from(input).toString('hex')}`);

  const findings = new Map();
  const found = (one, what) => {
    const error = shown(one, what);
    if (!all) throw error;
    const sort = `${one.kind}: ${what}`.replaceAll(/\d+|[0-9a-f]{20,}/g, '');
    if (!findings.has(sort)) findings.set(sort, error.message);
  };

  const compare = (one, kind, mine, theirs) => {
    const [here, there] = [accepted(mine), accepted(theirs)];
    if (here && there) {
      // A JWK is not written, and both sides write all else in one way.
      const same = mine.parts.length == theirs.parts.length && mine.parts.every((part, i) => Buffer.compare(part, theirs.parts[i]) == 0);
      if (!same) found(one, `${kind}: read as ${mine.parts.map((part) => Buffer.from(part).toString('hex'))} here, as ${theirs.parts.map((part) => part.toString('hex'))} by Rust`);
      return;
    }
    if (here == there) return;
    const by = here ? 'JavaScript' : 'Rust';
    const named = DIFFERENCES.find((difference) => difference.kinds.test(kind) && difference.by == by && difference.if({ ...one, mine, theirs }));
    if (!named) return found(one, `${kind}: ${by} alone reads it; the other says: ${here ? theirs.why : mine.why}`);
    met.set(named.name, met.get(named.name) + 1);
  };

  /** Both sides on some inputs. */
  const judge = async (batch) => {
    const requests = batch.flatMap(({ kind, input }) => [[numberOf(kind), input], ...(kind == 'pem' ? [[numberOf('pem, strict'), input]] : [])]);
    const asked = others.ask(requests);
    const mine = [];
    for (const one of batch) {
      const timed = async () => {
        const begun = performance.now();
        watch.look(one.input);
        try {
          return [await mineOf(one.kind, one.input), performance.now() - begun];
        } catch (error) {
          found(one, error.message);
          return [{ why: 'found' }, 0];
        } finally {
          watch.look();
        }
      };
      const [read, spent] = await timed();
      mine.push(read);
      // The whole process may have been stopped meanwhile.
      if (spent > PATIENCE && (await timed())[1] > PATIENCE) found(one, `it took ${Math.round(spent)} ms`);
    }
    const answers = (await asked).map(Others.read);
    for (const [i, one] of batch.entries()) {
      const theirs = answers.shift();
      compare(one, one.kind, mine[i], theirs);
      const strict = one.kind == 'pem' ? answers.shift() : undefined;
      if (strict) compare(one, 'pem, strict', mine[i], strict);
      counts.executions++;
      counts.read += accepted(mine[i]);
      const pair = [one.kind, mine[i].why, theirs.why, strict?.why].join('|').replaceAll(/\d+/g, '').slice(0, 300);
      // Words may have the input's own characters in them.
      if (!brought.has(pair) && brought.size < 20_000) {
        brought.add(pair);
        keep(one);
      }
    }
  };

  /** The same, and which inputs reach blocks that none has reached. */
  const judgeGuided = async (batch) => {
    const blocks = new Blocks();
    try {
      blocks.take();
      await judge(batch);
      const fresh = blocks.take().filter((block) => !reached.has(block));
      if (!fresh.length) return;
      for (const one of batch) {
        await mineOf(one.kind, one.input).catch(() => {});
        const ran = blocks.take().filter((block) => !reached.has(block));
        for (const block of ran) reached.add(block);
        if (ran.length) keep(one);
      }
      for (const block of fresh) reached.add(block);
    } finally {
      blocks.end();
    }
  };

  const begun = performance.now();
  try {
    names = text((await others.ask([[255, Buffer.alloc(0)]]))[0].subarray(1)).split('\n');
    for (const kind of [...KINDS, 'pem, strict']) if (numberOf(kind) < 0) throw Error(`Rust has no decoder ${kind}`);
    const first = Object.entries(good).flatMap(([kind, inputs]) => inputs.map((input) => ({ kind, input: new Uint8Array(input) })));
    await judgeGuided(first);
    let said = begun;
    for (let i = 0; counts.executions < executions && performance.now() - begun < 1000 * seconds; i++) {
      const batch = Array.from({ length: Math.min(BATCH, executions - counts.executions) }, make);
      await (i % COUNTED ? judge(batch) : judgeGuided(batch));
      if (performance.now() - said > 60_000) {
        said = performance.now();
        say(`${counts.executions} executions, ${counts.read} of them read, ${counts.kept} inputs kept, ${reached.size} blocks`);
      }
    }
  } finally {
    others.end();
    await watch.end();
  }
  counts.blocks = reached.size;
  if (findings.size) throw Error(`${findings.size} findings\n${[...findings.values()].join('\n')}`);
  const gone = [...met].filter(([, count]) => !count).map(([name]) => name);
  if (gone.length) throw Error(`no input shows this difference: ${gone.join('; ')}`);
  return counts;
}

if (process.argv[1] == fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { seconds: { type: 'string' }, executions: { type: 'string' }, seed: { type: 'string' }, all: { type: 'boolean' } } });
  const number = (name) => (values[name] == undefined ? undefined : Number(values[name]));
  const limits = { all: values.all, seconds: number('seconds'), executions: number('executions'), seed: number('seed') ?? Date.now() % 2 ** 31 };
  if (limits.seconds == undefined && limits.executions == undefined) limits.executions = 1_000_000;
  console.log(`seed ${limits.seed}`);
  const begun = performance.now();
  const { executions, read, kept, blocks, differences } = await fuzz({ ...limits, say: console.log });
  for (const [name, count] of differences) console.log(`${count} times: ${name}`);
  console.log(`${read} read, ${kept} inputs kept, ${blocks} blocks reached`);
  // In the words of libFuzzer, which `cargo xtask fuzz` counts.
  console.log(`Done ${executions} runs in ${Math.round((performance.now() - begun) / 1000)} second(s)`);
  console.log(`stat::number_of_executed_units: ${executions}`);
}
