// The entry address-query/history: the types of events, and which clients it accepts.
import { AddressClient, formatAmount } from "address-query";
import { AddressClient as CompatClient } from "address-query/compat";
import { AddressClient as ExternalClient } from "address-query/external";
import {
  type Asset,
  history,
  type HistoryEvent,
  type HistoryKind,
  type HistoryReport,
  mergeHistories,
  type RemovedEvent,
  type Suspicion,
  watch,
} from "address-query/history";
import { AddressClient as SlimClient } from "address-query/slim";

const options = { baseUrl: "https://eth.blockscout.com" };
const clients = [new AddressClient(options), new CompatClient(options), new ExternalClient(options), new SlimClient(options)];
export const address_hash = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

export async function readAll(signal: AbortSignal, include: readonly HistoryKind[]): Promise<HistoryReport | null> {
  for (const client of clients) {
    const call = history(client, {
      address_hash,
      order: "asc",
      from: 1,
      to: new Date(),
      include,
      exclude: ["zero_value"],
      signal,
    });
    for await (const { key, amount, asset, suspicion, transaction_hash } of call) {
      const why: Suspicion | null = suspicion;
      const hash: `0x${string}` | null = transaction_hash;
      console.log(key, why, hash, formatAmount(amount, asset), describe(asset));
    }
    const token: string | null = call.resumeToken;
    if (token !== null) return history(client, { address_hash, resume: token }).report;
  }
  return null;
}

function describe(asset: Asset): string | null {
  // @ts-expect-error the native coin has no symbol here
  asset.symbol;
  return asset.type === "token" ? asset.symbol : "native";
}

/** The kind of an event says which record it was made of. */
export function describeRecord(event: HistoryEvent): string | number | null {
  switch (event.kind) {
    case "withdrawal":
      return event.record.validator_index;
    case "block_reward":
      return event.record.height;
    case "transaction":
      return "gasUsed" in event.record ? event.record.gasUsed : event.record.gas_used;
    default:
      // @ts-expect-error only blocks have a height
      return event.record.height;
  }
}

export async function follow(events: Map<string, HistoryEvent>, since?: string): Promise<string | null> {
  const call = watch(new AddressClient(options), { address_hash, since });
  for await (const event of call) {
    // @ts-expect-error a removed event has a key only
    event.block_number;
    if (event.kind === "removed") remove(events, event);
    else events.set(event.key, event);
  }
  return call.resumeToken;
}

export async function merge(clients: AddressClient[]): Promise<string[]> {
  const accounts = clients.map((client) => ({ client, address_hash }));
  const call = mergeHistories(accounts, { order: "asc", ownTransfers: "once", from: new Date() });
  const keys = (await call.more(50)).map(({ account, chain_id, key }) => `${chain_id ?? ""} ${account} ${key}`);
  for (const { error, report } of call.report?.accounts ?? []) keys.push(error?.userMessage ?? String(report?.events));
  // @ts-expect-error every account needs a client
  mergeHistories([{ address_hash }]);
  // @ts-expect-error the accounts have the addresses
  mergeHistories(accounts, { address_hash });
  return keys;
}

function remove(events: Map<string, HistoryEvent>, { key }: RemovedEvent): void {
  events.delete(key);
}

// @ts-expect-error an address is required
history(new AddressClient(options), {});
// @ts-expect-error a balance is not an event
history(new AddressClient(options), { address_hash, include: ["balance"] });
// @ts-expect-error a time is a Date
watch(new AddressClient(options), { address_hash, since: { block: 5 } });
