// Entry address-query/compat: the module compiled to plain JavaScript. It is for browsers without WebAssembly, and for pages
// whose Content-Security-Policy forbids it.
import type { ClientOptions } from "./chain.js";
import { Client } from "./client.js";
import { bind } from "./compat-bindings.js";
import { instantiate } from "./compat-module.js";
import { setDecoder } from "./frame.js";
import { Loader } from "./loader.js";
import { Decoder } from "./utf8-decoder.js";

export * from "./public.js";

const loader = /* @__PURE__ */ new Loader(
  bind,
  () => {
    setDecoder(new Decoder());
    return instantiate;
  },
  (instantiate, imports) => ({ exports: instantiate(imports) }),
);

/**
 * A client of one Blockscout instance, like `AddressClient` of the entry `address-query`.
 *
 * @remarks
 * The module is plain JavaScript, loaded with the script: the first call fetches and compiles nothing, so that no call rejects
 * with code `load`. Decoding is slower, and the script larger, than with WebAssembly. Errors are otherwise the same.
 */
export class AddressClient extends Client {
  constructor(options: ClientOptions) {
    super(options, loader);
  }
}
