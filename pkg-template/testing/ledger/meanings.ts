// What the activities of addresses without a script are meant to be, where the ledger knows it for certain. The rest of their rows are
// random.

import { groupBy } from "../maps.js";
import type { SampleActivityKind } from "../public-types.js";
import type { LedgerEvent } from "./coin-history.js";

/** How the code of all created contracts begins. The transactions that create them have it as their method. */
const CREATION = "0x60806040";

/** Returns the known meanings of the activities of an address, each with its first event. */
export function findMeanings(
  account: string,
  events: readonly LedgerEvent[],
): (readonly [event: LedgerEvent, kind: SampleActivityKind])[] {
  const isCredit = ({ transaction_index }: LedgerEvent) => transaction_index === null;
  const transactions = groupBy(
    events.filter((event) => !isCredit(event)),
    ({ block_number, transaction_index }) => `${block_number}/${transaction_index}`,
  );
  return [...transactions.values(), ...events.filter(isCredit).map((event) => [event])].flatMap((group) => {
    const [event] = group;
    const kind = event && getKind(account, event, group.length === 1);
    return event && kind ? [[event, kind] as const] : [];
  });
}

function getKind(account: string, event: LedgerEvent, isAlone: boolean): SampleActivityKind | undefined {
  const { kind, isSuccess, method, amount, from } = event;
  if (kind === "block_reward") return "reward";
  if (kind === "withdrawal") return "withdrawal";
  if (kind !== "transaction") return undefined;
  if (!isSuccess) return "failed";
  if (method === CREATION) return "deploy";
  if (!isAlone || method !== null || !amount) return undefined;
  return from === account ? "send" : "receive";
}
