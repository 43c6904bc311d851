// The benchmark in Node: `node test/performance.js [--quick] [--only REGEX] [--json] [--markdown]`.
// Warm calls of all libraries take turns in this process; then each library starts in fresh processes.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cold, samples, scenarios, toText } from '../bench/cold.mjs';
import { load } from '../bench/load.mjs';
import * as native from '../bench/native.mjs';
import { deliver, machine, options, tell } from '../bench/report.mjs';
import { sizes } from '../bench/sizes.mjs';
import { warm } from '../bench/warm.mjs';

const chosen = options();
const { only, starts } = chosen;
const first = join(dirname(fileURLToPath(import.meta.url)), '..', 'bench', 'first.mjs');
const run = promisify(execFile);

/** A fresh process. */
async function start(scenario, library, sample) {
  const args = [first, scenario, library, JSON.stringify(toText(sample))];
  return Number((await run(process.execPath, args)).stdout);
}

const { node, v8 } = process.versions;
const about = machine(`Node ${node}, V8 ${v8}`, chosen);
const result = { machine: about, ...(await warm(load, { native, tell, ...chosen })) };
const made = await samples(load);
const { missing } = result;
result.cold = await cold(scenarios(load, native), start, { rounds: starts, made, missing, only, tell });
result.sizes = await sizes();
tell(1);
deliver(result, chosen, 'node');
