// Token balances of an address: for the account module, and as the REST API lists them.

import type { Chain } from "./chain.js";
import { computeFiatValue } from "./decimals.js";
import type { NftRow, Token, TokenBalanceRow, TokenHolding, TransferRow } from "./rows.js";
import type { SampleKey } from "./sample-addresses.js";
import type { Holding } from "./token-ledger.js";

/** The balance of an ERC-404 NFT: one token with 18 decimals. */
const ERC_404_NFT_BALANCE = 10n ** 18n;
/** Ids of balances exceed 32 bits. */
const FIRST_BALANCE_ID = 12_519_063_346;
const BALANCE_ID_GAP = 13;

/** The number of whole coins of priced tokens in a portfolio, by symbol: some ten thousand US dollars in total. */
const PORTFOLIO = new Map([
  ["SUSD", 18_420],
  ["WSE", 6],
  ["CRUMB", 240_000_000_000],
]);

/** The sample addresses that hold tokens. */
const HOLDERS: readonly SampleKey[] = [
  "hub",
  "quiet",
  "minter",
  "distributor",
  "hostile",
  "airdropped",
  "deep",
  "producer",
  "settlement",
  "proxy",
];
/** More than all transfers of the token together. */
const SCAM_BALANCE = 10n ** 24n;
/** What the address has to spend in new blocks. */
const DEEP_BALANCE = 10n ** 12n;

/** Makes the holdings of all sample addresses before the chain grows. The ordinary transfers are made to agree with them. */
export function makeInitialHoldings(chain: Chain): Holding[] {
  const { oversized } = chain.tokens;
  const balances = HOLDERS.map((key) => chain.accounts.sampleHashes[key]).flatMap((account) =>
    getErc20Tokens(chain, account)
      .filter((token) => token !== oversized)
      .map((token) => ({ account, token, token_id: null, amount: makeBalance(chain, account, token) })),
  );
  const nfts = chain.nfts.map(({ account, token, token_id, value }) => ({ account, token, token_id, amount: value ?? 1n }));
  return [...balances, ...nfts];
}

/** Makes the holdings of an address, ERC-20 tokens first. */
export function makeTokenHoldings(chain: Chain, account: string | undefined): TokenHolding[] {
  if (account === undefined) return [];
  const nfts = chain.nfts.filter((row) => row.account === account);
  const erc721Counts = new Map<Token, bigint>();
  for (const { token, token_type } of nfts) {
    if (token_type === "ERC-721") erc721Counts.set(token, (erc721Counts.get(token) ?? 0n) + 1n);
  }
  return [
    ...getErc20Tokens(chain, account).map((token) => ({
      token,
      id: null,
      balance: computeTokenBalance(chain, account, token, chain.addedTables.transfers),
    })),
    ...[...erc721Counts].map(([token, balance]) => ({ token, id: null, balance })),
    ...nfts
      .filter(({ token_type }) => token_type !== "ERC-721")
      .map(({ token, token_id, value }) => ({ token, id: token_id, balance: value ?? ERC_404_NFT_BALANCE })),
  ];
}

function getErc20Tokens(chain: Chain, account: string): Token[] {
  const { regular, hostile, oversized, spam, airdrops, scam, stablecoin } = chain.tokens;
  const { hub, quiet, distributor, airdropped, deep, producer, hostile: hostileAccount } = chain.accounts.sampleHashes;
  const tokensByAccount = new Map<string, readonly Token[]>([
    [hub, [...regular, ...spam]],
    [quiet, [...regular.slice(0, 3), ...spam.slice(0, 1)]],
    [distributor, [oversized]],
    [hostileAccount, hostile],
    [airdropped, [...airdrops, scam]],
    [deep, [stablecoin]],
    [producer, chain.eventfulBlock.holdings.map(({ token }) => token)],
  ]);
  // A portfolio with tokens of the highest price would not be plausible.
  const isHeld = ({ type, symbol }: Token) => type === "ERC-20" && symbol !== "DEAR";
  return (tokensByAccount.get(account) ?? []).filter(isHeld);
}

/** Computes the balance of a token after transfers in new blocks. */
export function computeTokenBalance(chain: Chain, account: string, token: Token, newTransfers: readonly TransferRow[]): bigint {
  return makeBalance(chain, account, token) + sumTransfers(account, token, newTransfers);
}

