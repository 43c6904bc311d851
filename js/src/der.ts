/** What is within the elements of DER, and the tag of each. */
export type Elements = [tag: number, content: Uint8Array][];

/** Reads the elements of DER: definite lengths, in the shortest form. Of their tags, each with a comma, there is a pattern. */
export const elements = (der: Uint8Array, tags: RegExp, fail: () => never): Elements => {
  const found: Elements = [];
  let all = '';
  for (let at = 0; at < der.length; ) {
    const tag = der[at++]!;
    let length = der[at++]!;
    if (length > 127) {
      const octets = length - 128;
      length = 0;
      for (let i = 0; i < octets; i++) length = length * 256 + der[at++]!;
      if (length < 128 || length < 256 ** (octets - 1)) fail();
    }
    // Where the length itself is cut off, it is no number.
    if (!(at + length <= der.length)) fail();
    found.push([tag, der.subarray(at, (at += length))]);
    all += tag + ',';
  }
  return tags.test(all) ? found : fail();
};

/**
 * The algorithm, the octets and perhaps the public key of PKCS#8, all of them views: of version 1, version 2 (RFC 5958) with
 * attributes and public key, and the form that old versions of ring wrote of Ed25519, whose public key has another tag.
 */
export const readPrivate = (der: Uint8Array, fail: () => never): [Uint8Array, Uint8Array, Uint8Array | undefined] => {
  const [[, info]] = elements(der, /^48,$/, fail) as [Elements[0]];
  const [[, version], [, algorithm], [, octets], ...others] =
    elements(info, /^2,48,4,(160,)?(161,|129,)?$/, fail) as [Elements[0], Elements[0], Elements[0], ...Elements];
  const [tag, last] = others.find(([tag]) => tag != 160) ?? [];
  if (tag == 161 && String(algorithm) != '6,3,43,101,112') fail();
  // RFC 5958 section 2: version 2 where there is a public key, else version 1.
  if (version.length != 1 || version[0] != +!!last) fail();
  const bits = tag == 161 ? elements(last!, /^3,$/, fail)[0]![1] : last;
  if (bits?.[0]) fail();
  return [algorithm, octets, bits?.subarray(1)];
};
