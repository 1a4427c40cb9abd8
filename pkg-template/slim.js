// address-query/slim: the caller brings the module.
import { bind } from "./bindings.js";
import { Client } from "./client.js";
import { invalidParameter, notLoaded } from "./errors.js";
import { Loader } from "./loader.js";
import { compileResponse } from "./response.js";

export * from "./public.js";

let compiled;

const loader = /* @__PURE__ */ new Loader(bind, () => {
  if (compiled === undefined) throw notLoaded("it was not given", "call init({ module }) with address-query/client.wasm first");
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

async function compile(given) {
  const module = await given;
  // Not by their classes: those of another realm will do.
  const kind = Object.prototype.toString.call(module);
  if (kind === "[object WebAssembly.Module]") return module;
  if (kind === "[object Response]") return compileResponse(module);
  if (kind === "[object ArrayBuffer]" || ArrayBuffer.isView(module)) return WebAssembly.compile(module);
  throw invalidParameter("module", "must be a WebAssembly.Module, its bytes, a Response, or a promise of one of them");
}
