// Serializes transactions for the REST API.

import { toChecksumAddress } from "../ledger/checksum.js";
import { COIN_PRICE, getHistoricCoinPrice } from "../ledger/coin-price.js";
import type { TransactionEntry } from "../ledger/transaction-entries.js";
import type { RestSerializer, SerializedItem } from "./rest-serializer.js";

const GWEI = 10n ** 9n;
const MAX_TOKEN_TRANSFERS = 10;
const CALL_FAILED = "0x08c379a0";

/** Serializes a transaction as an item of a list, which has no token transfers. */
export function serializeTransaction(entry: TransactionEntry, serializer: RestSerializer): SerializedItem {
  const { chain } = serializer;
  const { row, content, block_number } = entry;
  const { from, to, createdContract, hasFailed, value } = row;
  const isPending = block_number === null;
  const tip = content.gasPrice / 10n;
  return {
    authorization_list: [],
    ...serializeFees(entry, serializer),
    ...serializeL1Fee(entry, serializer),
    block_number,
    confirmation_duration: isPending ? [] : [0, 12_031.5],
    confirmations: isPending ? 0 : chain.head - block_number + 1,
    created_contract: createdContract === null ? null : serializer.serializeAddress(createdContract),
    decoded_input: decodeInput(entry, serializer),
    exchange_rate: COIN_PRICE,
    from: serializer.serializeAddress(from),
    gas_limit: String(content.gas),
    gas_price: String(content.gasPrice),
    gas_used: content.gasUsed === null ? null : String(content.gasUsed),
    has_error_in_internal_transactions: hasFailed,
    hash: entry.hash,
    historic_exchange_rate: isPending ? null : getHistoricCoinPrice(chain, block_number),
    max_fee_per_gas: String(2n * content.gasPrice),
    max_priority_fee_per_gas: String(tip),
    method: row.method,
    nonce: content.nonce,
    position: entry.index,
    raw_input: content.input,
    result: isPending ? "pending" : hasFailed ? "execution reverted" : "success",
    revert_reason: hasFailed ? { raw: CALL_FAILED } : null,
    status: isPending ? null : hasFailed ? "error" : "ok",
    timestamp: isPending ? null : serializer.createTimestamp(block_number),
    to: to === null ? null : serializer.serializeAddress(to),
    token_transfers: null,
    token_transfers_overflow: null,
    transaction_tag: null,
    transaction_types: entry.types,
    type: 2,
    value: String(value),
    ...serializer.membersSince(11, { fhe_operations_count: 0, is_pending_update: false }),
    // Removed in version 11.
    ...serializer.membersBefore(11, { actions: [] }),
  };
}

/** Serializes a transaction that was requested by its hash, with its first token transfers. */
export function serializeTransactionDetails(entry: TransactionEntry, serializer: RestSerializer): SerializedItem {
  const transfers = serializer.chain.getTransfersOf(entry.block_number, entry.index);
  return {
    ...serializeTransaction(entry, serializer),
    token_transfers: transfers.slice(0, MAX_TOKEN_TRANSFERS).map((row) => serializer.serializeTransfer(row)),
    token_transfers_overflow: transfers.length > MAX_TOKEN_TRANSFERS,
  };
}

/** The fee, split into the burnt part and the block producer's part. */
function serializeFees({ block_number, content, fee, gasFee }: TransactionEntry, serializer: RestSerializer): SerializedItem {
  if (block_number === null || content.gasUsed === null) {
    return {
      ...serializeBurntFee(null, serializer),
      base_fee_per_gas: null,
      fee: { type: "maximum", value: String(fee) },
      priority_fee: null,
    };
  }
  const baseFee = BigInt(serializer.chain.getBaseFee(block_number));
  const burnt = baseFee * content.gasUsed;
  return {
    ...serializeBurntFee(String(burnt), serializer),
    base_fee_per_gas: String(baseFee),
    fee: { type: "actual", value: String(fee) },
    priority_fee: String(gasFee - burnt),
  };
}

/** The fee for data on layer 1. Chains that are not rollups lack these members. */
function serializeL1Fee({ content: { l1Fee } }: TransactionEntry, { chain }: RestSerializer): SerializedItem {
  if (chain.chainType !== "optimism") return {};
  const toStringOrNull = (value: bigint | number | undefined) => (value === undefined ? null : String(value));
  return {
    l1_fee: toStringOrNull(l1Fee?.value),
    l1_fee_scalar: l1Fee?.scalar ?? null,
    l1_gas_price: toStringOrNull(l1Fee?.gasPrice),
    l1_gas_used: toStringOrNull(l1Fee?.gasUsed),
  };
}

function serializeBurntFee(burnt: string | null, serializer: RestSerializer): SerializedItem {
  return { transaction_burnt_fee: burnt, ...serializer.legacyMembers({ tx_burnt_fee: burnt }) };
}

/** The call data with the names of the parameters, if the service knows the method. */
function decodeInput({ row, content }: TransactionEntry, { chain }: RestSerializer): SerializedItem | null {
  const { signature, selector } = content;
  if (signature === null || row.to === null) return null;
  const random = chain.createRandom("decoded input", content.input);
  const makeValue = (type: string): unknown => {
    if (type.endsWith("[]")) return [makeValue(type.slice(0, -2))];
    if (type === "address") return toChecksumAddress(random.pick(chain.accounts.validators));
    return type === "bytes" ? random.nextHex(32) : String(random.nextBigInt(8) / GWEI);
  };
  // The name of a method can contain any characters, its parameters cannot.
  const declarations = signature.slice(signature.lastIndexOf("(") + 1, -1);
  const parameters = declarations === "" ? [] : declarations.split(", ").map((declaration) => declaration.split(" "));
  return {
    method_call: signature,
    method_id: selector,
    parameters: parameters.map(([type = "", name = ""]) => ({ name, type, value: makeValue(type) })),
  };
}
