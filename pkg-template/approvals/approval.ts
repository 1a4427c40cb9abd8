// Creates the approvals of the result.
import { fiatValue } from "../public.js";
import { type Grant, getGrantId, toTime } from "./approval-log.js";
import type { Details } from "./lookups.js";
import type { Approval } from "./public-types.js";

/** Amounts of at least this are unlimited: spending reduces an unlimited amount. */
const MIN_UNLIMITED = 2n ** 255n;
/** The largest amounts of contracts with fewer bits: some tokens, and Permit2. */
const LARGEST_AMOUNTS: readonly bigint[] = [2n ** 96n - 1n, 2n ** 160n - 1n];

/** Whether something is approved at a time, in Unix seconds. */
export function isStanding({ amount, expires }: Grant, now: number): boolean {
  return amount !== "0" && (expires === null || expires > now);
}

/** Creates the approvals, in the order of the result. `grants` are in the order of their events. */
export function createApprovals(grants: readonly Grant[], { spenders, tokens, balances }: Details): Approval[] {
  const approvals = grants.map((grant): Approval => {
    const { kind, token, spender, tokenId, amount, expires, source, event } = grant;
    const isAmount = kind === "allowance" || kind === "permit2";
    const units = BigInt(amount);
    const approval = {
      id: getGrantId(grant),
      kind,
      token_hash: token,
      token: copyRecord(tokens.get(token)),
      spender_hash: spender,
      spender: copyRecord(spenders.get(spender)),
      token_id: tokenId,
      amount: isAmount ? amount : null,
      isUnlimited: kind === "operator" || (isAmount && (units >= MIN_UNLIMITED || LARGEST_AMOUNTS.includes(units))),
      expires: toTime(expires),
      source,
      event,
      balance: balances.get(token) ?? null,
    };
    return { ...approval, valueAtRisk: computeValue(approval) };
  });
  return approvals.sort(
    (a, b) =>
      Number(b.valueAtRisk ?? -1) - Number(a.valueAtRisk ?? -1) ||
      b.event.block_number - a.event.block_number ||
      (b.event.log_index ?? 0) - (a.event.log_index ?? 0),
  );
}

/** Several approvals can have the same token or spender. Each gets a copy, which the caller may change. */
function copyRecord<Record>(record: Record | undefined): Record | null {
  return JSON.parse(JSON.stringify(record ?? null));
}

function computeValue({ amount, balance, token }: Pick<Approval, "amount" | "balance" | "token">): string | null {
  if (amount === null || balance === null) return null;
  return fiatValue(BigInt(amount) < BigInt(balance) ? amount : balance, token);
}
