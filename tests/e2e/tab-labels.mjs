// The tabs of the REST API section: their IDs, which the URL contains, and their labels.
export const TAB_LABELS = {
  "token-transfers": "Token transfers",
  "internal-transactions": "Internal transactions",
  logs: "Logs",
  nfts: "NFTs",
  "balance-history": "Balance history",
  withdrawals: "Withdrawals",
  "all-token-transfers": "All token transfers",
  "all-addresses": "All addresses",
};
