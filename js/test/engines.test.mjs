// Engines that lack something, each in a process of its own: what works there works, and what cannot
// says what is missing and what to take instead.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
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
    try {
      outcome[name] = await everywhere({ [name]: all[name] });
    } catch (error) {
      outcome[name] = error.message;
    }
  }
  console.log(JSON.stringify(outcome));`;

/** What the entries are for synchronous use, which must not wait for what they lack. */
const SYNCHRONOUS = ['sync', 'nativeSync', 'tweetnacl', 'x25519Sync', 'fnDsaSync'];

test('without SIMD: everything works all the same, what is synchronous after ready()', (t) => {
  if (process.arch != 'x64') {
    console.log(`SKIPPED: no way to take SIMD from this engine on ${process.arch}`);
    return t.skip('another processor');
  }
  // V8 makes vectors from SSE4.1 on, and refuses modules with them where there is none.
  const none = ['--no-enable-sse4-1'];
  assert.equal(run(`console.log(WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 1, 123, 0)))`, none), false);
  const outcome = run(each, none);
  for (const [name, result] of Object.entries(outcome))
    if (SYNCHRONOUS.includes(name)) assert.match(result, /lanner cannot load at once: first await ready\(\)/, name);
    else assert.equal(result, 1, `${name}: ${result}`);
  assert.ok(Object.keys(outcome).length >= 23);
  const ready = `
    import { entries } from './all.mjs';
    for (const api of Object.values(entries)) await api.ready?.();
    ${each.replace("import { entries } from './all.mjs';", '')}`;
  for (const [name, result] of Object.entries(run(ready, none))) assert.equal(result, 1, `${name}: ${result}`);
});

test('without crypto.subtle, as on pages without HTTPS: everything works', () => {
  const outcome = run(`Object.defineProperty(crypto, 'subtle', { value: undefined });
    ${each}`);
  assert.equal(Object.keys(outcome).length, 23);
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
  const refusal = 'lanner cannot load at once: first await ready()|too large for this thread';
  assert.deepEqual(outcome, [refusal, refusal, 32, 32]);
});

/** The errors of every entry: in a context of its own, where what is missing or forbidden really is. */
const failures = (before, after = '') => run(`
  import * as lanner from 'lanner';
  import * as compat from 'lanner/compat';
  import * as fast from 'lanner/fast';
  import * as verify from 'lanner/verify';
  import * as more from 'lanner/more';
  import * as moreFast from 'lanner/more/fast';
  import * as x25519 from 'lanner/x25519';
  import * as x25519Sync from 'lanner/x25519/sync';
  import * as ristretto from 'lanner/ristretto';
  import * as ristrettoSync from 'lanner/ristretto/sync';
  import * as fnDsaSync from 'lanner/fn-dsa/sync';
  import * as fnDsaVerify from 'lanner/fn-dsa/verify';
  import * as streaming from 'lanner/streaming';
  import { falcon512 } from 'lanner/fn-dsa';
  import { hybrid512 } from 'lanner/hybrid';
  import * as sync from 'lanner/sync';
  import nacl from 'lanner/tweetnacl';
  const key = new Uint8Array(32);
  const calls = {
    lanner: () => lanner.newKeyPair(), compat: () => compat.newKeyPair(), fast: () => fast.newKeyPair(),
    verify: () => verify.verify(key, new Uint8Array(64), key),
    more: () => more.createVerifier(new Uint8Array(64), key),
    moreFast: () => moreFast.createVerifier(new Uint8Array(64), key),
    x25519: () => x25519.newKeyPair(), streaming: () => streaming.newKeyPair(),
    fnDsa: () => falcon512.newKeyPair(), hybrid: () => hybrid512.newKeyPair(),
    x25519Sync: async () => x25519Sync.newKeyPair(), fnDsaSync: async () => fnDsaSync.falcon512.newKeyPair(),
    ristretto: () => ristretto.newElement(), ristrettoSync: async () => ristrettoSync.newElement(),
    fnDsaVerify: () => fnDsaVerify.falcon512.verify(key, key, new Uint8Array(897)).catch((error) => { if (!/is not a key/.test(error.message)) throw error; }),
    sync: async () => sync.newKeyPair(), tweetnacl: async () => nacl.sign.keyPair(),
  };
  const all = async () => {
    const outcome = {};
    for (const [name, call] of Object.entries(calls))
      outcome[name] = await call().then(() => 'works', (error) => [error.message, error.cause?.name, error.cause?.message]);
    return outcome;
  };
  const original = { ...globalThis.WebAssembly, Module: WebAssembly.Module, Instance: WebAssembly.Instance, instantiate: WebAssembly.instantiate, instantiateStreaming: WebAssembly.instantiateStreaming };
  ${before}
  const first = await all();
  ${after}
  console.log(JSON.stringify([first, await all()]));`);

const forbid = (constructor, words) => `
  const fail = function () { throw new ${constructor}(${JSON.stringify(words)}); };
  WebAssembly.Module = WebAssembly.Instance = fail;
  WebAssembly.instantiate = WebAssembly.instantiateStreaming = async () => fail();`;
const allow = 'Object.assign(WebAssembly, original);';

test('every load failure is told in the words of its cause, and the next call tries again', () => {
  const policy = 'WebAssembly.instantiate(): violates the following Content Security Policy directive';
  const memory = 'WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance';
  for (const [before, after, words] of [
    [forbid('WebAssembly.CompileError', policy), allow, policy],
    // Safari's, for a policy.
    [forbid('EvalError', policy), allow, policy],
    [forbid('RangeError', memory), allow, memory],
    // As with `--jitless`: Node's own `Response` is not to be touched then, which would end the process.
    ['const whole = WebAssembly; delete globalThis.WebAssembly;', 'globalThis.WebAssembly = whole;', 'WebAssembly is not defined'],
  ]) {
    const [first, second] = failures(before, after);
    assert.equal(Object.keys(first).length, 17);
    for (const [name, [message, , cause]] of Object.entries(first)) {
      assert.match(message, /^lanner cannot load/, name);
      assert.ok(message.includes(words), `${name}: ${message}`);
      assert.equal(cause, words, name);
      assert.doesNotMatch(message, /SIMD|DecompressionStream|ready\(\)/, name);
    }
    for (const [name, outcome] of Object.entries(second)) assert.equal(outcome, 'works', name);
  }
});

test('a message is opened when its module is there and its key is one; that it cannot be opened is an error of the promise', () => {
  const keys = "const { publicKey, secretKey } = await (await import('lanner/SIGNING')).SCHEME.keyPairFromSeed(new Uint8Array(32));";
  // The key of Ed25519 is its base point; what follows is none of FN-DSA.
  const half = 'Uint8Array.of(0x58, ...new Uint8Array(31).fill(0x66), ...new Uint8Array(897))';
  for (const [entry, signing, scheme, call, bad] of [
    ['fn-dsa', 'fn-dsa', 'fndsa512', 'signStream(open, secretKey)', 'new Uint8Array(1281)'],
    ['fn-dsa/verify', 'fn-dsa', 'fndsa512', 'verifyStream(open, new Uint8Array(666), publicKey)', 'new Uint8Array(897)'],
    ['hybrid', 'hybrid', 'hybrid512', 'signStream(open, secretKey)', 'new Uint8Array(31)'],
    ['hybrid', 'hybrid', 'hybrid512', 'verifyStream(open, new Uint8Array(730), publicKey)', half],
  ]) {
    const outcome = (before, keys) => run(`
      import { SCHEME } from 'lanner/${entry}';
      let opened = 0;
      const open = () => (opened++, Promise.reject(Error('closed')));
      ${keys}
      ${before}
      // Node's own fetch compiles a module when it is first used, and does not wait for it.
      process.on('unhandledRejection', (error) => { if (error.message == 'closed') opened = NaN; });
      const message = await SCHEME.${call}.catch((error) => error.message);
      await new Promise((done) => setTimeout(done, 20));
      console.log(JSON.stringify([message, opened]));`.replaceAll('SCHEME', scheme).replaceAll('SIGNING', signing));
    assert.deepEqual(outcome('', keys), ['closed', 1], call);
    const [refusal, none] = outcome('', `const [publicKey, secretKey] = [${bad}, ${bad}];`);
    assert.match(refusal, /Key (is not a key|must have 32 bytes, not 31)$/, call);
    assert.equal(none, 0, call);
    // Keys of those that need no module to have the right form.
    const formed = "const [publicKey, secretKey] = [Uint8Array.of(0x58, ...new Uint8Array(31).fill(0x66), ...new Uint8Array(897)).slice(-PUBLIC), new Uint8Array(SECRET)];"
      .replace('PUBLIC', entry == 'hybrid' ? 929 : 897).replace('SECRET', entry == 'hybrid' ? 32 : 1281);
    const [failure, early] = outcome(forbid('WebAssembly.CompileError', 'no'), formed);
    assert.match(failure, /^lanner cannot load: no$/, call);
    assert.equal(early, 0, call);
  }
});

test('an engine that really compiles nothing says so: a context without code generation', () => {
  // What the policy of a page does, an embedder can do to a context.
  const outcome = run(`
    import vm from 'node:vm';
    const context = vm.createContext({ console }, { codeGeneration: { wasm: false } });
    const forbidden = vm.runInContext('WebAssembly', context);
    const { Module, Instance, instantiate, validate } = forbidden;
    Object.assign(WebAssembly, { Module, Instance, instantiate, validate });
    const { newKeyPair } = await import('lanner');
    const error = await newKeyPair().catch((error) => error);
    console.log(JSON.stringify([error.message, error.cause?.name]));`);
  assert.match(outcome[0], /^lanner cannot load: WebAssembly\..*disallowed by embedder/);
  assert.equal(outcome[1], 'CompileError');
});

test('where there is no WebAssembly at all, the error names it', () => {
  const outcome = run(`
    delete globalThis.WebAssembly;
    const { newKeyPair } = await import('lanner');
    const error = await newKeyPair().catch((error) => error);
    console.log(JSON.stringify(error.message));`);
  assert.match(outcome, /WebAssembly is not defined/);
});

test('browsers without DecompressionStream: everything works, by what is loaded then alone', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-'));
  try {
    for (const entry of ['lanner', 'lanner/fast', 'lanner/verify', 'lanner/x25519', 'lanner/ristretto', 'lanner/compat', 'lanner/sync']) {
      const outdir = join(dir, entry.replace('/', '-'));
      await esbuild.build({
        stdin: {
          contents: `import * as entry from '${entry}';
            const given = [0, 64, 32].map((n) => new Uint8Array(n));
            export const outcome = (async () => (entry.newKeyPair ?? entry.newElement ?? entry.verify)(...given))()
              .then(() => 'works', (error) => error.message + ' ' + error.cause?.message);`,
          resolveDir: join(root, 'test'),
        },
        outdir, logLevel: 'error', bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2022',
        outExtension: { '.js': '.mjs' },
      });
      const parts = readdirSync(outdir);
      const fallbacks = parts.filter((name) => (entry.endsWith('ristretto') ? /^ristretto-/ : /^compat-/).test(name));
      assert.equal(fallbacks.length, entry == 'lanner/compat' ? 0 : 1, `${entry}: ${parts}`);
      const code = (before) =>
        `${before} console.log(JSON.stringify(await (await import(${JSON.stringify(pathToFileURL(join(outdir, 'stdin.mjs')).href)})).outcome));`;
      assert.equal(run(code('delete globalThis.DecompressionStream;')), 'works', entry);
      // What is not needed is not loaded: everything works where it is missing.
      for (const name of fallbacks) rmSync(join(outdir, name));
      assert.equal(run(code('')), 'works', entry);
      if (['lanner/compat', 'lanner/sync'].includes(entry)) continue;
      assert.match(run(code('delete globalThis.DecompressionStream;')), /^lanner cannot load: DecompressionStream is not defined /, entry);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('compiled for engines of 2015, as tools are told to that compile what they bundle: everything works', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lanner-old-'));
  try {
    // But for what cannot be written in the language of that year.
    const supported = { bigint: true, 'dynamic-import': true, 'import-meta': true };
    const options = { outdir: dir, outExtension: { '.js': '.mjs' }, bundle: true, splitting: true, format: 'esm', platform: 'browser', logLevel: 'error' };
    esbuild.buildSync({ ...options, entryPoints: [join(root, 'test', 'all.mjs')], target: 'es2015', supported });
    assert.equal(run(`import { run } from ${JSON.stringify(pathToFileURL(join(dir, 'all.mjs')))};\nconsole.log(await run());`), 20);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('timers that tests put in the place of the real ones keep no long call waiting', () => {
  const outcome = run(`
    globalThis.setTimeout = () => 0;
    delete globalThis.MessageChannel;
    const { sign, newKeyPair } = await import('lanner');
    const { secretKey } = await newKeyPair();
    console.log((await sign(new Uint8Array(3e7), secretKey)).length);`);
  assert.equal(outcome, 64);
});
