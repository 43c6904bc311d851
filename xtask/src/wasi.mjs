// Runs a test program for wasm32-wasip1 under Node: `node wasi.mjs PROGRAM ARGUMENTS`.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

process.removeAllListeners("warning"); // WASI is called experimental
process.on("warning", () => {});

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [program, ...args],
  env: process.env,
  preopens: { "/": "/" },
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
