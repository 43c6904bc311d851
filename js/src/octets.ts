/** How an argument becomes this code's own: {@link copy} or {@link still}. */
export type Own = (name: string, value: Uint8Array) => Uint8Array<ArrayBuffer>;

/** By the tag and not by `instanceof`: arrays of other realms (frames, test runners) are arrays, too. */
export const isOctets = (value: unknown): value is Uint8Array =>
  (value as Uint8Array | undefined)?.[Symbol.toStringTag] == 'Uint8Array';

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
    throw RangeError(`${name} must have ${length} bytes, not ` + own.length);
  }
  return own;
};

/**
 * Octets that do not change before this code has come to its end, if it never waits: a plain view, on which no code
 * but this runs; a copy, if another thread could change them.
 */
export const still: Own = (name, value) => {
  if (isOctets(value)) {
    const { buffer, byteOffset, length } = value;
    if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer, byteOffset, length);
  }
  return copy(name, value);
};

/**
 * The options that were given, none of them by an unknown name: one that is misspelt would be left out, and nobody
 * would know.
 */
export const known = <T extends object>(options: T = {} as T, ...names: string[]): T => {
  if (Object(options) !== options) throw TypeError('options must be an object');
  for (const name in options) if (!names.includes(name)) throw TypeError('no option ' + name);
  return options;
};
