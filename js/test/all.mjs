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
import * as x25519Sync from 'lanner/x25519/sync';
import * as ristretto from 'lanner/ristretto';
import * as ristrettoSync from 'lanner/ristretto/sync';
import * as fnDsa from 'lanner/fn-dsa';
import * as fnDsaSync from 'lanner/fn-dsa/sync';
import * as fnDsaVerify from 'lanner/fn-dsa/verify';
import * as fnDsaKeys from 'lanner/fn-dsa/keys';
import * as hybrid from 'lanner/hybrid';
import * as keys from 'lanner/keys';
import * as native from 'lanner/native';
import * as nativeSync from 'lanner/native/sync';
import { everywhere } from './everywhere.mjs';

export const entries = { lanner, fast, sync, compat, verify, more, moreFast, tweetnacl, x25519, x25519Sync, ristretto, ristrettoSync, fnDsa, fnDsaSync, fnDsaVerify, fnDsaKeys, hybrid, keys, native, nativeSync };
export const run = () => everywhere(entries);
export const alone = (name) => everywhere({ [name]: entries[name] });
