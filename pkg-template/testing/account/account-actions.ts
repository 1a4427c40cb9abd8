// The actions of the account module.

import { createAccountError } from "../api-error.js";
import type { RowList } from "../ledger/rows.js";
import type { BackendVersion } from "../public-types.js";
import type { AccountData } from "./account-data.js";
import type { AccountQuery, PaginationOptions } from "./account-query.js";
import type { AccountSerializer, SerializedRow } from "./account-serializer.js";

const UNPROCESSED_TRANSACTION = "Internal transactions for this transaction have not been processed yet";
const UNPROCESSED_BLOCKS = "Some internal transactions within this block range have not yet been processed";

interface ActionOptions {
  /** The first backend version that has the action. */
  readonly minVersion?: number;
  /** The message of an empty list. */
  readonly emptyMessage?: string;
  /** Whether the action ignores `sort`. */
  readonly hasFixedOrder?: boolean;
  /** Options of the pages, or null for a list without pages. */
  readonly pagination?: PaginationOptions | null;
}

interface SelectionOptions {
  readonly version: BackendVersion;
  /** False for `getAllRows`. */
  readonly isRequest: boolean;
}

interface SelectionDetails {
  /** Says that some rows are missing. */
  readonly partialMessage?: string | undefined;
  /** Whether all rows are returned at once, in their order. */
  readonly isUnpaged?: boolean;
}

interface ListActionDefinition<Row> extends ActionOptions {
  /** Returns the rows of a query, oldest first unless the order is fixed. */
  selectRows(
    query: AccountQuery,
    data: AccountData,
    options: SelectionOptions,
  ): SelectionDetails & { readonly rows: RowList<Row> };
  serialize(row: Row, serializer: AccountSerializer): SerializedRow;
}

/** The rows of a query, in the requested order. */
interface Selection extends SelectionDetails {
  readonly length: number;
  serializeRow(i: number): SerializedRow;
}

export interface ListAction extends ActionOptions {
  selectRows(
    query: AccountQuery,
    data: AccountData,
    options: SelectionOptions & { readonly serializer: AccountSerializer },
  ): Selection;
}

function createListAction<Row>({ selectRows, serialize, ...actionOptions }: ListActionDefinition<Row>): ListAction {
  return {
    ...actionOptions,
    selectRows(query, data, { serializer, ...options }) {
      const { rows, ...details } = selectRows(query, data, options);
      const keepsOrder = actionOptions.hasFixedOrder || details.isUnpaged || query.isAscending;
      const serializeRow = (i: number) => serialize(rows.at(keepsOrder ? i : rows.length - 1 - i) as Row, serializer);
      return { ...details, length: rows.length, serializeRow };
    },
  };
}

const createTransferAction = (tokenType: string, minVersion = 0) =>
  createListAction({
    minVersion,
    emptyMessage: "No token transfers found",
    selectRows(query, data) {
      const account = query.getAddress();
      const contract = query.getAddress("contractaddress", createAccountError("Invalid contract address format"));
      if (account === undefined && contract === undefined)
        throw createAccountError("Query parameter address or contractaddress is required");
      return { rows: data.getTransfers(tokenType, account, contract, query.blockRange) };
    },
    serialize: (row, serializer) => serializer.serializeTransfer(row),
  });

