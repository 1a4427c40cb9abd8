// The actions of the account module. Each list is one declaration, over the tables that the REST lists have.

import { LAST_PROCESSED_BLOCK, UNPROCESSED_BLOCKS } from "../ledger/blocks.js";
import type { Chain } from "../ledger/chain.js";
import type { BlockRow, InternalTransactionRow, TransactionRow, TransferRow } from "../ledger/rows.js";
import { makePendingEntries } from "../ledger/transactions.js";
import { createAccountError } from "../responses.js";
import type { AccountQuery, PaginationOptions, Range } from "./account-query.js";
import type { AccountSerializer, SerializedRow } from "./account-serializer.js";

const UNPROCESSED_TRANSACTION = "Internal transactions for this transaction have not been processed yet";

interface Selection<Row> {
  /** Oldest first, unless the action has a fixed order. */
  readonly rows: readonly Row[];
  readonly partialMessage?: string | undefined;
  readonly isUnpaged?: boolean;
}

interface ActionDefinition<Row> {
  readonly minVersion?: number;
  readonly emptyMessage?: string;
  readonly hasFixedOrder?: boolean;
  /** Options of the pages, or null for a list without pages. */
  readonly pagination?: PaginationOptions | null;
  /** Selects the rows of a query. `isRequest` is false for `getAllRows`. */
  select(query: AccountQuery, serializer: AccountSerializer, isRequest: boolean): Selection<Row>;
  serialize(row: Row, serializer: AccountSerializer): SerializedRow;
}

// biome-ignore lint/suspicious/noExplicitAny: actions have different rows
export type ListAction = ActionDefinition<any>;

const list = <Row>(definition: ActionDefinition<Row>): ListAction => definition;

export function selectRows(action: ListAction, query: AccountQuery, serializer: AccountSerializer, isRequest: boolean) {
  const selection = action.select(query, serializer, isRequest);
  const keepsOrder = action.hasFixedOrder || selection.isUnpaged || query.isAscending;
  return keepsOrder ? selection : { ...selection, rows: [...selection.rows].reverse() };
}

const isIn = ({ first, last }: Range, block: number) => block >= first && block <= last;

function selectTransactions(chain: Chain, account: string, { direction, blockRange, timeRange }: AccountQuery): TransactionRow[] {
  const first = Math.max(blockRange.first, Math.ceil(chain.getBlockAtTime(timeRange.first)));
  const last = Math.min(blockRange.last, Math.floor(chain.getBlockAtTime(timeRange.last)));
  const isSelected = ({ block_number, from, to, createdContract }: TransactionRow) =>
    isIn({ first, last }, block_number) &&
    ((direction !== "to" && from === account) || (direction !== "from" && (to === account || createdContract === account)));
  return chain.tables.getTablesFor(account).transactions.rows.filter(isSelected);
}

const listInternalTransactions = ({ tables, firstTracedBlock }: Chain) =>
  tables.internalTransactions.sort(compareByPosition).filter(({ block_number }) => block_number >= firstTracedBlock);
const compareByPosition = (a: InternalTransactionRow, b: InternalTransactionRow) =>
  a.block_number - b.block_number || a.transaction_index - b.transaction_index || a.index - b.index;
/** Here, the internal transactions of newer blocks are missing only for the sample address `lagging`. */
const isUnprocessed = ({ block_number, from, to }: InternalTransactionRow, lagging: string) =>
  block_number > LAST_PROCESSED_BLOCK && (from === lagging || to === lagging);

/** The internal transactions of an address, or of all if undefined. `isComplete` is false if some are not processed yet. */
function selectInternalTransactions(chain: Chain, account: string | undefined, range: Range) {
  const { lagging } = chain.accounts.sampleHashes;
  const rows = listInternalTransactions(chain).filter(
    (row) =>
      isIn(range, row.block_number) &&
      !isUnprocessed(row, lagging) &&
      (account === undefined || [row.from, row.to, row.created_contract].includes(account)),
  );
  const canLag = account === undefined || account === lagging;
  return { rows, isComplete: !canLag || range.first > chain.head || range.last <= LAST_PROCESSED_BLOCK };
}

export function selectInternalTransactionsOf(chain: Chain, hash: string | undefined) {
  const { lagging } = chain.accounts.sampleHashes;
  const rows = listInternalTransactions(chain).filter(
    ({ block_number, transaction_index }) => chain.getTransactionHash(block_number, transaction_index) === hash,
  );
  const isComplete = !rows.some((row) => isUnprocessed(row, lagging));
  return { rows: isComplete ? rows : [], isComplete };
}

interface TransferFilters {
  readonly type?: string;
  readonly account?: string | undefined;
  readonly contract?: string | undefined;
}

/** The transfers of an address, of a contract, or of both, of tokens of a type. Undefined: any. */
export function selectTransfers({ tables }: Chain, { type, account, contract }: TransferFilters, range: Range): TransferRow[] {
  const isSelected = ({ token_type, block_number, token, from, to }: TransferRow) =>
    (type === undefined || token_type === type) &&
    isIn(range, block_number) &&
    (contract === undefined || token.hash === contract) &&
    (account === undefined || from === account || to === account);
  return tables.getTablesFor(account).transfers.rows.filter(isSelected);
}

