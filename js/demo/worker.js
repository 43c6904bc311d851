// Signs and verifies files piece by piece (Ed25519ph), and tells how far it is.
import { signPrehashed, verifyPrehashed } from 'lanner/more/fast';

const stopped = new Set();

async function* pieces(id, file) {
  let done = 0;
  let told = 0;
  for (const reader = file.stream().getReader(); ; ) {
    const { done: end, value } = await reader.read();
    if (end) return;
    if (stopped.has(id)) {
      await reader.cancel();
      throw new Error('stopped');
    }
    yield value;
    done += value.length;
    // A hundred times at most.
    if (done - told < file.size / 100) continue;
    told = done;
    self.postMessage({ id, part: done / file.size });
  }
}

self.onmessage = async ({ data: { id, stop, sign, file, secretKey, signature, publicKey } }) => {
  if (stop) return void stopped.add(id);
  try {
    const parts = pieces(id, file);
    const result = await (sign ? signPrehashed(parts, secretKey) : verifyPrehashed(parts, signature, publicKey));
    self.postMessage({ id, result });
  } catch (error) {
    self.postMessage({ id, error: error.message });
  } finally {
    secretKey?.fill(0);
    stopped.delete(id);
  }
};
