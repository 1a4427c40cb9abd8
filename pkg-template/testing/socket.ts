// The sockets of the sample service: Phoenix channels as on an instance, or subscriptions as at the gateway if the path is `/ws/1`.

import type { SampleSocketFault, SampleSockets } from "./public-types.js";

/** Topics that can be joined. The service compares topics as strings, and publishes in lower case. */
const TOPICS = /^(addresses:0x[0-9a-f]{40}|transactions:new_transaction)$/i;
const CHAIN_TOPIC = "transactions:new_transaction";
const FAULTS: readonly string[] = "refused unanswered silent duplicates reordered hostile_frames closes".split(" ");
/** Codes of closed connections: by an idle timeout, a restart, a proxy and a crash. */
const CLOSE_CODES = [1000, 1001, 1006, 1011];
const HOSTILE_FRAMES: readonly unknown[] = [
  '[null,null,"addresses:',
  '[null,null,"__proto__","__proto__",{}]',
  `[null,null,"${CHAIN_TOPIC}","${"x".repeat(5000)}",{}]`,
  new Uint8Array(8),
  "{}",
  "",
];
const LARGE_BYTES = 2_000_000;

interface SocketEvent {
  topic: string;
  event: string;
  payload: unknown;
}

export class SampleSocketHub implements SampleSockets {
  readonly WebSocket = createSocketClass(this);
  readonly #connections = new Set<Connection>();
  #faults: readonly SampleSocketFault[] = [];
  #closes = 0;

  get connections(): number {
    return this.#connections.size;
  }

