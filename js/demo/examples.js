// Signatures about which the rules disagree: cases of the project's own, by their numbers in
// `vectors/data/ed25519_verify.json`. A test compares.

export const examples = {
  honest: {
    case: 0,
    title: 'an honest signature',
    why: 'All rules accept it.',
    key: 'e6f4fee98c98f5eff9aec18184461e182779aeef1701ae0400575f6dc7c40fc1',
    message: 'Lanner 0',
    signature:
      'f11fd18459b3b3e7befbcdd31bde4fc0d6710906b717d6f63ed9b1e9ac5c7886467933ecd6d1a4f8810307b977cdb55337ae83f9ab7070d6e87d80c90570a00e',
  },
  malleated: {
    case: 1,
    title: 'S + L in place of S',
    why: 'Anybody can make it of an honest signature, without the key: a second signature of the same message. Only donna’s rule, which looks at three bits of S, lets it pass.',
    key: 'e6f4fee98c98f5eff9aec18184461e182779aeef1701ae0400575f6dc7c40fc1',
    message: 'Lanner 0',
    signature:
      'f11fd18459b3b3e7befbcdd31bde4fc0d6710906b717d6f63ed9b1e9ac5c7886334d2949f134b75058a0fe5b56c7946837ae83f9ab7070d6e87d80c90570a01e',
  },
  mixed: {
    case: 46,
    title: 'a key with a part of order 8',
    why: 'Whoever chose the key made it so that rules with the cofactor accept and others refuse: two honest verifiers disagree.',
    key: 'bc61074cdc8227ebaa9e05bf054505841611b3cff2c658537b48255f4e8d3781',
    message: 'Lanner 13800',
    signature:
      'f495b69ead8a6445e49612c3315930b4e2f9fee00151f1b4fc28160a44dd1df4e60aa401e69a6239461699f945529b763f296c5af8c238f81f167b8d1d1a890b',
  },
  weak: {
    case: 476,
    title: 'a key under which anybody can sign',
    why: 'The key is the neutral element: whatever S is, R = S·B makes it a signature of any message.',
    key: '0100000000000000000000000000000000000000000000000000000000000000',
    message: 'Lanner 142800',
    signature:
      '9c3294f51475681276621aa195d5e5d85fdb21a7b354bb663460dc319152168c089a8e26349e14c98b5a7719bffa7623eafab9f47891de41eee96a74a4683008',
  },
  encoding: {
    case: 520,
    title: 'a key in a second encoding',
    why: 'The same point as above, with a sign although its x is zero: rules that just decode it accept it, those that ask for the canonical encoding do not.',
    key: '0100000000000000000000000000000000000000000000000000000000000080',
    message: 'Lanner 156000',
    signature:
      'd98d5efd84e69402aeb10559280cfb56c7d75d518e70acf6eed52cc98c96a6ac3943c7e157439b9ed1f35d03392ce3b30a6f733bd7912fc95c6b7d70ae27420b',
  },
  zip215: {
    case: 18,
    title: 'an R that only ZIP 215 takes',
    why: 'R has a sign although its x is zero. No computed R is ever written so; ZIP 215 decodes it.',
    key: 'e6f4fee98c98f5eff9aec18184461e182779aeef1701ae0400575f6dc7c40fc1',
    message: 'Lanner 5400',
    signature:
      '010000000000000000000000000000000000000000000000000000000000008073f44b85f713004b75c31d362b8788c6fac6430d3d30038f256a968754b1190c',
  },
};
