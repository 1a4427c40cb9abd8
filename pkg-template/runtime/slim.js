// Entry address-query/slim: the caller passes the WebAssembly module to `init`.
import { bind } from "./bindings.js";
import { Client } from "./client.js";
import { createLoadError, createParameterError } from "./errors.js";
import { Loader } from "./loader.js";
import { compileResponse } from "./response.js";

export * from "./public.js";

let compiled;

const loader = /* @__PURE__ */ new Loader(bind, () => {
  if (compiled === undefined) throw createLoadError("init was not called", "call init({ module }) with address-query/client.wasm first");
  return compiled;
});

export async function init(options) {
  compiled = compile(options?.module);
  await loader.load();
}

export class AddressClient extends Client {
  constructor(options) {
    super(options, loader);
  }
}

async function compile(pending) {
  const source = await pending;
  // `instanceof` would reject values of another realm.
  const tag = Object.prototype.toString.call(source);
  if (tag === "[object WebAssembly.Module]") return source;
  if (tag === "[object Response]") return compileResponse(source);
  if (tag === "[object ArrayBuffer]" || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  throw createParameterError("module", "must be a WebAssembly.Module, its bytes, a Response, or a promise of one of them");
}
