// Compiles the modules: by cargo, and then by wasm-opt.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const local = (name) => at('node_modules', '.bin', name);
const target = process.env.CARGO_TARGET_DIR ?? at('wasm', 'target');

/** Messages of panics name source files: by the same names wherever the build runs. */
const remapped = [
  [dirname(root), '/lanner'],
  [process.env.CARGO_HOME ?? join(homedir(), '.cargo'), '/cargo'],
].map(([from, to]) => `--remap-path-prefix=${from}=${to}`);

/** Whatever folder the sources are in, the modules are the same. (Windows starts no scripts.) */
const wrapper = process.platform == 'win32' ? {} : { RUSTC_WRAPPER: at('scripts', 'rustc.sh') };

/** Runs a program that says itself what went wrong. */
export const run = (program, args, env = {}, output = 'inherit') => {
  const { status, error } = spawnSync(program, args, {
    cwd: at('wasm'),
    stdio: ['ignore', output, 'inherit'],
    env: { ...process.env, ...env },
  });
  if (status === 0) return;
  console.error(`${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`}`);
  process.exit(1);
};

/** The bits of WebAssembly that every engine has that we name; SIMD where the module asks for it. */
const features = ['bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int', 'simd'];

/** The section in which a crate says what the build must know of its module's memory: numbers of 32 bits. */
const LAYOUT = 'lanner.layout';

/** A number in LEB128, without a sign, and what is behind it. */
const leb = (bytes, at) => {
  let [value, shift] = [0, 0];
  do value += (bytes[at] & 127) * 2 ** shift;
  while (((shift += 7), bytes[at++] > 127));
  return [value, at];
};

/** A module without its custom sections (id 0), which are for tools. */
function withoutSections(bytes) {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    let [size, end] = leb(bytes, at + 1);
    end += size;
    if (bytes[at]) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** The stack pointer, as the linker calls it and as the module is to call it: the code puts it back. */
const [POINTER, SHORT] = ['__stack_pointer', 'z'];

/** The graph for wasm-metadce of all exports but those of other globals, which the linker adds. */
const graph = (module) =>
  WebAssembly.Module.exports(module)
    .map(({ kind, name }) => ({ kind, name: name == POINTER ? SHORT : name }))
    .filter(({ kind, name }) => kind != 'global' || name == SHORT)
    .map(({ name }) => ({ name: `export ${name}`, root: true, export: name }));

/**
 * A module whose functions that never return trap at once: those of Rust's library that tell of a panic, by which each
 * of some hundred places that check a bound gives its line and its numbers. Nothing here can print them, the handler
 * traps as well, and wasm-opt then leaves out the arguments and all of the formatting. The checks themselves stay. (Of
 * X25519 no check is left: there it changes nothing.) The stack pointer gets its short name besides.
 */
function terse(bytes) {
  const module = binaryen.readBinary(bytes);
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const reference = module.getFunctionByIndex(i);
    const { body } = binaryen.getFunctionInfo(reference);
    if (!body || binaryen.getExpressionType(body) != binaryen.unreachable) continue;
    // The end is not reached, and nothing leaves before it. (Calls in place of a return are `(return_call`.)
    if (binaryen.emitText(body).includes('(return')) continue;
    new binaryen.Function(reference).body = module.unreachable();
  }
  const { value } = binaryen.getExportInfo(module.getExport(POINTER));
  module.removeExport(POINTER);
  module.addGlobalExport(value, SHORT);
  if (!module.validate()) throw new Error('a module is no longer valid without the words of its panics');
  const shorter = module.emitBinary();
  module.dispose();
  return shorter;
}

/** The parts of the data of a module: the address of each, and its octets in the module. */
function segments(bytes) {
  const DATA = 11;
  const found = [];
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    let [size, start] = leb(bytes, at + 1);
    at = start + size;
    if (id != DATA) continue;
    let count;
    [count, start] = leb(bytes, start);
    while (count--) {
      // In memory 0, at a constant (`i32.const`, `end`).
      const [kind, constant] = bytes.subarray(start, start + 2);
      let address, length;
      [address, start] = leb(bytes, start + 2);
      if (kind != 0 || constant != 0x41 || bytes[start] != 0x0b) throw new Error('data of an unknown form');
      [length, start] = leb(bytes, start + 1);
      found.push([address, bytes.subarray(start, start + length)]);
      start += length;
    }
  }
  return found;
}

/**
 * Overwrites, in a module, where panics come from: names of source files (rustc ends them with a zero), and what points to
 * them, which is an address, a length, a line and a column. Nothing here can print them, and as zeros they are no part of
 * the module any more.
 */
function nameless(bytes) {
  const parts = segments(bytes);
  const names = new Map();
  for (const [address, data] of parts)
    for (const { 0: name, index } of data.toString('latin1').matchAll(/\/(?:lanner|cargo|rustc)\/[\w./+-]*?\.rs\0/g)) {
      names.set(address + index, name.length - 1);
      data.fill(0, index, index + name.length);
    }
  for (const [address, data] of parts)
    for (let at = -address & 3; at + 16 <= data.length; at += 4)
      if (names.has(data.readUInt32LE(at)) && names.get(data.readUInt32LE(at)) == data.readUInt32LE(at + 4))
        data.fill(0, at, at + 16);
  return bytes;
}

/** Compiles a module, as `modules.mjs` describes it, into a file; the numbers of its layout. */
export function compile({ crate, features: chosen, profile, stack, simd, inline }, output) {
  const rustflags = [`-Clink-arg=-zstack-size=${stack}`, '-Clink-arg=--stack-first', `-Clink-arg=--export=${POINTER}`, ...remapped].concat(
    simd ? '-Ctarget-feature=+simd128' : [],
    // The toy degrees of FN-DSA are for tests.
    '--cfg=lanner_degrees="standard"',
    inline ? `-Cllvm-args=-inline-threshold=${inline}` : [],
  );
  run(
    'cargo',
    ['build', '--quiet', '--locked', '--target', 'wasm32-unknown-unknown', '-p', crate]
      .concat('--profile', profile, '--no-default-features')
      .concat(chosen.length ? ['--features', chosen.join()] : []),
    { CARGO_ENCODED_RUSTFLAGS: rustflags.join('\x1f'), CARGO_TARGET_DIR: target, ...wrapper },
  );
  const built = join(target, 'wasm32-unknown-unknown', profile, `${crate.replaceAll('-', '_')}.wasm`);
  const module = new WebAssembly.Module(readFileSync(built));
  const numbers = WebAssembly.Module.customSections(module, LAYOUT).flatMap((section) => [...new Uint32Array(section)]);
  const [roots, trapping, pruned] = ['json', 'trapping', 'pruned'].map((suffix) => `${built}.${suffix}`);
  const enabled = features.map((feature) => `--enable-${feature}`);
  writeFileSync(trapping, terse(nameless(readFileSync(built))));
  writeFileSync(roots, JSON.stringify(graph(module)));
  // It tells what it leaves out.
  run(local('wasm-metadce'), [...enabled, trapping, '--graph-file', roots, '-o', pruned], {}, 'ignore');
  // Functions in the order of how often they are called: their numbers are shorter.
  // A large function stays one, though it is called from one place alone, and small ones are put in the place of their calls:
  // modules compress better, by a hundredth and more.
  const inlining = ['--one-caller-inline-max-function-size=100', '--always-inline-max-function-size=10'];
  const passes = [profile == 'small' ? '-Oz' : '-O3', '--converge', ...inlining, '--reorder-functions'];
  run(local('wasm-opt'), [...enabled, ...passes, pruned, '-o', output]);
  writeFileSync(output, withoutSections(readFileSync(output)));
  return numbers;
}
