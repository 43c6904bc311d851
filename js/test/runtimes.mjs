// Deno, Bun and workerd, from the programs that npm has; Bun's moves to another place where install
// scripts may run.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import * as esbuild from 'esbuild';
import { files } from '../scripts/modules.mjs';
import { allRight, edgeCases } from './edge-cases.mjs';
import { check, close, skip } from './report.mjs';
import { root } from './support.mjs';

const execute = promisify(execFile);
const work = join(root, 'test', 'packages', 'work', 'runtimes');
rmSync(work, { recursive: true, force: true });
mkdirSync(join(work, 'node_modules'), { recursive: true });
symlinkSync(root, join(work, 'node_modules', 'lanner'));
for (const name of ['main', 'all', 'fetched', 'everywhere', 'edges'])
  writeFileSync(join(work, `${name}.mjs`), readFileSync(join(root, 'test', `${name}.mjs`)));
writeFileSync(join(work, 'package.json'), '{"type":"module","dependencies":{"lanner":"*"}}');

writeFileSync(join(work, 'edge-cases.mjs'), edgeCases);
/** Every edge case with `lanner/native` and with its synchronous twin. */
const natively = `import * as native from 'lanner/native';
  import * as nativeSync from 'lanner/native/sync';
  import cases from './edge-cases.mjs';
  import { edges } from './edges.mjs';
  export const both = async () => [await edges(native, cases), await edges({ ...nativeSync, verify: async (...given) => nativeSync.verify(...given) }, cases)];`;
writeFileSync(join(work, 'natively.mjs'), natively);
writeFileSync(join(work, 'natively-main.mjs'), "import { both } from './natively.mjs';\nconsole.log(JSON.stringify(await both()));");
/** Runs that by a program. */
const nativelyBy = async (program, args) => {
  const { stdout } = await execute(program, [...args, 'natively-main.mjs'], { cwd: work, encoding: 'utf8' });
  for (const outcome of JSON.parse(stdout)) allRight(outcome);
};

const modules = join(root, 'node_modules');
const first = (folder, ...paths) => paths.map((path) => join(folder, path)).find(existsSync);
const says = (output, count) => {
  if (output.trim() != `${count} entries work`) throw new Error(`said: ${output}`);
};
/** Runs a program that says how many entries work. */
const run = async (program, args, count = 23) => {
  const { stdout } = await execute(program, args, { cwd: work, encoding: 'utf8' });
  says(stdout, count);
};

