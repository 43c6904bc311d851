/**
 * Hybrid signatures, experimental: one of Ed25519 and one of FN-DSA over the same data, both of which must be valid. A
 * forger has to break both schemes. FN-DSA is no standard yet; the specification, with test vectors, and what will become of
 * it then is docs/hybrid.md in the repository. What is given to a function has been copied when it returns its promise.
 *
 * @module
 */
import { fndsa512, fndsa1024 } from './fn-dsa.js';
import { makeHybrid } from './hybrid-of.js';
import type { Hybrid } from './hybrid-types.js';

export type { Pieces } from './fn-dsa-types.js';
export type {
  Hybrid,
  HybridItem,
  HybridKeyPair,
  HybridLengths,
  HybridOptions,
  HybridSigner,
} from './hybrid-types.js';
export type { Source } from './more-types.js';
export type { Bytes } from './types.js';

/**
 * Ed25519 and FN-DSA-512 in one, `ed25519+fn-dsa-512` elsewhere: public keys of 929 bytes, signatures of 730, secret keys
 * of 32.
 */
export const hybrid512: Hybrid = /* @__PURE__ */ makeHybrid(fndsa512, 512);

/**
 * Ed25519 and FN-DSA-1024 in one, `ed25519+fn-dsa-1024` elsewhere: public keys of 1825 bytes, signatures of 1344, secret
 * keys of 32.
 */
export const hybrid1024: Hybrid = /* @__PURE__ */ makeHybrid(fndsa1024, 1024);
