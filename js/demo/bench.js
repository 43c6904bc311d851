// The benchmark in a browser.
import { agreements, falcons, libraries, measure } from '../bench/rows.mjs';

const modules = {
  lanner: () => import('lanner'),
  'lanner/sync': () => import('lanner/sync'),
  'lanner/fast': () => import('lanner/fast'),
  'lanner/x25519': () => import('lanner/x25519'),
  'lanner/fn-dsa': () => import('lanner/fn-dsa'),
  tweetnacl: () => import('tweetnacl'),
  watsign: () => import('watsign'),
  '@noble/ed25519': () => import('@noble/ed25519'),
  '@noble/curves/ed25519.js': () => import('@noble/curves/ed25519.js'),
  '@noble/post-quantum/falcon.js': () => import('@noble/post-quantum/falcon.js'),
  'libsodium-wrappers': () => import('libsodium-wrappers'),
};
const load = (name) => modules[name]();
const at = (id) => document.getElementById(id);

function show(title, result) {
  const operations = [...new Set(Object.values(result).flatMap(Object.keys))];
  const table = document.createElement('table');
  table.createCaption().textContent = title;
  const head = table.createTHead().insertRow();
  for (const name of ['', ...operations]) head.insertCell().textContent = name;
  const body = table.createTBody();
  for (const [library, times] of Object.entries(result)) {
    const row = body.insertRow();
    row.insertCell().textContent = library;
    for (const name of operations) row.insertCell().textContent = times[name]?.toFixed(0) ?? '';
  }
  at('results').append(table);
}

/** Those that load here; watsign needs `unsafe-eval`, and WebCrypto is not everywhere. */
async function usable(all) {
  const made = {};
  for (const [name, make] of Object.entries(all))
    try {
      made[name] = await make();
    } catch (error) {
      console.warn(`${name}: ${error}`);
    }
  return made;
}

async function run(rounds) {
  at('results').replaceChildren();
  const tell = (part) => (at('progress').value = part);
  const results = {};
  const take = async (title, tables) => {
    results[title] = await measure(tables, { rounds, tell });
    show(title, results[title]);
  };
  const made = await usable(libraries(load));
  for (const long of [32, 10240]) {
    const tables = {};
    for (const [name, rows] of Object.entries(made)) tables[name] = await rows(long);
    await take(`Ed25519, message of ${long} bytes`, tables);
  }
  await take('X25519', await usable(agreements(load)));
  await take('Falcon-512', await usable(falcons(load)));
  at('progress').value = 1;
  return results;
}

at('start').addEventListener('click', () => run(9));
globalThis.bench = run;
