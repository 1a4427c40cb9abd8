// The socket of an instance or of the gateway. Its events are only hints that something has changed: no payload is parsed. A socket
// can join and stay silent for ever, so it is proven only while events of the whole chain arrive.
import { JOIN, LEAVE, REPLY, type SocketProtocol } from "./live-protocol.js";
import type { WebSocketClass, WebSocketLike } from "./public-types.js";

/** The topic with events of the whole chain. */
const CHAIN_TOPIC = "transactions:new_transaction";
const MAX_TOPICS = 50;
const RESPONSE_MS = 10_000;
const HEARTBEAT_MS = 30_000;
/** How long to wait for the next event of the chain, to keep the socket of a hidden page, and until a proven socket is reliable. */
const PATIENCE_MS = 60_000;
/** How long to leave the chain after one of its events, if the service charges for each of them. */
const PAUSE_MS = 240_000;
const MAX_BACKOFF_MS = 60_000;
/** After this many failed handshakes in a row, the next ones are rare. */
const MAX_HANDSHAKES = 5;
const UNSUPPORTED_MS = 1_350_000;
const MAX_BAD_FRAMES = 20;
/** Topic, event and result are within this many characters. */
const HEAD_LENGTH = 300;

/** Called with each event of a topic. Empty: the topic was joined, and earlier events are lost. Undefined: the state may have changed. */
export type TopicListener = (event?: string) => void;

interface Topic {
  readonly listeners: Set<TopicListener>;
  /** The reference of the latest join. Empty: the service has refused it, or it was left. */
  ref: string;
  isJoined: boolean;
}

const createTopic = (): Topic => ({ listeners: new Set(), ref: "", isJoined: false });

/** The sockets by class and URL, which all watches of a page share. */
const sockets = new WeakMap<WebSocketClass, Map<string, HintSocket>>();

/** Returns the shared socket of a protocol. `canSpend` returns whether this many credits are left. */
export function shareSocket(
  create: WebSocketClass,
  protocol: SocketProtocol,
  canSpend: (credits: number) => boolean,
): HintSocket {
  const shared = sockets.get(create) ?? new Map<string, HintSocket>();
  const socket = shared.get(protocol.url) ?? new HintSocket(create, protocol, canSpend);
  sockets.set(create, shared.set(protocol.url, socket));
  return socket;
}

export class HintSocket {
  readonly #create: WebSocketClass;
  readonly #protocol: SocketProtocol;
  readonly #canSpend: (credits: number) => boolean;
  readonly #chain = createTopic();
  readonly #topics = new Map([[CHAIN_TOPIC, this.#chain]]);
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Removes the listeners of the page. */
  #closing = new AbortController();
  #socket: WebSocketLike | undefined;
  #isOpen = false;
  #isProven = false;
  #ref = 0;
  #heartbeat = 0;
  #failures = 0;
  #handshakes = 0;
  #badFrames = 0;
  /** The time of the first event of the chain, and the number of such events. */
  #first = 0;
  #count = 0;
  /** The credits that the connections and messages cost. */
  credits = 0;

  constructor(create: WebSocketClass, protocol: SocketProtocol, canSpend: (credits: number) => boolean) {
    this.#create = create;
    this.#protocol = protocol;
    this.#canSpend = canSpend;
  }

