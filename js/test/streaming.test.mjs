// Modules fetched from an address: each way in, each way to fail.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as lanner from 'lanner';
import * as small from 'lanner/streaming';
import * as fast from 'lanner/streaming/fast';
import { served } from '../scripts/modules.mjs';
import { hex, root, utf8 } from './support.mjs';

const require = createRequire(import.meta.url);
const file = (name) => require.resolve(`lanner/wasm/${name}.wasm`);
const bytes = { small: readFileSync(file('small')), fast: readFileSync(file('fast')) };
const WASM = 'application/wasm';

// Every request that the server saw, and every module that came by streaming.
const requests = [];
let streamed = 0;
const { instantiateStreaming } = WebAssembly;
let server, address;
before(async () => {
  WebAssembly.instantiateStreaming = (...args) => {
    streamed++;
    return instantiateStreaming(...args);
  };
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    requests.push(pathname);
    const answer = (type, body, status = 200) =>
      response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
    if (pathname == '/small.wasm') answer(WASM, bytes.small);
    else if (pathname == '/fast.wasm') answer(WASM, bytes.fast);
    else if (pathname == '/octets') answer('application/octet-stream', bytes.small);
    else if (pathname == '/parameter') answer(`${WASM}; charset=utf-8`, bytes.small);
    else if (pathname == '/untyped') answer(undefined, bytes.small);
    else if (pathname == '/cut') answer(WASM, bytes.small.subarray(0, 5000));
    else if (pathname == '/cut-octets') answer('', bytes.small.subarray(0, 5000));
    else if (pathname == '/page') answer('text/html', '<!doctype html><title>Not here</title>');
    else if (pathname == '/empty') answer('text/plain', '');
    else answer('text/plain', 'none', 404);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.close();
  WebAssembly.instantiateStreaming = instantiateStreaming;
});

const message = utf8('a message');
const seed = new Uint8Array(32).fill(4);

/** Signs and verifies, and compares with what `lanner` gives. */
async function works(api) {
  const pair = await api.keyPairFromSeed(seed);
  assert.deepEqual(pair, await lanner.keyPairFromSeed(seed));
  const signature = await api.sign(message, pair.secretKey);
  assert.deepEqual(signature, await lanner.sign(message, pair.secretKey));
  assert.equal(await api.verify(message, signature, pair.publicKey), true);
  assert.equal(await api.verify(utf8('another'), signature, pair.publicKey), false);
  const signer = await api.createSigner((await api.newKeyPair()).secretKey);
  const items = [
    { message, signature, publicKey: pair.publicKey },
    { message, signature: await signer.sign(message), publicKey: pair.publicKey },
  ];
  assert.deepEqual(await api.verifyBatch(items), [true, false]);
  assert.deepEqual(await api.keyPairFromSecretKey(pair.secretKey), pair);
  await assert.rejects(api.sign(message, new Uint8Array(64).fill(1)), /public half/);
}

test('the entries have the names of lanner, and load', () => {
  for (const api of [small, fast])
    assert.deepEqual(Object.keys(api).sort(), [...Object.keys(lanner), 'load'].sort());
});

test('by default the file of the package, ESM and CommonJS', async () => {
  for (const entry of ['lanner/streaming', 'lanner/streaming/fast']) {
    await works(await import(entry));
    await works(require(entry));
  }
});

test('from an address: streaming where the type is right, otherwise at once', async () => {
  for (const [path, api, count] of [
    ['/small.wasm', small, 1],
    ['/fast.wasm', fast, 1],
    ['/octets', small, 0],
    ['/parameter', small, 0],
    ['/untyped', small, 0],
  ]) {
    requests.length = streamed = 0;
    await works(await api.load(address + path));
    assert.deepEqual(requests, [path]);
    assert.equal(streamed, count, path);
  }
  requests.length = streamed = 0;
  delete WebAssembly.instantiateStreaming;
  try {
    WebAssembly.instantiateStreaming = undefined;
    await works(await small.load(`${address}/small.wasm`));
  } finally {
    WebAssembly.instantiateStreaming = (...args) => (streamed++, instantiateStreaming(...args));
  }
  assert.deepEqual([requests.length, streamed], [1, 0]);
});

test('from whatever may bring a module', async () => {
  const url = `${address}/small.wasm`;
  const data = `data:${WASM};base64,${bytes.small.toString('base64')}`;
  const buffer = new Uint8Array(bytes.small).buffer;
  for (const source of [
    url,
    new URL(url),
    new Request(url),
    fetch(url),
    await fetch(url),
    data,
    pathToFileURL(file('small')),
    String(pathToFileURL(file('small'))),
    buffer,
    new Uint8Array(buffer),
    bytes.small,
    await WebAssembly.compile(buffer),
    Promise.resolve(new URL(url)),
  ])
    await works(await small.load(source));
});

test('what another one\'s fetch takes and gives, as of undici, which is nothing to this engine', async () => {
  const url = `${address}/small.wasm`;
  class ForeignResponse {
    [Symbol.toStringTag] = 'Response';
    ok = true;
    url = url;
    headers = new Headers({ 'content-type': WASM });
    arrayBuffer = async () => new Uint8Array(bytes.small).buffer;
  }
  streamed = 0;
  await works(await small.load(new ForeignResponse()));
  await works(await small.load(Promise.resolve(new ForeignResponse())));
  assert.equal(streamed, 0);
  await works(await small.load({ [Symbol.toStringTag]: 'Request', url, method: 'GET', toString: () => 'no address' }));
  assert.equal(streamed, 1);
});

