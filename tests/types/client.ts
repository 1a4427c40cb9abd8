// The types of the client in a strict TypeScript project. A line after @ts-expect-error must not compile.
import type { QueryClient } from "@tanstack/query-core";
import {
  AddressClient,
  AddressQueryError,
  fiatValue,
  formatAmount,
  formatUnits,
  isAddressQueryError,
  keyOf,
  sumDecimals,
  type Account,
  type AddressInfo,
  type AddressLogsCursor,
  type Erc1155Transfer,
  type Erc20Transfer,
  type ItemsOnly,
  type Log,
  type Page,
  type SearchItem,
  type TokenHolding,
  type TokenTransfer,
} from "address-query";
import { createPageFetch, createSampleGateway, createSampleService } from "address-query/testing";

const service = createSampleService({
  seed: 1,
  faults: { seed: 2, rate: 0.5, kinds: ["service_unavailable", "rate_limited_reset"] },
});
// @ts-expect-error not a fault kind
createSampleService({ faults: { kinds: ["not_implemented"] } });
service.reconfigure({ backendVersion: 12, maxPageSize: 70, requiresKey: "account_module", rateLimit: { requests: 5 } });
// @ts-expect-error the seed cannot be changed
service.reconfigure({ seed: 2 });
// @ts-expect-error not a version
createSampleService({ backendVersion: 10 });
const gateway = createSampleGateway({ chains: { 1: service }, keys: { proapi_key: { credits: 100, requestsPerSecond: 5 } } });
const credits: number = gateway.getCredits("proapi_key");
new AddressClient({ chainId: 1, apiKey: "proapi_key", fetch: createPageFetch(gateway.fetch, `https://${credits}.example`) });
// @ts-expect-error chains are sample services
createSampleGateway({ chains: { 1: {} }, keys: {} });
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
// @ts-expect-error a chain has an id
new AddressClient({ chain: { name: "Base" } });

const address_hash = "0x0000000000000000000000000000000000000001";

export async function lists(signal: AbortSignal): Promise<string[]> {
  const page = await client.addresses({}, { signal });
  const first: string | undefined = page.items[0]?.hash;
  const resume: string | null = page.resumeToken;
  // @ts-expect-error an item may be absent
  page.items[0].hash;

  for await (const transfer of client.addressTokenTransfers({ address_hash, filter: "to" })) {
    // @ts-expect-error every member of a total may be null
    transfer.total.value.length;
  }
  for await (const { items } of client.addressLogs({ address_hash }).pages()) {
    const topics: (string | null)[] | undefined = items[0]?.topics;
    void topics;
  }
  // @ts-expect-error the address is required
  client.addressWithdrawals({});
  // @ts-expect-error only "to" and "from"
  client.addressInternalTransactions({ address_hash, filter: "both" });

  const all = await client.addressWithdrawals({ address_hash }, resume === null ? {} : { resume }).toArray({ limit: 10 });
  return [...all.map((withdrawal) => withdrawal.amount), first ?? ""];
}

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertSame = <A, B>(_: Same<A, B>): void => {};
type LogPage = Page<Log, AddressLogsCursor, ItemsOnly>;
declare const queries: QueryClient;
declare function useSWR<T>(key: string, fetcher: (key: string) => T | Promise<T>): { data: T | undefined };

export async function dataFetching(): Promise<Promise<LogPage>> {
  const page = await queries.fetchQuery({
    queryKey: ["logs"],
    queryFn: ({ signal }) => client.addressLogs({ address_hash }, { signal }),
  });
  assertSame<typeof page, LogPage>(true);
  const { data } = useSWR(address_hash, (address_hash) => client.addressLogs({ address_hash }));
  assertSame<typeof data, LogPage | undefined>(true);
  const pages: Promise<LogPage>[] = [client.addressLogs({ address_hash })];
  return client.addressLogs({ address_hash }).finally(() => void pages);
}

// @ts-expect-error `create` is the constructor of tests
new AddressQueryError("no response");
const timeout: AddressQueryError = AddressQueryError.create("timeout", "no response", { retryable: true, attempts: 5 });
assertSame<typeof timeout.attempts, number | undefined>(true);
// @ts-expect-error not one of the codes
AddressQueryError.create("unknown", "no response");

export function describe(error: unknown): string {
  if (!isAddressQueryError(error)) return String(error);
  // @ts-expect-error not one of the codes
  if (error.code === "unknown") return "";
  assertSame<typeof error.retryable, boolean>(true);
  assertSame<typeof error.userMessage, string>(true);
  assertSame<typeof error.partial, readonly unknown[] | undefined>(true);
  return `${error.code} ${error.status ?? ""} ${error.path ?? ""}`;
}

