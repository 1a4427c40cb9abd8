// Deposits to the beacon chain of Ethereum, and election rewards of Celo.

import type { LedgerContext } from "./context.js";
import { PositionAllocator } from "./positions.js";
import type { DepositRow, ElectionRewardRow } from "./rows.js";

const GWEI = 10n ** 9n;
const WEI_PER_ETHER = 10n ** 18n;
/** The lane of the deposits. Other lanes belong to transfers and logs. */
const DEPOSIT_LANE = 10;
const REWARD_TYPES = ["voter", "validator", "group", "delegated_payment"];
const REWARDS_PER_EPOCH = 4;

/** Makes all deposits of the chain, unsorted. Most are by the sample address `hub`. */
export function makeDeposits(context: LedgerContext): DepositRow[] {
  const { hub, quiet } = context.accounts.sampleHashes;
  const random = context.createRandom("deposits");
  const positions = new PositionAllocator(random, DEPOSIT_LANE, 2000);
  let index = 2_412_906;
  return Array.from({ length: 130 }, (_, i) => {
    positions.moveToPreviousTransaction();
    const { block_number, transaction_index } = positions;
    index -= 1 + random.nextInt(40);
    return {
      index,
      block_number,
      transaction_index,
      account: i % 36 === 20 ? quiet : hub,
      amount: i % 9 === 4 ? GWEI * BigInt(1_000_000_000 + random.nextInt(4_000_000)) : 32n * WEI_PER_ETHER,
      // The newest deposits are still in the queue of the beacon chain.
      status: i < 3 ? "pending" : i % 25 === 12 ? "invalid" : "completed",
    };
  });
}

/** Makes all election rewards of the chain, unsorted. Most are of the sample address `hub`. */
export function makeElectionRewards(context: LedgerContext): ElectionRewardRow[] {
  const { hub, quiet } = context.accounts.sampleHashes;
  const random = context.createRandom("rewards");
  const makeEpoch = (account: string, epoch_number: number, count: number): ElectionRewardRow[] =>
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
