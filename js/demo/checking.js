// A signature that was made elsewhere: the verdict of every rule, side by side.
import { verify } from 'lanner/fast';
import { publicToCryptoKey, toHex } from 'lanner/keys';
import { at, element, quoted, say, showCode, showVerdict, takesFiles } from './dom.js';
import { examples } from './examples.js';
import { KEYS, contentOf, keyOf, signatureOf } from './reading.js';
import { loadFnDsa } from './schemes.js';
import { derived, source } from './state.js';

/** What each profile demands of a signature beyond its equation. */
const PROFILES = {
  strict: 'no cofactor; S below L; no key or R of small order. The default here',
  rfc8032: 'RFC 8032 with the cofactor; everything canonical',
  'rfc8032-cofactorless': 'RFC 8032 without the cofactor; everything canonical',
  dalek: 'ed25519-dalek’s verify: no cofactor, any key that decodes',
  zip215: 'ZIP 215: with the cofactor, any encoding',
  donna: 'ed25519-donna: S may be L and more',
  libsodium: 'no cofactor; the key canonical; no key or R of small order',
};

/** What was pasted or dropped: a text, or the octets of a file. */
const given = { key: source(''), message: source(''), signature: source('') };
const key = derived([given.key], keyOf);
const signature = derived([given.signature], signatureOf);
const message = derived([given.message], (text) =>
  typeof text == 'string' ? new TextEncoder().encode(text) : text,
);

/** Of this browser's own verification; undefined where it has none. */
async function byBrowser(publicKey, made, text) {
  try {
    const imported = await publicToCryptoKey(publicKey);
    return await crypto.subtle.verify('Ed25519', imported, made, text);
  } catch {
    return undefined;
  }
}

const verdicts = derived([key, signature, message], async (publicKey, made, text) => {
  const rows = [];
  if (publicKey.length == 32) {
    for (const [profile, demands] of Object.entries(PROFILES))
      rows.push([profile, demands, await verify(text, made, publicKey, { profile })]);
    const here = await byBrowser(publicKey, made, text);
    rows.push(['this browser', 'crypto.subtle, by whatever rule it has', here]);
    return rows;
  }
  const all = await loadFnDsa();
  for (const name of KEYS[publicKey.length]) {
    const what = name.startsWith('falcon') ? 'round 3 of Falcon, in one of its encodings' : name.endsWith('2026') ? 'the guess of fn-dsa 0.4' : 'as fn-dsa 0.3 has it';
    // The bytes do not say which scheme they are for.
    rows.push([name, what, await all[name].verify(text, made, publicKey.slice()).catch(() => false)]);
  }
  return rows;
});

/** Accepted by whom, in a sentence. */
function summary(rows) {
  if (!rows) return ['none', 'Waiting for key, message and signature.'];
  if (!(rows[0][0] in PROFILES)) {
    // Each scheme has its own signatures.
    const of = rows.filter(([, , valid]) => valid).map(([name]) => name);
    return of.length ? ['good', `Valid as ${of.join(', ')}.`] : ['bad', 'Not valid as any of these.'];
  }
  const own = rows.filter(([name]) => name != 'this browser');
  const accept = own.filter(([, , valid]) => valid).map(([name]) => name);
  if (accept.length == own.length) return ['good', `Valid by all ${own.length} rules.`];
  if (!accept.length) return ['bad', 'Not valid by any rule.'];
  const some = accept.length == 1 ? `1 rule of ${own.length} accepts` : `${accept.length} rules of ${own.length} accept`;
  return [own[0][2] ? 'good' : 'mixed', `The rules disagree: ${some} it (${accept.join(', ')}).`];
}

