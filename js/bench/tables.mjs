// Results as tables, `{ title, note, head, rows }` of texts, and tables as text and as Markdown.
import { octets, speeds } from './goals.mjs';
import { ratios, summary } from './measure.mjs';

const number = (value) =>
  value >= 1000 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const spread = ({ median, q1, q3 }, show = number) => `${show(median)} [${show(q1)} ${show(q3)}]`;
const fixed = (value) => value.toFixed(2);

/** Ratio and time of first calls, side by side. */
const starts = ({ title, reference, times }) => ({
  title,
  head: ['', `time over that of ${reference}`, 'ms'],
  rows: Object.entries(times).map(([library, { first }]) => [
    library,
    times[reference] ? spread(ratios(first, times[reference].first), fixed) : '',
    spread(summary(first)),
  ]),
});

/** One table of ratios to a row of it, and one of times. */
function pair({ title, reference, times }) {
  const operations = [...new Set(Object.values(times).flatMap(Object.keys))];
  const head = ['', ...operations];
  const rows = (cell) =>
    Object.entries(times).map(([library, row]) => [
      library,
      ...operations.map((operation) => (row[operation] ? cell(row[operation], operation) : '')),
    ]);
  const absolute = {
    title: `${title}, µs`,
    head,
    rows: rows((list) => spread(summary(list))),
  };
  const relative = {
    title: `${title}, time over that of ${reference}`,
    head,
    rows: rows((list, operation) => {
      const own = times[reference]?.[operation];
      return own ? spread(ratios(list, own), fixed) : '';
    }),
  };
  return [relative, absolute];
}

const GOALS =
  'The other’s time over ours, median of the rounds with quartiles: above 1, ours is the faster. ' +
  'Where the goal is against every JavaScript or WebAssembly peer, the worst ratio counts.';

/** All tables of a result, the goals first. */
export function tablesOf(result) {
  const tables = [
    {
      title: 'Goals',
      note: GOALS,
      head: ['', 'ours', 'against', 'ratio', 'goal', 'verdict'],
      rows: speeds(result).map(({ what, ours, decided, ratio, goal, verdict }) => [
        what,
        ours,
        decided,
        spread(ratio, fixed),
        goal.toFixed(1),
        verdict,
      ]),
    },
  ];
  if (result.sizes)
    tables.push(
      {
        title: 'Goals of size, bytes after gzip',
        head: ['', 'size', 'at most', '', 'verdict'],
        rows: octets(result.sizes).map(({ what, size, most, words, verdict }) => [
          what,
          String(size),
          String(most),
          words,
          verdict,
        ]),
      },
      {
        title: 'Size in a bundle, bytes',
        note: 'esbuild, browser, es2022, WebAssembly included.',
        head: ['', 'minified', 'gzip'],
        rows: Object.entries(result.sizes).map(([name, { minified, gzip }]) => [
          name,
          String(minified),
          String(gzip),
        ]),
      },
    );
  tables.push(...Object.values(result.tables).flatMap(pair));
  tables.push(...Object.values(result.cold ?? {}).map(starts));
  if (Object.keys(result.missing).length)
    tables.push({
      title: 'Not measured here',
      head: ['', 'why'],
      rows: Object.entries(result.missing),
    });
  return tables.filter(({ rows }) => rows.length);
}

/** As text of fixed width. */
export function text({ title, note, head, rows }) {
  const width = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (row) =>
    row.map((cell, i) => (i ? cell.padStart(width[i] + 2) : cell.padEnd(width[0]))).join('');
  return [`\n${title}`, ...(note ? [note] : []), ...[head, ...rows].map(line)].join('\n');
}

/** As Markdown; a goal that is not met is bold. */
export function markdown({ title, note, head, rows }) {
  const bold = (cell) => (/^(short|over) by/.test(cell) ? `**${cell}**` : cell);
  const line = (row) => `| ${row.map(bold).join(' | ')} |`;
  return [
    `### ${title}\n`,
    ...(note ? [`${note}\n`] : []),
    line(head),
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map(line),
    '',
  ].join('\n');
}
