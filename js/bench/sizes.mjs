// What the packages cost in a bundle, all measured alike: esbuild for browsers, es2022, minified,
// WebAssembly included; octets after gzip -9.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const whole = (name) => `export * from '${name}'`;
const preset = (name) => `export { default } from '${name}'`;

const imports = {
  lanner: whole('lanner'),
  'lanner/verify': whole('lanner/verify'),
  'lanner/sync': whole('lanner/sync'),
  'lanner/fast': whole('lanner/fast'),
  'lanner/compat': whole('lanner/compat'),
  'lanner/x25519': whole('lanner/x25519'),
  'lanner/fn-dsa': whole('lanner/fn-dsa'),
  watsign: whole('watsign'),
  tweetnacl: preset('tweetnacl'),
  'noble-ed25519': whole('@noble/ed25519'),
  'noble-curves': "export { ed25519 } from '@noble/curves/ed25519.js'",
  'noble-post-quantum': whole('@noble/post-quantum/falcon.js'),
  'libsodium-wrappers': preset('libsodium-wrappers'),
};

/** libsodium's ESM asks for modules of Node, but only in Node; liboqs-js as well. */
export const external = ['module', 'fs', 'path', 'crypto', 'url', 'node:*'];

/** Octets, minified and after gzip: `{ library: { minified, gzip } }`. */
export async function sizes() {
  const result = {};
  for (const [name, contents] of Object.entries(imports)) {
    const { outputFiles } = await esbuild.build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      format: 'esm',
      minify: true,
      platform: 'browser',
      target: 'es2022',
      write: false,
      logLevel: 'error',
      external,
    });
    const code = outputFiles[0].contents;
    result[name] = { minified: code.length, gzip: gzipSync(code, { level: 9 }).length };
  }
  return result;
}
