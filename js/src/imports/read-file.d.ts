// What the import `#read-file` gives.
/** Reads a file, where there are files: fetch may know no `file:` there. */
export declare const readFile: ((url: URL) => Promise<Uint8Array<ArrayBuffer>>) | undefined;
