// Entry address-query/approvals: who may spend the tokens of an address.
export { approvals } from "./approvals.js";
export type * from "./public-types.js";
