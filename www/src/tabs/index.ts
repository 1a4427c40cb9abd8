// The tabs of an address, in their order. To add a list, add a declaration.
import { balanceHistoryTab } from "./balance-history.js";
import { nftTab } from "./nfts.js";
import { isAddress, isHash } from "../format/text.js";
import { addresses } from "../records/address.js";
import { blocks } from "../records/block.js";
import { internalTransactions } from "../records/internal-transaction.js";
import { logs } from "../records/log.js";
import { allTokenTransfers, tokenTransfers } from "../records/token-transfer.js";
import { transactions } from "../records/transaction.js";
import { withdrawals } from "../records/withdrawal.js";
import { tokenTab } from "./tokens.js";
import { directionFilter, TOKEN_TYPES, tokenTypeFilter } from "../lists/filters.js";
import { elementTab, listTab, type Tab } from "./tab.js";

const ORDERS = [
  ["", "Newest first"],
  ["block_number-asc", "Oldest first"],
  ["value-desc", "Value, highest first"],
  ["value-asc", "Value, lowest first"],
  ["fee-desc", "Fee, highest first"],
  ["fee-asc", "Fee, lowest first"],
] as const;

const TOP_ORDERS = [
  ["", "Balance, highest first"],
  ["balance-asc", "Balance, lowest first"],
  ["transactions_count-desc", "Transactions, most first"],
  ["transactions_count-asc", "Transactions, fewest first"],
] as const;

/** `meta.status` of a page whose internal transactions are not all indexed yet. */
const STATUS_PROCESSING = 2;

/** The service ignores `sort` and `order` unless both are present. */
const toSort = (value: string) => {
  const [sort, order] = value.split("-");
  return { sort, order };
};

/** The tools that read the account module. */
const toolsTab = elementTab("tools", "Account tools", () => import("../tools/tools-tab.js"));

/** The first tab is the default. */
export const addressTabs: readonly Tab[] = [
  elementTab("overview", "Overview", () => import("../overview/overview-tab.js")),
  elementTab("history", "History", () => import("../history/history-tab.js")),
  listTab({
    id: "transactions",
    label: "Transactions",
    count: (counters) => counters.transactions_count,
    records: transactions,
    filters: [directionFilter, { name: "sort", label: "Order", options: ORDERS, toParameters: toSort }],
    read: (client, address_hash, filters, options) => client.addressTransactions({ address_hash, ...filters }, options),
  }),
  listTab({
    id: "token-transfers",
    label: "Token transfers",
    count: (counters) => counters.token_transfers_count,
    records: tokenTransfers,
    filters: [
      tokenTypeFilter(TOKEN_TYPES),
      directionFilter,
      { name: "token", label: "Token contract", hint: "0x followed by 40 hex digits", isValid: isAddress },
    ],
    read: (client, address_hash, filters, options) => client.addressTokenTransfers({ address_hash, ...filters }, options),
  }),
  tokenTab,
  nftTab,
  listTab({
    id: "internal-transactions",
    label: "Internal transactions",
    count: (counters) => counters.internal_transactions_count,
    records: internalTransactions,
    filters: [directionFilter],
    read: (client, address_hash, filters, options) => client.addressInternalTransactions({ address_hash, ...filters }, options),
    note: ({ meta }: { meta?: { status: number | null } | null }) =>
      meta?.status === STATUS_PROCESSING ? "This list is incomplete: the service is still processing blocks." : null,
  }),
  balanceHistoryTab,
  listTab({
    id: "logs",
    label: "Logs",
    count: (counters) => counters.logs_count,
    records: logs,
    filters: [{ name: "topic", label: "Topic", hint: "0x followed by 64 hex digits", isValid: isHash }],
    read: (client, address_hash, filters, options) => client.addressLogs({ address_hash, ...filters }, options),
  }),
  listTab({
    id: "withdrawals",
    label: "Withdrawals",
    count: (counters) => counters.withdrawals_count,
    records: withdrawals,
    read: (client, address_hash, _filters, options) => client.addressWithdrawals({ address_hash }, options),
  }),
  listTab({
    id: "blocks-validated",
    label: "Blocks validated",
    count: (counters) => counters.validations_count,
    records: blocks,
    read: (client, address_hash, _filters, options) => client.addressBlocksValidated({ address_hash }, options),
  }),
  elementTab("approvals", "Approvals", () => import("../approvals/approvals-tab.js")),
  elementTab("contract", "Contract", () => import("../contract/contract-tab.js")),
  toolsTab,
];

/** The tabs of the start page: addresses to begin with, and lists of the whole chain. */
export const chainTabs: readonly Tab[] = [
  elementTab("start", "Start", () => import("../start/start-tab.js")),
  listTab({
    id: "top-addresses",
    label: "Top addresses",
    records: addresses,
    filters: [{ name: "sort", label: "Order", options: TOP_ORDERS, toParameters: toSort }],
    read: (client, _address, filters, options) => client.addresses(filters, options),
  }),
  listTab({
    id: "all-token-transfers",
    label: "All token transfers",
    records: allTokenTransfers,
    filters: [tokenTypeFilter(TOKEN_TYPES)],
    read: (client, _address, filters, options) => client.tokenTransfers(filters, options),
  }),
  toolsTab,
];