/** Computes how much of a token an address received, less what it sent. */
function sumTransfers(account: string, token: Token, transfers: readonly TransferRow[]): bigint {
  let sum = 0n;
  for (const { token: moved, from, to, amount } of transfers) {
    if (moved !== token || amount === null) continue;
    if (to === account) sum += amount;
    if (from === account) sum -= amount;
  }
  return sum;
}

function makeBalance(chain: Chain, account: string, token: Token): bigint {
  const { deep, producer } = chain.accounts.sampleHashes;
  if (account === deep) return DEEP_BALANCE;
  if (token === chain.tokens.oversized) return sumTransfers(account, token, chain.oversizedBlockTransfers);
  if (token.isScam) return SCAM_BALANCE;
  const eventful = chain.eventfulBlock.holdings.find((holding) => holding.token === token);
  if (account === producer && eventful) return eventful.amount;
  const random = chain.createRandom("holding", account, token.hash);
  const coins = PORTFOLIO.get(token.symbol ?? "");
  if (coins === undefined) return 1n + random.nextBigInt(12);
  // The quiet account has a twentieth of the portfolio of the others.
  const share = account === chain.accounts.sampleHashes.quiet ? 20n : 1n;
  const unit = 10n ** BigInt(token.decimals ?? 0);
  return (BigInt(coins) * unit * BigInt(800_000 + random.nextInt(400_000))) / (1_000_000n * share);
}

/** Makes the balances of all addresses as the REST API lists them, unsorted. */
export function makeTokenBalances(chain: Chain): TokenBalanceRow[] {
  return HOLDERS.flatMap((key, holder) => {
    const account = chain.accounts.sampleHashes[key];
    const heldNfts = chain.nfts.filter((row) => row.account === account);
    const nfts = new Map(heldNfts.map((row) => [`${row.token.hash}/${row.token_id}`, row]));
    const encrypted = chain.tokens.regular.filter((token) => token.type === "ERC-7984" && hasTransfers(chain, account, token));
    const holdings: { token: Token; id: bigint | null; balance: bigint | null }[] = [
      ...makeTokenHoldings(chain, account),
      ...encrypted.map((token) => ({ token, id: null, balance: null })),
    ];
    return holdings.map(({ token, id: token_id, balance: value }, i) => ({
      account,
      token,
      token_type: token.type,
      token_id,
      value,
      fiat_value: getFiatValue(token, value),
      id: FIRST_BALANCE_ID + BALANCE_ID_GAP * (i * HOLDERS.length + holder),
      isHidden: token.isScam,
      nft: nfts.get(`${token.hash}/${token_id}`) ?? null,
    }));
  });
}

function hasTransfers(chain: Chain, account: string, token: Token): boolean {
  return chain.getTransfersFor(account).some((row) => row.token === token && (row.from === account || row.to === account));
}

function getFiatValue({ exchange_rate, decimals }: Token, value: bigint | null): string | null {
  return exchange_rate === null || decimals === null || value === null
    ? null
    : computeFiatValue(value, Number(decimals), exchange_rate);
}

/** The NFTs of one contract that an address holds. */
export interface CollectionRow {
  readonly account: string;
  readonly token: Token;
  readonly token_type: string;
  readonly token_contract_address_hash: string;
  /** In the order of the list of NFTs. */
  readonly nfts: readonly NftRow[];
}

/** Groups the NFTs of all addresses by address and contract, unsorted. */
export function makeCollections(chain: Chain): CollectionRow[] {
  const groups = new Map<string, CollectionRow & { readonly nfts: NftRow[] }>();
  for (const nft of chain.nfts) {
    const { account, token, token_type, token_contract_address_hash } = nft;
    const key = `${account}/${token_contract_address_hash}`;
    const group = groups.get(key) ?? { account, token, token_type, token_contract_address_hash, nfts: [] };
    group.nfts.push(nft);
    groups.set(key, group);
  }
  for (const { nfts } of groups.values()) nfts.sort((a, b) => (a.token_id < b.token_id ? 1 : -1));
  return [...groups.values()];
}
