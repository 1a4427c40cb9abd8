// What an export needs, before it starts.
import { type Estimate, type EstimatedCall, type EstimatedRange, estimate } from "address-query/estimate";
import { formatCount, formatInteger } from "../format/number.js";
import type { ExportSource } from "./source.js";

/** Returns null if nothing is known. A failed estimate is not worth an error. */
export async function estimateExport<Row>(source: ExportSource<Row>, signal?: AbortSignal): Promise<Estimate | null> {
  return source.isEstimated ? estimate(source.createCall() as EstimatedCall, { signal }).catch(() => null) : null;
}

/** "5,925 records", "60 to 61 requests", "up to 40 credits" or "at least 120 records". */
function formatRange({ min, max }: EstimatedRange, noun: string): string {
  if (max === null) return `at least ${formatCount(min, noun)}`;
  if (max === min) return formatCount(max, noun);
  return min === 0 ? `up to ${formatCount(max, noun)}` : `${formatInteger(min)} to ${formatCount(max, noun)}`;
}

/** "5,925 token transfers in 60 to 61 requests, for 1,800 to 1,830 credits". */
export function describeEstimate({ records, requests, credits }: Estimate, noun: string): string {
  const cost = credits.max === 0 ? "" : `, for ${formatRange(credits, "credit")}`;
  return `${formatRange(records, noun)} in ${formatRange(requests, "request")}${cost}`;
}
