// What the imports `#wasm/NAME` give; `scripts/build.mjs` makes the files behind them.
import type { Packed } from '../instantiate/packed.js';

declare const packed: Packed;
export default packed;
