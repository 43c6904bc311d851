// The outside test data with signatures, read into one form: cases with a name, key, message,
// signature, and what is stated of each profile; `sign` holds seeds whose signatures are known. Where a part of it is not
// here, that is said, and the project's own vectors take its place.
import { gunzipSync } from 'node:zlib';
import { hex, outside, own, utf8 } from './support.mjs';

/** The project's name of a policy in the files of CCTV and speccheck. */
const PROFILE_OF = {
  rfc8032_cofactored: 'rfc8032',
  rfc8032_cofactorless: 'rfc8032-cofactorless',
  go_openssl: 'dalek',
  dalek_strict: 'strict',
  zip215: 'zip215',
  libsodium: 'libsodium',
};

/** All profiles. */
export const PROFILES = [
  'strict', 'rfc8032', 'rfc8032-cofactorless', 'dalek', 'zip215', 'donna', 'libsodium',
];

const by = (verdicts) =>
  Object.fromEntries(
    Object.entries(verdicts).map(([policy, verdict]) => {
      if (!PROFILE_OF[policy]) throw new Error(`no profile for the policy ${policy}`);
      return [PROFILE_OF[policy], verdict];
    }),
  );
const all = (verdict, but = {}) => ({
  ...Object.fromEntries(PROFILES.map((profile) => [profile, verdict])),
  ...but,
});
const json = (name) => {
  const file = outside(name);
  return file && JSON.parse(file);
};

/** Stanzas of `name = value` lines, between empty ones. */
export const stanzas = (text) =>
  text
    .split(/\n\s*\n/)
    .map((part) =>
      Object.fromEntries(
        part
          .split('\n')
          .filter((line) => line.includes(' = ') && !line.startsWith('#'))
          .map((line) => line.split(/ = (.*)/s).slice(0, 2)),
      ),
    )
    .filter((stanza) => Object.keys(stanza).length);

/** The sets that are here, read; and where one is missing, the own one. */
const present = (sets, substitute) => {
  const read = sets.map(([name, count, take]) => [name, count, take()]);
  const here = read.filter(([, , cases]) => cases);
  return here.length == read.length ? here : [...here, ['own vectors', ...substitute()]];
};

/** The names of sets, how many cases they must have, and those that they have. */
export const verification = present([
  ['CCTV', 454, () =>
    json('cctv/ed25519/ed25519vectors.shared.json')?.vectors.map((v) => ({
      name: `number ${v.number}`, key: hex(v.key), message: utf8(v.msg), signature: hex(v.sig),
      stated: by(v.accept),
    }))],
  ['speccheck', 12, () => {
    const cases = json('speccheck/cases.json');
    const verdicts = json('speccheck/verdicts2026.json')?.vectors;
    // The table of 2020: `|library | V | X | ...`.
    const donna = outside('speccheck/results.md')?.toString().split('\n')
      .find((line) => line.startsWith('|ed25519-donna'))?.split('|').slice(2, 14)
      .map((cell) => cell.trim() == 'V');
    return cases?.map((v, i) => ({
      name: `case ${i}`, key: hex(v.pub_key), message: hex(v.message), signature: hex(v.signature),
      stated: { ...by(verdicts[i].policy), donna: donna[i] },
    }));
  }],
  ['small orders under ZIP 215', 196, () =>
    json('noble/zip215.json')?.map((v, i) => ({
      name: `pair ${i}`, key: hex(v.vk_bytes), message: utf8('Zcash'), signature: hex(v.sig_bytes),
      stated: { zip215: v.valid_zip215, strict: false, libsodium: false },
    }))],
  ['Wycheproof', 151, () =>
    json('wycheproof/ed25519_test.json')?.testGroups.flatMap((group) =>
      group.tests.map((v) => {
        const valid = v.result == 'valid';
        const has = (...flags) => v.flags.some((flag) => flags.includes(flag));
        const signature = hex(v.sig);
        // L added to S, which donna does not check below 2^253; and R = (-0, 1), whose sign ZIP 215
        // ignores.
        const loose = has('SignatureMalleability', 'InvalidKtv') && signature[63] < 32;
        const negative = has('InvalidEncoding') && v.sig.startsWith(`01${'00'.repeat(30)}80`);
        return {
          name: `case ${v.tcId}`, key: hex(group.publicKey.pk), message: hex(v.msg), signature,
          stated: all(valid, { donna: valid || loose, zip215: valid || negative }),
        };
      }),
    )],
  ['ring', 5, () => {
    const file = outside('ring/ed25519_verify_tests.txt');
    return file && stanzas(file.toString()).map((v, i) => ({
      name: `stanza ${i}`, key: hex(v.PUB), message: hex(v.MESSAGE), signature: hex(v.SIG),
      // The invalid ones have L added to S, below 2^253.
      stated: all(v.Result == 'P', { donna: true }),
    }));
  }],
  ['ACVP', 15, () => {
    const file = json('acvp/acvp_25519_shared.json');
    return file && [...file['EDDSA-SigGen-1.0'], ...file['EDDSA-SigVer-1.0']]
      .filter((group) => !group.preHash)
      .flatMap((group) => group.tests.map((v) => ({
        name: `case ${v.tcId}`, key: hex(v.q ?? group.q), message: hex(v.message),
        signature: hex(v.signature), stated: all(v.testPassed ?? true),
      })));
  }],
  ['JOSE and COSE', 2, () => {
    const jose = json('jose/rfc8037.json');
    const cose = json('cose/eddsa-sig-01.json');
    if (!jose || !cose) return;
    const at = jose.A4_jws_compact.lastIndexOf('.');
    const url = (text) => new Uint8Array(Buffer.from(text, 'base64url'));
    return [
      {
        name: 'RFC 8037', key: url(jose.A2_public_jwk.x), stated: all(true),
        message: utf8(jose.A4_jws_compact.slice(0, at)), signature: url(jose.A4_jws_compact.slice(at + 1)),
      },
      {
        name: 'COSE', key: hex(cose.input.sign0.key.x_hex), message: hex(cose.intermediates.ToBeSign_hex),
        signature: hex(cose.output.cbor).slice(-64), stated: all(true),
      },
    ];
  }],
], () => [
  1925,
  own('ed25519_verify.json').cases.map((v) => ({
    name: `case ${v.id}`, key: hex(v.key), message: hex(v.msg), signature: hex(v.sig),
    stated: Object.fromEntries(PROFILES.map((profile) => [profile, v.accept.includes(profile)])),
  })),
]);

