// What users write in TypeScript: compiled against the package by the oldest compiler that it supports, and the newest.
import { sign, verify, verifyBatch, newKeyPair, createSigner, type KeyPair, type Profile } from 'lanner';
import * as fast from 'lanner/fast';
import * as sync from 'lanner/sync';
import * as more from 'lanner/more';
import * as only from 'lanner/verify';
import nacl from 'lanner/tweetnacl';
import * as x25519 from 'lanner/x25519';
import * as moreFast from 'lanner/more/fast';
import { falcon512, falcon512padded, fndsa512, type FnDsaKeyPair } from 'lanner/fn-dsa';
import { hybrid512, type Hybrid, type HybridKeyPair, type HybridSigner } from 'lanner/hybrid';
import * as files from 'lanner/fn-dsa/keys';
import { fromPkcs8, toPkcs8, type PrivateKey } from 'lanner/keys';
import { load, verify as fetchedVerify, type Ed25519, type Source } from 'lanner/streaming';
import * as streamingFast from 'lanner/streaming/fast';

export async function run(): Promise<number> {
  const pair: KeyPair = await newKeyPair();
  const message: Uint8Array = new Uint8Array(3);
  const signature: Uint8Array = await sign(message, pair.secretKey);
  const profile: Profile = 'zip215';
  const verdicts: boolean[] = [
    await verify(message, signature, pair.publicKey, { profile }),
    ...(await verifyBatch([{ message, signature, publicKey: pair.publicKey }])),
    await fast.verify(message, await fast.sign(message, pair.secretKey), pair.publicKey),
    sync.verify(message, sync.createSigner(pair.secretKey).sign(message), pair.publicKey),
    await only.verify(message, await (await createSigner(pair.secretKey)).sign(message), pair.publicKey),
    await more.verifyStream([message], signature, pair.publicKey),
    await moreFast.verifyStream([message], signature, pair.publicKey),
    nacl.sign.detached.verify(message, nacl.sign.detached(message, pair.secretKey), pair.publicKey),
    await fetchedVerify(message, signature, pair.publicKey),
    await streamingFast.verify(message, signature, pair.publicKey),
    await native.verify(message, signature, pair.publicKey, { profile }),
    nativeSync.verify(message, signature, pair.publicKey),
  ];
  const source: Source = Uint8Array.of(1);
  const loaded: Promise<Ed25519> = load(source);
  await loaded.catch(() => {});
  // @ts-expect-error: a module does not come from a number
  await load(5).catch(() => {});
  const opened: Uint8Array | null = nacl.sign.open(nacl.sign(message, pair.secretKey), pair.publicKey);
  const shared: Uint8Array = await x25519.sharedSecret((await x25519.newKeyPair()).secretKey, (await x25519.newKeyPair()).publicKey);
  const falcon: FnDsaKeyPair = await falcon512.newKeyPair();
  const pairs = { falcon: await falcon512.newKeyPair(), fnDsa: await fndsa512.newKeyPair() };
  await falcon512padded.sign(message, pairs.falcon.secretKey);
  await falcon512padded.keyPairFromSecretKey(falcon.secretKey);
  await fndsa512.keyPairFromSecretKey(new Uint8Array(1281)).catch(() => {});
  // @ts-expect-error: a key for FN-DSA is none for Falcon
  await falcon512.sign(message, pairs.fnDsa.secretKey).catch(() => {});
  // @ts-expect-error: nor the other way round
  await fndsa512.verify(message, message, pairs.falcon.publicKey).catch(() => {});
  const scheme: Hybrid = hybrid512;
  const hybrid: HybridKeyPair = await scheme.newKeyPair();
  const hybridSigner: HybridSigner = await scheme.createSigner(hybrid.secretKey);
  const both: Uint8Array = await hybridSigner.sign(message, { context: message });
  verdicts.push(await scheme.verify(message, both, hybrid.publicKey, { context: message }));
  verdicts.push(await scheme.verifyStream([message], await scheme.signStream(message, hybrid.secretKey), hybrid.publicKey));
  // @ts-expect-error: no such option
  await scheme.sign(message, hybrid.secretKey, { prehash: 'sha512' }).catch(() => {});
  const stored: Uint8Array = await files.toPkcs8(hybrid.secretKey, hybrid512);
  const fromFile: HybridKeyPair = await files.fromPkcs8(stored, hybrid512);
  const ofFalcon = await files.fromPkcs8(await files.toPkcs8(falcon.secretKey, falcon512), falcon512padded);
  await falcon512.sign(message, ofFalcon.secretKey);
  // @ts-expect-error: a key that was read for Falcon is none for FN-DSA
  await fndsa512.sign(message, ofFalcon.secretKey).catch(() => {});
  const opened1: Uint8Array = await files.fromSpki(await files.toSpki(fromFile.publicKey, hybrid512), hybrid512);
  const read = await files.fromSpki(await files.toSpki(pairs.fnDsa.publicKey, fndsa512), fndsa512);
  // @ts-expect-error: nor a public one
  await falcon512.verify(message, message, read).catch(() => {});
  verdicts.push(opened1.length == hybrid512.lengths.publicKey);
  const key: PrivateKey = await fromPkcs8(toPkcs8(pair.secretKey.slice(0, 32)));
  // @ts-expect-error: no such profile
  await verify(message, signature, pair.publicKey, { profile: 'loose' }).catch(() => {});
  // @ts-expect-error: a message is octets
  await sign('text', pair.secretKey).catch(() => {});
  return verdicts.every(Boolean) && opened && shared && falcon && key && hybrid ? 23 : 0;
}

