// The list of all addresses.

import type { AccountHistory } from "./account-history.js";
import type { AccountTables } from "./account-tables.js";
import type { LedgerContext } from "./context.js";
import type { RichListRow } from "./rows.js";
import { SAMPLE_ADDRESSES, SAMPLE_KEYS } from "./sample-addresses.js";
import type { TransactionEntry } from "./transaction-entries.js";

const WEI_PER_ETHER = 10n ** 18n;

/** Makes the rows of the list: the ranked sample addresses and all other accounts, unsorted. */
export function makeRichList(
  context: LedgerContext,
  history: AccountHistory,
  getTablesFor: (account: string) => AccountTables,
): RichListRow[] {
  const otherRows = context.accounts.otherHashes.map((hash, rank) => {
    const random = context.createRandom("activity", hash);
    const transactions_count = random.nextBoolean(0.3) ? null : random.nextInt(random.pick([10, 1000, 1_000_000]));
    return { hash, fetched_coin_balance: makeBalance(context, rank), transactions_count };
  });
  const sampleRows = SAMPLE_KEYS.filter((key) => SAMPLE_ADDRESSES[key].isRanked).map((key) => {
    const hash = context.accounts.sampleHashes[key];
    const isInvolved = ({ row }: TransactionEntry) => [row.from, row.to, row.createdContract].includes(hash);
    const transactions_count = getTablesFor(hash).entries.rows.filter(isInvolved).length;
    return { hash, fetched_coin_balance: history.getCoinBalance(hash), transactions_count };
  });
  return [...otherRows, ...sampleRows];
}

function makeBalance(context: LedgerContext, rank: number): bigint {
  const random = context.createRandom("wealth", rank);
  // Some balances are equal, as on a real chain, so that the order has ties.
  if (random.nextBoolean(0.1)) return random.pick([32n, 32n, 32n, 1n]) * WEI_PER_ETHER;
  return (random.nextBigInt(8) * 124_355n * WEI_PER_ETHER) / (2n ** 64n * BigInt(1 + rank)) + 1n;
}
