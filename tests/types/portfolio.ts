// The parameters of `portfolio`, and its result.
import { AddressClient, formatAmount } from "address-query";
import { type AccountPortfolio, type Holding, type Portfolio, portfolio, type SpamReason } from "address-query/portfolio";

const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
const accounts = [{ client, address_hash: "0x00000000219ab540356cBB839Cbe05303d7705Fa" }];

const previous: Portfolio = await portfolio(accounts, { include: ["nfts"], limit: 5, signal: new AbortController().signal });
export const next: Portfolio = await portfolio(accounts, { previous, changed: previous.accounts });
export const amounts: string[] = next.holdings.map((holding: Holding) => formatAmount(holding.amount, holding));
export const reasons: SpamReason[] = next.spam.map(({ reason }) => reason);
export const states: AccountPortfolio["state"][] = next.accounts.map(({ state }) => state);

// @ts-expect-error: no client
portfolio([{ address_hash: accounts[0]?.address_hash }]);
// @ts-expect-error: a part that does not exist
portfolio(accounts, { include: ["tokens"] });
// @ts-expect-error: the value of a day may not be known
export const value: string | undefined = next.days[0]?.value;
