/** Work in steps, between which others may use the module. */
export type Steps<T> = Generator<void, T, void>;

/** For how long the event loop may be kept waiting, in milliseconds. */
const SLICE = 10;

/** The clock as it was when this code was loaded: one that a test puts in its place later stands still, and no slice would end. */
const time = Date.now;

/** Until when work may go on before the event loop runs; nothing before the first. */
export type Clock = [until?: number];

/** How many operations wait for the event loop to run, and one more. */
let waiting = 1;

/** The clock of operations one after another: where each is awaited, the next begins before the event loop runs. */
const common: Clock = [];

/** When an operation was at work last. */
let last = 0;

/**
 * Does work in slices of time, in between which the event loop runs; `run` does a slice. The parts of an operation have
 * its clock in common; it starts anew where nobody has worked for as long as a slice. Where others wait, an operation has a clock of
 * its own, and its first slice is shorter: many may begin at once.
 */
export const inTurns = async <T>(
  run: (slice: () => void) => void,
  steps: Steps<T>,
  clock: Clock = waiting > 1 ? [] : common,
): Promise<T> => {
  const now = time();
  // It has not begun, or is too far ahead, as where the system's clock was set back, or nobody has worked.
  if (!(clock[0]! - now <= SLICE && now - last <= SLICE)) clock[0] = now + SLICE / waiting;
  let step: IteratorResult<void, T>;
  do {
    if (time() > clock[0]!) {
      waiting++;
      // What lets the event loop run best comes with what long messages need; elsewhere a timer does.
      waiting = await import('./long.js').then((m) => m.turn(), () => new Promise<number>((done) => setTimeout(done, 0, 1)));
      clock[0] = time() + SLICE / waiting;
    }
    run(() => {
      do step = steps.next();
      while (!step.done && time() <= clock[0]!);
    });
    last = time();
  } while (!step!.done);
  return step!.value;
};

/** Lets the event loop run if it is time, between the parts of an operation. */
export const rest = (clock?: Clock): Promise<void> => inTurns((slice) => slice(), (function* () {})(), clock);

/** Does work without a pause, which has nothing to wait for. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};