// Deno is installed here: a lock file of its package lists this machine's program alone, and then
// `npm ci` refuses it elsewhere.
const own = join(work, 'deno');
mkdirSync(own);
writeFileSync(join(own, 'package.json'), '{"private":true}');
try {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', 'deno@2'], { cwd: own, stdio: 'pipe' });
} catch (error) {
  console.log(String(error.stderr));
}
const deno = first(
  join(own, 'node_modules', '@deno'),
  ...['linux-x64-glibc', 'linux-arm64-glibc', 'darwin-arm64', 'darwin-x64'].map((name) => `${name}/deno`),
  'win32-x64/deno.exe',
);
if (deno) {
  await check('Deno: every entry', () =>
    run(deno, ['run', '--no-remote', '--node-modules-dir=manual', '--allow-read', '--allow-env', 'main.mjs']),
  );
  await check('Deno: lanner/native, every edge case', () =>
    nativelyBy(deno, ['run', '--no-remote', '--node-modules-dir=manual', '--allow-read', '--allow-env']));
  await check('Deno: mod.js by address, with no permission', () => {
    const code = `import * as lanner from ${JSON.stringify(`file://${join(root, 'mod.js')}`)};
      import { everywhere } from './everywhere.mjs';
      console.log(await everywhere({ lanner }), 'entries work');`;
    writeFileSync(join(work, 'mod.mjs'), code);
    return run(deno, ['run', '--no-remote', '--no-config', 'mod.mjs'], 1);
  });
  await check('Deno: mod.js over the network, where importing from there is allowed', async () => {
    const requests = [];
    const server = createServer((request, response) => {
      requests.push(request.url);
      if (!/^\/lanner\/(mod\.js|dist\/[\w./-]+\.(js|d\.ts))$/.test(request.url)) return response.writeHead(404).end();
      const type = request.url.endsWith('.ts') ? 'application/typescript' : 'text/javascript';
      response.setHeader('content-type', type);
      response.end(readFileSync(join(root, request.url.replace('/lanner/', ''))));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const host = `127.0.0.1:${server.address().port}`;
      const code = `import * as lanner from 'http://${host}/lanner/mod.js';
        import { everywhere } from './everywhere.mjs';
        const profile: lanner.Profile = 'zip215';
        const pair: lanner.KeyPair = await lanner.newKeyPair();
        const item: lanner.Item = { message: new Uint8Array(), signature: new Uint8Array(64), ...pair };
        await lanner.verifyBatch([item], { profile });
        const text: Uint8Array = (await lanner.createSigner(pair.secretKey)).publicKey;
        // Each of these is an error only if the types have come, and none of them is \`any\`.
        const unused = async () => {
          // @ts-expect-error: a message is octets
          await lanner.verify('text', new Uint8Array(64), text, { profile });
          // @ts-expect-error: no such profile
          const other: lanner.Profile = 'loose';
          // @ts-expect-error: a key pair has no such member
          (await lanner.newKeyPair()).privateKey;
          // @ts-expect-error: a key pair has two members
          const half: lanner.KeyPair = { publicKey: text };
          // @ts-expect-error: an item has a signature
          const less: lanner.Item = { message: text, publicKey: text };
          // @ts-expect-error: a signer gives promises
          const early: lanner.Signer<Promise<Uint8Array>>['sign'] = (message: Uint8Array) => message;
          // @ts-expect-error: an option's value is a profile
          const options: lanner.VerifyOptions = { profile: 5 };
        };
        console.log(await everywhere({ lanner }), 'entries work');`;
      writeFileSync(join(work, 'network.ts'), code);
      const options = ['--no-config', '--no-lock', '--reload', `--allow-import=${host}`];
      await run(deno, ['run', '--check', ...options, 'network.ts'], 1);
      if (requests[0] != '/lanner/mod.js') throw new Error(`asked for: ${requests}`);
      await run(deno, ['run', '--no-config', '--no-lock', '--reload', '--allow-import=example.org', 'network.ts']).then(
        () => {
          throw new Error('imported without permission');
        },
        (error) => {
          if (!/import access|allow-import/i.test(error.stderr)) throw error;
        },
      );
    } finally {
      server.close();
    }
  });
  await check('JSR: a dry run of publishing, and every entry by the imports that are named there', async () => {
    const home = join(work, 'jsr');
    mkdirSync(home);
    const listed = JSON.parse(readFileSync(join(root, 'jsr.json'), 'utf8'));
    for (const name of [...listed.publish.include.filter((name) => !name.includes('*')), 'LICENSE-MIT', 'LICENSE-APACHE', 'jsr.json'])
      cpSync(join(root, name), join(home, name), { recursive: true });
    const { stderr } = await execute(deno, ['publish', '--dry-run', '--allow-dirty'], { cwd: home, encoding: 'utf8' });
    if (!/Simulating publish/.test(stderr) || /missing-explicit|error\[/i.test(stderr)) throw new Error(stderr);
    // One version, one list of entries.
    const { version, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const entries = Object.entries(exports).flatMap(([name, { default: code }]) => (code ? [[name, code]] : []));
    if (listed.version != version || JSON.stringify(Object.entries(listed.exports)) != JSON.stringify(entries))
      throw new Error('jsr.json and package.json do not say the same');
    let code = '';
    for (const name of ['all', 'fetched', 'everywhere', 'main']) {
      code = readFileSync(join(root, 'test', `${name}.mjs`), 'utf8').replaceAll(
        /from 'lanner([^']*)'/g, (_, entry) => `from '${listed.exports[`.${entry}`]}'`,
      );
      writeFileSync(join(home, `${name}.mjs`), code);
    }
    const { stdout } = await execute(deno, ['run', '--no-remote', '--no-npm', '--config', 'jsr.json', '--allow-read', 'main.mjs'], { cwd: home, encoding: 'utf8' });
    says(stdout, 23);
  });
} else skip('Deno', 'npm could not install it');

const bun = first(modules, '@oven/bun-linux-x64/bin/bun', '@oven/bun-linux-x64-baseline/bin/bun', '@oven/bun-linux-aarch64/bin/bun', '@oven/bun-darwin-aarch64/bin/bun', '@oven/bun-darwin-x64/bin/bun', '@oven/bun-windows-x64/bin/bun.exe', 'bun/bin/bun.exe');
if (bun) {
  await check('Bun: every entry', () => run(bun, ['main.mjs']));
  await check('Bun: lanner/native, every edge case', () => nativelyBy(bun, []));
  await check('Bun: CommonJS', () => {
    writeFileSync(
      join(work, 'main.cjs'),
      `const lanner = require('lanner');
       lanner.newKeyPair().then(({ publicKey }) => console.log(publicKey.length / 32, 'entries work'));`,
    );
    return run(bun, ['main.cjs'], 1);
  });
} else skip('Bun', 'npm has no program for this machine');

// workerd: bundled as its own tools do, the modules of WebAssembly imported as such.
try {
  const { Miniflare } = await import('miniflare');
  await check('workerd: every entry, the modules imported; lanner/native, every edge case', async () => {
    writeFileSync(
      join(work, 'worker.mjs'),
      `import { run } from './all.mjs';
       import { run as runFetched } from './fetched.mjs';
       import { both } from './natively.mjs';
       export default {
         async fetch({ url }) {
           try {
             if (url.endsWith('/edges')) return Response.json(await both());
             return new Response((await run()) + (await runFetched()) + ' entries work');
           } catch (error) {
             return new Response(error.stack, { status: 500 });
           }
         },
       };`,
    );
    const out = join(work, 'worker');
    const names = new Set();
    await esbuild.build({
      entryPoints: [join(work, 'worker.mjs')],
      outfile: join(out, 'worker.js'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      conditions: ['workerd', 'worker', 'browser'],
      plugins: [
        {
          name: 'wasm',
          setup(build) {
            build.onResolve({ filter: /\.wasm$/ }, ({ path }) => {
              const name = path.split('/').pop();
              names.add(name);
              return { path: `./${name}`, external: true };
            });
          },
        },
      ],
    });
    if (names.size < files.length) throw new Error(`only ${[...names]} are imported as modules`);
    const worker = new Miniflare({
      compatibilityDate: '2025-01-01',
      modules: [
        { type: 'ESModule', path: 'worker.js', contents: readFileSync(join(out, 'worker.js'), 'utf8') },
        ...[...names].map((name) => ({
          type: 'CompiledWasm',
          path: name,
          contents: readFileSync(join(root, 'dist', 'wasm', name)),
        })),
      ],
    });
    try {
      const response = await worker.dispatchFetch('http://localhost/');
      const text = await response.text();
      says(text, 23);
      for (const outcome of await (await worker.dispatchFetch('http://localhost/edges')).json()) allRight(outcome);
    } finally {
      await worker.dispose();
    }
  });
} catch (error) {
  skip('workerd', `miniflare does not load: ${error.message}`);
}

// The edge runtime of Vercel, and Next.js with it: a context in which nothing is compiled, from text or from octets; what
// is imported with `?module` comes compiled.
await check('edge-light: every entry where code generation is forbidden', async () => {
  const out = join(work, 'edge');
  const names = new Set();
  const entry = join(work, 'edge.mjs');
  writeFileSync(entry, "import { run } from './all.mjs';\nimport { run as runFetched } from './fetched.mjs';\n" +
    "import { both } from './natively.mjs';\n" +
    "import { keyPairFromSeed, sign, verify } from 'lanner';\n" +
    'globalThis.outcome = (async () => (await run()) + (await runFetched()))();\nglobalThis.verdicts = both();\n' +
    // Long enough to let others run in between, by the means that there are.
    `const long = new Uint8Array(2 ** 23);
    globalThis.long = keyPairFromSeed(new Uint8Array(32)).then(async ({ publicKey, secretKey }) =>
      verify(long, await sign(long, secretKey), publicKey));`);
  await esbuild.build({
    entryPoints: [entry],
    outfile: join(out, 'edge.js'),
    bundle: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
    // `import.meta` stands in code that these conditions do not choose.
    conditions: ['edge-light', 'worker', 'browser'],
    plugins: [
      {
        name: 'wasm',
        setup(build) {
          build.onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => {
            const name = path.split('/').pop().replace('?module', '');
            names.add(name);
            return { path: name, namespace: 'compiled' };
          });
          build.onLoad({ filter: /(?:)/, namespace: 'compiled' }, ({ path }) => ({
            contents: `export default globalThis.modules[${JSON.stringify(path)}]`,
          }));
        },
      },
    ],
  });
  if (names.size < files.length) throw new Error(`only ${[...names]} are imported as modules`);
  const code = readFileSync(join(out, 'edge.js'), 'utf8');
  const given = { console, crypto, performance, setTimeout, TextEncoder, TextDecoder, URL, Blob, ReadableStream, Response, Request, Headers, fetch, atob, btoa };
  // It is there, and not to be used.
  given.MessageChannel = class {
    constructor() {
      throw new Error('A Node.js API is used (MessageChannel) which is not supported in the Edge Runtime.');
    }
  };
  const context = createContext(given, { codeGeneration: { strings: false, wasm: false } });
  const forbidden = await runInContext('WebAssembly.instantiate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(() => false, () => true)', context);
  if (!forbidden) throw new Error('code generation is not forbidden');
  // Compiled outside, as the platform does it.
  context.modules = Object.fromEntries(
    [...names].map((name) => [name, new WebAssembly.Module(readFileSync(join(root, 'dist', 'wasm', name)))]),
  );
  runInContext(code, context);
  const count = await context.outcome;
  if (count != 23) throw new Error(`${count} entries work`);
  if ((await context.long) !== true) throw new Error('a long message');
  for (const outcome of await context.verdicts) allRight(outcome);
});
close();
