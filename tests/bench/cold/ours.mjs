// The same with the package, module included.
import { AddressClient } from "../../../pkg/index.js";

export async function first(baseUrl, address_hash) {
  return (await new AddressClient({ baseUrl }).addressTokenTransfers({ address_hash })).items[0];
}
