// The protocols of the sockets: Phoenix channels of an instance, and the subscriptions of the gateway.

/** The beginning of a message. `ref` is the reference of the request that it concerns. Empty: none. */
export type SocketFrame = [topic: string, event: string, ref: string];

export interface SocketProtocol {
  readonly url: string;
  /** The prices of a connection and of a message. 0: free. */
  readonly openCredits: number;
  readonly messageCredits: number;
  encode(ref: number, topic: string, event: string): string;
  /** Decodes the beginning of a message. Undefined: not a valid message. */
  decode(head: string): SocketFrame | undefined;
}

/** The events that join and leave a topic, and the event of a response. */
export const JOIN = "phx_join";
export const LEAVE = "phx_leave";
export const REPLY = "phx_reply";
const CLOSE = "phx_close";

/** Returns the protocol of an instance with this base URL. */
export function createInstanceProtocol(baseUrl: string): SocketProtocol {
  return {
    url: `${baseUrl.replace("http", "ws")}/socket/v2/websocket?vsn=2.0.0`,
    openCredits: 0,
    messageCredits: 0,
    encode: (ref, topic, event) => JSON.stringify([`${ref}`, `${ref}`, topic, event, {}]),
    decode(head) {
      const [, join, ref, topic, event] = /^\[(null|"\d*"),(null|"\d*"),"([^"\\]+)","([^"\\]{1,64})",/.exec(head) ?? [];
      return topic && event ? [topic, event, parseRef(event === REPLY ? ref : join)] : undefined;
    },
  };
}

const parseRef = (ref = "") => ref.replace(/\D/g, "");

/** Returns the protocol of the gateway, for the chain of a base URL such as `https://api.blockscout.com/1`. */
export function createGatewayProtocol(baseUrl: string, apiKey: string): SocketProtocol {
  const [, origin, chain_id] = /^http(.*)\/(\d+)$/.exec(baseUrl) ?? [];
  return {
    url: `ws${origin}/ws/1?apikey=${encodeURIComponent(apiKey)}`,
    openCredits: 10,
    messageCredits: 1,
    encode: (id, topic, event) =>
      JSON.stringify({ id, method: event === JOIN ? "subscribe" : "unsubscribe", params: { topic, chain_id } }),
    decode(head) {
      const find = (name: string) => new RegExp(`"${name}":"?([^"\\\\,}]+)`).exec(head)?.[1] ?? "";
      const type = find("type");
      const ref = find("id");
      if (type === "event") return find("chain_id") === chain_id ? [find("topic"), find("event"), ""] : undefined;
      return type ? [find("topic"), CLOSE, ""] : ref ? ["", REPLY, ref] : undefined;
    },
  };
}
