// Every entry that has its module within it.
import * as lanner from 'lanner';
import * as fast from 'lanner/fast';
import * as sync from 'lanner/sync';
import * as compat from 'lanner/compat';
import * as verify from 'lanner/verify';
import * as more from 'lanner/more';
import * as moreFast from 'lanner/more/fast';
import * as tweetnacl from 'lanner/tweetnacl';
import * as x25519 from 'lanner/x25519';
import * as fnDsa from 'lanner/fn-dsa';
import * as keys from 'lanner/keys';
import { everywhere } from './everywhere.mjs';

export const entries = { lanner, fast, sync, compat, verify, more, moreFast, tweetnacl, x25519, fnDsa, keys };
export const run = () => everywhere(entries);
export const alone = (name) => everywhere({ [name]: entries[name] });
