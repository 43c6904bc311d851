// The numbers that the code takes from the modules are those by which the modules go.
import assert from 'node:assert/strict';
import test from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { ROOM, STACK, STATE } from '../dist/wasm/layout.js';
import { layouts, modules } from '../scripts/modules.mjs';
import { randomBytes, words } from './support.mjs';

const load = async (name) => {
  const { default: text } = await import(`../dist/wasm/${name}.text.js`);
  const bytes = inflateRawSync(Buffer.from(text, 'base64'));
  const wasm = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  const memory = new Uint8Array(wasm.memory.buffer);
  return { wasm, memory, address: wasm.i() };
};

const { of: names } = layouts.find(({ prefix }) => prefix == '');

test('a module imports nothing, so that no other code runs while a call lasts, and its stack begins where it is said', async () => {
  for (const { name, stack } of modules) {
    const { default: text } = await import(`../dist/wasm/${name}.text.js`);
    const module = new WebAssembly.Module(inflateRawSync(Buffer.from(text, 'base64')));
    assert.deepEqual(WebAssembly.Module.imports(module), [], name);
    assert.equal(new WebAssembly.Instance(module).exports.z.value, stack, name);
  }
});

test('a module takes as much input at once as is said', async () => {
  const message = randomBytes(words(51), ROOM);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', message));
  for (const name of names) {
    const { wasm, memory, address } = await load(name);
    if (!wasm.h) continue;
    for (const length of [ROOM, ROOM + 1]) {
      wasm.h();
      memory.set(message, address);
      wasm.u(length);
      wasm.d();
      assert.deepEqual(memory.slice(address, address + 64), digest, `${name}: ${length} bytes`);
    }
  }
});

test('all that an operation leaves lies in the stack and in the state', async () => {
  const next = words(52);
  for (const name of names) {
    const { wasm, memory, address } = await load(name);
    const operate = () => {
      memory.set(randomBytes(next, ROOM), address);
      if (wasm.e) {
        for (const step of [wasm.e, wasm.k, () => wasm.s(7), () => wasm.u(300), () => wasm.c(0, true)]) step();
        wasm.u(300);
        wasm.r();
      }
      memory.set(randomBytes(next, ROOM), address);
      wasm.v(0, 0);
      wasm.u(300);
      wasm.d?.();
      wasm.f();
      wasm.x?.();
    };
    // The first makes the tables that stay.
    for (let i = 0; i < 20; i++) operate();
    const before = memory.slice();
    operate();
    const changed = [];
    for (const [i, octet] of memory.entries()) if (octet != before[i]) changed.push(i);
    assert.ok(changed.some((i) => i < STACK), name);
    assert.ok(changed.some((i) => i >= address + ROOM), name);
    assert.ok(address >= STACK && address + STATE <= memory.length, name);
    for (const i of changed)
      assert.ok(i < STACK || (i >= address && i < address + STATE), `${name}: ${i}, of a state at ${address}`);
  }
});
