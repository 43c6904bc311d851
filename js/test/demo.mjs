// The demo in a real Chromium, by clicks, by keys and by pictures: whatever is changed, what the page says is about what
// stands there now. `node test/demo.mjs [PART OF A NAME]` runs this alone; `test/browser.mjs` runs it with the rest.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import * as lanner from 'lanner';
import * as fnDsa from 'lanner/fn-dsa';
import * as keys from 'lanner/keys';
import { verifyPrehashed } from 'lanner/more';
import { examples } from '../demo/examples.js';
import { DEMO_POLICY, build, serve } from '../scripts/demo.mjs';
import { check, close } from './report.mjs';
import { hex, own, root, toHex, utf8 } from './support.mjs';
import { PROFILES } from './vectors.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DESKTOP = { width: 1240, height: 900 };
const PHONE = { width: 320, height: 640 };

/** What is done with a page, again and again. */
const driving = (page) => ({
  text: (id) => page.textContent(`#${id}`),
  /** Waits for a verdict, which must be of the kind and say the words. */
  verdict: async (id, kind, words = /(?:)/) => {
    const told = () =>
      page.waitForFunction(
        ([name, wanted, source]) => {
          const { dataset, textContent } = document.getElementById(name);
          return dataset.state != 'pending' && dataset.kind == wanted && new RegExp(source).test(textContent);
        },
        [id, kind, words.source],
        { timeout: 30_000 },
      );
    await told().catch(async (error) => {
      const now = await page.$eval(`#${id}`, ({ dataset, textContent }) => `${dataset.state} ${dataset.kind}: ${textContent}`);
      throw new Error(`${id} says "${now}", not ${kind} ${words}; ${error.message.split('\n')[0]}`);
    });
  },
  /** What a verdict is at the very moment after a change, before anything has been computed. */
  atOnce: (id, change, ...given) =>
    page.evaluate(
      ([name, source, ...args]) => {
        const type = (target, value) => {
          const element = document.getElementById(target);
          element.value = value;
          element.dispatchEvent(new Event('input', { bubbles: true }));
        };
        new Function('type', 'args', source)(type, args);
        return document.getElementById(name).dataset.state;
      },
      [id, change, ...given],
    ),
  /** Waits for the key pair of a scheme. */
  ready: () => page.waitForFunction(() => !document.getElementById('sign-now').disabled, null, { timeout: 30_000 }),
  drop: async (selector, name, octets) => {
    const transfer = await page.evaluateHandle(
      ([called, list]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(list)], called));
        return data;
      },
      [name, [...octets]],
    );
    await page.dispatchEvent(selector, 'dragover', { dataTransfer: transfer });
    await page.dispatchEvent(selector, 'drop', { dataTransfer: transfer });
  },
});

/** The verdict of each rule, as the table has it. */
const rules = (page) =>
  page.$$eval('#rules tbody tr', (rows) =>
    Object.fromEntries(rows.map(({ cells }) => [cells[0].firstChild.textContent, cells[1].textContent])),
  );

/** Runs a program that the page shows; what it printed. */
const ran = (code) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: join(root, 'test'), encoding: 'utf8' }).trim();

