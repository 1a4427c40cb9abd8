// What an address holds of every token, as the token list of the account module tells it.

const NFT_VALUE = 10n ** 18n;

/** Tokens and balances of an address, fungible ones first; `id` is null where a token has no items or counts them. */
export function holdingsOf(chain, account) {
  const { fair, hostile, crowded } = chain.tokens;
  const { hub, quiet, distributor, hostile: hostileAccount } = chain.accounts.sample;
  const fungible = new Map([
    [hub, fair],
    [quiet, fair.slice(0, 3)],
    [distributor, [crowded]],
    [hostileAccount, hostile],
  ]);
  const tokens = (fungible.get(account) ?? []).filter(({ type }) => type === "ERC-20");
  const coins = tokens.map((token) => ({ token, id: null, balance: 1n + chain.random("holding", account, token.hash).big(12) }));

  const items = chain.nfts.filter((row) => row.account === account);
  const counts = new Map();
  for (const { token, token_type } of items) {
    if (token_type === "ERC-721") counts.set(token, (counts.get(token) ?? 0n) + 1n);
  }
  return [
    ...coins,
    ...[...counts].map(([token, balance]) => ({ token, id: null, balance })),
    ...items
      .filter(({ token_type }) => token_type !== "ERC-721")
      .map(({ token, token_id, value }) => ({ token, id: token_id, balance: value ?? NFT_VALUE })),
  ];
}
