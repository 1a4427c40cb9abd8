// The combined list of transactions, internal transactions and token transfers, with its filters.

import type { Chain } from "../ledger/chain.js";
import type { TransactionPosition, TransactionRow, TransferRow } from "../ledger/rows.js";
import type { TransactionEntry } from "../ledger/transactions.js";
import { getOrMake } from "../maps.js";
import { list, tableOf } from "./list.js";
import { asc, by, desc } from "./order.js";
import * as is from "./parameters.js";
import { type Item, type RestSerializer, serializeTransfer } from "./serializer.js";

const COIN_DECIMALS = 18;

type Row = ReturnType<typeof createRow>;

/** The sender, the recipient or created contract, and the amount in wei or base units. Null: a single NFT. */
type Movement = Pick<TransferRow, "from" | "amount"> & Pick<TransactionRow, "to" | "createdContract">;

/** Creates a row of a transaction, of one of its internal transactions, or of one of its transfers. */
const createRow = (
  { block_number, transaction_index }: TransactionPosition,
  entry: TransactionEntry,
  { from, to, createdContract, amount }: Movement,
  internal_transaction_index: number | null,
  transfer?: TransferRow,
) => ({
  block_number,
  transaction_index,
  internal_transaction_index,
  token_transfer_index: transfer?.index ?? null,
  token_transfer_batch_index: transfer?.index_in_batch ?? null,
  entry,
  from,
  to,
  createdContract,
  amount,
  transfer,
  token: transfer?.token,
  isHidden: transfer?.isHidden ?? false,
});

/** Makes the rows of the initial chain, or of the blocks that were added to it. */
function makeRows({ tables }: Chain, part: "initial" | "added"): Row[] {
  const { entries, internalTransactions, mergedTransfers } = tables;
  /** Finds the transaction of a row. Some logs of the sample chain have none. */
  const findEntry = ({ block_number, transaction_index }: TransactionPosition) =>
    entries.getRowsOfBlock(block_number).filter(({ index }) => index === transaction_index);
  return [
    ...entries[part].flatMap((entry) => {
      const { row, block_number, index: transaction_index } = entry;
      if (block_number === null || transaction_index === null) return [];
      const { from, to, createdContract, value: amount } = row;
      return [createRow({ block_number, transaction_index }, entry, { from, to, createdContract, amount }, null)];
    }),
    ...internalTransactions[part].flatMap((row) => {
      const { from, to, created_contract: createdContract, value: amount, index } = row;
      return findEntry(row).map((entry) => createRow(row, entry, { from, to, createdContract, amount }, index));
    }),
    ...mergedTransfers[part].flatMap((transfer) => {
      const { from, to, amount } = transfer;
      const movement = { from, to, createdContract: null, amount };
      return findEntry(transfer).map((entry) => createRow(transfer, entry, movement, null, transfer));
    }),
  ];
}

const ADDRESS = /^0x[\da-f]{40}$/i;
const CONTRACT = /^(0x[\da-f]{40}|native)$/i;
/** The filters that are lists, each with the form of the values that the service does not drop. */
const LIST_FILTERS = {
  transaction_types: /./,
  methods: /^0x[\da-f]{8}$/i,
  methods_names: /./,
  from_address_hashes_to_include: ADDRESS,
  from_address_hashes_to_exclude: ADDRESS,
  to_address_hashes_to_include: ADDRESS,
  to_address_hashes_to_exclude: ADDRESS,
  token_contract_address_hashes_to_include: CONTRACT,
  token_contract_address_hashes_to_exclude: CONTRACT,
};
type ListFilter = keyof typeof LIST_FILTERS;
const FILTERS = {
  ...(Object.fromEntries(Object.keys(LIST_FILTERS).map((name) => [name, is.anyString])) as Record<ListFilter, is.Parser<string>>),
  age_from: is.anyString,
  age_to: is.anyString,
  address_relation: is.oneOf("or", "and"),
  amount_from: is.anyString,
  amount_to: is.anyString,
};

const getType = ({ transfer, createdContract, entry }: Row) =>
  transfer?.token_type ??
  (createdContract !== null ? "contract_creation" : entry.row.method ? "contract_interaction" : "coin_transfer");

/** Whether a row is of a type. A contract interaction that moves coins is also a coin transfer. */
const isOfType = (row: Row, type: string) =>
  type === "COIN_TRANSFER" ? !row.transfer && (row.amount ?? 0n) > 0n : getType(row).toUpperCase() === type;

