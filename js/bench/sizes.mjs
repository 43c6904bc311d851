// What the packages cost in a bundle, all measured alike: esbuild for browsers, es2022, minified,
// WebAssembly included; octets after gzip -9.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundled } from '../scripts/bundled.mjs';

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
  'lanner/ristretto': whole('lanner/ristretto'),
  'lanner/fn-dsa': whole('lanner/fn-dsa'),
  'lanner/fn-dsa/verify': whole('lanner/fn-dsa/verify'),
  watsign: whole('watsign'),
  tweetnacl: preset('tweetnacl'),
  'noble-ed25519': whole('@noble/ed25519'),
  'noble-curves': "export { ed25519 } from '@noble/curves/ed25519.js'",
  'noble-curves, ristretto255': "export { ristretto255, ristretto255_hasher, ed25519_hasher } from '@noble/curves/ed25519.js'",
  'noble-post-quantum': whole('@noble/post-quantum/falcon.js'),
  'libsodium-wrappers': preset('libsodium-wrappers'),
};

/** libsodium's ESM asks for modules of Node, but only in Node; liboqs-js as well. */
export const external = ['module', 'fs', 'path', 'crypto', 'url', 'node:*'];

/** Octets, minified and after gzip, of what is loaded at once: `{ library: { minified, gzip } }`. */
export async function sizes() {
  const result = {};
  for (const [name, contents] of Object.entries(imports)) {
    const { now } = await bundled({ stdin: { contents, resolveDir: root }, external });
    const sum = (measure) => now.reduce((total, part) => total + measure(part), 0);
    result[name] = {
      minified: sum((part) => part.length),
      gzip: sum((part) => gzipSync(part, { level: 9 }).length),
    };
  }
  return result;
}
