import type { FetchResponse, WasmModule } from "./index.js";

export * from "./index.js";

/** The WebAssembly module: compiled, as bytes, or as a response. */
export type ModuleSource = WasmModule | ArrayBuffer | ArrayBufferView | FetchResponse;

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
export declare function init(options: { module: ModuleSource | PromiseLike<ModuleSource> }): Promise<void>;
