// The one function of Node that is used; its types are not installed.
declare module 'node:fs/promises' {
  export function readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
}
