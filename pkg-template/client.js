// The client of every entry.
import { Account } from "./account.js";
import { Endpoints } from "./endpoints.js";
import { Session } from "./session.js";

export class Client extends Endpoints {
  /** `loader` is the entry's own. Throws for wrong options. */
  constructor(options, loader) {
    const session = new Session(options, loader);
    super((...asked) => session.list(...asked));
    this.account = new Account(session, options?.gatherBalances !== false);
  }
}
