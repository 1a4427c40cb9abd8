// The actions of the account module. Each is one declaration, over the tables that the REST lists have.

import type { BalanceState } from "../ledger/balances.js";
import { LAST_PROCESSED_BLOCK, UNPROCESSED_BLOCKS } from "../ledger/blocks.js";
import type { Chain } from "../ledger/chain.js";
import type { InternalTransactionRow, TransactionRow, TransferRow } from "../ledger/rows.js";
import { makePendingEntries } from "../ledger/transactions.js";
import { createAccountError } from "../responses.js";
import type { Instance } from "../settings.js";
import {
  HASH,
  type Pagination,
  type Parameters,
  parseAddress,
  parseAddresses,
  parseBlockRange,
  parseHash,
  parseTimeRange,
  type Range,
  requireAddress,
} from "./account-query.js";
import {
  createRow,
  type SerializedRow,
  serializeInternalTransaction,
  serializeTransaction,
  serializeTransfer,
  toText,
} from "./account-serializer.js";

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
  readonly pagination?: Pagination | null;
  /** Selects the rows of a query. `isRequest` is false for `getAllRows`. */
  select(values: Parameters, instance: Instance, isRequest: boolean): Selection<Row>;
  serialize(row: Row, instance: Instance): SerializedRow;
}

// biome-ignore lint/suspicious/noExplicitAny: actions have different rows
export type ListAction = ActionDefinition<any>;

const list = <Row>(definition: ActionDefinition<Row>): ListAction => definition;

export function selectRows(action: ListAction, values: Parameters, instance: Instance, isRequest: boolean) {
  const selection = action.select(values, instance, isRequest);
  const keepsOrder = action.hasFixedOrder || selection.isUnpaged || values.get("sort") === "asc";
  return keepsOrder ? selection : { ...selection, rows: [...selection.rows].reverse() };
}

const isIn = ({ first, last }: Range, block: number) => block >= first && block <= last;

function selectTransactions(chain: Chain, account: string, values: Parameters): TransactionRow[] {
  const [blocks, times, direction] = [parseBlockRange(values), parseTimeRange(values), values.get("filter_by")];
  const first = Math.max(blocks.first, Math.ceil(chain.getBlockAtTime(times.first)));
  const last = Math.min(blocks.last, Math.floor(chain.getBlockAtTime(times.last)));
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
  const rows = listInternalTransactions(chain).filter(
    ({ block_number, transaction_index }) => chain.getTransactionHash(block_number, transaction_index) === hash,
  );
  const isComplete = !rows.some((row) => isUnprocessed(row, chain.accounts.sampleHashes.lagging));
  return { rows: isComplete ? rows : [], isComplete };
}

/** The transfers of an address, of a contract, or of both, of tokens of a type. Undefined: any. */
export function selectTransfers(
  { tables }: Chain,
  { type, account, contract }: Readonly<Partial<Record<"type" | "account" | "contract", string | undefined>>>,
  range: Range,
): TransferRow[] {
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
    select(values, { chain }) {
      const account = parseAddress(values);
      const contract = parseAddress(values, "contractaddress", createAccountError("Invalid contract address format"));
      if (account === undefined && contract === undefined)
        throw createAccountError("Query parameter address or contractaddress is required");
      return { rows: selectTransfers(chain, { type, account, contract }, parseBlockRange(values)) };
    },
    serialize: serializeTransfer,
  });

