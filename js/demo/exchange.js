// X25519: two key pairs, and what both sides make of them.
import { fromHex, toHex } from 'lanner/keys';
import { newKeyPair, sharedSecret } from 'lanner/x25519';
import { at, quoted, say, showCode, showOctets, showVerdict } from './dom.js';
import { derived, source } from './state.js';

const asked = source(0);
const alice = derived([asked], () => newKeyPair());
const bob = derived([asked], () => newKeyPair());
/** The public key that Alice was sent, as it stands in its field. */
const sent = source('');
const theirs = derived([sent], (text) => {
  const key = fromHex(text.replaceAll(/\s/g, ''));
  if (key.length != 32) throw RangeError(`a public key has 32 bytes, and this ${key.length}`);
  return key;
});
const hers = derived([alice, theirs], ({ secretKey }, key) => sharedSecret(secretKey, key));
const his = derived([alice, bob], ({ publicKey }, { secretKey }) => sharedSecret(secretKey, publicKey));
const agreed = derived([hers, his], (one, other) => toHex(one) == toHex(other));

function code() {
  const own = bob.now.value && toHex(bob.now.value.publicKey) == sent.value;
  const lines = [`import { newKeyPair, sharedSecret } from 'lanner/x25519';`];
  if (!own) lines.push(`import { fromHex } from 'lanner/keys';`);
  lines.push('', 'const alice = await newKeyPair();', 'const bob = await newKeyPair();');
  const key = own ? 'bob.publicKey' : `fromHex(${quoted(sent.value)})`;
  lines.push(
    `const hers = await sharedSecret(alice.secretKey, ${key});`,
    'const his = await sharedSecret(bob.secretKey, alice.publicKey);',
    `console.log(String(hers) == String(his));${agreed.now.state == 'done' ? ` // ${agreed.now.value}` : ''}`,
  );
  return lines.join('\n');
}

/** Makes this part of the page work. */
export function exchange() {
  const show = () => showCode(at('exchange-code'), code());
  const field = at('sent');
  alice.watch(({ value }) => showOctets(at('alice'), value?.publicKey));
  bob.watch(({ value }) => {
    showOctets(at('bob'), value?.publicKey);
    if (!value) return;
    field.value = toHex(value.publicKey);
    sent.set(field.value);
  });
  theirs.watch(({ state, error }) => {
    field.setAttribute('aria-invalid', String(state == 'failed'));
    say(at('sent-error'), state == 'failed' ? error.message : '');
  });
  hers.watch(({ value }) => showOctets(at('hers'), value));
  his.watch(({ value }) => showOctets(at('his'), value));
  for (const one of [agreed, hers])
    one.watch(() => {
      const now = hers.now.state == 'failed' ? hers.now : agreed.now;
      showVerdict(at('agreement'), now, (value) =>
        value === undefined ? ['none', 'No secret yet.']
        : value ? ['good', 'Agreed: both sides have the same secret.']
        : ['bad', 'Not agreed: Alice was sent the key of somebody else.'],
      );
      show();
    });
  sent.watch(show);
  field.addEventListener('input', () => sent.set(field.value));
  at('exchange-new').addEventListener('click', () => asked.set(asked.value + 1));
}
