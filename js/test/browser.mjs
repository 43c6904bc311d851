// A real Chromium: every entry in a page and in a worker under a strict policy, and the demo, with a
// screenshot.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { POLICY, build, serve } from '../scripts/demo.mjs';
import { check, close } from './report.mjs';
import { root } from './support.mjs';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const dir = mkdtempSync(join(tmpdir(), 'lanner-'));
try {
  await esbuild.build({
    entryPoints: [join(root, 'test', 'all.mjs')],
    outfile: join(dir, 'all.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  writeFileSync(join(dir, 'page.js'), `import { run } from './all.js';
     globalThis.run = run;
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
  writeFileSync(join(dir, 'index.html'), '<!doctype html><script type="module" src="page.js"></script>');
  const server = await serve(dir);
  const address = `http://127.0.0.1:${server.address().port}/`;
  /** A page, what it complains of, and the policy under which it runs. */
  const open = async (url, ready) => {
    const page = await browser.newPage({ viewport: { width: 820, height: 1250 } });
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() == 'error' && !/favicon/.test(message.location().url) && complaints.push(message.text()));
    await page.goto(url);
    await page.waitForFunction(ready, null, { timeout: 30_000 });
    return { page, complaints };
  };
  const quiet = (complaints) => {
    if (complaints.length) throw new Error(complaints.join('\n'));
  };

  await check(`every entry in a page under ${POLICY}`, async () => {
    const { page, complaints } = await open(address, 'globalThis.ready');
    const count = await page.evaluate('run()');
    if (count != 10) throw new Error(`${count} entries`);
    // The policy is in force: what it forbids fails.
    const evaluated = await page.evaluate('evaluated');
    if (evaluated != 'EvalError') throw new Error(`eval gave ${evaluated}`);
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
    if (count !== 10) throw new Error(String(count));
    quiet(complaints.filter((text) => !/unsafe-eval|evaluat/i.test(text)));
    await page.close();
  });

  await check('without wasm-unsafe-eval: an error, not a hang', async () => {
    const strict = await serve(dir, 0, POLICY.replace(" 'wasm-unsafe-eval'", ''));
    const { page } = await open(`http://127.0.0.1:${strict.address().port}/`, 'globalThis.ready');
    const outcome = await page.evaluate(() => globalThis.run().then(() => 'works', (error) => error.message));
    if (!/WebAssembly|CompileError|unsafe/.test(outcome)) throw new Error(outcome);
    await page.close();
    strict.close();
  });
  server.close();

  await build();
  const demo = await serve();
  await check('the demo: generate, sign, verify, tamper, time, a file', async () => {
    const { page, complaints } = await open(
      `http://127.0.0.1:${demo.address().port}/`,
      'document.body.dataset.ready',
    );
    const verdict = async (button, words) => {
      await page.click(button);
      await page.waitForFunction((text) => document.getElementById('verdict').textContent.includes(text), words, { timeout: 10_000 });
    };
    const key = await page.textContent('#public');
    await page.click('#generate');
    await page.waitForFunction((old) => document.getElementById('public').textContent != old, key);
    await verdict('#verify', 'no signature');
    await verdict('#sign', 'Signed');
    await verdict('#verify', 'is valid');
    await page.fill('#message', 'The eagle has landed.');
    await verdict('#verify', 'NOT valid');
    await verdict('#sign', 'Signed');
    await verdict('#tamper', 'NOT valid');
    await page.click('#time');
    await page.waitForFunction(() => document.querySelectorAll('#times td').length == 10, null, { timeout: 60_000 });
    await page.setInputFiles('#file', { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(8_000_000, 7) });
    await page.waitForFunction(() => /and verified/.test(document.getElementById('filestatus').textContent), null, { timeout: 60_000 });
    if ((await page.textContent('#filesignature')).length != 128) throw new Error('no signature of the file');
    await verdict('#sign', 'Signed');
    await verdict('#verify', 'is valid');
    mkdirSync(join(root, 'demo', 'dist'), { recursive: true });
    const picture = await page.screenshot({ path: join(root, 'demo', 'dist', 'screenshot.png'), fullPage: true });
    if (picture.length < 20_000) throw new Error('the screenshot is empty');
    quiet(complaints);
    await page.close();
  });
  demo.close();
} finally {
  await browser.close();
  rmSync(dir, { recursive: true, force: true });
}
close();
