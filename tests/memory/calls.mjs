// The WebAssembly memory that calls leave behind, by the allocator's own count. Runs in Node and in a page.
import { bind } from "../../target/bench/parts/bindings.js";
import { Client } from "../../target/bench/parts/client.js";
import { history } from "../../target/bench/parts/history/index.js";
import { Loader } from "../../target/bench/parts/loader.js";
import { ADDRESS, ScriptedService } from "../js/service.mjs";

const BLOCKS = 8;
const PAGE_SIZE = 4;
/** Calls for so long come before the first count: they fill the buffers that a client keeps. The longest lasts 4 s. */
const WARM_UP_MS = 5_000;
/** A broken-off iteration ends after this many records. It reads ahead by then. */
const RECORDS = 3 * PAGE_SIZE;
/** The calls are made in this many rounds. */
const ROUNDS = 5;

const ADDRESS_HASH = { address_hash: ADDRESS };

async function readAll(iterable) {
  for await (const _ of iterable);
}

async function breakOff(iterable) {
  let count = 0;
  for await (const _ of iterable) if (++count === RECORDS) return;
  throw new Error(`only ${count} records`);
}

async function fail(iterable) {
  const failed = await readAll(iterable).then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error("the call did not fail");
}

/** Iterations by name, and the first of their requests that fails. Each is ended, broken off and failed. */
const ITERATIONS = {};
for (const concurrency of [1, 2, 4]) {
  const name = (kind) => `${kind}, concurrency ${concurrency}`;
  ITERATIONS[name("list")] = [(client) => client.addressTokenTransfers(ADDRESS_HASH, { concurrency }), 5];
  for (const sort of ["desc", "asc"]) {
    const params = { address: ADDRESS, startblock: 1, endblock: 1_000_000, sort };
    ITERATIONS[name(`all() ${sort}`)] = [(client) => client.account.txListInternal.all(params, { concurrency }), 1];
    ITERATIONS[name(`history ${sort}`)] = [(client) => history(client, { ...ADDRESS_HASH, order: sort, concurrency }), 4];
  }
}

/** Loads the module. Returns its client class, and a function that counts the allocated bytes. */
async function load(bytes) {
  const loader = new Loader(bind, () => WebAssembly.compile(bytes));
  class CountedClient extends Client {
    constructor(options) {
      super(options, loader);
    }
  }
  const { classes } = await loader.load();
  return { CountedClient, countBytes: () => classes.Bench.countAllocatedBytes() };
}

/**
 * Makes `count` calls of each kind one after the other. Calls `report` with the name of each and the bytes by which the allocated
 * memory grew. That is measured for each round, and the median counts: a buffer that has grown once is not left behind by a call.
 * `nextTask` resolves in a later task of the event loop.
 */
export async function measureCalls(bytes, count, nextTask, report) {
  const { CountedClient, countBytes } = await load(bytes);
  const chain = new ScriptedService({ random: { nextBoolean: () => true, nextInt: () => 0 }, clamp: PAGE_SIZE });
  chain.grow(BLOCKS);
  let remaining = 0;
  const failingFetch = (request) =>
    --remaining > 0 ? chain.fetch(request) : Promise.resolve(new Response("{}", { status: 400 }));
  const createClient = (fetch) => new CountedClient({ baseUrl: "https://sample.invalid", fetch, maxAttempts: 1 });
  const [client, failing] = [createClient(chain.fetch), createClient(failingFetch)];

  const calls = {
    "single call": () => client.addressWithdrawals(ADDRESS_HASH),
    action: () => client.account.tokenTx({ address: ADDRESS, page: 1, offset: 10 }),
    "single call, aborted": async () => {
      const controller = new AbortController();
      const call = client.addressWithdrawals(ADDRESS_HASH, { signal: controller.signal }).catch(() => {});
      controller.abort();
      await call;
    },
  };
  for (const [name, [open, failingRequest]] of Object.entries(ITERATIONS)) {
    calls[`${name}, ended`] = () => readAll(open(client));
    calls[`${name}, broken off`] = () => breakOff(open(client));
    calls[`${name}, failed`] = () => {
      remaining = failingRequest;
      return fail(open(failing));
    };
  }
  for (const [name, call] of Object.entries(calls)) {
    const repeat = async (times) => {
      for (let i = 0; i < times; i++) await call();
      // Requests that were aborted end in a later task.
      for (let i = 0; i < 3; i++) await nextTask();
      return countBytes();
    };
    const growth = [];
    for (const end = Date.now() + WARM_UP_MS; Date.now() < end; ) await repeat(1);
    let before = await repeat(1);
    for (let round = 0; round < ROUNDS; round++) {
      const after = await repeat(count / ROUNDS);
      growth.push(after - before);
      before = after;
    }
    const [, , median] = growth.sort((a, b) => a - b);
    report(name, median * ROUNDS);
  }
}
