// The modules of WebAssembly that the package consists of, and which of them need what.

/** The stack of a module, at the beginning of its memory, unless it says otherwise. */
const STACK = 16384;

/**
 * What those of FN-DSA have in common. `inline` is how large a function may be in LLVM's count to be put in the place of its
 * calls: a little more than what it takes by itself for small code makes the code smaller, because most are parts of loops.
 */
const FN_DSA = { stack: 524288, inline: 75 };

/**
 * The modules: the crate in `wasm/` and how it is built. In the package each has at most two forms: `NAME.text.js`,
 * compressed; and where `file` says so the module itself, `FILE.wasm`. Platforms that import modules and compile none get
 * that of another one, which can do all of it, where one has no file of its own (`imports` of package.json says which).
 * (Ristretto255's is smaller with less inlined, and as fast: nearly all of its time is in products of the field.)
 */
export const modules = [
  { name: 'small', crate: 'lanner-wasm-small', features: ['sign'], profile: 'small', simd: true },
  { name: 'verify', crate: 'lanner-wasm-small', features: [], profile: 'small', simd: true },
  { name: 'nacl', crate: 'lanner-wasm-small', features: ['sign', 'x25519'], profile: 'small', simd: true, file: 'small' },
  { name: 'fast', crate: 'lanner-wasm-fast', features: [], profile: 'release', simd: true, file: 'fast' },
  { name: 'x25519', crate: 'lanner-wasm-x25519', features: ['simd'], profile: 'release', simd: true },
  { name: 'ristretto', crate: 'lanner-wasm-ristretto', features: [], profile: 'small', stack: 32768, inline: 25, file: 'ristretto' },
  { name: 'fn-dsa', crate: 'lanner-wasm-fn-dsa', features: ['sign', 'simd'], profile: 'release', ...FN_DSA, simd: true, file: 'fn-dsa' },
  { name: 'fn-dsa-verify', crate: 'lanner-wasm-fn-dsa', features: ['simd'], profile: 'small', ...FN_DSA, simd: true, file: 'fn-dsa-verify' },
  // The same without SIMD.
  { name: 'compat', crate: 'lanner-wasm-small', features: ['sign', 'x25519'], profile: 'release' },
  { name: 'fn-dsa-compat', crate: 'lanner-wasm-fn-dsa', features: ['sign'], profile: 'release', ...FN_DSA },
].map((module) => ({ stack: STACK, ...module }));

/** The files of the modules themselves. */
export const files = modules.flatMap(({ file }) => file ?? []);

/**
 * The numbers of `src/wasm/layout.ts`: what is before their names, the modules that share them, and the names of those
 * that their crates put in the section `lanner.layout`, in order.
 */
export const layouts = [
  { prefix: '', of: ['small', 'verify', 'nacl', 'compat', 'fast'], names: ['ROOM', 'STATE'] },
  { prefix: 'X25519_', of: ['x25519', 'compat'], names: [] },
  { prefix: 'RISTRETTO_', of: ['ristretto'], names: ['HASH'] },
  { prefix: 'FN_DSA_', of: ['fn-dsa', 'fn-dsa-verify', 'fn-dsa-compat'], names: [] },
];

/** The files that are fetched from an address, and say in a section of their own which they are. */
export const served = ['small', 'fast', 'fn-dsa'];

/**
 * Entries that have the functions of another one, over another module: the source, and the source whose declarations
 * and documentation are theirs as well.
 */
export const declaredAs = {
  fast: 'index',
  compat: 'index',
  'streaming-fast': 'streaming',
  'more-fast': 'more',
};

/** Entries some of whose constants another one declares word for word, which then declares them for both. */
export const declaredIn = { verify: 'index', streaming: 'index', 'fn-dsa-streaming': 'fn-dsa' };
