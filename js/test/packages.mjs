// The packed archive, installed into fresh projects of every kind: each signs and verifies.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { files as own, modules } from '../scripts/modules.mjs';
import { check, close, skip } from './report.mjs';
import { root } from './support.mjs';

const work = join(root, 'test', 'packages', 'work', 'archive');
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const exec = (program, args, cwd) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const tool = (name, file) => join(root, 'node_modules', name, file);
const node = (args, cwd) => exec(process.execPath, args, cwd);

const archive = node([join(root, 'scripts', 'pack.mjs'), work]).trim();

await check('the archive has what it should, and nothing else', () => {
  const files = exec('tar', ['-tzf', archive], work).trim().split('\n');
  for (const name of ['README.md', 'FN-DSA.md', 'LOADING.md', 'RISTRETTO.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'mod.js', 'lanner.cdx.json', 'dist/index.js', 'dist/wasm/small.wasm'])
    if (!files.includes(`package/${name}`)) throw new Error(`${name} is missing`);
  const alien = files.filter((name) => !/^package\/(dist\/|mod\.js$|lanner\.cdx\.json$|README\.md|FN-DSA\.md|LOADING\.md|RISTRETTO\.md|LICENSE-|package\.json)/.test(name));
  if (alien.length) throw new Error(`also there: ${alien}`);
  // What is linked that asks for its notice has it; so has fflate, which is in the code.
  const notices = readFileSync(join(root, 'dist', 'wasm', 'LICENSES-x25519-ristretto-fn-dsa'), 'utf8');
  for (const words of ['subtle 2.', 'Isis Agora Lovecruft', 'Redistribution and use in source and binary forms', 'zeroize 1.', 'fflate 0.', 'Permission is hereby granted'])
    if (!notices.includes(words)) throw new Error(`the notices lack ${words}`);
  if (/lanner|no name/.test(notices) || !files.includes('package/dist/wasm/LICENSES-x25519-ristretto-fn-dsa')) throw new Error(notices);
  // At most two forms of each module: the file, and one text that all entries share.
  const texts = files.filter((name) => name.endsWith('.text.js'));
  if (texts.length != modules.length) throw new Error(`texts: ${texts}`);
  const whole = files.filter((name) => name.endsWith('.wasm'));
  if (whole.length != own.length || files.some((name) => /mod\.d\.ts/.test(name))) throw new Error(`files: ${whole}`);
  if (statSync(join(root, 'mod.js')).size > 4000) throw new Error('mod.js has a module in it');
  const unpacked = (wanted) =>
    files.filter(wanted).reduce((sum, name) => sum + statSync(join(root, name.replace('package/', ''))).size, 0);
  // The bill is of what FN-DSA and Ristretto255 bring, but for one library: it is in the whole alone, and has a cap of its own.
  const [all, curve, bill] = [/./, /^(?!.*(fn-dsa|hybrid|ristretto|\.cdx\.json))/i, /\.cdx\.json$/].map((wanted) => unpacked((name) => wanted.test(name)));
  console.log(`unpacked: ${all} bytes, ${bill} of them the bill of materials, ${curve} without it, FN-DSA and Ristretto255; packed: ${statSync(archive).size}`);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const told = /about (\d+) kB unpacked \((\d+) without .*?\) and (\d+) packed/.exec(readme).slice(1).map((kilobytes) => 1000 * kilobytes);
  for (const [i, size] of [all, curve, statSync(archive).size].entries())
    if (Math.abs(told[i] - size) > 0.02 * size) throw new Error(`the README says ${told[i]} bytes, not ${size}`);
  if (all > 742_000 || curve > 258_000 || !bill || bill > 6000) throw new Error('the archive has grown');
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

const says = (output, count = 23) => {
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

const [esm, cjs] = [project('node-esm', shared), project('node-cjs', { ...shared, 'main.cjs': commonjs }, 'commonjs')];
await check('Node: ESM', () => says(node(['main.mjs'], esm)));
await check('Node: CommonJS', () => says(node(['main.cjs'], cjs)));

// From the oldest on that is promised to the newest; npm has the programs, each of a hundred megabytes.
const oldest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.match(/\d+\.\d+\.\d+/g);
for (const version of [...oldest, '22', '24', 'latest']) {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-node-'));
  const platform = `node-${process.platform}-${process.arch}`;
  try {
    writeFileSync(join(dir, 'package.json'), '{"private":true}');
    exec('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${platform}@${version}`], dir);
    const program = join(dir, 'node_modules', platform, 'bin', 'node');
    await check(`Node ${exec(program, ['--version'], dir).trim()}: ESM and CommonJS`, () => {
      says(exec(program, ['main.mjs'], esm));
      says(exec(program, ['main.cjs'], cjs));
    });
  } catch (error) {
    skip(`Node ${version}`, `npm does not get it here: ${error.stderr ?? error}`);
  }
  rmSync(dir, { recursive: true, force: true });
}

for (const [name, module, moduleResolution, type] of [
  ['nodenext-esm', 'nodenext', 'nodenext', 'module'],
  ['nodenext-cjs', 'nodenext', 'nodenext', 'commonjs'],
  ['bundler', 'esnext', 'bundler', 'module'],
])
  await check(`TypeScript: ${name}, strict`, () => {
    const options = {
      strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true, skipLibCheck: false, types: [],
      target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module, moduleResolution, outDir: 'out',
    };
    const dir = project(`ts-${name}`, {
      'main.ts': readFileSync(join(root, 'test', 'typed.ts'), 'utf8'),
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
    exec(join(root, 'node_modules', '.bin', 'esbuild'), ['page.mjs', '--bundle', '--splitting', '--format=esm', '--platform=browser', '--target=es2022', '--outdir=out', '--entry-names=main', '--out-extension:.js=.mjs'], dir),
  'esbuild, in one file': (dir) =>
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
    node([tool('rollup', 'dist/bin/rollup'), 'page.mjs', '--dir', 'out', '--entryFileNames', 'main.mjs', '--format', 'es', '--failAfterWarnings', '--plugin', `${plugin}={browser:true}`], dir);
  },
  'rollup without plugins, mod.js by its path': (dir) => {
    const page = `import * as lanner from './node_modules/lanner/mod.js';
      import { everywhere } from './everywhere.mjs';
      console.log((await everywhere({ lanner })) + 19, 'entries work');`;
    writeFileSync(join(dir, 'page.mjs'), page);
    node([tool('rollup', 'dist/bin/rollup'), 'page.mjs', '--dir', 'out', '--entryFileNames', 'main.mjs', '--format', 'es', '--failAfterWarnings'], dir);
  },
};
const page = "import { run } from './all.mjs';\nconsole.log(await run(), 'entries work');";
for (const [name, bundle] of Object.entries(bundlers))
  await check(`${name}: for browsers`, () => {
    const dir = project(name.replaceAll(/\W+/g, '-'), { ...shared, 'page.mjs': page });
    bundle(dir);
    const out = readdirSync(join(dir, 'out'), { recursive: true }).map(String);
    // Vite puts the page's script beside the parts that wait for a need.
    const script = out.find((path) => /^(main|assets\/index-[^/]*)\.m?js$/.test(path));
    // Vite and webpack add a few lines that look at the document, some of them when a part of the code is loaded.
    const stub = `globalThis.self = globalThis;
      globalThis.document = { createElement: () => ({ relList: { supports: () => true } }),
        querySelector: () => null, getElementsByTagName: () => [], head: { appendChild() {} },
        currentScript: { tagName: 'SCRIPT', src: 'http://localhost/main.js' } };
      await import('./out/${script}');`;
    writeFileSync(join(dir, 'run.mjs'), stub);
    says(node(['run.mjs'], dir), 20);
    if (out.some((path) => path.endsWith('.wasm'))) throw new Error('a file besides the script');
  });

await check('webpack: a window of Electron, which requires nothing of Node', () => {
  const dir = project('webpack-electron', { ...shared, 'page.mjs': "import { run } from './all.mjs';\nimport { fetched } from './fetched.mjs';\nconsole.log(run, fetched);" });
  const program = `
    import webpack from ${JSON.stringify(pathToFileURL(tool('webpack', 'lib/index.js')).href)};
    webpack({ mode: 'production', target: 'electron-renderer', entry: './page.mjs', performance: false,
      output: { path: process.cwd() + '/out', filename: 'main.js' } }, (error, stats) => {
      if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); }
    });`;
  writeFileSync(join(dir, 'bundle.mjs'), program);
  node(['bundle.mjs'], dir);
  const scripts = readdirSync(join(dir, 'out')).filter((name) => name.endsWith('.js'));
  const needs = scripts.flatMap((name) => readFileSync(join(dir, 'out', name), 'utf8').match(/require\(["'](?!\.)[^)]*\)/g) ?? []);
  if (!scripts.includes('main.js') || needs.length) throw new Error(`requires: ${needs}`);
});

// Scripts of one file: Vite up to 7 makes those of workers so, and Rollup what is no module, unless they are told otherwise.
const one = (name) => `import * as entry from 'lanner${name == 'lanner' ? '' : `/${name}`}';
  import { everywhere } from './everywhere.mjs';
  everywhere({ ${name}: entry }).then((count) => console.log(count, 'entries work'));`;
await check('Rollup, one script that is no module: lanner/compat as it is, lanner with inlineDynamicImports', () => {
  const dir = project('rollup-iife', { ...shared, 'compat.mjs': one('compat'), 'lanner.mjs': one('lanner') });
  const plugin = tool('@rollup/plugin-node-resolve', 'dist/es/index.js');
  for (const [name, ...settings] of [['compat'], ['lanner', '--inlineDynamicImports']]) {
    node([tool('rollup', 'dist/bin/rollup'), `${name}.mjs`, '--file', `${name}.cjs`, '--format', 'iife', '--failAfterWarnings', '--plugin', `${plugin}={browser:true}`, ...settings], dir);
    says(node([`${name}.cjs`], dir), 1);
  }
});
const older = mkdtempSync(join(tmpdir(), 'lanner-vite-'));
try {
  writeFileSync(join(older, 'package.json'), '{"private":true,"type":"module"}');
  exec('npm', ['install', '--no-audit', '--no-fund', 'vite@7', archive], older);
  const page = '<script type="module">new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" })</script>';
  for (const [name, text] of Object.entries({ ...shared, 'index.html': page })) writeFileSync(join(older, name), text);
  for (const [name, worker, config, count] of [
    ["lanner/compat, without settings", one('compat'), {}, 1],
    ["every entry, with worker: { format: 'es' }", shared['main.mjs'].replaceAll(/import .* from '.\/fetched.mjs';|\+ \(await runFetched\(\)\)/g, ''), { format: 'es' }, 20],
  ])
    await check(`Vite 7, a worker: ${name}`, () => {
      writeFileSync(join(older, 'worker.mjs'), worker);
      writeFileSync(join(older, 'vite.config.mjs'), `export default { worker: ${JSON.stringify(config)} };`);
      rmSync(join(older, 'dist'), { recursive: true, force: true });
      node([join(older, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--target', 'es2022', '--logLevel', 'error'], older);
      const [script] = readdirSync(join(older, 'dist', 'assets')).filter((path) => path.startsWith('worker-'));
      says(node([join(older, 'dist', 'assets', script)], older), count);
    });
} catch (error) {
  skip('Vite 7, a worker', `npm does not get it here: ${error.stderr ?? error}`);
}
rmSync(older, { recursive: true, force: true });

// Next.js is large, and not among what development needs: it is fetched for this alone. Inside of this package it would
// take this one's folder for the root of the project.
const route = (runtime) => `import { run } from '../../all.mjs';
  import { run as runFetched } from '../../fetched.mjs';
  export const runtime = '${runtime}';
  export const dynamic = 'force-dynamic';
  export const GET = async () => {
    try {
      return new Response((await run()) + (await runFetched()) + ' entries work');
    } catch (error) {
      return new Response(String(error.stack), { status: 500 });
    }
  };`;
const app = {
  'package.json': '{"private":true,"type":"module"}',
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
  'app/page.js': `'use client';
    import { run } from '../all.mjs';
    export default () => <button onClick={() => run().then(alert)}>run</button>;`,
  'app/node/route.js': route('nodejs'),
  'app/edge/route.js': route('edge'),
  ...shared,
};
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
process.env.NEXT_TELEMETRY_DISABLED = '1';
/** Builds the app, starts it, and asks it. */
async function nextApp(dir) {
  const program = join(dir, 'node_modules', 'next', 'dist', 'bin', 'next');
  node([program, 'build'], dir);
  const port = await freePort();
  const server = spawn(process.execPath, [program, 'start', '-p', String(port), '-H', '127.0.0.1'], { cwd: dir, stdio: 'ignore' });
  const get = async (path) => {
    for (let tries = 0; ; tries++)
      try {
        return await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
      } catch (error) {
        if (tries == 300) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
  };
  try {
    for (const path of ['/node', '/edge']) {
      const said = await get(path);
      if (said != '23 entries work') throw new Error(`${path}: ${said}`);
    }
    if (!/<button>run<\/button>/.test(await get('/'))) throw new Error('no page');
  } finally {
    server.kill();
  }
}
// As each bundles without being told otherwise. (That of 16 builds no route of the edge with webpack, of whatever code.)
for (const [version, bundler] of [['16', 'turbopack'], ['15', 'webpack']]) {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-next-'));
  const name = `Next.js ${version}, by ${bundler}`;
  try {
    for (const [path, text] of Object.entries(app)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    exec('npm', ['install', '--no-audit', '--no-fund', `next@${version}`, 'react@19', 'react-dom@19', archive], dir);
    await check(`${name}: a page, a route of node, a route of the edge`, () => nextApp(dir));
  } catch (error) {
    skip(name, `npm does not get it here: ${error.stderr ?? error}`);
  }
  rmSync(dir, { recursive: true, force: true });
}

await check('publint', async () => {
  const { publint } = await import('publint');
  const { messages } = await publint({ pkgDir: root, strict: true });
  if (messages.length) throw new Error(JSON.stringify(messages, null, 1));
});
await check('arethetypeswrong', () => {
  // All code is ESM, which `require` of Node takes as well. Modules of WebAssembly are files to be served, and have
  // no types.
  const options = ['--profile', 'esm-only', '--exclude-entrypoints', ...own.map((name) => `./wasm/${name}.wasm`), './wasm/*.wasm'];
  node([tool('@arethetypeswrong/cli', 'dist/index.js'), archive, ...options], work);
});
close();
