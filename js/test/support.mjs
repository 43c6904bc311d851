// What the tests share.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The entries: the name that users import, `.` and so on, and the source. */
export const entries = Object.fromEntries(
  Object.entries(exports).flatMap(([entry, { types, default: code }]) =>
    types ? [[entry, code.replace(/^\.\/dist\/(.*)\.js$/, '$1')]] : [],
  ),
);

/** The project's own vectors. */
export const own = (name) =>
  JSON.parse(readFileSync(join(root, '..', 'vectors', 'data', name), 'utf8'));

/** A file of the outside test data, or undefined, which is said. */
export const outside = (name) => {
  const dir = process.env.LANNER_SHARED_VECTORS ?? join(root, '..', '..', 'shared', 'vectors');
  // What `cargo xtask vectors --fetch` has fetched.
  const fetched = join(root, '..', 'vectors', 'outside');
  const path = [dir, fetched].map((place) => join(place, name)).find((file) => existsSync(file));
  if (path) return readFileSync(path);
  console.log(`SKIPPED: no outside test data ${name}`);
};

export const hex = (text) => Uint8Array.from(Buffer.from(text, 'hex'));
export const toHex = (bytes) => Buffer.from(bytes).toString('hex');
export const utf8 = (text) => new TextEncoder().encode(text);

/** A generator of 32-bit words (Marsaglia 2003); LANNER_TEST_SEED changes what it gives. */
export const words = (seed = 1) => {
  let x = (Number(process.env.LANNER_TEST_SEED ?? 0) * 7919 + seed) | 1;
  const next = () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
  for (let i = 0; i < 16; i++) next();
  return next;
};

export const randomBytes = (next, length) => Uint8Array.from({ length }, () => next() >>> 24);

/** The order of the base point, little-endian. */
export const ORDER = hex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/** A signature with S + L in place of S. */
export const plusOrder = (signature) => {
  const changed = Uint8Array.from(signature);
  let carry = 0;
  for (let i = 0; i < 32; i++) {
    carry += changed[32 + i] + ORDER[i];
    changed[32 + i] = carry;
    carry >>= 8;
  }
  return changed;
};
