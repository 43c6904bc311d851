// Files, which a worker signs and verifies piece by piece.
import { at, say, showCode, showOctets, showVerdict, takesFiles } from './dom.js';
import { derived, source } from './state.js';
import { filePair } from './signing.js';

const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
const waiting = new Map();
let count = 0;

worker.onmessage = ({ data: { id, part, result, error } }) => {
  const one = waiting.get(id);
  if (!one) return;
  if (part !== undefined) return one.tell(part);
  waiting.delete(id);
  if (error) one.reject(new Error(error));
  else one.resolve(result);
};

/** A worker that does not load says nothing of any question. */
const fail = () => {
  for (const one of waiting.values()) one.reject(new Error('The worker of this page did not load; loading the page again may help.'));
  waiting.clear();
};
worker.onerror = fail;
worker.onmessageerror = fail;

/** Has the worker do something, unless the question no longer stands. */
const ask = (task, { signal, tell }) =>
  new Promise((resolve, reject) => {
    const id = count++;
    waiting.set(id, { resolve, reject, tell });
    signal.addEventListener('abort', () => {
      waiting.delete(id);
      worker.postMessage({ id, stop: true });
    });
    worker.postMessage({ id, ...task });
  });

const file = source();
/** What was asked for: the file and the key as they were then. */
const order = source();
/** What became of that: the signature, with what was signed, and by which key. */
const signed = derived([order], async ({ file, pair }, context) => {
  const signature = await ask({ sign: true, file, secretKey: pair.secretKey }, context);
  return { signature, file, pair };
});
/** Of the file that is chosen, under the key that there is, whichever of them has changed since. */
const verdict = derived([file, filePair, signed], async (now, { publicKey }, { signature, file, pair }, context) => ({
  valid: await ask({ file: now, signature, publicKey }, context),
  other: [now != file && 'the file is another', publicKey != pair.publicKey && 'the key is another'].filter(Boolean),
}));

function showProgress() {
  const busy = [signed, verdict].find(({ now }) => now.state == 'pending');
  at('progress').value = busy?.now.part ?? 0;
  at('progress').hidden = !busy;
  say(at('file-state'), busy ? `${busy == signed ? 'Signing' : 'Verifying'} …` : '');
}

/** Makes this part of the page work. */
export function files() {
  takesFiles(at('drop'), at('file'), (chosen) => file.set(chosen));
  file.watch(({ value }) => {
    say(at('file-name'), value ? `${value.name}, ${value.size.toLocaleString('en')} bytes` : 'No file yet.');
  });
  for (const one of [file, filePair])
    one.watch(() => {
      at('file-sign').disabled = !file.value || !filePair.value;
    });
  filePair.watch(({ value }) => showOctets(at('file-key'), value?.publicKey));
  at('file-sign').addEventListener('click', () => order.set({ file: file.value, pair: filePair.value }));
  signed.watch((now) => {
    showOctets(at('file-signature'), now.value?.signature);
    showProgress();
  });
  for (const one of [signed, verdict])
    one.watch(() => {
      showProgress();
      const now = signed.now.state == 'failed' ? signed.now : verdict.now;
      showVerdict(at('file-verdict'), now, (value) => {
        if (!value) return ['none', 'Not signed yet.'];
        if (value.valid) return ['good', `Valid: ${file.value.name}, signed by this key.`];
        return ['bad', `Not valid: ${value.other.join(', and ') || 'not a signature of this file'}.`];
      });
    });
  showCode(at('file-code'), [
    "import { signPrehashed, verifyPrehashed } from 'lanner/more/fast';",
    '',
    "const file = document.querySelector('input[type=file]').files[0];",
    'const signature = await signPrehashed(file.stream(), secretKey);',
    'console.log(await verifyPrehashed(file.stream(), signature, publicKey)); // true',
  ].join('\n'));
}
