// Builds the archive of a release, or builds it anew and compares: `node scripts/release.mjs [--repository URL]
// [--commit NAME] [--check] [ARCHIVE]`. To `release/` go the archive, what JSR publishes, the checksums of the modules
// (`modules.sha256`) and what the notes of a release say of them (`NOTES.md`). What is built is the commit, in a folder
// whose name is always the same, by the compiler of wasm/release-toolchain.toml: so two builds are the same octet by
// octet. With ARCHIVE, a file that npm gave, every file of it is compared with what was built here, and then its own octets.
// With --check, nothing is built: what is missing for it is said.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  options: { repository: { type: 'string' }, commit: { type: 'string', default: 'HEAD' }, check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const given = positionals[0] && resolve(positionals[0]);

/** One folder for all builds, although nothing should depend on it: `rustc.sh` sees to the names of symbols, but not on Windows. */
const home = join('/tmp', 'lanner-release');

// Thrown, so that nothing is left of the build.
const fail = (why) => {
  throw new Error(why);
};
process.on('uncaughtException', ({ message }) => {
  console.error(`release: ${message}`);
  process.exitCode = 1;
});
const output = (program, args, options = {}) => execFileSync(program, args, { encoding: 'utf8', ...options }).trim();
const run = (program, args, options = {}) => {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (status !== 0) fail(`${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`}`);
};

/** The setting of rustup under which the compiler is that of the file. */
function toolchain() {
  const [, wanted] = /channel = "([^"]+)"/.exec(readFileSync(join(root, 'wasm', 'release-toolchain.toml'), 'utf8'));
  const says = (env, ...args) => spawnSync('rustc', args, { encoding: 'utf8', env: { ...process.env, ...env } }).stdout?.trim();
  const is = (env) =>
    says(env, '--version')?.startsWith(`rustc ${wanted} `) &&
    existsSync(says(env, '--print', 'target-libdir', '--target', 'wasm32-unknown-unknown'));
  for (const env of [{ RUSTUP_TOOLCHAIN: wanted }, {}]) if (is(env)) return env;
  return fail(`needs Rust ${wanted}: rustup toolchain install ${wanted} --profile minimal --target wasm32-unknown-unknown`);
}

/** The files of an archive, and the start of the hash of each. */
function contents(archive) {
  const dir = join(home, 'compared');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  output('tar', ['-xzf', archive, '-C', dir]);
  const files = new Map();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      files.set(path.slice(dir.length + 1).replace('package/', ''), createHash('sha256').update(readFileSync(path)).digest('hex'));
    }
  const manifest = JSON.parse(readFileSync(join(dir, 'package', 'package.json'), 'utf8'));
  return { files, manifest };
}

if (existsSync(home)) fail(`${home} is there: another build, or what is left of one; remove it`);
if (!existsSync(join(root, 'node_modules'))) fail('first npm ci --workspaces=false');
const env = { ...process.env, ...toolchain() };
delete env.CARGO_TARGET_DIR;
if (values.check) process.exit();
try {
  mkdirSync(join(home, 'tree'), { recursive: true });
  const commit = output('git', ['rev-parse', values.commit], { cwd: root });
  execFileSync('tar', ['-x', '-C', join(home, 'tree')], {
    input: execFileSync('git', ['archive', commit], { cwd: dirname(root), maxBuffer: 2 ** 30 }),
    maxBuffer: 2 ** 30,
  });
  const js = join(home, 'tree', 'js');
  symlinkSync(join(root, 'node_modules'), join(js, 'node_modules'));
  // Where the project lives the archive says: as asked for, or else as the sources do, so that one commit gives one archive.
  const manifest = JSON.parse(readFileSync(join(js, 'package.json'), 'utf8'));
  const address = (given && contents(given).manifest.repository?.url) ?? manifest.repository?.url ?? manifest.repository;
  const repository = values.repository ?? address?.replace(/^git\+|\.git$/g, '');
  if (repository) {
    manifest.repository = { type: 'git', url: `git+${repository}.git`, directory: 'js' };
    manifest.homepage = `${repository}#readme`;
    manifest.bugs = { url: `${repository}/issues` };
    writeFileSync(join(js, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  run(process.execPath, ['scripts/build.mjs'], { cwd: js, env });
  run(process.execPath, [join(root, 'scripts', 'pack.mjs'), home, js]);
  const archive = join(home, readdirSync(home).find((name) => name.endsWith('.tgz')));
  const { files } = contents(archive);
  const target = join(root, 'release');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  cpSync(archive, join(target, archive.slice(home.length + 1)));
  cpSync(join(js, 'jsr.json'), join(target, 'jsr.json'));
  // By the one list that there is: what it names and a copy of it forgets would be missing from the package.
  for (const included of JSON.parse(readFileSync(join(js, 'jsr.json'), 'utf8')).publish.include) {
    const isMeant = (name) => (included.endsWith('*') ? name.startsWith(included.slice(0, -1)) : name === included);
    const names = readdirSync(js).filter(isMeant);
    if (!names.length) fail(`jsr.json includes ${included}, which is not there`);
    for (const name of names) cpSync(join(js, name), join(target, name), { recursive: true });
  }
  const modules = [...files].filter(([name]) => name.endsWith('.wasm')).sort();
  const lines = modules.map(([name, hash]) => `${hash}  ${name}`);
  writeFileSync(join(target, 'modules.sha256'), `${lines.join('\n')}\n`);
  writeFileSync(
    join(target, 'NOTES.md'),
    `## npm: lanner ${manifest.version}

Built from commit ${commit} with Rust ${output('rustc', ['--version'], { env }).split(' ')[1]}. SHA-256 of its modules:

\`\`\`
${lines.join('\n')}
\`\`\`

To build it anew and compare it, and every file in it: a clone at this commit, and in \`js/\`

\`\`\`sh
npm ci --ignore-scripts --workspaces=false
npm pack lanner@${manifest.version}
npm run release -- lanner-${manifest.version}.tgz
\`\`\`
`,
  );
  console.log(lines.join('\n'));
  if (given) {
    const theirs = contents(given).files;
    const names = [...new Set([...files.keys(), ...theirs.keys()])].sort();
    const others = names.filter((name) => files.get(name) != theirs.get(name));
    for (const name of others)
      console.error(`${name}: ${!files.has(name) ? 'is not in what was built' : !theirs.has(name) ? 'is missing' : 'has other octets'}`);
    if (others.length) fail(`${others.length} of ${names.length} files are not what this commit makes`);
    console.log(`all ${names.length} files of ${given} are what commit ${commit} makes`);
    const isSame = readFileSync(given).equals(readFileSync(archive));
    console.log(isSame ? 'and so is the archive, octet by octet' : 'the archive itself has other octets: something else has packed it');
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