/** Actions that list records, by name. */
export const LIST_ACTIONS: ReadonlyMap<string, ListAction> = new Map<string, ListAction>(
  Object.entries({
    txlist: createListAction({
      emptyMessage: "No transactions found",
      selectRows(query, data) {
        query.requireParameter("address");
        return { rows: data.getTransactions(query.getAddress(), query.blockRange, query.timeRange, query.direction) };
      },
      serialize: (row, serializer) => serializer.serializeTransaction(row),
    }),
    pendingtxlist: createListAction({
      hasFixedOrder: true,
      emptyMessage: "No transactions found",
      selectRows(query, data) {
        query.requireParameter("address");
        return { rows: data.getPendingTransactions(query.getAddress()) };
      },
      serialize: (row, serializer) => serializer.serializePendingTransaction(row),
    }),
    txlistinternal: createListAction({
      emptyMessage: "No internal transactions found",
      selectRows(query, data, { version }) {
        const isByTransaction = query.has("txhash") && !query.has("address");
        const { rows, isComplete } = isByTransaction
          ? data.getInternalTransactionsOfTransaction(query.getTransactionHash())
          : data.getInternalTransactions(query.getAddress(), query.blockRange);
        return {
          // The filter was added in version 9, the message in version 10.
          rows: query.includesZeroValue || version === 8 ? rows : rows.filter(({ value }) => value > 0n),
          partialMessage: isComplete || version < 10 ? undefined : isByTransaction ? UNPROCESSED_TRANSACTION : UNPROCESSED_BLOCKS,
          isUnpaged: isByTransaction,
        };
      },
      serialize: (row, serializer) => serializer.serializeInternalTransaction(row),
    }),
    tokentx: createTransferAction("ERC-20"),
    tokennfttx: createTransferAction("ERC-721"),
    token1155tx: createTransferAction("ERC-1155", 9),
    token404tx: createTransferAction("ERC-404", 9),
    tokenlist: createListAction({
      hasFixedOrder: true,
      pagination: null,
      emptyMessage: "No tokens found",
      selectRows(query, data) {
        query.requireParameter("address", "Query parameter address is required");
        return { rows: data.getTokenHoldings(query.getAddress()) };
      },
      serialize: (row, serializer) => serializer.serializeTokenHolding(row),
    }),
    getminedblocks: createListAction({
      hasFixedOrder: true,
      pagination: { hasResultWindow: false },
      emptyMessage: "No blocks found",
      selectRows(query, data) {
        query.requireParameter("address");
        return { rows: data.getMinedBlocks(query.getAddress()) };
      },
      serialize: (row, serializer) => serializer.serializeMinedBlock(row),
    }),
    listaccounts: createListAction({
      hasFixedOrder: true,
      pagination: { defaultSize: 10 },
      selectRows(_, { balances }, { isRequest }) {
        const hashes = balances.getListedHashes();
        const getBalance = (hash: string) => (isRequest ? balances.request(hash) : balances.peek(hash));
        return { rows: { length: hashes.length, at: (i) => getBalance(hashes[i] ?? "") } };
      },
      serialize: (row, serializer) => serializer.serializeAccount(row),
    }),
  }),
);

/** Creates the `result` of a response. */
type GetBalance = (query: AccountQuery, data: AccountData, serializer: AccountSerializer) => unknown;

/** Actions that return balances, by name. */
export const BALANCE_ACTIONS: ReadonlyMap<string, GetBalance> = new Map<string, GetBalance>(
  Object.entries({
    balance(query: AccountQuery, data: AccountData, serializer: AccountSerializer) {
      const balances = requestBalances(query, data, serializer);
      const [first] = balances;
      return balances.length === 1 && first ? first.balance : balances;
    },

    balancemulti: requestBalances,

    tokenbalance(query: AccountQuery, data: AccountData) {
      const missing = ["contractaddress", "address"].filter((name) => !query.has(name));
      if (missing.length > 0) throw createAccountError(`Required query parameters missing: ${missing.join(", ")}`);
      const contract = query.getAddress("contractaddress", createAccountError("Invalid contractaddress format"));
      const holding = data.getTokenHoldings(query.getAddress()).find(({ token }) => token.hash === contract);
      return String(holding?.balance ?? 0n);
    },
  }),
);

function requestBalances(query: AccountQuery, { balances }: AccountData, serializer: AccountSerializer) {
  query.requireParameter("address");
  // As in the service, the order of the request is lost, and unknown addresses come first.
  const states = query
    .getAddresses()
    .sort()
    .reverse()
    .map((hash) => balances.request(hash));
  return [...states.filter(({ isKnown }) => !isKnown), ...states.filter(({ isKnown }) => isKnown)].map((state) =>
    serializer.serializeBalance(state),
  );
}
