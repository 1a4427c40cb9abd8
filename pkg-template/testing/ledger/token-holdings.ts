// Token balances of an address, for the `tokenlist` and `tokenbalance` actions of the account module.

import type { Chain } from "./chain.js";
import type { Token, TokenHolding } from "./rows.js";

/** The balance of an ERC-404 NFT: one token with 18 decimals. */
const ERC_404_NFT_BALANCE = 10n ** 18n;

/** Makes the holdings of an address, ERC-20 tokens first. */
export function makeTokenHoldings(chain: Chain, account: string | undefined): TokenHolding[] {
  const { regular, hostile, oversized } = chain.tokens;
  const { hub, quiet, distributor, hostile: hostileAccount } = chain.accounts.sampleHashes;
  if (account === undefined) return [];
  const tokensByAccount = new Map<string, readonly Token[]>([
    [hub, regular],
    [quiet, regular.slice(0, 3)],
    [distributor, [oversized]],
    [hostileAccount, hostile],
  ]);
  const erc20Tokens = (tokensByAccount.get(account) ?? []).filter(({ type }) => type === "ERC-20");
  const nfts = chain.nfts.filter((row) => row.account === account);
  const erc721Counts = new Map<Token, bigint>();
  for (const { token, token_type } of nfts) {
    if (token_type === "ERC-721") erc721Counts.set(token, (erc721Counts.get(token) ?? 0n) + 1n);
  }
  return [
    ...erc20Tokens.map((token) => ({
      token,
      id: null,
      balance: 1n + chain.createRandom("holding", account, token.hash).nextBigInt(12),
    })),
    ...[...erc721Counts].map(([token, balance]) => ({ token, id: null, balance })),
    ...nfts
      .filter(({ token_type }) => token_type !== "ERC-721")
      .map(({ token, token_id, value }) => ({ token, id: token_id, balance: value ?? ERC_404_NFT_BALANCE })),
  ];
}
