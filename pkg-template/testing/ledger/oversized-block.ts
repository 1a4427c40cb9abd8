// Transfers of a token, among them an oversized block: one with more transfers than the account module returns for a request (10,000).

import type { LedgerContext } from "./context.js";
import type { TransferRow } from "./rows.js";

const OVERSIZED_BLOCK = 22_222_222;
const TRANSFERS_IN_BLOCK = 10_500;
const TRANSFERS_PER_TRANSACTION = 50;
const MAX_AMOUNT = 1000;
/** Half of the amount that the distributor can spend. */
const MINTED_AMOUNT = BigInt(TRANSFERS_IN_BLOCK * MAX_AMOUNT);
const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
/** Higher than the transaction indices of all lanes (positions.js) and of the deep history. */
const FIRST_TRANSACTION_INDEX = 400;

/** Makes all transfers of the token, oldest first: two mints, some in small blocks, the oversized block, then some in small blocks again. */
export function makeOversizedBlockTransfers(context: LedgerContext): TransferRow[] {
  const { distributor } = context.accounts.sampleHashes;
  const token = context.tokens.oversized;
  const random = context.createRandom("crowded");
  const { otherHashes } = context.accounts;
  const rows: TransferRow[] = [];

  const addTransfer = (block_number: number, index: number) => {
    const transaction_index = FIRST_TRANSACTION_INDEX + Math.floor(index / TRANSFERS_PER_TRANSACTION);
    const position = { block_number, transaction_index, index, index_in_batch: 0 };
    // Every 25th transfer differs from the previous one in the same transaction only by its log index.
    const previous = rows.at(-1);
    if (index % 25 === 1 && previous) {
      rows.push({ ...previous, ...position });
      return;
    }
    const isMint = previous === undefined;
    const counterparty = isMint ? ZERO_ADDRESS : random.pick(otherHashes);
    const isOutgoing = !isMint && random.nextBoolean(0.9);
    const [from, to] = isOutgoing ? ([distributor, counterparty] as const) : ([counterparty, distributor] as const);
    const amount = isMint ? MINTED_AMOUNT : BigInt(1 + random.nextInt(MAX_AMOUNT));
    rows.push({
      ...position,
      token,
      token_type: token.type,
      from,
      to,
      method: "multicall",
      token_id: null,
      amount,
      hasNoAmount: false,
    });
  };

  const addSmallBlocks = (count: number, startBlock: number, gap: number) => {
    for (let block = startBlock, remaining = count; remaining > 0; remaining--) {
      block += 1 + random.nextInt(gap);
      addTransfer(block, 0);
      addTransfer(block, 1);
    }
  };

  addSmallBlocks(900, OVERSIZED_BLOCK - 40_000, 40);
  for (let index = 0; index < TRANSFERS_IN_BLOCK; index++) addTransfer(OVERSIZED_BLOCK, index);
  addSmallBlocks(600, OVERSIZED_BLOCK, 2000);
  return rows;
}
