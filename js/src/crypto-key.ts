// Keys of WebCrypto by their members: the declarations need neither the library `dom` nor `@types/node`.

/** A `CryptoKey` of WebCrypto. */
export interface WebKey {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly string[];
}

/** One that was made here, which is a `CryptoKey` wherever there is that name. */
export interface MadeWebKey {
  readonly type: 'public' | 'private';
  readonly extractable: boolean;
  readonly algorithm: { name: string };
  readonly usages: ('sign' | 'verify' | 'deriveBits')[];
}
