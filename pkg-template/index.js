// address-query: reads blockchain addresses from the Blockscout API. The module is part of the JavaScript.
import { bind } from "./bindings.js";
import { Client } from "./client.js";
import { Loader } from "./loader.js";
import { size, text } from "./module.js";
import { fromText } from "./text.js";

export * from "./public.js";

const loader = /* @__PURE__ */ new Loader(bind, async () => WebAssembly.compile(fromText(text, size)));

export class AddressClient extends Client {
  constructor(options) {
    super(options, loader);
  }
}