/** Everything that is against the rules of accessibility. */
async function violations(page) {
  await page.evaluate(axe);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const found = await page.evaluate((values) => globalThis.axe.run(document, { runOnly: { type: 'tag', values } }), tags);
  assert.ok(found.passes.length > 20, `${found.passes.length} rules passed`);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`));
}

/** Mean red, green and blue of a picture. */
async function colours(browser, png) {
  const page = await browser.newPage();
  const means = await page.evaluate(async (list) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(list)], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const sums = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) for (const c of [0, 1, 2]) sums[c] += data[i + c];
    return sums.map((sum) => (4 * sum) / data.length);
  }, [...png]);
  await page.close();
  return means;
}

/** All checks of the demo. */
export async function demo(browser, only = '') {
  await check('the demo: all its files together under the cap', async () => console.log(`${await build()} bytes`));
  await check('the demo: its policy goes with it, wherever it is served', async () => {
    const page = readFileSync(new URL('../demo/index.html', import.meta.url), 'utf8');
    assert.ok(page.includes(`http-equiv="Content-Security-Policy" content="${DEMO_POLICY}"`));
  });
  const server = await serve(undefined, 0, DEMO_POLICY);
  const address = `http://127.0.0.1:${server.address().port}/`;
  /** A check with a page of its own, which must not complain. */
  const visit = (name, run, { viewport = DESKTOP, colorScheme = 'light' } = {}) =>
    name.includes(only) &&
    check(`the demo: ${name}`, async () => {
      const context = await browser.newContext({ viewport, colorScheme, permissions: ['clipboard-read', 'clipboard-write'] });
      const page = await context.newPage();
      const complaints = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => message.type() == 'error' && complaints.push(message.text()));
      try {
        await page.goto(address);
        // By a selector: what is polled as text is evaluated in the page, whose policy forbids that.
        await page.waitForSelector('body[data-ready]', { timeout: 30_000 });
        const drive = driving(page);
        await drive.ready();
        await run(page, drive, complaints);
        assert.deepEqual(complaints, []);
      } finally {
        await context.close();
      }
    });

  await visit('an edited message is never called valid', async (page, { verdict, atOnce }) => {
    await verdict('verdict', 'none', /Not signed yet/);
    await page.click('#sign-now');
    await verdict('verdict', 'good', /Valid/);
    // No time passes between the change and the question: the old verdict is gone.
    assert.equal(await atOnce('verdict', `type('message', 'The eagle has landed.')`), 'pending');
    await verdict('verdict', 'bad', /the message is not the one that was signed/);
    await page.fill('#message', 'The falcon has landed.');
    await verdict('verdict', 'good');
    await page.fill('#message', 'The falcon has landed. ');
    await verdict('verdict', 'bad');
    await page.click('#sign-now');
    await verdict('verdict', 'good');
    assert.equal(await atOnce('verdict', `document.getElementById('generate').click()`), 'pending');
    await verdict('verdict', 'bad', /the key is not the one that signed/);
  });

  await visit('under another key or for another file, a signed file is not verified', async (page, { verdict, atOnce, text, drop }) => {
    await page.setInputFiles('#file', { name: 'one.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3_000_000, 7) });
    await page.click('#file-sign');
    await verdict('file-verdict', 'good', /one\.bin/);
    const [signature, publicKey] = [hex(await text('file-signature')), hex(await text('file-key'))];
    assert.equal(await verifyPrehashed(new Uint8Array(3_000_000).fill(7), signature, publicKey), true);
    await page.click('#generate');
    await verdict('file-verdict', 'bad', /the key is another/);
    assert.notEqual(await text('file-key'), toHex(publicKey));
    await page.click('#file-sign');
    await verdict('file-verdict', 'good', /one\.bin/);
    await drop('#drop', 'two.bin', new Uint8Array(1000).fill(9));
    await verdict('file-verdict', 'bad', /the file is another/);
    await page.click('#file-sign');
    await verdict('file-verdict', 'good', /two\.bin/);
    assert.match(await text('file-name'), /two\.bin, 1,000 bytes/);
    // Another scheme has other keys; files go on with the Ed25519 key.
    await page.check('[value="fndsa512"]');
    await verdict('file-verdict', 'good');
    assert.equal(await atOnce('file-verdict', `document.querySelector('[value="ed25519"]').click(); document.getElementById('file-sign').click()`), 'pending');
    // Back at Ed25519 there is a new key pair, and what was ordered meanwhile is of the old one.
    await verdict('file-verdict', 'bad', /the key is another/);
  });

  await visit('a large file shows how far it is, and another one takes its place', async (page, { verdict, text }) => {
    await page.evaluate(() => {
      globalThis.parts = new Set();
      const progress = document.getElementById('progress');
      new MutationObserver(() => progress.hidden || globalThis.parts.add(progress.value)).observe(progress, { attributes: true });
    });
    // Made there: to be sent to a browser it would be too much.
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(40_000_000).fill(1)], 'large.bin'));
      const input = document.getElementById('file');
      input.files = data.files;
      input.dispatchEvent(new Event('change'));
    });
    await page.click('#file-sign');
    await verdict('file-verdict', 'good', /large\.bin/);
    const parts = await page.evaluate(() => [...globalThis.parts]);
    assert.ok(parts.filter((part) => part > 0 && part < 1).length > 10, String(parts));
    assert.equal(await page.isHidden('#progress'), true);
    await page.click('#file-sign');
    await page.setInputFiles('#file', { name: 'small.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(10, 1) });
    await page.click('#file-sign');
    await verdict('file-verdict', 'good', /small\.bin/);
    assert.equal(await verifyPrehashed(new Uint8Array(10).fill(1), hex(await text('file-signature')), hex(await text('file-key'))), true);
  });

  await visit('tampering shows the byte that was changed, and undoing it is valid again', async (page, { verdict, text }) => {
    await page.click('#sign-now');
    await verdict('verdict', 'good');
    const made = await text('signature');
    await page.click('#tamper');
    await verdict('verdict', 'bad', /the signature was changed/);
    const [, place, now, before] = /^Changed: byte (\d+) is (\w\w) and was (\w\w)\.$/.exec(await text('changes'));
    assert.deepEqual(await page.$$eval('#signature mark', (marks) => marks.map(({ textContent, title }) => [textContent, title])), [[now, `byte ${place}`]]);
    assert.equal(made.slice(2 * place, 2 * place + 2), before);
    assert.equal(await text('signature'), `${made.slice(0, 2 * place)}${now}${made.slice(2 * place + 2)}`);
    for (let i = 0; i < 9; i++) await page.click('#tamper');
    await page.click('#restore');
    await verdict('verdict', 'good');
    assert.equal(await text('signature'), made);
    assert.equal(await page.$$eval('#signature mark', (marks) => marks.length), 0);
  });

  await visit('every scheme; the code that is shown does in Node what was done here', async (page, { verdict, text, ready }) => {
    for (const scheme of ['ed25519', 'fndsa512', 'fndsa1024', 'falcon512padded']) {
      await page.check(`[value="${scheme}"]`);
      await ready();
      await verdict('verdict', 'none', /Not signed yet/);
      await page.fill('#message', `It's "${scheme}" \\ here.`);
      await page.click('#sign-now');
      await verdict('verdict', 'good');
      const code = async () => page.$eval('#code', ({ dataset }) => dataset.text);
      const says = async (verdictOf) => {
        const program = await code();
        assert.match(program, new RegExp(`// ${verdictOf}$`));
        assert.equal(ran(program), String(verdictOf), program);
      };
      await says(true);
      await page.click('#tamper');
      await verdict('verdict', 'bad');
      await says(false);
      await page.click('#restore');
      await page.fill('#message', 'Another one.');
      await verdict('verdict', 'bad');
      await page.click('#generate');
      await verdict('verdict', 'bad', /the message .*, and the key/);
      await says(false);
      const { lengths } = scheme == 'ed25519' ? { lengths: { publicKey: 32 } } : fnDsa[scheme];
      assert.equal((await text('public')).length, 2 * lengths.publicKey);
    }
  });

  await visit('a module that does not come is told, nothing is signed, and the next try gets it', async (page, { verdict, text, ready }, complaints) => {
    await page.click('#sign-now');
    await verdict('verdict', 'good');
    await page.route('**/fn-dsa.wasm.deflate', (route) => route.fulfill({ status: 404 }));
    await page.check('[value="fndsa512"]');
    await page.waitForFunction(() => /status 404/.test(document.getElementById('pair-state').textContent));
    await verdict('verdict', 'none', /Not signed yet/);
    assert.equal(await page.isDisabled('#sign-now'), true);
    assert.equal(await text('public'), 'none yet');
    assert.match(complaints.splice(0).join(), /404/);
    await page.unroute('**/fn-dsa.wasm.deflate');
    await page.click('#generate');
    await ready();
    assert.equal(await text('pair-state'), '');
    await page.click('#sign-now');
    await verdict('verdict', 'good');
  });

  await visit('key agreement: with the right key, another one, and none', async (page, { verdict, text }) => {
    await verdict('agreement', 'good', /both sides/);
    assert.equal(await text('hers'), await text('his'));
    assert.equal(ran(await page.$eval('#exchange-code', ({ dataset }) => dataset.text)), 'true');
    await page.fill('#sent', toHex((await lanner.newKeyPair()).publicKey));
    await verdict('agreement', 'bad', /somebody else/);
    assert.equal(ran(await page.$eval('#exchange-code', ({ dataset }) => dataset.text)), 'false');
    await page.fill('#sent', '00'.repeat(32));
    await verdict('agreement', 'bad', /zero|small order/i);
    assert.equal(await text('hers'), 'none yet');
    await page.fill('#sent', 'xyz');
    await verdict('agreement', 'none');
    assert.equal(await page.getAttribute('#sent', 'aria-invalid'), 'true');
    assert.match(await text('sent-error'), /hexadecimal/);
    await page.fill('#sent', 'abcd');
    assert.match(await text('sent-error'), /32 bytes/);
    await page.click('#exchange-new');
    await verdict('agreement', 'good');
    assert.equal(await page.getAttribute('#sent', 'aria-invalid'), 'false');
  });

  await visit('cases about which the rules disagree: the verdicts of the vectors', async (page, { verdict, atOnce, text }) => {
    const { cases } = own('ed25519_verify.json');
    const sets = new Set();
    for (const [name, { case: id, key, message, signature }] of Object.entries(examples)) {
      const [v] = cases.filter((one) => one.id == id);
      assert.deepEqual([key, toHex(utf8(message)), signature], [v.key, v.msg, v.sig], name);
      await page.selectOption('#examples', name);
      const accepting = PROFILES.filter((profile) => v.accept.includes(profile));
      const kind = accepting.length == PROFILES.length ? 'good' : accepting.includes('strict') ? 'good' : 'mixed';
      await verdict('check-verdict', kind, accepting.length == 7 ? /all 7/ : new RegExp(`${accepting.length} rules? of 7`));
      const { 'this browser': browsers, ...shown } = await rules(page);
      assert.match(browsers, /valid|cannot tell/);
      for (const profile of PROFILES) assert.equal(shown[profile], accepting.includes(profile) ? '✓ valid' : '✗ not valid', `${name}, ${profile}`);
      const printed = ran(await page.$eval('#check-code', ({ dataset }) => dataset.text));
      assert.equal(printed, Object.entries(shown).map(([profile, word]) => `${profile} ${word == '✓ valid'}`).join('\n'));
      assert.ok((await text('why')).length > 10);
      sets.add(accepting.join());
    }
    assert.equal(sets.size, Object.keys(examples).length);
    assert.equal(await atOnce('check-verdict', `type('check-message', 'another')`), 'pending');
    await verdict('check-verdict', 'bad', /Not valid by any rule/);
    assert.equal(await page.inputValue('#examples'), '');
    assert.equal(await text('why'), '');
  });

  await visit('keys and signatures from elsewhere, in every form, pasted and dropped', async (page, { verdict, text, drop }) => {
    const { publicKey, secretKey } = await lanner.newKeyPair();
    const signature = await lanner.sign(utf8('from elsewhere'), secretKey);
    const blob = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32]), publicKey]);
    const spki = keys.toSpki(publicKey);
    const forms = [
      toHex(publicKey), toHex(publicKey).toUpperCase().replaceAll(/../g, '$&:').slice(0, -1), keys.toBase64(publicKey), keys.toBase64Url(publicKey),
      keys.toPem(spki, 'PUBLIC KEY'), JSON.stringify(keys.publicToJwk(publicKey)), `ssh-ed25519 ${blob.toString('base64')} me@here`,
      createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' }), toHex(spki),
    ];
    await page.fill('#check-message', 'from elsewhere');
    for (const [i, form] of forms.entries()) {
      await page.fill('#check-key', '');
      await verdict('check-verdict', 'none');
      await page.fill('#check-signature', [toHex(signature), keys.toBase64(signature), keys.toBase64Url(signature)][i % 3]);
      await page.fill('#check-key', form);
      await verdict('check-verdict', 'good', /all 7/);
    }
    const field = (name) => `.field:has(#check-${name})`;
    for (const octets of [publicKey, spki, utf8(forms[4])]) {
      await page.fill('#check-key', '');
      await drop(field('key'), 'key.pub', octets);
      await verdict('check-verdict', 'good', /all 7/);
    }
    await drop(field('signature'), 'message.sig', signature.map((byte, i) => byte ^ +(i == 3)));
    await verdict('check-verdict', 'bad', /Not valid by any/);
    await drop(field('signature'), 'message.sig', signature);
    await verdict('check-verdict', 'good');
    await page.setInputFiles('#check-message-file', { name: 'text.txt', mimeType: 'text/plain', buffer: Buffer.from('from elsewherE') });
    await verdict('check-verdict', 'bad');
    assert.match(await text('check-message-note'), /14 bytes/);
    await page.setInputFiles('#check-message-file', { name: 'text.txt', mimeType: 'text/plain', buffer: Buffer.from('from elsewhere') });
    await verdict('check-verdict', 'good');
    for (const [bad, words] of [
      [keys.toPem(keys.toPkcs8(secretKey.slice(0, 32)), 'PRIVATE KEY'), /private key/], ['zz zz', /./], ['abcd', /32 bytes/],
      [keys.toPem(keys.toSpki(publicKey, 'X25519'), 'PUBLIC KEY'), /X25519/], ['{"kty":"RSA"}', /OKP/], ['{', /JSON|position/i], ['ssh-ed25519 AAAA', /OpenSSH/],
    ]) {
      await page.fill('#check-key', bad);
      await verdict('check-verdict', 'none');
      assert.equal(await page.getAttribute('#check-key', 'aria-invalid'), 'true', bad);
      assert.match(await text('check-key-note'), words);
      assert.equal(await page.isHidden('#rules'), true);
    }
    await page.fill('#check-key', toHex(publicKey));
    await page.fill('#check-signature', toHex(signature.slice(1)));
    await verdict('check-verdict', 'bad');
    // The lattice schemes: which of them a signature is for.
    for (const name of ['fndsa512', 'falcon512padded', 'falcon1024']) {
      const pair = await fnDsa[name].newKeyPair();
      const made = await fnDsa[name].sign(utf8('from elsewhere'), pair.secretKey);
      await page.fill('#check-key', toHex(pair.publicKey));
      await page.fill('#check-signature', keys.toBase64(made));
      await verdict('check-verdict', 'good', new RegExp(`^Valid as ${name}\\.$`));
      for (const [row, word] of Object.entries(await rules(page))) assert.equal(word, row == name ? '✓ valid' : '✗ not valid', `${name}: ${row}`);
    }
  });

  await visit('copy buttons copy what they name', async (page, { verdict, text }) => {
    await page.click('#sign-now');
    await verdict('verdict', 'good');
    await page.click('#tamper');
    await verdict('verdict', 'bad');
    await page.selectOption('#examples', 'honest');
    await verdict('check-verdict', 'good');
    const names = await page.$$eval('[data-copies]', (buttons) => buttons.map(({ dataset }) => dataset.copies));
    assert.equal(names.length, 7);
    assert.equal(await page.isDisabled('[data-copies="file-signature"]'), true);
    for (const name of names.filter((one) => one != 'file-signature')) {
      await page.click(`[data-copies="${name}"]`);
      // At once with the button's word: both go away after a while.
      const announced = await page.waitForFunction(
        (id) => document.querySelector(`[data-copies="${id}"]`).textContent == 'Copied' && document.getElementById('announcement').textContent,
        name,
      );
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copied, await text(name));
      assert.ok(copied.length >= 64, name);
      assert.match(await announced.jsonValue(), /^Copied: the /);
    }
  });

  await visit('speed, in bars: tweetnacl, noble and the browser itself', async (page) => {
    await page.click('#measure');
    await page.waitForFunction(() => document.querySelectorAll('.bars').length == 3, null, { timeout: 120_000 });
    const tables = await page.$$eval('.bars', (all) =>
      all.map((table) => [...table.rows].map(({ cells }) => [cells[0].textContent, cells[1].textContent, cells[1].firstChild.getBoundingClientRect().width])),
    );
    for (const rows of tables) {
      const names = rows.map(([name]) => name);
      for (const name of ['lanner/fast', '@noble/ed25519', 'tweetnacl', 'crypto.subtle']) assert.ok(names.includes(name), `${name} of ${names}`);
      const [rates, widths] = [1, 2].map((i) => rows.map((row) => Number(String(row[i]).replaceAll(',', ''))));
      assert.ok(rates.every((rate) => rate > 0), String(rates));
      // As long as they are fast.
      for (const [i, rate] of rates.entries()) assert.ok(Math.abs(widths[i] / widths[0] - rate / rates[0]) < 0.02, `${widths} for ${rates}`);
    }
    assert.deepEqual(await violations(page), []);
  });

  await visit('by keys alone: every control is reached in order, seen, and works', async (page, { verdict }) => {
    const focused = () => page.evaluate(() => {
      const { activeElement: now } = document;
      const { outlineStyle, outlineWidth } = getComputedStyle(now.matches('[type="file"], [type="radio"]') ? now.parentElement : now);
      return { id: now.id || now.dataset?.copies || now.value || now.hash || '', seen: outlineStyle != 'none' && parseFloat(outlineWidth) >= 2 };
    });
    const order = [];
    const until = async (id) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        const { id: now, seen } = await focused();
        assert.ok(seen, `the focus is not seen on ${now}`);
        order.push(now);
        if (now == id) return;
      }
      throw new Error(`${id} is not reached: ${order}`);
    };
    await until('#main');
    await until('ed25519');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('[value="fndsa512"]').checked && !document.getElementById('sign-now').disabled && document.getElementById('public').textContent.length == 1794);
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => !document.getElementById('sign-now').disabled && document.getElementById('public').textContent.length == 64);
    await until('message');
    await page.keyboard.type('By keys. ');
    await until('sign-now');
    await page.keyboard.press('Enter');
    await verdict('verdict', 'good');
    await until('tamper');
    await page.keyboard.press('Space');
    await verdict('verdict', 'bad');
    await until('restore');
    await page.keyboard.press('Enter');
    await verdict('verdict', 'good');
    await until('signature');
    await until('code');
    await until('exchange-new');
    await page.keyboard.press('Enter');
    await verdict('agreement', 'good');
    await until('examples');
    await page.keyboard.type('S + L');
    await verdict('check-verdict', 'mixed', /donna/);
    for (const id of ['check-key', 'check-key-file', 'check-message', 'check-signature', 'check-signature-file', 'check-code', 'file', 'measure']) await until(id);
    // Nothing holds the focus: it leaves the page at its end.
    await page.keyboard.press('Tab');
    assert.equal((await focused()).id, '');
  });

  const looks = { desktop: [DESKTOP, 'light'], phone: [PHONE, 'light'], 'desktop, dark': [DESKTOP, 'dark'], 'phone, dark': [PHONE, 'dark'] };
  for (const [name, [viewport, colorScheme]] of Object.entries(looks))
    await visit(`${name}: nothing hides, axe has no complaint, the picture is as it should be`, async (page, { verdict }) => {
      assert.deepEqual(await violations(page), []);
      await page.click('#sign-now');
      await verdict('verdict', 'good');
      const good = await colours(browser, await page.locator('#verdict').screenshot());
      await page.click('#tamper');
      await verdict('verdict', 'bad');
      const bad = await colours(browser, await page.locator('#verdict').screenshot());
      assert.ok(good[1] > good[0] && bad[0] > bad[1], `green ${good}, red ${bad}`);
      await page.selectOption('#examples', 'mixed');
      await verdict('check-verdict', 'mixed');
      await page.fill('#sent', 'xyz');
      await page.setInputFiles('#file', { name: 'a-name-that-is-rather-long-for-a-telephone-and-has-no-space.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5) });
      await page.click('#file-sign');
      await verdict('file-verdict', 'good');
      assert.deepEqual(await violations(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
      // Nothing is cut off at the side either.
      const outside = await page.$$eval('main *', (all, width) =>
        all.filter((one) => one.checkVisibility() && !one.closest('.unseen') && one.getBoundingClientRect().right > width + 0.5).map((one) => one.id || one.outerHTML.slice(0, 80)), viewport.width);
      assert.deepEqual(outside, []);
      const picture = await page.screenshot({ path: join(root, 'demo', 'dist', `screenshot-${name.replace(', ', '-')}.png`), fullPage: true });
      const means = await colours(browser, picture);
      assert.ok(colorScheme == 'dark' ? means.every((mean) => mean < 60) : means.every((mean) => mean > 180), String(means));
    }, { viewport, colorScheme });
  server.close();
}

if (process.argv[1] == fileURLToPath(import.meta.url)) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    await demo(browser, process.argv[2]);
  } finally {
    await browser.close();
  }
  close();
}
