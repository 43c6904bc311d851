/** A `KeyObject` of `node:crypto`, as far as its type says what it is. */
export interface NodeKey {
  readonly type: 'public' | 'private' | 'secret';
  readonly asymmetricKeyType?: string | undefined;
}

/** A signature to verify, with others. */
export interface NativeItem<Key> {
  /** Any number of bytes. */
  message: Uint8Array;
  /** 64 bytes; of another length it is not valid. */
  signature: Uint8Array;
  /** 32 bytes, or a public key of the engine. */
  publicKey: Uint8Array | Key;
}
