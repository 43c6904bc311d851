// The page about switching: every line of its tables runs, both sides of it, against the old library.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from './support.mjs';

const page = readFileSync(join(root, '..', 'docs', 'migration-js.md'), 'utf8');
const work = join(root, 'test', 'packages', 'work');
mkdirSync(work, { recursive: true });

const code = (text) => /```js\n([^]*?)```/.exec(text)[1];
const [opening, ...sections] = page.split(/^## /m);
const given = code(opening);

/** The cells of the tables' rows. */
const rows = (section) =>
  section
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => line.slice(1, -1).split(' | ').map((cell) => cell.trim()));
const unquoted = (cell) => {
  assert.match(cell, /^`[^`]+`$/, cell);
  return cell.slice(1, -1);
};

/** Values of either library: octets of any kind, and what has octets in it. */
const plain = (value) => {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('hex');
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  if (value && typeof value == 'object')
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  return value;
};

let count = 0;
for (const section of sections) {
  const name = section.split('\n')[0];
  const number = sections.indexOf(section);
  test(`from ${name}: every line of the tables`, async () => {
    const lines = rows(section);
    const calls = lines.filter(([, second]) => second.startsWith('`'));
    const questions = lines.filter(([, second]) => !second.startsWith('`'));
    assert.ok(calls.length >= 5 && questions.length >= 3, `${calls.length}, ${questions.length}`);
    const expressions = [
      ...calls.map(([old, own]) => [unquoted(old), unquoted(own)]),
      ...questions.map(([both]) => both.split('; ').map(unquoted)),
    ];
    const setup = code(section);
    const imports = setup.match(/^import .*$/gm).join('\n');
    const file = join(work, `migration-${number}.mjs`);
    writeFileSync(
      file,
      `import { plusOrder } from ${JSON.stringify(pathToFileURL(join(root, 'test', 'support.mjs')).href)};
${imports}
${given}${setup.replaceAll(/^import .*$/gm, '')}
export const rows = [
${expressions.map((pair) => `  [${pair.map((text) => `async () => (${text})`).join(', ')}],`).join('\n')}
];
`,
    );
    const module = await import(pathToFileURL(file).href);
    const run = async (call) => plain(await call());
    for (const [i, [old, own]] of calls.entries()) {
      const [theirs, ours] = [await run(module.rows[i][0]), await run(module.rows[i][1])];
      assert.notEqual(theirs, undefined, old);
      assert.deepEqual(ours, theirs, `${old} and ${own}`);
      count++;
    }
    for (const [i, [both, ...answers]] of questions.entries())
      for (const [side, answer] of answers.entries()) {
        // What an engine answers may change with it: the page says which one it was.
        if (!side && name == 'WebCrypto' && !process.version.startsWith('v20.')) continue;
        const said = await run(module.rows[calls.length + i][side]).then(String, () => 'throws');
        assert.equal(said, answer, `${both}, ${side ? 'ours' : 'theirs'}`);
        count++;
      }
  });
}

test('there were lines', () => {
  assert.equal(sections.length, 5);
  assert.ok(count >= 124, `${count} lines`);
});
