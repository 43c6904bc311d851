// Key pair, message, signature: the verdict follows from them, whichever of them was changed last.
import { at, quoted, showCode, showOctets, showVerdict, say } from './dom.js';
import { schemes } from './schemes.js';
import { derived, source } from './state.js';

const same = (a, b) => a.length == b.length && a.every((octet, i) => octet == b[i]);
const encode = (text) => new TextEncoder().encode(text);

/** The scheme that is chosen. */
const scheme = source('ed25519');
/** How often a new pair was asked for. */
const asked = source(0);
const pair = derived([scheme, asked], async (name) => (await schemes[name].load()).newKeyPair());
const message = source(at('message').value);
/** What was signed, and by which key: `octets` is the signature as it is now, `made` as it was made. */
const signed = source();

const verdict = derived([scheme, pair, message, signed], async (name, { publicKey }, text, own) => {
  const valid = await (await schemes[name].load()).verify(encode(text), own.octets, publicKey);
  const reasons = [
    !same(own.octets, own.made) && 'the signature was changed',
    text != own.text && 'the message is not the one that was signed',
    !same(publicKey, own.publicKey) && 'the key is not the one that signed',
  ].filter(Boolean);
  return { valid, reasons };
});

/** The program that does what was done on the page. */
function code(name, text, own, now) {
  const { imports, call } = schemes[name];
  const lines = [imports, '', `const { publicKey, secretKey } = await ${call('newKeyPair')}();`];
  const first = own?.text ?? text;
  lines.push(`const message = new TextEncoder().encode(${quoted(first)});`);
  if (!own) return lines.join('\n');
  lines.push(`const signature = await ${call('sign')}(message, secretKey);`);
  for (const [i, octet] of own.octets.entries())
    if (octet != own.made[i]) lines.push(`signature[${i}] ^= ${octet ^ own.made[i]};`);
  const given = { message: 'message', key: 'publicKey' };
  if (text != own.text) {
    lines.push(`const edited = new TextEncoder().encode(${quoted(text)});`);
    given.message = 'edited';
  }
  if (now && !same(now.publicKey, own.publicKey)) {
    lines.push(`const other = await ${call('newKeyPair')}();`);
    given.key = 'other.publicKey';
  }
  const call3 = `await ${call('verify')}(${given.message}, signature, ${given.key})`;
  const { state, value } = verdict.now;
  lines.push(`console.log(${call3});${state == 'done' ? ` // ${value.valid}` : ''}`);
  return lines.join('\n');
}

async function sign() {
  // What is signed is what stands there now, by the key that is there now.
  const [name, text, { state, value }] = [scheme.value, message.value, pair.now];
  if (state != 'done') return;
  const made = await (await schemes[name].load()).sign(encode(text), value.secretKey);
  if (pair.now.value === value) signed.set({ text, publicKey: value.publicKey, made, octets: made });
}

/** Flips one bit of the signature. */
function tamper() {
  const own = signed.value;
  if (!own) return;
  const octets = own.octets.slice();
  const [place, bit] = crypto.getRandomValues(new Uint16Array(2));
  octets[place % octets.length] ^= 1 << bit % 8;
  signed.set({ ...own, octets });
}

function restore() {
  const own = signed.value;
  if (own) signed.set({ ...own, octets: own.made });
}

/** What was changed, in words. */
function changes({ octets, made }) {
  const places = [...octets.keys()].filter((i) => octets[i] != made[i]);
  const hex = (octet) => octet.toString(16).padStart(2, '0');
  const each = places.slice(0, 4).map((i) => `byte ${i} is ${hex(octets[i])} and was ${hex(made[i])}`);
  if (places.length > each.length) each.push(`and ${places.length - each.length} more`);
  return places.length ? `Changed: ${each.join('; ')}.` : '';
}

/** The Ed25519 key pair by which files are signed: that of this part, or while another scheme is chosen the last one. */
export const filePair = source();

/** Makes this part of the page work. */
export function signing() {
  const length = (octets) => (octets ? `${octets.length.toLocaleString('en')} bytes` : '');
  const show = () => showCode(at('code'), code(scheme.value, message.value, signed.value, pair.now.value));
  pair.watch(({ state, value, error }) => {
    showOctets(at('public'), value?.publicKey);
    say(at('public-length'), length(value?.publicKey));
    at('sign-now').disabled = state != 'done';
    say(at('pair-state'), state == 'pending' ? 'Making a key pair …' : state == 'failed' ? error.message : '');
    if (state == 'done' && scheme.value == 'ed25519') filePair.set(value);
    show();
  });
  signed.watch(({ value }) => {
    showOctets(at('signature'), value?.octets, value?.made);
    say(at('signature-length'), length(value?.octets));
    const changed = value ? changes(value) : '';
    say(at('changes'), changed);
    at('tamper').disabled = !value;
    at('restore').disabled = !changed;
    show();
  });
  verdict.watch((now) => {
    showVerdict(at('verdict'), now, (value) => {
      if (!value) return ['none', 'Not signed yet.'];
      if (value.valid) return ['good', 'Valid: this message, signed by this key.'];
      return ['bad', `Not valid: ${value.reasons.join(', and ') || 'not a signature of this message by this key'}.`];
    });
    show();
  });
  message.watch(show);
  at('message').addEventListener('input', ({ target }) => message.set(target.value));
  at('generate').addEventListener('click', () => asked.set(asked.value + 1));
  at('sign-now').addEventListener('click', () => sign().catch((error) => say(at('pair-state'), error.message)));
  at('tamper').addEventListener('click', tamper);
  at('restore').addEventListener('click', restore);
  for (const choice of document.querySelectorAll('[name="scheme"]'))
    choice.addEventListener('change', () => {
      // A key pair is for one scheme, and so is a signature.
      signed.set(undefined);
      scheme.set(choice.value);
    });
  // A browser that comes back to a page may have kept what was typed and chosen.
  message.set(at('message').value);
  scheme.set(document.querySelector('[name="scheme"]:checked').value);
  if (scheme.value != 'ed25519')
    schemes.ed25519.load().then(({ newKeyPair }) => newKeyPair()).then((made) => filePair.value ?? filePair.set(made));
}
