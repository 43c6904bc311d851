// Deno, Bun and workerd, from the programs that npm has; Bun's moves to another place where install
// scripts may run.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { check, close, skip } from './report.mjs';
import { root } from './support.mjs';

const execute = promisify(execFile);
const work = join(root, 'test', 'packages', 'work', 'runtimes');
rmSync(work, { recursive: true, force: true });
mkdirSync(join(work, 'node_modules'), { recursive: true });
symlinkSync(root, join(work, 'node_modules', 'lanner'));
for (const name of ['main', 'all', 'fetched', 'everywhere'])
  writeFileSync(join(work, `${name}.mjs`), readFileSync(join(root, 'test', `${name}.mjs`)));
writeFileSync(join(work, 'package.json'), '{"type":"module","dependencies":{"lanner":"*"}}');

const modules = join(root, 'node_modules');
const first = (folder, ...paths) => paths.map((path) => join(folder, path)).find(existsSync);
const says = (output, count) => {
  if (output.trim() != `${count} entries work`) throw new Error(`said: ${output}`);
};
/** Runs a program that says how many entries work. */
const run = async (program, args, count = 13) => {
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
      if (!/^\/lanner\/mod\.(js|d\.ts)$/.test(request.url)) return response.writeHead(404).end();
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
} else skip('Deno', 'npm could not install it');

const bun = first(modules, '@oven/bun-linux-x64/bin/bun', '@oven/bun-linux-x64-baseline/bin/bun', '@oven/bun-linux-aarch64/bin/bun', '@oven/bun-darwin-aarch64/bin/bun', '@oven/bun-darwin-x64/bin/bun', '@oven/bun-windows-x64/bin/bun.exe', 'bun/bin/bun.exe');
if (bun) {
  await check('Bun: every entry', () => run(bun, ['main.mjs']));
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
  await check('workerd: every entry, the modules imported', async () => {
    writeFileSync(
      join(work, 'worker.mjs'),
      `import { run } from './all.mjs';
       import { run as runFetched } from './fetched.mjs';
       export default {
         async fetch() {
           try {
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
    if (names.size < 5) throw new Error(`only ${[...names]} are imported as modules`);
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
      says(text, 13);
    } finally {
      await worker.dispose();
    }
  });
} catch (error) {
  skip('workerd', `miniflare does not load: ${error.message}`);
}
close();
