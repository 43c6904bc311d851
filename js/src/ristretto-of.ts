import { copy, list } from './octets.js';
import type { Term } from './ristretto-types.js';
import type { Steps } from './session.js';
import type { Bytes } from './types.js';
import type { RistrettoExports } from './wasm/exports.js';
import { RISTRETTO_HASH, RISTRETTO_STACK } from './wasm/layout.js';

/** How many terms are summed without a pause: a few milliseconds. */
const TERMS = 128;

/** How much of a message is hashed without a pause, and lies in the module's memory at once. */
const PIECE = 65536;

/** What a call makes of the inputs: so many octets from their start. */
type Output = (length?: number) => Bytes;

/** Overwrites copies of what may be secret. */
export const wipe = (copies: Iterable<Uint8Array>): void => {
  for (const own of copies) own.fill(0);
};

/** An instance of the module. */
export interface Group {
  /**
   * Writes inputs one behind the other, and gives what `work` makes of them, which finds its output at their start.
   * Afterwards all memory that the call had is zeros.
   */
  run<T>(inputs: Uint8Array[], work: (wasm: RistrettoExports, output: Output) => T): T;
}

export const makeGroup = (wasm: RistrettoExports): Group => {
  // The memory may grow in any call, and then what was a view of it is none any more.
  const memory = () => new Uint8Array(wasm.memory.buffer);
  /** From the start of a call to its end. If it is so when one starts, the last was broken off: see `makeVerifier`. */
  let broken = false;
  return {
    run: (inputs, work) => {
      const length = inputs.reduce((sum, input) => sum + input.length, 0);
      wasm.z.value = RISTRETTO_STACK;
      // The module would take the length modulo 2^32.
      const start = length < 2 ** 31 && wasm.a(length);
      if (!start) throw RangeError(`lanner has no memory for ${length} bytes`);
      const whole = memory();
      if (broken) whole.fill(0, 0, RISTRETTO_STACK).fill(0, start);
      broken = true;
      try {
        let at = start;
        for (const input of inputs) {
          whole.set(input, at);
          at += input.length;
        }
        return work(wasm, (octets = 32) => memory().slice(start, start + octets));
      } finally {
        // Above 2^31, the end is a negative number to whoever calls the module.
        memory().fill(0, 0, RISTRETTO_STACK).fill(0, start, wasm.t() >>> 0);
        broken = false;
      }
    },
  };
};

/** An operation whose arguments are this code's own: its steps, and the copies, which are overwritten whatever happens. */
export type Plan<T> = [steps: (group: Group) => Steps<T>, copies: Iterable<Uint8Array>];

/** An argument: its name, what was given, and its length. */
type Given = [name: string, value: Uint8Array, length?: number];

/** Copies arguments; where one of them is none, the others are overwritten again. */
const owned = (given: Iterable<Given>): Bytes[] => {
  const copies: Bytes[] = [];
  try {
    for (const one of given) copies.push(copy(...one));
    return copies;
  } catch (error) {
    wipe(copies);
    throw error;
  }
};

/** The members of terms, one after the other: what gives them may change them before it gives the next. */
function* members(terms: Iterable<Term>): Iterable<Given> {
  for (const { scalar, element } of terms) {
    yield ['scalar', scalar, 32];
    yield ['element', element, 32];
  }
}