function serializeRow(row: Row, s: RestSerializer): Item {
  const { entry, transfer } = row;
  const { token = null, total = null } = transfer ? serializeTransfer(transfer, s) : {};
  return {
    block_number: row.block_number,
    created_contract: s.serializeAddress(row.createdContract),
    fee: row.internal_transaction_index === null && !transfer ? String(entry.fee) : "0",
    from: s.serializeAddress(row.from),
    hash: entry.hash,
    internal_transaction_index: row.internal_transaction_index,
    method: entry.row.method,
    ...s.membersSince(9, { status: entry.row.hasFailed ? "execution reverted" : "success" }),
    timestamp: s.serializeTime(row.block_number),
    to: s.serializeAddress(row.to),
    token,
    token_transfer_batch_index: row.token_transfer_batch_index,
    token_transfer_index: row.token_transfer_index,
    total,
    transaction_index: row.transaction_index,
    type: getType(row),
    value: transfer ? null : String(row.amount ?? 0n),
  };
}

function createFilter(query: is.Values<typeof FILTERS>, chain: Chain): (row: Row) => boolean {
  if (!Object.keys(FILTERS).some((name) => name in query)) return () => true;
  /** The items of a comma-separated list in lower case, without items that the service drops. Undefined: no filter. */
  const parseList = (name: ListFilter, convert = (item: string) => item.toLowerCase()): readonly string[] | undefined => {
    const items = query[name]?.split(",").filter((item) => LIST_FILTERS[name].test(item));
    return items && items.length > 0 ? items.map(convert) : undefined;
  };
  const types = parseList("transaction_types", (type) => type.toUpperCase());
  const selectors = parseList("methods");
  const names = parseList("methods_names", String);
  const [from, to] = [parseList("from_address_hashes_to_include"), parseList("to_address_hashes_to_include")];
  const [notFrom, notTo] = [parseList("from_address_hashes_to_exclude"), parseList("to_address_hashes_to_exclude")];
  const contracts = parseList("token_contract_address_hashes_to_include");
  const notContracts = parseList("token_contract_address_hashes_to_exclude");
  const { age_from = "", age_to = "", amount_from, amount_to, address_relation } = query;
  // A time that cannot be parsed sets no bound.
  const [start, end] = [Date.parse(age_from), Date.parse(age_to)];

  const hasParties = (row: Row) => {
    if (from && to && address_relation !== "and") return from.includes(row.from) || to.includes(row.to ?? "");
    return (!from || from.includes(row.from)) && (!to || to.includes(row.to ?? ""));
  };
  // The contents of a transaction are computed when they are read.
  const isCalled = ({ entry }: Row) =>
    (!selectors && !names) ||
    names?.includes(entry.row.method ?? "") === true ||
    selectors?.includes(entry.content.selector ?? "") === true;
  const hasAmount = ({ amount, token }: Row) => {
    if (amount_from === undefined && amount_to === undefined) return true;
    if (amount === null) return false;
    const whole = Number(amount) / 10 ** Number(token ? (token.decimals ?? 0) : COIN_DECIMALS);
    return whole >= Number(amount_from ?? 0) && whole <= Number(amount_to ?? Number.POSITIVE_INFINITY);
  };
  const isInPeriod = ({ block_number }: Row) => {
    if (Number.isNaN(start) && Number.isNaN(end)) return true;
    const time = Date.parse(`${chain.getTimestamp(block_number)}Z`);
    return !(time < start) && !(time > end);
  };
  return (row) => {
    const contract = row.token?.hash ?? "native";
    return (
      (!types || types.some((type) => isOfType(row, type))) &&
      isCalled(row) &&
      hasParties(row) &&
      !notFrom?.includes(row.from) &&
      !notTo?.includes(row.to ?? "") &&
      (!contracts || contracts.includes(contract)) &&
      !notContracts?.includes(contract) &&
      isInPeriod(row) &&
      hasAmount(row)
    );
  };
}

const table = tableOf(
  (chain) => makeRows(chain, "initial"),
  (chain) => makeRows(chain, "added"),
);
const filterCache = new WeakMap<object, (row: Row) => boolean>();

const rankReversed = (index: unknown) => (index === null ? null : -Number(index));

export const ADVANCED_FILTERS = list({
  hasFixedPages: true,
  table,
  filters: FILTERS,
  where: (row, query, _, chain) => getOrMake(filterCache, query, () => createFilter(query, chain))(row),
  // Newest transaction first. Within it: the transaction, its transfers and its internal transactions, last ones first.
  order: by([
    desc("block_number", is.blockNumber),
    desc("transaction_index", is.anyInteger),
    asc("internal_transaction_index", is.integerOrNull, rankReversed),
    asc("token_transfer_index", is.integerOrNull, rankReversed),
    asc("token_transfer_batch_index", is.integerOrNull),
  ]),
  serialize: serializeRow,
  createMembers: () => ({ search_params: { methods: {}, tokens: {} } }),
});
