// What the package consists of: the modules of WebAssembly and the entries.

/** The stack of a module, at the beginning of its memory, unless it says otherwise. */
const STACK = 16384;

/** The modules: the crate in `wasm/` and how it is built. */
export const modules = [
  { name: 'small', crate: 'lanner-wasm-small', features: ['sign'], profile: 'small', simd: true },
  { name: 'verify', crate: 'lanner-wasm-small', features: [], profile: 'small', simd: true },
  { name: 'nacl', crate: 'lanner-wasm-small', features: ['sign', 'x25519'], profile: 'small', simd: true },
  // The same without SIMD.
  { name: 'compat', crate: 'lanner-wasm-small', features: ['sign'], profile: 'release' },
  { name: 'fast', crate: 'lanner-wasm-fast', features: [], profile: 'release', simd: true },
  { name: 'x25519', crate: 'lanner-wasm-x25519', features: [], profile: 'release', simd: true },
  { name: 'fn-dsa', crate: 'lanner-wasm-fn-dsa', features: [], profile: 'release', stack: 524288, simd: true },
].map((module) => ({ stack: STACK, ...module }));

/**
 * The numbers of `src/wasm/layout.ts`: what is before their names, the modules that share them, and the names of those
 * that their crates put in the section `lanner.layout`, in order.
 */
export const layouts = [
  { prefix: '', of: ['small', 'verify', 'nacl', 'compat', 'fast'], names: ['ROOM', 'STATE'] },
  { prefix: 'X25519_', of: ['x25519'], names: [] },
  { prefix: 'FN_DSA_', of: ['fn-dsa'], names: [] },
];

/**
 * The names by which the code imports a module, and how it reaches the engine in each environment:
 * `embedded` has it as text, `inflated` as compressed text, `workerd` imports it.
 */
export const imports = {
  '#small': { module: 'small', browser: 'inflated' },
  '#compat': { module: 'compat', browser: 'embedded' },
  '#small-sync': { module: 'small', browser: 'embedded' },
  '#verify': { module: 'verify', browser: 'inflated' },
  '#fast': { module: 'fast', browser: 'inflated' },
  '#x25519': { module: 'x25519', browser: 'inflated' },
  '#fn-dsa': { module: 'fn-dsa', browser: 'inflated' },
  '#nacl': { module: 'nacl', browser: 'embedded' },
};

/** The modules that are fetched from an address: the name, and the modules that will do there. */
export const addresses = {
  '#small-address': { module: 'small', others: ['compat'] },
  '#fast-address': { module: 'fast', others: [] },
};

/** The modules that lie in the package to be served, `lanner/wasm/NAME.wasm`. */
export const served = () =>
  Object.values(addresses)
    .flatMap(({ module, others }) => [module, ...others])
    .filter((name) => modules.some((module) => module.name == name));

/** The entries: the name that users import, and the source. */
export const entries = {
  '.': 'index',
  './sync': 'sync',
  './verify': 'verify',
  './more': 'more',
  './more/fast': 'more-fast',
  './fast': 'fast',
  './x25519': 'x25519',
  './fn-dsa': 'fn-dsa',
  './keys': 'keys',
  './compat': 'compat',
  './tweetnacl': 'tweetnacl',
  './streaming': 'streaming',
  './streaming/fast': 'streaming-fast',
};

const file = (kind, name) => `./dist/${kind}/${name}.${kind == 'cjs' ? 'cjs' : 'js'}`;

/** `exports` of package.json. */
export const exportsMap = () => ({
  ...Object.fromEntries(
    Object.entries(entries).map(([entry, source]) => [
      entry,
      {
        import: { types: `./dist/esm/${source}.d.ts`, default: file('esm', source) },
        require: { types: `./dist/cjs/${source}.d.cts`, default: file('cjs', source) },
      },
    ]),
  ),
  ...Object.fromEntries(
    served().map((name) => [`./wasm/${name}.wasm`, `./dist/wasm/${name}.wasm`]),
  ),
  './package.json': './package.json',
});

/** `imports` of package.json. */
export const importsMap = () => ({
  ...Object.fromEntries(
    Object.entries(imports).map(([name, { module, browser }]) => {
      const both = (variant) => ({
        require: file('cjs', `wasm/${module}.${variant}`),
        default: file('esm', `wasm/${module}.${variant}`),
      });
      return [
        name,
        {
          workerd: file('esm', `wasm/${module}.workerd`),
          node: both('embedded'),
          browser: both(browser),
          default: both('embedded'),
        },
      ];
    }),
  ),
  ...Object.fromEntries(
    Object.entries(addresses).map(([name, { module }]) => [
      name,
      {
        workerd: file('esm', `wasm/${module}.workerd`),
        // CommonJS has no address of its own but that of a file, which is for Node alone.
        node: {
          require: file('cjs', `wasm/${module}.address`),
          default: file('esm', `wasm/${module}.address`),
        },
        default: file('esm', `wasm/${module}.address`),
      },
    ]),
  ),
  '#read-file': {
    node: { require: file('cjs', 'read-file.node'), default: file('esm', 'read-file.node') },
    default: { require: file('cjs', 'read-file'), default: file('esm', 'read-file') },
  },
});
