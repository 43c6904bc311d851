// How fast the libraries are in this browser: all of them in turns, in bars.
import * as noble from '@noble/ed25519';
import * as fast from 'lanner/fast';
import tweetnacl from 'tweetnacl';
import { measure } from '../bench/measure.mjs';
import { at, element, say } from './dom.js';
import { derived, source } from './state.js';

const message = new TextEncoder().encode('The falcon landed: just 32 bytes');
const isPair = (pair) => pair.publicKey !== undefined;
const hasLength = (signature) => signature.byteLength == 64;
const isTrue = (verdict) => verdict === true;

/** What each library does for a row; undefined where it cannot. */
const libraries = {
  'lanner/fast': async () => {
    const pair = await fast.newKeyPair();
    const signature = await fast.sign(message, pair.secretKey);
    // As a CryptoKey is: looked at before.
    const signer = await fast.createSigner(pair.secretKey);
    return {
      'key pair': () => fast.newKeyPair(),
      sign: () => signer.sign(message),
      verify: () => fast.verify(message, signature, pair.publicKey),
    };
  },
  'crypto.subtle': async () => {
    const generate = () => crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    const pair = await generate();
    const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, message);
    return {
      'key pair': generate,
      sign: () => crypto.subtle.sign('Ed25519', pair.privateKey, message),
      verify: () => crypto.subtle.verify('Ed25519', pair.publicKey, signature, message),
    };
  },
  '@noble/ed25519': async () => {
    const pair = await noble.keygenAsync();
    const signature = await noble.signAsync(message, pair.secretKey);
    return {
      'key pair': () => noble.keygenAsync(),
      sign: () => noble.signAsync(message, pair.secretKey),
      verify: () => noble.verifyAsync(signature, message, pair.publicKey),
    };
  },
  tweetnacl: async () => {
    const pair = tweetnacl.sign.keyPair();
    const signature = tweetnacl.sign.detached(message, pair.secretKey);
    return {
      'key pair': () => tweetnacl.sign.keyPair(),
      sign: () => tweetnacl.sign.detached(message, pair.secretKey),
      verify: () => tweetnacl.sign.detached.verify(message, signature, pair.publicKey),
    };
  },
};

const good = { 'key pair': isPair, sign: hasLength, verify: isTrue };
const asked = source();

const times = derived([asked], async (_, { tell }) => {
  const cells = [];
  for (const [library, start] of Object.entries(libraries)) {
    // An engine without Ed25519 has no rows.
    const runs = await start().catch(() => ({}));
    for (const operation of Object.keys(good))
      if (runs[operation]) cells.push({ library, operation, run: runs[operation], good: good[operation], per: 1 });
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  return measure(cells, { rounds: 9, slice: 20, warm: 80, tell: async (part) => (tell(part), turn()) });
});

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** A table of one operation: a bar for each library, the longest for the fastest. */
function table(operation, measured) {
  const rates = Object.entries(measured)
    .filter(([, all]) => all[operation])
    .map(([library, all]) => [library, 1e6 / median(all[operation])])
    .sort(([, a], [, b]) => b - a);
  const rows = rates.map(([library, rate]) => {
    const bar = element('span', { className: library.startsWith('lanner') ? 'bar own' : 'bar' });
    bar.style.inlineSize = `${(100 * rate) / rates[0][1]}%`;
    bar.ariaHidden = 'true';
    const number = element('span', { className: 'rate' }, Math.round(rate).toLocaleString('en'));
    return element('tr', {}, element('th', { scope: 'row' }, library), element('td', {}, bar, number));
  });
  return element('table', { className: 'bars' }, element('caption', {}, `${operation}, calls a second`), element('tbody', {}, ...rows));
}

/** Makes this part of the page work; what is given starts a measurement. */
export function speed() {
  times.watch(({ state, value, error, part }) => {
    const busy = state == 'pending';
    at('measure').disabled = busy;
    at('speed-progress').hidden = !busy;
    at('speed-progress').value = part ?? 0;
    say(at('speed-state'), busy ? 'Measuring …' : state == 'failed' ? error.message : value ? 'Measured. Longer bars are faster.' : '');
    at('speeds').replaceChildren(...(value ? Object.keys(good).map((operation) => table(operation, value)) : []));
  });
  return () => asked.set({});
}
