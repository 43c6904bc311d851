// The packed archive, installed into fresh projects of every kind: each signs and verifies.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportsMap } from '../scripts/modules.mjs';
import { check, close } from './report.mjs';
import { root } from './support.mjs';

const work = join(root, 'test', 'packages', 'work', 'archive');
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const exec = (program, args, cwd) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const tool = (name, file) => join(root, 'node_modules', name, file);
const node = (args, cwd) => exec(process.execPath, args, cwd);

exec('npm', ['pack', '--ignore-scripts', '--pack-destination', work], root);
const archive = join(work, readdirSync(work).find((name) => name.endsWith('.tgz')));

await check('the archive has what it should, and nothing else', () => {
  const files = exec('tar', ['-tzf', archive], work).trim().split('\n');
  for (const name of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'mod.js', 'mod.d.ts', 'dist/esm/index.js'])
    if (!files.includes(`package/${name}`)) throw new Error(`${name} is missing`);
  const alien = files.filter((name) => !/^package\/(dist\/|mod\.(js|d\.ts)$|README\.md|LICENSE-|package\.json)/.test(name));
  if (alien.length) throw new Error(`also there: ${alien}`);
});

/** A fresh project with the archive installed. */
const project = (name, files, type = 'module') => {
  const dir = join(work, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, private: true, type }));
  exec('npm', ['install', '--no-audit', '--no-fund', '--offline', archive], dir);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
  return dir;
};

const says = (output, count = 13) => {
  if (!new RegExp(`^${count} entries work$`, 'm').test(output)) throw new Error(`said: ${output}`);
};

const shared = {};
for (const name of ['all', 'everywhere', 'fetched', 'main'])
  shared[`${name}.mjs`] = readFileSync(join(root, 'test', `${name}.mjs`), 'utf8');

const required = (shared['all.mjs'] + shared['fetched.mjs'])
  .replaceAll(/import \* as (\w+) from '([^']+)'/g, "const $1 = require('$2')")
  .replaceAll(/import \{ everywhere \}.*/g, '')
  .replaceAll(/export const (run|alone) = .*/g, '')
  .replaceAll('export const', 'const');
const commonjs = `${required}
import('./everywhere.mjs').then(async ({ everywhere }) =>
  console.log(await everywhere({ ...entries, ...fetched }), 'entries work'));`;

await check('Node: ESM', () => says(node(['main.mjs'], project('node-esm', shared))));
await check('Node: CommonJS', () =>
  says(node(['main.cjs'], project('node-cjs', { ...shared, 'main.cjs': commonjs }, 'commonjs'))),
);

const typed = `
import { sign, verify, verifyBatch, newKeyPair, createSigner, type KeyPair, type Profile } from 'lanner';
import * as fast from 'lanner/fast';
import * as sync from 'lanner/sync';
import * as more from 'lanner/more';
import * as only from 'lanner/verify';
import nacl from 'lanner/tweetnacl';
import * as x25519 from 'lanner/x25519';
import * as moreFast from 'lanner/more/fast';
import { falcon512, falcon512padded, fndsa512, type FnDsaKeyPair } from 'lanner/fn-dsa';
import { fromPkcs8, toPkcs8, type PrivateKey } from 'lanner/keys';
import { load, verify as fetchedVerify, type Ed25519, type Source } from 'lanner/streaming';
import * as streamingFast from 'lanner/streaming/fast';

export async function run(): Promise<number> {
  const pair: KeyPair = await newKeyPair();
  const message: Uint8Array = new Uint8Array(3);
  const signature: Uint8Array = await sign(message, pair.secretKey);
  const profile: Profile = 'zip215';
  const verdicts: boolean[] = [
    await verify(message, signature, pair.publicKey, { profile }),
    ...(await verifyBatch([{ message, signature, publicKey: pair.publicKey }])),
    await fast.verify(message, await fast.sign(message, pair.secretKey), pair.publicKey),
    sync.verify(message, sync.createSigner(pair.secretKey).sign(message), pair.publicKey),
    await only.verify(message, await (await createSigner(pair.secretKey)).sign(message), pair.publicKey),
    await more.verifyStream([message], signature, pair.publicKey),
    await moreFast.verifyStream([message], signature, pair.publicKey),
    nacl.sign.detached.verify(message, nacl.sign.detached(message, pair.secretKey), pair.publicKey),
    await fetchedVerify(message, signature, pair.publicKey),
    await streamingFast.verify(message, signature, pair.publicKey),
  ];
  const source: Source = Uint8Array.of(1);
  const loaded: Promise<Ed25519> = load(source);
  await loaded.catch(() => {});
  // @ts-expect-error: a module does not come from a number
  await load(5).catch(() => {});
  const opened: Uint8Array | null = nacl.sign.open(nacl.sign(message, pair.secretKey), pair.publicKey);
  const shared: Uint8Array = await x25519.sharedSecret((await x25519.newKeyPair()).secretKey, (await x25519.newKeyPair()).publicKey);
  const falcon: FnDsaKeyPair = await falcon512.keygen();
  const pairs = { falcon: await falcon512.keygen(), fnDsa: await fndsa512.keygen() };
  await falcon512padded.sign(message, pairs.falcon.secretKey);
  await falcon512padded.getPublicKey(falcon.secretKey);
  await fndsa512.getPublicKey(new Uint8Array(1281)).catch(() => {});
  // @ts-expect-error: a key for FN-DSA is none for Falcon
  await falcon512.sign(message, pairs.fnDsa.secretKey).catch(() => {});
  // @ts-expect-error: nor the other way round
  await fndsa512.verify(message, message, pairs.falcon.publicKey).catch(() => {});
  const key: PrivateKey = await fromPkcs8(toPkcs8(pair.secretKey.slice(0, 32)));
  // @ts-expect-error: no such profile
  await verify(message, signature, pair.publicKey, { profile: 'loose' }).catch(() => {});
  // @ts-expect-error: a message is octets
  await sign('text', pair.secretKey).catch(() => {});
  return verdicts.every(Boolean) && opened && shared && falcon && key ? 13 : 0;
}
run().then((count) => console.log(count + ' entries work'));
`;
for (const [name, module, moduleResolution, type] of [
  ['node16-esm', 'node16', 'node16', 'module'],
  ['node16-cjs', 'node16', 'node16', 'commonjs'],
  ['bundler', 'esnext', 'bundler', 'module'],
])
  await check(`TypeScript: ${name}, strict`, () => {
    const options = {
      strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true, skipLibCheck: false, types: [],
      target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module, moduleResolution, outDir: 'out',
    };
    const dir = project(`ts-${name}`, {
      'main.ts': typed,
      'tsconfig.json': JSON.stringify({ compilerOptions: options, files: ['main.ts'] }),
    }, type);
    node([tool('typescript', 'bin/tsc'), '-p', '.'], dir);
    says(node(['out/main.js'], dir));
  });

