import { makeEngine, type Engine } from './fn-dsa-engine.js';
import type { Scheme, Variants } from './fn-dsa-types.js';
import type { Parameters, Perform } from './fn-dsa-verifying.js';
import { atOnce, inTurns } from './session.js';
import type { FnDsaExports } from './wasm/exports.js';

const parameters = (own: keyof Variants, name: Scheme, variant: number, logn: number): Parameters => {
  const large = logn - 9;
  return {
    own,
    name,
    variant,
    logn,
    lengths: {
      publicKey: large ? 1793 : 897,
      secretKey: (large ? 2305 : 1281) + (variant == 1 ? 64 : 0),
      seed: 32,
      signature: [[666, 1280], [666, 1280], [752, 1462], [666, 1280], [809, 1577]][variant]![large]!,
    },
  };
};

const VARIANTS: readonly (readonly [keyof Variants, Scheme, variant: number, logn: number])[] = [
  ['fndsa512', 'FN-DSA', 0, 9],
  ['fndsa1024', 'FN-DSA', 0, 10],
  ['fndsa512draft2026', 'FN-DSA draft 2026', 1, 9],
  ['fndsa1024draft2026', 'FN-DSA draft 2026', 1, 10],
  ['falcon512', 'Falcon', 2, 9],
  ['falcon1024', 'Falcon', 2, 10],
  ['falcon512padded', 'Falcon', 3, 9],
  ['falcon1024padded', 'Falcon', 3, 10],
  ['falcon512ct', 'Falcon', 4, 9],
  ['falcon1024ct', 'Falcon', 4, 10],
];

/** All variants, each made by `make`. */
export const variants = (make: (parameters: Parameters) => object): object =>
  Object.fromEntries(VARIANTS.map(([own, name, variant, logn]) => [own, make(parameters(own, name, variant, logn))]));

/** Carries plans out as promises, the steps in turns with whatever else there is to do. */
export const promising =
  (engine: () => Promise<Engine>): Perform =>
  async (plan) => {
    const [steps, secret] = plan();
    try {
      return await inTurns((slice) => slice(), steps(await engine()));
    } finally {
      secret?.fill(0);
    }
  };

/** Carries plans out at once, over a module that is made when it is first needed. */
export const immediate = (instance: () => FnDsaExports): Perform => {
  let engine: Engine | undefined;
  return (plan) => {
    const [steps, secret] = plan();
    try {
      return atOnce(steps((engine ??= makeEngine(instance()))));
    } finally {
      secret?.fill(0);
    }
  };
};
