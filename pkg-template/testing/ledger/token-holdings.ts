// Token balances of an address: for the account module, and as the REST API lists them.

import type { NftRow } from "./nfts.js";
import { groupBy, type Lazy } from "../maps.js";
import type { LedgerContext } from "./context.js";
import type { Token, TransferRow } from "./rows.js";
import { type SampleKey, SCRIPTED_KEYS } from "./sample-addresses.js";
import type { ScriptRows } from "./script-stage.js";
import type { AccountTables, Table } from "./table.js";
import type { Holding } from "./token-ledger.js";
import type { Tokens } from "./tokens.js";

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

/** The fungible tokens of the sample addresses without a script that hold tokens. */
const HELD_TOKENS: Partial<Record<SampleKey, (tokens: Tokens, received: readonly Holding[]) => readonly Token[]>> = {
  hub: ({ regular, spam }) => [...regular, ...spam],
  quiet: ({ regular, spam }) => [...regular.slice(0, 3), ...spam.slice(0, 1)],
  minter: () => [],
  distributor: ({ oversized }) => [oversized],
  hostile: ({ hostile }) => hostile,
  airdropped: ({ airdrops, scam }) => [...airdrops, scam],
  deep: ({ stablecoin }) => [stablecoin],
  producer: (_, received) => received.map(({ token }) => token),
  settlement: () => [],
  proxy: () => [],
};
const HOLDERS = [...(Object.keys(HELD_TOKENS) as SampleKey[]), ...SCRIPTED_KEYS];
/** More than all transfers of the token together. */
const SCAM_BALANCE = 10n ** 24n;
/** The amount that the address can spend in new blocks. */
export const DEEP_BALANCE = 10n ** 12n;

/** Makes the holdings of the sample addresses without a script before the chain grows. The ordinary transfers are adjusted to them. */
export function makeInitialHoldings(context: LedgerContext, nfts: readonly NftRow[], received: readonly Holding[]): Holding[] {
  const balances = HOLDERS.flatMap((key) => {
    const account = context.accounts.sampleHashes[key];
    const tokens = getErc20Tokens(context, key, received).filter((token) => token !== context.tokens.oversized);
    return tokens.map((token) => ({ account, token, token_id: null, amount: makeBalance(context, key, token, received) }));
  });
  return [...balances, ...nfts.map(({ account, token, token_id, value }) => ({ account, token, token_id, amount: value ?? 1n }))];
}

interface Sources {
  readonly oversizedTransfers: Table<TransferRow>;
  readonly eventfulBlock: Lazy<{ readonly holdings: readonly Holding[] }>;
  readonly script: Lazy<ScriptRows>;
  readonly newRows: { readonly transfers: readonly TransferRow[] };
  getTablesFor(account: string): AccountTables;
}

/** The balance of one token, or of one token id. `id` is null for tokens with one balance for all their items. */
type TokenHolding = { readonly token: Token; readonly id: bigint | null; readonly balance: bigint };

/** Makes the current holdings of an address, ERC-20 tokens first. */
export function makeTokenHoldings(context: LedgerContext, sources: Sources, account: string): TokenHolding[] {
  const { oversizedTransfers, newRows, script, getTablesFor } = sources;
  const key = HOLDERS.find((key) => context.accounts.sampleHashes[key] === account);
  if (key === undefined) return [];
  const received = key === "producer" ? sources.eventfulBlock.value.holdings : [];
  const computeBalance = (token: Token) =>
    token === context.tokens.oversized
      ? sumTransfers(account, token, oversizedTransfers.initial)
      : makeBalance(context, key, token, received) + sumTransfers(account, token, newRows.transfers);
  const nfts = getTablesFor(account).nfts.rows.filter((row) => row.account === account);
  const erc721s = nfts.filter(({ token_type }) => token_type === "ERC-721");
  const others = nfts.filter(({ token_type }) => token_type !== "ERC-721");
  return [
    ...(key in HELD_TOKENS ? [] : (script.value.holdings.get(account) ?? [])),
    ...getErc20Tokens(context, key, received).map((token) => ({ token, id: null, balance: computeBalance(token) })),
    ...[...groupBy(erc721s, ({ token }) => token)].map(([token, { length }]) => ({ token, id: null, balance: BigInt(length) })),
    ...others.map(({ token, token_id, value }) => ({ token, id: token_id, balance: value ?? ERC_404_NFT_BALANCE })),
  ];
}

/** A portfolio with tokens of the highest price would not be plausible. */
const getErc20Tokens = ({ tokens }: LedgerContext, key: SampleKey, received: readonly Holding[]) =>
  (HELD_TOKENS[key]?.(tokens, received) ?? []).filter(({ type, symbol }) => type === "ERC-20" && symbol !== "DEAR");

