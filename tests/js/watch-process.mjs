// Watches random chains: node watch-process.mjs [--live] <seed> <seed> ... Prints a line of JSON for each seed. The test runner tracks
// every promise of its process, which takes about as long as the watches. With `--live`, a socket announces anything, or nothing.
import assert from "node:assert/strict";
import { argv } from "node:process";
import { watch } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { ADDRESS, ScriptedService, getKind, KINDS, readTemplates } from "./service.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const MINUTE = 60_000;
const VERSIONS = [8, 9, 11, 12];
const templates = new Map(await Promise.all(VERSIONS.map(async (version) => [version, await readTemplates(version)])));

await new AddressClient({ baseUrl: "https://sample.invalid", fetch: createSampleService().fetch }).addresses();
const time = new VirtualTime();

const SOCKET_FAULTS = ["refused", "unanswered", "silent", "duplicates", "reordered", "hostile_frames", "closes"];
const CHAIN_TOPIC = "transactions:new_transaction";
const SOCKET_EVENTS = ["transaction", "token_transfer", "balance", "pending_transaction", "phx_error", "phx_close", "other"];
let socketCount = 0;

/** The sockets of a service whose events have nothing to do with the chain. */
function createRandomSocket(seed) {
  const random = createRandom("socket", seed);
  const { sockets } = createSampleService();
  class WebSocket extends sockets.WebSocket {
    constructor(url) {
      super(url);
      socketCount += 1;
    }
  }
  const act = async () => {
    sockets.setFaults(...SOCKET_FAULTS.filter(() => random.nextBoolean(0.1)));
    const isStorm = random.nextBoolean(0.1);
    for (let left = isStorm ? 50 : random.nextInt(4); left > 0; left--) {
      await time.sleep(random.nextInt(isStorm ? 1_000 : 10_000));
      sockets.announce(`addresses:${ADDRESS}`, random.pick(SOCKET_EVENTS));
      if (random.nextBoolean(0.7)) sockets.announce(CHAIN_TOPIC, "transaction");
    }
    if (random.nextBoolean(0.1)) sockets.close(random.pick([1000, 1006]));
  };
  return { live: { WebSocket }, act };
}

/** Watches a chain that grows and is reorganised, with interruptions, failures and outages. Applies the events to a set of keys. */
async function watchRandomly(seed, { live, act } = {}) {
  const random = createRandom("watch", seed);
  const version = random.pick(VERSIONS);
  const clamp = random.pick([2, 7, 50]);
  const chain = new ScriptedService({
    random,
    clamp,
    version,
    templates: templates.get(version),
    fail: random.pick([0, 0, 0.1]),
  });
  let isOffline = false;
  const client = new AddressClient({
    baseUrl: "https://sample.invalid",
    maxAttempts: 2,
    fetch: async (request) => {
      if (isOffline) throw new TypeError("offline");
      return chain.fetch(request);
    },
  });
  const from = chain.head + 1;
  const included = KINDS.filter(() => random.nextBoolean(0.8));
  const include = included.length > 0 ? included : KINDS;
  const keys = new Map();
  const counts = { added: 0, removed: 0 };
  let since;
  let isOver = false;
  let controller;
  const apply = (notice) => {
    if (notice.kind === "removed") {
      assert.ok(keys.delete(notice.key), `removed, but not known: ${notice.key}`);
      counts.removed += 1;
    } else {
      assert.ok(!keys.has(notice.key), `came twice: ${notice.key}`);
      keys.set(notice.key, notice.block_number);
      counts.added += 1;
    }
  };
  const consume = async () => {
    while (!isOver) {
      controller = new AbortController();
      const call = watch(client, { address_hash: ADDRESS, include, since: since ?? from, signal: controller.signal, live });
      const breakAfter = random.nextBoolean(0.5) ? 1 + random.nextInt(20) : Number.POSITIVE_INFINITY;
      let count = 0;
      try {
        for await (const notice of call) {
          apply(notice);
          count += 1;
          if (count >= breakAfter) break;
        }
      } catch (error) {
        assert.equal(error.code, "aborted", error.stack);
      }
      since = call.resumeToken ?? since;
    }
  };
  const consumed = consume();
  let growth = 0;
  for (let step = 0; step < 25; step++) {
    await Promise.all([time.sleep(random.nextInt(40_000)), act?.()]);
    if (random.nextBoolean(0.6)) {
      // Many blocks at once, as after an outage, are read oldest first.
      const count = random.nextBoolean(0.03) ? 200 : 1 + random.nextInt(4);
      chain.grow(count);
      growth += count;
    }
    if (random.nextBoolean(0.25)) chain.reorganise(Math.min(growth, 1 + random.nextInt(6)));
    if (random.nextBoolean(0.1)) controller.abort();
    isOffline = random.nextBoolean(0.15);
  }
  isOffline = false;
  chain.change({ fail: 0 });
  await time.sleep(10 * MINUTE);
  isOver = true;
  controller.abort();
  await consumed;
  const expected = chain.getKeys().filter(([key]) => include.includes(getKind(key)));
  const blocks = new Map(expected);
  const missing = expected.filter(([key, block]) => keys.get(key) !== block);
  const extra = [...keys].filter(([key, block]) => blocks.get(key) !== block);
  return { counts, kinds: include.length, missing, extra };
}

const isLive = argv.includes("--live");
for (const seed of argv.slice(2).map(Number).filter(Number.isInteger)) {
  socketCount = 0;
  const watching = watchRandomly(seed, isLive ? createRandomSocket(seed) : undefined);
  const outcome = await time.run(watching).catch(({ stack }) => ({ error: stack }));
  console.log(JSON.stringify({ seed, sockets: socketCount, ...outcome }));
}
