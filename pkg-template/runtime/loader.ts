// Loads the WebAssembly module on the first call, creates its instance, and replaces an instance that crashed.
import type { Bindings } from "./bindings.js";
import { AddressQueryError, createLoadError } from "./errors.js";
import { Instance, type InstantiatedModule } from "./wasm-instance.js";
import { Resources } from "./resources.js";

export class Loader<Module = WebAssembly.Module> {
  #bind: (resources: Resources) => Bindings;
  #compile: () => Module | Promise<Module>;
  #instantiate: (module: Module, imports: WebAssembly.Imports) => InstantiatedModule | Promise<InstantiatedModule>;
  #compiled: Module | Promise<Module> | undefined;
  /** The promise of the instance. */
  #loading: Promise<Instance> | undefined;
  #instance: Instance | undefined;
  /** Whether an instance is being created. False if the module is missing. */
  isCompiling = false;

  /**
   * - `bind` creates bindings that use the given timers and controllers.
   * - `compile` returns the module.
   * - `instantiate` creates an instance of it. The entry without WebAssembly passes its own function.
   */
  constructor(
    bind: (resources: Resources) => Bindings,
    compile: () => Module | Promise<Module>,
    instantiate: (module: Module, imports: WebAssembly.Imports) => InstantiatedModule | Promise<InstantiatedModule> = (
      module,
      imports,
    ) => WebAssembly.instantiate(module as WebAssembly.Module, imports),
  ) {
    this.#bind = bind;
    this.#compile = compile;
    this.#instantiate = instantiate;
  }

  /** Returns a promise of the instance, which is the same until it crashes. After a failure, the next call loads it again. */
  load(): Promise<Instance> {
    if (this.#instance?.isBroken) this.#instance = this.#loading = undefined;
    this.#loading ??= this.#createInstance().catch((cause: unknown) => {
      this.#loading = this.#compiled = undefined;
      this.isCompiling = false;
      throw toLoadError(cause);
    });
    return this.#loading;
  }

  async #createInstance(): Promise<Instance> {
    this.#compiled ??= this.#compile();
    this.isCompiling = true;
    const module = await this.#compiled;
    const resources = new Resources();
    const bindings = this.#bind(resources);
    this.#instance = new Instance(bindings, resources, await this.#instantiate(module, bindings.imports));
    this.isCompiling = false;
    return this.#instance;
  }
}

const USE_COMPAT = 'import "address-query/compat", which needs no WebAssembly';
const USE_DEFAULT_ENTRY = 'import "address-query", which includes the module, or pass the module to init of "address-query/slim"';

function toLoadError(cause: unknown): AddressQueryError {
  if (cause instanceof AddressQueryError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  let remedy = "try again, or report this error with the name of the browser";
  let retryable = false;
  if (typeof WebAssembly === "undefined") {
    remedy = `this browser does not support WebAssembly, or it is turned off: ${USE_COMPAT}`;
  } else if ("WebSocketPair" in globalThis) {
    remedy = `Cloudflare Workers compile no WebAssembly: import module from "address-query/client.wasm" and pass it to init of "address-query/slim", or ${USE_COMPAT}`;
  } else if (/unsafe-eval|Content.Security.Policy|blocked by CSP|disallowed by embedder/i.test(reason)) {
    remedy = `the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src, or ${USE_COMPAT}`;
  } else if (/out of memory/i.test(reason)) {
    remedy = `the browser has too little memory for WebAssembly: ${USE_COMPAT}`;
  } else if (/\bURL\b/.test(reason)) {
    remedy = `the address of client.wasm is not known, as in a worker from a blob: ${USE_DEFAULT_ENTRY}`;
  } else if (/^(Reference|Link)Error$/.test((cause as Error | undefined)?.name ?? "")) {
    remedy = `report this error with the name of the browser or runtime, and ${USE_COMPAT}`;
  } else {
    retryable = true;
  }
  return createLoadError(reason, remedy, cause, retryable);
}
