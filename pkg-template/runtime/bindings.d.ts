// The bindings of the WebAssembly module, as far as the runtime uses them. The build generates bindings.js and compat-bindings.js.
import type { Timers } from "./loader.js";

/** Creates bindings with their own state, which use the given timers. */
export declare function bind(timers: Timers): Bindings;

export interface Bindings {
  /** The functions that the module imports. */
  readonly imports: WebAssembly.Imports;
  readonly classes: WasmClasses;
  /** Connects the bindings with the exports of an instance. */
  start(instance: { exports: WebAssembly.Exports }): void;
}

/** The classes of src/js. */
export interface WasmClasses {
  /** `options` holds alternating names and values. */
  readonly Session: new (options: unknown[]) => WasmSession;
}

export interface WasmSession {
  /** `params` and `options` hold alternating names and values. */
  call(name: string, params: unknown[], options: unknown[], isRange: boolean): WasmCall;
}

export interface WasmCall {
  next(): Promise<unknown>;
  cancel(): void;
  free(): void;
}
