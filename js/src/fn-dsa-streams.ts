import type { Engine } from './fn-dsa-engine.js';
import { feed, type Stream } from './fn-dsa-verifying.js';
import { pieces } from './pieces.js';
import { inTurns, type Clock } from './session.js';

/** Operations over messages in pieces, between which others may use the module. */
export const streaming =
  (shared: () => Promise<Engine>): Stream =>
  async (open, begin, update, finish, secret) => {
    let kept: Uint8Array | undefined;
    try {
      const engine = await shared();
      // The key is looked at before anything is opened: whose it is must not leave files open here.
      kept = begin(engine);
      const clock: Clock = [];
      // What has come to nothing reads its message all the same, or the other end of a pipe would wait for ever.
      for await (const piece of pieces(await open()))
        await inTurns((slice) => slice(), feed(engine, kept, piece, update(engine)), clock);
      return finish(engine, kept);
    } finally {
      kept?.fill(0);
      secret?.fill(0);
    }
  };
