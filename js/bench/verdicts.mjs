// Who accepts which odd signature: `node bench/verdicts.mjs` gives the edge cases of `vectors/data` to every library, by the
// very calls that are timed, and prints the verdicts of each in the order of the file. `lanner-bench --verdicts-of` counts them.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ed25519 } from './libraries.mjs';
import { load } from './load.mjs';
import * as native from './native.mjs';

/** The libraries that judge, and what their columns are called. */
const JUDGES = {
  lanner: 'lanner (npm)',
  'lanner/compat': 'lanner/compat (npm)',
  'lanner/tweetnacl': 'lanner/tweetnacl (npm)',
  'lanner/native': 'lanner/native (npm)',
  watsign: 'watsign (npm)',
  tweetnacl: 'tweetnacl (npm)',
  'noble-ed25519': 'noble-ed25519 (npm)',
  'noble-curves': 'noble-curves (npm)',
  'libsodium-wrappers': 'libsodium-wrappers (npm)',
  'supercop.wasm': 'supercop.wasm (npm)',
  'WebCrypto, bytes in': 'WebCrypto (Node)',
  'node:crypto, KeyObject': 'node:crypto (Node)',
};

/** How many signatures the batches have: the odd one, and good ones. */
const BATCH = 4;

/** A verdict: some say no by an exception, at the key or at the signature. */
async function accepts(verify) {
  try {
    return (await verify()) === true;
  } catch {
    return false;
  }
}

/** The verdicts of all judges on cases as they stand in the file, by column. */
export async function judge(cases) {
  const bytes = (text) => Uint8Array.from(Buffer.from(text, 'hex'));
  const read = ({ key, msg, sig }) => ({ publicKey: bytes(key), message: bytes(msg), signature: bytes(sig) });
  const items = cases.map(read);
  // What this rule accepts, all accept.
  const good = cases.filter(({ accept }) => accept.includes('strict')).slice(0, BATCH - 1).map(read);
  const columns = {};
  const all = async (verify) => {
    const verdicts = [];
    for (const item of items) verdicts.push(await accepts(() => verify(item)));
    return verdicts;
  };
  for (const [name, make] of Object.entries({ ...ed25519(load), ...native.ed25519 })) {
    const column = JUDGES[name];
    if (!column) continue;
    const { verify, verifyBatch, publicKeyOf = (bytes) => bytes } = await make();
    columns[column] = await all(async ({ message, signature, publicKey }) =>
      verify(message, signature, await publicKeyOf(publicKey)));
    if (verifyBatch) columns[`${column}, batch`] = await all(async (item) => (await verifyBatch([item, ...good]))[0]);
  }
  return columns;
}

if (import.meta.url == pathToFileURL(process.argv[1]).href) {
  const file = new URL('../../vectors/data/ed25519_verify.json', import.meta.url);
  console.log(JSON.stringify(await judge(JSON.parse(readFileSync(file)).cases)));
}
