// The benchmark in a headless Chromium: the page of `demo/bench.html`, warm; then each library in fresh
// pages, for the first call. `node scripts/bench-browser.mjs [--quick] [--only REGEX] [--json]
// [--markdown]`; CHROMIUM names another browser. `--serve` serves the page and measures nothing.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { cold, samples, scenarios, toText } from '../bench/cold.mjs';
import { load } from '../bench/load.mjs';
import { deliver, machine, options, tell } from '../bench/report.mjs';
import { external, sizes } from '../bench/sizes.mjs';
import { POLICY, serve } from './demo.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packaged = (...parts) => join(root, 'node_modules', ...parts);

/** What is used of packages that have more: as in an application, the rest is left out. */
const used = {
  '@noble/curves/ed25519.js': '{ ed25519, x25519 }',
  '@noble/post-quantum/falcon.js': '{ falcon512padded, falcon1024padded }',
  '@oqs/liboqs-js/sig': '{ createFalconPadded512, createFalconPadded1024 }',
  tweetnacl: '{ default }',
  'lanner/tweetnacl': '{ default }',
  'libsodium-wrappers': '{ default }',
};

/**
 * The page with all that its libraries ask for at run time. What the page imports is a bundle of its
 * own each, without parts that several share: so an application would load it.
 */
async function build(out) {
  copyFileSync(join(root, 'demo', 'bench.html'), join(out, 'bench.html'));
  const how = {
    outdir: out,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    external,
  };
  const entryPoints = {};
  const apart = {
    name: 'apart',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^[^./]/ }, ({ kind, path }) => {
        if (kind != 'dynamic-import' || external.includes(path)) return undefined;
        const name = `lib/${path.replaceAll(/\W+/g, '-')}`;
        entryPoints[name] = `entry:${path}`;
        return { path: `./${name}.js`, external: true };
      }),
  };
  const entry = {
    name: 'entry',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'entry' }));
      onLoad({ filter: /(?:)/, namespace: 'entry' }, ({ path }) => ({
        contents: `export ${used[path] ?? '*'} from '${path}'`,
        resolveDir: root,
      }));
    },
  };
  await esbuild.build({ ...how, entryPoints: [join(root, 'demo', 'bench.js')], plugins: [apart] });
  await esbuild.build({ ...how, entryPoints, plugins: [entry] });
  const copies = (folder, from, names) => {
    mkdirSync(join(out, folder));
    for (const name of names) copyFileSync(packaged(...from, name), join(out, folder, name));
  };
  copies('supercop', ['supercop.wasm', 'src'], ['supercop.js', 'index.js', 'supercop.wasm']);
  // liboqs-js imports these by an address that it makes up, four folders above its own.
  copies('dist', ['@oqs', 'liboqs-js', 'dist'], [
    'falcon-padded-512.min.js',
    'falcon-padded-1024.min.js',
  ]);
}

/** What the peers need beyond the policy of the demo: watsign evaluates, supercop.wasm fetches. */
const policy = `${POLICY.replace(" 'wasm-", " 'unsafe-eval' 'wasm-")}; connect-src 'self' data:`;

const serving = process.argv.includes('--serve');
if (serving) process.argv.splice(process.argv.indexOf('--serve'), 1);
const chosen = options();
chosen.starts = chosen.pages;
const out = mkdtempSync(join(tmpdir(), 'lanner-bench-'));
await build(out);
const server = await serve(out, serving ? 8080 : 0, policy);
const address = `http://127.0.0.1:${server.address().port}/bench.html`;
if (serving) console.log(address);
else {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    await measure(browser);
  } finally {
    await browser.close();
    server.close();
    rmSync(out, { recursive: true });
  }
}

/** A page in a profile of its own, and so in a process of its own. */
async function open(browser) {
  const page = await browser.newPage({ viewport: { width: 1240, height: 900 } });
  await page.goto(address);
  await page.waitForFunction('document.body.dataset.ready');
  return page;
}

async function measure(browser) {
  const { only, rounds, slice, warm, least, starts } = chosen;
  const about = machine(`Chromium ${browser.version()}, headless`, chosen);
  const page = await open(browser);
  const how = { only: only.source, rounds, slice, warm, least };
  const result = { machine: about, ...(await page.evaluate((how) => globalThis.bench.measure(how), how)) };
  const made = await samples(load);
  /** A fresh page. */
  const start = async (scenario, library, sample) => {
    const own = await open(browser);
    const time = await own.evaluate(
      ([...args]) => globalThis.bench.first(...args),
      [scenario, library, toText(sample)],
    );
    await own.close();
    return time;
  };
  const { missing } = result;
  result.cold = await cold(scenarios(load), start, { rounds: starts, made, missing, only, tell });
  result.sizes = await sizes();
  tell(1);
  await page.evaluate((result) => globalThis.bench.show(result), result);
  const picture = join(tmpdir(), 'lanner-bench.png');
  await page.screenshot({ path: picture, fullPage: true });
  deliver(result, chosen, 'chromium');
  console.error(`screenshot: ${picture}`);
}
