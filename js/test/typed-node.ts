// What users write for Node in TypeScript, without the library `dom`: compiled against the package by the newest compiler.
import { createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { Blob } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { ReadableStream } from 'node:stream/web';
import { newKeyPair, verify } from 'lanner';
import { fndsa512 } from 'lanner/fn-dsa';
import { load as loadFnDsa } from 'lanner/fn-dsa/streaming';
import { privateFromCryptoKey, privateToCryptoKey, privateToJwk, publicFromCryptoKey, publicToCryptoKey, publicToJwk } from 'lanner/keys';
import { signPrehashed, signStream, verifyStream } from 'lanner/more';
import * as native from 'lanner/native';
import * as nativeSync from 'lanner/native/sync';
import { load } from 'lanner/streaming';

export async function run(): Promise<boolean[]> {
  const { publicKey, secretKey } = await newKeyPair();
  const message = Buffer.from('message');
  const privateKey: webcrypto.CryptoKey = await privateToCryptoKey(secretKey.slice(0, 32));
  const open: webcrypto.CryptoKey = await publicToCryptoKey(publicKey);
  await webcrypto.subtle.sign('Ed25519', privateKey, message);
  await publicFromCryptoKey(open);
  await privateFromCryptoKey(privateKey);
  const signature = await native.sign(message, privateKey);
  const key: native.EngineKey = createPublicKey({ key: 'x', format: 'pem' });
  createPublicKey({ key: publicToJwk(publicKey), format: 'jwk' });
  createPrivateKey({ key: await privateToJwk(secretKey.slice(0, 32)), format: 'jwk' });
  // As older types of Node have it.
  interface JsonWebKey { kty?: string | undefined; x?: string | undefined; d?: string | undefined; [key: string]: unknown }
  const jwks: JsonWebKey[] = [publicToJwk(publicKey), await privateToJwk(secretKey.slice(0, 32))];
  jwks;
  await load(new URL('file:///small.wasm'));
  await loadFnDsa(fetch('https://example.org/fn-dsa.wasm'));
  // @ts-expect-error: a module does not come from a number
  await load(5);
  const stream = (): ReadableStream<Uint8Array> => new ReadableStream<Uint8Array>();
  await signPrehashed(createReadStream('file'), secretKey);
  await signStream(() => new Blob([message]), secretKey);
  await signPrehashed(stream(), secretKey);
  // @ts-expect-error: text is no source
  await signPrehashed('text', secretKey);
  await fndsa512.signStream(async () => createReadStream('file'), (await fndsa512.newKeyPair()).secretKey);
  return [
    await verify(message, signature, publicKey),
    await native.verify(message, signature, open),
    await native.verify(message, signature, key),
    nativeSync.verify(message, signature, createPublicKey({ key: 'x', format: 'pem' })),
    await verifyStream(createReadStream('file'), signature, publicKey),
  ];
}
