import { KEYGEN, PIECE, SIGN, type Engine } from './fn-dsa-engine.js';
import type { FnDsaKeyPair, FnDsaOptions, Pieces } from './fn-dsa-types.js';
import {
  besides, feed, framing, makeVerifying, mark, owned,
  type Framed, type Parameters, type Perform, type Plan, type Stream, type Update,
} from './fn-dsa-verifying.js';
import { copy } from './octets.js';
import type { Steps } from './session.js';
import type { Bytes } from './types.js';

/** The randomness of one signature, and the room for it. */
const RANDOM = 40;
const OUTPUT = 1600;

const none = (): RangeError => RangeError('secretKey is not a key');

/** All functions over a variant. */
export const makeSigning = (parameters: Parameters, perform: Perform, stream?: Stream): object => {
  const { variant, logn, lengths } = parameters;
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

  /** Begins to sign, with the inputs that `work` finds after the first four, and 40 random octets. */
  const begin = <T>(
    engine: Engine,
    [, context, prehash]: Framed,
    [own, decoded]: Key,
    others: (Uint8Array | number)[],
    work: (at: number, addresses: number[], memory: Uint8Array<ArrayBuffer>) => T,
  ): T => {
    const { wasm, run, block } = engine;
    const random = crypto.getRandomValues(new Uint8Array(RANDOM));
    try {
      return run(SIGN, [block, own, context, random, ...others], ([at, key, ctx, from, ...rest], memory) => {
        if (decoded) memory.copyWithin(at!, key!, key! + own.length);
        else decode(engine, key!, at!);
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
  const keeping = (engine: Engine, framed: Framed, key: Key): Uint8Array =>
    begin(engine, framed, key, [], (at, _, memory) => memory.slice(at, at + engine.block));
  const finishKept = (engine: Engine, kept: Uint8Array | undefined): Bytes =>
    engine.run(SIGN, [kept!, OUTPUT], ([at, to], memory) => finish(engine, at!, to!, memory));

  function* signWith(engine: Engine, framed: Framed, key: Key): Steps<Bytes> {
    const [message] = framed;
    if (message.length <= PIECE)
      return begin(engine, framed, key, [message, OUTPUT], (at, [text, to], memory) => {
        update(engine)(at, text!, message.length);
        return finish(engine, at, to!, memory);
      });
    let kept: Uint8Array | undefined;
    try {
      kept = keeping(engine, framed, key);
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
        const framed = besides(given[key.length] as FnDsaOptions | undefined, parameters);
        const own = key(...(given as unknown as Given));
        return stream(source, (engine) => keeping(engine, framed, own), update, finishKept, own[0]);
      },
    };

  /** What a secret key decodes to, and the public key. */
  const prepare = ({ wasm, run }: Engine, own: Uint8Array): [Uint8Array, Bytes] => {
    const prepared = wasm.n();
    return run(SIGN, [prepared, own, lengths.publicKey], ([at, key, to], memory) => {
      if (!wasm.k(variant, key!, lengths.secretKey, at!)) throw none();
      const length = wasm.p(variant, at!, to!);
      return [memory.slice(at!, at! + prepared), mark(memory.slice(to!, to! + length), parameters)];
    });
  };

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
            const [key, publicKey] = prepare(engine, own);
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
    createSigner: (secretKey: Uint8Array) =>
      perform(() => {
        const own = owned('secretKey', secretKey, parameters);
        return [
          function* (engine) {
            const [key, publicKey] = prepare(engine, own);
            let wiped = false;
            /** A copy: the key may be wiped before the signature is made. */
            const ready = (): Key => {
              if (wiped) throw TypeError('signer has been wiped');
              return [key.slice(), true];
            };
            return {
              publicKey,
              ...streamed(ready),
              sign: (message: Uint8Array, options?: FnDsaOptions) =>
                perform(() => {
                  const framed = framing(message, options, parameters);
                  const mine = ready();
                  return [(other) => signWith(other, framed, mine), mine[0]];
                }),
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
