// Address poisoning: zero-value transfers to addresses that look like recipients of the victim.

import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK, LOGS_PER_LANE, TRANSACTIONS_PER_LANE } from "./positions.js";
import type { TransferRow } from "./rows.js";

const LANE = 12;
/** One of this many transfers is followed by an attack. */
const GAP = 90;
/** The attacker needs some blocks to find an address. */
const DELAY = 25;
/** The number of equal hex digits at each end. */
const EQUAL_DIGITS = 5;

/** Makes transfers that follow the transfers of the sample address `hub`. The attacker sends the transactions. */
export function makePoisoningTransfers(context: LedgerContext, transfers: readonly TransferRow[]): TransferRow[] {
  const { hub } = context.accounts.sampleHashes;
  const isTarget = ({ from, to, token_type, amount, block_number }: TransferRow) =>
    from === hub && to !== hub && token_type === "ERC-20" && amount !== null && block_number + DELAY < HEAD_BLOCK;
  return transfers
    .filter(isTarget)
    .filter((_, i) => i % GAP === 0)
    .map((target) => {
      const random = context.createRandom("poisoning", target.block_number);
      return {
        ...target,
        block_number: target.block_number + DELAY,
        transaction_index: LANE * TRANSACTIONS_PER_LANE,
        index: LANE * LOGS_PER_LANE,
        index_in_batch: 0,
        to: imitateAddress(target.to, random.nextHex(20)),
        amount: 0n,
        method: "transferFrom",
        signer: random.pick(context.accounts.otherHashes),
      };
    });
}

/** Makes an address with the same ends as another one. */
export function imitateAddress(address: string, middle: string): string {
  return address.slice(0, 2 + EQUAL_DIGITS) + middle.slice(2 + EQUAL_DIGITS, -EQUAL_DIGITS) + address.slice(-EQUAL_DIGITS);
}
