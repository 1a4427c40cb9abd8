// Cold start with the package, including its WebAssembly module.
import { AddressClient } from "../../../pkg/index.js";

export async function readFirst(baseUrl, address_hash) {
  return (await new AddressClient({ baseUrl }).addressTokenTransfers({ address_hash })).items[0];
}
