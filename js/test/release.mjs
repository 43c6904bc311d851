// A release, dry: built from the commit, twice, and compared; what npm would publish; what is altered is found.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { files } from '../scripts/modules.mjs';
import { check, close } from './report.mjs';
import { root } from './support.mjs';

const work = join(root, 'test', 'packages', 'work', 'release');
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
// One commit throughout, whatever is committed meanwhile.
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const release = (...args) =>
  spawnSync(process.execPath, ['scripts/release.mjs', '--commit', commit, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
const repository = 'https://example.org/lanner';

let archive;
await check('the archive of the commit is built', () => {
  const { status, stdout, stderr } = release('--repository', repository);
  if (status) throw new Error(stdout + stderr);
  const name = readdirSync(join(root, 'release')).find((one) => one.endsWith('.tgz'));
  archive = join(work, name);
  cpSync(join(root, 'release', name), archive);
});

await check('no module names a folder of the machine that built it', () => {
  const dir = join(root, 'release', 'dist', 'wasm');
  const modules = readdirSync(dir).filter((name) => name.endsWith('.wasm'));
  for (const name of modules) {
    const text = readFileSync(join(dir, name), 'latin1');
    for (const place of [root, '/tmp/lanner-release', '.cargo/registry', '/root/', '/home/', '.rustup'])
      if (text.includes(place)) throw new Error(`${name} has ${place} in it`);
  }
  if (modules.length != files.length) throw new Error(String(modules));
});

await check('its checksums are those of its modules, and its notes say them', () => {
  const lines = readFileSync(join(root, 'release', 'modules.sha256'), 'utf8').trim().split('\n');
  const notes = readFileSync(join(root, 'release', 'NOTES.md'), 'utf8');
  for (const line of lines) {
    const [hash, name] = line.split('  ');
    const own = createHash('sha256').update(readFileSync(join(root, 'release', name))).digest('hex');
    if (own != hash || !notes.includes(line)) throw new Error(line);
  }
  if (lines.length != files.length) throw new Error(lines.join('\n'));
});

await check('its bill of materials has what its notices name', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const text = execFileSync('tar', ['-xzOf', archive, 'package/lanner.cdx.json'], { encoding: 'utf8' });
  const { bomFormat, metadata, components } = JSON.parse(text);
  if (bomFormat != 'CycloneDX' || metadata.component.purl != `pkg:npm/lanner@${version}`) throw new Error(text.slice(0, 500));
  const notices = readFileSync(join(root, 'release', 'dist', 'wasm', 'LICENSES-x25519-ristretto-fn-dsa'), 'utf8');
  const named = [...notices.matchAll(/^([a-z0-9_-]+ \d+\.\d+\.\d+)(?:$|: )/gm)].map(([, who]) => who);
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  if (!listed.some((who) => who.startsWith('subtle 2.')) || !listed.some((who) => who.startsWith('fflate '))) throw new Error(String(listed));
  if (String([...new Set(named)].sort()) != String([...listed].sort())) throw new Error(`${named} and ${listed}`);
  const lock = readFileSync(join(root, 'wasm', 'Cargo.lock'), 'utf8');
  for (const { name, hashes, properties, licenses } of components) {
    if (!properties.length || !licenses[0].expression) throw new Error(name);
    if (hashes[0].alg == 'SHA-256' && !lock.includes(`checksum = "${hashes[0].content}"`)) throw new Error(`${name}: ${hashes[0].content}`);
  }
  if (text.includes(root) || /timestamp|serialNumber|file:/.test(text)) throw new Error('it tells when or where it was made');
});

await check('beside it is all that jsr.json includes', () => {
  const names = readdirSync(join(root, 'release'));
  const { include } = JSON.parse(readFileSync(join(root, 'release', 'jsr.json'), 'utf8')).publish;
  for (const included of include)
    if (!names.some((name) => (included.endsWith('*') ? name.startsWith(included.slice(0, -1)) : name == included)))
      throw new Error(`${included} is not among ${names}`);
});

await check('npm publish --dry-run', () => {
  const text = execFileSync('npm', ['publish', archive, '--dry-run', '--json', '--access', 'public'], { cwd: work, encoding: 'utf8' });
  const { name, entryCount } = ((one) => one.lanner ?? one)(JSON.parse(text));
  if (name != 'lanner' || !(entryCount > 80)) throw new Error(text.slice(0, 500));
});

await check('built anew, it is the same; what is altered is named', () => {
  const altered = join(work, 'altered');
  mkdirSync(altered);
  execFileSync('tar', ['-xzf', archive, '-C', altered]);
  const file = join(altered, 'package', 'dist', 'wasm', 'small.wasm');
  const octets = readFileSync(file);
  octets[5000] ^= 1;
  writeFileSync(file, octets);
  execFileSync('tar', ['-czf', 'altered.tgz', '-C', altered, 'package'], { cwd: work });
  const { status, stdout, stderr } = release(join(work, 'altered.tgz'));
  // All files but the one: so this is the proof for the others, too.
  if (status != 1 || !/^dist\/wasm\/small\.wasm: has other octets$/m.test(stderr) || !/: 1 of \d+ files are not/.test(stderr))
    throw new Error(`${status}\n${stdout}\n${stderr}`);
});
close();
