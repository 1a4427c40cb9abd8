// The demo page's tabs: their names in its address, and their titles.
export const TABS = {
  "token-transfers": "Token transfers",
  "internal-transactions": "Internal transactions",
  logs: "Logs",
  nfts: "NFTs",
  "balance-history": "Balance history",
  withdrawals: "Withdrawals",
  "all-token-transfers": "All token transfers",
  "all-addresses": "All addresses",
};
