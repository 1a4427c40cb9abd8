// The exports that all entries share, besides their client.
export { AddressQueryError, isAddressQueryError } from "./errors.js";
export { keyOf } from "./keys.js";
export { formatAmount, formatUnits, parseUnits } from "./units.js";
