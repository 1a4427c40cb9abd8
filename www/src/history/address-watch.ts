// The watch of the shown address, which all tabs share.
import { type HistoryEvent, type RemovedEvent, type WatchState, type WatchStatus, watch } from "address-query/history";
import type { Service } from "../service/service.js";

/** How the page names the states. */
export const STATES: Readonly<Record<WatchState, string>> = {
  live: "live",
  polling: "by polling",
  retrying: "trying again after a failure",
  offline: "offline",
};

/** How long a watch lasts without a listener. The next tab continues it. */
const UNUSED_MS = 10_000;

export type ArrivedEvent = HistoryEvent & { isRemoved: boolean };

/** Dispatches `change` when an event arrives or is removed, and when its state changes. */
export class AddressWatch extends EventTarget {
  /** The events that have arrived, the newest first. */
  events: readonly ArrivedEvent[] = [];
  /** Number of earlier events that are no longer on the chain. */
  removed = 0;
  state: WatchState = "polling";
  /** Why it has ended. */
  error: unknown = null;
  readonly key: string;
  readonly #controller = new AbortController();
  #listeners = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: string, service: Service, address: string) {
    super();
    this.key = key;
    void this.#read(service, address);
  }

  /** Calls `onChange` for each change. Returns a function that stops that. */
  listen(onChange: () => void): () => void {
    clearTimeout(this.#timer);
    this.#listeners += 1;
    this.addEventListener("change", onChange);
    return () => {
      this.#listeners -= 1;
      this.removeEventListener("change", onChange);
      if (this.#listeners === 0) this.#timer = setTimeout(() => this.stop(), UNUSED_MS);
    };
  }

  stop(): void {
    this.#controller.abort();
    if (current === this) current = undefined;
  }

  async #read({ client, source }: Service, address_hash: string): Promise<void> {
    const { signal } = this.#controller;
    const onState = ({ state }: WatchStatus) => {
      this.state = state;
      this.#change();
    };
    try {
      // Events of the sample chain have sockets of the sample service. Other sources have the default.
      const live = source === "" ? { WebSocket: (await import("../service/sample.js")).getSampleSocket() } : undefined;
      for await (const event of watch(client, { address_hash, signal, live, onState })) {
        this.#add(event);
        this.#change();
      }
    } catch (error) {
      // An instance without the account module cannot be watched, for example. Its lists can still be refreshed.
      this.error = error;
      this.stop();
      this.#change();
    }
  }

  #add(event: HistoryEvent | RemovedEvent): void {
    if (event.kind !== "removed") {
      this.events = [{ ...event, isRemoved: false }, ...this.events.filter(({ key }) => key !== event.key)];
      return;
    }
    if (!this.events.some(({ key }) => key === event.key)) this.removed += 1;
    this.events = this.events.map((known) => (known.key === event.key ? { ...known, isRemoved: true } : known));
  }

  #change(): void {
    this.dispatchEvent(new Event("change"));
  }
}

let current: AddressWatch | undefined;

/** Returns the watch of an address. There is one at a time. */
export function watchAddress(service: Service, address: string): AddressWatch {
  const key = `${service.source} ${address}`;
  if (current?.key !== key) {
    current?.stop();
    current = new AddressWatch(key, service, address);
  }
  return current;
}
