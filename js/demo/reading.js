// Reads keys and signatures in whatever form they come, as text or as the octets of a file.
import { fromBase64, fromBase64Url, fromHex, fromPem, fromSpki, publicFromJwk, toHex } from 'lanner/keys';

/** Text in hexadecimal or base64, with white space and colons wherever they are. */
export function octetsOf(text) {
  const bare = text.replaceAll(/[\s:]/g, '');
  if (!bare) return undefined;
  if (/^([0-9a-f]{2})+$/i.test(bare)) return fromHex(bare);
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(bare)) return fromBase64(bare.replace(/=+$/, '').padEnd(Math.ceil(bare.replace(/=+$/, '').length / 4) * 4, '='));
  if (/^[\w-]+$/.test(bare)) return fromBase64Url(bare);
  throw RangeError('This is neither hexadecimal nor base64.');
}

const ofEd25519 = ({ curve, publicKey }) => {
  if (curve != 'Ed25519') throw RangeError(`This is a key of ${curve}, which signs nothing.`);
  return publicKey;
};

/** The public key of a line of OpenSSH (RFC 8709): two strings, each after its length. */
function ofOpenSsh(line) {
  const blob = fromBase64(line.split(/\s+/)[1] ?? '');
  // Eleven octets, the name again; and 32.
  const head = '0000000b7373682d6564323535313900000020';
  const at = head.length / 2;
  if (blob.length != at + 32 || toHex(blob.subarray(0, at)) != head) throw RangeError('This line of OpenSSH is no Ed25519 key.');
  return blob.slice(at);
}

/** Lengths of public keys, and which schemes they may be for. */
export const KEYS = {
  32: ['Ed25519'],
  897: ['falcon512', 'falcon512padded', 'falcon512ct', 'fndsa512', 'fndsa512draft2026'],
  1793: ['falcon1024', 'falcon1024padded', 'falcon1024ct', 'fndsa1024', 'fndsa1024draft2026'],
};

/** A public key: raw, or in one of the forms that others write. */
export function keyOf(given) {
  let octets = given;
  if (typeof given == 'string') {
    const text = given.trim();
    if (!text) return undefined;
    if (/PRIVATE KEY/.test(text)) throw RangeError('This is a private key. Keep it to yourself; what is needed is the public key.');
    if (text.startsWith('-----BEGIN')) octets = fromPem(text).der;
    else if (text.startsWith('{')) return ofEd25519(publicFromJwk(JSON.parse(text)));
    else if (text.startsWith('ssh-ed25519 ')) return ofOpenSsh(text);
    else octets = octetsOf(text);
  }
  if (octets.length == 44) octets = ofEd25519(fromSpki(octets));
  if (!KEYS[octets.length])
    throw RangeError(`A public key has 32 bytes (Ed25519), 897 or 1793 (Falcon, FN-DSA); this has ${octets.length}.`);
  return octets;
}

/** A signature: raw, or in hexadecimal or base64. */
export const signatureOf = (given) => (typeof given == 'string' ? octetsOf(given) : given);

/** A file's octets, or its text where it is text of which something can be read. */
export async function contentOf(file, read) {
  if (file.size > 1 << 20) throw RangeError(`${file.name} has more than 1 MiB, and is neither key nor signature.`);
  const octets = new Uint8Array(await file.arrayBuffer());
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    return octets;
  }
  // What calls itself a key is no octets, whatever is wrong with it.
  if (/^\s*(-----BEGIN|\{\s*"|ssh-)/.test(text)) return text;
  try {
    read(text);
  } catch {
    return octets;
  }
  return text.trim() ? text : octets;
}
