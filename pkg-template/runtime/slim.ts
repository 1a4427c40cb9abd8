// Entry address-query/slim: the caller passes the WebAssembly module to `init`.
import { bind } from "./bindings.js";
import type { ClientOptions } from "./chain.js";
import { Client } from "./client.js";
import { createLoadError, createParameterError } from "./errors.js";
import { Loader } from "./loader.js";
import type { FetchResponse, WasmModule } from "./platform.js";
import { compileResponse } from "./response.js";

export * from "./public.js";

/** The WebAssembly module: compiled, as bytes, or as a response. */
export type ModuleSource = WasmModule | ArrayBuffer | ArrayBufferView | FetchResponse;

let compiled: Promise<WebAssembly.Module> | undefined;

const loader = /* @__PURE__ */ new Loader(bind, () => {
  if (compiled === undefined)
    throw createLoadError("init was not called", "call init({ module }) with address-query/client.wasm first");
  return compiled;
});

/**
 * Loads the WebAssembly module `address-query/client.wasm`, which all clients of this entry share.
 *
 * @remarks
 * A call before `init` rejects with code `load`. A call after it waits until the module is loaded.
 *
 * @example
 * ```ts
 * import module from "address-query/client.wasm"; // Cloudflare Workers: a WebAssembly.Module
 * await init({ module });
 *
 * await init({ module: fetch("/assets/client.wasm") }); // elsewhere: a response, compiled while it downloads
 * ```
 * @throws {AddressQueryError} `load` if the module cannot be loaded, `invalid_parameter` if `module` is not a {@link ModuleSource}.
 */
export async function init(options: { module: ModuleSource | PromiseLike<ModuleSource> }): Promise<void> {
  compiled = compile(options?.module);
  await loader.load();
}

/**
 * A client of one Blockscout instance, like `AddressClient` of the entry `address-query`.
 *
 * @remarks
 * It uses the WebAssembly module that was passed to {@link init}, and loads nothing itself. Calls before `init` reject with code
 * `load`. Calls after an `init` that failed reject with its error, until another `init` succeeds.
 */
export class AddressClient extends Client {
  constructor(options: ClientOptions) {
    super(options, loader);
  }
}

async function compile(pending: ModuleSource | PromiseLike<ModuleSource>): Promise<WebAssembly.Module> {
  const source = await pending;
  // `instanceof` would reject values of another realm.
  const tag = Object.prototype.toString.call(source);
  if (tag === "[object WebAssembly.Module]") return source as WebAssembly.Module;
  if (tag === "[object Response]") return compileResponse(source as Response);
  if (tag === "[object ArrayBuffer]" || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  throw createParameterError("module", "must be a WebAssembly.Module, its bytes, a Response, or a promise of one of them");
}
