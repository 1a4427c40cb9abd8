// Entry address-query/compat: the module compiled to plain JavaScript. It is for browsers without WebAssembly, and for pages
// whose Content-Security-Policy forbids it.
import { Client } from "./client.js";
import { bind } from "./compat-bindings.js";
import { instantiate } from "./compat-module.js";
import { Loader } from "./loader.js";
import type { ClientOptions } from "./options.js";

export * from "./public.js";

const loader = /* @__PURE__ */ new Loader(bind, () => instantiate, (instantiate, imports) => ({ exports: instantiate(imports) }));

/** A client of one Blockscout instance, like `AddressClient` of the entry `address-query`. */
export class AddressClient extends Client {
  constructor(options: ClientOptions) {
    super(options, loader);
  }
}
