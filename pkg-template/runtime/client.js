// The base class of `AddressClient`. Each entry extends it with its own way to load the WebAssembly module.
import { Account } from "./account.js";
import { Endpoints } from "./endpoints.js";
import { Session } from "./session.js";

export class Client extends Endpoints {
  /** `loader` is shared by all clients of an entry. Throws for invalid options. */
  constructor(options, loader) {
    const session = new Session(options, loader);
    super((...args) => session.openList(...args));
    this.account = new Account(session, options?.batchBalances !== false);
  }
}
