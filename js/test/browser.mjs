// A real Chromium: what every browser must pass, an engine without SIMD, and the demo.
import { chromium } from 'playwright-core';
import { demo } from './demo.mjs';
import { pages } from './pages.mjs';
import { check, close, skip } from './report.mjs';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

/** The page with every entry, in a browser whose processor seems to have no SIMD. */
const withoutSimd = (address) =>
  check('a browser without SIMD: everything works, what is synchronous after ready()', async () => {
    if (process.arch != 'x64') return skip('a browser without SIMD', 'no way to take it away here');
    const other = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--js-flags=--no-enable-sse4-1'],
    });
    try {
      const page = await other.newPage();
      await page.goto(address);
      await page.waitForFunction('globalThis.ready', null, { timeout: 30_000 });
      const outcome = (name) => page.evaluate((entry) => globalThis.alone(entry).catch((error) => error.message), name);
      for (const name of ['sync', 'nativeSync', 'tweetnacl', 'x25519Sync', 'fnDsaSync'])
        if (!/lanner cannot load at once: first await ready\(\)/.test(await outcome(name)))
          throw new Error(`${name}: ${await outcome(name)}`);
      await page.evaluate(async () => {
        for (const api of Object.values(globalThis.entries)) await api.ready?.();
      });
      for (const name of await page.evaluate('Object.keys(entries)'))
        if ((await outcome(name)) !== 1) throw new Error(`${name}: ${await outcome(name)}`);
    } finally {
      await other.close();
    }
  });

try {
  // Chromium has Ed25519 since version 137.
  await pages(browser, { native: parseInt(browser.version()) >= 137 || undefined, more: withoutSimd });
  await demo(browser);
} finally {
  await browser.close();
}
close();
