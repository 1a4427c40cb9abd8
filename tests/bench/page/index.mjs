// Everything that is measured inside of a page (and, where it can be, in Node): the bundle's entry.
export { decode, firstCalls, phases, scaling } from "./decode.mjs";
export { onePage, prefetch, stream } from "./calls.mjs";
export { iterate } from "./memory.mjs";
export { retained, use } from "./use.mjs";

/** Files of the site, seen from a page or, by file URLs, from Node. */
export function assetsAt(base, read) {
  const bytes = read ?? (async (path) => new Uint8Array(await (await fetch(new URL(path, base))).arrayBuffer()));
  return {
    bytes,
    json: async (path) => JSON.parse(new TextDecoder().decode(await bytes(path))),
    module: (path) => import(new URL(path, base).href),
  };
}
