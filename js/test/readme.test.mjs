// The examples of the README and of the pages beside it run, and print what they say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { entries, root } from './support.mjs';

const json = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
/** The pages that are in the archive. */
const pages = ['README.md', 'FN-DSA.md', 'LOADING.md', 'RISTRETTO.md'];
const page = (name) => readFileSync(join(root, name), 'utf8');
const [readme, ...more] = pages.map(page);

// What an example of the README may take for granted. Those of the other pages stand alone.
const given = `
  import { keyPairFromSeed as given } from 'lanner';
  const file = new Blob(['a file']);
  const context = new TextEncoder().encode('context');
  const { secretKey, publicKey } = await given(new Uint8Array(32).fill(1));
`;

test('every example runs, and prints what is written beside it', () => {
  const examples = [readme, ...more].flatMap((text, i) =>
    [...text.matchAll(/(<!-- (.*) -->\n)?```js\n(.*?)```/gs)].map(([, , note, code]) => [i ? '' : given, note, code]),
  );
  let printed = 0;
  for (const [known, note, code] of examples) {
    if (note) continue;
    // A block of its own: an example may declare the same names itself.
    const [imports, body] = [code.match(/^import .*$/gm).join('\n'), code.replaceAll(/^import .*$/gm, '')];
    assert.ok(imports, code);
    const program = `${known}${imports}\n{${body}}`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: join(root, 'test'),
      encoding: 'utf8',
    });
    const stated = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
    assert.equal(output, stated.map((line) => `${line}\n`).join(''), code);
    printed += stated.length;
  }
  assert.ok(examples.length >= 7 && printed >= 6, `${examples.length} examples, ${printed} lines`);
});

test('the table names every entry, and nothing else; the errors are in its words', async () => {
  const table = readme.slice(readme.indexOf('| import |'), readme.indexOf('`npm run size`'));
  const named = [...table.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`(lanner[^`]*)`/g)].map((match) => match[1]),
  );
  assert.deepEqual(named.sort(), Object.keys(entries).map((entry) => `lanner${entry.slice(1)}`).sort());
  const lanner = await import('lanner');
  const { secretKey, publicKey } = await lanner.newKeyPair();
  const [message, signature] = [new Uint8Array(3), new Uint8Array(64)];
  const other = Uint8Array.from(secretKey);
  other[40] ^= 1;
  const signer = await lanner.createSigner(secretKey);
  signer.wipe();
  const calls = [
    () => lanner.sign('text', secretKey),
    () => lanner.verify(message, signature, publicKey.subarray(1)),
    () => lanner.sign(message, other),
    () => lanner.verify(message, signature, publicKey, { profile: 'Strict' }),
    () => lanner.verify(message, signature, publicKey, { profil: 'strict' }),
    () => lanner.verify(message, signature, publicKey, 'strict'),
    () => signer.sign(message),
  ];
  for (const call of calls) {
    const error = await call().then(() => assert.fail('no error'), (error) => error);
    assert.ok(readme.includes(`\`${error.name}\`: \`${error.message}\``), `${error}`);
  }
  assert.equal(await lanner.verify(message, signature.subarray(1), publicKey), false);
  const { files } = json('package.json');
  assert.ok(files.includes('dist') && createRequire(import.meta.url).resolve('lanner/wasm/small.wasm').endsWith(join('dist', 'wasm', 'small.wasm')));
});

test('what a page of the archive leads to is in the archive, but for what stays in the repository', () => {
  for (const files of [json('package.json').files, json('jsr.json').publish.include])
    assert.deepEqual(files.filter((name) => name.endsWith('.md')), pages);
  const elsewhere = ['BUILDING.md', 'demo/README.md', '../SECURITY.md', '../c/README.md', '../docs/hybrid.md', '../docs/migration-js.md'];
  const led = new Set();
  for (const name of pages)
    for (const [, target] of page(name).matchAll(/\]\(([^)#]+)/g))
      if (!/^https?:/.test(target)) {
        led.add(target);
        assert.ok(pages.includes(target) || elsewhere.includes(target), `${name} leads to ${target}`);
      }
  for (const target of [...pages, ...elsewhere]) assert.ok(led.has(target) || target == 'README.md', `nothing leads to ${target}`);
});
