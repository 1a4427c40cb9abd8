import type { WasmModule } from "./platform.js";

/** The WebAssembly module, where the platform imports one as such; else the file to fetch or to read. */
declare const module: WasmModule;
export default module;
