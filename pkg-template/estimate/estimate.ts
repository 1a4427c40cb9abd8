// `estimate`: what a read will need.
import { checkCallOptions, checkNames, createParameterError } from "../entry-support.js";
import type { HistoryPlan } from "../history/index.js";
import type { CallPlan } from "../public.js";
import { estimateList, estimateRange } from "./call-estimate.js";
import { type AnyListPlan, ClientReader } from "./client-reader.js";
import { estimateHistory } from "./history-estimate.js";
import { type Needs, type Span, sum } from "./needs.js";
import type { Estimate, EstimatedCall, EstimatedRange, EstimateOptions } from "./public-types.js";

type Plan = HistoryPlan | AnyListPlan | CallPlan;

/**
 * Estimates how many requests, credits and seconds a list, a range or a history will need to its end, and how many records it has.
 * For an export, estimate its source.
 *
 * @remarks
 * The numbers come from the counters of the address, from the sizes of the instance's pages, and, for a period, a filter and transfers,
 * from requests for single rows of the account interface. That takes one to seven requests for an address with up to 50 records in
 * each list, and some tens for a busy one. They cost credits, too.
 *
 * The bounds hold even if the instance hides transfers of scam tokens or shortens pages. `max` is null where the service states no
 * bound: for NFTs, tokens, logs and withdrawals past their first page or 50, for lists without an address, for more than 10,000
 * internal transactions, or transfers of one standard, and for transfers of a service that lacks an action for them. Retries are
 * not included, nor are records that arrive later, because the service caches its counters.
 *
 * The call itself is not started.
 *
 * @example
 * ```ts
 * import { estimate } from "address-query/estimate";
 * import { history, saveFile, toCsv } from "address-query/history";
 *
 * const events = history(client, { address_hash, from: new Date("2026-01-01") });
 * const { records, credits, seconds } = await estimate(events);
 * if (credits.max !== null && credits.max <= 5_000) {
 *   const total = records.max ?? undefined;
 *   await saveFile(toCsv(events, { total, onProgress: ({ fraction }) => console.log(fraction) }), "2026.csv");
 * }
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for parameters that the call would reject, or a value that is not a call. Other
 * failures only if the service could not be reached at all.
 */
export async function estimate(call: EstimatedCall, options?: EstimateOptions): Promise<Estimate> {
  checkNames("option", options ?? {}, ["signal"]);
  const { signal } = options ?? {};
  checkCallOptions({ signal });
  // A watch has no end, and no plan.
  const { plan: getPlan } = Object(call) as { plan?(options: EstimateOptions): Plan | Promise<Plan | undefined> };
  const plan = await getPlan?.call(call, { signal });
  if (plan === undefined) throw createParameterError("call", "must be the result of a list method, of all() or of history");
  const reader = new ClientReader(plan.client, { signal });
  return summarize(reader, await estimatePlan(reader, plan));
}

function estimatePlan(reader: ClientReader, plan: Plan): Promise<Needs> {
  if ("reads" in plan) return estimateHistory(reader, plan);
  return "open" in plan ? estimateList(reader, plan) : estimateRange(reader, plan);
}

/** Chains of requests are concurrent if the rate limit permits it, and sequential at worst. */
function summarize({ client, latency }: ClientReader, { records, chains }: Needs): Estimate {
  const interval = 1000 / (client.limits.maxPerSecond ?? Number.POSITIVE_INFINITY);
  const requests = sum(...chains.map(({ requests }) => requests));
  const longest = Math.max(0, ...chains.map(({ requests, concurrency }) => requests.min / (concurrency ?? 1)));
  const ms = {
    // The first request waits for none.
    min: Math.max(longest * Math.min(latency.min, latency.max), (requests.min - 1) * interval),
    max: requests.max * Math.max(latency.max, interval),
  };
  // An instance that charges credits has charged some for the counters.
  const isCharged = client.credits.spent > 0;
  const credits = chains.map(({ requests: { min, max }, price }) => ({ min: min * price, max: max * price }));
  return {
    records: toRange(records),
    requests: toRange(requests),
    credits: isCharged ? toRange(sum(...credits)) : { min: 0, max: 0 },
    seconds: toRange({ min: ms.min / 1000, max: ms.max / 1000 }),
  };
}

function toRange({ min, max }: Span): EstimatedRange {
  return { min, max: Number.isFinite(max) ? max : null };
}
