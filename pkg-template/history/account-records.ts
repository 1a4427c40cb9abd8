// Creates the drafts of the rows of the account interface.
import type {
  AccountInternalTransaction,
  AccountTransaction,
  Erc1155Transfer,
  Erc20Transfer,
  Erc404Transfer,
  Erc721Transfer,
} from "../public.js";
import { addRecipient, createDraft, type Draft, toAmount, toMovedAmount, toTokenFields } from "./draft.js";

export function draftTransaction(row: AccountTransaction, address: string): Draft | null {
  const { to, contractAddress, methodId } = row;
  const draft = createDraft("transaction", address, row, row.transactionIndex, {
    to: to ?? contractAddress,
    amount: toAmount(row.value),
    fee: getFee(row),
    success: isSuccess(row),
    method: methodId === "0x" ? null : methodId,
  });
  return addRecipient(draft, to, row.input);
}

/** Returns the fee. On a rollup, it adds the fee for data on the parent chain where the service states it. */
function getFee({ gasUsed, gasPrice, L1FeesPaid }: AccountTransaction): string | null {
  const [used, price] = [toAmount(gasUsed), toAmount(gasPrice)];
  return used === null || price === null ? null : String(BigInt(used) * BigInt(price) + BigInt(L1FeesPaid ?? 0));
}

export function draftInternalTransaction(row: AccountInternalTransaction, address: string): Draft | null {
  return createDraft("internal_transaction", address, row, row.index ?? 0, {
    to: row.to ?? row.contractAddress,
    // The type of every call is `call`.
    amount: toMovedAmount(row.callType || row.type, row.value),
    success: isSuccess(row),
  });
}

function isSuccess({ isError }: AccountTransaction | AccountInternalTransaction): boolean | null {
  return isError === null ? null : isError === "0";
}

export type TransferRow = Erc20Transfer | Erc721Transfer | Erc1155Transfer | Erc404Transfer;

export function draftTransfer(row: TransferRow, address: string, standard: string): Draft | null {
  const { contractAddress, tokenName: name, tokenSymbol: symbol, tokenDecimal: decimals, functionName, methodId } = row;
  const {
    tokenID: token_id = null,
    value,
    tokenValue = value,
  }: { tokenID?: string | null; value?: string | null; tokenValue?: string | null } = row;
  // The rows are in the order of their logs.
  return createDraft("token_transfer", address, row, 0, {
    ...toTokenFields({ standard, name, symbol, decimals, token_id }, contractAddress, tokenValue),
    method: functionName?.replace(/\(.*/s, "") || (methodId === null ? null : `0x${methodId}`),
  });
}
