// The native coin on its way: internal transactions, balance changes, and withdrawals of validators.

import { CALL_ERRORS, HOSTILE } from "./names.js";
import { Places } from "./places.js";

const GWEI = 10n ** 9n;

const CALL_TYPES = [
  "call", "call", "call", "call", "call", "call", "delegatecall", "delegatecall", "staticcall", "create", "create2", "selfdestruct",
];

/** Every internal transaction of the chain, unordered. */
export function makeInternalTransactions(chain) {
  const rows = [];
  for (const [lane, [key, count]] of [["hub", 2000], ["settlement", 150], ["quiet", 3], ["hostile", 4], ["lagging", 400]].entries()) {
    const chance = chain.random("internal", key);
    const places = new Places(chance, lane, 40);
    const hero = chain.accounts.sample[key];
    const friends = chain.accounts.crowd.slice(lane * 50, lane * 50 + 50);
    for (let made = 0; made < count; ) {
      places.previousTransaction();
      const { block_number, transaction_index } = places;
      const calls = Math.min(count - made, 1 + chance.below(6));
      // Call 0 is the transaction itself and never listed.
      for (let index = 1; index <= calls; index++, made++) {
        const row = { block_number, transaction_index, index, ...call(chance, hero, friends) };
        // The text of a revert is the called contract's to choose.
        rows.push(key === "hostile" ? { ...row, error: HOSTILE.script } : row);
      }
    }
  }
  return rows;
}

function call(chance, hero, friends) {
  const type = chance.pick(CALL_TYPES);
  const creates = type.startsWith("create");
  const other = chance.pick(friends);
  const outward = chance.chance(0.5);
  const failed = chance.chance(0.06);
  const made = failed ? null : chance.hex(20);
  return {
    type,
    from: creates || outward ? hero : other,
    to: creates ? null : outward ? other : hero,
    created_contract: creates ? made : null,
    error: failed ? chance.pick(CALL_ERRORS) : null,
    value: chance.chance(0.45) ? 0n : chance.big(8),
    gas_limit: chance.chance(0.05) ? 0 : 21_000 + chance.below(900_000),
  };
}

/** Every recorded change of a balance, unordered. */
export function makeBalanceChanges(chain) {
  const rows = [];
  for (const [key, count] of Object.entries({ hub: 1000, settlement: 220, proxy: 60, quiet: 6, hostile: 1 })) {
    const chance = chain.random("balances", key);
    const places = new Places(chance, 0, 300);
    const account = chain.accounts.sample[key];
    // Told backwards from the balance of today, so that both agree.
    let value = chain.accounts.balance(key);
    for (let left = count; left > 0; ) {
      const { block_number } = places;
      do places.previousTransaction();
      while (places.block_number === block_number);
      const transaction_hash = chance.chance(0.1) ? null : chain.transactionHash(block_number, chance.below(100));
      // Some recorded rows show no change; the service drops them from a page after it was cut.
      if (chance.chance(0.05) && left < count) {
        rows.push({ account, block_number, transaction_hash, value, delta: 0n, hidden: true });
        continue;
      }
      left -= 1;
      const delta = left === 0 ? value : chance.chance(0.5) ? -chance.big(8) : chance.big(8) % (value / 2n + 1n) || 1n;
      rows.push({ account, block_number, transaction_hash, value, delta, hidden: false });
      value -= delta;
    }
  }
  return rows;
}

/** Every withdrawal of the chain, unordered. Most go to the hub. */
export function makeWithdrawals(chain) {
  const { hub, quiet } = chain.accounts.sample;
  const chance = chain.random("withdrawals");
  const places = new Places(chance, 0, 900);
  let index = 119_820_882;
  return Array.from({ length: 306 }, (_, i) => {
    places.previousTransaction();
    index -= 1 + chance.below(16);
    return {
      index,
      block_number: places.block_number,
      validator_index: 747_237 + (i % 2),
      byBuilder: i % 10 === 3,
      amount: GWEI * BigInt(i % 50 === 7 ? 32_000_000_000 : 16_000_000 + chance.below(4_000_000)),
      account: i % 60 === 30 ? quiet : hub,
      namesReceiver: i % 7 !== 5,
    };
  });
}
