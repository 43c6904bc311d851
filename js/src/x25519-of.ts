import { copy } from './octets.js';
import type { Bytes } from './types.js';
import type { X25519Exports } from './wasm/exports.js';
import { X25519_STACK } from './wasm/layout.js';
import type { X25519KeyPair } from './x25519-types.js';

/** X25519 with an instance of the module: the product of a scalar and a u. */
export type Multiply = (scalar: Uint8Array, u: Uint8Array) => Bytes;

export const makeMultiply = (wasm: X25519Exports): Multiply => {
  // Where it stayed if a call was broken off: see `makeVerifier`.
  wasm.z.value = X25519_STACK;
  const address = wasm.i();
  const memory = new Uint8Array(wasm.memory.buffer);
  return (scalar, u) => {
    wasm.z.value = X25519_STACK;
    try {
      memory.set(scalar, address);
      memory.set(u, address + 32);
      wasm.x();
      return memory.slice(address, address + 32);
    } finally {
      memory.fill(0, 0, X25519_STACK).fill(0, address, address + 64);
    }
  };
};

/** Work with a module, and the secret among its arguments, which is overwritten whatever happens. */
export type Plan<T> = [work: (multiply: Multiply) => T, secret: Uint8Array];

/** u = 9, the base point. */
const base = (): Uint8Array => {
  const u = new Uint8Array(32);
  u[0] = 9;
  return u;
};

/** All functions, whose plans `perform` carries out: `X25519` or `X25519Sync`. */
export const makeX25519 = (perform: <T>(plan: () => Plan<T>) => unknown): object => {
  const pairing = (secret: Uint8Array): Plan<X25519KeyPair<Bytes>> => [
    (multiply) => ({ publicKey: multiply(secret, base()), secretKey: secret.slice() as Bytes }),
    secret,
  ];
  return {
    newKeyPair: () => perform(() => pairing(crypto.getRandomValues(new Uint8Array(32)))),
    keyPairFromSecretKey: (secretKey: Uint8Array) =>
      perform(() => pairing(copy('secretKey', secretKey, 32))),
    sharedSecret: (secretKey: Uint8Array, publicKey: Uint8Array) =>
      perform(() => {
        const theirs = copy('publicKey', publicKey, 32);
        const own = copy('secretKey', secretKey, 32);
        return [
          (multiply) => {
            const product = multiply(own, theirs);
            // No secret: whether it is zero, the caller is told.
            if (product.reduce((all, byte) => all | byte)) return product;
            throw RangeError('publicKey is of small order: the product is zero');
          },
          own,
        ];
      }),
  };
};