test('what is not the module is refused, and the error says where and why', async () => {
  const refused = (source, name, text, api = small) =>
    assert.rejects(api.load(source), (error) => {
      assert.equal(error.name, name, error.stack);
      assert.match(error.message, text);
      return true;
    });
  const at = (path) => `${address}${path}`;
  await refused(at('/nothing'), 'Error', /could not fetch http:.*\/nothing: status 404/);
  await refused(at('/page'), 'TypeError', /from http:.*\/page is not WebAssembly, but text\/html/);
  await refused(at('/empty'), 'TypeError', /not WebAssembly, but text\/plain/);
  await refused(at('/cut'), 'Error', /cannot load http:.*\/cut: WebAssembly\..*past end/);
  await refused(at('/cut-octets'), 'Error', /cannot load http:.*\/cut-octets: WebAssembly\./);
  await refused('http://127.0.0.1:1/x.wasm', 'Error', /could not fetch http:\/\/127.0.0.1:1\/x/);
  await refused('no address', 'Error', /could not fetch no address/);
  await refused('', 'Error', /could not fetch/);
  await refused(pathToFileURL(join(root, 'none.wasm')), 'Error', /could not fetch file:.*none/);
  await refused('data:text/plain,no', 'TypeError', /not WebAssembly, but text\/plain/);
  await refused(bytes.small.subarray(0, 5000), 'Error', /cannot load what was given: WebAssembly\./);
  const used = await fetch(at('/small.wasm'));
  await used.arrayBuffer();
  await refused(used, 'TypeError', /./);
  for (const source of [undefined, null, 7, {}])
    await refused(source, 'TypeError', /^source must be/);
  // The other module, and one that another build made: where its stack lies, nobody here knows.
  await refused(at('/fast.wasm'), 'RangeError', /fast\.wasm is fast 0.*, and this code needs small/);
  await refused(at('/small.wasm'), 'RangeError', /is small 0.*needs fast/, fast);
  const stale = Buffer.from(bytes.small);
  stale[stale.length - 1] ^= 1;
  await refused(stale, 'RangeError', /what was given is small .* needs small/);
  const alien = hex('0061736d01000000');
  await refused(alien, 'RangeError', /is no module of lanner/);
  // Long addresses are not repeated in full.
  await refused(`data:${WASM};base64,${'A'.repeat(4000)}`, 'Error', /^.{0,200}$/);
});

test('a failure is not kept: the next call asks again', async () => {
  const { fetch } = globalThis;
  const { makeStreaming } = await import('../dist/from-address.js');
  const { build } = await import('../dist/wasm/small.address.js');
  const api = makeStreaming({ source: () => `${address}/small.wasm`, build }, () => import('../dist/fallback/compat.js'));
  requests.length = 0;
  globalThis.fetch = () => Promise.reject(new TypeError('offline'));
  try {
    await assert.rejects(api.newKeyPair(), (error) => error.cause.message == 'offline');
    await assert.rejects(api.newKeyPair(), /could not fetch/);
  } finally {
    globalThis.fetch = fetch;
  }
  await Promise.all([works(api), works(api)]);
  await works(api);
  assert.deepEqual(requests, ['/small.wasm']);
});

test('the files to be served are exported, and say which they are', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(exports['./wasm/*.wasm'], './dist/wasm/*.wasm');
  assert.ok(served.length >= 3, String(served));
  for (const name of served) {
    const module = new WebAssembly.Module(readFileSync(require.resolve(`lanner/wasm/${name}.wasm`)));
    const [section] = WebAssembly.Module.customSections(module, 'lanner');
    assert.ok(new TextDecoder().decode(section).startsWith(`${name} `), name);
  }
});

test('where the engine cannot compile a module, another takes its place; where it is the wrong one, none does', async () => {
  const { makeStreaming } = await import('../dist/from-address.js');
  const { build } = await import('../dist/wasm/small.address.js');
  const broken = new Uint8Array(readFileSync(require.resolve('lanner/wasm/small.wasm')));
  // A section that there is not: as for an engine that knows fewer instructions.
  broken[8] = 60;
  let asked = 0;
  const fallback = () => import('../dist/fallback/compat.js').finally(() => asked++);
  await works(makeStreaming({ source: () => broken, build }, fallback));
  assert.equal(asked, 1);
  const alien = makeStreaming({ source: () => `${address}/fast.wasm`, build }, fallback);
  await assert.rejects(alien.newKeyPair(), /is fast .* needs small/);
  assert.equal(asked, 1);
  // What is reported is what went wrong first.
  const neither = makeStreaming({ source: () => broken, build }, async () => ({ load: undefined }));
  await assert.rejects(neither.newKeyPair(), /lanner cannot load what was given/);
});

test('where a bundler has put the module to where no server finds it, its text takes its place', async () => {
  const { makeStreaming } = await import('../dist/from-address.js');
  for (const name of served.filter((name) => name != 'fn-dsa')) {
    const { build, spare } = await import(`../dist/wasm/${name}.address.node.js`);
    const plain = await import(`../dist/wasm/${name}.address.js`);
    assert.deepEqual([plain.build, plain.spare], [build, undefined]);
    const none = () => assert.fail('not to be asked for');
    const lost = { source: () => '/_next/static/media/small.wasm', build };
    await works(makeStreaming({ ...lost, spare }, none));
    await assert.rejects(makeStreaming(lost, none).newKeyPair(), /could not fetch/);
    // What is reported is what went wrong first.
    const broken = makeStreaming({ ...lost, spare: async () => Uint8Array.of(0) }, none);
    await assert.rejects(broken.newKeyPair(), /could not fetch/);
  }
});
