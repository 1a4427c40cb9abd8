// The sources of a history: which lists and ranges have its events.
import type { TokenStandardFilter } from "../endpoints.js";
import type { RangeOptions } from "../options.js";
import type { RangeCall } from "../range.js";
import * as account from "./account-records.js";
import type { Draft } from "./draft.js";
import type { HistoryKind } from "./event.js";
import type { RequestOptions } from "./params.js";
import type { Bounds, ListPlace, SourceStart } from "./position.js";
import type { HistoryClient } from "./public-types.js";
import type { Recipients } from "./recipients.js";
import * as rest from "./rest-records.js";
import { ReversedList } from "./reversed-list.js";
import { Source, type SourceReader } from "./source.js";
import { type OpenList, readList, readRange } from "./streams.js";

/** What the sources of a history have in common. */
export interface SourceContext {
  client: HistoryClient;
  /** In lower case. */
  address: string;
  isAscending: boolean;
  bounds: Promise<Bounds>;
  /** The options of all requests. */
  options: RequestOptions;
  /** The number of requests of each range at the same time. */
  concurrency: RangeOptions["concurrency"];
  /** Collects the recipients of all records. */
  recipients: Recipients;
}

type CreateDraft<Item> = (item: Item, address: string) => Draft | null;
/** A method of a client, and the function for its records. The records of the method are those that the function takes. */
type Reader<Method> = readonly [method: Method, createDraft: CreateDraft<never>, standard?: TokenStandardFilter];
type ListMethod = Extract<keyof HistoryClient, `address${string}`>;
type RangeMethod = "txList" | "txListInternal" | "tokenTx" | "tokenNftTx" | "token1155Tx" | "token404Tx";

/** The lists of REST. They have all kinds. */
const LISTS: Readonly<Record<HistoryKind, Reader<ListMethod>>> = {
  transaction: ["addressTransactions", rest.draftTransaction],
  internal_transaction: ["addressInternalTransactions", rest.draftInternalTransaction],
  token_transfer: ["addressTokenTransfers", rest.draftTokenTransfer],
  withdrawal: ["addressWithdrawals", rest.draftWithdrawal],
  block_reward: ["addressBlocksValidated", rest.draftBlockReward],
};

const createTransferReader = (method: RangeMethod, standard: TokenStandardFilter): Reader<RangeMethod> => [
  method,
  account.createTransferDrafter(standard),
  standard,
];

/** The ranges of the account interface. */
const RANGES: Readonly<Partial<Record<HistoryKind, readonly Reader<RangeMethod>[]>>> = {
  transaction: [["txList", account.draftTransaction]],
  internal_transaction: [["txListInternal", account.draftInternalTransaction]],
  token_transfer: [
    createTransferReader("tokenTx", "ERC-20"),
    createTransferReader("tokenNftTx", "ERC-721"),
    createTransferReader("token1155Tx", "ERC-1155"),
    createTransferReader("token404Tx", "ERC-404"),
  ],
};
/** The account interface lacks these transfers. */
const UNRANGED_STANDARD = "ERC-7984";
/** Old service versions lack these actions. */
const OPTIONAL_RANGES: readonly RangeMethod[] = ["token1155Tx", "token404Tx"];
/** Not every chain has these lists. */
const OPTIONAL_LISTS: readonly HistoryKind[] = ["withdrawal", "block_reward"];

/** Creates the sources of these kinds of events. `starts` says where each one starts. It may be empty. */
export function createSources(context: SourceContext, kinds: readonly HistoryKind[], starts: readonly SourceStart[]): Source[] {
  const { bounds, isAscending } = context;
  const sources: Source[] = [];
  const add = (kind: HistoryKind, open: (start: SourceStart) => SourceReader) => {
    const start = starts[sources.length] ?? null;
    sources.push(new Source(kind, open(start), start, bounds, isAscending));
  };
  for (const kind of kinds) {
    const ranges = isAscending ? RANGES[kind] : undefined;
    for (const range of ranges ?? []) add(kind, (start) => openRange(context, kind, range, start));
    const standard = ranges && UNRANGED_STANDARD;
    if (ranges === undefined || kind === "token_transfer") add(kind, (start) => openList(context, kind, start, standard));
  }
  return sources;
}

function openList(context: SourceContext, kind: HistoryKind, start: SourceStart, type?: TokenStandardFilter): SourceReader {
  const { client, address, bounds, options, isAscending } = context;
  const [method, create] = LISTS[kind] as [ListMethod, CreateDraft<unknown>];
  const params = { address_hash: address, type };
  const open: OpenList<object> = (listOptions) =>
    (client[method] as (...args: unknown[]) => ReturnType<OpenList<object>>)(params, { ...options, ...listOptions });
  const stream = isAscending
    ? new ReversedList(open, bounds, (start || undefined) as readonly ListPlace[] | undefined)
    : readList(open, bounds, (start || undefined) as string | undefined);
  const isOptional = type !== undefined || OPTIONAL_LISTS.includes(kind);
  return { method, stream, createDraft: createDrafter(context, create), isOptional, isUnique: true };
}

function openRange(
  context: SourceContext,
  kind: HistoryKind,
  [method, create, standard]: Reader<RangeMethod>,
  start: SourceStart,
): SourceReader {
  const { client, address, bounds, options, concurrency } = context;
  const action = client.account[method] as { all(params: object, options: RangeOptions): RangeCall<unknown> };
  // Null for the actions without this parameter. `txListInternal` leaves out calls without a value by default.
  const include_zero_value = method === "txListInternal" || null;
  const params = { address, sort: "asc", include_zero_value };
  const stream = readRange((blocks) => action.all({ ...params, ...blocks }, { ...options, concurrency }), bounds, start);
  const isOptional = OPTIONAL_RANGES.includes(method);
  const createFallback = (bounds: Promise<Bounds>) => openList({ ...context, bounds }, kind, start, standard);
  const createDraft = createDrafter(context, create as CreateDraft<unknown>);
  return { method, stream, createDraft, isOptional, isUnique: false, createFallback };
}

/** Returns a function that creates drafts, and collects the recipients of their records. */
function createDrafter({ address, recipients }: SourceContext, create: CreateDraft<unknown>): SourceReader["createDraft"] {
  return (item) => {
    const draft = create(item, address);
    if (draft !== null) recipients.addProven(draft);
    return draft;
  };
}
