// What a bundle for browsers has (es2022, minified, WebAssembly included): the parts that are loaded at once, and those
// that wait for a need, as the module for engines without SIMD does.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The parts `{ now, later }`, each a list of octets, of what esbuild makes of an input (`entryPoints` or `stdin`). Without
 * `splitting` nothing waits: all is in one file.
 */
export async function bundled(input, splitting = true) {
  const { outputFiles, metafile } = await esbuild.build({
    ...input,
    bundle: true,
    splitting,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    outdir: join(root, 'out'),
    metafile: true,
    write: false,
    logLevel: 'error',
    absWorkingDir: root,
  });
  const { outputs } = metafile;
  // What is imported when it is needed is an entry of its own to esbuild.
  const wanted = input.entryPoints?.[0].slice(root.length + 1) ?? '<stdin>';
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint == wanted);
  const now = new Set();
  const follow = (path) => {
    if (now.has(path)) return;
    now.add(path);
    for (const { kind, path: other, external } of outputs[path].imports)
      if (kind == 'import-statement' && !external) follow(other);
  };
  follow(entry);
  const contents = (paths) =>
    paths.map((path) => outputFiles.find((file) => file.path == join(root, path)).contents);
  return { now: contents([...now]), later: contents(Object.keys(outputs).filter((path) => !now.has(path))) };
}
