// Signatures with components of small order. Written by scripts/probe.mjs.

/** The public keys. */
export const KEYS: readonly string[] = [
  '5vT+6YyY9e/5rsGBhEYeGCd5ru8XAa4EAFdfbcfED8E=',
  'vGEHTNyCJ+uqngW/BUUFhBYRs8/yxlhTe0glX06NN4E=',
  'Nww/5RE70hwj+4CjacZrbCFh834Q490pMrLzeM6HCOs=',
  'g5PGL/f3PmwNSu/hXIHgA+CiZJnwbCCTXw9TXTOcKYY=',
  'OB1OwKLwvEYmZhsWsQcLwsDbRx7wvy9md23Ixgbbo64=',
  'rrrqN7BZBs7Cpw4FdtuYhCLVJ1Sv/WrrkYUsnk6YYg4=',
  'LL5+/FH59M1KzU1LPzXP6wzOBs3q3gUASu5nAwj3L3g=',
  'tFoR8E9dpHupaCyurt5Ys6ea57uhBhDWwwKhp9QRBEo=',
];

/** The place of a key, the number in the message, whether the signature is valid without a cofactor, and the signature. */
export const CASES: readonly (readonly [key: number, nth: number, valid: boolean, signature: string])[] = [
  [0, 600, false, '4HwBwPs6RdB2lMAU444X0yo1u3Rle//zQoTJHT7Hl5vGGHCECTYWPgNysI8NPhAlpsooluDWYEB0anZsrog5Ag=='],
  [0, 1200, false, 'J2z7OQGUepIba+GdxK4xD4ksEOHb9Bns3Re57AnJKDQc0oTmBzCGV0GmvorHGw+HzVwLtfIWFgSyrtaQ6rEnBw=='],
  [0, 2400, false, 'V4BqQvZYl2g0Pa/QQ1QwrdloQIwnsCCEkYVVor+jHJQcdbPTasPuNTqLmOIoqRNXEHqdlmQjKlztT9+YrQLMCQ=='],
  [1, 13200, true, 'w54vk1UNxoC//npbdkRIrAppFSCVgxRYxsLr9f+75TgUZkYW1KxwY0S1qQH6Poq8xUwMU7tHhts1vp8SVX52Cw=='],
  [1, 13800, false, '9JW2nq2KZEXklhLDMVkwtOL5/uABUfG0/CgWCkTdHfTmCqQB5ppiOUYWmflFUpt2PylsWvjCOPgfFnuNHRqJCw=='],
  [1, 14100, true, 'KYIWc+MUvig49hWlSpbO99PdeZd+Xe3fTrkd5FF4K7k5HNEf16TPitYFuSYa3l9aoNVa+YBUxDCuJMg96xdqDA=='],
  [1, 19201, false, 'FlDu1yu2t69Rg4XMoVmiUBZ6ht0GzfmGXxKMEuwCU205769Qhwo+pZ15DQ+3iqM5oRwG0dz+DsNheqNgZ7zbDA=='],
  [2, 33900, false, 'EDxZN3g2erkrQl63MIpdZKSjNi10++6nAXWuoQPwRLId6UpXxfsuDGXcSGGo9cIWIBMxfyzk3VPnEE1uXUyFCA=='],
  [2, 35101, false, 'PBGecrQWYIBkJexX43wt180pxw/Z9J2l0vMsdxyOp+Szz26oaVt040y6TfDBmfpbYCWOiFskKQIvWJpwvHKTBg=='],
  [2, 36601, false, 'QrsEYPICf7G0MsGuH7cO7fwNF3SaWYrXpYHEsFic0t4VbnCNGyBPx7r/Tovvc5fEZdWMjAYb+fcrAWyEaa1vDQ=='],
  [2, 37500, true, '8m4c0g0Xl0CCRckvJktJsdYA3FgkdO1POAU0poKDH67fa0yBYometciySEos7g6gZ1wd6bgtEnzwPm4InXHjAw=='],
  [2, 38100, false, 'f53lKleaIDN6TXJGT1QNrZXINKQhotWgY96OGIJ2eKakW+FSlFMW8KzTtF92XHNvvoiO/Z+TU8G+2VgIYJAOBA=='],
  [3, 51000, false, 'MeGv/si6MZw4yojl3l/Rg2b+MMHSPVisJghv1WWrMwZH5leGXPVyuF3YtqkgBe9HmZidVitHUL7o0NX4muuPCw=='],
  [3, 51303, true, '0k3PZ/ySyi5aAC02pY9/EldxcRzhHCggK7gNmzZHVjAfTFNrL8OTWPdWycI3/+ekj2RKk1HkjhSeoMUor+2+AA=='],
  [3, 52800, false, 'Bc97q1iXDvc6pE+L/K7f19QFlcf9i/1QautOSQcUFQiqDcYW+B0w9RI2W7tbWaC4cwz2PPiDKnH+yBCFRJM5BQ=='],
  [3, 56400, false, 'b8j542PfGkI0UUEUuVM4/CBbEAN76LYoCheytDtUJ+6ydH6qosLg7VnvASpKNkaEw9wow62bfVVTWXWvFHyBBg=='],
  [3, 57300, false, 'S+Ye9xEhiq4n/n1wgV1xK1k6R6xQhd+cgMq2W67qb41L3X3U93A8I4+Ak1HXJ+zRicypED/D7YQ6aX8dnR0WDQ=='],
  [4, 70803, false, 'Ei4VM/kDhB8OzL50aTpDnvjQRlb5+wVnvwGhdamtBumFaUu0OS14tftfOVKdGoIOZ10wZ56LNxia5KG9j3t1Cw=='],
  [4, 72902, true, '7ofdC3+H07rAcuBbjaD0LbXptl5yrjxBlQfc7NdJ2zAqx9FgQZIOjFk82cXDxraadiVaLuo9AqwPSmBcEBb1DA=='],
  [4, 73500, false, 'hEUoQJTBWzFHxM/mNXc32lhcuClQi6AwTpjvuosdw3G423oqQyLrS97YAiNbwHmIZWDzhwWbfUa7Dpcem+YwCg=='],
  [5, 85806, true, 'UaIr/SMsgjQXOVwFVVao0MZaEyPFGdvLM6ErCIbIXzzALk57FSdTFPU15xFtCdirXzED2RV9lMuCWaWJwdzSCw=='],
  [5, 86400, false, 'CuWgRLKGYxutUDa3geoyVE92F9vMs9Wgknic3wECx2EAI46clZ9YxToYSBzWlxjOQnt25o8G6pHxEUgOoy2LAQ=='],
  [5, 87301, false, 'pMO2/aUnwzPDWqoVbjybxNxj080YU05C2PI/SpyPxCiuZ2sPjYPGQgB+p6ViD3Af5nbfifyzxLP1K2HY2/2EDQ=='],
  [6, 106200, false, 'Jnn643eTXYevGsa+Z9P5564swwEEqmWI/CDfkVykG1kiqKl57IAW/i30k1x8e89IB7iiOnYy9P113FTIvsrWAA=='],
  [6, 106500, false, 'SRrUbmCQ3CqgOe0eCBXXxzBuspebS9v8bS9gFJBZMgjCEz3FnK605YVUDre4+MZ0ctr0H4uOI1ogix7D00b6Bw=='],
  [6, 108601, true, 'wK3EGfvyERQ+eAOnBr4KytSOiwOi+u/13hMhW7yyAPd84CzqxfIFAMWxxZF+MnC6KAGlumTkKd1fNIpk6oFDCA=='],
  [6, 110700, false, 'oTPPbnN1sv0GK4xQD+1Ybbc/2QNp/GbU998nsb3S1yztWmRE6Hi6YibwN8Gaktwp74dVZPJA1D0whGZ9AmTgBw=='],
  [7, 123005, true, 'Y67juZc0iWxDaY8Mrk0hmvNQSeg5u39YCa59QolUtzd9cbrnYikTNo4YGfYU3owze85Zx5VCq+bix9YLpyATDw=='],
  [7, 129000, false, 'DNI1qkBi/eF+YzV3FXE9oWLo0NzHODwWR06/2l/0QD89p0X0Rvn88RlTZCvfBf11rW+YBSbEVA7EtKM0fbouDg=='],
];
