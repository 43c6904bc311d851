// Builds `dist/`, `mod.js` and `mod.d.ts`: the modules by cargo and wasm-opt, the code by tsc and esbuild.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import zopfli from '@gfx/zopfli';
import * as esbuild from 'esbuild';
import { compile, run } from './compile.mjs';
import { addresses, exportsMap, importsMap, layouts, modules, served } from './modules.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);

const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

// `--only small,verify` leaves the other modules as they are; `--only ''` all of them.
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;

/** A module without the section that `stamped` adds. */
function plain(bytes) {
  const mark = bytes.lastIndexOf(Buffer.from('\x06lanner'));
  return mark > 0 ? bytes.subarray(0, mark - 2) : bytes;
}

/**
 * What a module to be served is called: its name, its version, and the start of its hash. It stands
 * in a section of its own (id 0, by a name), so that code can tell whether it has got its module.
 */
const build = (name, bytes) =>
  `${name} ${version} ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
const stamped = (name, bytes) => {
  const section = Buffer.from(`\x06lanner${build(name, bytes)}`);
  return Buffer.concat([bytes, Buffer.from([0, section.length]), section]);
};

/** The format of deflate, by a compressor that takes its time. */
const deflate = (bytes) =>
  new Promise((resolve, reject) =>
    zopfli.deflate(bytes, { numiterations: bytes.length < 1e5 ? 60 : 5 }, (error, packed) =>
      error ? reject(error) : resolve(Buffer.from(packed)),
    ),
  );

/** The files through which a module reaches the engine. */
async function loaders({ name, simd }) {
  const path = at('dist', 'wasm', `${name}.wasm`);
  const bytes = plain(readFileSync(path));
  writeFileSync(path, served().includes(name) ? stamped(name, bytes) : bytes);
  const text = JSON.stringify(bytes.toString('base64'));
  const packed = JSON.stringify((await deflate(bytes)).toString('base64'));
  // Short texts in few words; for long ones a loop, a tenth of the milliseconds.
  const decode = (data) =>
    data.length < 12000
      ? `Uint8Array.from(atob(${data}), (c) => c.charCodeAt())`
      : `((text) => {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
})(atob(${data}))`;
  // What goes wrong is told by `failure`, and what to do about something missing.
  const instead = ['x25519', 'fn-dsa'].includes(name)
    ? ', which this needs'
    : ': use lanner/compat';
  const head = "import { failure } from '../failure.js';\n";
  const wrap = (start, body) => `${start}{
  try {
    ${body}
  } catch (cause) {
    throw failure(cause${simd ? `, ${JSON.stringify(instead)}` : ''});
  }
};
`;
  const embedded =
    `${head}const bytes = () => ${decode(text)};
` +
    wrap(
      'export const load = () => ',
      'return new WebAssembly.Instance(new WebAssembly.Module(bytes())).exports;',
    ) +
    wrap(
      'export const loadLater = async () => ',
      'return (await WebAssembly.instantiate(bytes())).instance.exports;',
    );
  const inflated =
    head +
    wrap(
      'export const load = async () => ',
      `const bytes = new Response(${decode(packed)}).body.pipeThrough(new DecompressionStream('deflate-raw'));
    return (await WebAssembly.instantiate(await new Response(bytes).arrayBuffer())).instance.exports;`,
    );
  const workerd = `import module from '../../wasm/${name}.wasm';
export const load = () => new WebAssembly.Instance(module).exports;
export const loadLater = async () => load();
`;
  const address = Object.values(addresses).find(({ module }) => module == name);
  const builds = () => {
    const names = [name, ...address.others].filter((other) => served().includes(other));
    const texts = names.map((other) => {
      return build(other, plain(readFileSync(at('dist', 'wasm', `${other}.wasm`))));
    });
    return `export const builds = ${JSON.stringify(texts)};\n`;
  };
  writeFileSync(at('dist', 'esm', 'wasm', `${name}.embedded.js`), embedded);
  writeFileSync(at('dist', 'esm', 'wasm', `${name}.inflated.js`), inflated);
  writeFileSync(
    at('dist', 'esm', 'wasm', `${name}.workerd.js`),
    address ? `${workerd}export const source = () => module;\n${builds()}` : workerd,
  );
  if (!address) return;
  // The form that bundlers know: they take the file along, and put its new address here.
  writeFileSync(
    at('dist', 'esm', 'wasm', `${name}.address.js`),
    `export const source = () => new URL('../../wasm/${name}.wasm', import.meta.url);\n${builds()}`,
  );
  mkdirSync(at('dist', 'cjs', 'wasm'), { recursive: true });
  writeFileSync(
    at('dist', 'cjs', 'wasm', `${name}.address.cjs`),
    `'use strict';
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
exports.source = () => pathToFileURL(join(__dirname, '../../wasm/${name}.wasm'));
${builds().replace('export const ', 'exports.')}`,
  );
}

const files = (dir) =>
  readdirSync(dir, { recursive: true })
    .map(String)
    .filter((name) => !/\.(workerd|address)\.js$/.test(name));

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

/** The types of the main entry in one file: over a network nobody looks for a `.d.ts` beside what another imports. */
function singleTypes() {
  const text = (name) => readFileSync(at('dist', 'esm', `${name}.d.ts`), 'utf8');
  const own = text('index')
    .replaceAll(/^export type \{.*\} from '\.\/types\.js';\n/gm, '')
    .replaceAll(/import\("\.\/types\.js"\)\./g, '');
  const types = text('types') + own;
  if (/\bimport\b|\bfrom '/.test(types)) throw new Error(`mod.d.ts would import:\n${types}`);
  writeFileSync(at('mod.d.ts'), types);
}

/** Everything of the main entry in one file, for import by address. */
async function single() {
  singleTypes();
  await esbuild.build({
    entryPoints: [at('dist', 'esm', 'index.js')],
    outfile: at('mod.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    banner: {
      js: '/* lanner: Ed25519. One file, no imports. */\n// @ts-self-types="./mod.d.ts"',
    },
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

/** What the code must know of the modules' memory, as they have said it themselves. */
function layout(compiled) {
  const lines = layouts.flatMap(({ prefix, of, names }) => {
    const [first, ...others] = of.map((name) => {
      const { stack } = modules.find((module) => module.name == name);
      const numbers = compiled[name] ?? [];
      if (numbers.length != names.length) throw new Error(`${name}: a layout of ${numbers.length} numbers`);
      return ['STACK', ...names].map((word, i) => `export const ${prefix}${word} = ${[stack, ...numbers][i]};\n`).join('');
    });
    if (others.some((other) => other != first)) throw new Error(`the layouts of ${of} are not the same`);
    return first;
  });
  writeFileSync(
    at('src', 'wasm', 'layout.ts'),
    `// The memory of the modules, in bytes: written by scripts/build.mjs from what they say.\n${lines.join('')}`,
  );
}

mkdirSync(at('dist', 'wasm'), { recursive: true });
for (const dir of ['esm', 'cjs']) rmSync(at('dist', dir), { recursive: true, force: true });
mkdirSync(at('dist', 'esm', 'wasm'), { recursive: true });
const compiled = {};
for (const module of modules)
  if (only?.split(',').includes(module.name) ?? true)
    compiled[module.name] = compile(module, at('dist', 'wasm', `${module.name}.wasm`));
if (layouts.every(({ of, names }) => !names.length || of.every((name) => name in compiled))) layout(compiled);
run(process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', at('tsconfig.json')]);
for (const module of modules) await loaders(module);
await commonjs();
manifest();
await single();
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(at('..', name), at(name));
