// The latest events of all clients of the page.
import type { ClientEvent, Drift } from "address-query";

export interface NetworkEntry {
  /** When it happened, in Unix milliseconds. */
  time: number;
  event: ClientEvent | ({ kind: "drift" } & { drift: Drift });
}

const MAX_ENTRIES = 1000;

/** The last entries, oldest first. It dispatches `change` after each new one. */
class NetworkLog extends EventTarget {
  readonly entries: NetworkEntry[] = [];

  add(event: NetworkEntry["event"]): void {
    this.entries.push({ time: Date.now(), event });
    if (this.entries.length > MAX_ENTRIES) this.entries.shift();
    this.dispatchEvent(new Event("change"));
  }

  clear(): void {
    this.entries.length = 0;
    this.dispatchEvent(new Event("change"));
  }
}

export const networkLog = new NetworkLog();
