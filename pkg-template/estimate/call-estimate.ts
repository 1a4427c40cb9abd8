// Estimates list calls and ranges of `all()`.
import type { CallPlan } from "../public.js";
import type { AnyListPlan, ClientReader } from "./client-reader.js";
import { countAll, countListed, countRows } from "./counters.js";
import { type Needs, ONE } from "./needs.js";
import { countPages, createListChain, createRangeChain } from "./requests.js";

/** Parameters that leave out no record. */
const ORDERS = ["sort", "order"];

export async function estimateList(reader: ClientReader, plan: AnyListPlan): Promise<Needs> {
  const { operation, params, options } = plan;
  const { address_hash, ...others } = params;
  const isFiltered = Object.entries(others).some(([parameter, value]) => value != null && !ORDERS.includes(parameter));
  const { records, rows, page } = await countListed(reader, plan, isFiltered);
  const { concurrency, pageSize, order, resume, fromBlock, toBlock } = options;
  const isPart = (resume ?? fromBlock ?? toBlock) != null;
  const isOnlyPage = page?.resumeToken === null && !pageSize;
  const sizing = order === "asc" ? { pageSize } : options;
  const pages = isOnlyPage ? ONE : await countPages(reader, isPart ? { ...rows, min: 0 } : rows, sizing);
  return {
    records: isPart ? { ...records, min: 0 } : records,
    chains: [createListChain(operation, pages, order, concurrency)],
  };
}

export async function estimateRange(reader: ClientReader, { operation, params, options }: CallPlan): Promise<Needs> {
  const { address, sort, ...others } = params;
  const all = await countAll(reader, operation, address);
  const rows = await countRows(reader, operation, { address, ...others }, all.max);
  const records = options.resume == null ? rows : { ...rows, min: 0 };
  return { records, chains: [createRangeChain(operation, records, options.concurrency)] };
}
