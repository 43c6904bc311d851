/** Work in steps; between two of them others may use the module. */
export type Steps<T> = Generator<void, T, void>;

/** For how long the event loop may be kept waiting, in milliseconds. */
const SLICE = 10;

/**
 * Lets the event loop run. By a message where there are messages: timers are kept back, in pages that nobody looks
 * at for a second.
 */
export const turn = (): Promise<void> =>
  new Promise<void>((done) => {
    if (!globalThis.MessageChannel) return void setTimeout(done);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(port1.close());
    port2.postMessage(0);
  });

/** Does work in slices of time, in between which the event loop runs; `run` does a slice. */
export const inTurns = async <T>(run: (slice: () => void) => void, steps: Steps<T>): Promise<T> => {
  for (;;) {
    let step!: IteratorResult<void, T>;
    run(() => {
      const until = Date.now() + SLICE;
      do step = steps.next();
      while (!step.done && Date.now() < until);
    });
    if (step.done) return step.value;
    await turn();
  }
};

/** Does work without a pause. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};