const listTransfers = (type: string, minVersion = 0) =>
  list({
    minVersion,
    emptyMessage: "No token transfers found",
    select(query, { chain }) {
      const account = query.getAddress();
      const contract = query.getAddress("contractaddress", createAccountError("Invalid contract address format"));
      if (account === undefined && contract === undefined)
        throw createAccountError("Query parameter address or contractaddress is required");
      return { rows: selectTransfers(chain, { type, account, contract }, query.blockRange) };
    },
    serialize: (row: TransferRow, serializer) => serializer.serializeTransfer(row),
  });

export const LIST_ACTIONS: ReadonlyMap<string, ListAction> = new Map<string, ListAction>(
  Object.entries({
    txlist: list({
      emptyMessage: "No transactions found",
      select: (query, { chain }) => ({ rows: selectTransactions(chain, query.requireAddress(), query) }),
      serialize: (row, serializer) => serializer.serializeTransaction(row),
    }),
    pendingtxlist: list({
      hasFixedOrder: true,
      emptyMessage: "No transactions found",
      select(query, { chain }) {
        const account = query.requireAddress();
        return { rows: makePendingEntries(chain).filter(({ row }) => row.from === account) };
      },
      serialize: (row, serializer) => serializer.serializePendingTransaction(row),
    }),
    txlistinternal: list({
      emptyMessage: "No internal transactions found",
      select(query, { chain, version }) {
        const isByTransaction = query.has("txhash") && !query.has("address");
        const { rows, isComplete } = isByTransaction
          ? selectInternalTransactionsOf(chain, query.getTransactionHash())
          : selectInternalTransactions(chain, query.getAddress(), query.blockRange);
        return {
          // The filter was added in version 9, the message in version 10.
          rows: query.includesZeroValue || version === 8 ? rows : rows.filter(({ value }) => value > 0n),
          partialMessage: isComplete || version < 10 ? undefined : isByTransaction ? UNPROCESSED_TRANSACTION : UNPROCESSED_BLOCKS,
          isUnpaged: isByTransaction,
        };
      },
      serialize: (row, serializer) => serializer.serializeInternalTransaction(row),
    }),
    tokentx: listTransfers("ERC-20"),
    tokennfttx: listTransfers("ERC-721"),
    token1155tx: listTransfers("ERC-1155", 9),
    token404tx: listTransfers("ERC-404", 9),
    tokenlist: list({
      hasFixedOrder: true,
      pagination: null,
      emptyMessage: "No tokens found",
      select: (query, { chain }) => ({
        rows: chain.tables.getTokenHoldings(query.requireAddress("Query parameter address is required")),
      }),
      serialize: (row, serializer) => serializer.serializeTokenHolding(row),
    }),
    getminedblocks: list({
      hasFixedOrder: true,
      pagination: { hasResultWindow: false },
      emptyMessage: "No blocks found",
      select(query, { chain }) {
        const account = query.requireAddress();
        const isMined = ({ type, miner }: BlockRow) => type === "block" && miner === account;
        // The validators of other blocks are not indexed.
        const isProducer = account === chain.accounts.sampleHashes.producer;
        return { rows: isProducer ? chain.tables.blocks.initial.filter(isMined) : [] };
      },
      serialize: (row, serializer) => serializer.serializeMinedBlock(row.block_number),
    }),
    listaccounts: list({
      hasFixedOrder: true,
      pagination: { defaultSize: 10 },
      select(_, { chain: { balances } }, isRequest) {
        const getBalance = (hash: string) => (isRequest ? balances.request(hash) : balances.peek(hash));
        // Only the rows of the page count as requested.
        return { rows: balances.getListedHashes().map((hash) => () => getBalance(hash)) };
      },
      serialize: (getBalance, serializer) => serializer.serializeAccount(getBalance()),
    }),
  }),
);

/** Actions that return balances, by name: each creates the `result` of a response. */
export const BALANCE_ACTIONS: ReadonlyMap<string, (query: AccountQuery, serializer: AccountSerializer) => unknown> = new Map(
  Object.entries({
    balance(query: AccountQuery, serializer: AccountSerializer) {
      const balances = requestBalances(query, serializer);
      const [first] = balances;
      return balances.length === 1 && first ? first.balance : balances;
    },
    balancemulti: requestBalances,
    tokenbalance(query: AccountQuery, { chain }: AccountSerializer) {
      const missing = ["contractaddress", "address"].filter((name) => !query.has(name));
      if (missing.length > 0) throw createAccountError(`Required query parameters missing: ${missing.join(", ")}`);
      const contract = query.getAddress("contractaddress", createAccountError("Invalid contractaddress format"));
      const holdings = chain.tables.getTokenHoldings(query.requireAddress());
      return String(holdings.find(({ token }) => token.hash === contract)?.balance ?? 0n);
    },
  }),
);

function requestBalances(query: AccountQuery, serializer: AccountSerializer): SerializedRow[] {
  const { balances } = serializer.chain;
  // As in the service, the order of the request is lost, and unknown addresses come first.
  const hashes = query.getAddresses().sort().reverse();
  const states = hashes.map((hash) => balances.request(hash));
  const sorted = [...states.filter(({ isKnown }) => !isKnown), ...states.filter(({ isKnown }) => isKnown)];
  return sorted.map((state) => serializer.serializeBalance(state));
}
