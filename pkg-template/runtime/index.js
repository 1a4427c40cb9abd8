// Entry address-query: reads blockchain addresses from the Blockscout API. module.js contains the WebAssembly module as a string.
import { bind } from "./bindings.js";
import { Client } from "./client.js";
import { Loader } from "./loader.js";
import { decodeModule } from "./module-codec.js";
import { encoded, size } from "./module.js";

export * from "./public.js";

const loader = /* @__PURE__ */ new Loader(bind, async () => WebAssembly.compile(decodeModule(encoded, size)));

export class AddressClient extends Client {
  constructor(options) {
    super(options, loader);
  }
}
