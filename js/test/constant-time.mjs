// Constant time, observed on the modules themselves: translated to C by wasm2c, compiled, and run
// under valgrind with the secrets marked: after the compilers of Rust and of wasm-opt. What the
// engine's compiler makes of it is not seen.
//
// The wasm2c at hand takes no vectors. What is shipped without them is checked as it is; the crates
// with an arithmetic of their own in builds without vectors, which differ by the operations on them;
// the arithmetic of the libraries natively (`ct/`).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ristretto from 'lanner/ristretto/sync';
import * as lanner from 'lanner/sync';
import nacl from 'lanner/tweetnacl';
import { RISTRETTO_HASH } from '../dist/wasm/layout.js';
import { compile } from '../scripts/compile.mjs';
import { modules } from '../scripts/modules.mjs';
import { check, close } from './report.mjs';
import { root, toHex } from './support.mjs';

const dir = mkdtempSync(join(tmpdir(), 'lanner-'));
const run = (program, args) => execFileSync(program, args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const runtime = run('sh', ['-c', 'for d in /usr/share/wabt/wasm2c /usr/local/share/wabt/wasm2c; do [ -f $d/wasm-rt-impl.c ] && echo $d && break; done']).trim();

/**
 * What stands before the code that wasm2c writes.
 *
 * A `select` may become a branch or not, as compilers like. Engines make conditional moves of it, and
 * so does this; `strict` makes branches, which tells how many depend on secrets. The compiler is kept
 * from seeing through the masks.
 */
const PRELUDE = (strict) => `#include "module.h"
  #include <string.h>
  static inline u64 select_j(u32 c, u64 a, u64 b) {
  #if ${strict ? 1 : 0}
    __asm__ volatile ("" : "+r"(a), "+r"(b));
    if (c) { __asm__ volatile ("" : "+r"(a)); return a; }
    return b;
  #else
    u64 mask = -(u64)(c != 0);
    __asm__ ("" : "+r"(mask));
    return b ^ ((a ^ b) & mask);
  #endif
  }
  static inline u32 select_i(u32 c, u32 a, u32 b) { return (u32)select_j(c, a, b); }
  static inline f64 select_d(u32 c, f64 a, f64 b) {
    u64 x, y;
    memcpy(&x, &a, 8); memcpy(&y, &b, 8);
    x = select_j(c, x, y);
    memcpy(&a, &x, 8);
    return a;
  }`;

/**
 * What valgrind reports of a module: for each operation how often, and the results.
 */
function observe(path, strict = false) {
  copyFileSync(path, join(dir, 'module.wasm'));
  run('wasm2c', ['module.wasm', '-n', 'module', '-o', 'module.c']);
  const header = readFileSync(join(dir, 'module.h'), 'utf8');
  const has = (name) => header.includes(`Z_moduleZ_${name}(`);
  if (!has('memory')) throw new Error('this wasm2c writes other names than that of wabt 1.0.32');
  const code = readFileSync(join(dir, 'module.c'), 'utf8');
  let selects = 0;
  const chosen = code.replaceAll(
    /^(\s+w2c_(\w)\w+ = )(w2c_\w+) \? (w2c_\w+) : (w2c_\w+);$/gm,
    (_, left, type, c, a, b) => {
      selects++;
      return `${left}select_${type}(${c}, ${a}, ${b});`;
    },
  );
  writeFileSync(join(dir, 'module.c'), chosen.replace('#include "module.h"', PRELUDE(strict)));
  run('cc', [
    '-O2', '-g', '-w', '-I.', `-I${runtime}`, '-I/usr/include',
    // Bounds are checked by branches, and not by a handler of signals, which valgrind has.
    '-DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0', '-DWASM_RT_USE_MMAP=0',
    ...(has('e') ? ['-DHAS_SIGN'] : []), ...(has('x') ? ['-DHAS_X25519'] : []), ...(has('a') ? ['-DHAS_RISTRETTO', `-DHASH=${RISTRETTO_HASH}`] : []),
    join(root, 'test', 'constant-time.c'), 'module.c', join(runtime, 'wasm-rt-impl.c'), '-o', 'module', '-lm',
  ]);
  const lines = run('valgrind', ['-q', '--log-file=log', './module']).trim().split('\n');
  const results = lines.map((line) => {
    const [name, number, found, output] = line.split(' ');
    return { name, number: Number(number), found: Number(found), output };
  });
  return { results, selects };
}

/** The octets that the program in C has for a number. */
function fill(length, number) {
  return Uint8Array.from({ length }, () => {
    number = (Math.imul(number, 1103515245) + 12345) >>> 0;
    return (number >>> 16) & 255;
  });
}

/** What must come out. */
function expected(name, number) {
  const seed = fill(32, number);
  if (name in ristretto) {
    const element = (of) => ristretto.multiplyBase(fill(32, of + 500));
    const whole = fill(308, number);
    if (/Scalars$/.test(name)) return ristretto[name](seed, whole.slice(32, 64));
    if (/^(hash|encode)To/.test(name)) return ristretto[name](whole.slice(0, 300), whole.slice(300));
    if (name == 'multiply') return ristretto.multiply(seed, element(number));
    if (name != 'multiscalar') return ristretto[name](/^(reduce|elementFrom)/.test(name) ? whole.slice(0, 64) : seed);
    return ristretto.multiscalar([0, 1, 2, 3, 4].map((i) => ({ scalar: fill(32, number + 100 * i), element: element(number + i) })));
  }
  const { secretKey, publicKey } = lanner.keyPairFromSeed(seed);
  const length = { sign: 50, signer: 300, 'sign-secret-message': 200 }[name];
  if (length) return lanner.sign(fill(length, number + 1000), secretKey);
  if (name == 'keypair') return publicKey;
  if (name == 'x25519-base') return nacl.scalarMult.base(seed);
  return nacl.scalarMult(seed, fill(32, number + 500));
}

function judge({ results }, count, least = 3) {
  const control = results.pop();
  if (control.name != 'control' || control.found < least)
    throw new Error(`the control was reported ${control.found} times: this proves nothing`);
  const wrong = results.filter(({ name, number, found, output }) => found != 0 || output != toHex(expected(name, number)));
  if (wrong.length) {
    const log = readFileSync(join(dir, 'log'), 'utf8').split('\n').slice(0, 20).join('\n');
    throw new Error(wrong.map((one) => `${one.name} ${one.number}: ${one.found} reports, gave ${one.output}`).join('\n') + `\n${log}`);
  }
  if (results.length != count) throw new Error(`${results.length} operations`);
}

try {
  // Builds without vectors, with everything that the crates do.
  for (const [what, module, count] of [
    ['the small arithmetic, without vectors: keys, signatures, X25519',
      { crate: 'lanner-wasm-small', features: ['sign', 'x25519'], profile: 'small', stack: 16384 }, 18],
    ['the fast arithmetic, without vectors: keys, signatures',
      { crate: 'lanner-wasm-fast', features: [], profile: 'release', stack: 65536 }, 12],
  ]) {
    const path = join(dir, 'built.wasm');
    compile(module, path);
    await check(what, () => {
      judge(observe(path), count);
      const { results, selects } = observe(path, true);
      const dependent = results.slice(0, -1).reduce((sum, { found }) => sum + found, 0);
      console.log(`        of ${selects} selects in the code, those on secrets ran ${dependent} times`);
    });
  }
  await check('ristretto.wasm, as it is shipped: scalars, and what is hashed', () =>
    judge(observe(join(root, 'dist', 'wasm', 'ristretto.wasm')), 45, 1));
  for (const { name, crate, features, simd, file } of modules) {
    if (crate != 'lanner-wasm-small' || simd || !features.includes('sign')) continue;
    // Of some the package has the text alone.
    const path = join(root, ...(file ? ['dist', 'wasm', `${file}.wasm`] : ['wasm', 'target', `${name}.wasm`]));
    await check(`${name}.wasm, as it is shipped`, () => judge(observe(path), features.includes('x25519') ? 18 : 12));
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
close();
