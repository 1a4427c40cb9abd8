// What a list call, or a range of `all()`, needs.
import type { CallPlan } from "../call.js";
import { DEFAULT_CONCURRENCY } from "../limits.js";
import { countAll, countRows } from "./counters.js";
import { getOperation, getPrice, type Needs } from "./needs.js";
import { countPages, countWindows } from "./requests.js";
import type { SessionReader } from "./session-reader.js";
import type { Span } from "./span.js";

/** Parameters that leave out no record. */
const ORDERS = ["sort", "order"];

export async function estimateList(reader: SessionReader, { name, call }: CallPlan): Promise<Needs> {
  const { address_hash, ...others } = call.params;
  const isFiltered = Object.entries(others).some(([parameter, value]) => value != null && !ORDERS.includes(parameter));
  const isResumed = call.resumeToken !== null;
  const all = await countAll(reader, getOperation(name), address_hash);
  const isUncounted = all.min === 0 && all.max === Number.POSITIVE_INFINITY;
  const listed = isFiltered || isUncounted ? await countListed(reader, name, call.params, all) : all;
  const records = isResumed ? { ...listed, min: 0 } : listed;
  const { concurrency } = call.options;
  const requests = await countPages(reader, records, call.options);
  return { records, chains: [{ requests, concurrency, price: getPrice(name) }] };
}

/** Counts the records of the first page. If it is the only one, there are no others. */
export async function countListed(reader: SessionReader, name: string, params: object, { max }: Span): Promise<Span> {
  const page = await reader.getFirstPage(name, params);
  const min = page?.items.length ?? 0;
  return { min, max: page?.resumeToken ? Math.max(min, max) : min };
}

export async function estimateRange(reader: SessionReader, { name, call }: CallPlan): Promise<Needs> {
  const { address, sort, ...others } = call.params;
  const all = await countAll(reader, name, address);
  const rows = await countRows(reader, name, { address, ...others }, all.max);
  const records = call.resumeToken === null ? rows : { ...rows, min: 0 };
  const { concurrency = DEFAULT_CONCURRENCY } = call.options;
  return { records, chains: [{ requests: countWindows(records), concurrency, price: getPrice(name) }] };
}
