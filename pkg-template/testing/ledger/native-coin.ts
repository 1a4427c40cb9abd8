// Records of the native coin: internal transactions, balance changes and validator withdrawals.

import type { Random } from "../random.js";
import type { Chain } from "./chain.js";
import { PositionAllocator } from "./positions.js";
import type { BalanceChangeRow, InternalTransactionRow, WithdrawalRow } from "./rows.js";
import { CALL_ERRORS, HOSTILE } from "./sample-strings.js";

const GWEI = 10n ** 9n;

/** The number of records by sample address. */
const INTERNAL_TRANSACTION_COUNTS = [
  ["hub", 2000],
  ["settlement", 150],
  ["quiet", 3],
  ["hostile", 4],
  ["lagging", 400],
] as const;
const BALANCE_CHANGE_COUNTS = [
  ["hub", 1000],
  ["settlement", 220],
  ["proxy", 60],
  ["quiet", 6],
  ["hostile", 1],
] as const;

// Repeated types are more frequent.
const CALL_TYPES = [
  "call",
  "call",
  "call",
  "call",
  "call",
  "call",
  "delegatecall",
  "delegatecall",
  "staticcall",
  "create",
  "create2",
  "selfdestruct",
];

/** Makes all internal transactions of the chain, unsorted. */
export function makeInternalTransactions(chain: Chain): InternalTransactionRow[] {
  const rows: InternalTransactionRow[] = [];
  for (const [lane, [key, count]] of INTERNAL_TRANSACTION_COUNTS.entries()) {
    const random = chain.createRandom("internal", key);
    const positions = new PositionAllocator(random, lane, 40);
    const account = chain.accounts.sampleHashes[key];
    const counterparties = chain.accounts.otherHashes.slice(lane * 50, lane * 50 + 50);
    for (let made = 0; made < count; ) {
      positions.moveToPreviousTransaction();
      const { block_number, transaction_index } = positions;
      const calls = Math.min(count - made, 1 + random.nextInt(6));
      // Index 0 is the transaction itself, which the service does not list.
      for (let index = 1; index <= calls; index++, made++) {
        const row = { block_number, transaction_index, index, ...makeCall(random, account, counterparties) };
        // A contract chooses its own revert message, so it can be hostile.
        rows.push(key === "hostile" ? { ...row, error: HOSTILE.script } : row);
      }
    }
  }
  return rows;
}

function makeCall(random: Random, account: string, counterparties: readonly string[]) {
  const type = random.pick(CALL_TYPES);
  const isCreation = type.startsWith("create");
  const counterparty = random.pick(counterparties);
  const isOutgoing = random.nextBoolean(0.5);
  const hasFailed = random.nextBoolean(0.06);
  const contract = hasFailed ? null : random.nextHex(20);
  return {
    type,
    from: isCreation || isOutgoing ? account : counterparty,
    to: isCreation ? null : isOutgoing ? counterparty : account,
    created_contract: isCreation ? contract : null,
    error: hasFailed ? random.pick(CALL_ERRORS) : null,
    value: random.nextBoolean(0.45) ? 0n : random.nextBigInt(8),
    gas_limit: random.nextBoolean(0.05) ? 0 : 21_000 + random.nextInt(900_000),
  };
}

/** Makes all balance changes of the chain, unsorted. */
export function makeBalanceChanges(chain: Chain): BalanceChangeRow[] {
  const rows: BalanceChangeRow[] = [];
  for (const [key, count] of BALANCE_CHANGE_COUNTS) {
    const random = chain.createRandom("balances", key);
    const positions = new PositionAllocator(random, 0, 300);
    const account = chain.accounts.sampleHashes[key];
    // Made from the newest to the oldest, so that the history ends at the current balance.
    let value = chain.accounts.getBalance(key);
    for (let remaining = count; remaining > 0; ) {
      const { block_number } = positions;
      do positions.moveToPreviousTransaction();
      while (positions.block_number === block_number);
      const transaction_index = random.nextBoolean(0.1) ? null : random.nextInt(100);
      // The service stores rows without a change, too. It hides them from pages.
      if (random.nextBoolean(0.05) && remaining < count) {
        rows.push({ account, block_number, transaction_index, value, delta: 0n, isHidden: true });
        continue;
      }
      remaining -= 1;
      const delta =
        remaining === 0
          ? value
          : random.nextBoolean(0.5)
            ? -random.nextBigInt(8)
            : random.nextBigInt(8) % (value / 2n + 1n) || 1n;
      rows.push({ account, block_number, transaction_index, value, delta, isHidden: false });
      value -= delta;
    }
  }
  return rows;
}

/** Makes all withdrawals of the chain, unsorted. Most go to the sample address `hub`. */
export function makeWithdrawals(chain: Chain): WithdrawalRow[] {
  const { hub, quiet } = chain.accounts.sampleHashes;
  const random = chain.createRandom("withdrawals");
  const positions = new PositionAllocator(random, 0, 900);
  let index = 119_820_882;
  return Array.from({ length: 306 }, (_, i) => {
    positions.moveToPreviousTransaction();
    index -= 1 + random.nextInt(16);
    return {
      index,
      block_number: positions.block_number,
      validator_index: 747_237 + (i % 2),
      isFromBuilder: i % 10 === 3,
      amount: GWEI * BigInt(i % 50 === 7 ? 32_000_000_000 : 16_000_000 + random.nextInt(4_000_000)),
      account: i % 60 === 30 ? quiet : hub,
      hasReceiver: i % 7 !== 5,
    };
  });
}
