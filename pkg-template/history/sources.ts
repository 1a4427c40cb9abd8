// The sources of a history: which lists and ranges have its events.
import type { ActionOptions, RangeCall, RangeOptions, TokenStandardFilter } from "../public.js";
import * as account from "./account-records.js";
import { toNullIfUnstated } from "./block-lookup.js";
import type { Draft } from "./draft.js";
import type { HistoryKind } from "./event.js";
import type { Bounds, SourceStart } from "./position.js";
import type { HistoryClient } from "./public-types.js";
import * as rest from "./rest-records.js";
import { type HistoryContext, Source, type SourceReader, UnusableRowsError } from "./source.js";
import { type OpenList, readList, readRange } from "./streams.js";

/** The context that sources read with. */
export interface SourceContext extends HistoryContext {
  client: HistoryClient;
  /** In lower case. */
  address: string;
  /** The options of all requests. */
  options: ActionOptions;
  /** The number of concurrent requests per range. */
  concurrency: RangeOptions["concurrency"];
}

/** Its record is one of its method, and its standard the one of its reader. */
type CreateDraft = (record: never, address: string, standard: never) => Draft | null;
/** A method of a client, the function for its records, and their standard if it reads only one. */
type MethodReader<Method> = readonly [method: Method, createDraft: CreateDraft, standard?: TokenStandardFilter | undefined];
type ListMethod = Extract<keyof HistoryClient, `address${string}`>;
type RangeMethod = "txList" | "txListInternal" | "tokenTx" | "tokenNftTx" | "token1155Tx" | "token404Tx";
export type Reader = MethodReader<ListMethod> | MethodReader<RangeMethod>;

/** The lists of REST. They have all kinds. */
export const LISTS: Readonly<Record<HistoryKind, MethodReader<ListMethod>>> = {
  transaction: ["addressTransactions", rest.draftTransaction],
  internal_transaction: ["addressInternalTransactions", rest.draftInternalTransaction],
  token_transfer: ["addressTokenTransfers", rest.draftTokenTransfer],
  withdrawal: ["addressWithdrawals", rest.draftWithdrawal],
  block_reward: ["addressBlocksValidated", rest.draftBlockReward],
};

/** The ranges of the account interface, and the list of the transfers that it lacks. */
const RANGES: Readonly<Partial<Record<HistoryKind, readonly Reader[]>>> = {
  transaction: [["txList", account.draftTransaction]],
  internal_transaction: [["txListInternal", account.draftInternalTransaction]],
  token_transfer: [
    ["tokenTx", account.draftTransfer, "ERC-20"],
    ["tokenNftTx", account.draftTransfer, "ERC-721"],
    ["token1155Tx", account.draftTransfer, "ERC-1155"],
    ["token404Tx", account.draftTransfer, "ERC-404"],
    ["addressTokenTransfers", rest.draftTokenTransfer, "ERC-7984"],
  ],
};
/** Old service versions lack these actions. */
const OPTIONAL_RANGES: readonly RangeMethod[] = ["token1155Tx", "token404Tx"];
/** Not every chain has these lists. */
const OPTIONAL_LISTS: readonly HistoryKind[] = ["withdrawal", "block_reward"];

/** Returns the readers of a kind, in the order of the sources. */
export function selectReaders(kind: HistoryKind, isAscending: boolean): readonly Reader[] {
  return (isAscending && RANGES[kind]) || [LISTS[kind]];
}

export function isList(reader: Reader): reader is MethodReader<ListMethod> {
  return reader[0].startsWith("address");
}

/** Creates the sources of these kinds of events. `starts` has the start of each source, and may be empty. */
export function createSources(context: SourceContext, kinds: readonly HistoryKind[], starts: readonly SourceStart[]): Source[] {
  const { isAscending } = context;
  const sources: Source[] = [];
  for (const kind of kinds) {
    for (const reader of selectReaders(kind, isAscending)) {
      const saved = starts[sources.length];
      const start = typeof saved === "object" ? null : (saved ?? null);
      const opened = isList(reader) ? openList(context, kind, reader, start) : openRange(context, kind, reader, start);
      sources.push(new Source(kind, opened, start, context));
    }
  }
  return sources;
}

function openList(
  context: SourceContext,
  kind: HistoryKind,
  [method, create, type]: MethodReader<ListMethod>,
  start: SourceStart,
): SourceReader {
  const { client, address, bounds, options, isAscending } = context;
  const params = { address_hash: address, type };
  const open: OpenList = (listOptions) =>
    (client[method] as (...args: unknown[]) => ReturnType<OpenList>)(params, { ...options, ...listOptions });
  const stream = readList(open, bounds, start || undefined, isAscending);
  const isOptional = type !== undefined || OPTIONAL_LISTS.includes(kind);
  const createDraft: SourceReader["createDraft"] = (record) => create(record as never, address, type as never);
  return { method, stream, createDraft, isOptional, isUnique: true };
}

function openRange(
  context: SourceContext,
  kind: HistoryKind,
  [method, create, standard]: MethodReader<RangeMethod>,
  start: SourceStart,
): SourceReader {
  const { client, address, bounds, options, concurrency } = context;
  const action = client.account[method] as { all(params: object, options: RangeOptions): RangeCall<unknown> };
  // Null for actions without this parameter. `txListInternal` leaves out calls without a value by default.
  const include_zero_value = method === "txListInternal" || null;
  const params = { address, sort: "asc", include_zero_value };
  const check = async () => method === "txList" && (await checkFees(context));
  const stream = readRange((blocks) => action.all({ ...params, ...blocks }, { ...options, concurrency }), bounds, start, check);
  const isOptional = OPTIONAL_RANGES.includes(method);
  const [list, createListed] = LISTS[kind];
  const createFallback = (bounds: Promise<Bounds>) =>
    openList({ ...context, bounds }, kind, [list, createListed, standard], start);
  const createDraft: SourceReader["createDraft"] = (row) => create(row as never, address, standard as never);
  return { method, stream, createDraft, isOptional, isUnique: false, createFallback };
}

/** Throws an `UnusableRowsError` on Celo, where a transaction may pay its fee in a token. Only REST says which. */
async function checkFees({ client, options }: SourceContext): Promise<void> {
  const config = await client.backendConfig({}, options).catch(toNullIfUnstated);
  if (config?.chain_type !== "celo") return;
  throw new UnusableRowsError("the rows do not say which token paid the fee");
}
