// The sources of a history: which lists and ranges have its events.
import type { TokenStandardFilter } from "../list.js";
import type { ListOptions } from "../options.js";
import type { RangeCall } from "../range.js";
import * as account from "./account-records.js";
import type { Draft } from "./draft.js";
import type { HistoryKind } from "./event.js";
import type { HistoryClient } from "./public-types.js";
import type { Recipients } from "./recipients.js";
import * as rest from "./rest-records.js";
import { type Bounds, BlockSource, type RecordStream, type Source } from "./source.js";
import { type ItemsPage, ListStream, RangeStream, ReversedListStream } from "./streams.js";

/** What the sources of a history have in common. */
export interface SourceContext {
  client: HistoryClient;
  /** In lower case. */
  address: string;
  isAscending: boolean;
  bounds: Promise<Bounds>;
  signal: ListOptions["signal"];
  /** Collects the recipients of all records. */
  recipients: Recipients;
}

/** Where a source starts: at its beginning (null), where a token continues, or at its end (false). */
export type StartToken = string | null | false;

type CreateDraft<Item> = (item: Item, address: string) => Draft | null;
/** A method of a client, and the function for its records. The records of the method are those that the function takes. */
type Reader<Method> = readonly [method: Method, createDraft: CreateDraft<never>, standard?: TokenStandardFilter];
type ListMethod = Exclude<keyof HistoryClient, "account" | "block">;
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

/** Creates the sources of these kinds of events. `starts` says where each one starts that is read newest first. It may be empty. */
export function createSources(context: SourceContext, kinds: readonly HistoryKind[], starts: readonly StartToken[]): Source[] {
  return kinds.flatMap((kind, i) => {
    const ranges = context.isAscending ? RANGES[kind] : undefined;
    if (ranges === undefined) return createList(context, kind, undefined, starts[i]);
    const sources = ranges.map((reader) => createRange(context, kind, reader));
    return kind === "token_transfer" ? [...sources, createList(context, kind, UNRANGED_STANDARD)] : sources;
  });
}

function createList(context: SourceContext, kind: HistoryKind, type?: TokenStandardFilter, start?: StartToken): Source {
  const { client, address, bounds, signal, isAscending } = context;
  const [method, createDraft] = LISTS[kind] as [ListMethod, CreateDraft<unknown>];
  const params = { address_hash: address, type };
  const open = (options: ListOptions) =>
    client[method](params as never, options) as { pages(): AsyncIterator<ItemsPage<unknown>> };
  const getBlock = (item: unknown) => createDraft(item, address)?.event.block_number;
  const stream = isAscending
    ? new ReversedListStream(open, { signal }, bounds, getBlock)
    : new ListStream(open, { signal, resume: start || undefined });
  const isOptional = type !== undefined || OPTIONAL_LISTS.includes(kind);
  return createSource(context, { method, kind, isOptional, isEnded: start === false }, stream, createDraft);
}

function createRange(context: SourceContext, kind: HistoryKind, reader: Reader<RangeMethod>): Source {
  const { client, address, bounds, signal } = context;
  const [method, createDraft, standard] = reader as [RangeMethod, CreateDraft<unknown>, TokenStandardFilter?];
  const action = client.account[method] as { all(params: object, options: ListOptions): RangeCall<unknown> };
  // Null for the actions without this parameter. `txListInternal` leaves out calls without a value by default.
  const include_zero_value = method === "txListInternal" || null;
  const stream = new RangeStream(
    (blocks) => action.all({ address, sort: "asc", include_zero_value, ...blocks }, { signal }),
    bounds,
  );
  const isOptional = OPTIONAL_RANGES.includes(method);
  const fallback = isOptional ? () => createList(context, kind, standard) : undefined;
  return createSource(context, { method, kind, isOptional, isEnded: false, fallback }, stream, createDraft);
}

function createSource(
  { address, bounds, isAscending, recipients }: SourceContext,
  options: Pick<ConstructorParameters<typeof BlockSource>[0], "method" | "kind" | "isOptional" | "isEnded" | "fallback">,
  stream: RecordStream<unknown>,
  createDraft: CreateDraft<unknown>,
): Source {
  const createAndAdd = (item: unknown) => {
    const draft = createDraft(item, address);
    if (draft !== null) recipients.addProven(draft);
    return draft;
  };
  return new BlockSource({ ...options, stream, createDraft: createAndAdd }, bounds, isAscending);
}
