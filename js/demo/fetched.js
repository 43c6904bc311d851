// Stands in for the text of WebAssembly that the package carries along: the demo's modules lie beside the page, compressed,
// which takes a quarter less.

/** The exports of a module, by its name. */
export async function instantiate(name) {
  const response = await fetch(new URL(`${name}.wasm.deflate`, import.meta.url));
  if (!response.ok) throw new Error(`${name}.wasm.deflate: status ${response.status}`);
  const inflated = response.body.pipeThrough(new DecompressionStream('deflate-raw'));
  const { instance } = await WebAssembly.instantiate(await new Response(inflated).arrayBuffer());
  return instance.exports;
}
