// Entry address-query/external: the WebAssembly module is a separate file, compiled while it downloads.
import { bind } from "./bindings.js";
import type { ClientOptions } from "./chain.js";
import { Client } from "./client.js";
import { Loader } from "./loader.js";
import { compileResponse } from "./response.js";

export * from "./public.js";

// Bundlers recognise exactly this form of URL.
const loader = /* @__PURE__ */ new Loader(bind, () => compileResponse(fetch(new URL("./client.wasm", import.meta.url))));

/**
 * A client of one Blockscout instance, like `AddressClient` of the entry `address-query`.
 *
 * @remarks
 * The first call loads the WebAssembly module: it fetches `client.wasm`, which the bundler copies beside the script, and compiles
 * it during the download. If that fails, the call rejects with code `load`, and the next call tries again. The page's
 * Content-Security-Policy must allow the file (`connect-src`) and WebAssembly (`'wasm-unsafe-eval'`).
 */
export class AddressClient extends Client {
  constructor(options: ClientOptions) {
    super(options, loader);
  }
}
