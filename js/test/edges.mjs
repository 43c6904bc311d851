// Every edge case by every profile with `lanner/native`, in whatever environment this runs. No module of any environment
// is imported here.

const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));

/**
 * Whether the engine answers itself, how many verdicts there were, and which were not as stated. A case has a name, key,
 * message and signature in hexadecimal, and what is stated of each profile.
 */
export async function edges({ isNative, verify }, cases) {
  let count = 0;
  const wrong = [];
  for (const [name, key, message, signature, stated] of cases) {
    const given = [message, signature, key].map(bytes);
    for (const profile of Object.keys(stated)) {
      if ((await verify(...given, { profile })) !== stated[profile]) wrong.push(`${name}, ${profile}`);
      count++;
    }
    // A key of the engine's own, where it takes one of these octets.
    const held = await globalThis.crypto?.subtle?.importKey('raw', given[2], 'Ed25519', true, ['verify']).catch(() => {});
    const own = held && (await verify(given[0], given[1], held).catch((error) => error.message));
    if (held && 'strict' in stated && own !== stated.strict && !/CryptoKey or|or a KeyObject/.test(own)) wrong.push(`${name}, CryptoKey: ${own}`);
  }
  return { native: await isNative(), count, wrong: wrong.slice(0, 20) };
}
