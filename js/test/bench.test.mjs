// The benchmarks run: every row is there and is a number. Nothing is asserted about how large.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { octets, speeds } from '../bench/goals.mjs';
import { ratios, rotated, summary } from '../bench/measure.mjs';
import { placed } from '../bench/report.mjs';
import { markdown, tablesOf, text } from '../bench/tables.mjs';
import { judge } from '../bench/verdicts.mjs';
import { own, root } from './support.mjs';

const run = promisify(execFile);

const signers = ['lanner/fast', 'lanner', 'lanner/sync', 'lanner/compat', 'lanner/tweetnacl', 'watsign']
  .concat('tweetnacl', 'noble-ed25519', 'noble-curves', 'libsodium-wrappers', 'supercop.wasm')
  .concat('WebCrypto, CryptoKey');
const withSigner = ['lanner/fast', 'lanner', 'lanner/sync'].map((name) => `${name}, createSigner`);
/** Verifies by the engine, under bytes and under keys of the engine's own. */
const byEngine = ['lanner/native', 'lanner/native, CryptoKey'];
const agreeing = ['lanner/x25519', 'lanner/tweetnacl', 'tweetnacl', 'noble-curves']
  .concat('libsodium-wrappers', 'WebCrypto, CryptoKey');
const falcons = ['lanner/fn-dsa', 'noble-post-quantum', 'liboqs-js'];
const node = (...kinds) => kinds.map((kind) => `node:crypto, ${kind}`);

/** Each row is there, and nothing but numbers in it; what is not in the list is not there either. */
function complete(times, names, columns, rounds = 1) {
  assert.deepEqual(Object.keys(times).sort(), [...names].sort());
  for (const name of names)
    for (const column of columns(name)) {
      assert.equal(times[name][column]?.length, rounds, `${name}: ${column}`);
      for (const time of times[name][column])
        assert.ok(Number.isFinite(time) && time >= 0, `${name}: ${column}: ${time}`);
    }
}

function check(result, inNode) {
  assert.deepEqual(result.missing, {});
  const more = inNode ? ['lanner/native/sync, KeyObject', ...node('KeyObject', 'DER in', 'JWK in')] : [];
  const both = [...signers, ...withSigner, ...byEngine, ...more, 'WebCrypto, bytes in', 'lanner/verify'];
  const columns = (name) =>
    /^lanner\/(verify|native)$/.test(name) ? ['verify'] : /createSigner/.test(name) ? ['sign'] : ['sign', 'verify'];
  const { tables, cold } = result;
  complete(tables['ed25519-short'].times, both, (name) => [
    ...columns(name),
    ...(/^lanner\/(verify|native)|createSigner/.test(name) ? [] : ['key pair']),
    ...(/^(lanner(\/fast|\/verify|\/sync|\/compat)?|libsodium-wrappers)$|KeyObject|^lanner\/native/.test(name)
      ? ['verify 64, each']
      : []),
  ]);
  for (const table of ['ed25519-long', 'ed25519-longest']) complete(tables[table].times, both, columns);
  const x25519 = [...agreeing, ...(inNode ? node('KeyObject', 'DER in') : [])];
  complete(tables.x25519.times, x25519, () => ['key pair', 'shared secret']);
  if (inNode) complete(tables.ristretto255.times, ['lanner/ristretto', 'lanner/ristretto/sync', 'noble-curves'], () =>
    ['multiply', 'multiply base', 'add', 'hash', 'sum of 64, each']);
  for (const degree of [512, 1024])
    complete(tables[`falcon-${degree}`].times, [...falcons, 'lanner/fn-dsa, createSigner'], (name) =>
      /createSigner/.test(name) ? ['sign'] : ['key pair', 'sign', 'verify'],
    );
  const ready = inNode ? node('KeyObject') : [];
  const first = () => ['first'];
  const natives = [...byEngine, ...(inNode ? ['lanner/native/sync, KeyObject'] : [])];
  complete(cold['ed25519-verify'].times, [...signers, ...natives, ...ready, 'lanner/verify'], first);
  complete(cold['ed25519-all'].times, [...signers, ...natives, ...ready], first);
  complete(cold['x25519-all'].times, [...agreeing, ...ready], first);
  for (const call of ['verify', 'all']) complete(cold[`falcon-${call}`].times, falcons, first);
  // `lanner/fast` against libsodium (6), node:crypto (4) and itself (1), `lanner` against libsodium (6); X25519; Falcon; seven
  // of cold starts.
  assert.equal(speeds(result).length, inNode ? 26 : 22);
  assert.equal(octets(result.sizes).length, 5);
  for (const table of tablesOf(result)) {
    assert.ok(table.rows.every((row) => row.length == table.head.length), table.title);
    assert.doesNotMatch(text(table), /undefined|NaN/);
    assert.doesNotMatch(markdown(table), /undefined|NaN/);
  }
}