export const LIST_ACTIONS: ReadonlyMap<string, ListAction> = new Map<string, ListAction>(
  Object.entries({
    txlist: list({
      emptyMessage: "No transactions found",
      select: (values, { chain }) => ({ rows: selectTransactions(chain, requireAddress(values), values) }),
      serialize: serializeTransaction,
    }),
    pendingtxlist: list({
      hasFixedOrder: true,
      emptyMessage: "No transactions found",
      select(values, { chain }) {
        const account = requireAddress(values);
        return { rows: makePendingEntries(chain).filter(({ row }) => row.from === account) };
      },
      serialize({ row: { from, to, value }, content }) {
        const { hash, nonce, gas, gasPrice, input, gasUsed, cumulativeGasUsed } = content;
        return createRow({
          hash,
          nonce,
          from,
          to,
          value,
          gas,
          gasPrice,
          input,
          contractAddress: null,
          cumulativeGasUsed,
          gasUsed,
        });
      },
    }),
    txlistinternal: list({
      emptyMessage: "No internal transactions found",
      select(values, { chain, settings: { backendVersion: version } }) {
        const isByTransaction = values.has("txhash") && !values.has("address");
        const { rows, isComplete } = isByTransaction
          ? selectInternalTransactionsOf(chain, parseHash(values, "txhash", HASH, createAccountError("Invalid txhash format")))
          : selectInternalTransactions(chain, parseAddress(values), parseBlockRange(values));
        const includesZeroValue = values.get("include_zero_value")?.toLowerCase() === "true";
        return {
          // The filter was added in version 9, the message in version 10.
          rows: includesZeroValue || version === 8 ? rows : rows.filter(({ value }) => value > 0n),
          partialMessage: isComplete || version < 10 ? undefined : isByTransaction ? UNPROCESSED_TRANSACTION : UNPROCESSED_BLOCKS,
          isUnpaged: isByTransaction,
        };
      },
      serialize: serializeInternalTransaction,
    }),
    tokentx: listTransfers("ERC-20"),
    tokennfttx: listTransfers("ERC-721"),
    token1155tx: listTransfers("ERC-1155", 9),
    token404tx: listTransfers("ERC-404", 9),
    tokenlist: list({
      hasFixedOrder: true,
      pagination: null,
      emptyMessage: "No tokens found",
      select: (values, { chain }) => ({
        rows: chain.tables.getTokenHoldings(requireAddress(values, "Query parameter address is required")),
      }),
      serialize({ token: { hash: contractAddress, name, symbol, decimals, type }, id, balance }) {
        return { ...createRow({ balance, contractAddress, decimals, type, id: id ?? undefined }), name, symbol };
      },
    }),
    getminedblocks: list({
      hasFixedOrder: true,
      pagination: { hasResultWindow: false },
      emptyMessage: "No blocks found",
      select(values, { chain }) {
        const account = requireAddress(values);
        // The validators of other blocks are not indexed.
        const isProducer = account === chain.accounts.sampleHashes.producer;
        return {
          rows: isProducer ? chain.tables.blocks.initial.filter((row) => row.type === "block" && row.miner === account) : [],
        };
      },
      serialize: ({ block_number }, { chain }) => ({
        blockNumber: String(block_number),
        timeStamp: `${chain.getTimestamp(block_number).replace("T", " ")}.000000Z`,
      }),
    }),
    listaccounts: list({
      hasFixedOrder: true,
      pagination: { defaultSize: 10 },
      select(_, { chain: { balances } }, isRequest) {
        const getBalance = (hash: string) => (isRequest ? balances.request(hash) : balances.peek(hash));
        // Only the rows of the page count as requested.
        return { rows: balances.getListedHashes().map((hash) => () => getBalance(hash)) };
      },
      serialize(getBalance) {
        const { hash, balance, isStale } = getBalance();
        return { address: hash, balance: toText(balance), stale: isStale };
      },
    }),
  }),
);

/** The actions that return balances, by name: each creates the `result` of a response. */
export const BALANCE_ACTIONS: ReadonlyMap<string, (values: Parameters, instance: Instance) => unknown> = new Map(
  Object.entries({
    balance(values: Parameters, instance: Instance) {
      const balances = requestBalances(values, instance);
      const [first] = balances;
      return balances.length === 1 && first ? first.balance : balances;
    },
    balancemulti: requestBalances,
    tokenbalance(values: Parameters, { chain }: Instance) {
      const missing = ["contractaddress", "address"].filter((name) => !values.has(name));
      if (missing.length > 0) throw createAccountError(`Required query parameters missing: ${missing.join(", ")}`);
      const contract = parseAddress(values, "contractaddress", createAccountError("Invalid contractaddress format"));
      const holdings = chain.tables.getTokenHoldings(requireAddress(values));
      return String(holdings.find(({ token }) => token.hash === contract)?.balance ?? 0n);
    },
  }),
);

function requestBalances(values: Parameters, { chain: { balances } }: Instance): SerializedRow[] {
  // As in the service, the order of the request is lost, and unknown addresses come first.
  const hashes = parseAddresses(values).sort().reverse();
  const states = hashes.map((hash) => balances.request(hash));
  const serialize = ({ hash, balance, isStale }: BalanceState) => {
    return { account: hash, balance: balance === null ? null : String(balance), stale: isStale };
  };
  return [...states.filter(({ isKnown }) => !isKnown), ...states.filter(({ isKnown }) => isKnown)].map(serialize);
}
