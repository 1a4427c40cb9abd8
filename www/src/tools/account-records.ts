// The record types of the account module that can be read by block range: their methods and columns.
import type { AddressClient, RangeCall, RangeOptions, Rows } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import { checksumLink } from "../table/checksum-link.js";
import type { Column, RecordKind } from "../table/columns.js";

/** A record of any type. Members that its type does not have are missing. */
export interface RangeRow {
  blockNumber: string;
  timeStamp: string | null;
  hash?: string;
  transactionHash?: string;
  from: string;
  to: string | null;
  contractAddress: string | null;
  value?: string | null;
  input?: string | null;
  methodId?: string | null;
  functionName?: string | null;
  isError?: string | null;
  errCode?: string | null;
  type?: string | null;
  callType?: string | null;
  tokenName?: string | null;
  tokenSymbol?: string | null;
  tokenDecimal?: string | null;
  tokenID?: string | null;
  tokenValue?: string | null;
}

export interface RangeParams {
  address: string;
  sort: "asc" | "desc";
  startblock?: number;
  endblock?: number;
}

export interface RangeMethod {
  (params: RangeParams & { page: number; offset: number }, options: { signal: AbortSignal }): Promise<Rows<RangeRow>>;
  all(params: RangeParams, options: RangeOptions): RangeCall<RangeRow>;
}

export interface RecordType {
  label: string;
  kind: RecordKind<RangeRow>;
  method: (client: AddressClient) => RangeMethod;
}

function toIso(seconds: string | null): string | null {
  const milliseconds = seconds === null ? Number.NaN : Number(seconds) * 1000;
  // Outside of this range, a Date is invalid.
  return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : null;
}

const failure = ({ isError, errCode }: RangeRow) => (isError === "1" ? cells.badge(errCode || "failed", "bad") : nothing);

const base: readonly Column<RangeRow>[] = [
  { title: "Time", width: "s", cell: (row, context) => cells.time(toIso(row.timeStamp), context) },
  { title: "Block", width: "s", cell: (row, context) => cells.block(row.blockNumber, context) },
  {
    title: "Transaction",
    width: "m",
    cell: (row, context) => cells.transaction(row.hash ?? row.transactionHash ?? null, context),
  },
];

const parties: readonly Column<RangeRow>[] = [
  { title: "Direction", width: "s", cell: ({ from, to }, context) => cells.direction(from, to ?? undefined, context) },
  { title: "From", width: "m", cell: (row, context) => checksumLink(row.from, context) },
];

const to: Column<RangeRow> = { title: "To", width: "m", cell: (row, context) => checksumLink(row.to, context) };

/** A record without a receiver creates a contract. */
const toOrCreated: Column<RangeRow> = {
  title: "To",
  width: "m",
  cell: (row, context) =>
    row.to === null
      ? html`<span class="lines">${cells.badge("Contract creation", "accent")}${row.contractAddress ? checksumLink(row.contractAddress, context) : nothing}</span>`
      : checksumLink(row.to, context),
};

const value: Column<RangeRow> = {
  title: "Value",
  width: "m",
  align: "end",
  cell: (row, context) => cells.coins(row.value ?? null, context),
};

/** The function name if the service could decode it, otherwise the selector. A plain transfer has neither. */
const method: Column<RangeRow> = {
  title: "Method",
  width: "m",
  cell: (row) => {
    const name = row.functionName ? row.functionName.split("(")[0] : row.methodId;
    const withoutName = row.input === "0x" ? cells.badge("transfer") : cells.none("No method");
    return html`<span class="line">${name ? cells.badge(name) : withoutName}${failure(row)}</span>`;
  },
};

const callType: Column<RangeRow> = {
  title: "Type",
  width: "m",
  cell: (row) => html`<span class="line">${cells.badge(row.callType || row.type || "call")}${failure(row)}</span>`,
};

const token: Column<RangeRow> = {
  title: "Token",
  width: "l",
  cell: ({ tokenName, tokenSymbol, contractAddress }, context) => html`<span class="lines">
    <span class="line">${cells.text(tokenName || tokenSymbol || "Unnamed token", "name")}${tokenName && tokenSymbol ? cells.text(tokenSymbol, "symbol") : nothing}</span>
    ${contractAddress === null ? nothing : checksumLink(contractAddress, context)}
  </span>`,
};

const amount: Column<RangeRow> = {
  title: "Amount",
  width: "m",
  align: "end",
  cell: (row) => {
    const total = {
      token_id: row.tokenID ?? null,
      value: row.tokenValue ?? row.value ?? null,
      decimals: row.tokenDecimal ?? null,
    };
    return cells.transferTotal(total as Parameters<typeof cells.transferTotal>[0], row.tokenSymbol ?? null);
  },
};

const createKind = (noun: string, columns: readonly Column<RangeRow>[], fields: readonly (keyof RangeRow & string)[]) => ({
  noun,
  columns: [...base, ...columns],
  csv: { CSV: ["timeStamp", "blockNumber", ...fields, "from", "to", "contractAddress"] as const },
});

const transfers = (noun: string) =>
  createKind(
    noun,
    [method, ...parties, to, token, amount],
    ["hash", "tokenName", "tokenSymbol", "tokenDecimal", "tokenID", "tokenValue", "value"],
  );

/** The types by their id in the URL. The first one is the default. */
export const RECORD_TYPES: Readonly<Record<string, RecordType>> = {
  "": {
    label: "Transactions",
    kind: createKind("transaction", [method, ...parties, toOrCreated, value], ["hash", "value", "isError"]),
    method: (client) => client.account.txList,
  },
  internal: {
    label: "Internal transactions",
    kind: createKind(
      "internal transaction",
      [callType, ...parties, toOrCreated, value],
      ["transactionHash", "type", "value", "isError"],
    ),
    method: (client) => client.account.txListInternal,
  },
  "erc-20": { label: "ERC-20 transfers", kind: transfers("transfer"), method: (client) => client.account.tokenTx },
  "erc-721": { label: "ERC-721 transfers", kind: transfers("transfer"), method: (client) => client.account.tokenNftTx },
  "erc-1155": { label: "ERC-1155 transfers", kind: transfers("transfer"), method: (client) => client.account.token1155Tx },
  "erc-404": { label: "ERC-404 transfers", kind: transfers("transfer"), method: (client) => client.account.token404Tx },
};
