// The tables of warm calls: what is in them, and running them.
import * as common from './libraries.mjs';
import { measure } from './measure.mjs';

export const message = (length) => Uint8Array.from({ length }, (_, i) => i * 7);

/** The lengths of messages, in bytes. */
export const SHORT = 32;
export const LONG = 10_000;
export const LONGEST = 1_000_000;

const BATCH = 64;
const isTrue = (verdict) => verdict === true;
const isPair = (pair) => pair?.publicKey !== undefined;
const allTrue = (verdicts) => verdicts.length == BATCH && verdicts.every(isTrue);

/** Cells of a library that signs; one that only verifies is given a signature. */
async function signing(library, api, { length, sample, batch, keys }) {
  const text = message(length);
  const pair = (await api.keyPair?.()) ?? sample;
  const signature = api.sign ? await api.sign(text, pair) : sample.signature(length);
  const { publicKey } = pair;
  const cell = (operation, run, good, per = 1) => ({ library, operation, run, good, per });
  const cells = [];
  if (keys && api.keyPair) cells.push(cell('key pair', api.keyPair, isPair));
  if (api.sign)
    cells.push(
      cell('sign', () => api.sign(text, pair), (made) => (made.byteLength ?? 0) >= 64),
    );
  cells.push(cell('verify', () => api.verify(text, signature, publicKey), isTrue));
  if (batch && (api.verifyBatch || api.loop)) {
    const items = [];
    while (items.length < BATCH) {
      const own = (await api.keyPair?.()) ?? sample;
      items.push({
        message: text,
        signature: api.sign ? await api.sign(text, own) : signature,
        publicKey: own.publicKey,
      });
    }
    const run = api.verifyBatch
      ? () => api.verifyBatch(items)
      : () => items.map((item) => api.verify(item.message, item.signature, item.publicKey));
    cells.push(cell(`verify ${BATCH}, each`, run, allTrue, BATCH));
  }
  return cells.filter(({ operation }) => api.measured?.includes(operation) ?? true);
}

/** Cells of X25519. */
async function agreeing(library, api) {
  const [a, b] = [await api.keyPair(), await api.keyPair()];
  const hex = async (secret) => String(new Uint8Array(await secret));
  if ((await hex(api.agree(a, b.publicKey))) != (await hex(api.agree(b, a.publicKey))))
    throw new Error(`${library}: the two sides do not agree`);
  return [
    { library, operation: 'key pair', run: api.keyPair, good: isPair, per: 1 },
    {
      library,
      operation: 'shared secret',
      run: () => api.agree(a, b.publicKey),
      good: (secret) => secret.byteLength == 32,
      per: 1,
    },
  ];
}

/**
 * Cells of Ristretto255, whose inputs are the same for all libraries: small multiples of the base point, and scalars of 252
 * bits. `given` has the results that all must come to.
 */
async function grouping(library, api, given) {
  const scalarOf = (i) => message(32).map((octet, j) => (j == 31 ? 15 : octet ^ (i * (j + 1))));
  given.terms ??= await Promise.all(
    Array.from({ length: BATCH }, async (_, i) => ({ scalar: scalarOf(i), element: await api.multiplyBase(scalarOf(i + 100)) })),
  );
  const { terms } = given;
  const [{ scalar, element }] = terms;
  const tag = new TextEncoder().encode('tag');
  const calls = {
    multiply: () => api.multiply(scalar, element),
    'multiply base': () => api.multiplyBase(scalar),
    add: () => api.add(element, element),
    hash: () => api.hash(message(SHORT), tag),
    [`sum of ${BATCH}, each`]: () => api.sum(terms),
  };
  return Promise.all(
    Object.entries(calls).map(async ([operation, run]) => {
      const right = String((given[operation] ??= await run()));
      return { library, operation, run, good: (result) => String(result) == right, per: operation.endsWith('each') ? BATCH : 1 };
    }),
  );
}

/** The tables: what each is called, the row that ratios are taken to, and its cells. */
const tables = (load, native, sample, group = {}) => [
  {
    id: 'ed25519-short',
    title: `Ed25519, messages of ${SHORT} bytes`,
    reference: 'lanner/fast',
    libraries: { ...common.ed25519(load), ...native.ed25519 },
    cells: (...of) => signing(...of, { length: SHORT, sample, keys: true, batch: true }),
  },
  {
    id: 'ed25519-long',
    title: `Ed25519, messages of ${LONG} bytes`,
    reference: 'lanner/fast',
    libraries: { ...common.ed25519(load), ...native.ed25519 },
    cells: (...of) => signing(...of, { length: LONG, sample }),
  },
  {
    id: 'ed25519-longest',
    title: `Ed25519, messages of ${LONGEST} bytes`,
    reference: 'lanner/fast',
    libraries: { ...common.ed25519(load), ...native.ed25519 },
    cells: (...of) => signing(...of, { length: LONGEST, sample }),
  },
  {
    id: 'x25519',
    title: 'X25519',
    reference: 'lanner/x25519',
    libraries: { ...common.x25519(load), ...native.x25519 },
    cells: agreeing,
  },
  {
    id: 'ristretto255',
    title: 'Ristretto255, bytes in and out',
    reference: 'lanner/ristretto',
    // In Node alone: the page in a browser would carry along more of noble than its other rows use.
    libraries: native.ed25519 ? common.ristretto255(load) : {},
    cells: (...of) => grouping(...of, group),
  },
  ...[512, 1024].map((degree) => ({
    id: `falcon-${degree}`,
    title: `Falcon-${degree} (round 3, padded signatures), messages of ${SHORT} bytes`,
    reference: 'lanner/fn-dsa',
    libraries: common.falcon(load, degree),
    cells: (...of) => signing(...of, { length: SHORT, sample, keys: true }),
  })),
];

/** A key pair and a signature for those who cannot make one. */
async function sampleFrom(load) {
  const { newKeyPair, sign } = await load('lanner');
  const { publicKey, secretKey } = await newKeyPair();
  const made = {};
  for (const length of [SHORT, LONG, LONGEST]) made[length] = await sign(message(length), secretKey);
  return { publicKey, signature: (length) => made[length] };
}

/**
 * Measures all tables: `{ tables: { id: { title, reference, times } }, missing: { library: reason } }`.
 * Of a table, only the rows are taken whose "id library operation" matches `only`, and those that
 * ratios are taken to.
 */
export async function warm(load, { native = {}, only = /(?:)/, tell = () => {}, ...how }) {
  const result = { tables: {}, missing: {} };
  const sample = await sampleFrom(load);
  const all = tables(load, native, sample);
  for (const [i, { id, title, reference, libraries, cells }] of all.entries()) {
    const own = (part) => tell((i + part) / all.length, title);
    await own(0);
    const made = [];
    for (const [library, start] of Object.entries(libraries)) {
      let api;
      try {
        api = await start();
      } catch (error) {
        result.missing[library] = String(error.message ?? error).split('\n')[0];
        continue;
      }
      made.push(...(await cells(library, api)));
    }
    const wanted = made.filter(({ library, operation }) => only.test(`${id} ${library} ${operation}`));
    const operations = new Set(wanted.map(({ operation }) => operation));
    const kept = made.filter(
      (cell) =>
        wanted.includes(cell) || (cell.library == reference && operations.has(cell.operation)),
    );
    if (!kept.length) continue;
    result.tables[id] = { title, reference, times: await measure(kept, { ...how, tell: own }) };
  }
  return result;
}
