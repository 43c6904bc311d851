// Bundles the demo and the benchmark page into `demo/dist`; `--serve` serves it.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'demo', 'dist');

/** Makes `demo/dist`. */
export async function build() {
  mkdirSync(out, { recursive: true });
  for (const name of ['index.html', 'demo.css', 'bench.html'])
    copyFileSync(join(root, 'demo', name), join(out, name));
  await esbuild.build({
    entryPoints: ['demo.js', 'worker.js', 'bench.js'].map((name) => join(root, 'demo', name)),
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    // libsodium's ESM asks for modules of node, but only in node.
    external: ['module', 'fs', 'path', 'crypto', 'url', 'node:*'],
  });
}

/** No scripts from elsewhere, no eval; only WebAssembly may be compiled. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'";

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves a folder on this machine alone. */
export function serve(folder = out, port = 0, policy = POLICY) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    try {
      const body = await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path));
      const type = types[extname(path)] ?? 'text/html';
      response.writeHead(200, {
        // Engines take WebAssembly as it comes only where its type has no parameter.
        'content-type': type == types['.wasm'] ? type : `${type}; charset=utf-8`,
        'content-security-policy': policy,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

if (process.argv[1] == fileURLToPath(import.meta.url)) {
  await build();
  if (process.argv.includes('--serve')) {
    const server = await serve(out, 8080);
    console.log(`http://localhost:${server.address().port}/`);
  }
}
