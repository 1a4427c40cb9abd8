// Entry address-query/approvals: what others may spend of an address.
export { approvals } from "./approvals.js";
export type * from "./public-types.js";
