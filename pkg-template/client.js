// The client: keeps its options, and opens a session with the module once it is there.
import { Account } from "./account.js";
import { Endpoints } from "./endpoints.js";
import { invalidParameter } from "./errors.js";
import { plain } from "./iteration.js";

/** The client of every entry; `loader` is the entry's own. */
export class Client extends Endpoints {
  constructor(options, loader) {
    const session = sessionOf(options, loader);
    super(async (name, params, settings) => (await session()).list(name, params, settings));
    this.account = new Account(session, options?.gatherBalances !== false);
  }
}

/** A function that gives the session; the same each time, unless it could not be opened. */
function sessionOf(options, loader) {
  let given;
  let failure;
  try {
    // A copy: what the caller does with the object later changes nothing.
    given = plain(options, "options");
  } catch (error) {
    failure = error;
  }
  let session;
  return async () => {
    if (failure !== undefined) throw failure;
    const { Session } = await loader.load();
    session ??= newSession(Session, given);
    return session;
  };
}

function newSession(Session, { fetch, onDrift, onBadRecord, gatherBalances, ...settings }) {
  for (const [name, hook] of Object.entries({ fetch, onDrift, onBadRecord })) {
    if (hook != null && typeof hook !== "function") throw invalidParameter(name, "must be a function");
  }
  if (gatherBalances != null && typeof gatherBalances !== "boolean") {
    throw invalidParameter("gatherBalances", "must be true or false");
  }
  return new Session(settings, fetch ?? undefined, calmly(onDrift), calmly(onBadRecord));
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
