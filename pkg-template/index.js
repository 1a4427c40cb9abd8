// address-query: reads blockchain addresses from the Blockscout API. The module is part of the JavaScript.
import { bind } from "./bindings.js";
import { Client } from "./client.js";
import { Loader } from "./loader.js";
import { base64 } from "./module.js";

export * from "./public.js";

const loader = /* @__PURE__ */ new Loader(bind, async () => WebAssembly.compile(bytes()));

export class AddressClient extends Client {
  constructor(options) {
    super(options, loader);
  }
}

function bytes() {
  if (typeof Uint8Array.fromBase64 === "function") return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const decoded = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) decoded[i] = text.charCodeAt(i);
  return decoded;
}
