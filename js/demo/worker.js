// Signs a file piece by piece, and tells how far it is.
import { signPrehashed, verifyPrehashed } from 'lanner/more';

async function* pieces(file, tell) {
  let done = 0;
  const reader = file.stream().getReader();
  for (;;) {
    const { done: end, value } = await reader.read();
    if (end) return;
    yield value;
    done += value.length;
    tell(done / file.size);
  }
}

self.onmessage = async ({ data: { file, secretKey, publicKey } }) => {
  try {
    const tell = (part) => self.postMessage({ part: part * 0.99 });
    const signature = await signPrehashed(pieces(file, tell), secretKey);
    const valid = await verifyPrehashed(pieces(file, () => {}), signature, publicKey);
    self.postMessage({ signature, valid, name: file.name, size: file.size });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
