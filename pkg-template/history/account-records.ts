// Creates the drafts of the rows of the account interface.
import type {
  AccountInternalTransaction,
  AccountTransaction,
  Erc1155Transfer,
  Erc20Transfer,
  Erc404Transfer,
  Erc721Transfer,
} from "../records.js";
import { createEvent, type Draft, getRecipient, NATIVE, toAmount, toLower, toMovedAmount } from "./draft.js";

export function draftTransaction(row: AccountTransaction, address: string): Draft {
  const isSender = toLower(row.from) === address;
  const event = createEvent("transaction", address, row, {
    block_number: Number(row.blockNumber),
    timestamp: toIsoTime(row.timeStamp),
    transaction_hash: row.hash,
    from: row.from,
    to: row.to ?? row.contractAddress,
    asset: NATIVE,
    amount: toAmount(row.value),
    fee: isSender ? getFee(row) : null,
    success: row.isError === null ? null : row.isError === "0",
    method: row.methodId === "0x" ? null : row.methodId,
  });
  const index = row.transactionIndex === null ? Number.POSITIVE_INFINITY : Number(row.transactionIndex);
  return { event, index, recipient: isSender ? getRecipient(row.to, row.input) : null };
}

function getFee({ gasUsed, gasPrice }: AccountTransaction): string | null {
  const [used, price] = [toAmount(gasUsed), toAmount(gasPrice)];
  return used === null || price === null ? null : String(BigInt(used) * BigInt(price));
}

export function draftInternalTransaction(row: AccountInternalTransaction, address: string): Draft {
  const event = createEvent("internal_transaction", address, row, {
    block_number: Number(row.blockNumber),
    timestamp: toIsoTime(row.timeStamp),
    transaction_hash: row.transactionHash,
    from: row.from,
    to: row.to ?? row.contractAddress,
    asset: NATIVE,
    // The type of every call is `call`.
    amount: toMovedAmount(row.callType || row.type, row.value),
    success: row.isError === null ? null : row.isError === "0",
  });
  return { event, index: Number(row.index) };
}

export type TransferRow = Erc20Transfer | Erc721Transfer | Erc1155Transfer | Erc404Transfer;

/** Returns a function that creates the draft of a transfer of this token standard. */
export function createTransferDrafter(standard: string): (row: TransferRow, address: string) => Draft {
  return (row, address) => {
    const {
      tokenID = null,
      value,
      tokenValue,
    }: { tokenID?: string | null; value?: string | null; tokenValue?: string | null } = row;
    const event = createEvent("token_transfer", address, row, {
      block_number: Number(row.blockNumber),
      timestamp: toIsoTime(row.timeStamp),
      transaction_hash: row.hash,
      from: row.from,
      to: row.to,
      asset: {
        type: "token",
        standard,
        contract: toLower(row.contractAddress),
        name: row.tokenName,
        symbol: row.tokenSymbol,
        decimals: row.tokenDecimal,
        token_id: tokenID,
      },
      // A single NFT has an id and no amount.
      amount: toAmount(value ?? tokenValue) ?? (tokenID !== null && standard !== "ERC-1155" ? "1" : null),
      method: row.functionName?.replace(/\(.*/s, "") || (row.methodId === null ? null : `0x${row.methodId}`),
    });
    // The rows are in the order of their logs.
    return { event, index: 0 };
  };
}

/** Converts Unix seconds. Returns null for a time that a `Date` cannot represent. */
function toIsoTime(seconds: string | null): string | null {
  const date = new Date(Number(seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/\.\d+Z$/, "Z");
}