/** Seeds, messages and the signatures that they give. */
export const signing = present([
  ['RFC 8032', 5, () =>
    json('rfc8032/rfc8032.json')?.ed25519.map((v) => ({
      name: v.name, seed: hex(v.secretKey), key: hex(v.publicKey), message: hex(v.message),
      signature: hex(v.signature),
    }))],
  ['Go', 128, () => {
    const file = outside('golang/sign.input.gz');
    return file && gunzipSync(file).toString().trim().split('\n').map((line, i) => {
      const [secret, key, message, signed] = line.split(':').map(hex);
      return { name: `line ${i}`, seed: secret.slice(0, 32), key, message, signature: signed.slice(0, 64) };
    });
  }],
  ['ACVP', 10, () =>
    json('acvp/acvp_25519_shared.json')?.['EDDSA-SigGen-1.0'].filter((group) => !group.preHash)
      .flatMap((group) => group.tests.map((v) => ({
        name: `case ${v.tcId}`, seed: hex(group.d), key: hex(group.q), message: hex(v.message),
        signature: hex(v.signature),
      })))],
], () => {
  const cases = ['ed25519_sign.json', 'rfc8032.json'].flatMap((name) => own(name).cases)
    .filter(({ scheme }) => scheme == 'ed25519');
  return [
    cases.length,
    cases.map((v) => ({
      name: v.name, seed: hex(v.seed), key: hex(v.public_key), message: hex(v.message), signature: hex(v.signature),
    })),
  ];
});

/** Secrets, u-coordinates and products; `zero` where the product is refused. */
export const agreement = present([
  ['Wycheproof X25519', 518, () =>
    json('wycheproof/x25519_test.json')?.testGroups.flatMap((group) =>
      group.tests.map((v) => ({
        name: `case ${v.tcId}`, scalar: hex(v.private), u: hex(v.public), product: hex(v.shared),
        zero: v.flags.includes('ZeroSharedSecret'),
      })),
    )],
  ['Go X25519', 16, () =>
    json('golang/x25519_xcrypto.json')?.vectors.map((v, i) => ({
      name: `case ${i}`, scalar: hex(v.scalar), u: hex(v.u), product: hex(v.out),
    }))],
  ['Go X25519, low orders', 7, () =>
    json('golang/x25519_xcrypto.json')?.low_order_points_must_error.map((u, i) => ({
      name: `point ${i}`, scalar: new Uint8Array(32).fill(77), u: hex(u), product: new Uint8Array(32), zero: true,
    }))],
  ['RFC 7748', 2, () =>
    json('rfc7748/rfc7748.json')?.x25519.map((v, i) => ({
      name: `case ${i}`, scalar: hex(v.scalar), u: hex(v.u), product: hex(v.out),
    }))],
], () => {
  const cases = [...own('x25519.json').cases, ...own('rfc7748.json').x25519];
  return [
    163,
    cases.map((v) => ({
      name: `case ${v.id}`, scalar: hex(v.scalar), u: hex(v.u), product: hex(v.out), zero: !v.contributory,
    })),
  ];
});
