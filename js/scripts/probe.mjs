// Writes `src/native-probe.ts`: signatures by which engines that multiply their equation by the cofactor are told from
// those that do not. They are chosen from the project's own edge cases, and computed once more with big integers here.
// `--check` writes nothing, and fails where the file would be another.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ed25519 } from '@noble/curves/ed25519.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { Point } = ed25519;
const L = Point.Fn.ORDER;
const hex = (text) => Uint8Array.from(Buffer.from(text, 'hex'));
const number = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const times = (point, scalar) => (scalar ? point.multiplyUnsafe(scalar) : Point.ZERO);

/** S·B - k·A - R, with k reduced modulo L and not, and the order of each: 0 where it is no small one. */
function residues({ key, sig, msg }) {
  const [A, R] = [Point.fromHex(key), Point.fromHex(sig.slice(0, 64))];
  const hash = number(createHash('sha512').update(hex(sig.slice(0, 64) + key + msg)).digest());
  const base = times(Point.BASE, number(hex(sig.slice(64)))).subtract(R);
  const order = (point) => [1, 2, 4, 8].find((n) => times(point, BigInt(n)).equals(Point.ZERO)) ?? 0;
  const product = (k) => times(A, k);
  // 8L is the order of the group: no more of the hash than its remainder matters.
  return { reduced: order(base.subtract(product(hash % L))), plain: order(base.subtract(plainProduct(A, hash % (8n * L)))) };
  function plainProduct(point, k) {
    return times(times(point, 8n), k / 8n).add(times(point, k % 8n));
  }
}

/** The cases in which the components of order L cancel, and only something of small order may be left. */
export function chosen() {
  const { cases } = JSON.parse(readFileSync(join(root, '..', 'vectors', 'data', 'ed25519_verify.json'), 'utf8'));
  const mixed = cases.filter(({ a, r, s }) => s == 'S' && [a, r].every((name) => name.startsWith('order L')) && (a + r).includes('torsion'));
  const known = mixed.map((one) => ({ ...one, ...residues(one), valid: one.accept.includes('strict') }));
  for (const { id, valid, reduced } of known) if (valid != (reduced == 1) || !reduced) throw new Error(`case ${id}: order ${reduced}`);
  const take = (count, test) => {
    const found = known.filter(test);
    if (found.length < count) throw new Error(`only ${found.length} of ${count}: ${test}`);
    return found.filter((_, i) => Math.floor((i * count) / found.length) != Math.floor(((i - 1) * count) / found.length));
  };
  const all = [
    // A factor of two in the equation is enough to take these for valid.
    ...take(11, ({ reduced }) => reduced == 2),
    ...take(4, ({ reduced }) => reduced == 4),
    ...take(4, ({ reduced }) => reduced == 8),
    // Valid for whoever does not reduce the hash modulo L.
    ...take(2, ({ valid, plain }) => !valid && plain == 1),
    // Valid, and for some of those who have another equation not.
    ...take(4, ({ valid, plain }) => valid && plain != 1),
    ...take(4, ({ valid, a }) => valid && a.includes('torsion')),
    ...take(1, ({ valid, a, r }) => !valid && a == 'order L' && r.includes('torsion')),
  ];
  return known.filter((one) => all.includes(one));
}

/** The file. */
function text() {
  const list = chosen();
  const keys = [...new Set(list.map(({ key }) => key))];
  const base64 = (digits) => Buffer.from(digits, 'hex').toString('base64');
  const lines = list.map(({ key, msg, sig, valid }) => {
    const nth = Buffer.from(msg, 'hex').toString().replace(/^Lanner /, '');
    return `  [${keys.indexOf(key)}, ${nth}, ${valid}, '${base64(sig)}'],\n`;
  });
  return `// Signatures with components of small order. Written by scripts/probe.mjs.

/** The public keys. */
export const KEYS: readonly string[] = [
${keys.map((key) => `  '${base64(key)}',\n`).join('')}];

/** The place of a key, the number in the message, whether the signature is valid without a cofactor, and the signature. */
export const CASES: readonly (readonly [key: number, nth: number, valid: boolean, signature: string])[] = [
${lines.join('')}];
`;
}

if (process.argv[1] == fileURLToPath(import.meta.url)) {
  const path = join(root, 'src', 'native-probe.ts');
  const made = text();
  if (!process.argv.includes('--check')) writeFileSync(path, made);
  else if (readFileSync(path, 'utf8') != made) throw new Error('src/native-probe.ts is not what scripts/probe.mjs writes');
}
