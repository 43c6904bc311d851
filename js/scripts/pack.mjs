// Packs what npm would pack into an archive whose octets come of the files alone: `node scripts/pack.mjs FOLDER [PACKAGE]`
// writes `lanner-VERSION.tgz` there, of this package or of a copy of it. npm compresses by the zlib of the Node that runs it, and two of them give two archives, of which a
// list of checksums can name but one.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import zopfli from '@gfx/zopfli';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Octets of a block of tar, to whose multiples everything is filled up. */
const BLOCK = 512;
/** Seconds since 1970: the date that npm gives each file, the day of a film. Tools that make zip files of packages know none before 1980. */
const DATE = 499162500;

/** The header of a file, in the form of POSIX (ustar): the same for all but the name, the length and the sum. */
export function header(name, length) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is longer than a header has room for`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value, at, digits) => block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  block.write(name, 0);
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(length, 124, 11);
  octal(DATE, 136, 11);
  block.write('0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  // Summed with spaces in the place of the sum.
  block.fill(' ', 148, 156);
  octal(block.reduce((sum, octet) => sum + octet, 0), 148, 6);
  return block;
}

/** An archive of files, given by name, in the order of their names. */
export function tar(files) {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = sorted.flatMap(([name, octets]) => [header(`package/${name}`, octets.length), octets, Buffer.alloc(-octets.length & (BLOCK - 1))]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Writes the archive of a folder's package, whose files are there, into another folder, and says where it lies. */
export async function pack(from, to) {
  const said = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: from, encoding: 'utf8' }));
  const { name, version, files } = Array.isArray(said) ? said[0] : Object.values(said)[0];
  const whole = tar(files.map(({ path }) => [path, readFileSync(join(from, path))]));
  const packed = Buffer.from(await zopfli.gzipAsync(whole, { numiterations: 5 }));
  if (!gunzipSync(packed).equals(whole)) throw new Error('the compressor has lost something');
  const archive = join(to, `${name}-${version}.tgz`);
  writeFileSync(archive, packed);
  return archive;
}

if (process.argv[1] == fileURLToPath(import.meta.url)) {
  const [to, from = root] = process.argv.slice(2);
  console.log(await pack(from, to));
}
