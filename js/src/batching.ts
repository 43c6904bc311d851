// `verifyBatch` by one equation for many signatures, where the module has that: `wasm/fast/src/batch.rs`.
import { copy, each } from './octets.js';
import type { Steps } from './session.js';
import type { Bytes, Ed25519, Item, VerifyOptions } from './types.js';
import { claim, judge, rulesOf, type Claim, type Perform, type Verifier } from './verifier.js';

/** How many signatures a module takes at once, and from how many on that is faster than one by one. */
const MOST = 64;
const LEAST = 8;
/** The octets of each: the signature, the public key, and what SHA-512 makes of R, the public key and the message. */
const ITEM = 160;

/** The verdicts about at most {@link MOST} claims whose signatures have 64 octets. */
function* together(engine: Verifier, claims: [Bytes, Claim][]): Steps<boolean[]> {
  const { put, take, feed, wasm } = engine;
  const start = ([signature, publicKey, rules]: Claim): void => {
    put(signature);
    put(publicKey, 64);
    wasm.v(0, rules);
  };
  const digests: Bytes[] = [];
  for (const [message, claimed] of claims) {
    start(claimed);
    yield* feed(message);
    wasm.d!();
    digests.push(take(64));
    yield;
  }
  // From here to the answer without a pause: the input is everybody's.
  claims.forEach(([, [signature, publicKey]], i) => {
    put(signature, ITEM * i);
    put(publicKey, ITEM * i + 64);
    put(digests[i]!, ITEM * i + 96);
  });
  if (wasm.b!(claims.length, claims[0]![1][2])) return claims.map(() => true);
  const verdicts: boolean[] = [];
  for (const [i, [, claimed]] of claims.entries()) {
    yield;
    start(claimed);
    put(digests[i]!);
    verdicts.push(!!wasm.f());
  }
  return verdicts;
}

/** All verdicts, in order. */
function* verdicts(engine: Verifier, claims: [Bytes, Claim][]): Steps<boolean[]> {
  const all: boolean[] = claims.map(() => false);
  const whole = [...claims.keys()].filter((i) => claims[i]![1][0].length == 64);
  for (let at = 0; at < whole.length; at += MOST) {
    const places = whole.slice(at, at + MOST);
    if (places.length < LEAST || !engine.wasm.b)
      for (const i of places) {
        all[i] = yield* judge(engine, ...claims[i]!);
        yield;
      }
    else {
      const found = yield* together(engine, places.map((i) => claims[i]!));
      places.forEach((i, j) => (all[i] = found[j]!));
    }
  }
  return all;
}

/** `verifyBatch` of some functions in this way. */
export const batching = <T extends object>(made: T, perform: Perform<Verifier>): T => ({
  ...made,
  verifyBatch: ((items: Iterable<Item>, options?: VerifyOptions) =>
    perform(() => {
      const rules = rulesOf(options);
      const claims = each(items, ({ message, signature, publicKey }): [Bytes, Claim] => [
        copy('message', message),
        claim(signature, publicKey, rules),
      ]);
      return [(engine) => verdicts(engine, claims)];
    })) as Ed25519['verifyBatch'],
});
