/** Work in steps, between which others may use the module. */
export type Steps<T> = Generator<void, T, void>;

/** For how long the event loop may be kept waiting, in milliseconds. */
const SLICE = 10;

/** Until when an operation may go on, all of its parts together, before the event loop runs; nothing before its first part. */
export type Clock = [until?: number];

/** How many operations wait for the event loop to run, and one more. */
let waiting = 1;

/**
 * Does work in slices of time, in between which the event loop runs; `run` does a slice. The parts of an operation have
 * its clock in common. Where others wait, the first slice is shorter: many may begin at once.
 */
export const inTurns = async <T>(run: (slice: () => void) => void, steps: Steps<T>, clock: Clock = []): Promise<T> => {
  clock[0] ??= Date.now() + SLICE / waiting;
  let step: IteratorResult<void, T>;
  do {
    if (Date.now() > clock[0]) {
      waiting++;
      // What lets the event loop run best comes with what long messages need; elsewhere a timer does.
      waiting = await import('./long.js').then((m) => m.turn(), () => new Promise<number>((done) => setTimeout(done, 0, 1)));
      clock[0] = Date.now() + SLICE;
    }
    run(() => {
      do step = steps.next();
      while (!(step.done || Date.now() > clock[0]!));
    });
  } while (!step!.done);
  return step!.value;
};

/** Lets the event loop run if it is time, between the parts of an operation. */
export const rest = (clock: Clock): Promise<void> => inTurns((slice) => slice(), (function* () {})(), clock);

/** Does work without a pause, which has nothing to wait for. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};
