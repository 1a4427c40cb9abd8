// Entry address-query/estimate: what a read will need, before it starts.
export { estimate } from "./estimate.js";
export type * from "./public-types.js";
