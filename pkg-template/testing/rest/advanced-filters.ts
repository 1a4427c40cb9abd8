// The combined list of transactions, internal transactions and token transfers, with its filters.

import type { Chain } from "../ledger/chain.js";
import type { InternalTransactionRow, Token, TransactionPosition, TransferRow } from "../ledger/rows.js";
import type { TransactionEntry } from "../ledger/transactions.js";
import { getOrMake } from "../maps.js";
import { list, tableOf } from "./list.js";
import { asc, by, desc } from "./order.js";
import * as is from "./parameters.js";
import { type Item, type RestSerializer, serializeTransfer } from "./serializer.js";

const COIN_DECIMALS = 18;

interface Row extends TransactionPosition {
  readonly internal_transaction_index: number | null;
  readonly token_transfer_index: number | null;
  readonly token_transfer_batch_index: number | null;
  readonly entry: TransactionEntry;
  readonly from: string;
  readonly to: string | null;
  readonly createdContract: string | null;
  /** In wei or base units. Null: a single NFT. */
  readonly amount: bigint | null;
  readonly transfer?: TransferRow;
  readonly token?: Token;
  readonly isHidden?: boolean;
}

/** All rows of a chain. */
function makeRows(chain: Chain): Row[] {
  const { entries, internalTransactions, mergedTransfers } = chain.tables;
  return [
    ...entries.rows.flatMap(createTransactionRow),
    ...internalTransactions.rows.flatMap((row) => createInternalRow(chain, row)),
    ...mergedTransfers.rows.flatMap((row) => createTransferRow(chain, row)),
  ];
}

const NO_INDICES = { internal_transaction_index: null, token_transfer_index: null, token_transfer_batch_index: null };

function createTransactionRow(entry: TransactionEntry): Row[] {
  const { row, block_number, index } = entry;
  if (block_number === null || index === null) return [];
  const { from, to, createdContract, value } = row;
  return [{ ...NO_INDICES, block_number, transaction_index: index, entry, from, to, createdContract, amount: value }];
}

/** A row of a transaction. Some logs of the sample chain have no transaction. */
function createPart(chain: Chain, { block_number, transaction_index }: TransactionPosition) {
  const entry = chain.findTransaction(chain.getTransactionHash(block_number, transaction_index));
  return entry ? [{ ...NO_INDICES, block_number, transaction_index, entry }] : [];
}

const createInternalRow = (chain: Chain, row: InternalTransactionRow): Row[] =>
  createPart(chain, row).map((part) => {
    const { index, from, to, created_contract, value } = row;
    return { ...part, internal_transaction_index: index, from, to, createdContract: created_contract, amount: value };
  });

const createTransferRow = (chain: Chain, transfer: TransferRow): Row[] =>
  createPart(chain, transfer).map((part) => {
    const { index, index_in_batch, from, to, amount, token, isHidden = false } = transfer;
    const indices = { token_transfer_index: index, token_transfer_batch_index: index_in_batch };
    return { ...part, ...indices, from, to, createdContract: null, amount, transfer, token, isHidden };
  });

const FILTERS = {
  transaction_types: is.anyString,
  methods: is.anyString,
  methods_names: is.anyString,
  age_from: is.anyString,
  age_to: is.anyString,
  from_address_hashes_to_include: is.anyString,
  from_address_hashes_to_exclude: is.anyString,
  to_address_hashes_to_include: is.anyString,
  to_address_hashes_to_exclude: is.anyString,
  address_relation: is.oneOf("or", "and"),
  amount_from: is.anyString,
  amount_to: is.anyString,
  token_contract_address_hashes_to_include: is.anyString,
  token_contract_address_hashes_to_exclude: is.anyString,
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

/** The items of a comma-separated list, without items that the service drops. Undefined: no filter. */
function parseList(string: string | undefined, pattern: RegExp): readonly string[] | undefined {
  const items = string?.split(",").filter((item) => pattern.test(item));
  return items && items.length > 0 ? items : undefined;
}

const parseAddresses = (string: string | undefined) => parseList(string, /^0x[\da-f]{40}$/i)?.map((hash) => hash.toLowerCase());
const parseContracts = (string: string | undefined) =>
  parseList(string, /^(0x[\da-f]{40}|native)$/i)?.map((hash) => hash.toLowerCase());

function createFilter(query: is.Values<typeof FILTERS>, chain: Chain): (row: Row) => boolean {
  if (!Object.keys(FILTERS).some((name) => name in query)) return () => true;
  const types = parseList(query.transaction_types, /./)?.map((type) => type.toUpperCase());
  const selectors = parseList(query.methods, /^0x[\da-f]{8}$/i)?.map((selector) => selector.toLowerCase());
  const names = parseList(query.methods_names, /./);
  const [from, to] = [parseAddresses(query.from_address_hashes_to_include), parseAddresses(query.to_address_hashes_to_include)];
  const [notFrom, notTo] = [
    parseAddresses(query.from_address_hashes_to_exclude),
    parseAddresses(query.to_address_hashes_to_exclude),
  ];
  const contracts = parseContracts(query.token_contract_address_hashes_to_include);
  const notContracts = parseContracts(query.token_contract_address_hashes_to_exclude);
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

const table = tableOf(makeRows);
/** The predicate of each request. */
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
