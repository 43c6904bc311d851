/** Where modules are imported there is SIMD, and nothing to fall back to. */
export const load: undefined = undefined;
