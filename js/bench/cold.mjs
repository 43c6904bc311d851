// The first call after loading: what is loaded, and what is called. Each sample is taken in a fresh
// process (`bench/first.mjs`) or a fresh page.
import * as common from './libraries.mjs';
import { rotated } from './measure.mjs';

/** What is measured: the libraries and what is called once. */
export const scenarios = (load, native = {}) => ({
  'ed25519-verify': {
    title: 'Ed25519: load and verify once',
    libraries: { ...common.ed25519(load), ...native.ed25519 },
    call: verifies,
  },
  'ed25519-all': {
    title: 'Ed25519: load, key pair, sign and verify once',
    libraries: { ...common.ed25519(load), ...native.ed25519 },
    call: signsAndVerifies,
  },
  'x25519-all': {
    title: 'X25519: load, key pair and shared secret once',
    libraries: { ...common.x25519(load), ...native.x25519 },
    call: agrees,
  },
  'falcon-verify': {
    title: 'Falcon-512: load and verify once',
    libraries: common.falcon(load, 512),
    call: verifies,
  },
  'falcon-all': {
    title: 'Falcon-512: load, key pair, sign and verify once',
    libraries: common.falcon(load, 512),
    call: signsAndVerifies,
  },
});

const keyOf = (api, bytes) => (api.publicKeyOf ? api.publicKeyOf(bytes) : bytes);

async function verifies(api, { message, signature, publicKey }) {
  return (await api.verify(message, signature, await keyOf(api, publicKey))) === true;
}

async function signsAndVerifies(api, { message }) {
  if (!api.sign) return undefined;
  const pair = await api.keyPair();
  const signature = await api.sign(message, pair);
  return (await api.verify(message, signature, pair.publicKey)) === true;
}

async function agrees(api, { publicKey }) {
  const secret = await api.agree(await api.keyPair(), await keyOf(api, publicKey));
  return secret.byteLength == 32;
}

/** Not another way into a library that has a row of its own; and only what can do what is called. */
const others = /createSigner|bytes in|DER in|JWK in/;
export const rowsOf = (scenario, { libraries }) =>
  Object.keys(libraries).filter(
    (name) => !others.test(name) && !(scenario.endsWith('-all') && name == 'lanner/verify'),
  );

/** Milliseconds from the beginning of loading to the end of the call. */
export async function first({ libraries, call }, library, sample) {
  const start = performance.now();
  const good = await call(await libraries[library](), sample);
  const time = performance.now() - start;
  if (!good) throw new Error(`${library}: the first call gave a wrong result`);
  return time;
}

/** Bytes in hexadecimal, to and fro. */
export const toText = (sample) =>
  Object.fromEntries(
    Object.entries(sample).map(([name, bytes]) => [
      name,
      Array.from(bytes, (octet) => octet.toString(16).padStart(2, '0')).join(''),
    ]),
  );
export const fromText = (sample) =>
  Object.fromEntries(
    Object.entries(sample).map(([name, text]) => [
      name,
      Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16)),
    ]),
  );

/** A message, a signature and a public key for each scenario. */
export async function samples(load) {
  const message = new Uint8Array(32).fill(7);
  const { newKeyPair, sign } = await load('lanner');
  const own = await newKeyPair();
  const x = await (await load('lanner/x25519')).newKeyPair();
  const { falcon512padded } = await load('lanner/fn-dsa');
  const f = await falcon512padded.newKeyPair();
  const ed25519 = {
    message,
    publicKey: own.publicKey,
    signature: await sign(message, own.secretKey),
  };
  const falcon = {
    message,
    publicKey: f.publicKey,
    signature: await falcon512padded.sign(message, f.secretKey),
  };
  return {
    'ed25519-verify': ed25519,
    'ed25519-all': ed25519,
    'x25519-all': { publicKey: x.publicKey },
    'falcon-verify': falcon,
    'falcon-all': falcon,
  };
}

/**
 * Runs all scenarios, `rounds` times, libraries taking turns; `take(scenario, library, sample)` gives
 * the milliseconds of one start.
 */
export async function cold(all, take, { rounds, made, missing, only = /(?:)/, tell = () => {} }) {
  const result = {};
  for (const [i, [scenario, entry]] of Object.entries(all).entries()) {
    const names = rowsOf(scenario, entry).filter(
      (name) => !(name in missing) && only.test(`cold ${scenario} ${name}`),
    );
    if (!names.length) continue;
    const times = Object.fromEntries(names.map((name) => [name, { first: [] }]));
    for (let round = 0; round < rounds; round++) {
      await tell((i + round / rounds) / Object.keys(all).length, entry.title);
      for (const name of rotated(names, round))
        times[name].first.push(await take(scenario, name, made[scenario]));
    }
    const reference = names.find((name) => /^lanner(\/x25519|\/fn-dsa)?$/.test(name));
    result[scenario] = { title: entry.title, reference, times };
  }
  return result;
}
