// The construction of docs/hybrid.md, over the functions of its halves.
import { refuse } from './checked.js';
import { publicKeyFromEd25519 } from './conversion.js';
import type { FnDsa, FnDsaOptions } from './fn-dsa-types.js';
import { makeHashes } from './hashing.js';
import type { Hybrid, HybridItem, HybridKeyPair, HybridOptions } from './hybrid-types.js';
import { createSigner, keyPairFromSeed, verify } from './index.js';
import type { Source } from './more-types.js';
import { ascii, copy, each, known } from './octets.js';
import { reading, type Opening } from './pieces.js';
import { rest, type Clock } from './session.js';
import { engine } from './small-engine.js';
import type { Bytes, KeyPair, Signer } from './types.js';

const hashes = /* @__PURE__ */ makeHashes(engine);
const hash = async (source: Source | Opening): Promise<Bytes> => (await hashes(source))[0]!;

const none = (): RangeError => RangeError('publicKey is not a key');

/** Copies and checks the context. */
const contextOf = (options?: HybridOptions): Uint8Array => {
  const own = copy('context', known(options, 'context')[0] ?? new Uint8Array());
  if (own.length > 255) throw RangeError('context must have at most 255 bytes');
  return own;
};

/**
 * Whether y is below p = 2^255 - 19, where a point has one encoding. What is not is refused with signatures that are not
 * valid anyway; to make a valid one would take a logarithm of one of a few points.
 */
const isCanonical = (point: Uint8Array): boolean =>
  (point[31]! & 127) < 127 || point[0]! < 237 || point.subarray(1, 31).some((octet) => octet < 255);

/** What is claimed of a message: its signature, whose it is, under which context. */
type Claim = [signature: Uint8Array, publicKey: Uint8Array<ArrayBuffer>, context: Uint8Array];

/** By which function of its halves a signature is made. */
type How = 'sign' | 'signChecked';

/** Both secret keys, ready to sign a message that is given by its SHA-512. */
interface Prepared {
  /** To be handed out: whoever has it may change it. */
  readonly publicKey: Bytes;
  /** The public key as the signers of the halves have it, which nobody else can reach. */
  own(): Bytes;
  sign(digest: Bytes, context: Uint8Array, how: How): Promise<Bytes>;
  wipe(): void;
}

/** The secret keys that were made here, and of which scheme: their bytes do not tell. */
const madeFor = /* @__PURE__ */ new WeakMap<Uint8Array, string>();

