// How times are taken: all cells of a table take turns, and what is compared runs side by side.

/** Median and quartiles. */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => {
    const place = part * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (high - low) * (place % 1);
  };
  return { median: at(0.5), q1: at(0.25), q3: at(0.75) };
}

/** `times[i] / reference[i]`, round by round: what slows the whole machine for a while cancels. */
export const ratios = (times, reference) => summary(times.map((time, i) => time / reference[i]));

/** The order of a round: each round begins with another library. */
export const rotated = (list, round) => {
  const start = round % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
};

const thenable = (value) => typeof value?.then == 'function';

/**
 * Microseconds of each cell in each round. A cell is `{ library, operation, run, good, per }`: one run
 * does `per` operations, and gives something of which `good` is true. In each round each cell runs
 * for about `slice` milliseconds, operation by operation, the libraries in turn; before the first, for
 * `warm` milliseconds and `least` times.
 */
export async function measure(cells, { rounds, slice, warm, least = 2, tell = () => {} }) {
  const rows = cells.map((cell) => ({ ...cell, times: [] }));
  for (const [i, row] of rows.entries()) {
    await tell((0.3 * i) / rows.length);
    // The engine compiles a function again after it has run for a while: first let it do so. And a
    // benchmark of something that fails is worth nothing.
    const start = performance.now();
    let [count, spent] = [0, 0];
    while (spent < warm || count < least) {
      const result = row.run();
      row.waits ??= thenable(result);
      if (!row.good(await result))
        throw new Error(`${row.library}: ${row.operation} gave a wrong result`);
      count++;
      spent = performance.now() - start;
    }
    row.count = Math.max(1, Math.round((count * slice) / spent));
  }
  const operations = [...new Set(rows.map(({ operation }) => operation))];
  for (let round = 0; round < rounds; round++)
    for (const [i, operation] of operations.entries()) {
      await tell(0.3 + (0.7 * (round + i / operations.length)) / rounds);
      const side = rows.filter((row) => row.operation == operation);
      for (const { run, count, waits, per, times } of rotated(side, round)) {
        const start = performance.now();
        // A promise is waited for; a value is not made to wait.
        if (waits) for (let i = 0; i < count; i++) await run();
        else for (let i = 0; i < count; i++) run();
        times.push(((performance.now() - start) * 1000) / count / per);
      }
    }
  await tell(1);
  const result = {};
  for (const { library, operation, times } of rows) (result[library] ??= {})[operation] = times;
  return result;
}
