/** How an argument becomes this code's own: {@link copy} or {@link still}. */
export type Own = (name: string, value: Uint8Array) => Uint8Array<ArrayBuffer>;

/** An object, and nothing like a string, which is made one when it is asked for a member. */
export const isObject = (value: unknown): value is object => Object(value) === value;

/** The octets of a text of ASCII. Not every environment has a `TextEncoder`. */
export const ascii = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/**
 * By the tag and not by `instanceof`: arrays of other realms (frames, test runners) are arrays, too. The tag alone any object
 * may have, which would be copied as if it were empty.
 */
export const isOctets = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] == 'Uint8Array';

/**
 * A copy of octets, of a certain number if one is given. The copy is what is checked and used: the array itself may
 * change at any time, by its owner while a promise is pending, by another thread even between two lines of code.
 */
export const copy = (
  name: string,
  value: Uint8Array,
  length?: number,
): Uint8Array<ArrayBuffer> => {
  if (!isOctets(value)) throw TypeError(name + ' must be a Uint8Array');
  const own = new Uint8Array(value);
  if (length && own.length != length) {
    // It may be a secret all the same.
    own.fill(0);
    throw RangeError(name + ' must have ' + length + ' bytes, not ' + own.length);
  }
  return own;
};

/**
 * Octets that do not change before this code has come to its end, if it never waits: a plain view, on which no code
 * but this runs; a copy, if another thread could change them.
 */
export const still: Own = (name, value) => {
  if (isOctets(value)) {
    // What it is to the engine, which a copy is made of, whatever its class says in the place of that.
    const [buffer, byteOffset, length] = ['buffer', 'byteOffset', 'length'].map((name) => Reflect.get(Uint8Array.prototype, name, value));
    // A view that has lost its memory, or lies outside of it by now, has no length, and is refused as it is copied.
    if (length && buffer instanceof ArrayBuffer) return new Uint8Array(buffer, byteOffset, length);
  }
  return copy(name, value);
};

/** A list that is one: of a promise, or of what is iterated over asynchronously, there would be no members to look at. */
export const list = <T>(name: string, items: Iterable<T>): Iterable<T> => {
  if (isObject(items) && Symbol.iterator in items) return items;
  throw TypeError(name + ' must be iterable: await or collect them');
};

/** All members of a list, each taken over when it comes: what gives them may change it before it gives the next. */
export const each = <T, U>(items: Iterable<T>, take: (item: T) => U): U[] => Array.from(list('items', items), take);

/** Whether an error says that the engine's own stack is full: its words are all that tells. */
export const isOverflow = (error: unknown): boolean => /call stack|recursion/.test(error as string);

/** Whether an object has a member by itself or by its class: not what some code has added to all objects. */
const has = (object: object | null, name: PropertyKey): unknown =>
  // The end of the chain, in this realm or another.
  object && !Object.hasOwn(object, 'isPrototypeOf') &&
  (Object.hasOwn(object, name) || has(Object.getPrototypeOf(object), name));

/**
 * The options of these names that were given, in their order. There must be none by an unknown name: one that is misspelt
 * would be left out, and nobody would know.
 */
export const known = <T extends object>(options: T = {} as T, ...names: string[]): T[keyof T][] => {
  if (!isObject(options)) throw TypeError('options must be an object');
  for (const name in options)
    if (has(options, name) && !names.includes(name)) throw TypeError('no option ' + name);
  return names.map((name) => (has(options, name) ? options[name as keyof T] : undefined) as T[keyof T]);
};
