// address-query/external: the module is a file of its own, compiled while it arrives.
import { bind } from "./bindings.js";
import { Client } from "./client.js";
import { Loader } from "./loader.js";
import { compileResponse } from "./response.js";

export * from "./public.js";

// Spelled out, so that bundlers see which file is meant.
const loader = /* @__PURE__ */ new Loader(bind, () => compileResponse(fetch(new URL("./client.wasm", import.meta.url))));

export class AddressClient extends Client {
  constructor(options) {
    super(options, loader);
  }
}
