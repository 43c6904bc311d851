// How packages are loaded in Node.

/** Imports a package. supercop.wasm complains when it finds no `fetch` that reads files; it reads on. */
export async function load(name) {
  if (name != 'supercop.wasm') return import(name);
  const { error, warn } = console;
  console.error = console.warn = () => {};
  const module = await import(name);
  module.default.ready(() => Object.assign(console, { error, warn }));
  return module;
}
