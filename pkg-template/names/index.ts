// Entry address-query/names: addresses of names, and names of addresses.
export { NAME_SERVICE_ROUTES } from "./name-service.js";
export { namesOf } from "./names-of.js";
export { resolveName } from "./resolve-name.js";
export type * from "./public-types.js";
