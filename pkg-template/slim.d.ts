import type { FetchResponse, WasmModule } from "./index.js";

export * from "./index.js";

/** A module, or what one is made of; or a promise of it. */
export type ModuleSource = WasmModule | ArrayBuffer | ArrayBufferView | FetchResponse;

/**
 * Brings the module of `address-query/client.wasm`. A call made before it fails with code `load`, one made after it waits.
 *
 * @example
 * ```ts
 * import module from "address-query/client.wasm"; // Cloudflare Workers: a WebAssembly.Module
 * await init({ module });
 *
 * await init({ module: fetch("/assets/client.wasm") }); // anywhere: a response, compiled while it arrives
 * ```
 * @throws {AddressQueryError} `load`
 */
export declare function init(options: { module: ModuleSource | PromiseLike<ModuleSource> }): Promise<void>;
