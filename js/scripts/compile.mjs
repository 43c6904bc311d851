// Compiles the modules: by cargo, and then by wasm-opt.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const local = (name) => at('node_modules', '.bin', name);
const target = process.env.CARGO_TARGET_DIR ?? at('wasm', 'target');

/** Runs a program that says itself what went wrong. */
export const run = (program, args, env = {}) => {
  const { status, error } = spawnSync(program, args, {
    cwd: at('wasm'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (status === 0) return;
  console.error(`${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`}`);
  process.exit(1);
};

/** The bits of WebAssembly that every engine has that we name; SIMD where the module asks for it. */
const features = ['bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int', 'simd'];

/**
 * A module without the exports of globals, which the linker adds, and without its layout; and the numbers of
 * that: 32 bits each, in a section of its own (id 0, by a name).
 */
function plain(bytes) {
  const layout = [];
  const number = (at) => {
    let [value, shift] = [0, 0];
    for (;;) {
      const octet = bytes[at++];
      value += (octet & 127) * 2 ** shift;
      shift += 7;
      if (octet < 128) return [value, at];
    }
  };
  const short = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...short(value >> 7)]);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const start = at;
    const id = bytes[at];
    let size, count;
    [size, at] = number(at + 1);
    const end = at + size;
    if (id == 7) {
      const kept = [];
      for ([count, at] = number(at); count--; ) {
        const from = at;
        let length, kind;
        [length, at] = number(at);
        kind = bytes[at + length];
        [, at] = number(at + length + 1);
        if (kind != 3) kept.push(bytes.subarray(from, at));
      }
      const content = Buffer.concat([Buffer.from(short(kept.length)), ...kept]);
      parts.push(Buffer.from([id, ...short(content.length)]), content);
    } else {
      const content = bytes.subarray(at, end);
      const mark = Buffer.from('\x0dlanner.layout');
      if (id == 0 && content.indexOf(mark) == 0)
        for (let i = mark.length; i < content.length; i += 4) layout.push(content.readUInt32LE(i));
      else parts.push(bytes.subarray(start, end));
    }
    at = end;
  }
  return [Buffer.concat(parts), layout];
}

/** Compiles a module, as `modules.mjs` describes it, into a file; the numbers of its layout. */
export function compile({ crate, features: enabled, profile, stack, simd }, output) {
  const rustflags = [`-Clink-arg=-zstack-size=${stack}`, '-Clink-arg=--stack-first'].concat(
    simd ? '-Ctarget-feature=+simd128' : [],
  );
  run(
    'cargo',
    ['build', '--quiet', '--locked', '--target', 'wasm32-unknown-unknown', '-p', crate]
      .concat('--profile', profile, '--no-default-features')
      .concat(enabled.length ? ['--features', enabled.join()] : []),
    { RUSTFLAGS: rustflags.join(' '), CARGO_ENCODED_RUSTFLAGS: rustflags.join('\x1f'), CARGO_TARGET_DIR: target },
  );
  const built = join(target, 'wasm32-unknown-unknown', profile, `${crate.replaceAll('-', '_')}.wasm`);
  const [module, layout] = plain(readFileSync(built));
  writeFileSync(built + '.exports', module);
  run(local('wasm-opt'), [
    ...features.map((feature) => `--enable-${feature}`),
    profile == 'small' ? '-Oz' : '-O3',
    '--converge',
    '--strip-debug',
    '--strip-producers',
    '--strip-target-features',
    built + '.exports',
    '-o',
    output,
  ]);
  return layout;
}
