// The entries whose modules are fetched from an address, where they find them by themselves.
import * as fnDsaStreaming from 'lanner/fn-dsa/streaming';
import * as streaming from 'lanner/streaming';
import * as streamingFast from 'lanner/streaming/fast';
import { everywhere } from './everywhere.mjs';

export const fetched = { streaming, streamingFast, fnDsaStreaming };
export const run = () => everywhere(fetched);
