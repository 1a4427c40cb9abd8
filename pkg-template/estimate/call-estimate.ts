// What a list call, or a range of `all()`, needs.
import type { CallPlan } from "../call.js";
import { DEFAULT_CONCURRENCY } from "../limits.js";
import { countAll, countListed, countRows } from "./counters.js";
import { getPrice, type Needs } from "./needs.js";
import { countPages, countWindows } from "./requests.js";
import type { SessionReader } from "./session-reader.js";
import { ONE } from "./span.js";

/** Parameters that leave out no record. */
const ORDERS = ["sort", "order"];

export async function estimateList(reader: SessionReader, { name, call }: CallPlan): Promise<Needs> {
  const { address_hash, ...others } = call.params;
  const isFiltered = Object.entries(others).some(([parameter, value]) => value != null && !ORDERS.includes(parameter));
  const { records, rows, page } = await countListed(reader, name, call.params, isFiltered);
  const isResumed = call.resumeToken !== null;
  const { concurrency, pageSize } = call.options;
  const isOnlyPage = page?.resumeToken === null && !pageSize;
  const requests = isOnlyPage ? ONE : await countPages(reader, isResumed ? { ...rows, min: 0 } : rows, call.options);
  return { records: isResumed ? { ...records, min: 0 } : records, chains: [{ requests, concurrency, price: getPrice(name) }] };
}

export async function estimateRange(reader: SessionReader, { name, call }: CallPlan): Promise<Needs> {
  const { address, sort, ...others } = call.params;
  const all = await countAll(reader, name, address);
  const rows = await countRows(reader, name, { address, ...others }, all.max);
  const records = call.resumeToken === null ? rows : { ...rows, min: 0 };
  const { concurrency = DEFAULT_CONCURRENCY } = call.options;
  return { records, chains: [{ requests: countWindows(records), concurrency, price: getPrice(name) }] };
}
