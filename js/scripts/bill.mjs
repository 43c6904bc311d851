// The bill of materials (CycloneDX 1.5) of what others wrote and the package contains. It tells no time and has no number of its
// own, so that the same sources give the same file, and no spaces, since everybody who installs the package gets it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linked } from './licences.mjs';
import { modules } from './modules.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (...parts) => readFileSync(join(root, ...parts), 'utf8');

/** The text of the file. */
export function bill() {
  const { name, version, license } = JSON.parse(read('package.json'));
  const lock = read('wasm', 'Cargo.lock');
  /** Which modules have a crate. */
  const places = new Map();
  for (const module of modules)
    for (const crate of linked(module)) places.set(crate, (places.get(crate) ?? new Set()).add(`wasm/${module.name}`));
  const component = (type, purl, name, version, licence, more) => ({
    type, 'bom-ref': purl, name, version, purl, licenses: [{ expression: licence }], ...more,
  });
  const within = (places) => [...places].map((value) => ({ name: 'lanner:in', value }));
  const crates = [...places.keys()].sort().map((crate) => {
    const [who, licence] = crate.split('\t');
    const [name, version] = who.split(' ');
    const [, content] = new RegExp(`name = "${name}"\nversion = "${version.replaceAll('.', '\\.')}"\n.*\nchecksum = "(.*)"`).exec(lock);
    return component('library', `pkg:cargo/${name}@${version}`, name, version, licence.replaceAll('/', ' OR '), {
      hashes: [{ alg: 'SHA-256', content }],
      properties: within(places.get(crate)),
    });
  });
  const fflate = JSON.parse(read('package-lock.json')).packages['node_modules/fflate'];
  const hash = Buffer.from(fflate.integrity.replace('sha512-', ''), 'base64').toString('hex');
  crates.push(
    component('library', `pkg:npm/fflate@${fflate.version}`, 'fflate', fflate.version, fflate.license, {
      hashes: [{ alg: 'SHA-512', content: hash }],
      properties: within(['instantiate/inflate.js']),
    }),
  );
  const whole = component('library', `pkg:npm/${name}@${version}`, name, version, license);
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: whole },
    components: crates,
    dependencies: [{ ref: whole.purl, dependsOn: crates.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(bill)}\n`;
}