// Bundlers, with no plugin and no configuration but entry and target; Rollup alone finds no package
// without its own plugin for that. What they make for browsers runs in Node as well: both have what
// it needs. The entries that fetch their modules are tested in a browser.
const bundlers = {
  esbuild: (dir) =>
    exec(join(root, 'node_modules', '.bin', 'esbuild'), ['page.mjs', '--bundle', '--format=esm', '--platform=browser', '--target=es2022', '--outfile=out/main.mjs'], dir),
  vite: (dir) => {
    writeFileSync(join(dir, 'index.html'), '<script type="module" src="/page.mjs"></script>');
    node([tool('vite', 'bin/vite.js'), 'build', '--outDir', 'out', '--target', 'es2022', '--logLevel', 'error'], dir);
  },
  webpack: (dir) => {
    const program = `
      import webpack from ${JSON.stringify(pathToFileURL(tool('webpack', 'lib/index.js')).href)};
      webpack({ mode: 'production', target: 'web', entry: './page.mjs', performance: false,
        output: { path: process.cwd() + '/out', filename: 'main.js' } }, (error, stats) => {
        if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); }
      });`;
    writeFileSync(join(dir, 'bundle.mjs'), program);
    node(['bundle.mjs'], dir);
  },
  rollup: (dir) => {
    const plugin = tool('@rollup/plugin-node-resolve', 'dist/es/index.js');
    node([tool('rollup', 'dist/bin/rollup'), 'page.mjs', '--file', 'out/main.mjs', '--format', 'es', '--failAfterWarnings', '--plugin', `${plugin}={browser:true}`], dir);
  },
  'rollup without plugins, mod.js by its path': (dir) => {
    const page = `import * as lanner from './node_modules/lanner/mod.js';
      import { everywhere } from './everywhere.mjs';
      console.log((await everywhere({ lanner })) + 10, 'entries work');`;
    writeFileSync(join(dir, 'page.mjs'), page);
    node([tool('rollup', 'dist/bin/rollup'), 'page.mjs', '--file', 'out/main.mjs', '--format', 'es', '--failAfterWarnings'], dir);
  },
};
const page = "import { run } from './all.mjs';\nconsole.log(await run(), 'entries work');";
for (const [name, bundle] of Object.entries(bundlers))
  await check(`${name}: for browsers`, () => {
    const dir = project(name.replaceAll(/\W+/g, '-'), { ...shared, 'page.mjs': page });
    bundle(dir);
    const out = readdirSync(join(dir, 'out'), { recursive: true }).map(String);
    const script = out.find((path) => /\.m?js$/.test(path));
    // Vite adds a few lines that look at the document.
    const stub = `globalThis.document = { createElement: () => ({ relList: { supports: () => true } }) };
      await import('./out/${script}');`;
    writeFileSync(join(dir, 'run.mjs'), stub);
    says(node(['run.mjs'], dir), 11);
    if (out.some((path) => path.endsWith('.wasm'))) throw new Error('a file besides the script');
  });

await check('publint', async () => {
  const { publint } = await import('publint');
  const { messages } = await publint({ pkgDir: root, strict: true });
  if (messages.length) throw new Error(JSON.stringify(messages, null, 1));
});
await check('arethetypeswrong', () => {
  // The archive's own resolution in the old way is left out: it knows no exports. Modules of
  // WebAssembly are files to be served, and have no types.
  const files = Object.keys(exportsMap()).filter((name) => name.endsWith('.wasm'));
  const options = ['--profile', 'node16', '--exclude-entrypoints', ...files];
  node([tool('@arethetypeswrong/cli', 'dist/index.js'), archive, ...options], work);
});
close();
