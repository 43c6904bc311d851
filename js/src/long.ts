// The challenge of a verification by the engine's own SHA-512. R, the public key and the message are public: nothing
// secret comes here, and nothing of a signature that is being made. There a wrong hash would give away the key: the next
// signature of the same message has the same nonce and another challenge.
import type { Steps } from './session.js';
import type { Claim, Decide, Verifier } from './verifier.js';
import type { Bytes } from './types.js';

/** From how many octets on the engine is asked. */
const LONG = 8192;
/** How many octets are hashed in one go: about a millisecond. */
const PIECE = 1 << 20;

/** A hash that was begun, of `node:crypto`. */
interface Hashing {
  update(part: Uint8Array): unknown;
  digest(): unknown;
}
/** Begins a hash. */
type Begin = () => Hashing;

/** A digest that has the form of one. */
const formed = (digest: unknown): Uint8Array | undefined =>
  digest instanceof Uint8Array && digest.length == 64 ? digest : undefined;

/** Hashes octets one after another; undefined where the engine fails, or gives what is no digest. */
function* digested(begin: Begin, parts: Bytes[]): Steps<Uint8Array | undefined> {
  try {
    const hashing = begin();
    for (const part of parts)
      for (let i = 0; i < part.length; i += PIECE) {
        if (i) yield;
        hashing.update(part.subarray(i, i + PIECE));
      }
    return formed(hashing.digest());
  } catch {
    return undefined;
  }
}

/** The lengths of messages by which an engine is tried: around the ends of a block, and of many. */
const LENGTHS: readonly number[] = [0, 1, 46, 47, 48, 63, 64, 65, 127, 128, 8191, 8192, 140001];
/** The start of the digest that the trial ends with. */
const OUTCOME = '23e66130a46d3036';

/** Whether an engine passes its trial: each digest is a part of what is hashed next. One that fails in it throws. */
const passes = (begin: Begin): boolean => {
  let last = new Uint8Array(64);
  for (const length of LENGTHS) {
    const message = Uint8Array.from({ length }, (_, i) => i * 7 + (i >> 8));
    const hashing = begin();
    for (const part of [last.subarray(0, 32), last.subarray(32), message]) hashing.update(part);
    const digest = formed(hashing.digest());
    if (!digest) return false;
    last = new Uint8Array(digest);
  }
  return Array.from(last.subarray(0, 8), (octet) => octet.toString(16).padStart(2, '0')).join('') == OUTCOME;
};

/** A module of Node where there is one, without an import that bundlers for browsers would have to resolve. */
const builtin = (name: string): Record<string, unknown> =>
  (globalThis as unknown as { process: { getBuiltinModule(name: string): Record<string, unknown> } }).process.getBuiltinModule(name);

/**
 * `node:crypto` where there is one. WebCrypto is not
 * asked: it copies, and its answer takes longer to come than the module's own hash, whatever the length.
 */
const byNode = (): Begin | undefined => {
  try {
    const { createHash } = builtin('node:crypto') as { createHash(name: string): Hashing };
    const begin = () => createHash('sha512');
    return passes(begin) ? begin : undefined;
  } catch (error) {
    // That the stack is full says nothing of the engine, which is tried but once. Where there is `node:crypto`, that is a
    // `RangeError`. (What this module shared with those that load it later would be a third one in bundles.)
    if (error instanceof RangeError) throw error;
    return undefined;
  }
};

/**
 * Whether a signature is valid, by a digest from the engine. That it is not, nobody says here: where an engine goes wrong
 * now and then, the package's own hash has the last word.
 */
const isValid = ({ put, wasm }: Verifier, [signature, publicKey, rules]: Claim, digest?: Uint8Array): boolean => {
  if (!digest || signature.length != 64) return false;
  put(signature);
  put(publicKey, 64);
  wasm.v(0, rules);
  put(digest);
  return !!wasm.f();
};

/** The way to the verdict by the engine's hash, and by another way where that does not lead to a valid signature. */
export const open = (judge: Decide): Decide => {
  let tried: { begin: Begin | undefined } | undefined;
  return function* (verifier, message, claim) {
    if (message.length >= LONG) {
      const { begin } = (tried ??= { begin: byNode() });
      const [signature, publicKey] = claim;
      if (begin && isValid(verifier, claim, yield* digested(begin, [signature.slice(0, 32), publicKey, message]))) return true;
    }
    return yield* judge(verifier, message, claim);
  };
};

/** Node's own timer before all: what tests put in the place of the other one stands still. */
const timer = (): ((done: () => void) => unknown) => {
  try {
    return builtin('node:timers').setTimeout as typeof setTimeout;
  } catch {
    return setTimeout;
  }
};

/** What waits for rounds of the event loop, one after another: `round` for one, and `close` in the end. */
interface Rounds {
  round(): Promise<unknown>;
  close(): void;
}

/**
 * By messages: timers are kept back, in pages that nobody looks at for a second. One channel for all rounds that somebody
 * waits for: to make one takes longer than to use it several times. (One for all who wait would end with the request that made
 * it.) A message there and one back: Node may deliver what is sent to a port while that is served before the event loop runs.
 */
const rounds = (): Rounds => {
  try {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => port1.postMessage(0);
    return {
      round: () =>
        new Promise((done) => {
          port2.onmessage = done;
          port2.postMessage(0);
        }),
      close: () => port1.close(),
    };
  } catch {
    // There is none, or, as in the edge runtime of Next.js, one that is not for use.
    return { round: () => new Promise((done) => timer()(done as () => void)), close: () => {} };
  }
};

/** In how many rounds of the event loop all who wait have their turns, where they are more. */
const MOST = 16;

/** How many have waited for a turn of theirs. */
let asked = 0;
/** How many of these may have it. */
let admitted = 0;
/** In how many rounds of the event loop that was settled. */
let settled = 0;

/**
 * When the event loop has run, as often as there are others who wait, so that it runs between the turns of any two of `MOST`. Of more than
 * `MOST`, the first of them have their turns in one round, a `MOST`th part of all: each round wakes all who wait, and with a single
 * turn in it the work of many would grow with the square of their number. So for each turn at most `MOST` are woken. Gives how many
 * wait then, and one more.
 *
 * Each waits by itself, and for no other's promise: what a request has begun may end with it, and what is never settled would
 * keep all others waiting. A turn that nobody takes any more has passed like any other.
 */
export const turn = async (): Promise<number> => {
  const own = asked++;
  const { round, close } = rounds();
  do {
    const next = settled + 1;
    await round();
    // The first who is woken in a round settles who has a turn in it.
    if (settled < next) {
      settled = next;
      admitted += Math.ceil((asked - admitted) / MOST);
    }
  } while (own >= admitted);
  close();
  return 1 + asked - admitted;
};
