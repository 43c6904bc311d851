// The functions of Node that are used; its types are not installed.
declare module 'node:fs/promises' {
  export function readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
}
declare module 'node:buffer' {
  export const Buffer: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> };
}
declare module 'node:zlib' {
  export function inflateRawSync(data: Uint8Array): Uint8Array<ArrayBuffer>;
}
