// A WebAssembly module with the exports of bench/kit/src/wasm.rs as a runner process:
//   node --no-liftoff wasm.mjs MODULE POOL
// The protocol stands in bench/kit/src/serve.rs. The operation loops inside the module, so that
// the way across the boundary is not part of the figure.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import process from "node:process";

const [module, pool] = process.argv.slice(2);
if (pool === undefined) {
  console.error("usage: node --no-liftoff wasm.mjs MODULE POOL");
  process.exit(1);
}
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { allocate, load, select, run, memory } = instance.exports;

function put(bytes) {
  const at = allocate(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
}

put(readFileSync(pool));
if (!load()) {
  throw new Error(`${pool} is no pool`);
}

const numbers = new Map();
function number(task) {
  if (!numbers.has(task)) {
    put(new TextEncoder().encode(task));
    numbers.set(task, select());
  }
  return numbers.get(task);
}

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, task, times] = line.split(" ");
  const found = number(task);
  if (verb === "has") {
    process.stdout.write(found < 0 ? "no\n" : "yes\n");
  } else if (verb === "run" && found >= 0) {
    run(found, 1);
    const begin = process.hrtime.bigint();
    run(found, Number(times));
    process.stdout.write(`${process.hrtime.bigint() - begin}\n`);
  } else {
    throw new Error(`cannot understand '${line}'`);
  }
}
