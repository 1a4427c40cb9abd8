// address-query: reads blockchain addresses from the Blockscout API.
export { AddressClient } from "./client.js";
export { AddressQueryError, isAddressQueryError } from "./errors.js";
export { formatUnits, parseUnits } from "./units.js";
