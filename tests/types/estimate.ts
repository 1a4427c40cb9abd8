// The calls that `estimate` accepts, and its result.
import { AddressClient } from "address-query";
import { type Estimate, estimate } from "address-query/estimate";
import { history, watch } from "address-query/history";

const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
const address_hash = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

export const ofList: Estimate = await estimate(client.addressLogs({ address_hash }));
export const ofRange: Estimate = await estimate(client.account.tokenTx.all({ address: address_hash }));
export const ofHistory: Estimate = await estimate(history(client, { address_hash }), { signal: new AbortController().signal });
export const most: number | null = ofList.credits.max;

// @ts-expect-error: a watch does not end
estimate(watch(client, { address_hash }));
// @ts-expect-error: a single record
estimate(client.address({ address_hash }));
// @ts-expect-error: an option that does not exist
estimate(client.blocks(), { limit: 1 });
