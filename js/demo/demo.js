// The page: keys, signatures and times with the main module and the fast one; files in a worker.
import * as lanner from 'lanner';
import * as fast from 'lanner/fast';
import { toHex } from 'lanner/keys';

const at = (id) => document.getElementById(id);
const text = () => new TextEncoder().encode(at('message').value);
let pair;
let signature;

const say = (id, words, kind = '') => {
  at(id).textContent = words;
  at(id).className = kind;
};

const on = (id, run) =>
  at(id).addEventListener('click', () =>
    run().catch((error) => say('verdict', error.message, 'bad')),
  );

async function generate() {
  pair = await lanner.newKeyPair();
  signature = undefined;
  say('public', toHex(pair.publicKey));
  say('signature', '—');
  say('verdict', '');
}

async function sign() {
  signature = await lanner.sign(text(), pair.secretKey);
  say('signature', toHex(signature));
  say('verdict', 'Signed.');
}

async function verify() {
  if (!signature) return say('verdict', 'There is no signature yet.', 'bad');
  const valid = await lanner.verify(text(), signature, pair.publicKey);
  say('verdict', valid ? 'The signature is valid.' : 'The signature is NOT valid.', valid ? 'good' : 'bad');
}

async function tamper() {
  if (!signature) return say('verdict', 'There is no signature yet.', 'bad');
  signature[crypto.getRandomValues(new Uint8Array(1))[0] % 64] ^= 1;
  say('signature', toHex(signature));
  await verify();
}

/** Microseconds of one call: the median of several rounds. */
async function measure(run) {
  const rounds = [];
  for (let round = 0; round < 15; round++) {
    const start = performance.now();
    for (let i = 0; i < 20; i++) await run();
    rounds.push(((performance.now() - start) / 20) * 1000);
  }
  return rounds.sort((a, b) => a - b)[7];
}

async function time() {
  at('times').replaceChildren();
  for (const [name, api] of Object.entries({ 'lanner': lanner, 'lanner/fast': fast })) {
    const { secretKey, publicKey } = await api.newKeyPair();
    const message = text();
    const made = await api.sign(message, secretKey);
    const signer = await api.createSigner(secretKey);
    const row = at('times').insertRow();
    row.insertCell().textContent = name;
    for (const run of [
      () => api.newKeyPair(),
      () => api.sign(message, secretKey),
      () => signer.sign(message),
      () => api.verify(message, made, publicKey),
    ])
      row.insertCell().textContent = `${(await measure(run)).toFixed(0)} µs`;
    signer.wipe();
  }
}

const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => {
  if (data.error) say('filestatus', data.error, 'bad');
  else if (data.signature) {
    at('progress').value = 1;
    say('filestatus', `Signed ${data.name}, ${data.size} bytes; ${data.valid ? 'and verified' : 'but NOT valid'}.`, data.valid ? 'good' : 'bad');
    say('filesignature', toHex(data.signature));
  } else at('progress').value = data.part;
};

function take(file) {
  if (!file) return;
  at('progress').value = 0;
  say('filestatus', `Signing ${file.name} …`);
  worker.postMessage({ file, ...pair });
}

at('file').addEventListener('change', (event) => take(event.target.files[0]));
const drop = at('drop');
for (const name of ['dragover', 'dragleave', 'drop'])
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name == 'dragover');
    if (name == 'drop') take(event.dataTransfer.files[0]);
  });

on('generate', generate);
on('sign', sign);
on('verify', verify);
on('tamper', tamper);
on('time', time);
await generate();
document.body.dataset.ready = 'yes';
