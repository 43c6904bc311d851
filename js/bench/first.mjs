// One start of one library in this process: `node bench/first.mjs SCENARIO LIBRARY SAMPLE`. Prints the
// milliseconds. Nothing but what the library itself needs is loaded while the clock runs.
import { first, fromText, scenarios } from './cold.mjs';
import * as native from './native.mjs';
import { load } from './load.mjs';

const [scenario, library, sample] = process.argv.slice(2);
console.log(await first(scenarios(load, native)[scenario], library, fromText(JSON.parse(sample))));
process.exit();