// Retries, limits and events.
export const configured = new AddressClient({
  baseUrl: "https://sample.invalid",
  apiKey: async () => "",
  deadlineMs: 1,
  maxAttempts: 1,
  maxWaitMs: 1,
  maxPerSecond: 0.5,
  maxConcurrent: 1,
  maxCredits: 1_000,
  showScamTokens: true,
  maxResponseBytes: 1024,
  onEvent: ({ kind, url, attempt, ms, status, code, credits }) => {
    const isRetry: boolean = kind === "retry" && code === "timeout";
    void [isRetry, url.length, attempt.toFixed(), ms?.toFixed(), status?.toFixed(), credits?.toFixed()];
    // @ts-expect-error no such kind
    void (kind === "retried");
  },
});
const { spent, remaining }: { readonly spent: number; readonly remaining: number | null } = configured.credits;
void [spent.toFixed(), remaining?.toFixed()];
// @ts-expect-error the client counts
configured.credits = { spent: 0, remaining: null };
// @ts-expect-error a string, or a function that returns one
new AddressClient({ baseUrl: "https://sample.invalid", apiKey: 5 });

export async function envelopes(client: AddressClient, address_hash: string): Promise<unknown> {
  const { extra } = await client.addressLogs({ address_hash });
  const error = await client.addressLogs({ address_hash }).catch((error: unknown) => error);
  if (isAddressQueryError(error)) return error.cause;
  return extra?.["new_field"];
}

export function keys(
  log: Log,
  transfer: TokenTransfer,
  holding: TokenHolding,
  account: Account,
  sent: Erc1155Transfer,
  erc20: Erc20Transfer,
): string[] {
  // @ts-expect-error equal rows can be different transfers
  keyOf(sent);
  // @ts-expect-error equal rows can be different transfers
  keyOf(erc20);
  // @ts-expect-error a total is not a record
  keyOf(transfer.total);
  if (transfer.token !== null) keyOf(transfer.token);
  return [keyOf(log), keyOf(transfer), keyOf(transfer.from), keyOf(holding), keyOf(account)];
}

export function filters(client: AddressClient, address_hash: string): void {
  client.addressNft({ address_hash, type: ["ERC-721", "ERC-1155", "ERC-404"] });
  client.addressTokens({ address_hash, type: "ZRC-2" });
  // @ts-expect-error not a standard of NFTs
  client.addressNft({ address_hash, type: "ERC-20" });
  // @ts-expect-error not a standard of NFTs
  client.addressNftCollections({ address_hash, type: ["ERC-721", "ERC-7984"] });
}

export function amounts(transfer: TokenTransfer, holding: TokenHolding, sent: Erc1155Transfer, account: Account): string[] {
  // @ts-expect-error an account has no token amount
  formatAmount(account);
  // @ts-expect-error numbers are not exact
  formatAmount(1.5);
  return [
    formatAmount(transfer),
    formatAmount(transfer.total),
    formatAmount(holding),
    formatAmount(sent),
    formatAmount("5", transfer.token),
    formatAmount(5n, null),
  ];
}

export function prices(holding: TokenHolding, transfer: TokenTransfer, info: AddressInfo): (`${number}` | null)[] {
  // @ts-expect-error an address has a price and no decimals
  fiatValue(info.coin_balance, info);
  // @ts-expect-error an amount has no decimals
  fiatValue("5");
  // @ts-expect-error an amount that is not known is an empty string
  const amount: `${number}` = formatAmount(holding, { maxDigits: 4 });
  return [
    amount,
    fiatValue(holding),
    fiatValue(holding, { exchange_rate: "1" }),
    fiatValue("5", transfer.token),
    fiatValue(info.coin_balance, { decimals: 18, exchange_rate: info.exchange_rate }),
    formatUnits(5n, 18),
    sumDecimals([fiatValue(holding)]),
  ];
}

/** The type of a search result says which fields it has. */
export function describeResult(item: SearchItem): string | null {
  switch (item.type) {
    case "token":
    case "contract":
    case "address":
    case "label":
      return item.address_hash;
    case "metadata_tag":
      return item.metadata?.name ?? null;
    case "ens_domain":
      return item.ens_info.name;
    case "block":
      return item.block_hash.concat(String(item.block_number));
    case "transaction":
      // @ts-expect-error a transaction has no address
      item.address_hash.length;
      return item.transaction_hash;
    default:
      // Newer service versions may send other types.
      assertSame<typeof item.type extends null ? true : false, false>(true);
      return item.type === "unknown" ? null : String(item.type);
  }
}
