// Named checks, counted and closed in the words of cargo.
let passed = 0;
let failed = 0;

/** Runs one check. */
export async function check(name, run) {
  try {
    await run();
    passed++;
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    const output = [error.stdout, error.stderr].filter(Boolean).map(String).join('\n');
    console.log(`FAILED  ${name}\n${error.stack ?? error}\n${output}`);
  }
}

/** Says that a check cannot be made here. */
export function skip(name, reason) {
  console.log(`SKIPPED: ${name}: ${reason}`);
}

export function close() {
  const word = failed ? 'FAILED' : 'ok';
  console.log(`test result: ${word}. ${passed} passed; ${failed} failed; 0 ignored`);
  process.exitCode = failed || !passed ? 1 : 0;
}
