// The archive of a release: its octets come of the files alone, and everybody's tools read it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { header, pack, tar } from '../scripts/pack.mjs';

/** A package whose files are neither in order nor as long as a block. */
const small = {
  'package.json': JSON.stringify({ name: 'small', version: '1.2.3', files: ['dist'] }),
  'dist/z.js': 'x'.repeat(512),
  'dist/b/a.js': 'export {};\n',
  'dist/a.js': '',
  'not-listed.js': 'nothing',
};

test('what npm would pack, the same whenever and under whichever mask it is written', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-pack-'));
  const packed = [];
  for (const [place, names, mode] of [['one', Object.keys(small), 0o600], ['two', Object.keys(small).reverse(), 0o644]]) {
    const [from, to] = [join(dir, place, 'small'), join(dir, place, 'archive')];
    for (const made of [join(from, 'dist', 'b'), to]) mkdirSync(made, { recursive: true });
    for (const name of names) {
      writeFileSync(join(from, name), small[name]);
      chmodSync(join(from, name), mode);
      utimesSync(join(from, name), mode, mode);
    }
    const archive = await pack(from, to);
    assert.equal(archive, join(to, 'small-1.2.3.tgz'));
    packed.push(readFileSync(archive));
    const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    assert.deepEqual(listed, ['package/dist/a.js', 'package/dist/b/a.js', 'package/dist/z.js', 'package/package.json']);
    execFileSync('tar', ['-xzf', archive, '-C', to]);
    for (const name of listed) assert.equal(readFileSync(join(to, name), 'utf8'), small[name.slice(8)]);
  }
  assert.ok(packed[0].equals(packed[1]));
  rmSync(dir, { recursive: true });
});

test('a name that does not fit is no name cut short', () => {
  assert.throws(() => header(`package/${'a'.repeat(93)}`, 1), /longer/);
  const whole = tar([[`${'a'.repeat(92)}`, Buffer.from('1')]]);
  assert.equal(whole.length % 512, 0);
  assert.equal(whole.toString('latin1', 0, 100), `package/${'a'.repeat(92)}`);
});
