import { twice } from './checked.js';
import { KEYGEN, PIECE, SIGN, type Engine } from './fn-dsa-engine.js';
import type { FnDsaKeyPair, FnDsaOptions, Pieces } from './fn-dsa-types.js';
import {
  besides, feed, framing, makeJudging, makeVerifying, mark, owned,
  type Framed, type Parameters, type Perform, type Plan, type Stream, type Update,
} from './fn-dsa-verifying.js';
import { copy } from './octets.js';
import { opening } from './pieces.js';
import type { Steps } from './session.js';
import type { Bytes } from './types.js';

/** The randomness of one signature, and the room for it. */
const RANDOM = 40;
const OUTPUT = 1600;

const none = (): RangeError => RangeError('secretKey is not a key');

/** All functions over a variant. */
export const makeSigning = (parameters: Parameters, perform: Perform, stream?: Stream): object => {
  const { variant, logn, lengths } = parameters;
  const { judge } = makeJudging(parameters);
  /** Decodes a secret key to the address of one. */
  const decode = ({ wasm }: Engine, key: number, to: number): void => {
    if (!wasm.k(variant, key, lengths.secretKey, to)) throw none();
  };

  function* keyPair({ wasm, run }: Engine, seed: Uint8Array): Steps<FnDsaKeyPair> {
    const { secretKey, publicKey } = lengths;
    return run(KEYGEN, [seed, secretKey + publicKey], ([from, to], memory) => {
      if (!wasm.g(variant, logn, from!, to!)) throw Error('no key');
      return {
        publicKey: mark(memory.slice(to! + secretKey, to! + secretKey + publicKey), parameters),
        secretKey: mark(memory.slice(to!, to! + secretKey), parameters),
      };
    });
  }

  /** A secret key in its encoding, or decoded. */
  type Key = [own: Uint8Array, decoded: boolean];

  const draw = (): Bytes => crypto.getRandomValues(new Uint8Array(RANDOM));

  /** Puts a key where the module finds it decoded. */
  const place = (
    engine: Engine,
    [own, decoded]: Key,
    from: number,
    to: number,
    memory: Uint8Array<ArrayBuffer>,
  ): void => {
    if (decoded) memory.copyWithin(to, from, from + own.length);
    else decode(engine, from, to);
  };

  /** Begins to sign, with the inputs that `work` finds after the first four, and 40 random octets, which are overwritten. */
  const begin = <T>(
    engine: Engine,
    [, context, prehash]: Framed,
    whole: Key,
    random: Uint8Array,
    others: (Uint8Array | number)[],
    work: (at: number, addresses: number[], memory: Uint8Array<ArrayBuffer>) => T,
  ): T => {
    const { wasm, run, block } = engine;
    try {
      return run(SIGN, [block, whole[0], context, random, ...others], ([at, key, ctx, from, ...rest], memory) => {
        place(engine, whole, key!, at!, memory);
        if (!wasm.b(variant, at!, prehash, ctx!, context.length, from!)) throw none();
        return work(at!, rest, memory);
      });
    } finally {
      random.fill(0);
    }
  };
  const update =
    ({ wasm }: Engine): Update =>
    (at, piece, length) =>
      wasm.u(variant, at, piece, length);
  const finish = (
    { wasm }: Engine,
    at: number,
    to: number,
    memory: Uint8Array<ArrayBuffer>,
  ): Bytes => {
    const length = wasm.s(variant, at, to);
    if (!length) throw none();
    return memory.slice(to, to + length);
  };
  /** The block of a signature that was begun, to be kept; and the end of it. */
  const keeping = (engine: Engine, framed: Framed, key: Key, random: Uint8Array = draw()): Uint8Array =>
    begin(engine, framed, key, random, [], (at, _, memory) => memory.slice(at, at + engine.block));
  const finishKept = (engine: Engine, kept: Uint8Array | undefined): Bytes =>
    engine.run(SIGN, [kept!, OUTPUT], ([at, to], memory) => finish(engine, at!, to!, memory));

  function* signWith(engine: Engine, framed: Framed, key: Key, random: Uint8Array = draw()): Steps<Bytes> {
    const [message] = framed;
    if (message.length <= PIECE)
      return begin(engine, framed, key, random, [message, OUTPUT], (at, [text, to], memory) => {
        update(engine)(at, text!, message.length);
        return finish(engine, at, to!, memory);
      });
    let kept: Uint8Array | undefined;
    try {
      kept = keeping(engine, framed, key, random);
      yield* feed(engine, kept, message, update(engine));
      return finishKept(engine, kept);
    } finally {
      kept?.fill(0);
    }
  }

  /** The member that signs messages in pieces, where there is one. */
  const streamed = <Given extends unknown[]>(key: (...given: Given) => Key) =>
    stream && {
      signStream: async (source: Pieces, ...given: [...Given, options?: FnDsaOptions]) => {
        const open = opening(source);
        const framed = besides(given[key.length] as FnDsaOptions | undefined, parameters);
        const own = key(...(given as unknown as Given));
        return stream(open, (engine) => keeping(engine, framed, own), update, finishKept, own[0]);
      },
    };

  /** What a secret key decodes to, and the public key. */
  const prepare = (engine: Engine, whole: Key): [Uint8Array, Bytes] => {
    const { wasm, run } = engine;
    const prepared = wasm.n();
    return run(SIGN, [prepared, whole[0], lengths.publicKey], ([at, key, to], memory) => {
      place(engine, whole, key!, at!, memory);
      const length = wasm.p(variant, at!, to!);
      return [memory.slice(at!, at! + prepared), mark(memory.slice(to!, to! + length), parameters)];
    });
  };

  function* signTwice(engine: Engine, framed: Framed, key: Key): Steps<Bytes> {
    // The same randomness for both: it makes the signature.
    const random = draw();
    try {
      return yield* twice(
        () => signWith(engine, framed, key, random.slice()),
        (made) => {
          const [decoded, publicKey] = prepare(engine, key);
          decoded.fill(0);
          return judge(engine, framed, made, publicKey);
        },
      );
    } finally {
      random.fill(0);
    }
  }

  const making = (seed: Uint8Array): Plan<FnDsaKeyPair> => [(engine) => keyPair(engine, seed), seed];

  return {
    ...makeVerifying(parameters, perform, stream),
    ...streamed((secretKey: Uint8Array) => [owned('secretKey', secretKey, parameters), false]),
    newKeyPair: () => perform(() => making(crypto.getRandomValues(new Uint8Array(lengths.seed)))),
    keyPairFromSeed: (seed: Uint8Array) => perform(() => making(copy('seed', seed, lengths.seed))),
    keyPairFromSecretKey: (secretKey: Uint8Array) =>
      perform(() => {
        const own = owned('secretKey', secretKey, parameters);
        return [
          function* (engine): Steps<FnDsaKeyPair> {
            const [key, publicKey] = prepare(engine, [own, false]);
            key.fill(0);
            return { publicKey, secretKey: mark(own.slice() as Bytes, parameters) };
          },
          own,
        ];
      }),
    sign: (message: Uint8Array, secretKey: Uint8Array, options?: FnDsaOptions) =>
      perform(() => {
        const framed = framing(message, options, parameters);
        const own = owned('secretKey', secretKey, parameters);
        return [(engine) => signWith(engine, framed, [own, false]), own];
      }),
    signChecked: (message: Uint8Array, secretKey: Uint8Array, options?: FnDsaOptions) =>
      perform(() => {
        const framed = framing(message, options, parameters);
        const own = owned('secretKey', secretKey, parameters);
        return [(engine) => signTwice(engine, framed, [own, false]), own];
      }),
    createSigner: (secretKey: Uint8Array) =>
      perform(() => {
        const own = owned('secretKey', secretKey, parameters);
        return [
          function* (engine) {
            const [key, publicKey] = prepare(engine, [own, false]);
            let wiped = false;
            /** A copy: the key may be wiped before the signature is made. */
            const ready = (): Key => {
              if (wiped) throw TypeError('signer has been wiped');
              return [key.slice(), true];
            };
            const sign = (by: typeof signTwice) => (message: Uint8Array, options?: FnDsaOptions) =>
              perform(() => {
                const framed = framing(message, options, parameters);
                const mine = ready();
                return [(other) => by(other, framed, mine), mine[0]];
              });
            return {
              publicKey,
              ...streamed(ready),
              sign: sign(signWith),
              signChecked: sign(signTwice),
              wipe: (): void => {
                key.fill(0);
                wiped = true;
              },
            };
          },
          own,
        ];
      }),
  };
};
