// Loads a module once, when it is first needed, and makes its instances.
import { AddressQueryError, notLoaded } from "./errors.js";

export class Loader {
  #bind;
  #compile;
  #instantiate;
  #compiled;
  #instance;
  #current;

  /** `bind` makes bindings that use the given timers, `compile` the module; an entry without WebAssembly says how its module is instantiated. */
  constructor(bind, compile, instantiate = (module, imports) => WebAssembly.instantiate(module, imports)) {
    this.#bind = bind;
    this.#compile = compile;
    this.#instantiate = instantiate;
  }

  /**
   * A promise of the instance, the same each time until it breaks. A failed attempt is not remembered: the next call tries
   * again.
   */
  load() {
    if (this.#current?.broken) this.#current = this.#instance = undefined;
    this.#instance ??= this.#start().catch((cause) => {
      this.#instance = this.#compiled = undefined;
      throw loadError(cause);
    });
    return this.#instance;
  }

  async #start() {
    this.#compiled ??= this.#compile();
    const module = await this.#compiled;
    const timers = new Timers();
    const bindings = this.#bind(timers);
    this.#current = new Instance(bindings, timers, await this.#instantiate(module, bindings.imports));
    return this.#current;
  }
}

/** The timers of an instance. It clears each of them itself, unless it breaks: then they would keep a Node process alive. */
class Timers {
  #pending = new Set();

  setTimeout = (callback, ms) => {
    const timer = setTimeout(callback, ms);
    this.#pending.add(timer);
    return timer;
  };

  clearTimeout = (timer) => {
    this.#pending.delete(timer);
    clearTimeout(timer);
  };

  clearAll() {
    for (const timer of this.#pending) clearTimeout(timer);
  }
}

/**
 * An instance of the module. What is left of one that broke can do no harm: its bindings have a state of their own, late
 * answers to it are passed over, and calls of its objects fail.
 */
class Instance {
  #bindings;
  #timers;
  /** Each call under way by its rejection. It stays alive until it settles, and with it the functions that it uses. */
  #waiting = new Map();
  broken = false;

  constructor(bindings, timers, { exports }) {
    this.#bindings = bindings;
    this.#timers = timers;
    bindings.start({ exports: this.#watched(exports) });
  }

  get classes() {
    return this.#bindings.classes;
  }

  /** A promise of what `call` promises; if the instance breaks meanwhile, a rejection. */
  run(call) {
    return new Promise((resolve, reject) => {
      const forget = () => this.#waiting.delete(reject);
      this.#waiting.set(reject, call);
      try {
        call().then(resolve, reject).finally(forget);
      } catch (error) {
        forget();
        reject(error);
      }
    });
  }

  /** The exports; an exception that leaves one of them (a trap) leaves the instance in an unknown state. */
  #watched(exports) {
    const watched = {};
    for (const [name, value] of Object.entries(exports)) {
      watched[name] = value;
      if (typeof value !== "function") continue;
      watched[name] = (...given) => {
        try {
          return value(...given);
        } catch (cause) {
          this.#break(cause);
          return failed(name, faultError(cause));
        }
      };
    }
    return watched;
  }

  #break(cause) {
    if (!this.broken) {
      this.broken = true;
      this.#bindings.start({ exports: BROKEN });
      this.#timers.clearAll();
      for (const reject of this.#waiting.keys()) reject(faultError(cause));
      this.#waiting.clear();
    }
  }
}

function faultError(cause) {
  const message = "a fault of this library ended the call; the next one starts afresh, so try again, and report this with its cause";
  return new AddressQueryError("internal", message, { retryable: true }, cause);
}

/** The exports of an instance that broke, as seen by what still refers to it. */
const BROKEN = new Proxy({ __wbindgen_externrefs: new Map() }, { get: (own, name) => own[name] ?? (() => failed(name, faultError())) });

/** Only what a caller waits for fails: nobody would catch what is thrown to a timer or a promise. */
function failed(name, error) {
  if (/^session_|^call_next$/.test(name)) throw error;
  // The bindings look for an error in the first places of what comes back.
  return [];
}

const COMPAT = 'import "address-query/compat", which does without';

function loadError(cause) {
  if (cause instanceof AddressQueryError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  let remedy = "try again, or report this with the name of the browser";
  let retryable = false;
  if (typeof WebAssembly === "undefined") {
    remedy = `this browser has no WebAssembly, or has it switched off: ${COMPAT}`;
  } else if (/unsafe-eval|Content.Security.Policy|blocked by CSP|disallowed by embedder/i.test(reason)) {
    remedy = `the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src, or ${COMPAT}`;
  } else {
    retryable = true;
  }
  return notLoaded(reason, remedy, cause, retryable);
}
