// Tests of the scripted sample addresses: an ordinary wallet, and what stands beside it. tests/sample-ledger.test.mjs checks that their
// balances, lists and counters agree.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg/testing/index.js";

const SEEDS = [1, 2, 3];
const MONTHS = 14;
const SECONDS_PER_DAY = 86_400;
const COIN_DECIMALS = 18;
/** In US dollars. */
const MAX_AMOUNT = 20_000;
const toWhole = (amount, decimals) => Number(amount) / 10 ** Number(decimals ?? 0);

function groupBy(rows, getKey) {
  const groups = new Map();
  for (const row of rows) groups.set(getKey(row), [...(groups.get(getKey(row)) ?? []), row]);
  return groups;
}

for (const seed of SEEDS) {
  describe(`with seed ${seed}`, () => {
    const service = createSampleService({ seed });
    const find = (id) => service.addresses.find((address) => address.id === id).hash;
    const list = (id, name) => service.getAllItems(`/addresses/${find(id)}/${name}`);
    const showcase = find("showcase");
    const events = service.getEvents(showcase);

    test("the first sample address is a wallet with 250 to 400 transactions", () => {
      assert.equal(service.addresses[0].id, "showcase");
      const count = new Set(events.map(({ transaction_hash }) => transaction_hash)).size;
      assert.ok(count >= 250 && count <= 400, `${count} transactions`);
    });

    test("it was active in each of 14 months, and until the last days", () => {
      const months = [...groupBy(events, ({ timestamp }) => new Date(timestamp * 1000).toISOString().slice(0, 7)).values()];
      assert.equal(months.length, MONTHS);
      for (const { length } of months) assert.ok(length > 20 && length < 70, `${length} events`);
      const days = new Set(events.map(({ timestamp }) => Math.floor(timestamp / SECONDS_PER_DAY)));
      assert.ok(days.size > 180, `${days.size} days`);
      assert.ok(Date.UTC(2026, 10, 1) / 1000 - events.at(-1).timestamp < 2 * SECONDS_PER_DAY);
    });

    test("it moves amounts that people move", () => {
      for (const { from, value, historic_exchange_rate } of list("showcase", "transactions")) {
        const worth = toWhole(value, COIN_DECIMALS) * Number(historic_exchange_rate);
        assert.ok(worth < MAX_AMOUNT, `${worth} from ${from.hash}`);
      }
      for (const { token, total } of list("showcase", "token-transfers")) {
        if (token.exchange_rate === null) continue;
        const worth = toWhole(total.value, token.decimals) * Number(token.exchange_rate);
        assert.ok(worth < MAX_AMOUNT, `${worth} of ${token.symbol}`);
      }
    });

    test("what a swap pays is worth what it receives", () => {
      const legs = groupBy(
        list("showcase", "token-transfers").filter(({ method }) => method === "swap"),
        ({ transaction_hash }) => transaction_hash,
      );
      assert.ok(legs.size > 40, `${legs.size} swaps`);
      const transactions = new Map(list("showcase", "transactions").map((row) => [row.hash, row]));
      const payments = list("showcase", "internal-transactions");
      for (const [hash, transfers] of legs) {
        const { historic_exchange_rate, value, fee, nonce } = transactions.get(hash);
        const [coin, current] = [Number(historic_exchange_rate), 2650.17];
        const getPrice = ({ symbol, exchange_rate }) => (symbol === "SUSD" ? 1 : (Number(exchange_rate) * coin) / current);
        const sum = (isIncoming) =>
          transfers
            .filter(({ to }) => (to.hash === showcase) === isIncoming)
            .reduce((worth, { token, total }) => worth + toWhole(total.value, token.decimals) * getPrice(token), 0);
        const received = payments.filter(({ transaction_hash }) => transaction_hash === hash);
        const paid = sum(false) + toWhole(value, COIN_DECIMALS) * coin;
        const got = sum(true) + received.reduce((worth, { value }) => worth + toWhole(value, COIN_DECIMALS) * coin, 0);
        assert.ok(Math.abs(got / paid - 0.997) < 0.005, `swap ${nonce} pays ${paid} for ${got}, and ${fee.value} of fees`);
      }
    });

    test("a transfer has a log with its parties and its amount", async () => {
      for (const id of ["showcase", "treasury", "collector"]) {
        for (const { transaction_hash, log_index, from, to, total } of list(id, "token-transfers").slice(0, 20)) {
          const response = await service.fetch(`https://sample.invalid/api/v2/transactions/${transaction_hash}/logs`);
          const log = (await response.json()).items.find(({ index }) => index === log_index);
          const values = log.decoded.parameters.map(({ value }) => value);
          assert.deepEqual(values, [from.hash, to.hash, total.value ?? total.token_id]);
        }
      }
    });

    test("its nonces count its transactions", () => {
      const sent = list("showcase", "transactions").filter(({ from }) => from.hash === showcase);
      assert.deepEqual(
        sent.map(({ nonce }) => nonce).reverse(),
        sent.map((_, i) => i),
      );
    });

    test("it approved two spenders without a limit, and was attacked once by a look-alike address", () => {
      const unlimited = service.getApprovals(showcase).filter(({ amount }) => BigInt(amount) === 2n ** 256n - 1n);
      assert.equal(unlimited.length, 2);
      const attacks = list("showcase", "token-transfers").filter(({ total }) => total.value === "0");
      assert.equal(attacks.length, 1);
      const ends = (hash) => hash.toLowerCase().slice(0, 7) + hash.toLowerCase().slice(-5);
      const imitated = list("showcase", "token-transfers").filter(({ to }) => ends(to.hash) === ends(attacks[0].to.hash));
      assert.ok(imitated.length > 5, `${imitated.length - 1} transfers to the imitated address`);
    });

    test("the price of the coin moves by a few percent each day", () => {
      const prices = new Map(
        list("showcase", "transactions").map(({ timestamp, historic_exchange_rate }) => [
          Math.floor(Date.parse(timestamp) / 1000 / SECONDS_PER_DAY),
          Number(historic_exchange_rate),
        ]),
      );
      for (const [day, price] of prices) {
        const previous = prices.get(day - 1);
        if (previous !== undefined) assert.ok(Math.abs(price / previous - 1) < 0.06, `${previous}, ${price}`);
      }
    });
  });
}
