// Runs the tests in Node and ends with the counts, in the words of cargo.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// One of the peers: `cargo xtask js` builds without them.
if (!existsSync(join(root, 'node_modules', 'tweetnacl'))) {
  console.error('the tests take more packages than the build: first npm ci');
  process.exit(1);
}
const only = process.argv.slice(2);
const files = readdirSync(join(root, 'test'))
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => !only.length || only.some((text) => name.includes(text)))
  .map((name) => join('test', name));
const dir = mkdtempSync(join(tmpdir(), 'lanner-'));
const counts = join(dir, 'counts.tap');
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=1', '--test-reporter=spec', '--test-reporter-destination=stdout']
    .concat('--test-reporter=tap', `--test-reporter-destination=${counts}`, files),
  { cwd: root, stdio: 'inherit' },
);
const tap = readFileSync(counts, 'utf8');
rmSync(dir, { recursive: true });
const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap)?.[1] ?? 0);
const [passed, failed, skipped] = ['pass', 'fail', 'skipped'].map(count);
console.log(
  `test result: ${status ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; ${skipped} ignored`,
);
process.exitCode = status || (passed ? 0 : 1);
