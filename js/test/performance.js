// The benchmark in Node: `node test/performance.js [--quick] [--json]`. Every library is measured in
// the same run, taking turns; then each in fresh processes, for the first call after loading.
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { agreements, falcons, libraries, measure } from '../bench/rows.mjs';

const load = (name) => import(name);
const args = process.argv.slice(2);
const rounds = args.includes('--quick') ? 3 : 15;

/** node:crypto, with bytes as keys and with keys that are ready. */
const native = {
  'node:crypto, key ready': async () => async (long) => {
    const make = () => crypto.generateKeyPairSync('ed25519');
    const { privateKey, publicKey } = make();
    const text = new Uint8Array(long);
    const signature = crypto.sign(null, text, privateKey);
    return {
      keygen: make,
      signer: () => crypto.sign(null, text, privateKey),
      verify: () => crypto.verify(null, text, publicKey, signature),
    };
  },
};

/** Milliseconds from the start of loading to the end of the first call, in this process. */
async function cold(name) {
  const start = performance.now();
  const rows = await (await { ...libraries(load), ...native }[name]())(32);
  await rows.verify();
  console.log(performance.now() - start);
}

function table(title, result) {
  const operations = [...new Set(Object.values(result).flatMap(Object.keys))];
  console.log(`\n${title}`);
  console.log(''.padEnd(24) + operations.map((name) => name.padStart(9)).join(''));
  for (const [library, times] of Object.entries(result))
    console.log(
      library.padEnd(24) +
        operations.map((name) => (times[name]?.toFixed(name == 'ms' ? 1 : 0) ?? '').padStart(9)).join(''),
    );
}

if (args[0] == '--cold') await cold(args[1]);
else {
  const results = {};
  const take = async (title, tables) => {
    results[title] = await measure(tables, { rounds });
    if (!args.includes('--json')) table(title, results[title]);
  };
  const made = {};
  for (const [name, make] of Object.entries({ ...libraries(load), ...native })) made[name] = await make();
  for (const long of [32, 10240]) {
    const tables = {};
    for (const [name, rows] of Object.entries(made)) tables[name] = await rows(long);
    await take(`Ed25519, message of ${long} bytes, µs`, tables);
  }
  const ready = async (all) =>
    Object.fromEntries(await Promise.all(Object.entries(all).map(async ([name, make]) => [name, await make()])));
  await take('X25519, µs', await ready(agreements(load)));
  await take('Falcon-512, µs', await ready(falcons(load)));
  const first = {};
  for (const name of Object.keys(made)) {
    const times = [];
    for (let i = 0; i < (args.includes('--quick') ? 3 : 7); i++)
      times.push(Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--cold', name], { encoding: 'utf8' })));
    first[name] = { ms: times.sort((a, b) => a - b)[times.length >> 1] };
  }
  const title = 'A fresh process: load, key pair, sign and verify once, ms';
  results[title] = first;
  if (args.includes('--json')) console.log(JSON.stringify(results, null, 1));
  else table(title, first);
}
