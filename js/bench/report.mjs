// What both ways of running share: options, the machine, and where a report goes.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packages } from './libraries.mjs';
import { markdown, tablesOf, text } from './tables.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * How much is measured: in full, `--quick`, and `--smoke`, which only shows that it runs. `starts` of
 * fresh processes, and of fresh pages, which take longer.
 */
const sizes = {
  full: { rounds: 25, slice: 25, warm: 150, starts: 15, pages: 7 },
  quick: { rounds: 7, slice: 10, warm: 60, starts: 5, pages: 3 },
  smoke: { rounds: 1, slice: 2, warm: 1, least: 1, starts: 1, pages: 1 },
};

const HELP = `options:
  --quick           fewer rounds (--smoke: one round, to see that it runs)
  --only REGEX      only rows whose "table library operation" match, and what they are compared with
  --json            print everything, each round's time included, as JSON
  --markdown        write the tables into docs/benchmarks-js.md as well, between its markers`;

/** The options of the command line. */
export function options() {
  try {
    const flag = { type: 'boolean', default: false };
    const { values } = parseArgs({
      options: {
        quick: flag,
        smoke: flag,
        json: flag,
        markdown: flag,
        help: flag,
        only: { type: 'string', default: '' },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit();
    }
    const size = values.smoke ? 'smoke' : values.quick ? 'quick' : 'full';
    return { ...values, ...sizes[size], size, only: new RegExp(values.only) };
  } catch (error) {
    console.error(`${error.message}\n${HELP}`);
    process.exit(2);
  }
}

/** One line about each thing that a number depends on. */
export function machine(engine, { rounds, slice, starts }) {
  const version = (name) =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  return {
    processor: `${cpus()[0].model.trim()}, ${cpus().length} visible`,
    engine,
    versions: [`lanner ${own}`, ...packages.map((name) => `${name} ${version(name)}`)].join(', '),
    load: `${loadavg()[0].toFixed(2)} in the minute before`,
    run: `${rounds} rounds, about ${slice} ms a cell and round; ${starts} starts of each library`,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** Progress on the terminal, on one line. */
export const tell = (part, what = '') => {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\x1b[K${(part * 100).toFixed(0)} % ${what}`);
  if (part == 1) process.stderr.write('\r\x1b[K');
};

/** Prints a result, and puts its tables between the markers called `place`. */
export function deliver(result, { json, markdown: write }, place) {
  if (json) console.log(JSON.stringify(result));
  else {
    for (const [name, value] of Object.entries(result.machine)) console.log(`${name}: ${value}`);
    for (const table of tablesOf(result)) console.log(text(table));
  }
  if (!write) return;
  const path = join(root, '..', 'docs', 'benchmarks-js.md');
  writeFileSync(path, placed(readFileSync(path, 'utf8'), place, inMarkdown(result)));
}

/** The whole report as Markdown. */
export const inMarkdown = (result) =>
  [
    Object.entries(result.machine)
      .map(([name, value]) => `- ${name}: ${value}\n`)
      .join(''),
    ...tablesOf(result).map(markdown),
  ].join('\n');

/** A document with other text between `<!-- place:begin -->` and `<!-- place:end -->`. */
export function placed(document, place, text) {
  const [begin, end] = ['begin', 'end'].map((edge) => `<!-- ${place}:${edge} -->`);
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place '${place}' in the document`);
  return `${document.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${document.slice(to)}`;
}
