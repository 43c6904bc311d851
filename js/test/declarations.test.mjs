// What an editor shows: every function of every entry has its documentation, and types that compilers of all ages take.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { declaredIn } from '../scripts/modules.mjs';
import { entries, root } from './support.mjs';

const declared = (source) => readFileSync(join(root, 'dist', `${source}.d.ts`), 'utf8');

/** The declarations of an entry, those of another one if it says that they are. */
const text = (source) => {
  const whole = declared(source);
  const [, other] = /^export \* from '\.\/([\w-]+)\.js';\s*$/.exec(whole) ?? [];
  return other ? declared(other) : whole;
};

/** The constants that an entry exports, with the comment before each; some are declared in another one. */
function* constants(source) {
  const whole = text(source);
  const [, names, other] = /^export \{ ([\w, ]+) \} from '\.\/([\w-]+)\.js';$/m.exec(whole) ?? [];
  if (names) for (const one of constants(other)) if (names.split(', ').includes(one[0])) yield one;
  for (const { index, 1: name } of whole.matchAll(/^export declare const (\w+):/gm)) {
    const [comment] = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(whole.slice(0, index)) ?? [];
    yield [name, comment];
  }
}

test('every export of every entry is declared, and has its documentation beside it', async () => {
  let count = 0;
  for (const [entry, source] of Object.entries(entries)) {
    const module = await import(`lanner${entry.slice(1)}`);
    const documented = new Map(constants(source));
    for (const name of Object.keys(module).filter((name) => !['default', 'module.exports'].includes(name))) {
      const comment = documented.get(name);
      assert.ok(documented.has(name), `${source}: ${name} is not declared`);
      assert.ok(comment?.length > 40, `${source}: ${name} has no documentation`);
      // Lengths where there are keys, the rules where something is verified, the errors where something is refused.
      if (/^(sign|verify|keyPairFrom|shared|createSigner)/.test(name) && name != 'verifyBatch' && source != 'tweetnacl')
        assert.match(comment, /\b\d+ bytes/, `${source}: ${name}`);
      if (/^verify/.test(name) && !['verifyBatch', 'verifyStream'].includes(name) && source != 'tweetnacl')
        assert.match(comment, /profile/, `${source}: ${name}`);
      if (/^(sign|keyPairFrom|shared|createSigner)/.test(name) && source != 'tweetnacl')
        assert.match(comment, source.startsWith('native') ? /TypeError/ : /RangeError/, `${source}: ${name}`);
      count++;
    }
    const extra = [...documented.keys()].filter((name) => !(name in module) && name != 'nacl');
    assert.deepEqual(extra, [], source);
  }
  assert.ok(count > 110, `${count} exports`);
});

