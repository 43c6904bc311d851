/** Without a file system: addresses of files are what fetch makes of them. */
export const readFile: ((url: URL) => Promise<Uint8Array<ArrayBuffer>>) | undefined = undefined;
