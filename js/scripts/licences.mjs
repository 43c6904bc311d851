// The notices of what others wrote and the package contains: the crates that are linked into its modules, and fflate. Most
// are under the same licence, whose text is there once.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modules } from './modules.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cargo = (...args) =>
  execFileSync('cargo', args, { cwd: join(root, 'wasm'), encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'inherit'] });

/** The crates of others that a module is linked with: name, version, licence. Macros are not, nor what these are made of. */
export function linked({ crate, features }) {
  const tree = cargo(
    'tree', '--locked', '--edges', 'normal,no-proc-macro', '--prefix', 'none', '--format', '{p}\t{l}', '--target', 'wasm32-unknown-unknown',
    '--package', crate, '--no-default-features', ...(features.length ? ['--features', features.join()] : []),
  );
  return tree.split('\n').flatMap((line) => {
    const [, name, version, path, licence] = /^(\S+) v(\S+)( \(.*\))?\t(.*?)( \(\*\))?$/.exec(line) ?? [];
    // What has a path is of this repository.
    return !name || path ? [] : [`${name} ${version}\t${licence}`];
  });
}

/** The texts of a crate's licence, MIT where one may choose. */
function texts(dir) {
  const files = readdirSync(dir).filter((name) => /^(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE)/i.test(name)).sort();
  const chosen = files.filter((name) => /MIT/i.test(name));
  return (chosen.length ? chosen : files).map((name) => readFileSync(join(dir, name), 'utf8').replaceAll('\r', '').trim());
}

const spaceless = (text) => text.replaceAll(/\s+/g, ' ').replaceAll(/[“”"]/g, '"').trim();

/** The text of the file. */
export function licences() {
  const crates = [...new Set(modules.flatMap(linked))].sort();
  const { packages } = JSON.parse(cargo('metadata', '--locked', '--format-version', '1', '--filter-platform', 'wasm32-unknown-unknown'));
  const mit = readFileSync(join(root, '..', 'LICENSE-MIT'), 'utf8');
  const terms = mit.slice(mit.indexOf('Permission is hereby granted'));
  const notices = new Map();
  const under = (text, who) => notices.set(text, [...(notices.get(text) ?? []), who]);
  /** The copyright, if the rest is the text that all have; else all of it. */
  const add = (who, text) => {
    const at = text.indexOf('Permission is hereby granted');
    const same = at >= 0 && spaceless(text.slice(at)) == spaceless(terms);
    under(same ? terms.trim() : text, same ? `${who}: ${text.slice(0, at).match(/^Copyright.*$/gim)?.join('; ') ?? 'no name'}` : who);
  };
  for (const crate of crates) {
    const [who, licence] = crate.split('\t');
    const [name, version] = who.split(' ');
    const found = packages.find((one) => one.name == name && one.version == version);
    const all = texts(dirname(found.manifest_path));
    if (!all.length) throw new Error(`${who} (${licence}) has no file of its licence`);
    for (const text of all) add(who, text);
  }
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'fflate', 'package.json'), 'utf8'));
  add(`fflate ${version}`, readFileSync(join(root, 'node_modules', 'fflate', 'LICENSE'), 'utf8'));
  const parts = [...notices].map(([text, who]) => `${who.join('\n')}\n\n${text}\n`).sort((a, b) => a.length - b.length);
  return (
    'Linked into the modules for X25519, Ristretto255 and FN-DSA are crates of others, and into the others nothing of theirs but\n' +
    'the standard library of Rust (MIT OR Apache-2.0, the Rust Project Developers); instantiate/inflate.js contains fflate.\n\n' +
    parts.join(`\n${'-'.repeat(80)}\n\n`)
  );
}
