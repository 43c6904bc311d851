// The goals, and what a run says to them.
import { ratios } from './measure.mjs';

const native = /^(node:|WebCrypto)/;
const own = /^lanner/;
/** Everything that is neither ours nor built into the engine. */
const peers = (library) => !own.test(library) && !native.test(library);
const is = (name) => (library) => library == name;

const sodium = is('libsodium-wrappers');
const node = is('node:crypto, KeyObject');
const entries = ['lanner/fast', 'lanner'];
const signer = (entry) => `${entry}, createSigner`;

/** The lengths of messages, by their tables. */
const lengths = { 'ed25519-short': '', 'ed25519-long': ', 10 kB', 'ed25519-longest': ', 1 MB' };

/**
 * Each: what, ours, the table and its column, the rows against it, by how much ours is to be faster, and the column of the
 * others where it is another one. A goal whose rows a run does not have is left out of its report.
 */
const goals = [
  ...Object.entries(lengths).flatMap(([table, words]) =>
    table == 'ed25519-longest'
      ? []
      : [
          [`verify${words}`, 'lanner/fast', table, 'verify', sodium, 1.7],
          [`sign, key ready${words}`, signer('lanner/fast'), table, 'sign', sodium, 1.7],
          [`sign with its check${words}`, 'lanner/fast', table, 'sign', sodium, 1],
          [`verify${words}`, 'lanner/fast', table, 'verify', node, 1.5],
          [`sign, key ready${words}`, signer('lanner/fast'), table, 'sign', node, 1],
        ],
  ),
  ['verify 64, each, over one by one', 'lanner/fast', 'ed25519-short', 'verify 64, each', is('lanner/fast'), 1.3, 'verify'],
  ...Object.entries(lengths).flatMap(([table, words]) => [
    [`verify${words}`, 'lanner', table, 'verify', sodium, 1],
    [`sign, key ready${words}`, signer('lanner'), table, 'sign', sodium, 1],
  ]),
  ['X25519 shared secret', 'lanner/x25519', 'x25519', 'shared secret', sodium, 1.7],
  ['Falcon-512 sign', 'lanner/fn-dsa', 'falcon-512', 'sign', peers, 10],
  ...['verify', 'all'].flatMap((call) =>
    entries.map((ours) => [
      `cold start, Ed25519, ${call == 'all' ? 'key pair, sign and verify' : 'verify'}`,
      ours,
      `ed25519-${call}`,
      'first',
      peers,
      1,
    ]),
  ),
  ['cold start, X25519', 'lanner/x25519', 'x25519-all', 'first', peers, 1],
  ['cold start, Falcon-512, verify', 'lanner/fn-dsa', 'falcon-verify', 'first', peers, 1],
  [
    'cold start, Falcon-512, key pair, sign and verify',
    'lanner/fn-dsa',
    'falcon-all',
    'first',
    peers,
    1,
  ],
];

/** Met, met only by the better quarter of the rounds, or how far from it. */
function verdict({ median, q3 }, goal) {
  if (median >= goal) return 'met';
  if (q3 >= goal) return 'within the spread, median short';
  return `short by ${Math.ceil((1 - median / goal) * 100)} %`;
}

/** The goals of speed, by the worst of the rows against each: a list of objects. */
export function speeds({ tables, cold = {} }) {
  const result = [];
  for (const [what, ours, table, column, against, goal, theirs = column] of goals) {
    const times = { ...tables, ...cold }[table]?.times ?? {};
    const mine = times[ours]?.[column];
    const candidates = Object.keys(times).filter((name) => against(name) && times[name][theirs]);
    if (!mine || !candidates.length) continue;
    const [decided, ratio] = candidates
      .map((name) => [name, ratios(times[name][theirs], mine)])
      .reduce((worst, next) => (next[1].median < worst[1].median ? next : worst));
    result.push({ what, ours, decided, ratio, goal, verdict: verdict(ratio, goal) });
  }
  return result;
}

/** The goals of size, in octets after gzip. */
export function octets(sizes) {
  const limit = (what, size, most, words) => ({
    what,
    size,
    most,
    words,
    verdict: size <= most ? 'met' : `over by ${size - most} bytes`,
  });
  const twentieth = Math.floor(sizes['libsodium-wrappers'].gzip / 20);
  const words = `a twentieth of libsodium-wrappers, ${sizes['libsodium-wrappers'].gzip}`;
  return [
    limit('lanner', sizes.lanner.gzip, 7400, 'the cap'),
    limit('lanner/verify', sizes['lanner/verify'].gzip, 5500, 'the cap'),
    limit('lanner', sizes.lanner.gzip, twentieth, words),
    limit('lanner/fast', sizes['lanner/fast'].gzip, twentieth, words),
    limit('lanner/x25519', sizes['lanner/x25519'].gzip, twentieth, words),
  ];
}
