// Entry address-query/history: all events of an address, in order. It uses only the public interface of a client.
export type * from "./event.js";
export { history } from "./history.js";
export type * from "./public-types.js";
export { watch } from "./watch.js";
