// What an import costs: bundled by esbuild for browsers (es2022, minified), WebAssembly included.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { entries, served } from './modules.mjs';

/** Octets, gzip: more is an error. */
const caps = { '.': 7400, './verify': 5850 };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let over = false;
console.log('import                minified     gzip   brotli      cap');
for (const [entry, source] of Object.entries(entries)) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `export * from './dist/esm/${source}.js'`, resolveDir: root },
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  const code = outputFiles[0].contents;
  const gzip = gzipSync(code, { level: 9 }).length;
  const cap = caps[entry];
  over ||= gzip > cap;
  console.log(
    ('lanner' + entry.slice(1)).padEnd(20) +
      [code.length, gzip, brotliCompressSync(code).length, cap ?? ''].map((n) => String(n).padStart(9)).join('') +
      (gzip > cap ? '  OVER' : ''),
  );
}
console.log('\nfetched by lanner/streaming, besides');
for (const name of served()) {
  const code = readFileSync(join(root, 'dist', 'wasm', `${name}.wasm`));
  const sizes = [code.length, gzipSync(code, { level: 9 }).length, brotliCompressSync(code).length];
  console.log(`${name}.wasm`.padEnd(20) + sizes.map((n) => String(n).padStart(9)).join(''));
}
if (over) {
  console.error('an entry is over its cap');
  process.exitCode = 1;
}
