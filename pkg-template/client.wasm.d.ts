import type { WasmModule } from "./platform.js";

/** The WebAssembly module on platforms that import modules, such as Cloudflare Workers. Elsewhere fetch or read this file. */
declare const module: WasmModule;
export default module;