/** Both schemes in one; the secrets that its inner functions are given are their own, and overwritten by them. */
export const makeHybrid = (fnDsa: FnDsa<FnDsaOptions, 'FN-DSA'>, degree: 512 | 1024): Hybrid => {
  const name = `hybrid${degree}`;
  const label = ascii(`Ed25519+FN-DSA-${degree}-main-SHA512`);
  const prefix = Uint8Array.of(...ascii('LannerHybridSignature2026'), label.length, ...label);
  const lengths = {
    publicKey: 32 + fnDsa.lengths.publicKey,
    secretKey: 32,
    seed: 32,
    signature: 64 + fnDsa.lengths.signature,
  };

  /** Copies and checks a seed, which makes other keys with another degree, and is to be the key of one. */
  const seedOf = (what: 'seed' | 'secretKey', seed: Uint8Array): Uint8Array => {
    const other = madeFor.get(seed) ?? name;
    if (other != name) throw RangeError(`${what} was made for ${other}, not for ${name}`);
    return copy(what, seed, 32);
  };

  /** What both halves sign. */
  const representative = (keyHash: Bytes, context: Uint8Array, digest: Bytes): Uint8Array =>
    Uint8Array.of(...prefix, ...keyHash, context.length, ...context, ...digest);

  /** The key pairs of both halves, and the public key of the whole. */
  const derive = async (seed: Uint8Array) => {
    let seeds: Bytes | undefined;
    let first: KeyPair<Bytes> | undefined;
    try {
      seeds = await hash([prefix, seed]);
      first = await keyPairFromSeed(seeds.subarray(0, 32));
      const second = await fnDsa.keyPairFromSeed(seeds.subarray(32));
      const publicKey = Uint8Array.of(...first.publicKey, ...second.publicKey);
      return { publicKey, secrets: [first.secretKey, second.secretKey] as const };
    } catch (error) {
      first?.secretKey.fill(0);
      throw error;
    } finally {
      seed.fill(0);
      seeds?.fill(0);
    }
  };

  const publicKeyOf = async (seed: Uint8Array): Promise<Bytes> => {
    const { publicKey, secrets } = await derive(seed);
    for (const secret of secrets) secret.fill(0);
    return publicKey;
  };

  const pairOf = async (seed: Uint8Array): Promise<HybridKeyPair> => {
    const secretKey = seed.slice() as Bytes;
    try {
      const publicKey = await publicKeyOf(seed);
      madeFor.set(secretKey, name);
      return { publicKey, secretKey };
    } catch (error) {
      secretKey.fill(0);
      throw error;
    }
  };

  const prepare = async (seed: Uint8Array): Promise<Prepared> => {
    const { publicKey, secrets } = await derive(seed);
    let ed25519: Signer | undefined;
    try {
      // Of the public key, what is hashed here is what counts: the array itself is the caller's.
      const keyHash = await hash([publicKey]);
      const first = (ed25519 = await createSigner(secrets[0]));
      const second = await fnDsa.createSigner(secrets[1]);
      return {
        publicKey,
        own: () => Uint8Array.of(...first.publicKey, ...second.publicKey),
        sign: async (digest, context, how) => {
          const signed = representative(keyHash, context, digest);
          const halves = [await first[how](signed)];
          try {
            halves.push(await second[how](signed, { context: label }));
            return Uint8Array.of(...halves.flatMap((half) => [...half]));
          } finally {
            // What is not given out as a whole is not to be left in parts.
            for (const half of halves) half.fill(0);
          }
        },
        wipe: () => {
          first.wipe();
          second.wipe();
        },
      };
    } catch (error) {
      ed25519?.wipe();
      throw error;
    } finally {
      for (const secret of secrets) secret.fill(0);
    }
  };

  const claim = (signature: Uint8Array, publicKey: Uint8Array, context: Uint8Array): Claim => {
    const own: Claim = [
      copy('signature', signature),
      copy('publicKey', publicKey, lengths.publicKey),
      context,
    ];
    if (!isCanonical(own[1])) throw none();
    return own;
  };

  /** Refuses what is no key of Ed25519, or one of small order. */
  const checkFirst = (key: Uint8Array): void => {
    try {
      publicKeyFromEd25519(key.subarray(0, 32));
    } catch {
      throw none();
    }
  };

  const judge = async (message: Source | Opening, [signature, key, context]: Claim): Promise<boolean> => {
    const digest = await hash(message);
    const signed = representative(await hash([key]), context, digest);
    // The second half is looked at in any case: that tells whether its key is one. Of the first, a valid signature does.
    // The halves have one length each, and so has the whole.
    const second = await fnDsa.verify(signed, signature.subarray(64), key.subarray(32), { context: label });
    const valid = second && (await verify(signed, signature.subarray(0, 64), key.subarray(0, 32)));
    if (!valid) checkFirst(key);
    return valid;
  };

  /**
   * Gives a signature out only if it is right: the halves check themselves, but what they sign has been computed once. Here it is
   * computed again, from a message that is opened again, for the key that `ownKey` comes to.
   */
  const checked = async (
    made: Bytes,
    open: Opening,
    context: Uint8Array,
    ownKey: () => Bytes | Promise<Bytes>,
  ): Promise<Bytes> => {
    let failure: unknown;
    try {
      if ((await judge(open, [made, await ownKey(), context])) === true) return made;
    } catch (error) {
      failure = error;
    }
    return refuse(made, failure);
  };

  /** Signs with a key that is not kept. The message is read before the keys are derived. */
  const signOnce = async (
    open: Opening,
    seed: Uint8Array,
    context: Uint8Array,
    how: How = 'sign',
  ): Promise<Bytes> => {
    let prepared: Prepared | undefined;
    try {
      const digest = await hash(open);
      prepared = await prepare(seed.slice());
      const made = await prepared.sign(digest, context, how);
      // The keys are derived again, too: others would sign as well.
      return how == 'sign' ? made : await checked(made, open, context, () => publicKeyOf(seed));
    } finally {
      seed.fill(0);
      prepared?.wipe();
    }
  };

  return {
    name,
    lengths,
    newKeyPair: async () => pairOf(crypto.getRandomValues(new Uint8Array(32))),
    keyPairFromSeed: async (seed) => pairOf(seedOf('seed', seed)),
    keyPairFromSecretKey: async (secretKey) => pairOf(seedOf('secretKey', secretKey)),
    sign: async (message, secretKey, options) => {
      const [text, context] = [copy('message', message), contextOf(options)];
      return signOnce(() => [text], seedOf('secretKey', secretKey), context);
    },
    signChecked: async (message, secretKey, options) => {
      const [text, context] = [copy('message', message), contextOf(options)];
      return signOnce(() => [text], seedOf('secretKey', secretKey), context, 'signChecked');
    },
    signStream: (source, secretKey, options) =>
      reading(source, () => {
        const context = contextOf(options);
        const seed = seedOf('secretKey', secretKey);
        return (open) => signOnce(open, seed, context);
      }),
    createSigner: async (secretKey) => {
      const prepared = await prepare(seedOf('secretKey', secretKey));
      let [pending, wiped] = [0, false];
      const signing = async (
        open: Opening,
        context: Uint8Array,
        how: How = 'sign',
      ): Promise<Bytes> => {
        if (wiped) throw TypeError('signer has been wiped');
        pending++;
        try {
          const made = await prepared.sign(await hash(open), context, how);
          return how == 'sign' ? made : await checked(made, open, context, prepared.own);
        } finally {
          pending--;
          if (wiped && !pending) prepared.wipe();
        }
      };
      return {
        publicKey: prepared.publicKey,
        sign: async (message, options) => {
          const [text, context] = [copy('message', message), contextOf(options)];
          return signing(() => [text], context);
        },
        signChecked: async (message, options) => {
          const [text, context] = [copy('message', message), contextOf(options)];
          return signing(() => [text], context, 'signChecked');
        },
        signStream: (source, options) =>
          reading(source, () => {
            const context = contextOf(options);
            return (open) => signing(open, context);
          }),
        wipe: () => {
          wiped = true;
          if (!pending) prepared.wipe();
        },
      };
    },
    verify: async (message, signature, publicKey, options) => {
      const [text, context] = [copy('message', message), contextOf(options)];
      return judge([text], claim(signature, publicKey, context));
    },
    verifyBatch: async (items, options) => {
      const context = contextOf(options);
      const claims = each(items, ({ message, signature, publicKey }: HybridItem) => {
        const text = copy('message', message);
        return [text, claim(signature, publicKey, context)] as const;
      });
      const verdicts: boolean[] = [];
      const clock: Clock = [];
      for (const [text, own] of claims) {
        await rest(clock);
        verdicts.push(await judge([text], own));
      }
      return verdicts;
    },
    verifyStream: (source, signature, publicKey, options) =>
      reading(source, () => {
        const own = claim(signature, publicKey, contextOf(options));
        // The key is looked at before the message is opened and read, which may be long.
        checkFirst(own[1]);
        return async (open) => {
          const nothing = new Uint8Array();
          await fnDsa.verify(nothing, nothing, own[1].subarray(32));
          return judge(open, own);
        };
      }),
  };
};
