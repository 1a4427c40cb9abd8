// The list tabs of the demo page: their ids, which the URL contains, and their labels.
export const ADDRESS_TABS = {
  transactions: "Transactions",
  "token-transfers": "Token transfers",
  "internal-transactions": "Internal transactions",
  "balance-history": "Balance history",
  logs: "Logs",
  withdrawals: "Withdrawals",
  "blocks-validated": "Blocks validated",
};

/** Lists of the whole chain, on the start page. */
export const CHAIN_TABS = {
  "top-addresses": "Top addresses",
  "all-token-transfers": "All token transfers",
};
