// Entry address-query/compat: the module compiled to plain JavaScript. It is for browsers without WebAssembly, and for pages
// whose Content-Security-Policy forbids it.
import { Client } from "./client.js";
import { bind } from "./compat-bindings.js";
import { instantiate } from "./compat-module.js";
import { Loader } from "./loader.js";

export * from "./public.js";

const loader = /* @__PURE__ */ new Loader(bind, () => instantiate, (instantiate, imports) => ({ exports: instantiate(imports) }));

export class AddressClient extends Client {
  constructor(options) {
    super(options, loader);
  }
}