  /** Adds a listener to a topic. Returns a function that removes it. The first one opens the socket, and the last one closes it. */
  listen(name: string, listener: TopicListener): () => void {
    const topics = this.#topics;
    const topic = topics.get(name) ?? createTopic();
    topic.listeners.add(listener);
    if (topic.isJoined) listener("");
    else if (!topics.has(name) && topics.size <= MAX_TOPICS) {
      topics.set(name, topic);
      if (topics.size === 2) this.#open();
      else if (this.#isOpen) this.#join(name, topic);
    }
    return () => {
      topic.listeners.delete(listener);
      if (topic.listeners.size > 0 || topics.get(name) !== topic) return;
      topics.delete(name);
      if (topic.isJoined) this.#send(name, LEAVE);
      if (topics.size > 1) return;
      this.#closing.abort();
      this.#disconnect();
    };
  }

  /** Whether events of the topic are likely to arrive. */
  isLive(name: string): boolean {
    return this.#isProven && this.#topics.get(name)?.isJoined === true;
  }

  #open(): void {
    const { document, addEventListener } = globalThis;
    this.#closing = new AbortController();
    const options = { signal: this.#closing.signal };
    const wake = () => (document?.hidden ? this.#closeIfHidden() : this.#connect());
    document?.addEventListener("visibilitychange", wake, options);
    // A socket that was open before the page slept may be dead, whatever its state says.
    for (const name of ["online", "pageshow"]) addEventListener?.(name, wake, options);
    addEventListener?.("pagehide", () => this.#disconnect(), options);
    this.#connect();
  }

  #connect(): void {
    this.#disconnect();
    if (!this.#canSpend(this.credits + this.#protocol.openCredits)) return;
    this.#closeIfHidden();
    this.#handshakes += 1;
    const retry = () => this.#retry();
    this.#after("response", RESPONSE_MS, retry);
    try {
      const socket = new this.#create(this.#protocol.url);
      this.#socket = socket;
      const on = (type: string, handle: (event: { data?: unknown }) => void) =>
        socket.addEventListener(type, (event) => this.#socket === socket && handle(event));
      on("open", () => this.#onOpen());
      on("message", ({ data }) => this.#onMessage(data));
      on("close", retry);
      // The package `ws` throws errors that have no listener.
      on("error", () => {});
    } catch {
      // A page with encryption cannot open a socket without.
      retry();
    }
  }

  #closeIfHidden(): void {
    if (globalThis.document?.hidden) this.#after("hidden", PATIENCE_MS, () => this.#disconnect());
  }

  #onOpen(): void {
    this.#isOpen = true;
    this.#handshakes = this.#badFrames = 0;
    this.credits += this.#protocol.openCredits;
    for (const [name, topic] of this.#topics) this.#join(name, topic);
    if (!this.#protocol.openCredits) this.#beat();
  }

  #join(name: string, topic: Topic): void {
    topic.ref = `${this.#send(name, JOIN)}`;
    this.#after("response", RESPONSE_MS, () => this.#retry());
  }

  #send(name: string, event: string): number {
    this.#ref += 1;
    this.#socket?.send(this.#protocol.encode(this.#ref, name, event));
    return this.#ref;
  }

  #beat(): void {
    this.#heartbeat = this.#send("phoenix", "heartbeat");
    this.#after("heartbeat", RESPONSE_MS, () => this.#retry());
  }

  #onMessage(data: unknown): void {
    this.credits += this.#protocol.messageCredits;
    const head = typeof data === "string" ? data.slice(0, HEAD_LENGTH) : "";
    const [name, event, ref] = this.#protocol.decode(head) ?? [];
    const topic = this.#topics.get(name ?? "");
    if (!this.#canSpend(this.credits)) this.#disconnect();
    else if (event === undefined) {
      this.#badFrames += 1;
      if (this.#badFrames > MAX_BAD_FRAMES) this.#retry();
    } else if (event === REPLY) this.#onReply(ref, /"(status|result)":"ok"/.test(head));
    else if (/^phx_(error|close)$/.test(event)) {
      // The close of an earlier join does not concern the latest one. The gateway does not say which join it closes.
      if (ref ? ref === topic?.ref : !name || topic?.isJoined) this.#retry();
    } else if (topic?.isJoined) {
      if (topic === this.#chain) this.#prove();
      for (const listener of topic.listeners) listener(event);
    }
  }

  #onReply(ref: string | undefined, isOk: boolean): void {
    // The browser delays timers of hidden pages, so the next heartbeat is scheduled from the response.
    if (ref === `${this.#heartbeat}`) this.#after("heartbeat", HEARTBEAT_MS, () => this.#beat());
    let isWaiting = false;
    for (const topic of this.#topics.values()) {
      if (topic.ref === ref) {
        topic.isJoined = isOk;
        // A refused topic is not requested again.
        if (!isOk) topic.ref = "";
        else for (const listener of topic.listeners) listener("");
      }
      isWaiting ||= !topic.isJoined && topic.ref !== "";
    }
    if (!isWaiting) this.#clear("response");
  }

  /** An event of the chain has arrived. Without another one, the socket is no longer proven. */
  #prove(): void {
    const now = Date.now();
    if (!this.#isProven) {
      this.#isProven = true;
      this.#first = now;
      this.#count = 0;
      this.#notify();
    }
    const averageMs = (now - this.#first) / (this.#count || 1);
    this.#count += 1;
    const pauseMs = this.#protocol.messageCredits * PAUSE_MS;
    this.#after("stale", Math.max(PATIENCE_MS, 10 * averageMs) + pauseMs, () => this.#loseProof());
    if (!pauseMs) return;
    this.#send(CHAIN_TOPIC, LEAVE);
    Object.assign(this.#chain, createTopic());
    this.#after("pause", pauseMs, () => this.#join(CHAIN_TOPIC, this.#chain));
  }

  #loseProof(): void {
    this.#isProven = false;
    this.#notify();
  }

  #notify(): void {
    for (const { listeners } of this.#topics.values()) for (const listener of listeners) listener();
  }

  /** Connects again after a while. */
  #retry(): void {
    if (this.#isProven && Date.now() - this.#first > PATIENCE_MS) this.#failures = 0;
    this.#disconnect();
    const backoffMs = Math.min(1000 * 2 ** this.#failures, MAX_BACKOFF_MS) * (this.#protocol.openCredits || 1);
    this.#failures += 1;
    const ms = this.#handshakes < MAX_HANDSHAKES ? backoffMs : UNSUPPORTED_MS;
    // Clients do not connect again at the same moment.
    this.#after("connect", ms * (0.7 + 0.6 * Math.random()), () => this.#connect());
  }

  #disconnect(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    for (const name of this.#timers.keys()) this.#clear(name);
    for (const topic of this.#topics.values()) topic.isJoined = false;
    socket?.close();
    this.#loseProof();
  }

  #after(name: string, ms: number, callback: () => void): void {
    this.#clear(name);
    this.#timers.set(name, setTimeout(callback, ms));
  }

  #clear(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
