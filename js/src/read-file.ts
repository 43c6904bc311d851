/** Without a file system: addresses of files are what fetch makes of them. */
export const readFile = undefined;
