// The few things that every part of the page does with its elements.
import { toHex } from 'lanner/keys';

export const at = (id) => document.getElementById(id);

/** An element with properties and children. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Sets a text, if it is another: what is said twice is announced twice. */
export function say(target, words) {
  if (target.textContent != words) target.textContent = words;
}

/**
 * Shows octets in hexadecimal, those marked that are not as they were. What is copied is the whole without marks.
 */
export function showOctets(target, octets, before = octets) {
  const copies = document.querySelectorAll(`[data-copies="${target.id}"]`);
  for (const button of copies) button.disabled = !octets;
  target.classList.toggle('none', !octets);
  if (!octets) {
    target.dataset.text = '';
    return target.replaceChildren('none yet');
  }
  target.dataset.text = toHex(octets);
  const parts = [];
  let plain = '';
  for (const [i, octet] of octets.entries()) {
    const digits = octet.toString(16).padStart(2, '0');
    if (octet == before[i]) {
      plain += digits;
      continue;
    }
    parts.push(plain, element('mark', { title: `byte ${i}` }, digits));
    plain = '';
  }
  target.replaceChildren(...parts, plain);
}

/** What stands where a verdict does, while there is none: the text stays for those who hear it, and is not seen. */
export function showVerdict(target, { state, value, error, part }, words) {
  target.dataset.state = state;
  target.ariaBusy = String(state == 'pending');
  if (state == 'pending') return part;
  const [kind, text] = state == 'failed' ? ['bad', error.message] : words(state == 'done' ? value : undefined);
  target.dataset.kind = kind;
  say(target, text);
  return undefined;
}

const words = /('(?:[^'\\]|\\.)*')|(\/\/.*)|\b(import|from|const|await|for|of|new|async)\b/g;

/** Shows a program. */
export function showCode(target, text) {
  target.dataset.text = text;
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(words)) {
    const className = found[1] ? 'string' : found[2] ? 'comment' : 'keyword';
    parts.push(text.slice(end, found.index), element('span', { className }, found[0]));
    end = found.index + found[0].length;
  }
  target.replaceChildren(...parts, text.slice(end));
}

/** A text as a program writes it. */
export const quoted = (text) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

async function copy(button) {
  const target = at(button.dataset.copies);
  const { text } = target.dataset;
  let done = 'Copied';
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not over HTTPS, or not allowed: then it is chosen, to be copied by hand.
    getSelection().selectAllChildren(target);
    done = 'Selected';
  }
  const { textContent } = button;
  if (textContent != 'Copy') return;
  button.textContent = done;
  say(at('announcement'), `${button.ariaLabel.replace(/^Copy/, done + ':')}`);
  setTimeout(() => {
    button.textContent = 'Copy';
    say(at('announcement'), '');
  }, 1500);
}

/** Makes the buttons work that name what they copy. */
export function copying() {
  for (const button of document.querySelectorAll('[data-copies]'))
    button.addEventListener('click', () => void copy(button));
}

/** Takes files that are dropped on an element, or chosen by an input in it. */
export function takesFiles(zone, input, take) {
  const one = (files) => files?.[0] && take(files[0]);
  input.addEventListener('change', () => {
    one(input.files);
    // The same file may be chosen again.
    input.value = '';
  });
  for (const name of ['dragover', 'dragleave', 'drop'])
    zone.addEventListener(name, (event) => {
      if (name != 'dragleave' && !event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      zone.classList.toggle('over', name == 'dragover');
      if (name == 'drop') one(event.dataTransfer.files);
    });
}
