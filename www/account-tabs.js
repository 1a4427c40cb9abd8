// The tabs of the account section: balances, token holdings and transaction history.
// They are declared like the tabs in rest-lists.js, but each has a view of its own (`openView`).
// Two more properties exist: `addressListFilter` names the filter that can replace the address, and `addressLinkTab`
// is the ID of the tab that address links open.
import { openBalances } from "./balances-view.js";
import { getSampleAddresses } from "./data-source.js";
import { el } from "./dom.js";
import { recordTypes } from "./record-types.js";
import {
  renderAddress,
  renderAmount,
  renderBadge,
  renderNativeAmount,
  renderPlaceholder,
  renderToken,
  renderTokenId,
} from "./table-cells.js";
import { openTokenHoldings } from "./token-holdings-view.js";
import { openTransactionHistory } from "./transaction-history-view.js";

const MAX_BLOCK = 2 ** 31 - 1;
const isBlockNumber = (string) => /^\d{1,10}$/.test(string) && Number(string) <= MAX_BLOCK;
const blockFilter = (name, label) => ({ name, label, kind: "text", hint: "a block number", isValid: isBlockNumber });

/** Renders whether a balance is stale. After a refresh, also renders by how much the balance changed. */
function renderBalanceStatus({ balance, stale, previousBalance, isRefreshed }) {
  if (isRefreshed && stale) return renderBadge("still stale", "warn");
  if (stale) return renderBadge(balance === null ? "pending" : "stale", "warn");
  if (stale === null) return renderPlaceholder("The service does not report whether this balance is stale");
  if (!isRefreshed) return renderBadge("up to date", "good");
  const isKnown = previousBalance !== null && balance !== null;
  const change = isKnown ? BigInt(balance) - BigInt(previousBalance) : 0n;
  const changeNode = change === 0n ? null : renderNativeAmount(String(change), { hasSign: true });
  return el("span", { class: "inline-row wrap" }, renderBadge("updated", "good"), changeNode);
}

export const accountTabs = [
  {
    id: "balances",
    label: "Balances",
    requiresAddress: true,
    addressListFilter: "addresses",
    addressLinkTab: "history",
    openView: openBalances,
    filters: [
      {
        name: "addresses",
        kind: "address-list",
        label: "Addresses, one per line",
        hint: "Paste addresses, or leave empty to use the address above",
        submitLabel: "Get balances",
        sampleLabel: "Use all sample addresses",
        getSample: () =>
          getSampleAddresses()
            .map(({ hash }) => hash)
            .join("\n"),
      },
    ],
    columns: [
      { title: "Address", render: (row, context) => renderAddress({ hash: row.account }, context) },
      {
        title: "Balance",
        align: "end",
        render: ({ balance }) => (balance === null ? renderPlaceholder("Not known yet") : renderNativeAmount(balance)),
      },
      { title: "Status", render: renderBalanceStatus },
    ],
  },
  {
    id: "tokens",
    label: "Token holdings",
    requiresAddress: true,
    openView: openTokenHoldings,
    filters: [],
    columns: [
      {
        title: "Token",
        render: ({ name, symbol, type, contractAddress }, context) =>
          renderToken({ name, symbol, type, address_hash: contractAddress }, context),
      },
      { title: "Token ID", render: ({ id }) => (id === null ? renderPlaceholder() : renderTokenId(id)) },
      { title: "Balance", align: "end", render: ({ balance, decimals }) => renderAmount(balance, decimals, null) },
    ],
  },
  {
    id: "history",
    label: "Transaction history",
    requiresAddress: true,
    openView: openTransactionHistory,
    filters: [
      { name: "type", kind: "select", label: "Type", options: recordTypes.map(({ id, label }) => [id, label]) },
      {
        name: "order",
        kind: "select",
        label: "Sort by",
        options: [
          ["", "Newest first"],
          ["asc", "Oldest first"],
        ],
      },
      blockFilter("from-block", "From block"),
      blockFilter("to-block", "To block"),
    ],
    columns: recordTypes[0].columns,
  },
];
