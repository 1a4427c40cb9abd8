// Entry point of the bundle: all measurements that run in a page. Those without a network run in Node, too.
export { measureCall, measurePrefetch, measureStream } from "./calls.mjs";
export { measureDecode, measureFirstCalls, measurePhases, measureScaling } from "./decode.mjs";
export { measureIteration } from "./memory.mjs";
export { measureDeepRead, measureReadMemory } from "./ranges.mjs";
export { measureRetained, measureUsage } from "./record-use.mjs";

/** Creates functions that load files of the site, in a page or, with file URLs and `readBytes`, in Node. */
export function createAssets(baseUrl, readBytes) {
  const bytes = readBytes ?? (async (path) => new Uint8Array(await (await fetch(new URL(path, baseUrl))).arrayBuffer()));
  return {
    bytes,
    json: async (path) => JSON.parse(new TextDecoder().decode(await bytes(path))),
    module: (path) => import(new URL(path, baseUrl).href),
  };
}
