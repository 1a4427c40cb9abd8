// The sources of a history: which lists and ranges have its events.
import type { RangedAction } from "../account.js";
import type { TokenStandardFilter } from "../list.js";
import type { ListOptions } from "../options.js";
import type { RangeCall } from "../range.js";
import * as account from "./account-records.js";
import type { Draft } from "./draft.js";
import type { HistoryKind } from "./event.js";
import type { HistoryClient } from "./public-types.js";
import type { Recipients } from "./recipients.js";
import * as rest from "./rest-records.js";
import { type Bounds, BlockSource, type Source, type SourceOptions } from "./source.js";
import { ListStream, type OpenList, RangeStream, ReversedListStream } from "./streams.js";

/** What the sources of a history have in common. */
export interface SourceContext {
  client: HistoryClient;
  /** In lower case. */
  address: string;
  isAscending: boolean;
  bounds: Promise<Bounds>;
  signal: ListOptions["signal"];
  /** Is told the recipients of all records. */
  recipients: Recipients;
}

/** Where a source starts: at its beginning (null), where a token continues, or at its end (undefined). */
export type StartToken = string | null | undefined;

/** Creates the sources of these kinds of events. The same kinds have the same sources, in the same order. */
export function createSources(
  context: SourceContext,
  kinds: readonly HistoryKind[],
  tokens: readonly StartToken[] | null,
): Source[] {
  const factory = new SourceFactory(context, tokens);
  return kinds.flatMap((kind) => factory.create(kind));
}

/** A ranged action, as all of them are called. */
interface Action<Row> {
  all(params: object, options: Pick<ListOptions, "signal">): RangeCall<Row>;
}

class SourceFactory {
  readonly #context: SourceContext;
  readonly #tokens: StartToken[] | null;

  constructor(context: SourceContext, tokens: readonly StartToken[] | null) {
    this.#context = context;
    this.#tokens = tokens && [...tokens];
  }

  create(kind: HistoryKind): Source | Source[] {
    const { client, isAscending } = this.#context;
    const params = { address_hash: this.#context.address };
    switch (kind) {
      case "transaction":
        if (isAscending) return this.#range("txList", kind, account.draftTransaction);
        return this.#list(
          { method: "addressTransactions", kind, isOptional: false },
          (options) => client.addressTransactions(params, options),
          rest.draftTransaction,
        );
      case "internal_transaction":
        if (isAscending) return this.#range("txListInternal", kind, account.draftInternalTransaction);
        return this.#list(
          { method: "addressInternalTransactions", kind, isOptional: false },
          (options) => client.addressInternalTransactions(params, options),
          rest.draftInternalTransaction,
        );
      case "token_transfer":
        return isAscending ? this.#transferRanges() : this.#transferList(undefined);
      case "withdrawal":
        return this.#list(
          { method: "addressWithdrawals", kind, isOptional: true },
          (options) => client.addressWithdrawals(params, options),
          rest.draftWithdrawal,
        );
      case "block_reward":
        return this.#list(
          { method: "addressBlocksValidated", kind, isOptional: true },
          (options) => client.addressBlocksValidated(params, options),
          rest.draftBlockReward,
        );
    }
  }

  /** The account interface lacks ERC-7984. Old versions of it lack ERC-1155 and ERC-404, too. */
  #transferRanges(): Source[] {
    const createRange = (method: "tokenTx" | "tokenNftTx" | "token1155Tx" | "token404Tx", standard: TokenStandardFilter) => {
      const isOptional = method === "token1155Tx" || method === "token404Tx";
      const fallback = isOptional ? () => this.#transferList(standard) : undefined;
      return this.#range(method, "token_transfer", account.createTransferDrafter(standard), fallback);
    };
    return [
      createRange("tokenTx", "ERC-20"),
      createRange("tokenNftTx", "ERC-721"),
      createRange("token1155Tx", "ERC-1155"),
      createRange("token404Tx", "ERC-404"),
      this.#transferList("ERC-7984"),
    ];
  }

  #transferList(type: TokenStandardFilter | undefined): Source {
    const { client, address } = this.#context;
    return this.#list(
      { method: "addressTokenTransfers", kind: "token_transfer", isOptional: type !== undefined },
      (options) => client.addressTokenTransfers({ address_hash: address, type }, options),
      rest.draftTokenTransfer,
    );
  }

  #list<Item>(
    names: Pick<SourceOptions<Item>, "method" | "kind" | "isOptional">,
    open: OpenList<Item>,
    createDraft: (item: Item, address: string) => Draft | null,
  ): Source {
    const { isAscending, bounds, signal, address } = this.#context;
    const getBlock = (item: Item) => createDraft(item, address)?.event.block_number;
    const token = this.#tokens?.shift();
    const stream = isAscending
      ? new ReversedListStream(open, { signal }, bounds, getBlock)
      : new ListStream(open, { signal, resume: token ?? undefined });
    const isEnded = this.#tokens !== null && token === undefined;
    return this.#source({ ...names, stream, isEnded, createDraft: (item) => createDraft(item, address) });
  }

  #range<Method extends "txList" | "txListInternal" | "tokenTx" | "tokenNftTx" | "token1155Tx" | "token404Tx">(
    method: Method,
    kind: HistoryKind,
    createDraft: (row: RowOf<Method>, address: string) => Draft,
    fallback?: () => Source,
  ): Source {
    const { client, address, bounds, signal } = this.#context;
    const action = client.account[method] as unknown as Action<RowOf<Method>>;
    // Only `txListInternal` leaves out rows without a value. The other actions have no such parameter.
    const all = method === "txListInternal" ? { include_zero_value: true } : {};
    const stream = new RangeStream((blocks) => action.all({ address, sort: "asc", ...blocks, ...all }, { signal }), bounds);
    const isOptional = fallback !== undefined;
    return this.#source({
      method,
      kind,
      stream,
      fallback,
      isOptional,
      isEnded: false,
      createDraft: (row) => createDraft(row, address),
    });
  }

  #source<Item>(options: SourceOptions<Item>): Source {
    const { bounds, isAscending, recipients } = this.#context;
    const createDraft = (item: Item) => {
      const draft = options.createDraft(item);
      if (draft !== null) recipients.add(draft);
      return draft;
    };
    return new BlockSource({ ...options, createDraft }, bounds, isAscending);
  }
}

type RowOf<Method extends keyof HistoryClient["account"]> =
  HistoryClient["account"][Method] extends RangedAction<infer _Params, infer Row> ? Row : never;
