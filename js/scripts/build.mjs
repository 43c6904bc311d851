// Builds `dist/`, `mod.js` and `lanner.cdx.json`: the modules by cargo and wasm-opt, the code by tsc, what is in one file by
// esbuild. `--only small,verify` leaves the other modules as they are; `--only ''` all of them.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import * as esbuild from 'esbuild';
import { bill } from './bill.mjs';
import { compile, run } from './compile.mjs';
import { licences } from './licences.mjs';
import { declaredAs, declaredIn, files, layouts, modules, served } from './modules.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const dist = (...parts) => at('dist', ...parts);

const { exports, version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
/** The declarations of the entries. */
const entryTypes = Object.values(exports).flatMap(({ types }) => (types ? [types.replace('./dist/', '')] : []));
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;

/** Where a module lies: in the package, or with what cargo builds if its text alone is there. */
const built = ({ name, file }) => (file ? dist('wasm', `${file}.wasm`) : at('wasm', 'target', `${name}.wasm`));

/** A module without the section that `stamped` adds: its last one, of a custom name, up to the very end. */
function plain(bytes) {
  const mark = bytes.lastIndexOf(Buffer.from('\x06lanner'));
  // The same octets may stand in the data.
  return mark > 1 && bytes[mark - 2] == 0 && mark + bytes[mark - 1] == bytes.length ? bytes.subarray(0, mark - 2) : bytes;
}

/**
 * What a module to be served is called: its name, its version, and the start of its hash. It stands
 * in a section of its own (id 0, by a name), so that code can tell whether it has got its module.
 */
const build = (name) => {
  const bytes = plain(readFileSync(dist('wasm', `${name}.wasm`)));
  return `${name} ${version} ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
};
const stamped = (name, bytes) => {
  const section = Buffer.from(`\x06lanner${build(name)}`);
  return Buffer.concat([bytes, Buffer.from([0, section.length]), section]);
};

/** The format of deflate, by a compressor that takes its time; what it gives is inflated and compared. */
const deflate = (bytes) =>
  new Promise((resolve, reject) =>
    zopfli.deflate(bytes, { numiterations: bytes.length < 1e4 ? 2000 : bytes.length < 1e5 ? 60 : 5 }, (error, packed) => {
      if (error) return reject(error);
      if (!inflateRawSync(packed).equals(bytes)) return reject(new Error('the compressor has lost something'));
      resolve(Buffer.from(packed));
    }),
  );

/** The forms of a module, and what imports its file: as workerd, and as the edge runtime of Vercel wants it. */
async function forms(module) {
  const { name, file } = module;
  const path = built(module);
  const bytes = plain(readFileSync(path));
  if (!WebAssembly.validate(bytes)) throw new Error(`${name} is no module`);
  writeFileSync(path, served.includes(file) ? stamped(file, bytes) : bytes);
  const text = dist('wasm', `${name}.text.js`);
  // While one works on something else, what was compressed before stays.
  const before = only != undefined && existsSync(text) && readFileSync(text, 'utf8').split("'")[1];
  if (!before || !inflateRawSync(Buffer.from(before, 'base64')).equals(bytes))
    writeFileSync(text, `export default '${(await deflate(bytes)).toString('base64')}';\n`);
  if (!file) return;
  for (const [platform, query] of [['workerd', ''], ['edge', '?module']])
    writeFileSync(
      dist('wasm', `${file}.${platform}.js`),
      `import module from './${file}.wasm${query}';\nexport default module;\n`,
    );
}

/** Where a module is fetched from. The form of the address is the one that bundlers know: they take the file along. */
function address(name) {
  const builds = `export const build = ${JSON.stringify(build(name))};\n`;
  const alone = `${builds}export const spare = undefined;\n`;
  const own = `export const source = () => new URL('./${name}.wasm', import.meta.url);\n`;
  writeFileSync(dist('wasm', `${name}.address.js`), own + alone);
  writeFileSync(
    dist('wasm', `${name}.address.node.js`),
    `import { Buffer } from 'node:buffer';\nimport { inflateRawSync } from 'node:zlib';\n${own}${builds}` +
      `export const spare = async () =>\n` +
      `  inflateRawSync(Buffer.from((await import('./${name}.text.js')).default, 'base64'));\n`,
  );
  for (const platform of ['workerd', 'edge'])
    writeFileSync(
      dist('wasm', `${name}.address.${platform}.js`),
      `import module from './${name}.${platform}.js';\nexport const source = () => module;\n${alone}`,
    );
}

/** Puts the library that inflates into the one file that uses it: the package depends on nothing. */
async function inflating() {
  const licence = readFileSync(at('node_modules', 'fflate', 'LICENSE'), 'utf8');
  await esbuild.build({
    entryPoints: [dist('instantiate', 'inflate.js')],
    outfile: dist('instantiate', 'inflate.js'),
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module'],
    minifySyntax: true,
    minifyIdentifiers: true,
    banner: { js: `/*! Contains fflate (MIT), ${/^Copyright.*$/m.exec(licence)[0]} */` },
  });
}

/** Leaves the code without comments, which are in the sources, and the white space. */
async function terse() {
  for (const name of readdirSync(dist(), { recursive: true }).map(String))
    if (name.endsWith('.js') && !name.endsWith('.text.js')) {
      const { code } = await esbuild.transform(readFileSync(dist(name), 'utf8'), {
        minifySyntax: true, minifyWhitespace: true, target: 'es2022', legalComments: 'inline',
      });
      writeFileSync(dist(name), code);
    }
}

/** What the declarations of the entries need, from one to the next. */
function reachable(names) {
  const found = new Set();
  for (const queue = [...names]; queue.length; ) {
    const name = queue.pop();
    if (found.has(name)) continue;
    found.add(name);
    const text = readFileSync(dist(name), 'utf8');
    for (const [, path] of text.matchAll(/(?:from |import\()["']([^"']+)["']/g)) {
      if (!path.startsWith('./')) throw new Error(`${name} would need ${path}`);
      queue.push(path.slice(2).replace(/\.js$/, '.d.ts'));
    }
  }
  return found;
}

/** Leaves the declarations that users see: those of the entries, and what they need. */
function declarations() {
  for (const [name, as] of Object.entries(declaredAs))
    writeFileSync(dist(`${name}.d.ts`), `export * from './${as}.js';\n`);
  for (const [name, from] of Object.entries(declaredIn)) {
    const [own, there] = [name, from].map((one) => readFileSync(dist(`${one}.d.ts`), 'utf8'));
    const shared = [];
    const rest = own.replaceAll(/^\/\*\*(?:(?!\*\/)[^])*\*\/\nexport declare const (\w+): [^;]+;\n/gm, (all, constant) =>
      there.includes(all) ? (shared.push(constant), '') : all,
    );
    if (!shared.length) throw new Error(`${name} declares nothing as ${from} does`);
    writeFileSync(dist(`${name}.d.ts`), `${rest}export { ${shared.join(', ')} } from './${from}.js';\n`);
  }
  const kept = reachable(entryTypes);
  for (const name of readdirSync(dist(), { recursive: true }).map(String))
    if (name.endsWith('.d.ts') && !kept.has(name)) rmSync(dist(name));
  // What imports by address, and JSR, look for types where the code says that they are.
  for (const name of kept) {
    // A tab for each four spaces.
    const text = readFileSync(dist(name), 'utf8');
    writeFileSync(dist(name), text.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)));
    const code = dist(name.replace(/\.d\.ts$/, '.js'));
    writeFileSync(code, `/* @ts-self-types="./${basename(name)}" */\n${readFileSync(code, 'utf8')}`);
  }
}

/**
 * What `require('lanner/tweetnacl')` gives: the very object, as tweetnacl's is, to which others may add members. It is that of
 * the ESM, whose namespace would be sealed; its declarations are the same in the words of CommonJS.
 */
function commonjs() {
  const text = readFileSync(dist('tweetnacl.d.ts'), 'utf8');
  const [, bytes] = /^export (type Bytes = .*;)$/m.exec(readFileSync(dist('types.d.ts'), 'utf8'));
  const own = text
    .replace(/^import type \{ Bytes \} from .*;$/m, bytes)
    .replaceAll(/^(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export declare const [^;]+;\n/gm, '')
    .replaceAll(/^export (?=interface)/gm, '')
    .replace('export default nacl;', 'export = nacl;');
  if (/^(import|export (?!= ))/m.test(own)) throw new Error('tweetnacl.d.cts would be a module');
  writeFileSync(dist('tweetnacl.d.cts'), own);
  writeFileSync(dist('tweetnacl.cjs'), "module.exports = require('./tweetnacl.js').default;\n");
}

/** The main entry for import by address: no file that it asks for has names that only package.json explains. */
async function single() {
  const named = (path) => readFileSync(path, 'utf8').includes("'#") || readFileSync(path, 'utf8').includes('"#');
  await esbuild.build({
    entryPoints: [dist('index.js')],
    outfile: at('mod.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    banner: { js: '/* lanner: Ed25519, for import by address. */\n// @ts-self-types="./dist/index.d.ts"' },
    plugins: [
      {
        name: 'beside',
        setup(build) {
          const from = (path) => ({ path: `./dist/${path}`, external: true });
          // What imports by address has SIMD.
          build.onResolve({ filter: /^#fallback\// }, () => from('fallback/none.js'));
          build.onResolve({ filter: /^#wasm\// }, ({ path }) => from(`wasm/${path.slice(6)}.text.js`));
          build.onResolve({ filter: /^\.\// }, ({ path, resolveDir }) => {
            const file = join(resolveDir, path);
            return named(file) || file.endsWith('asynchronous.js') ? undefined : from(relative(dist(), file));
          });
        },
      },
    ],
    legalComments: 'inline',
    minifyWhitespace: true,
  });
}

/** What the code must know of the modules' memory, as they have said it themselves. */
function layout(compiled) {
  const lines = layouts.flatMap(({ prefix, of, names }) => {
    const [first, ...others] = of.map((name) => {
      const { stack } = modules.find((module) => module.name == name);
      const numbers = names.length ? (compiled[name] ?? []) : [];
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

mkdirSync(dist('wasm'), { recursive: true });
mkdirSync(at('wasm', 'target'), { recursive: true });
for (const name of readdirSync(dist(), { recursive: true }).map(String))
  if (name != 'wasm' && !/\.text\.js$/.test(name) && !files.includes(/^wasm.(.*)\.wasm$/.exec(name)?.[1])) rmSync(dist(name), { recursive: true, force: true });
const compiled = {};
for (const module of modules)
  if (only?.split(',').includes(module.name) ?? true)
    compiled[module.name] = compile(module, built(module));
if (layouts.every(({ of, names }) => !names.length || of.every((name) => name in compiled))) layout(compiled);
run(process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', at('src')]);
for (const module of modules) await forms(module);
served.forEach(address);
writeFileSync(dist('wasm', 'LICENSES-x25519-ristretto-fn-dsa'), licences());
writeFileSync(at('lanner.cdx.json'), bill());
await inflating();
await terse();
declarations();
commonjs();
await single();
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(at('..', name), at(name));
