// `sumValues`: the totals of values, and how many amounts have none.
import { createParameterError } from "../entry-support.js";
import { sumDecimals } from "../public.js";
import type { ExportSource } from "./export-types.js";
import { getMovedAmount } from "./movement.js";
import type { FiatValue, Valuable, ValuableActivity, ValuableEvent, Valued, ValueSum, ValueTotals } from "./value-types.js";

/**
 * Sums the values that `withValues` has added. Exact, and honest: `unvalued` is the number of amounts that are missing in a sum, because
 * their value is not known. A transfer of the address to itself is neither sent nor received.
 *
 * @example
 * ```ts
 * import { history, sumValues, withValues } from "address-query/history";
 *
 * const { received } = await sumValues(withValues(client, history(client, { address_hash })));
 * console.log(received.value, received.unvalued === 0 ? "in total" : `and ${received.unvalued} amounts without a price`);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for values in several currencies, and every failure of the iteration.
 */
export async function sumValues(items: ExportSource<Valued<Valuable>>): Promise<ValueTotals> {
  const [sent, received, fees] = [createSum(), createSum(), createSum()];
  const totals: ValueTotals = { sent, received, fees, currency: null };
  const add = (sum: ValueSum, amount: string | null | undefined, fiat: FiatValue | null) => {
    if (amount === "0") return;
    if (fiat === null) {
      sum.unvalued += 1;
      return;
    }
    totals.currency ??= fiat.currency;
    if (fiat.currency !== totals.currency) throw createParameterError("items", "must have values in one currency");
    sum.value = sumDecimals([sum.value, fiat.value]);
    sum.valued += 1;
  };
  for await (const item of items as AsyncIterable<Valued<ValuableEvent> | Valued<ValuableActivity>>) {
    if (!("fee" in item)) continue;
    if ("sent" in item) {
      for (const { amount, fiat } of item.sent) add(sent, amount, fiat);
      for (const { amount, fiat } of item.received) add(received, amount, fiat);
    } else if (item.direction !== "self") {
      add(item.direction === "in" ? received : sent, getMovedAmount(item)?.toString(), item.fiat);
    }
    const fee = item.token_fee?.amount ?? item.fee;
    if (fee !== null) add(fees, fee, item.fee_fiat);
  }
  return totals;
}

function createSum(): ValueSum {
  return { value: "0", valued: 0, unvalued: 0 };
}