  get topics(): string[] {
    return [...this.#connections].flatMap(({ joins }) => [...joins.keys()]);
  }

  setFaults(...faults: readonly SampleSocketFault[]): void {
    const unknown = faults.find((fault) => !FAULTS.includes(fault));
    if (unknown !== undefined) throw new RangeError(`unknown fault ${unknown}; valid faults are ${FAULTS.join(", ")}`);
    this.#faults = faults;
  }

  hasFault(fault: SampleSocketFault): boolean {
    return this.#faults.includes(fault);
  }

  announce(topic: string, event: string, payload: unknown = {}): void {
    this.#publish([{ topic, event, payload }]);
  }

  close(code = 1006): void {
    for (const connection of [...this.#connections]) connection.close(code);
  }

  /** Adds a connection that opened, or removes one that closed. */
  set(connection: Connection, isOpen: boolean): void {
    if (isOpen) this.#connections.add(connection);
    else this.#connections.delete(connection);
  }

  /** Announces new blocks. `getChanges` returns the events of an address in them. */
  announceBlocks(getChanges: (address: string) => readonly { readonly kind: string }[]): void {
    const events: SocketEvent[] = [{ topic: CHAIN_TOPIC, event: "transaction", payload: { transaction: 1 } }];
    for (const topic of new Set(this.topics)) {
      const address = topic.split(":")[1] ?? "";
      // An address in another letter case never has an event.
      if (!/^0x[0-9a-f]{40}$/.test(address)) continue;
      const kinds = new Set(getChanges(address).map(({ kind }) => kind));
      if (kinds.has("transaction")) events.push({ topic, event: "transaction", payload: { transactions: [{}] } });
      if (kinds.has("token_transfer")) events.push({ topic, event: "token_transfer", payload: { token_transfers: [{}] } });
      if (kinds.size > 0) events.push({ topic, event: "balance", payload: { balance: "0", exchange_rate: null } });
    }
    if (!this.hasFault("silent")) this.#publish(events);
  }

  #publish(events: readonly SocketEvent[]): void {
    const ordered = this.hasFault("reordered") ? [...events].reverse() : events;
    for (const event of ordered) {
      for (const connection of this.#connections) {
        if (this.hasFault("hostile_frames")) connection.receiveHostileFrames(event);
        connection.publish(event);
        if (this.hasFault("duplicates")) connection.publish(event);
      }
    }
    if (this.hasFault("closes")) this.close(CLOSE_CODES[this.#closes++ % CLOSE_CODES.length]);
  }
}

const createSocketClass = (hub: SampleSocketHub): SampleSockets["WebSocket"] =>
  class extends Connection {
    constructor(url: string) {
      super(hub, url);
    }
  };

/** A connection, with the part of the `WebSocket` of browsers that a client of text messages needs. */
class Connection extends EventTarget {
  readonly #hub: SampleSocketHub;
  readonly #isGateway: boolean;
  #state: "connecting" | "open" | "closed" = "connecting";
  /** The reference of the join of each topic. At the gateway, the id of the chain. */
  readonly joins = new Map<string, string>();

  constructor(hub: SampleSocketHub, url: string) {
    super();
    this.#hub = hub;
    const { pathname, searchParams } = new URL(url);
    this.#isGateway = pathname.endsWith("/ws/1");
    // Other versions of the protocol have other frames.
    const isValid = this.#isGateway ? searchParams.has("apikey") : searchParams.get("vsn") === "2.0.0";
    setTimeout(() => {
      if (!isValid || hub.hasFault("refused")) this.close(1006);
      if (this.#state !== "connecting") return;
      this.#state = "open";
      hub.set(this, true);
      this.dispatchEvent(new Event("open"));
    });
  }

  close(code = 1000): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#hub.set(this, false);
    setTimeout(() => this.dispatchEvent(Object.assign(new Event("close"), { code })));
  }

  send(data: string): void {
    if (this.#state === "connecting") throw new DOMException("the socket is not open", "InvalidStateError");
    if (this.#state === "closed" || this.#hub.hasFault("unanswered")) return;
    if (this.#isGateway) this.#handleRequest(JSON.parse(data));
    else this.#handleFrame(JSON.parse(data));
  }

  #handleFrame([joinRef, ref, topic, event]: [string | null, string, string, string, object]): void {
    const reply = (status: string, response: object) =>
      this.receive(JSON.stringify([joinRef, ref, topic, "phx_reply", { response, status }]));
    const isLeaving = event === "phx_leave";
    const isValid = topic === "phoenix" || TOPICS.test(topic);
    if (isLeaving) this.joins.delete(topic);
    else if (event === "phx_join" && isValid) this.joins.set(topic, joinRef ?? "");
    if (isValid) reply("ok", {});
    else reply("error", { reason: "unmatched topic" });
    if (isLeaving) this.receive(JSON.stringify([joinRef, ref, topic, "phx_close", {}]));
  }

  #handleRequest({ id, method, params }: { id: number; method: string; params: { topic: string; chain_id: string } }): void {
    const topic = params.topic.toLowerCase();
    const isValid = TOPICS.test(topic);
    if (method !== "subscribe") this.joins.delete(topic);
    else if (isValid) this.joins.set(topic, params.chain_id);
    this.receive(JSON.stringify(isValid ? { id, result: "ok" } : { id, error: "unknown_topic" }));
  }

  /** Sends an event, if its topic is joined. */
  publish({ topic, event, payload }: SocketEvent): void {
    const chain_id = this.joins.get(topic);
    if (chain_id === undefined) return;
    const isEvent = !event.startsWith("phx_");
    if (this.#isGateway) {
      const type = isEvent ? "event" : "topic_closed";
      this.receive(JSON.stringify({ type, topic, chain_id, data: { event, payload } }));
    } else {
      this.receive(JSON.stringify([isEvent ? null : chain_id, isEvent ? null : chain_id, topic, event, payload]));
    }
    if (!isEvent) this.joins.delete(topic);
  }

  receiveHostileFrames(event: SocketEvent): void {
    for (const frame of HOSTILE_FRAMES) this.receive(frame);
    this.publish({ ...event, event: "constructor", payload: "x".repeat(LARGE_BYTES) });
  }

  receive(data: unknown): void {
    setTimeout(() => {
      if (this.#state === "open") this.dispatchEvent(Object.assign(new Event("message"), { data }));
    });
  }
}
