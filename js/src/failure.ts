/** The smallest module that has SIMD: the type of a function that takes a vector. */
const VECTOR = /* @__PURE__ */ Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 1, 123, 0);

/**
 * The error for a module that did not load, whose cause is that of the engine. What is missing is named, and what to do
 * `instead`, which every module that needs SIMD has; everything else (a policy, no memory) is said in the engine's
 * words. Whether there is SIMD is found by a validation, which no policy forbids.
 */
export const failure = (cause: unknown, instead = ''): Error => {
  const what = !instead || WebAssembly.validate(VECTOR) ? (cause as Error).message : 'no SIMD';
  return Error(`lanner cannot load: ${what}${/SIMD|Decomp/.test(what) ? instead : ''}`, { cause });
};