/** Computes how much of a token an address received, less what it sent. */
export function sumTransfers(account: string, token: Token, transfers: readonly TransferRow[]): bigint {
  let sum = 0n;
  for (const { token: moved, from, to, amount } of transfers) {
    if (moved !== token || amount === null) continue;
    if (to === account) sum += amount;
    if (from === account) sum -= amount;
  }
  return sum;
}

/** Makes the balance of a token before the chain grows. The balance of the oversized token results from its transfers. */
function makeBalance(context: LedgerContext, key: SampleKey, token: Token, received: readonly Holding[]): bigint {
  if (key === "deep") return DEEP_BALANCE;
  if (token.isScam) return SCAM_BALANCE;
  const holding = received.find((holding) => holding.token === token);
  if (key === "producer" && holding) return holding.amount;
  const random = context.createRandom("holding", context.accounts.sampleHashes[key], token.hash);
  const coins = PORTFOLIO.get(token.symbol ?? "");
  if (coins === undefined) return 1n + random.nextBigInt(12);
  // The quiet account has a twentieth of the usual portfolio.
  const share = key === "quiet" ? 20n : 1n;
  const unit = 10n ** BigInt(token.decimals ?? 0);
  return (BigInt(coins) * unit * BigInt(800_000 + random.nextInt(400_000))) / (1_000_000n * share);
}

export type TokenBalanceRow = ReturnType<typeof makeTokenBalances>[number];

/** Makes the balances of an address, or of all addresses, as the REST API lists them, unsorted. Scam is hidden. */
export function makeTokenBalances(context: LedgerContext, sources: Sources, address?: string) {
  const getNftKey = (token: Token, id: bigint | null) => `${token.hash}/${id}`;
  const encryptedTokens = context.tokens.regular.filter(({ type }) => type === "ERC-7984");
  return HOLDERS.flatMap((key, holder) => {
    const account = context.accounts.sampleHashes[key];
    if (address !== undefined && address !== account) return [];
    const tables = sources.getTablesFor(account);
    const nfts = tables.nfts.rows.filter((row) => row.account === account);
    const nftsByKey = new Map(nfts.map((row) => [getNftKey(row.token, row.token_id), row]));
    const hasTransfers = (token: Token) =>
      tables.transfers.rows.some((row) => row.token === token && (row.from === account || row.to === account));
    const encrypted = encryptedTokens.filter(hasTransfers).map((token) => ({ token, id: null, balance: null }));
    return [...makeTokenHoldings(context, sources, account), ...encrypted].map(({ token, id: token_id, balance: value }, i) => {
      const fiat_value = getFiatValue(token, value);
      const id = FIRST_BALANCE_ID + BALANCE_ID_GAP * (i * HOLDERS.length + holder);
      const nft = nftsByKey.get(getNftKey(token, token_id)) ?? null;
      return { account, token, token_type: token.type, token_id, value, fiat_value, id, isHidden: token.isScam, nft };
    });
  });
}

function getFiatValue({ exchange_rate, decimals }: Token, value: bigint | null): string | null {
  return exchange_rate === null || decimals === null || value === null
    ? null
    : computeFiatValue(value, Number(decimals), exchange_rate);
}

/** The number `mantissa` × 10^`exponent`. */
interface Decimal {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Numbers with this many decimal places can be compared exactly. */
const COMPARED_PLACES = 60;
/** The service writes smaller numbers with an exponent. */
const SMALLEST_PLAIN_EXPONENT = -6;

function parseDecimal(string: string): Decimal {
  const [, integer = "0", fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/.exec(string) ?? [];
  return { mantissa: BigInt(integer + fraction), exponent: Number(exponent) - fraction.length };
}

function formatDecimal({ mantissa, exponent }: Decimal): string {
  let digits = String(mantissa);
  while (exponent < 0 && digits.length > 1 && digits.endsWith("0")) {
    digits = digits.slice(0, -1);
    exponent += 1;
  }
  const leadingExponent = exponent + digits.length - 1;
  if (exponent > 0 || leadingExponent < SMALLEST_PLAIN_EXPONENT) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${digits.charAt(0)}${fraction}E${leadingExponent < 0 ? "" : "+"}${leadingExponent}`;
  }
  if (exponent === 0) return digits;
  const padded = digits.padStart(1 - exponent, "0");
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function computeFiatValue(amount: bigint, decimals: number, price: string): string {
  const { mantissa, exponent } = parseDecimal(price);
  return formatDecimal({ mantissa: amount * mantissa, exponent: exponent - decimals });
}

/** Converts a decimal number into an integer that compares like it. */
export function rankDecimal(string: string): bigint {
  const { mantissa, exponent } = parseDecimal(string);
  const shift = COMPARED_PLACES + exponent;
  return shift >= 0 ? mantissa * 10n ** BigInt(shift) : mantissa / 10n ** BigInt(-shift);
}
