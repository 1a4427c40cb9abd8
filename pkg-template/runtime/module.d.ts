// The WebAssembly module as a string (see module-codec.ts). The build generates module.js.
export declare const encoded: string;
/** The size of the module in bytes. */
export declare const size: number;
