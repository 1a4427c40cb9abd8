// Serializes rows of the sample chain as the account module does: flat objects of strings, with "" for unknown values.

import type { InternalTransactionRow, TransactionRow, TransferRow } from "../ledger/rows.js";
import { makeTransactionContent } from "../ledger/transactions.js";
import type { Instance } from "../settings.js";

export type SerializedRow = Record<string, string | boolean | null>;

export const toText = (value: string | number | bigint | null) => (value === null ? "" : String(value));

export function createRow(values: Readonly<Record<string, string | number | bigint | null | undefined>>): SerializedRow {
  const row: SerializedRow = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) row[name] = toText(value);
  return row;
}

/** The last transaction. Consecutive rows often share it. */
let last: { readonly row: TransactionRow; readonly members: ReturnType<typeof createMembers> } | undefined;

/** The members of all rows that show their transaction, and its other content. */
function createMembers({ chain }: Instance, row: TransactionRow) {
  const { block_number: blockNumber, transaction_index: transactionIndex } = row;
  const content = makeTransactionContent(chain, row);
  const { hash, nonce, gas, gasPrice, gasUsed, cumulativeGasUsed, input } = content;
  const block = { blockNumber, timeStamp: chain.getUnixTime(blockNumber), blockHash: chain.getBlockHash(blockNumber) };
  return { content, shared: { hash, nonce, transactionIndex, gas, gasPrice, gasUsed, cumulativeGasUsed, input, ...block } };
}

function getMembers(instance: Instance, row: TransactionRow) {
  if (last?.row !== row) last = { row, members: createMembers(instance, row) };
  const { content, shared } = last.members;
  return { content, shared: { confirmations: instance.chain.head - row.block_number, ...shared } };
}

export function serializeTransaction(row: TransactionRow, instance: Instance): SerializedRow {
  const { content, shared } = getMembers(instance, row);
  const { from, to, value, hasFailed, createdContract: contractAddress } = row;
  const { l1Fee, selector } = content;
  const { backendVersion, statesL1Fee } = instance.settings;
  return createRow({
    from,
    to,
    value,
    isError: hasFailed ? 1 : 0,
    txreceipt_status: hasFailed ? 0 : 1,
    contractAddress,
    // Added in 9.1.
    methodId: backendVersion > 8 ? `0x${selector}` : undefined,
    ...shared,
    // The fee for data on layer 1, under the names that Etherscan uses.
    ...(statesL1Fee &&
      l1Fee && { L1Gas: l1Fee.gasUsed, L1GasPrice: l1Fee.gasPrice, L1FeeScalar: l1Fee.scalar, L1FeesPaid: l1Fee.value }),
  });
}

export function serializeInternalTransaction(row: InternalTransactionRow, { chain }: Instance): SerializedRow {
  const { block_number: blockNumber, transaction_index, index, type, from, to, error, value, gas_limit: gas } = row;
  const isCall = type.endsWith("call");
  const isCreation = type.startsWith("create");
  const random = chain.createRandom("internal content", blockNumber, transaction_index, index);
  return createRow({
    blockNumber,
    timeStamp: chain.getUnixTime(blockNumber),
    from,
    to,
    value,
    contractAddress: row.created_contract,
    transactionHash: chain.getTransactionHash(blockNumber, transaction_index),
    index,
    input: isCreation ? "" : random.nextBoolean(0.5) ? "0x" : random.nextHex(4),
    // All types of call are "call" here; `callType` distinguishes them.
    type: isCall ? "call" : type,
    callType: isCall ? type : "",
    gas,
    // Unknown for failed creations.
    gasUsed: isCreation && error !== null ? "" : random.nextInt(gas + 1),
    isError: error === null ? 0 : 1,
    errCode: error,
  });
}

export function serializeTransfer(row: TransferRow, instance: Instance): SerializedRow {
  const transaction = instance.chain.getTransactionOf(row);
  if (!transaction) throw new Error(`no transaction in block ${row.block_number} has the transfer ${row.index}`);
  const { content, shared } = getMembers(instance, transaction);
  const { from, to, token, token_type, token_id, amount } = row;
  const serialized = createRow({
    from,
    to,
    contractAddress: token.hash,
    tokenDecimal: token.decimals,
    // Both are empty if the service could not decode the input.
    methodId: content.signature === null ? "" : content.selector,
    functionName: content.signature,
    tokenID: token_type === "ERC-20" ? undefined : token_id,
    ...shared,
    ...(token_type !== "ERC-721" && { [token_type === "ERC-1155" ? "tokenValue" : "value"]: amount }),
  });
  // Unknown names stay null.
  return Object.assign(serialized, { tokenName: token.name, tokenSymbol: token.symbol });
}