function code(publicKey, made, text) {
  const all = [publicKey, made, text];
  if (all.some((octets) => !octets) || publicKey.length != 32) return '';
  const message = typeof given.message.value == 'string'
    ? `new TextEncoder().encode(${quoted(given.message.value)})`
    : text.length > 64 ? 'octets // of the file' : `fromHex('${toHex(text)}')`;
  return [
    "import { verify } from 'lanner';",
    "import { fromHex } from 'lanner/keys';",
    '',
    `const publicKey = fromHex('${toHex(publicKey)}');`,
    `const message = ${message};`,
    `const signature = fromHex('${toHex(made)}');`,
    `for (const profile of [${Object.keys(PROFILES).map(quoted).join(', ')}])`,
    '  console.log(profile, await verify(message, signature, publicKey, { profile }));',
  ].join('\n');
}

const words = (valid) =>
  valid === undefined ? ['none', '– cannot tell'] : valid ? ['good', '✓ valid'] : ['bad', '✗ not valid'];

function showRows(body, rows = []) {
  body.replaceChildren(
    ...rows.map(([name, demands, valid]) => {
      const [className, text] = words(valid);
      const verdict = element('td', { className: `answer ${className}` }, text);
      return element('tr', {}, element('th', { scope: 'row' }, name, element('small', {}, demands)), verdict);
    }),
  );
}

/** A field, and what is dropped on it or chosen for it. */
function field(name, read) {
  const [box, input, note] = [at(`check-${name}`), at(`check-${name}-file`), at(`check-${name}-note`)];
  box.addEventListener('input', () => given[name].set(box.value));
  takesFiles(box.closest('.field'), input, async (file) => {
    try {
      const content = name == 'message' ? new Uint8Array(await file.arrayBuffer()) : await contentOf(file, read);
      box.value = typeof content == 'string' ? content.trim() : '';
      given[name].set(typeof content == 'string' ? box.value : content);
      box.placeholder = typeof content == 'string' ? '' : file.name;
    } catch (error) {
      box.value = '';
      given[name].set('');
      say(note, error.message);
    }
  });
  given[name].set(box.value);
}

/** Makes this part of the page work. */
export function checking() {
  field('key', keyOf);
  field('message', () => {});
  field('signature', signatureOf);
  message.watch(({ value }) => {
    const octets = typeof given.message.value != 'string' && value;
    say(at('check-message-note'), octets ? `a file of ${octets.length.toLocaleString('en')} bytes` : '');
  });
  const cells = { key, signature };
  for (const [name, cell] of Object.entries(cells))
    cell.watch(({ state, value, error }) => {
      at(`check-${name}`).setAttribute('aria-invalid', String(state == 'failed'));
      const read = value ? `${value.length.toLocaleString('en')} bytes${name == 'key' ? `: ${value.length == 32 ? 'Ed25519' : 'Falcon or FN-DSA'}` : ''}` : '';
      say(at(`check-${name}-note`), state == 'failed' ? error.message : read);
    });
  verdicts.watch((now) => {
    at('rules').dataset.state = now.state;
    showRows(at('rules').tBodies[0], now.value);
    at('rules').hidden = !now.value;
    showVerdict(at('check-verdict'), now, summary);
    const program = code(key.now.value, signature.now.value, message.now.value);
    at('check-figure').hidden = !program;
    showCode(at('check-code'), program);
  });
  for (const [name, { title }] of Object.entries(examples))
    at('examples').append(element('option', { value: name }, title));
  at('examples').addEventListener('change', ({ target }) => {
    const one = examples[target.value];
    say(at('why'), one?.why ?? '');
    for (const name of ['key', 'message', 'signature']) {
      at(`check-${name}`).value = one?.[name] ?? '';
      at(`check-${name}`).placeholder = '';
      given[name].set(one?.[name] ?? '');
    }
  });
  for (const name of Object.keys(given))
    given[name].watch(() => {
      // What is said of an example is not said of anything else.
      const one = examples[at('examples').value];
      if (one && one[name] != given[name].value && at(`check-${name}`).value != one[name]) {
        at('examples').value = '';
        say(at('why'), '');
      }
    });
}
