// Balances of the native coin: the funding of the sample addresses, and the history that follows from their events.

import { groupBy } from "../maps.js";
import type { LedgerContext } from "./context.js";
import { computeDelta, type LedgerEvent, makeCoinEvents } from "./events.js";
import type { BalanceChangeRow, EventTables, TransactionRow } from "./rows.js";
import { isScripted, SAMPLE_ADDRESSES, SAMPLE_KEYS, type SampleKey } from "./sample-addresses.js";

const WEI_PER_ETHER = 10n ** 18n;
/** Newer than the creations of contracts, older than all other transactions. */
const FIRST_FUNDING_BLOCK = 8_900_000;
const FUNDING_GAP = 97;
/** The block in which the address with a stale balance receives the rest of its balance. */
const LATE_FUNDING_BLOCK = 23_100_000;
/** The share of the blocks with only token transfers for which the service also stores a balance. */
const UNCHANGED_SHARE = 0.1;

/**
 * The funding of addresses with long histories. It exceeds what they spend, so that it does not depend on all their rows. The
 * first transaction of the deep history funds `deep`.
 */
const FIXED_FUNDINGS: Readonly<Partial<Record<SampleKey, bigint>>> = {
  distributor: 30n * WEI_PER_ETHER,
  producer: 4096n * WEI_PER_ETHER,
};

/**
 * Makes the transactions that fund the sample addresses without a script. An address gets what its current balance requires, and more if its
 * balance would be negative at an earlier time. `tables` has all other rows.
 */
export function makeFundings(context: LedgerContext, tables: EventTables): TransactionRow[] {
  const { sampleHashes } = context.accounts;
  return SAMPLE_KEYS.filter((key) => !isScripted(key)).flatMap((key, i) => {
    const { balance = 0n, lateFunding = 0n, isGenesis = false } = SAMPLE_ADDRESSES[key];
    if (balance === 0n && FIXED_FUNDINGS[key] === undefined) return [];
    const account = sampleHashes[key];
    const first = isGenesis ? 0 : FIRST_FUNDING_BLOCK + i * FUNDING_GAP;
    const value = FIXED_FUNDINGS[key] ?? computeFunding(makeCoinEvents(context, account, tables), account, balance - lateFunding);
    const late = lateFunding > 0n ? [createFunding(context, account, LATE_FUNDING_BLOCK, lateFunding)] : [];
    return [createFunding(context, account, first, value), ...late];
  });
}

function computeFunding(events: readonly LedgerEvent[], account: string, target: bigint): bigint {
  let sum = 0n;
  let lowest = 0n;
  for (const event of events) {
    sum += computeDelta(event, account);
    if (sum < lowest) lowest = sum;
  }
  const needed = target - sum;
  return needed + lowest < 0n ? -lowest : needed;
}

/** Computes how much the balance of an address changes by the rows of `tables`, in wei. */
export function computeBalance(context: LedgerContext, account: string, tables: EventTables): bigint {
  return makeCoinEvents(context, account, tables).reduce((sum, event) => sum + computeDelta(event, account), 0n);
}

function createFunding(context: LedgerContext, to: string, block_number: number, value: bigint): TransactionRow {
  const [from = to] = context.accounts.validators;
  return { block_number, transaction_index: 0, from, to, createdContract: null, value, hasFailed: false, method: null };
}

/** Makes the balance history of an address from `tables`, oldest first, after the blocks that end with `balance`. */
export function makeBalanceChanges(
  context: LedgerContext,
  account: string,
  tables: EventTables,
  balance = 0n,
): BalanceChangeRow[] {
  const eventsByBlock = groupBy(makeCoinEvents(context, account, tables), ({ block_number }) => block_number);
  const transferBlocks = tables.transfers
    .filter(({ block_number, from, to }) => (from === account || to === account) && !eventsByBlock.has(block_number))
    .map(({ block_number }) => block_number)
    .filter((block) => context.createRandom("unchanged balance", account, block).nextBoolean(UNCHANGED_SHARE));
  let value = balance;
  return [...new Set([...eventsByBlock.keys(), ...transferBlocks])]
    .sort((a, b) => a - b)
    .flatMap((block_number) => {
      const events = eventsByBlock.get(block_number) ?? [];
      const delta = events.reduce((sum, event) => sum + computeDelta(event, account), 0n);
      value += delta;
      // The service also stores rows without a change, but hides them from pages.
      const isHidden = delta === 0n;
      const transaction_index = pickTransaction(context, account, block_number, events);
      return [{ account, block_number, transaction_index, value, delta, isHidden }];
    });
}

/** Picks one of the transactions that changed a balance. The service does not always know one. */
function pickTransaction(context: LedgerContext, account: string, block: number, events: readonly LedgerEvent[]): number | null {
  const random = context.createRandom("balance", account, block);
  const changes = events.filter((event) => event.transaction_index !== null && computeDelta(event, account) !== 0n);
  return changes.length === 0 || random.nextBoolean(0.1) ? null : random.pick(changes).transaction_index;
}