/** All functions, whose plans `perform` carries out: `Ristretto` or `RistrettoSync`. */
export const makeRistretto = (perform: <T>(plan: () => Plan<T>) => unknown): object => {
  /** What an operation in one step makes of its inputs, which `take` makes. */
  const making = <T>(take: () => Bytes[], work: (wasm: RistrettoExports, output: Output) => T) =>
    perform(() => {
      const copies = take();
      return [
        function* (group): Steps<T> {
          return group.run(copies, work);
        },
        copies,
      ];
    });
  /** The same of arguments. */
  const simply = <T>(given: Given[], work: (wasm: RistrettoExports, output: Output) => T) =>
    making(() => owned(given), work);

  /** A call of the module that may refuse: the names of the elements by which it was given, and what it says of zero. */
  const refusing =
    (call: (wasm: RistrettoExports) => number, names: readonly string[], zero = '') =>
    (wasm: RistrettoExports, output: Output): Bytes => {
      const refusal = call(wasm);
      if (!refusal) return output();
      throw RangeError(refusal > 2 ? zero : `${names[refusal - 1]} encodes no element`);
    };
  /** One that does not. */
  const always =
    (call: (wasm: RistrettoExports) => void) =>
    (wasm: RistrettoExports, output: Output): Bytes => {
      call(wasm);
      return output();
    };

  const zeros = (): Given => ['zero', new Uint8Array(32), 32];
  const two = (a: Uint8Array, b: Uint8Array): Given[] => [['a', a, 32], ['b', b, 32]];
  const sum = (minus: boolean) => refusing((wasm) => wasm.p(minus), ['a', 'b']);
  const NEUTRAL = 'the product is the neutral element';

  function* total(group: Group, members: Bytes[]): Steps<Bytes> {
    // Two for each term.
    const most = 2 * TERMS;
    let all = new Uint8Array(32) as Bytes;
    try {
      for (let i = 0; i < members.length; i += most) {
        if (i) yield;
        const some = members.slice(i, i + most);
        const work = refusing((wasm) => wasm.s(some.length / 2), ['scalar', 'element']);
        const parts = [all, group.run(some, work)];
        all = i ? group.run(parts, sum(false)) : parts[1]!;
        if (i) wipe(parts);
      }
      return all;
    } catch (error) {
      wipe([all]);
      throw error;
    }
  }
  const scalars = (operation: number) => (x: Uint8Array, y: Uint8Array) =>
    simply([['x', x, 32], ['y', y, 32]], always((wasm) => wasm.f(operation)));

  const hashing = (suite: number) => (message: Uint8Array, tag: Uint8Array) =>
    perform(() => {
      const copies = owned([['message', message], ['tag', tag]]);
      const [text, label] = copies as [Bytes, Bytes];
      if (!label.length) {
        wipe(copies);
        throw RangeError('tag must not be empty');
      }
      return [
        function* (group): Steps<Bytes> {
          // The hash, between two pieces: it is overwritten with the rest.
          const hash: Bytes = new Uint8Array(RISTRETTO_HASH);
          copies.push(hash);
          for (let at = 0; ; yield) {
            const [begin, part] = [!at, text.subarray(at, (at += PIECE))];
            const tag = label.subarray(at < text.length ? label.length : 0);
            const made = group.run([hash, part, tag], (wasm, output) => {
              wasm.h(suite, begin, part.length, tag.length);
              return output(tag.length ? 32 : RISTRETTO_HASH);
            });
            if (tag.length) return made;
            hash.set(made);
            wipe([made]);
          }
        },
        copies,
      ];
    });

  const random = (): Bytes[] => [crypto.getRandomValues(new Uint8Array(64))];

  return {
    isElement: (element: Uint8Array) => simply([['element', element, 32]], (wasm) => !!wasm.d()),
    equals: (a: Uint8Array, b: Uint8Array) =>
      // Both are elements if there is a difference, and the same if that is neutral: 32 zeros.
      simply(two(a, b), (wasm, output) => {
        const difference = sum(true)(wasm, output);
        const same = !difference.reduce((all, byte) => all | byte);
        difference.fill(0);
        return same;
      }),
    add: (a: Uint8Array, b: Uint8Array) => simply(two(a, b), sum(false)),
    subtract: (a: Uint8Array, b: Uint8Array) => simply(two(a, b), sum(true)),
    negate: (element: Uint8Array) =>
      simply([zeros(), ['element', element, 32]], refusing((wasm) => wasm.p(true), ['zero', 'element'])),
    multiply: (scalar: Uint8Array, element: Uint8Array) =>
      simply(
        [['scalar', scalar, 32], ['element', element, 32]],
        refusing((wasm) => wasm.m(false), ['scalar', 'element'], NEUTRAL),
      ),
    multiplyBase: (scalar: Uint8Array) =>
      simply([['scalar', scalar, 32]], refusing((wasm) => wasm.m(true), [], NEUTRAL)),
    multiscalar: (terms: Iterable<Term>) =>
      perform(() => {
        const copies = owned(members(list('terms', terms)));
        return [(group) => total(group, copies), copies];
      }),
    newElement: () => making(random, always((wasm) => wasm.u())),
    elementFromHash: (hash: Uint8Array) => simply([['hash', hash, 64]], always((wasm) => wasm.u())),
    newScalar: () =>
      making(random, (wasm, output) => {
        wasm.r();
        const scalar = output();
        // Once in 2^252 times, and each time if the engine gives nothing but zeros.
        if (scalar.reduce((all, byte) => all | byte)) return scalar;
        throw Error('crypto.getRandomValues gave zeros');
      }),
    isScalar: (scalar: Uint8Array) => simply([['scalar', scalar, 32]], (wasm) => !!wasm.l()),
    reduceScalar: (wide: Uint8Array) => simply([['wide', wide, 64]], always((wasm) => wasm.r())),
    addScalars: scalars(0),
    subtractScalars: scalars(1),
    multiplyScalars: scalars(2),
    negateScalar: (scalar: Uint8Array) =>
      simply([zeros(), ['scalar', scalar, 32]], always((wasm) => wasm.f(1))),
    invertScalar: (scalar: Uint8Array) =>
      simply([['scalar', scalar, 32]], refusing((wasm) => wasm.v(), [], 'scalar is zero: it has no inverse')),
    hashToRistretto255: hashing(0),
    hashToEdwards25519: hashing(1),
    encodeToEdwards25519: hashing(2),
    hashToCurve25519: hashing(3),
    encodeToCurve25519: hashing(4),
    hashToScalar: hashing(5),
  };
};
