import { copy, each, known, type Own } from './octets.js';
import { RULES } from './rules.js';
import type { Steps } from './session.js';
import type { Bytes, Item, VerifyOptions } from './types.js';
import type { Exports } from './wasm/exports.js';
import { ROOM, STACK, STATE } from './wasm/layout.js';

/** Room for what lives from one piece of a message to the next: the end of the module's state. */
export const makeState = (): Uint8Array<ArrayBuffer> => new Uint8Array(STATE - ROOM);

/** Verification with an instance of a module. */
export interface Verifier {
  readonly wasm: Exports;
  /** Writes a few octets of input. */
  put(bytes: ArrayLike<number>, at?: number): void;
  /** The output. */
  take(length: number): Bytes;
  /**
   * Does something with the module, going on from a state that was kept outside of it: so one instance serves any
   * number of operations that are under way. Afterwards the module's stack, its input and its state are zeros; where
   * the work has failed, the state that is kept is as it was before.
   */
  run<T>(state: Uint8Array, work: () => T): T;
  /** Hashes a message, however long. */
  feed(message: Uint8Array): Steps<void>;
}

export const makeVerifier = (wasm: Exports): Verifier => {
  // The stack is from 0 to STACK; the state begins with ROOM octets of input, and ends at STATE. Where a call was broken off
  // (the engine's own stack was full, or a time was up), the stack pointer stayed where it was: it is put back before each.
  // No code but the module's runs while one lasts, for the module imports nothing.
  wasm.z.value = STACK;
  const address = wasm.i();
  const memory = new Uint8Array(wasm.memory.buffer);
  const put = (bytes: ArrayLike<number>, at = 0): void => memory.set(bytes, address + at);
  return {
    put,
    take: (length) => memory.slice(address, address + length),
    wasm,
    run: <T>(state: Uint8Array, work: () => T): T => {
      wasm.z.value = STACK;
      put(state, ROOM);
      try {
        const made = work();
        state.set(memory.subarray(address + ROOM, address + STATE));
        return made;
      } finally {
        memory.fill(0, 0, STACK).fill(0, address, address + STATE);
      }
    },
    *feed(message: Uint8Array): Steps<void> {
      for (let i = 0; i < message.length; i += ROOM) {
        if (i) yield;
        const part = message.subarray(i, i + ROOM);
        put(part);
        wasm.u(part.length);
      }
    },
  };
};

/** What is claimed of a message: its signature, whose it is, by which rules. */
export type Claim = [signature: Bytes, publicKey: Bytes, rules: number];

/** The rules that options name. They are read before the arrays of a call: what they run might change these. */
export const rulesOf = (options?: VerifyOptions): number => {
  const name = known(options, 'profile')[0] ?? 'strict';
  const rules = RULES[name];
  // What every object has besides, as `toString`, is no number.
  if (!(rules >= 0)) throw RangeError('no profile ' + name);
  return rules;
};

/** Copies and checks a claim. */
export const claim = (signature: Uint8Array, publicKey: Uint8Array, rules: number): Claim => [
  copy('signature', signature),
  copy('publicKey', publicKey, 32),
  rules,
];

/** The verdict about a claim. */
export function* judge(
  { put, feed, wasm }: Verifier,
  message: Bytes,
  [signature, publicKey, rules]: Claim,
): Steps<boolean> {
  if (signature.length != 64) return false;
  put(signature);
  put(publicKey, 64);
  wasm.v(0, rules);
  yield* feed(message);
  wasm.d?.();
  return !!wasm.f();
}

/** A way to the verdict: {@link judge}, or one of `long.ts`. */
export type Decide = typeof judge;

/**
 * An operation whose arguments are this code's own: its steps with an engine, and the secret among the arguments, which
 * is to be overwritten whatever happens.
 */
export type Plan<Engine, T> = [steps: (engine: Engine) => Steps<T>, secret?: Uint8Array];

/** How plans are made and carried out: at once, or as promises. */
export type Perform<Engine> = <T>(plan: () => Plan<Engine, T>) => unknown;

/** `verify` and `verifyBatch`. */
export const makeVerification = (own: Own, perform: Perform<Verifier>, decide: Decide = judge): object => {
  const plan = (own: Own, rules: number) => (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => {
    const text = own('message', message);
    const claimed = claim(signature, publicKey, rules);
    return (engine: Verifier) => decide(engine, text, claimed);
  };
  return {
    verify: (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array, options?: VerifyOptions) =>
      perform(() => [plan(own, rulesOf(options))(message, signature, publicKey)]),
    verifyBatch: (items: Iterable<Item>, options?: VerifyOptions) =>
      perform(() => {
        const one = plan(copy, rulesOf(options));
        const plans = each(items, (item) => one(item.message, item.signature, item.publicKey));
        return [
          function* (engine) {
            const verdicts: boolean[] = [];
            for (const steps of plans) {
              verdicts.push(yield* steps(engine));
              yield;
            }
            return verdicts;
          },
        ];
      }),
  };
};
