import { readFile } from '#read-file';
import { failure } from './loading.js';
import type { Bytes } from './types.js';

/** A `URL`, by its members: the declarations need no library. */
export interface Url {
  readonly href: string;
  readonly searchParams: object;
}

/** A `Request`, by its members. */
export interface WebRequest {
  readonly url: string;
  readonly method: string;
}

/** A `Response`, by its members. */
export interface WebResponse {
  readonly url: string;
  readonly ok: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A `WebAssembly.Module`, where there is that name. */
export type WebModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module & object
  : never;

/**
 * Where a module may come from: an address, what `fetch` takes or gives, its octets, or the
 * compiled module itself.
 */
export type Source = string | Url | WebRequest | WebResponse | ArrayBuffer | Bytes | WebModule;

/** By the tag and not by `instanceof`: values of other realms count, and classes may be missing. */
const is = <T>(value: unknown, ...tags: string[]): value is T =>
  tags.includes(Object.prototype.toString.call(value).slice(8, -1));

/** What was given, as it was then: octets are copied, and addresses that can be changed. */
export const taken = <T>(source: T): T | Source =>
  is<ArrayBuffer>(source, 'ArrayBuffer')
    ? source.slice(0)
    : is<Uint8Array<ArrayBuffer>>(source, 'Uint8Array')
      ? new Uint8Array(source)
      : is<URL>(source, 'URL')
        ? String(source)
        : source;

/** An address for messages; one with `data:` is the module itself, and long. */
const shown = (address: string): string =>
  address.length > 200 ? `${address.slice(0, 40)}...` : address;

/** What is used of a `Response`. */
type Answer = Pick<Response, 'ok' | 'status' | 'url' | 'arrayBuffer'> & { headers: Pick<Headers, 'get'> };

/** What stands at an address, or an error that names it. */
const get = async (address: string | URL | Request, text: string): Promise<Answer> => {
  try {
    if (readFile && /^file:/i.test(text)) {
      // No `Response`: where no WebAssembly is compiled (`--jitless`), Node up to 22 ends the process as soon as that is named.
      const { buffer } = new Uint8Array(await readFile(new URL(text)));
      return { ok: true, status: 200, url: '', headers: new Map(), arrayBuffer: async () => buffer };
    }
    // Another one's `Request` (of undici, say) has an address, and is nothing to this engine.
    return await fetch(globalThis.Request && address instanceof Request ? address : text);
  } catch (cause) {
    throw new Error(`lanner could not fetch ${shown(text)}`, { cause });
  }
};

/**
 * Instantiates what a response brings: while it comes, where the engine can do that and the server
 * says what it is; otherwise when all of it is there.
 */
const receive = async (
  response: Answer,
  from: string,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> => {
  if (!response.ok) throw new Error(`lanner could not fetch ${from}: status ${response.status}`);
  const type = response.headers.get('content-type') ?? 'of no type';
  // Engines take their own alone.
  if (/^application\/wasm$/i.test(type) && WebAssembly.instantiateStreaming && globalThis.Response && response instanceof Response)
    return WebAssembly.instantiateStreaming(response);
  const bytes = await response.arrayBuffer();
  // Servers of pages with routes of their own answer with a page and status 200 for what they lack.
  if (String(new Uint8Array(bytes).subarray(0, 4)) != '0,97,115,109')
    throw new TypeError(`what lanner fetched from ${from} is not WebAssembly, but ${type}`);
  return WebAssembly.instantiate(bytes);
};

/**
 * The exports of a module from elsewhere, which must be the one that this code was built with:
 * `build` is the name that the build has written into it.
 */
export const instantiate = async <E>(source: Source, build: string): Promise<E> => {
  let from = 'what was given';
  let result: WebAssembly.WebAssemblyInstantiatedSource;
  try {
    if (is<WebAssembly.Module>(source, 'WebAssembly.Module'))
      result = { module: source, instance: await WebAssembly.instantiate(source) };
    else if (is<ArrayBuffer | Uint8Array<ArrayBuffer>>(source, 'ArrayBuffer', 'Uint8Array'))
      result = await WebAssembly.instantiate(source);
    else if (!is<string | URL | Request | Response>(source, 'String', 'URL', 'Request', 'Response'))
      throw new TypeError('source must be an address, a Response, bytes or a WebAssembly.Module');
    else {
      const url = (source as Request | Response).url ?? String(source);
      if (url) from = shown(url);
      const response = is<Response>(source, 'Response') ? source : await get(source, url);
      // Where it was in the end: a relative address says less, and there may have been redirects.
      if (response.url) from = shown(response.url);
      result = await receive(response, from);
    }
  } catch (cause) {
    // The errors of this code, and of a body that was read before, are told as they are.
    if (/^(Type)?Error$/.test((cause as Error).name)) throw cause;
    throw new Error(failure(cause).message.replace('load', `load ${from}`), { cause });
  }
  // A server may hold another version than this code is, or the address may be that of another
  // module: where secrets lie in its memory, this code would not know.
  const names = WebAssembly.Module.customSections(result.module, 'lanner');
  const found = names[0] ? String.fromCharCode(...new Uint8Array(names[0])) : 'no module of lanner';
  if (found != build)
    throw new RangeError(`${from} is ${found}, and this code needs ${build}`);
  return result.instance.exports as E;
};
