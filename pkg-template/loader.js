// Loads a module once, when it is first needed, and makes its instances.
import { AddressQueryError } from "./errors.js";

export class Loader {
  #bind;
  #compile;
  #instantiate;
  #compiled;
  #instance;
  #current;

  /** `bind` makes bindings, `compile` the module; an entry without WebAssembly says how its module is instantiated. */
  constructor(bind, compile, instantiate = (module, imports) => WebAssembly.instantiate(module, imports)) {
    this.#bind = bind;
    this.#compile = compile;
    this.#instantiate = instantiate;
  }

  /** A promise of the module's classes. A failed attempt is not remembered: the next call tries again. */
  load() {
    this.#instance ??= this.#start().catch((cause) => {
      this.#instance = this.#compiled = undefined;
      throw loadError(cause);
    });
    return this.#instance;
  }

  /**
   * A promise of the classes of a new instance, in the place of one that broke (a trap leaves it in an unknown state). Who
   * notices later that the same one broke gets that new instance too. What is left of the old one can do no harm: its
   * bindings have a state of their own, late answers to it are passed over, and calls of its objects fail.
   */
  fresh(broken) {
    if (this.#current?.bindings.classes === broken) {
      this.#current.bindings.start({ exports: BROKEN });
      this.#current = this.#instance = undefined;
    }
    return this.load();
  }

  async #start() {
    this.#compiled ??= this.#compile();
    const module = await this.#compiled;
    const bindings = this.#bind();
    bindings.start(await this.#instantiate(module, bindings.imports));
    this.#current = { bindings };
    return bindings.classes;
  }
}

/** The exports of an instance that broke, as seen by what still refers to it: only what a caller waits for fails. */
const BROKEN = new Proxy({ __wbindgen_externrefs: new Map() }, { get: (own, name) => own[name] ?? (() => broken(name)) });

function broken(name) {
  if (/^session_|_next$/.test(name)) throw new AddressQueryError("internal", "the module failed earlier; call again");
  // The bindings look for an error in the first places of what comes back.
  return [];
}

function loadError(cause) {
  if (cause instanceof AddressQueryError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  let remedy = "try again, or report this with the name of the browser";
  if (typeof WebAssembly === "undefined") {
    remedy = "this browser has no WebAssembly, or has it switched off";
  } else if (/unsafe-eval|Content.Security.Policy|blocked by CSP|disallowed by embedder/i.test(reason)) {
    remedy = "the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src";
  }
  return new AddressQueryError("load", `the WebAssembly module could not be loaded (${reason}); ${remedy}`, undefined, cause);
}
