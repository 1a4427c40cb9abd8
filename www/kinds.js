// The six kinds of records that can be read past 10,000, each declared once: the action that reads it and its columns.
import * as cells from "./cells.js";
import { el } from "./dom.js";
import { visibleText } from "./format.js";

const party = (title, pick) => ({
  title,
  cell: (row, context) => {
    const hash = pick(row);
    return hash === null ? cells.none("unknown") : cells.address({ hash }, context);
  },
});

const age = { title: "Age", cell: (row) => cells.timeOfSeconds(row.timeStamp) };
const block = { title: "Block", cell: (row) => cells.number(row.blockNumber) };
const transaction = {
  title: "Transaction",
  cell: (row) => cells.hash(row.hash ?? row.transactionHash, "transaction hash"),
};
const way = { title: "In/out", cell: ({ from, to }, { address }) => cells.way(from, to, address) };
const from = party("From", (row) => row.from);
const to = party("To", (row) => row.to);
const value = { title: "Value", align: "end", cell: (row) => cells.native(row.value) };

/** A null receiver means that the record creates a contract. */
const target = {
  title: "To",
  cell: ({ to, contractAddress }, context) => {
    if (to !== null) return cells.address({ hash: to }, context);
    const created = contractAddress === null ? null : cells.address({ hash: contractAddress }, context);
    return el("span", { class: "stack" }, cells.badge("creates a contract", "accent"), created);
  },
};

const failed = ({ isError, errCode }) => (isError === "1" ? cells.badge(errCode || "failed", "bad") : null);

const call = {
  title: "Call",
  cell: (row) => el("span", { class: "stack" }, cells.badge(row.callType || row.type || "call"), failed(row)),
};
const method = {
  title: "Method",
  cell: (row) => {
    // The name where the service could decode it, else the selector; neither for a plain payment.
    const name = row.functionName ? row.functionName.split("(")[0] : row.methodId;
    const plain = row.input === "0x" ? cells.badge("payment") : cells.none("no method");
    return el("span", { class: "stack" }, name ? cells.badge(name) : plain, failed(row));
  },
};

const token = {
  title: "Token",
  cell: ({ tokenName, tokenSymbol, contractAddress }, context) =>
    cells.token({ name: tokenName, symbol: tokenSymbol, type: null, address_hash: contractAddress }, context),
};
const amount = {
  title: "Amount",
  align: "end",
  cell: (row) =>
    cells.transferTotal({
      total: {
        token_id: row.tokenID ?? null,
        value: row.tokenValue ?? row.value ?? null,
        decimals: row.tokenDecimal,
      },
      token: { symbol: row.tokenSymbol === null ? null : visibleText(row.tokenSymbol, 40) },
    }),
};

const transfers = (id, label, action) => ({
  id,
  label,
  action,
  columns: [age, block, transaction, method, way, from, to, token, amount],
});

// The first is the default, and so has no name in the URL.
export const kinds = [
  {
    id: "",
    label: "Transactions",
    action: "txList",
    columns: [age, block, transaction, method, way, from, target, value],
  },
  {
    id: "internal",
    label: "Internal transactions",
    action: "txListInternal",
    columns: [age, block, transaction, call, way, from, target, value],
  },
  transfers("erc-20", "ERC-20 transfers", "tokenTx"),
  transfers("erc-721", "ERC-721 transfers", "tokenNftTx"),
  transfers("erc-1155", "ERC-1155 transfers", "token1155Tx"),
  transfers("erc-404", "ERC-404 transfers", "token404Tx"),
];

export const kindById = (id) => kinds.find((kind) => kind.id === id) ?? kinds[0];
