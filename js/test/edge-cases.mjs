// The edge cases as a module of their own, for environments that read no files: the project's, and the outside ones that
// are here.
import { own, toHex } from './support.mjs';
import { PROFILES, verification } from './vectors.mjs';

const cases = own('ed25519_verify.json').cases.map(({ id, key, msg, sig, accept }) => [
  `edge case ${id}`, key, msg, sig, Object.fromEntries(PROFILES.map((profile) => [profile, accept.includes(profile)])),
]);
for (const [set, , all] of verification)
  if (set != 'own vectors')
    for (const { name, key, message, signature, stated } of all)
      cases.push([`${set}, ${name}`, toHex(key), toHex(message), toHex(signature), stated]);

/** Its text. */
export const edgeCases = `export default ${JSON.stringify(cases)};\n`;

/** Throws unless all verdicts are as stated; `native` says whether the engine must be one that answers. */
export function allRight({ native: is, count, wrong }, native) {
  if (wrong.length || count < 7 * 1925) throw new Error(`${count} verdicts, wrong: ${wrong.join('; ')}`);
  if (native !== undefined && is !== native) throw new Error(`the engine ${is ? 'answers' : 'does not answer'}`);
  console.log(`        ${count} verdicts; the engine ${is ? 'answers where it may' : 'is not asked'}`);
}
