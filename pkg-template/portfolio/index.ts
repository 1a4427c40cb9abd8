// Entry address-query/portfolio: what several addresses hold, on any number of chains. It uses only the public interface of a client.
export { portfolio } from "./portfolio.js";
export type * from "./public-types.js";
