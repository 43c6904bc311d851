// For runtimes with a command line: prints the count, or fails.
import { run } from './all.mjs';
import { run as runFetched } from './fetched.mjs';

console.log(`${(await run()) + (await runFetched())} entries work`);
