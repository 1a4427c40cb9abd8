// The six record types of the transaction history: for each, the client method that reads it and its table columns.
import { el } from "./dom.js";
import { sanitizeText } from "./format.js";
import {
  renderAddress,
  renderAgeOfUnixTime,
  renderBadge,
  renderDirection,
  renderHash,
  renderNativeAmount,
  renderNumber,
  renderPlaceholder,
  renderToken,
  renderTransferAmount,
} from "./table-cells.js";

const ageColumn = { title: "Age", render: (row) => renderAgeOfUnixTime(row.timeStamp) };
const blockColumn = { title: "Block", render: (row) => renderNumber(row.blockNumber) };
const hashColumn = {
  title: "Transaction",
  render: (row) => renderHash(row.hash ?? row.transactionHash, "transaction hash"),
};
const directionColumn = {
  title: "Direction",
  render: ({ from, to }, { address }) => renderDirection(from, to, address),
};
const fromColumn = { title: "From", render: ({ from }, context) => renderAddressHash(from, context) };
const toColumn = { title: "To", render: ({ to }, context) => renderAddressHash(to, context) };
const valueColumn = { title: "Value", align: "end", render: (row) => renderNativeAmount(row.value) };

function renderAddressHash(hash, context) {
  return hash === null ? renderPlaceholder("Unknown address") : renderAddress({ hash }, context);
}

/** A record without a receiver creates a contract. */
const toOrCreatedContractColumn = {
  title: "To",
  render: ({ to, contractAddress }, context) => {
    if (to !== null) return renderAddress({ hash: to }, context);
    const contract = contractAddress === null ? null : renderAddress({ hash: contractAddress }, context);
    return el("span", { class: "stack" }, renderBadge("Contract creation", "accent"), contract);
  },
};

function renderFailure({ isError, errCode }) {
  return isError === "1" ? renderBadge(errCode || "Failed", "bad") : null;
}

const callTypeColumn = {
  title: "Type",
  render: (row) => el("span", { class: "stack" }, renderBadge(row.callType || row.type || "call"), renderFailure(row)),
};
const methodColumn = {
  title: "Method",
  // The function name if the service could decode it, otherwise the selector. A plain transfer has neither.
  render: (row) => {
    const name = row.functionName ? row.functionName.split("(")[0] : row.methodId;
    const withoutName = row.input === "0x" ? renderBadge("Transfer") : renderPlaceholder("No method");
    return el("span", { class: "stack" }, name ? renderBadge(name) : withoutName, renderFailure(row));
  },
};

const tokenColumn = {
  title: "Token",
  render: ({ tokenName, tokenSymbol, contractAddress }, context) =>
    renderToken({ name: tokenName, symbol: tokenSymbol, type: null, address_hash: contractAddress }, context),
};
const amountColumn = {
  title: "Amount",
  align: "end",
  render: (row) =>
    renderTransferAmount({
      total: {
        token_id: row.tokenID ?? null,
        value: row.tokenValue ?? row.value ?? null,
        decimals: row.tokenDecimal,
      },
      token: { symbol: row.tokenSymbol === null ? null : sanitizeText(row.tokenSymbol, 40) },
    }),
};

const transferColumns = [
  ageColumn,
  blockColumn,
  hashColumn,
  methodColumn,
  directionColumn,
  fromColumn,
  toColumn,
  tokenColumn,
  amountColumn,
];

// The first is the default, which the URL omits: its ID is empty.
export const recordTypes = [
  {
    id: "",
    label: "Transactions",
    clientMethod: "txList",
    columns: [
      ageColumn,
      blockColumn,
      hashColumn,
      methodColumn,
      directionColumn,
      fromColumn,
      toOrCreatedContractColumn,
      valueColumn,
    ],
  },
  {
    id: "internal",
    label: "Internal transactions",
    clientMethod: "txListInternal",
    columns: [
      ageColumn,
      blockColumn,
      hashColumn,
      callTypeColumn,
      directionColumn,
      fromColumn,
      toOrCreatedContractColumn,
      valueColumn,
    ],
  },
  { id: "erc-20", label: "ERC-20 transfers", clientMethod: "tokenTx", columns: transferColumns },
  { id: "erc-721", label: "ERC-721 transfers", clientMethod: "tokenNftTx", columns: transferColumns },
  { id: "erc-1155", label: "ERC-1155 transfers", clientMethod: "token1155Tx", columns: transferColumns },
  { id: "erc-404", label: "ERC-404 transfers", clientMethod: "token404Tx", columns: transferColumns },
];

/** Falls back to the default for an unknown ID. */
export const findRecordType = (id) => recordTypes.find((recordType) => recordType.id === id) ?? recordTypes[0];