const printed = async (...args) =>
  JSON.parse((await run(process.execPath, args, { cwd: root, maxBuffer: 1 << 24 })).stdout);

test('the benchmark in Node has all its rows', async () => {
  check(await printed('test/performance.js', '--smoke', '--json'), true);
});

const browser = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip = existsSync(browser) ? false : `there is no ${browser}`;
test('the benchmark in Chromium has all its rows', { skip }, async () => {
  const script = join('scripts', 'bench-browser.mjs');
  check(await printed(script, '--smoke', '--json'), false);
});

test('only what is asked for, and what it is compared with', async () => {
  const only = '^ed25519-long noble-curves verify$';
  const { tables, cold } = await printed('test/performance.js', '--smoke', '--json', '--only', only);
  assert.deepEqual(Object.keys(tables), ['ed25519-long']);
  const { times } = tables['ed25519-long'];
  assert.deepEqual(Object.keys(times).sort(), ['lanner/fast', 'noble-curves']);
  assert.deepEqual(Object.keys(times['noble-curves']), ['verify']);
  assert.deepEqual(cold, {});
});

test('verdicts on odd signatures: every library has one on each, and ours are those of the rules', async () => {
  // Every seventh, and the first, which are good: some libraries take milliseconds.
  const cases = own('ed25519_verify.json').cases.filter(({ id }) => id % 7 == 0);
  const columns = await judge(cases);
  const libraries = Object.keys(columns);
  assert.equal(libraries.length, 15, libraries.join(', '));
  for (const [library, verdicts] of Object.entries(columns)) {
    assert.equal(verdicts.length, cases.length, library);
    assert.ok(verdicts.includes(true) && verdicts.includes(false), library);
    if (library.startsWith('lanner')) assert.deepEqual(verdicts, cases.map(({ accept }) => accept.includes('strict')), library);
  }
});

test('an unknown option is an error', async () => {
  await assert.rejects(printed('test/performance.js', '--fast'), /--fast[^]*--only REGEX/);
});

test('medians, quartiles and ratios', () => {
  assert.deepEqual(summary([5, 1, 4, 2, 3]), { median: 3, q1: 2, q3: 4 });
  assert.deepEqual(summary([1, 2, 3, 4]), { median: 2.5, q1: 1.75, q3: 3.25 });
  // Round by round: a slow round is slow for both.
  assert.deepEqual(ratios([2, 20, 2], [1, 10, 1]), { median: 2, q1: 2, q3: 2 });
  assert.deepEqual(rotated([1, 2, 3], 1), [2, 3, 1]);
  assert.deepEqual(rotated([1, 2, 3, 4, 5], 6), [2, 3, 4, 5, 1]);
});

test('goals: met, short, and by the worst peer', () => {
  const times = (list) => ({ first: list });
  const cold = {
    'x25519-all': {
      times: {
        'lanner/x25519': times([10, 10, 10, 10]),
        slow: times([30, 30, 30, 30]),
        quick: times([8, 8, 8, 8]),
        'WebCrypto, CryptoKey': times([1, 1, 1, 1]),
      },
    },
  };
  const [short] = speeds({ tables: {}, cold });
  assert.equal(short.decided, 'quick');
  assert.equal(short.verdict, 'short by 20 %');
  cold['x25519-all'].times.quick = times([9, 9, 12, 12]);
  assert.equal(speeds({ tables: {}, cold })[0].verdict, 'met');
  cold['x25519-all'].times.quick = times([9, 9, 9, 12]);
  assert.equal(speeds({ tables: {}, cold })[0].verdict, 'short by 10 %');
  cold['x25519-all'].times.quick = times([9, 9, 9.5, 12]);
  assert.equal(speeds({ tables: {}, cold })[0].verdict, 'within the spread, median short');
  const gzip = (size) => ({ gzip: size });
  const verdicts = octets({
    lanner: gzip(7400),
    'lanner/verify': gzip(5501),
    'lanner/fast': gzip(7501),
    'lanner/x25519': gzip(7500),
    'libsodium-wrappers': gzip(150_019),
  }).map(({ verdict }) => verdict);
  assert.deepEqual(verdicts, ['met', 'over by 1 bytes', 'met', 'over by 1 bytes', 'met']);
});

test('a report goes between its markers, and only there', () => {
  const document = 'a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb\n';
  assert.equal(placed(document, 'x', 'new\n'), 'a\n<!-- x:begin -->\n\nnew\n\n<!-- x:end -->\nb\n');
  assert.throws(() => placed(document, 'y', 'new'), /no place 'y'/);
});
