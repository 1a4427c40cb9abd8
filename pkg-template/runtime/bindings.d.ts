// The bindings of the WebAssembly module, as far as the runtime uses them. The build generates bindings.js and compat-bindings.js.
import type { Credits } from "./objects.js";
import type { Resources } from "./resources.js";

/** Creates bindings with their own state, which use the given timers and controllers. */
export declare function bind(resources: Resources): Bindings;

export interface Bindings {
  /** The functions that the module imports. */
  readonly imports: WebAssembly.Imports;
  readonly classes: WasmClasses;
  /** Connects the bindings with the exports of an instance. */
  start(instance: { exports: WebAssembly.Exports }): void;
}

/** The classes of src/js. */
export interface WasmClasses {
  readonly Session: new (options: object) => WasmSession;
}

export interface WasmSession {
  /** Returns the normalized URL of the instance. */
  baseUrl(): string;
  /** Returns a call, and the promise of its first `next`. */
  call(name: string, params: object, options: object, isRange: boolean): [WasmCall, Promise<unknown>];
  /** Counts a request that was sent before the instance existed. `url` has no API key. `operation` is the path of its operation. */
  countRequest(url: string, operation: string): void;
  /** Returns what the client has spent, and what remains. */
  credits(): Credits;
  free(): void;
}

export interface WasmCall {
  next(): Promise<unknown>;
  /** Ends the call, and aborts its request. */
  free(): void;
}
