/** Work in steps, between which others may use the module. */
export type Steps<T> = Generator<void, T, void>;

/** For how long the event loop may be kept waiting, in milliseconds. */
const SLICE = 10;

/** Does work in slices of time, in between which the event loop runs; `run` does a slice. */
export const inTurns = async <T>(run: (slice: () => void) => void, steps: Steps<T>): Promise<T> => {
  for (;;) {
    let step!: IteratorResult<void, T>;
    run(() => {
      const until = Date.now() + SLICE;
      do step = steps.next();
      while (!(step.done || Date.now() > until));
    });
    if (step.done) return step.value;
    // What lets the event loop run best comes with what long messages need; elsewhere a timer does.
    await import('./long.js').then((m) => m.turn(), () => new Promise<void>((done) => void setTimeout(done)));
  }
};

/** Does work without a pause, which has nothing to wait for. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};
