// Records of the native coin: internal transactions, withdrawals and deposits of validators, and election rewards of Celo.

import type { Random } from "../random.js";
import type { LedgerContext } from "./context.js";
import { createPositionAllocator } from "./positions.js";
import type { InternalTransactionRow } from "./rows.js";
import { CALL_ERRORS, HOSTILE, WEI_PER_ETHER } from "./sample-addresses.js";

const GWEI = 10n ** 9n;
/** All withdrawals except the one in the eventful block. */
const WITHDRAWAL_COUNT = 305;

const INTERNAL_TRANSACTION_COUNTS = [
  ["hub", 2000],
  ["settlement", 150],
  ["quiet", 3],
  ["hostile", 4],
  ["lagging", 400],
] as const;
// Types that are listed repeatedly are more frequent.
const CALL_TYPES = "call call call call call call delegatecall delegatecall staticcall create create2 selfdestruct".split(" ");

export function makeInternalTransactions(context: LedgerContext): InternalTransactionRow[] {
  const rows: InternalTransactionRow[] = [];
  for (const [lane, [key, count]] of INTERNAL_TRANSACTION_COUNTS.entries()) {
    const random = context.createRandom("internal", key);
    const positions = createPositionAllocator(random, lane, 40);
    const account = context.accounts.sampleHashes[key];
    const counterparties = context.accounts.otherHashes.slice(lane * 50, lane * 50 + 50);
    for (let made = 0; made < count; ) {
      const { block_number, transaction_index } = positions.allocateTransaction();
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
    // Only these calls move coins.
    value: type === "delegatecall" || type === "staticcall" || random.nextBoolean(0.45) ? 0n : random.nextBigInt(8),
    gas_limit: random.nextBoolean(0.05) ? 0 : 21_000 + random.nextInt(900_000),
  };
}

export type WithdrawalRow = ReturnType<typeof makeWithdrawals>[number];
export type DepositRow = ReturnType<typeof makeDeposits>[number];

/** Makes all withdrawals of the chain, unsorted. Most go to the sample address `hub`, one to the producer of `eventfulBlock`. */
export function makeWithdrawals(context: LedgerContext, eventfulBlock: number) {
  const { hub, quiet, producer } = context.accounts.sampleHashes;
  const random = context.createRandom("withdrawals");
  const positions = createPositionAllocator(random, 0, 900);
  let index = 119_820_882;
  const rows = Array.from({ length: WITHDRAWAL_COUNT }, (_, i) => {
    const { block_number } = positions.allocateTransaction();
    // Even, so that one index between two withdrawals is free.
    index -= 2 + 2 * random.nextInt(8);
    return {
      index,
      block_number,
      validator_index: 747_237 + (i % 2),
      isFromBuilder: i % 10 === 3,
      amount: GWEI * BigInt(i % 50 === 7 ? 32_000_000_000 : 16_000_000 + random.nextInt(4_000_000)),
      account: i % 60 === 30 ? quiet : hub,
      hasReceiver: i % 7 !== 5,
    };
  });
  const older = rows.find(({ block_number }) => block_number <= eventfulBlock) ?? rows[0];
  return older ? [...rows, { ...older, index: older.index + 1, block_number: eventfulBlock, account: producer }] : rows;
}

/** The lane of the deposits. Other lanes belong to transfers and logs. */
const DEPOSIT_LANE = 10;
const REWARD_TYPES = ["voter", "validator", "group", "delegated_payment"];
const REWARDS_PER_EPOCH = 4;

/** Makes all deposits of the chain, unsorted. Most are by the sample address `hub`. */
export function makeDeposits(context: LedgerContext) {
  const { hub, quiet } = context.accounts.sampleHashes;
  const random = context.createRandom("deposits");
  const positions = createPositionAllocator(random, DEPOSIT_LANE, 2000);
  let index = 2_412_906;
  return Array.from({ length: 130 }, (_, i) => {
    const position = positions.allocateTransaction();
    index -= 1 + random.nextInt(40);
    return {
      ...position,
      index,
      account: i % 36 === 20 ? quiet : hub,
      amount: i % 9 === 4 ? GWEI * BigInt(1_000_000_000 + random.nextInt(4_000_000)) : 32n * WEI_PER_ETHER,
      // The newest deposits are still in the queue of the beacon chain.
      status: i < 3 ? "pending" : i % 25 === 12 ? "invalid" : "completed",
    };
  });
}

/** Makes all election rewards of the chain, unsorted. Most are of the sample address `hub`. */
export function makeElectionRewards(context: LedgerContext) {
  const { hub, quiet } = context.accounts.sampleHashes;
  const random = context.createRandom("rewards");
  const makeEpoch = (account: string, epoch_number: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      account,
      epoch_number,
      // Some rewards of an epoch are equal, so that the order has ties.
      amount: i === 1 ? WEI_PER_ETHER : random.nextBigInt(8),
      associated_account_address_hash: random.pick(context.accounts.validators),
      type: REWARD_TYPES[i % REWARD_TYPES.length] ?? "voter",
    }));
  return [
    ...Array.from({ length: 35 }, (_, i) => makeEpoch(hub, 1900 - i, REWARDS_PER_EPOCH)).flat(),
    ...Array.from({ length: 3 }, (_, i) => makeEpoch(quiet, 1900 - 7 * i, 1)).flat(),
  ];
}
