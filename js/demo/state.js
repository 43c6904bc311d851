// What the page shows follows from what was put in. A cell holds a value, or says why it has none; a cell that is made of
// others is computed anew whenever one of them changes, and from that moment until it is done it has no value at all: no
// answer outlives its question.

const EMPTY = { state: 'empty' };
const PENDING = { state: 'pending' };

function cell(first) {
  let now = first;
  const watchers = [];
  return {
    get now() {
      return now;
    },
    get value() {
      return now.value;
    },
    put(next) {
      now = next;
      for (const watcher of [...watchers]) watcher(now);
    },
    /** Calls back at once, and whenever it changes. */
    watch(watcher) {
      watchers.push(watcher);
      watcher(now);
    },
  };
}

/** A cell that is put in by hand; `undefined` empties it. */
export function source(value) {
  const of = (given) => (given === undefined ? EMPTY : { state: 'done', value: given });
  const own = cell(of(value));
  return Object.assign(own, { set: (next) => own.put(of(next)) });
}

/**
 * A cell that `compute` makes of the values of others, as a promise or at once. Its last argument tells whether the question
 * still stands (`signal`), and takes word of how far it is (`tell`, a part of 1).
 */
export function derived(inputs, compute) {
  const own = cell(EMPTY);
  let abort = new AbortController();
  let started = false;
  const update = () => {
    if (!started) return;
    abort.abort();
    const mine = (abort = new AbortController());
    const put = (next) => mine.signal.aborted || own.put(next);
    const lacking = inputs.find(({ now }) => now.state != 'done');
    if (lacking) return put(lacking.now.state == 'failed' ? EMPTY : lacking.now);
    put(PENDING);
    const context = { signal: mine.signal, tell: (part) => put({ state: 'pending', part }) };
    (async () => compute(...inputs.map(({ now }) => now.value), context))().then(
      (value) => put(value === undefined ? EMPTY : { state: 'done', value }),
      (error) => put({ state: 'failed', error }),
    );
  };
  for (const input of inputs) input.watch(update);
  started = true;
  update();
  return own;
}
