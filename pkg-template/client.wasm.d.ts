/** The WebAssembly module, where the platform imports one as such; else the file to fetch or to read. */
declare const module: WebAssembly.Module;
export default module;
