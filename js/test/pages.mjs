// What every browser must pass: every entry in a page and in a worker under a strict policy, and modules fetched by
// what several bundlers make.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { POLICY, serve } from '../scripts/demo.mjs';
import { allRight, edgeCases } from './edge-cases.mjs';
import { check, skip } from './report.mjs';
import { root } from './support.mjs';

/** Throws what a page complained of. */
export const quiet = (complaints) => {
  if (complaints.length) throw new Error(complaints.join('\n'));
};

/** A page of a browser when it is ready, and what it complains of. */
export const opened = async (browser, url, ready) => {
  const page = await browser.newPage({ viewport: { width: 820, height: 1250 } });
  const complaints = [];
  // The icon that browsers ask for, which the policy forbids, is no complaint: Firefox names it in the text alone.
  const complain = (text, place = '') => /favicon/.test(place + text) || complaints.push(text);
  page.on('pageerror', (error) => complain(error.message));
  page.on('console', (message) => message.type() == 'error' && complain(message.text(), message.location()?.url));
  await page.goto(url);
  await page.waitForFunction(ready, null, { timeout: 30_000 });
  return { page, complaints };
};

/**
 * Runs the checks in a browser with Playwright's functions. `native` says whether its engine must be one that `lanner/native`
 * may ask; `more` gets the address of the page with every entry.
 */
