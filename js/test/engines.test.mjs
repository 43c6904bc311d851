// Engines that lack something, each in a process of its own: what works there works, and what cannot
// says what is missing and what to take instead.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { imports, modules } from '../scripts/modules.mjs';
import { root } from './support.mjs';

/** Runs code in a fresh process, in this folder, so that `lanner` is found; what it printed, as JSON. */
const run = (code, options = []) => {
  const text = execFileSync(process.execPath, [...options, '--input-type=module', '-e', code], {
    cwd: join(root, 'test'),
    encoding: 'utf8',
  });
  return JSON.parse(text);
};

/** Runs each entry alone; 1, or the error and its cause. */
const each = `
  import { entries } from './all.mjs';
  import { fetched } from './fetched.mjs';
  import { everywhere } from './everywhere.mjs';
  const outcome = {};
  const all = { ...entries, ...fetched };
  for (const name in all) {
    // Streams have a key made for them, by what works everywhere.
    const needed = name == 'more' ? { lanner: entries.compat, more: all.more } : { [name]: all[name] };
    try {
      outcome[name] = (await everywhere(needed)) / Object.keys(needed).length;
    } catch (error) {
      outcome[name] = error.message;
    }
  }
  console.log(JSON.stringify(outcome));`;

/** The entries, and the import by which each has its module. */
const modulesOf = {
  lanner: '#small', fast: '#fast', sync: '#small-sync', compat: '#compat', verify: '#verify',
  more: '#small', tweetnacl: '#nacl', x25519: '#x25519', fnDsa: '#fn-dsa',
};
const needsSimd = (name) => {
  const { module } = imports[modulesOf[name]] ?? {};
  return !!modules.find((one) => one.name == module)?.simd;
};

test('without SIMD: compat works, and what needs SIMD says so', (t) => {
  if (process.arch != 'x64') {
    console.log(`SKIPPED: no way to take SIMD from this engine on ${process.arch}`);
    return t.skip('another processor');
  }
  // V8 makes vectors from SSE4.1 on, and refuses modules with them where there is none.
  const outcome = run(each, ['--no-enable-sse4-1']);
  let refused = 0;
  for (const name of Object.keys(modulesOf))
    if (needsSimd(name)) {
      assert.match(outcome[name], /lanner needs WebAssembly with SIMD here/, name);
      const instead = !['x25519', 'fnDsa'].includes(name);
      assert.equal(outcome[name].includes('lanner/compat'), instead, outcome[name]);
      refused++;
    } else assert.equal(outcome[name], 1, name);
  assert.equal(outcome.compat, 1);
  assert.ok(refused >= 3, JSON.stringify(outcome));
  assert.match(outcome.streamingFast, /does not compile .*fast\.wasm.*SIMD/);
  if (needsSimd('lanner')) {
    assert.match(outcome.streaming, /does not compile .*small\.wasm.*SIMD.*compat/);
    // What the error advises helps.
    const advised = `
      import { load } from 'lanner/streaming';
      import { everywhere } from './everywhere.mjs';
      const api = await load(${JSON.stringify(pathToFileURL(join(root, 'dist/wasm/compat.wasm')).href)});
      console.log(await everywhere({ streaming: { ...api, load } }));`;
    assert.equal(run(advised, ['--no-enable-sse4-1']), 1);
  } else assert.equal(outcome.streaming, 1);
});

test('without crypto.subtle, as on pages without HTTPS: everything works', () => {
  const outcome = run(`Object.defineProperty(crypto, 'subtle', { value: undefined });
    ${each}`);
  assert.equal(Object.keys(outcome).length, 12);
  for (const [name, result] of Object.entries(outcome)) assert.equal(result, 1, `${name}: ${result}`);
});

test('where modules are not compiled at once: the error says to await ready(), and that helps', () => {
  const outcome = run(`
    import * as sync from 'lanner/sync';
    import nacl from 'lanner/tweetnacl';
    const { Module } = WebAssembly;
    WebAssembly.Module = function () { throw new RangeError('too large for this thread'); };
    const says = (call) => { try { return call().publicKey.length; } catch (error) { return error.message + '|' + error.cause?.message; } };
    const outcome = [says(sync.newKeyPair), says(nacl.sign.keyPair)];
    await Promise.all([sync.ready(), nacl.ready()]);
    outcome.push(says(sync.newKeyPair), says(nacl.sign.keyPair));
    console.log(JSON.stringify(outcome));`);
  const refusal = 'this engine compiles no module at once: first await ready()|too large for this thread';
  assert.deepEqual(outcome, [refusal, refusal, 32, 32]);
});

test('where nothing may be compiled: the engine says why', () => {
  const outcome = run(`
    import * as sync from 'lanner/sync';
    WebAssembly.Module = function () { throw new WebAssembly.CompileError('a policy forbids it'); };
    try { sync.newKeyPair(); } catch (error) { console.log(JSON.stringify([error.message, error.cause?.message])); }`);
  // A module with SIMD cannot tell the reasons apart, and has the engine's own as the cause.
  assert.match(outcome.join(' '), /a policy forbids it/);
  assert.doesNotMatch(outcome.join(' '), /ready/);
});

test('browsers without DecompressionStream: the error names compat, and compat works', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-'));
  try {
    for (const [entry, expected] of [
      ['lanner', /lanner\/compat/],
      ['lanner/verify', /lanner\/compat/],
      ['lanner/compat', /^works$/],
    ]) {
      const outfile = join(dir, `${entry.replace('/', '-')}.mjs`);
      await esbuild.build({
        stdin: {
          contents: `import { verify } from '${entry}';
            export const outcome = verify(new Uint8Array(), new Uint8Array(64), new Uint8Array(32))
              .then(() => 'works', (error) => error.message + ' ' + error.cause?.message);`,
          resolveDir: join(root, 'test'),
        },
        outfile, bundle: true, format: 'esm', platform: 'browser', target: 'es2022',
      });
      const code = (before) =>
        `${before} console.log(JSON.stringify(await (await import(${JSON.stringify(pathToFileURL(outfile).href)})).outcome));`;
      assert.match(run(code('delete globalThis.DecompressionStream;')), expected, entry);
      assert.equal(run(code('')), 'works', entry);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
});
