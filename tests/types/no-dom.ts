// All entries compile and can be used in a project without the DOM library, as in Node or a worker.
import {
  AddressClient,
  isAddressQueryError,
  type AbortSignalLike,
  type AddressRef,
  type ClientOptions,
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  type ListOptions,
  type Log,
  type RangeOptions,
} from "address-query";
import * as compat from "address-query/compat";
import * as external from "address-query/external";
import { auditBalance, history, toCsv, watch } from "address-query/history";
import { init, type ModuleSource } from "address-query/slim";
import module from "address-query/client.wasm";
import { createSampleService, type SampleAddress } from "address-query/testing";

/** Like the type of viem. The package does not declare this name. */
type Address = `0x${string}`;

const service = createSampleService();
const sample: SampleAddress = service.addresses[0];
export const hash: Address = sample.hash;

declare const signal: AbortSignalLike;
const options: ClientOptions = { baseUrl: "https://sample.invalid", fetch: service.fetch };
export const clients: AddressClient[] = [
  new AddressClient(options),
  new compat.AddressClient(options),
  new external.AddressClient(options),
];

export async function logs(client: AddressClient, address_hash: Address): Promise<AddressRef[]> {
  const list: ListOptions = { signal, timeoutMs: 5 };
  const range: RangeOptions = { ...list, onProgress: ({ records }) => void records };
  for await (const row of client.account.txList.all({ address: address_hash }, range)) void row.hash;
  const found: Log[] = await client.addressLogs({ address_hash }, list).toArray({ limit: 5 });
  return found.map((log) => log.address_hash);
}

export async function send(request: FetchRequest, fetch: Fetch): Promise<FetchResponse> {
  if (request.signal.aborted) throw new Error(request.method);
  const response = await fetch(request);
  return response.ok && response.headers.get("content-type") !== null ? response : fetch(request);
}

export async function start(source: ModuleSource): Promise<unknown> {
  await init({ module });
  return init({ module: source }).catch((error: unknown) => isAddressQueryError(error) && error.retryable);
}

export async function exportRows(client: AddressClient, address_hash: Address): Promise<number> {
  const { native } = await auditBalance(client, { address_hash, signal });
  const reader = toCsv(history(client, { address_hash }), { columns: "accounting", signal }).getReader();
  const { done, value } = await reader.read();
  return done || value === undefined ? native.reasons.length : value.length;
}

export async function readHistory(client: AddressClient, address_hash: string, signal: AbortSignalLike): Promise<void> {
  for await (const { key } of history(client, { address_hash, signal })) void key;
  for await (const { key } of watch(client, { address_hash, signal })) void key;
}
