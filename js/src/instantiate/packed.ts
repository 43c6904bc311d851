/**
 * A module as the package carries it: compressed (deflate), in base64; where the platform imports modules and compiles
 * none, the module itself.
 */
export type Packed = string | (WebAssembly.Module & object);
