// Builds `dist/` and `mod.js`: the modules by cargo and wasm-opt, the code by tsc and esbuild.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import zopfli from '@gfx/zopfli';
import * as esbuild from 'esbuild';
import { exportsMap, importsMap, imports, modules } from './modules.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const run = (program, args, env = {}) =>
  execFileSync(program, args, {
    cwd: at('wasm'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
const local = (name) => at('node_modules', '.bin', name);

// `--only small,verify` leaves the other modules as they are; `--only ''` all of them.
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const target = process.env.CARGO_TARGET_DIR ?? at('wasm', 'target');

/** The bits of WebAssembly that every engine has that we name; SIMD where the module asks for it. */
const features = ['bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int', 'simd'];

/** A module without the exports of globals, which the linker adds. */
function withoutGlobals(bytes) {
  const number = (at) => {
    let [value, shift] = [0, 0];
    for (;;) {
      const octet = bytes[at++];
      value += (octet & 127) * 2 ** shift;
      shift += 7;
      if (octet < 128) return [value, at];
    }
  };
  const short = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...short(value >> 7)]);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const start = at;
    const id = bytes[at];
    let size, count;
    [size, at] = number(at + 1);
    const end = at + size;
    if (id == 7) {
      const kept = [];
      for ([count, at] = number(at); count--; ) {
        const from = at;
        let length, kind;
        [length, at] = number(at);
        kind = bytes[at + length];
        [, at] = number(at + length + 1);
        if (kind != 3) kept.push(bytes.subarray(from, at));
      }
      const content = Buffer.concat([Buffer.from(short(kept.length)), ...kept]);
      parts.push(Buffer.from([id, ...short(content.length)]), content);
    } else parts.push(bytes.subarray(start, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function wasm({ name, crate, features: enabled, profile, stack = 16384, simd }) {
  const rustflags = [`-Clink-arg=-zstack-size=${stack}`, '-Clink-arg=--stack-first'].concat(
    simd ? '-Ctarget-feature=+simd128' : [],
  );
  run(
    'cargo',
    ['build', '--quiet', '--locked', '--target', 'wasm32-unknown-unknown', '-p', crate]
      .concat('--profile', profile, '--no-default-features')
      .concat(enabled.length ? ['--features', enabled.join()] : []),
    { RUSTFLAGS: rustflags.join(' '), CARGO_ENCODED_RUSTFLAGS: rustflags.join('\x1f'), CARGO_TARGET_DIR: target },
  );
  const built = join(target, 'wasm32-unknown-unknown', profile, `${crate.replaceAll('-', '_')}.wasm`);
  writeFileSync(built + '.exports', withoutGlobals(readFileSync(built)));
  run(local('wasm-opt'), [
    ...features.map((feature) => `--enable-${feature}`),
    profile == 'small' ? '-Oz' : '-O3',
    '--converge',
    '--strip-debug',
    '--strip-producers',
    '--strip-target-features',
    built + '.exports',
    '-o',
    at('dist', 'wasm', `${name}.wasm`),
  ]);
}

/** The format of deflate, by a compressor that takes its time. */
const deflate = (bytes) =>
  new Promise((resolve, reject) =>
    zopfli.deflate(bytes, { numiterations: bytes.length < 1e5 ? 60 : 5 }, (error, packed) =>
      error ? reject(error) : resolve(Buffer.from(packed)),
    ),
  );

/** The files through which a module reaches the engine. */
async function loaders({ name, simd }) {
  const bytes = readFileSync(at('dist', 'wasm', `${name}.wasm`));
  const text = JSON.stringify(bytes.toString('base64'));
  const packed = JSON.stringify((await deflate(bytes)).toString('base64'));
  const decode = (data) => `Uint8Array.from(atob(${data}), (c) => c.charCodeAt())`;
  // An engine without SIMD refuses the whole module, in words of its own.
  const wrap = (start, body) =>
    simd
      ? `${start}{
  try {
    ${body}
  } catch (cause) {
    throw new Error('lanner needs WebAssembly with SIMD here; without it, use lanner/compat', { cause });
  }
};
`
      : `${start}{
  ${body}
};
`;
  const embedded =
    `const bytes = () => ${decode(text)};
` +
    wrap(
      'export const load = () => ',
      'return new WebAssembly.Instance(new WebAssembly.Module(bytes())).exports;',
    ) +
    wrap(
      'export const loadLater = async () => ',
      'return (await WebAssembly.instantiate(bytes())).instance.exports;',
    );
  const inflated = wrap(
    'export const load = async () => ',
    `if (!globalThis.DecompressionStream) throw Error('no DecompressionStream: use lanner/compat');
  const bytes = new Response(${decode(packed)}).body.pipeThrough(new DecompressionStream('deflate-raw'));
  return (await WebAssembly.instantiate(await new Response(bytes).arrayBuffer())).instance.exports;`,
  );
  const workerd = `import module from '../../wasm/${name}.wasm';
export const load = () => new WebAssembly.Instance(module).exports;
export const loadLater = async () => load();
`;
  writeFileSync(at('dist', 'esm', 'wasm', `${name}.embedded.js`), embedded);
  writeFileSync(at('dist', 'esm', 'wasm', `${name}.inflated.js`), inflated);
  writeFileSync(at('dist', 'esm', 'wasm', `${name}.workerd.js`), workerd);
}

const files = (dir) =>
  readdirSync(dir, { recursive: true }).map(String).filter((name) => !name.endsWith('.workerd.js'));

/** CommonJS from ESM, file by file. */
async function commonjs() {
  const esm = at('dist', 'esm');
  const rename = (text, end) => text.replaceAll(/(from |import\()(['"])(\.[^'"]*)\.js\2/g, `$1$2$3.${end}$2`);
  for (const name of files(esm)) {
    const path = join(esm, name);
    if (name.endsWith('.d.ts')) {
      const output = at('dist', 'cjs', name.replace(/\.d\.ts$/, '.d.cts'));
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, rename(readFileSync(path, 'utf8'), 'cjs'));
    } else if (name.endsWith('.js')) {
      const output = at('dist', 'cjs', name.replace(/\.js$/, '.cjs'));
      mkdirSync(dirname(output), { recursive: true });
      const code = rename(readFileSync(path, 'utf8'), 'cjs');
      const result = await esbuild.transform(code, { format: 'cjs', target: 'es2022', platform: 'node' });
      writeFileSync(output, result.code);
    }
  }
}

/** Everything of the main entry in one file, for import by address. */
async function single() {
  await esbuild.build({
    entryPoints: [at('dist', 'esm', 'index.js')],
    outfile: at('mod.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    banner: { js: '/* lanner: Ed25519. One file, no imports; the types are in mod.d.ts. */\n// @ts-self-types="./dist/esm/index.d.ts"' },
    legalComments: 'inline',
  });
}

function manifest() {
  const path = at('package.json');
  const old = readFileSync(path, 'utf8');
  const manifest = JSON.parse(old);
  manifest.exports = exportsMap();
  manifest.imports = importsMap();
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  if (text != old) writeFileSync(path, text);
}

mkdirSync(at('dist', 'wasm'), { recursive: true });
for (const dir of ['esm', 'cjs']) rmSync(at('dist', dir), { recursive: true, force: true });
mkdirSync(at('dist', 'esm', 'wasm'), { recursive: true });
run(process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', at('tsconfig.json')]);
modules.filter(({ name }) => only?.split(',').includes(name) ?? true).forEach(wasm);
for (const module of modules) await loaders(module);
await commonjs();
manifest();
await single();
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(at('..', name), at(name));
