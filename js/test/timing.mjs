// Takes times of what handles secrets, with one secret that is always the same (class 0) and with others (class 1), in a
// random order: a line of the operation, the class and nanoseconds. Whoever judges them: `lanner-ct timing --program "node
// js/test/timing.mjs"`, to which a difference means that times depend on secrets, whatever the engine has made of the code.
import { randomBytes } from 'node:crypto';
import * as ed25519 from '../dist/sync.js';
import * as fast from '../dist/fast.js';
import * as ristretto from '../dist/ristretto-sync.js';
import * as x25519 from '../dist/x25519-sync.js';

/** Milliseconds of each operation. */
const TIME = 1000 * Number(process.argv[2] ?? 5);
const SECRETS = 256;
const message = new TextEncoder().encode('a message that is longer than one of its pieces');

/** Secrets of both classes, each in memory of its own. */
const pool = (same, make) => [Array.from({ length: SECRETS }, () => same.slice()), Array.from({ length: SECRETS }, make)];

const seeds = () => pool(randomBytes(32), () => randomBytes(32));
const keys = () => {
  const make = () => ed25519.newKeyPair().secretKey;
  return pool(make(), make);
};
const peer = x25519.newKeyPair().publicKey;
const element = ristretto.newElement();

/** What leaks: a power of a number by squaring and multiplying, whose exponents have few bits in one class. */
const control = (secret) => {
  const modulus = 2n ** 255n - 19n;
  let power = 1n;
  for (const byte of secret)
    for (let bit = 7; bit >= 0; bit--) {
      power = (power * power) % modulus;
      if ((byte >> bit) & 1) power = (power * 3n) % modulus;
    }
  return power;
};

const operations = {
  'control square-and-multiply': [pool(new Uint8Array(32), () => randomBytes(32)), control],
  'lanner/sync sign': [keys(), (key) => ed25519.sign(message, key)],
  'lanner/sync keyPairFromSeed': [seeds(), (seed) => ed25519.keyPairFromSeed(seed)],
  'lanner/x25519/sync sharedSecret': [seeds(), (secret) => x25519.sharedSecret(secret, peer)],
  'lanner/x25519/sync keyPairFromSecretKey': [seeds(), (secret) => x25519.keyPairFromSecretKey(secret)],
  'lanner/ristretto/sync multiply': [seeds(), (scalar) => ristretto.multiply(scalar, element)],
  'lanner/fast sign': [keys(), (key) => fast.sign(message, key)],
};

for (const [name, [secrets, operation]] of Object.entries(operations)) {
  const waits = operation(secrets[0][0]) instanceof Promise;
  // One place for both classes, and code that the engine has made fast.
  const secret = secrets[0][0].slice();
  const end = performance.now() + TIME;
  const warm = performance.now() + TIME / 10;
  const lines = [];
  while (performance.now() < end) {
    const [draw, which] = randomBytes(2);
    const chosen = draw & 1;
    secret.set(secrets[chosen][which]);
    const start = process.hrtime.bigint();
    const result = operation(secret);
    if (waits) await result;
    const took = process.hrtime.bigint() - start;
    if (performance.now() > warm) lines.push(`${name.replaceAll(' ', '_')} ${chosen} ${took}\n`);
  }
  process.stdout.write(lines.join(''));
}
