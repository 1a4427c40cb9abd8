import type { WasmModule } from "./platform.js";

/** The WebAssembly module, on platforms that can import it, such as Cloudflare Workers. Elsewhere, fetch or read the file. */
declare const module: WasmModule;
export default module;
