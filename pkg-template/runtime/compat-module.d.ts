// The module compiled to plain JavaScript. The build generates compat-module.js.
export declare function instantiate(imports: WebAssembly.Imports): WebAssembly.Exports;
