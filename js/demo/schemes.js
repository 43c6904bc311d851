// The signature schemes, each with how a program calls it. FN-DSA's module is by far the largest part of the page, and is
// fetched when it is first wanted.
import * as ed25519 from 'lanner/fast';

/** FN-DSA and Falcon. */
export const loadFnDsa = () => import('lanner/fn-dsa');

const ofFnDsa = (name) => ({
  name,
  load: async () => (await loadFnDsa())[name],
  imports: `import { ${name} } from 'lanner/fn-dsa';`,
  call: (member) => `${name}.${member}`,
});

/** By the value of the choice that stands for it. */
export const schemes = {
  ed25519: {
    name: 'Ed25519',
    load: async () => ed25519,
    imports: "import { newKeyPair, sign, verify } from 'lanner';",
    call: (member) => member,
  },
  fndsa512: ofFnDsa('fndsa512'),
  fndsa1024: ofFnDsa('fndsa1024'),
  falcon512padded: ofFnDsa('falcon512padded'),
};
