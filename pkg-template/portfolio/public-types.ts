// The parameters and the result of `portfolio`.
import type { AddressClient } from "../index.js";
import type { AbortSignalLike, AddressQueryError, Hex, NftInstance, Token } from "../public.js";

/** The client methods that a portfolio uses. Every `AddressClient` has them. */
export type PortfolioClient = Pick<
  AddressClient,
  | "account"
  | "address"
  | "addressCoinBalanceHistoryByDay"
  | "addressNftCollections"
  | "addressTokens"
  | "baseUrl"
  | "marketChart"
  | "source"
>;

/** An address on one chain. */
export interface PortfolioAccount {
  /** A client of the chain. Accounts of a chain can share it. */
  client: PortfolioClient;
  /** The address. */
  address_hash: string;
}

/** Parameters of {@link portfolio}. */
export interface PortfolioParams {
  /**
   * What to read besides coins and tokens: NFT collections, and the value of the coins by day. Default: both. Nothing is requested for the
   * others.
   */
  include?: readonly ("nfts" | "days")[] | undefined;
  /**
   * Maximum number of tokens, and of NFT collections, to read of an account: an integer of at least 1. The most valuable tokens come first.
   * @defaultValue `1000`
   */
  limit?: number | undefined;
  /**
   * An earlier result for the same accounts. Only accounts in `changed`, and those that are not complete, are read again.
   */
  previous?: Portfolio | undefined;
  /**
   * The accounts that have changed since `previous`: objects such as the events of a merged history. Without `chain_id`, on any chain.
   */
  changed?: readonly { account: string; chain_id?: number | null | undefined }[] | undefined;
  /** Cancels the requests, with code `aborted` and the signal's reason as `cause`. */
  signal?: AbortSignalLike | undefined;
}

/**
 * Why a token is probably spam. A hint for display, not a proof.
 *
 * - `scam_token`: The instance rates it as a scam.
 * - `advertising`: It has no price, and its name advertises something.
 * - `copied_name`: It has no price, and the name or symbol of a token of the portfolio, on the same chain, that has one.
 */
export type SpamReason = "scam_token" | "advertising" | "copied_name";

/** How much of a coin or token is held. `formatAmount(amount, holding)` formats the amount. */
export interface Holding {
  /** Identifies the coin or token: the id of the chain, or the URL of the instance, and the contract or `native`. */
  key: string;
  /** The id of the chain. Null: the client does not know it, because it was created with a URL alone. */
  chain_id: number | null;
  /** Address hash of the token contract, in lower case. Null: the native coin, or a token that the service does not know. */
  contract: Hex | null;
  /** Name. Untrusted: set by the author of the token. Null: no name, or a native coin that `address-query/chains` does not list. */
  name: string | null;
  /** Symbol. Untrusted, and null, like `name`. */
  symbol: string | null;
  /** Number of decimal places of the amount. Untrusted: any integer. Null: not known. */
  decimals: string | null;
  /** Amount in base units. */
  amount: string;
  /** Price of one whole unit now, in the fiat currency of the instance, usually US dollars. Null: not known. */
  price: string | null;
  /** Value in that currency, exact. Null: not known. */
  value: string | null;
  /** The token. Null: the native coin, or not known. */
  token: Token | null;
}

/** A token that is probably spam. */
export interface SpamHolding extends Holding {
  reason: SpamReason;
}

/** How many NFTs of one contract are held. */
export interface CollectionHolding {
  /** Identifies the collection, like `key` of a {@link Holding}. */
  key: string;
  chain_id: number | null;
  token: Token;
  /** Number of NFTs, or the sum of their amounts. Null: not known. */
  amount: string | null;
  /** Some of the NFTs, at most nine of each account. */
  instances: NftInstance[];
  /** Why it is probably spam. Null: no suspicion. */
  spam: SpamReason | null;
}

/** The value of the native coins that were held on a day. */
export interface PortfolioDay {
  /** Day: `YYYY-MM-DD` (UTC). */
  date: string;
  /** The sum of the known values. Null: none is known. */
  value: string | null;
  /** Number of accounts whose value on that day is not known: `value` lacks them. */
  missing: number;
}

/** The native coins that an account held at the end of a day. */
export interface CoinDay {
  /** Day: `YYYY-MM-DD` (UTC). */
  date: string;
  /** Amount in wei. Null: not known. The service lists about ten days, and nothing before the first change in them. */
  amount: string | null;
  /** Price of one coin on that day; for today, the latest price. Null: not known. */
  price: string | null;
  /** Null: amount or price is not known. */
  value: string | null;
}

/** What one account contributes. */
export interface AccountPortfolio {
  /** Address hash, in lower case. */
  account: Hex;
  /** The id of the chain. Null: not known. */
  chain_id: number | null;
  /**
   * - `complete`: Everything was read.
   * - `incomplete`: Something is missing. `reasons` says what.
   * - `failed`: Nothing was read.
   */
  state: "complete" | "incomplete" | "failed";
  /** What is missing, and why. Empty: nothing. */
  reasons: string[];
  /** The first failure. Null: none. */
  error: AddressQueryError | null;
  /** When it was read: ISO 8601. */
  read_at: string;
  /** The block of the coin balance. Null: not known. */
  block_number: number | null;
  /** The sum of the known values, without spam. */
  value: string;
  /** The coin, and the tokens that are not spam, highest value first. */
  holdings: Holding[];
  spam: SpamHolding[];
  nfts: CollectionHolding[];
  /** The last 31 days, oldest first. Empty: the instance has no prices by day, or they could not be read. */
  days: CoinDay[];
}

/** The result of {@link portfolio}: plain data, apart from the errors of accounts. */
export interface Portfolio {
  /** Whether every account is `complete`. The values by day do not count. */
  complete: boolean;
  /** The exact sum of the known values, without spam: of all holdings, and of all accounts. */
  value: string;
  /** Number of holdings without a known value. `value` lacks them. */
  unpriced: number;
  /** The coins and the tokens that are not spam, highest value first. Holdings of one token on one chain are added up. */
  holdings: Holding[];
  /** The tokens that are probably spam. No sum contains them. */
  spam: SpamHolding[];
  /** The NFT collections. No sum contains them. */
  nfts: CollectionHolding[];
  /** The value of the native coins by day, oldest first. */
  days: PortfolioDay[];
  /** The accounts, in the order in which they were passed. */
  accounts: AccountPortfolio[];
  /**
   * Since when no price was read again: ISO 8601. The service states current prices, and not how old they are. Null: nothing was read.
   */
  priced_at: string | null;
}