export async function pages(browser, { native, more = () => {} } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-'));
  try {
    await everyEntry(browser, dir, native, more);
    await fetching(browser, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function everyEntry(browser, dir, native, more) {
  const open = (url, ready) => opened(browser, url, ready);
  await esbuild.build({
    entryPoints: ['all.mjs', 'edges.mjs'].map((name) => join(root, 'test', name)),
    outdir: dir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  writeFileSync(join(dir, 'page.js'), `import { alone, entries, run } from './all.js';
     Object.assign(globalThis, { alone, entries, run });
     try {
       globalThis.evaluated = eval('1');
     } catch (error) {
       globalThis.evaluated = error.name;
     }
     globalThis.ready = true;`);
  writeFileSync(
    join(dir, 'worker.js'),
    "import { run } from './all.js'; run().then((n) => postMessage(n), (e) => postMessage(e.stack));",
  );
  writeFileSync(join(dir, 'edges-page.js'), `import { entries } from './all.js';
     import { edges } from './edges.js';
     import cases from './edge-cases.js';
     globalThis.verdicts = edges(entries.native, cases);`);
  writeFileSync(join(dir, 'edge-cases.js'), edgeCases);
  for (const [name, script] of [['index', 'page'], ['edges', 'edges-page']])
    writeFileSync(join(dir, `${name}.html`), `<!doctype html><script type="module" src="${script}.js"></script>`);
  const server = await serve(dir);
  const address = `http://127.0.0.1:${server.address().port}/`;
  await check(`every entry in a page under ${POLICY}`, async () => {
    const { page, complaints } = await open(address, 'globalThis.ready');
    const count = await page.evaluate('run()');
    if (count < 20 || count != (await page.evaluate('Object.keys(entries).length'))) throw new Error(`${count} entries`);
    // The policy is in force: what it forbids fails.
    const evaluated = await page.evaluate('evaluated');
    if (evaluated != 'EvalError') throw new Error(`eval gave ${evaluated}`);
    quiet(complaints.filter((text) => !/unsafe-eval|evaluat/i.test(text)));
    await page.close();
  });

  await check('lanner/native: every edge case', async () => {
    const { page, complaints } = await open(`${address}edges.html`, 'globalThis.verdicts');
    allRight(await page.evaluate('verdicts'), native);
    quiet(complaints.filter((text) => !/unsafe-eval|evaluat/i.test(text)));
    await page.close();
  });

  await check('every entry in a worker', async () => {
    const { page, complaints } = await open(address, 'globalThis.ready');
    const count = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = (event) => reject(new Error(event.message));
        }),
    );
    if (count !== (await page.evaluate('Object.keys(entries).length'))) throw new Error(String(count));
    quiet(complaints.filter((text) => !/unsafe-eval|evaluat/i.test(text)));
    await page.close();
  });

  await check('without wasm-unsafe-eval: an error, not a hang', async () => {
    const strict = await serve(dir, 0, POLICY.replace(" 'wasm-unsafe-eval'", ''));
    const { page } = await open(`http://127.0.0.1:${strict.address().port}/`, 'globalThis.ready');
    for (const name of ['lanner', 'fast', 'compat', 'sync', 'verify', 'more', 'moreFast', 'x25519', 'x25519Sync', 'ristretto', 'ristrettoSync', 'fnDsa', 'fnDsaSync', 'hybrid', 'native', 'nativeSync', 'tweetnacl']) {
      const outcome = await page.evaluate((entry) => globalThis.alone(entry).then(() => 'works', (error) => error.message), name);
      // The cause, and not what it might have been.
      if (!/lanner cannot load: .*(Content Security Policy|CSP|unsafe-eval)/i.test(outcome) || /SIMD|lanner.compat/.test(outcome))
        throw new Error(`${name}: ${outcome}`);
    }
    await page.close();
    strict.close();
  });
  await check('long messages, and others meanwhile: the page goes on', async () => {
    const { page } = await open(address, 'globalThis.ready');
    const [valid, frames] = await page.evaluate(async () => {
      const { lanner } = globalThis.entries;
      const { publicKey, secretKey } = await lanner.newKeyPair();
      const message = new Uint8Array(60_000_000).fill(3);
      let [count, pending] = [0, true];
      const tick = () => {
        count++;
        if (pending) setTimeout(tick);
      };
      setTimeout(tick);
      const signature = await lanner.sign(message, secretKey);
      const valid = await lanner.verify(message, signature, publicKey);
      pending = false;
      return [valid, count];
    });
    if (!valid || frames < 10) throw new Error(`${valid}, ${frames} turns`);
    await page.close();
  });
  await more(address);
  server.close();
}

async function fetching(browser, dir) {

  // Modules that are fetched. Each project has the package as npm would put it there.
  const CONNECT = `${POLICY}; connect-src 'self'`;
  const tool = (name, file) => join(root, 'node_modules', name, file);
  const project = (name, page) => {
    const home = join(dir, name);
    // No link: Vite's server treats what is linked as part of the project.
    const lanner = join(home, 'node_modules', 'lanner');
    for (const part of ['package.json', 'dist']) cpSync(join(root, part), join(lanner, part), { recursive: true });
    for (const file of ['fetched.mjs', 'everywhere.mjs'])
      copyFileSync(join(root, 'test', file), join(home, file));
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name, type: 'module', dependencies: { lanner: '*' } }));
    writeFileSync(join(home, 'page.mjs'), page);
    writeFileSync(join(home, 'index.html'), '<!doctype html><script type="module" src="/page.mjs"></script>');
    return home;
  };
  /** Runs a program to its end. */
  const node = (args, cwd) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (data) => (output += data));
      child.on('close', (status) => (status ? reject(new Error(output)) : resolve(output)));
    });
  const own = `import { run } from './fetched.mjs';
    globalThis.outcome = run().then((count) => count + ' entries work', (error) => error.stack);
    globalThis.ready = true;`;
  /** Opens a page, waits for its outcome; which modules it asked for, and how each came. */
  const outcome = async (url, wanted) => {
    const page = await browser.newPage();
    const asked = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.wasm'))
        asked.push(`${pathname} ${response.status()} ${response.headers()['content-type']}`);
    });
    await page.addInitScript(() => {
      const { instantiateStreaming } = WebAssembly;
      globalThis.streamed = 0;
      WebAssembly.instantiateStreaming = (...args) => {
        globalThis.streamed++;
        return instantiateStreaming(...args);
      };
    });
    await page.goto(url);
    await page.waitForFunction('globalThis.ready', null, { timeout: 30_000 });
    const said = await page.evaluate('outcome');
    if (said != wanted) throw new Error(`said: ${said}\n${asked.join('\n')}`);
    const streamed = await page.evaluate('streamed');
    await page.close();
    return { asked, streamed };
  };
  const each = ({ asked, streamed }, count = 3) => {
    if (asked.length != count || !asked.every((line) => /\.wasm 200 application\/wasm$/.test(line)) || streamed != count)
      throw new Error(`${streamed} streamed of ${asked.join('\n')}`);
  };

  const bundled = {
    'Vite': async (home) => {
      await node([tool('vite', 'bin/vite.js'), 'build', '--outDir', 'out', '--target', 'es2022', '--logLevel', 'error'], home);
    },
    'webpack': async (home) => {
      const program = `
        import { copyFileSync } from 'node:fs';
        import webpack from ${JSON.stringify(pathToFileURL(tool('webpack', 'lib/index.js')).href)};
        webpack({ mode: 'production', target: 'web', entry: './page.mjs', performance: false,
          output: { path: process.cwd() + '/out', filename: 'page.mjs' } }, (error, stats) => {
          if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); }
          copyFileSync('index.html', 'out/index.html');
        });`;
      writeFileSync(join(home, 'bundle.mjs'), program);
      await node(['bundle.mjs'], home);
    },
  };
  for (const [name, bundle] of Object.entries(bundled))
    await check(`${name}: lanner/streaming, the modules beside the script`, async () => {
      const home = project(name, own);
      await bundle(home);
      const server = await serve(join(home, 'out'), 0, CONNECT);
      try {
        each(await outcome(`http://127.0.0.1:${server.address().port}/`, '3 entries work'));
      } finally {
        server.close();
      }
    });

  /** What Vite's server for development serves; `vite` is where it is, `settings` what its configuration needs. */
  const developed = async (name, vite, settings = {}) => {
    const home = project(name, own);
    const program = `
      import { createServer } from ${JSON.stringify(pathToFileURL(join(vite, 'dist', 'node', 'index.js')).href)};
      const server = await createServer({ root: ${JSON.stringify(home)}, logLevel: 'error',
        server: { host: '127.0.0.1', port: 0, fs: { strict: false } }, ...${JSON.stringify(settings)} });
      await server.listen();
      console.log(server.httpServer.address().port);`;
    writeFileSync(join(home, 'serve.mjs'), program);
    const child = spawn(process.execPath, ['serve.mjs'], { cwd: home, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const port = await new Promise((resolve, reject) => {
        child.stdout.on('data', (data) => resolve(Number(data)));
        child.on('close', () => reject(new Error('the server ended')));
      });
      each(await outcome(`http://127.0.0.1:${port}/`, '3 entries work'));
    } finally {
      child.kill();
    }
  };
  await check("Vite's server for development: lanner/streaming", () => developed('vite-dev', tool('vite', '')));
  // Before version 8 it moves the code away from the file, unless it is told not to. It is fetched for this alone.
  const older = join(dir, 'older');
  mkdirSync(older);
  writeFileSync(join(older, 'package.json'), '{"private":true}');
  const missing = spawnSync('npm', ['install', '--no-audit', '--no-fund', 'vite@7'], { cwd: older, encoding: 'utf8' });
  if (missing.status) skip("Vite 7's server for development", `npm does not get it here: ${missing.stderr}`);
  else
    await check("Vite 7's server for development: lanner/streaming", () =>
      developed('vite-7-dev', join(older, 'node_modules', 'vite'), { optimizeDeps: { exclude: ['lanner'] } }));

  // esbuild and Rollup leave the address as it stands: the files are copied, and named to `load`.
  const loaded = `import { load } from 'lanner/streaming';
    import { load as loadFast } from 'lanner/streaming/fast';
    import { everywhere } from './everywhere.mjs';
    const run = async () => everywhere({
      streaming: { ...(await load('small.wasm')), load },
      streamingFast: { ...(await loadFast(fetch('fast.wasm'))), load: loadFast },
    });
    globalThis.outcome = run().then((count) => count + ' entries work', (error) => error.message);
    globalThis.ready = true;`;
  const copied = {
    'esbuild': (home) =>
      esbuild.build({
        entryPoints: [join(home, 'page.mjs')], outdir: join(home, 'out'), outExtension: { '.js': '.mjs' },
        bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'error',
      }),
    'Rollup': (home) =>
      node([tool('rollup', 'dist/bin/rollup'), 'page.mjs', '--dir', 'out', '--entryFileNames', 'page.mjs', '--format', 'es', '--failAfterWarnings',
        '--plugin', `${tool('@rollup/plugin-node-resolve', 'dist/es/index.js')}={browser:true}`], home),
  };
  for (const [name, bundle] of Object.entries(copied))
    await check(`${name}: lanner/streaming, the modules copied and named`, async () => {
      const home = project(name, loaded);
      await bundle(home);
      copyFileSync(join(home, 'index.html'), join(home, 'out', 'index.html'));
      for (const file of ['small.wasm', 'fast.wasm'])
        copyFileSync(join(root, 'dist', 'wasm', file), join(home, 'out', file));
      const server = await serve(join(home, 'out'), 0, CONNECT);
      const closed = await serve(join(home, 'out'), 0, POLICY);
      try {
        each(await outcome(`http://127.0.0.1:${server.address().port}/`, '2 entries work'), 2);
        // Where the policy forbids the request, and where there is no such file: an error that says it.
        const { asked } = await outcome(
          `http://127.0.0.1:${closed.address().port}/`, 'lanner could not fetch small.wasm',
        );
        if (asked.length) throw new Error(asked.join());
        rmSync(join(home, 'out', 'small.wasm'));
        const address = `http://127.0.0.1:${server.address().port}/`;
        await outcome(address, `lanner could not fetch ${address}small.wasm: status 404`);
      } finally {
        server.close();
        closed.close();
      }
    });
}
