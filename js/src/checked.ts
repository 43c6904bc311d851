import { isOverflow } from './octets.js';
import type { Steps } from './session.js';
import type { Bytes } from './types.js';

/** Overwrites a signature that is not right, of which a failure may have told, and throws what is to be known of it. */
export const refuse = (made: Bytes, failure?: unknown): never => {
  made.fill(0);
  throw isOverflow(failure) ? failure : Error('the signature is not right: this key or this machine should sign no more');
};

/**
 * A signature that is made twice, each time from the secret key on, and given out only if it came out the same both times and is
 * valid. A fault of the machine while a signature is made can make one of which the key follows, and verification alone does
 * not see each of them: of another nonce for the same message, say.
 */
export function* twice(make: () => Steps<Bytes>, judge: (made: Bytes) => Steps<boolean>): Steps<Bytes> {
  const made = yield* make();
  let failure: unknown;
  try {
    const again = yield* make();
    // All octets count, wherever the first that differs stands: a wrong signature is a secret.
    const differing = again.reduce((bits, octet, i) => bits | (octet ^ made[i]!), again.length ^ made.length);
    again.fill(0);
    if (!differing && (yield* judge(made))) return made;
  } catch (error) {
    // What went well the first time does not fail the second time by itself, unless the engine's stack is full, which is no fault
    // of the machine: to whoever called, that error is the engine's.
    failure = error;
  }
  return refuse(made, failure);
}
