import { twice } from './checked.js';
import { KEYGEN, PIECE, SIGN, type Engine } from './fn-dsa-engine.js';
import type { FnDsaKeyPair, FnDsaOptions, Pieces } from './fn-dsa-types.js';
import {
  besides, feed, framing, makeJudging, makeVerifying, mark, owned,
  type Framed, type Parameters, type Perform, type Plan, type Stream, type Update,
} from './fn-dsa-verifying.js';
import { copy } from './octets.js';
import { reading } from './pieces.js';
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

  /** The members that sign, with a key that `key` makes of what is given behind the message. */
  const signers = <Given extends unknown[]>(key: (...given: Given) => Key) => {
    type All = [...key: Given, options?: FnDsaOptions];
    const sign = (by: typeof signTwice) => (message: Uint8Array, ...given: All) =>
      perform(() => {
        const framed = framing(given[key.length] as FnDsaOptions, parameters)(message);
        const own = key(...(given as unknown as Given));
        return [(engine) => by(engine, framed, own), own[0]];
      });
    return {
      sign: sign(signWith),
      signChecked: sign(signTwice),
      ...(stream && {
        signStream: (source: Pieces, ...given: All) =>
          reading(source, () => {
            const framed = besides(given[key.length] as FnDsaOptions, parameters);
            const own = key(...(given as unknown as Given));
            return (open) => stream(open, (engine) => keeping(engine, framed, own), update, finishKept, own[0]);
          }),
      }),
    };
  };

  const making = (seed: Uint8Array): Plan<FnDsaKeyPair> => [(engine) => keyPair(engine, seed), seed];
  const encoded = (secretKey: Uint8Array): Key => [owned('secretKey', secretKey, parameters), false];
  /** Makes something of a secret key: what it decodes to, its public key, and itself. */
  const preparing = <T>(secretKey: Uint8Array, make: (key: Uint8Array, publicKey: Bytes, own: Uint8Array) => T) =>
    perform(() => {
      const whole = encoded(secretKey);
      return [
        function* (engine): Steps<T> {
          return make(...prepare(engine, whole), whole[0]);
        },
        whole[0],
      ];
    });

  return {
    ...makeVerifying(parameters, perform, stream),
    ...signers(encoded),
    newKeyPair: () => perform(() => making(crypto.getRandomValues(new Uint8Array(lengths.seed)))),
    keyPairFromSeed: (seed: Uint8Array) => perform(() => making(copy('seed', seed, lengths.seed))),
    keyPairFromSecretKey: (secretKey: Uint8Array) =>
      preparing(secretKey, (key, publicKey, own) => {
        key.fill(0);
        return { publicKey, secretKey: mark(own.slice(), parameters) };
      }),
    createSigner: (secretKey: Uint8Array) =>
      preparing(secretKey, (key, publicKey) => {
        let wiped = false;
        return {
          publicKey,
          // By a copy: the key may be wiped before the signature is made. */
          ...signers((): Key => {
            if (wiped) throw TypeError('signer has been wiped');
            return [key.slice(), true];
          }),
          wipe: (): void => {
            key.fill(0);
            wiped = true;
          },
        };
      }),
  };
};