test('interfaces have documentation for each function, too', () => {
  for (const source of ['types', 'more-types', 'x25519-types', 'ristretto-types', 'fn-dsa-types', 'hybrid-types']) {
    const lines = declared(source).split('\n');
    let count = 0;
    for (const [i, line] of lines.entries())
      if (/^\t\w+\(/.test(line)) {
        assert.match(lines[i - 1], /\*\/$/, `${source}: ${line}`);
        count++;
      }
    assert.ok(count > 3, source);
  }
});

test('the functions of two entries that say the same say it once', () => {
  for (const [source, from] of Object.entries(declaredIn)) {
    const own = [...declared(source).matchAll(/^export declare const (\w+):/gm)].map(([, name]) => name);
    assert.deepEqual(own, source.includes('streaming') ? ['load'] : [], source);
    const names = (of) => [...constants(of)].map(([name]) => name);
    assert.ok(names(from).filter((name) => names(source).includes(name)).length > 1, source);
  }
});

const compilers = {
  'the oldest compiler, ESM': ['typescript-oldest', 'module', { module: 'node16', moduleResolution: 'node16' }],
  'the oldest compiler, as it looked for modules before': ['typescript-oldest', 'commonjs', { module: 'commonjs', moduleResolution: 'node' }],
  'the newest compiler, ESM': ['typescript', 'module', { module: 'nodenext', moduleResolution: 'nodenext' }],
  'the newest compiler, CommonJS': ['typescript', 'commonjs', { module: 'nodenext', moduleResolution: 'nodenext' }],
  'the newest compiler, for bundlers': ['typescript', 'module', { module: 'esnext', moduleResolution: 'bundler' }],
};
/** Compiles files against the package as it would be installed: a name for each, and its text. */
const compiles = (compiler, type, files, options) => {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-types-'));
  try {
    const own = join(dir, 'node_modules', 'lanner');
    mkdirSync(own, { recursive: true });
    copyFileSync(join(root, 'package.json'), join(own, 'package.json'));
    cpSync(join(root, 'dist'), join(own, 'dist'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ type }));
    const compilerOptions = {
      strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true,
      noPropertyAccessFromIndexSignature: true, skipLibCheck: false, types: [], target: 'es2021', ...options,
    };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules', compiler, 'bin', 'tsc'), '-p', dir],
      { cwd: dir, encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(dir, { recursive: true });
  }
};
const DOM = ['dom', 'dom.iterable'];
/** What a library makes of the functions: others of the same arguments, whose results the compiler has to find a name for. */
const wrapped = async () => {
  let text = '';
  for (const [i, entry] of Object.keys(entries).entries()) {
    const name = `lanner${entry.slice(1)}`;
    text += `import * as entry${i} from '${name}';\n`;
    for (const [member, value] of Object.entries(await import(name)))
      if (typeof value == 'function' && !['default', 'module.exports'].includes(member))
        text +=
          `export const ${member}${i} = (...given: Parameters<typeof entry${i}.${member}>) => entry${i}.${member}(...given);\n` +
          `export const awaited${member}${i} = async (...given: Parameters<typeof entry${i}.${member}>) => ({ made: await entry${i}.${member}(...given) });\n`;
  }
  return text;
};
const used = readFileSync(join(root, 'test', 'typed.ts'), 'utf8');
// What the newest knows of results, the oldest has no words for.
const exact = `import { sign } from 'lanner';
  export const exact: (m: Uint8Array, k: Uint8Array) => Promise<Uint8Array<ArrayBuffer>> = sign;
  // @ts-expect-error: and no other
  export const other: (m: Uint8Array, k: Uint8Array) => Promise<Uint8Array<SharedArrayBuffer>> = sign;`;
const all = Object.keys(entries).map((entry, i) => `import * as entry${i} from 'lanner${entry.slice(1)}';\nexport { entry${i} };\n`).join('');
for (const [name, [compiler, type, how]] of Object.entries(compilers)) {
  test(`TypeScript: ${name}`, () =>
    compiles(compiler, type, { 'main.ts': used, ...(compiler == 'typescript' && { 'exact.ts': exact }) }, { lib: ['es2021', ...DOM], ...how }));
  test(`TypeScript: ${name}, without types of any platform`, () =>
    compiles(compiler, type, { 'all.ts': all }, { lib: ['es2021'], ...how }));
}

test('TypeScript: libraries that declare what they make of the functions', async () => {
  const text = await wrapped();
  assert.ok(text.split('\n').length > 250);
  for (const [compiler, type, how] of Object.values(compilers))
    compiles(compiler, type, { 'library.ts': text }, { lib: ['es2021', ...DOM], ...how, noEmit: false, declaration: true, outDir: 'made' });
});

// What is written for tweetnacl in CommonJS, which compilers before 5.8 take no ESM from.
const required = `import nacl = require('lanner/tweetnacl');
  const pair: nacl.SignKeyPair = nacl.sign.keyPair();
  const signs: nacl.sign = nacl.sign;
  const detached: nacl.signProps.detached = signs.detached;
  const signature: Uint8Array = detached(pair.publicKey, pair.secretKey);
  const product: Uint8Array = nacl.scalarMult.base(signature);
  export const verdicts: boolean[] = [nacl.verify(product, product), detached.verify(product, signature, pair.publicKey)];`;
for (const module of ['node16', 'node18', 'node20', 'nodenext'])
  test(`TypeScript: lanner/tweetnacl required, ${module}`, () =>
    compiles('typescript', 'commonjs', { 'main.ts': required, 'module.mts': "import nacl from 'lanner/tweetnacl';\nexport const pair: nacl.SignKeyPair = nacl.sign.keyPair();" }, { lib: ['es2021', ...DOM], module, moduleResolution: module == 'nodenext' ? module : 'node16' }));

const forNode = { types: ['node'], typeRoots: [join(root, 'node_modules', '@types')], target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext' };
const inNode = readFileSync(join(root, 'test', 'typed-node.ts'), 'utf8');
for (const [name, lib] of Object.entries({ 'by its types alone': ['es2023'], 'beside the types of browsers': ['es2023', ...DOM, 'dom.asynciterable'] }))
  test(`TypeScript: Node, ${name}`, () => compiles('typescript', 'module', { 'all.ts': all, 'node.ts': inNode }, { ...forNode, lib }));
