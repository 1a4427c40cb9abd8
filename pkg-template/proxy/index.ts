// Entry address-query/proxy: a request handler for a server, which adds the API key to the requests of a page. It uses only standards
// of the web, and neither the client nor its WebAssembly module.
export type * from "./public-types.js";
export { createProxy } from "./proxy.js";
