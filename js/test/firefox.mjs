// A real Firefox: what every browser must pass. Puppeteer speaks WebDriver BiDi, which Firefox as it is distributed
// understands; Playwright wants a Firefox of its own, or a newer one than Debian's.
import puppeteer from 'puppeteer-core';
import { pages } from './pages.mjs';
import { close } from './report.mjs';

const firefox = await puppeteer.launch({
  browser: 'firefox',
  executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
  headless: true,
  protocolTimeout: 600_000,
});

/** A page with Playwright's functions, as far as the checks use them. */
const adapted = (page) => ({
  goto: (url) => page.goto(url, { timeout: 60_000 }),
  on: (event, listener) => page.on(event, listener),
  evaluate: (what, ...values) => page.evaluate(what, ...values),
  addInitScript: (script) => page.evaluateOnNewDocument(script),
  close: () => page.close(),
  // By asking again and again: Puppeteer would make a function of the text, which the page's policy forbids.
  async waitForFunction(condition, _, { timeout }) {
    for (const end = Date.now() + timeout; !(await page.evaluate(condition)); ) {
      if (Date.now() > end) throw new Error(`never true: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  },
});

try {
  console.log(await firefox.version());
  await pages({ newPage: async () => adapted(await firefox.newPage()) });
} finally {
  await firefox.close();
}
close();
