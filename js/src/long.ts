// The challenge of a verification by the engine's own SHA-512. R, the public key and the message are public: nothing
// secret comes here, and nothing of a signature that is being made. There a wrong hash would give away the key: the next
// signature of the same message has the same nonce and another challenge.
import type { Steps } from './session.js';
import type { Claim, Decide, Verifier } from './verifier.js';
import type { Bytes } from './types.js';

/** From how many octets on the engine is asked. */
const LONG = 8192;
/** How many octets at most are hashed without a pause, where others wait: some four milliseconds. */
const PAUSE = 1 << 22;
/** From how many on it is worth while to copy all, and to wait. */
const APART = 1 << 17;
/** More are left alone: an engine that copies them may not have the memory. */
const MOST = 1 << 28;

/** A hash of octets one after another; undefined, or a failure, where there is none. */
type Hash<T> = (parts: Bytes[]) => T;

/** A digest that has the form of one. */
const formed = (digest: unknown): Uint8Array | undefined => {
  const octets = ArrayBuffer.isView(digest) ? digest : new Uint8Array(digest as ArrayBuffer);
  return octets instanceof Uint8Array && octets.length == 64 ? octets : undefined;
};

/** The lengths of messages by which an engine is tried: around the ends of a block, and of many. */
const LENGTHS: readonly number[] = [0, 1, 46, 47, 48, 63, 64, 65, 127, 128, 8191, 8192, 140001];
/** The start of the digest that the trial ends with, of which all others are a part: see {@link trial}. */
const OUTCOME = '23e66130a46d3036';

/** What is hashed in a trial: each digest is a part of what is hashed next. */
function* trial(): Generator<Uint8Array<ArrayBuffer>[], boolean, Uint8Array | undefined> {
  let last = new Uint8Array(64);
  for (const length of LENGTHS) {
    const message = Uint8Array.from({ length }, (_, i) => i * 7 + (i >> 8));
    const digest = yield [last.slice(0, 32), last.slice(32), message];
    if (!digest) return false;
    last = new Uint8Array(digest);
  }
  return Array.from(last.subarray(0, 8), (octet) => octet.toString(16).padStart(2, '0')).join('') == OUTCOME;
}

/** `node:crypto` where there is one, without an import that bundlers for browsers would have to resolve. */
const byNode = (): Hash<Uint8Array | undefined> | undefined => {
  interface Hashing {
    update(part: Uint8Array): Hashing;
    digest(): unknown;
  }
  try {
    const { process } = globalThis as {
      process?: { getBuiltinModule?: (name: string) => { createHash(name: string): Hashing } | undefined };
    };
    const { createHash } = process!.getBuiltinModule!('node:crypto')!;
    const hash: Hash<Uint8Array | undefined> = (parts) => {
      try {
        const hashing = createHash('sha512');
        for (const part of parts) hashing.update(part);
        return formed(hashing.digest());
      } catch {
        return undefined;
      }
    };
    const asked = trial();
    let step = asked.next();
    while (!step.done) step = asked.next(hash(step.value));
    return step.value ? hash : undefined;
  } catch {
    return undefined;
  }
};

/** WebCrypto, as it was when it was tried. */
const bySubtle = async (): Promise<Hash<Promise<Uint8Array | undefined>> | undefined> => {
  try {
    const { subtle } = crypto;
    const { digest } = subtle;
    const hash: Hash<Promise<Uint8Array | undefined>> = async (parts) => {
      try {
        const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const part of parts) {
          whole.set(part, at);
          at += part.length;
        }
        return formed(await digest.call(subtle, 'SHA-512', whole));
      } catch {
        return undefined;
      }
    };
    const asked = trial();
    let step = asked.next();
    while (!step.done) step = asked.next(await hash(step.value));
    return step.value ? hash : undefined;
  } catch {
    return undefined;
  }
};

/** What to hash: R, the public key, the message. */
const parts = (message: Bytes, [signature, publicKey]: Claim): Bytes[] => [signature.slice(0, 32), publicKey, message];

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

/** At once: by `node:crypto` alone, and by another way where that does not lead to a valid signature. */
export const openNow = (judge: Decide): Decide => {
  let tried: { hash: ReturnType<typeof byNode> } | undefined;
  return function* (verifier, message, claim) {
    if (message.length >= LONG) {
      const { hash } = (tried ??= { hash: byNode() });
      if (hash && isValid(verifier, claim, hash(parts(message, claim)))) return true;
    }
    return yield* judge(verifier, message, claim);
  };
};

/** Where nobody may wait for long: short messages as above, others by WebCrypto, apart. `give` gets what was found. */
export const open = async (judge: Decide, give: (made: Decide) => unknown): Promise<void> => {
  const now = byNode();
  const apart = await bySubtle();
  give(function* (verifier, message, claim) {
    const { length } = message;
    let digest: Uint8Array | undefined;
    if (now && length >= LONG && length <= PAUSE) digest = now(parts(message, claim));
    else if (apart && length >= APART && length <= MOST)
      yield apart(parts(message, claim)).then((made) => {
        digest = made;
      });
    return isValid(verifier, claim, digest) || (yield* judge(verifier, message, claim));
  });
};

/** When the event loop has run. By a message: timers are kept back, in pages that nobody looks at for a second. */
export const turn = (): Promise<void> =>
  new Promise<void>((done) => {
    let channel: MessageChannel;
    try {
      channel = new MessageChannel();
    } catch {
      // There is none, or, as in the edge runtime of Next.js, one that is not for use.
      return void setTimeout(done);
    }
    const { port1, port2 } = channel;
    port1.onmessage = () => done(port1.close());
    port2.postMessage(0);
  });
