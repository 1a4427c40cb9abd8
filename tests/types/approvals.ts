// The parameters of `approvals`, and its result.
import { AddressClient, type AddressInfo, type Token } from "address-query";
import { type Approval, type Approvals, approvals } from "address-query/approvals";

const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
const address_hash = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

export const result: Approvals = await approvals(client, { address_hash, current: true, signal: new AbortController().signal });
export const token: Token | null | undefined = result.items[0]?.token;
export const spender: AddressInfo | null | undefined = result.items[0]?.spender;
export const kind: Approval["kind"] | undefined = result.items[0]?.kind;

// @ts-expect-error: no address
approvals(client, {});
// @ts-expect-error: a parameter that does not exist
approvals(client, { address_hash, limit: 1 });
// @ts-expect-error: getLogs needs both blocks
client.logs.getLogs({ address: address_hash });
// @ts-expect-error: a range has no order
client.logs.getLogs.all({ fromBlock: 0, toBlock: "latest", address: address_hash, sort: "asc" });
