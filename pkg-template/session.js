// A client's session with the module: opened when it is first needed, and opened anew after the instance broke.
import { invalidParameter } from "./errors.js";
import { plain } from "./iteration.js";

export class Session {
  #loader;
  #given;
  #failure;
  #instance;
  #opened;

  constructor(options, loader) {
    this.#loader = loader;
    try {
      // A copy: what the caller does with the object later changes nothing.
      this.#given = plain(options, "options");
    } catch (error) {
      this.#failure = error;
    }
  }

  async list(...asked) {
    const session = await this.#open();
    return new Pages(this.#instance, session.list(...asked));
  }

  async range(...asked) {
    const session = await this.#open();
    return new Pages(this.#instance, session.range(...asked));
  }

  async ask(...asked) {
    const session = await this.#open();
    return this.#instance.run(() => session.ask(...asked));
  }

  async balances(...asked) {
    const session = await this.#open();
    return this.#instance.run(() => session.balances(...asked));
  }

  async #open() {
    if (this.#failure !== undefined) throw this.#failure;
    const instance = await this.#loader.load();
    if (this.#instance !== instance) {
      this.#opened = opened(instance, this.#given);
      this.#instance = instance;
    }
    return this.#opened;
  }
}

/** The pages of a list or the windows of a range. */
class Pages {
  #instance;
  #pages;

  constructor(instance, pages) {
    this.#instance = instance;
    this.#pages = pages;
  }

  get prefetch() {
    return this.#pages.prefetch;
  }

  next(signal) {
    return this.#instance.run(() => this.#pages.next(signal));
  }

  cancel() {
    this.#pages.cancel();
  }

  free() {
    this.#pages.free();
  }
}

function opened(instance, { fetch, onDrift, onBadRecord, onEvent, gatherBalances, ...settings }) {
  const functions = { fetch, onDrift: calmly(onDrift), onBadRecord: calmly(onBadRecord), onEvent: calmly(onEvent) };
  for (const [name, hook] of Object.entries({ fetch, onDrift, onBadRecord, onEvent })) {
    if (hook != null && typeof hook !== "function") throw invalidParameter(name, "must be a function");
  }
  if (gatherBalances != null && typeof gatherBalances !== "boolean") {
    throw invalidParameter("gatherBalances", "must be true or false");
  }
  if (typeof settings.apiKey === "function") {
    functions.apiKey = settings.apiKey;
    delete settings.apiKey;
  }
  return new instance.classes.Session(settings, functions);
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
