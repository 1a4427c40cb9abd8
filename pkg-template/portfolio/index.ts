// Entry address-query/portfolio: what several addresses hold, on any number of chains.
export { portfolio } from "./portfolio.js";
export type * from "./public-types.js";
