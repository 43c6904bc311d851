// For runtimes with a command line: prints the count, or fails.
import { run } from './all.mjs';

console.log(`${await run()} entries work`);
