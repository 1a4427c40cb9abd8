// A client's session with the module: opened when it is first needed, and opened anew after the instance broke.
import { aborted } from "./errors.js";
import { plain } from "./iteration.js";
import { clientOptions } from "./option-table.js";
import { checkOptions } from "./options.js";
import { weakly } from "./weakly.js";

export class Session {
  #loader;
  #options;
  #instance;
  #opened;

  constructor(options, loader) {
    this.#loader = loader;
    // A copy: what the caller does with the object later has no effect.
    this.#options = plain(options, "options");
    checkOptions(this.#options, clientOptions);
  }

  list(...asked) {
    return this.#call(false, ...asked);
  }

  range(...asked) {
    return this.#call(true, ...asked);
  }

  async ask(name, params, settings, signal) {
    const call = await this.#call(false, name, params, settings, signal);
    try {
      return await call.next(signal);
    } finally {
      call.free();
    }
  }

  async #call(isRange, name, params, settings, signal) {
    const session = await unlessAborted(signal, () => this.#open());
    return new Call(this.#instance, session.call(name, listed(params), listed(settings), isRange), this.#options);
  }

  async #open() {
    const instance = await this.#loader.load();
    if (this.#instance !== instance) {
      this.#opened = opened(instance, this.#options);
      this.#instance = instance;
    }
    return this.#opened;
  }
}

/** The pages of a list, the windows of a range, or one answer. */
class Call {
  #instance;
  #call;
  /** The module refers to the functions in it weakly. */
  options;

  constructor(instance, call, options) {
    this.#instance = instance;
    this.#call = call;
    this.options = options;
  }

  next(signal) {
    const next = () => this.#instance.run(() => this.#call.next());
    return unlessAborted(signal, next, () => this.cancel());
  }

  /** Ends what is under way or half read. */
  cancel() {
    this.#call.cancel();
  }

  free() {
    this.#call.free();
  }
}

/** What `start` promises, unless the signal ends the wait, which `stop` hears of. */
function unlessAborted(signal, start, stop) {
  if (signal === undefined) return start();
  return new Promise((resolve, reject) => {
    const end = () => {
      stop?.();
      reject(aborted(signal));
    };
    if (signal.aborted) return end();
    signal.addEventListener("abort", end, { once: true });
    start().then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

function opened(instance, { fetch, onDrift, onBadRecord, onEvent, gatherBalances, ...settings }) {
  let apiKey;
  if (typeof settings.apiKey === "function") {
    ({ apiKey, ...settings } = settings);
  }
  const hooks = [onDrift, onBadRecord, onEvent].map((hook) => calmly(weakly(hook)));
  return new instance.classes.Session(listed(settings), weakly(fetch), weakly(apiKey), ...hooks);
}

/** Names and values by turns, of what is given. */
function listed(members) {
  return Object.entries(members).filter(([, value]) => value != null).flat();
}

/** A hook whose exceptions surface as uncaught errors of their own rather than in the middle of a page. */
function calmly(hook) {
  if (hook == null) return undefined;
  return (event) => {
    try {
      hook(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
