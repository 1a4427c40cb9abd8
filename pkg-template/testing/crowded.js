// Transfers of the crowded token: a few, then a block with more than the service can show at once, then a few more.

const CROWDED_BLOCK = 22_222_222;
const CROWDED_TRANSFERS = 10_500;
const TRANSFERS_PER_TRANSACTION = 50;
/** Behind the lanes of all stories, and the transactions of the deep history. */
const FIRST_TRANSACTION = 400;

/** Every transfer of the token, oldest first. */
export function makeCrowdedTransfers(chain) {
  const { distributor } = chain.accounts.sample;
  const token = chain.tokens.crowded;
  const chance = chain.random("crowded");
  const crowd = chain.accounts.crowd;
  const rows = [];

  const transfer = (block_number, index) => {
    const transaction_index = FIRST_TRANSACTION + Math.floor(index / TRANSFERS_PER_TRANSACTION);
    const place = { block_number, transaction_index, index, index_in_batch: 0 };
    // Nothing but its place tells every 25th transfer from the one before it in the same transaction.
    if (index % 25 === 1) return rows.push({ ...rows.at(-1), ...place });
    const other = chance.pick(crowd);
    const [from, to] = chance.chance(0.9) ? [distributor, other] : [other, distributor];
    const amount = BigInt(1 + chance.below(1000));
    rows.push({ ...place, token, token_type: token.type, from, to, method: "multicall", token_id: null, amount, countless: false });
  };

  const few = (blocks, first, gap) => {
    for (let block = first, left = blocks; left > 0; left--) {
      block += 1 + chance.below(gap);
      transfer(block, 0);
      transfer(block, 1);
    }
  };

  few(900, CROWDED_BLOCK - 40_000, 40);
  for (let index = 0; index < CROWDED_TRANSFERS; index++) transfer(CROWDED_BLOCK, index);
  few(600, CROWDED_BLOCK, 2000);
  return rows;
}
