// What an import costs: bundled by esbuild for browsers (es2022, minified), WebAssembly included. What is fetched only
// where SIMD is missing, or with the first long message, is counted apart; and with it where a bundle is one file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bundled } from './bundled.mjs';
import { served } from './modules.mjs';

/** Octets, gzip: more is an error. The README says them, too: of what is loaded at once, and of a bundle of one file. */
const caps = { '.': 7600, './verify': 5700, './fast': 16200, './ristretto': 38000, './fn-dsa': 50000, './fn-dsa/verify': 12000 };
const wholeCaps = { '.': 19000, './verify': 17200, './fast': 27400, './compat': 13800, './tweetnacl': 19900 };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Octets of a bundle: what is loaded at once, the parts that wait for a need, and both in one file. */
async function bundle(source) {
  const input = { entryPoints: [join(root, source)] };
  const { now, later } = await bundled(input);
  const { now: whole } = await bundled(input, false);
  const sizes = (parts) => {
    const sum = (measure) => parts.reduce((total, part) => total + measure(part), 0);
    return [sum((part) => part.length), sum((part) => gzipSync(part, { level: 9 }).length), sum((part) => brotliCompressSync(part).length)];
  };
  return [now, later, whole].map(sizes);
}

let over = false;
console.log('import                minified     gzip   brotli      cap   later, gzip   in one file      cap');
for (const [entry, { default: source }] of Object.entries(exports)) {
  if (!source || entry.endsWith('.wasm') || entry.endsWith('.json')) continue;
  const [now, later, whole] = await bundle(source);
  const [cap, wholeCap] = [caps[entry], wholeCaps[entry]];
  const isOver = now[1] > cap || whole[1] > wholeCap;
  over ||= isOver;
  console.log(
    ('lanner' + entry.slice(1)).padEnd(20) +
      [...now, cap ?? '', later[1] || '', whole[1], wholeCap ?? ''].map((n, i) => String(n).padStart(i == 4 || i == 5 ? 14 : 9)).join('') +
      (isOver ? '  OVER' : ''),
  );
}
console.log('\nfetched by the entries that stream, besides');
for (const name of served) {
  const code = readFileSync(join(root, 'dist', 'wasm', `${name}.wasm`));
  const sizes = [code.length, gzipSync(code, { level: 9 }).length, brotliCompressSync(code).length];
  console.log(`${name}.wasm`.padEnd(20) + sizes.map((n) => String(n).padStart(9)).join(''));
}
const words = readFileSync(join(root, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ');
for (const [entry, cap] of [...Object.entries(caps), ...Object.entries(wholeCaps)]) {
  const name = `lanner${entry.slice(1)}`;
  if (words.includes(`\`${name}\` ${cap.toLocaleString('en')}`)) continue;
  console.error(`README.md does not say the cap of ${name}`);
  process.exitCode = 1;
}
if (over) {
  console.error('an entry is over its cap');
  process.exitCode = 1;
}
