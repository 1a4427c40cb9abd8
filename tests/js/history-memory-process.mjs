// Run by history-memory.test.mjs with --expose-gc: reads a history from a service that generates its rows on request. Prints the
// largest memory in use, in bytes: of the heap, and of everything that it refers to.
//
// node --expose-gc tests/js/history-memory-process.mjs desc 1000000
import { argv, memoryUsage } from "node:process";
import { setImmediate as runTasks } from "node:timers/promises";
import { history } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { ADDRESS, createItem, createRow } from "./service.mjs";

const PAGE_SIZE = 50;
const MAX_ROWS = 10_000;
const MEASUREMENTS = 8;
const LISTS = ["transactions", "internal-transactions", "token-transfers"];
const ACTIONS = ["txlist", "txlistinternal", "tokentx"];
const KINDS = ["transaction", "internal_transaction", "token_transfer"];

const [order, size] = argv.slice(2);
const count = Number(size);

/** The event of a block. Each block has one, and the three kinds alternate. */
function createEvent(block) {
  const hash = `0x${block.toString(16).padStart(64, "0")}`;
  return { kind: KINDS[block % KINDS.length], block, index: 1, hash, standard: "ERC-20", token_id: null };
}

/** Returns up to `limit` blocks with events of a kind, from a block on in this direction. */
function findBlocks(kind, from, to, step, limit) {
  const blocks = [];
  for (let block = from; blocks.length < limit && (step < 0 ? block >= to : block <= to); block += step) {
    if (block % KINDS.length === kind) blocks.push(block);
  }
  return blocks;
}

async function serve({ url }) {
  const { pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  if (query.action === "getblocknobytime") return respond({ blockNumber: String(count) });
  if (query.action !== undefined) {
    const [first, last] = [Math.max(1, Number(query.startblock)), Math.min(count, Number(query.endblock))];
    return respond(
      findBlocks(ACTIONS.indexOf(query.action), first, last, 1, MAX_ROWS).map((block) => createRow(createEvent(block))),
    );
  }
  if (pathname.endsWith("/backend")) return Response.json({ chain_type: null });
  if (pathname.endsWith("/indexing-status")) return Response.json({ finished_indexing: true, indexed_blocks_ratio: "1" });
  const kind = query.type === undefined ? LISTS.indexOf(pathname.split("/").at(-1)) : -1;
  const blocks = findBlocks(kind, Number(query.block_number ?? count + 1) - 1, 1, -1, PAGE_SIZE);
  const next_page_params = blocks.length < PAGE_SIZE ? null : { block_number: blocks.at(-1), index: 1 };
  return Response.json({ items: blocks.map((block) => createItem(createEvent(block))), next_page_params });
}

function respond(result) {
  const isEmpty = result.length === 0;
  return Response.json({ status: isEmpty ? "0" : "1", message: isEmpty ? "No transactions found" : "OK", result });
}

async function collectGarbage() {
  // Finalizers run in a later task, and released objects are collected in the next round.
  for (let round = 0; round < 3; round++) {
    gc();
    await runTasks();
  }
}

// Sample services share the rows of the last four seeds. Without the rows of the templates, garbage is collected ten times as fast.
for (let seed = 100; seed < 104; seed++) createSampleService({ seed });
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: serve, maxPerSecond: 1000 });
let heap = 0;
let total = 0;
let events = 0;
// With more concurrent requests, up to 20,000 rows for each of them are read ahead: a history of 10,000 events fills no buffer.
for await (const _ of history(client, { address_hash: ADDRESS, order, concurrency: 1 })) {
  events += 1;
  if (events % Math.floor(count / MEASUREMENTS) !== 0) continue;
  await collectGarbage();
  const { heapUsed, external } = memoryUsage();
  heap = Math.max(heap, heapUsed);
  total = Math.max(total, heapUsed + external);
}
if (events !== count) throw new Error(`${events} events instead of ${count}`);
console.log(heap, total);
