// The benchmark in a browser. By itself it measures warm calls; `scripts/bench-browser.mjs` drives it,
// and adds first calls, for which it opens a fresh page each.
import './bench.css';
import { first, fromText, scenarios } from '../bench/cold.mjs';
import { tablesOf } from '../bench/tables.mjs';
import { warm } from '../bench/warm.mjs';

/** supercop.wasm is a script that looks for its module beside itself: no bundler takes it along. */
async function supercop() {
  for (const name of ['supercop', 'index'])
    await new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement('script'), { src: `supercop/${name}.js` });
      script.onload = resolve;
      script.onerror = () => reject(new Error('its files are not beside this page'));
      document.head.append(script);
    });
  return { default: globalThis.supercop_wasm };
}

const modules = {
  lanner: () => import('lanner'),
  'lanner/sync': () => import('lanner/sync'),
  'lanner/fast': () => import('lanner/fast'),
  'lanner/verify': () => import('lanner/verify'),
  'lanner/compat': () => import('lanner/compat'),
  'lanner/tweetnacl': () => import('lanner/tweetnacl'),
  'lanner/native': () => import('lanner/native'),
  'lanner/x25519': () => import('lanner/x25519'),
  'lanner/fn-dsa': () => import('lanner/fn-dsa'),
  tweetnacl: () => import('tweetnacl'),
  watsign: () => import('watsign'),
  '@noble/ed25519': () => import('@noble/ed25519'),
  '@noble/curves/ed25519.js': () => import('@noble/curves/ed25519.js'),
  '@noble/post-quantum/falcon.js': () => import('@noble/post-quantum/falcon.js'),
  'libsodium-wrappers': () => import('libsodium-wrappers'),
  '@oqs/liboqs-js/sig': () => import('@oqs/liboqs-js/sig'),
  'supercop.wasm': supercop,
};
const load = (name) => modules[name]();
const at = (id) => document.getElementById(id);
const element = (name, text = '', className = '') =>
  Object.assign(document.createElement(name), { textContent: text, className });

/** A cell: quartiles small, verdicts in colour. */
function cell(text) {
  const [, median, spread] = /^(\S+) (\[.*\])$/.exec(text) ?? [];
  if (!median) {
    const kind = /^met/.test(text) ? 'good' : /^(short|over) by|short$/.test(text) ? 'bad' : '';
    return element('td', text, kind);
  }
  const td = element('td', `${median} `);
  td.append(element('small', spread));
  return td;
}

function section({ title, note, head, rows }) {
  const made = element('section');
  made.append(element('h2', title));
  if (note) made.append(element('p', note));
  const table = element('table');
  const top = table.createTHead().insertRow();
  top.append(...head.map((name) => element('th', name)));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    line.className = /^lanner/.test(row[0]) ? 'own' : '';
    line.append(...row.map(cell));
  }
  made.append(table);
  return made;
}

/** Shows a result: the machine, the goals, the tables. */
function show(result) {
  at('machine').replaceChildren(
    ...Object.entries(result.machine).flatMap(([name, value]) => [
      element('dt', name),
      element('dd', value),
    ]),
  );
  at('results').replaceChildren(...tablesOf(result).map(section));
  if (result.cold) at('status').textContent = 'Done.';
}

/** Shows how far it is, and lets the page be drawn. */
async function tell(part, what) {
  at('progress').value = part;
  at('status').textContent = what;
  await new Promise((resolve) => setTimeout(resolve));
}

const sizes = {
  full: { rounds: 25, slice: 25, warm: 150 },
  quick: { rounds: 7, slice: 10, warm: 60 },
};

/** Measures warm calls; `only` is the text of a regular expression. */
async function measure({ only = '', ...how }) {
  for (const id of ['start', 'quick']) at(id).disabled = true;
  at('results').replaceChildren();
  try {
    const result = await warm(load, { ...how, only: new RegExp(only), tell });
    at('status').textContent = 'Done. First calls, a fresh page each: npm run bench:browser';
    return result;
  } finally {
    for (const id of ['start', 'quick']) at(id).disabled = false;
  }
}

async function run(how) {
  try {
    const machine = {
      engine: navigator.userAgent,
      processor: `${navigator.hardwareConcurrency} visible`,
      run: `${how.rounds} rounds, about ${how.slice} ms a cell and round`,
    };
    show({ machine, ...(await measure(how)) });
  } catch (error) {
    at('status').textContent = String(error);
  }
}

at('start').addEventListener('click', () => run(sizes.full));
at('quick').addEventListener('click', () => run(sizes.quick));

globalThis.bench = {
  measure,
  show,
  first: (scenario, library, sample) => first(scenarios(load)[scenario], library, fromText(sample)),
};
document.body.dataset.ready = 'yes';