import type { SignKeyPair } from 'lanner/tweetnacl';
import type { Bytes } from 'lanner';
import { privateToJwk, publicFromJwk, privateFromJwk, publicToCryptoKey, privateToCryptoKey } from 'lanner/keys';
import * as x25519Sync from 'lanner/x25519/sync';
import * as ristretto from 'lanner/ristretto';
import * as ristrettoSync from 'lanner/ristretto/sync';
import * as fnDsaSync from 'lanner/fn-dsa/sync';
import * as fnDsaVerify from 'lanner/fn-dsa/verify';
import * as fnDsaStreaming from 'lanner/fn-dsa/streaming';
import * as native from 'lanner/native';
import * as nativeSync from 'lanner/native/sync';
export async function platform(): Promise<void> {
  const pair = nacl.sign.keyPair();
  const again: SignKeyPair<Bytes> = pair;
  // A pair that was put together by hand, of octets that may be in anybody's memory.
  const octets: Uint8Array = pair.publicKey;
  const built: nacl.SignKeyPair = { publicKey: octets, secretKey: octets };
  const others: [KeyPair, x25519.X25519KeyPair] = [built, built];
  others[0] = await newKeyPair();
  // The names that tweetnacl's declarations have.
  const [signs, multiplies]: [nacl.sign, nacl.scalarMult] = [nacl.sign, nacl.scalarMult];
  const [makes, detached]: [nacl.signProps.keyPair, nacl.signProps.detached] = [signs.keyPair, signs.detached];
  const all: nacl = nacl;
  const made: nacl.SignKeyPair = makes.fromSeed(octets);
  const product: Uint8Array = multiplies(made.publicKey, all.randomBytes(32));
  const verified: boolean = detached.verify(product, product, octets);
  // tweetnacl's declarations have it, and programs that call it compile: it throws.
  const random: () => void = () => nacl.setPRNG((x: Uint8Array, n: number) => void x.fill(n));
  [others, verified, random];
  const signature = await sign(new Uint8Array(3), again.secretKey);
  new Response(signature);
  await fetch('https://example.org/', { method: 'POST', body: signature });
  await crypto.subtle.importKey('raw', pair.publicKey, 'Ed25519', true, ['verify']);
  const jwk: JsonWebKey = await privateToJwk(pair.secretKey.slice(0, 32));
  publicFromJwk(jwk);
  await privateFromJwk(await crypto.subtle.exportKey('jwk', await publicToCryptoKey(pair.publicKey)));
  const key: CryptoKey = await privateToCryptoKey(pair.secretKey.slice(0, 32), 'Ed25519', { extractable: true });
  key;
  const shared: Uint8Array = x25519Sync.sharedSecret(x25519Sync.newKeyPair().secretKey, x25519Sync.newKeyPair().publicKey);
  new Blob([shared as BlobPart]);
  const terms: ristretto.Term[] = [{ scalar: await ristretto.newScalar(), element: ristrettoSync.newElement() }];
  const sum: Uint8Array = ristrettoSync.multiscalar(terms);
  const same: boolean = ristrettoSync.equals(sum, await ristretto.multiscalar(new Set(terms)));
  const group: ristretto.Ristretto = ristretto;
  const groupSync: ristrettoSync.RistrettoSync = ristrettoSync;
  new Response(await ristretto.hashToRistretto255(sum, shared));
  [same, group, groupSync];
  // @ts-expect-error: a scalar is octets
  await ristretto.multiplyBase(5n).catch(() => {});
  // @ts-expect-error: a term has an element
  await ristretto.multiscalar([{ scalar: sum }]).catch(() => {});
  const falcon = fnDsaSync.falcon512.newKeyPair();
  const falconMade = fnDsaSync.falcon512.sign(new Uint8Array(1), falcon.secretKey);
  const verdict: boolean = await fnDsaVerify.falcon512.verify(new Uint8Array(1), falconMade, falcon.publicKey);
  new Response(falconMade);
  verdict;
  const loaded = await fnDsaStreaming.load('/fn-dsa.wasm');
  await loaded.fndsa512.newKeyPair();
  fnDsaSync.fndsa512draft2026.sign(new Uint8Array(64), fnDsaSync.fndsa512draft2026.newKeyPair().secretKey, { prehash: 'mu' });
  // @ts-expect-error: only the drafts of 2026 know mu
  fnDsaSync.fndsa512.sign(new Uint8Array(64), fnDsaSync.fndsa512.newKeyPair().secretKey, { prehash: 'mu' });
  // @ts-expect-error: Falcon has no context
  fnDsaSync.falcon512.sign(new Uint8Array(1), falcon.secretKey, { context: new Uint8Array(1) });
  const held = await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']) as { privateKey: CryptoKey; publicKey: CryptoKey };
  const byEngine: Uint8Array = await native.sign(new Uint8Array(1), held.privateKey);
  const engineVerdicts: boolean[] = await native.verifyBatch([
    { message: byEngine, signature: byEngine, publicKey: held.publicKey },
    { message: byEngine, signature: byEngine, publicKey: pair.publicKey },
  ], { profile: 'dalek' });
  const node: nativeSync.NodeKey = { type: 'public', asymmetricKeyType: 'ed25519' };
  const another: () => boolean = () => nativeSync.verify(byEngine, byEngine, node);
  [engineVerdicts, another];
  // @ts-expect-error: an octet string is no key of the engine
  native.sign(byEngine, pair.secretKey).catch(() => {});
  // @ts-expect-error: no such option
  await verify(signature, signature, pair.publicKey, { profil: 'dalek' });
}

run().then((count) => console.log(count + ' entries work'));
