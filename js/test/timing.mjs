// Takes times of what handles secrets, with one secret that is always the same (class 0) and with others (class 1), in a
// random order: a line of the operation, the class and nanoseconds. Whoever judges them: `lanner-ct timing --program "node
// js/test/timing.mjs"`, to which a difference means that times depend on secrets, whatever the engine has made of the code.
import { randomBytes } from 'node:crypto';
import * as ed25519 from '../dist/sync.js';
import * as fast from '../dist/fast.js';
import { falcon512padded, fndsa512, fndsa1024 } from '../dist/fn-dsa-sync.js';
import * as ristretto from '../dist/ristretto-sync.js';
import * as x25519 from '../dist/x25519-sync.js';

/** Milliseconds of each operation. */
const TIME = 1000 * Number(process.argv[2] ?? 5);
const SECRETS = 256;
const message = new TextEncoder().encode('a message that is longer than one of its pieces');

/** Secrets of both classes, made in a random order, so that no class has places in memory of its own. */
const pool = ([same, make]) => {
  const classes = Array.from({ length: 2 * SECRETS }, (_, i) => [Math.random(), i & 1]);
  return classes.sort(([a], [b]) => a - b).map(([, chosen]) => [chosen, chosen ? make() : same.slice()]);
};

/** The secret that is always the same, and what makes others. */
const seeds = [randomBytes(32), () => new Uint8Array(randomBytes(32))];
const newKey = () => ed25519.newKeyPair().secretKey;
const keys = [newKey(), newKey];
/** Keys that take long to make are made once; which one it is, is drawn. What signing draws is another each time, for both. */
const keysOf = (scheme) => {
  const made = Array.from({ length: 64 }, () => scheme.newKeyPair().secretKey);
  return [scheme.newKeyPair().secretKey, () => made[Math.floor(Math.random() * made.length)].slice()];
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
  'control square-and-multiply': [[new Uint8Array(32), seeds[1]], control],
  'lanner/sync sign': [keys, (key) => ed25519.sign(message, key)],
  'lanner/sync keyPairFromSeed': [seeds, (seed) => ed25519.keyPairFromSeed(seed)],
  'lanner/x25519/sync sharedSecret': [seeds, (secret) => x25519.sharedSecret(secret, peer)],
  'lanner/x25519/sync keyPairFromSecretKey': [seeds, (secret) => x25519.keyPairFromSecretKey(secret)],
  'lanner/ristretto/sync multiply': [seeds, (scalar) => ristretto.multiply(scalar, element)],
  'lanner/fast sign': [keys, (key) => fast.sign(message, key)],
  'lanner/fn-dsa/sync fndsa512.sign': [keysOf(fndsa512), (key) => fndsa512.sign(message, key)],
  'lanner/fn-dsa/sync fndsa1024.sign': [keysOf(fndsa1024), (key) => fndsa1024.sign(message, key)],
  'lanner/fn-dsa/sync falcon512padded.sign': [keysOf(falcon512padded), (key) => falcon512padded.sign(message, key)],
  'lanner/fn-dsa/sync keyPairFromSecretKey': [keysOf(fndsa512), (key) => fndsa512.keyPairFromSecretKey(key)],
};

for (const [name, [secrets, operation]] of Object.entries(operations)) {
  const waits = operation(secrets[0]) instanceof Promise;
  // One place for both classes, and code that the engine has made fast.
  const secret = secrets[0].slice();
  const begin = performance.now();
  const lines = [];
  while (performance.now() < begin + TIME) {
    const drawn = pool(secrets);
    for (let i = 0; i < 4 * SECRETS; i++) {
      const [chosen, other] = drawn[Math.floor(Math.random() * drawn.length)];
      secret.set(other);
      const start = process.hrtime.bigint();
      const result = operation(secret);
      if (waits) await result;
      const took = process.hrtime.bigint() - start;
      if (performance.now() > begin + TIME / 10) lines.push(`${name.replaceAll(' ', '_')} ${chosen} ${took}\n`);
    }
  }
  process.stdout.write(lines.join(''));
}
