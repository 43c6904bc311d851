// Bundles the demo into `demo/dist`; `--serve` serves it. All its files together have a cap.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'demo', 'dist');
const dist = (...parts) => join(root, 'dist', ...parts);

/** What all files may have together, in bytes. */
const CAP = 200_000;

/** The modules that lie beside the page. */
const modules = ['fast', 'x25519', 'fn-dsa'];

/** Has the page's code name its modules instead of carrying them. One does for all of Ed25519. */
const fetched = {
  name: 'fetched',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#wasm\// }, ({ path }) => {
      const name = path.slice(6).replace(/^small$/, 'fast');
      if (!modules.includes(name)) throw new Error(`${path} is not beside the page`);
      return { path: name, namespace: 'fetched' };
    });
    onLoad({ filter: /(?:)/, namespace: 'fetched' }, ({ path }) => ({ contents: `export default '${path}';` }));
  },
};

/** Makes `demo/dist`; the bytes of all its files. */
export async function build() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const html = readFileSync(join(root, 'demo', 'index.html'), 'utf8');
  writeFileSync(join(out, 'index.html'), html.replaceAll(/\n\s+/g, '\n'));
  await esbuild.build({
    entryPoints: ['demo.js', 'worker.js', 'demo.css'].map((name) => join(root, 'demo', name)),
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    logLevel: 'error',
    alias: {
      '#instantiate/later': join(root, 'demo', 'fetched.js'),
      // Engines that know `light-dark()` have SIMD.
      '#fallback/compat': dist('fallback', 'none.js'),
      '#fallback/fn-dsa-compat': dist('fallback', 'none.js'),
    },
    plugins: [fetched],
  });
  for (const name of modules) {
    // A module that is served says which it is; here nobody asks.
    const { default: text } = await import(pathToFileURL(dist('wasm', `${name}.text.js`)));
    writeFileSync(join(out, `${name}.wasm.deflate`), Buffer.from(text, 'base64'));
  }
  const total = readdirSync(out).reduce((sum, name) => sum + statSync(join(out, name)).size, 0);
  if (total >= CAP) throw new Error(`the demo has ${total} bytes, and may have ${CAP}`);
  return total;
}

/** No scripts from elsewhere, no eval; only WebAssembly may be compiled. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'";

/** That of the demo, which fetches a module from beside itself; its icon is an empty address. */
export const DEMO_POLICY = `${POLICY}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'`;

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
  console.log(`${await build()} bytes in demo/dist`);
  if (process.argv.includes('--serve')) {
    const server = await serve(out, 8080, DEMO_POLICY);
    console.log(`http://localhost:${server.address().port}/`);
  }
}
