import { isOrdinary } from './native-ordinary.js';
import type { NativeItem } from './native-types.js';
import { isOctets, type Own } from './octets.js';
import type { Bytes } from './types.js';
import { claim, type Claim } from './verifier.js';

/** A signature to verify, in copies of its own; a key of the engine stays what it is. */
export interface Request<Key> {
  readonly message: Uint8Array<ArrayBuffer>;
  readonly signature: Bytes;
  readonly publicKey: Bytes | Key;
  readonly rules: number;
}

/** Takes over what is given; `isKey` tells the keys of the engine, and `kinds` says what a key may be. */
export const makeRequest =
  <Key extends object>(own: Own, isKey: (key: unknown) => key is Key, kinds: string) =>
  ({ message, signature, publicKey }: NativeItem<Key>, rules: number): Request<Key> => {
    const text = own('message', message);
    const key = isKey(publicKey) ? publicKey : undefined;
    if (!key && !isOctets(publicKey)) throw TypeError('publicKey must be ' + kinds);
    const [copied, octets] = claim(signature, key ? new Uint8Array(32) : (publicKey as Uint8Array), rules);
    return { message: text, signature: copied as Bytes, publicKey: key ?? (octets as Bytes), rules };
  };

/** Rules that multiply the equation by the cofactor: see `rules.ts`. */
const COFACTORED = 1;

/** Whether the bare equation decides about a claim, and so an engine may that computes it. */
export const isForEngine = ([signature, publicKey, rules]: Claim): boolean =>
  !(rules & COFACTORED) && isOrdinary(signature, publicKey);
