// A history, a watch and an audit must not claim to be complete if a lookup failed or a list is out of order.
// growing-history-process.mjs has the random cases; `make soak` runs it with more seeds.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { approvals } from "../../pkg/approvals/index.js";
import { auditBalance, history, watch } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { ADDRESS, ScriptedService, getKind, KINDS } from "./service.mjs";
import { collect, createDeferred, expectError, flushTasks } from "./support.mjs";

const SEEDS = Number(process.env.SEEDS ?? 16);
const RANDOM_SCRIPT = fileURLToPath(new URL("growing-history-process.mjs", import.meta.url));
const REFUSED = [
  { status: "0", message: "Unknown module", result: null },
  { status: "0", message: "Endpoint disabled", result: null },
  { message: "Unexpected error" },
];
const KEYLESS = [{ status: "0", message: "NOTOK", result: "Missing/Invalid API Key" }];
const NONSENSE = [...["abc", {}, null, "-1"].map((blockNumber) => ({ blockNumber })), null].map((result) => ({
  status: "1",
  message: "OK",
  result,
}));

/** Whether a request looks up the newest block by time. */
const isLookup = (url) => url.includes("getblocknobytime");
/** Whether a request lists the newest blocks. */
const isBlockList = (url) => url.endsWith("/blocks");

function createChain() {
  const chain = new ScriptedService({ random: createRandom("complete", 1), clamp: 7 });
  chain.grow(30);
  return chain;
}

/** Creates a client of a chain. `respond` may replace a response. */
function createClient(chain, respond = () => undefined, baseUrl = "https://sample.invalid", options = {}) {
  const fetch = async (request) => (await respond(request.url)) ?? chain.fetch(request);
  return new AddressClient({ baseUrl, fetch, maxPerSecond: 1000, ...options });
}

const keysUpTo = (chain, to, include = KINDS) =>
  new Set(chain.getKeys().flatMap(([key, block]) => (block <= to && include.includes(getKind(key)) ? [key] : [])));
const keysOf = (events) => new Set(events.map(({ key }) => key));

test("a block that is mined during the lookup of the newest one is complete", async () => {
  for (const status of [200, 503]) {
    const chain = createChain();
    let lookups = 0;
    const client = createClient(chain, async (url) => {
      if (!isBlockList(url) || lookups++ > 0) return undefined;
      await delay(100);
      while (keysUpTo(chain, chain.head).size === keysUpTo(chain, chain.head - 1).size || chain.head < 1_031) chain.grow(1);
      return status === 200 ? undefined : new Response("", { status });
    });
    const call = history(client, { address_hash: ADDRESS });
    assert.deepEqual(keysOf(await collect(call)), keysUpTo(chain, call.report.to));
    assert.deepEqual([call.report.complete, call.report.to], [true, chain.head]);
  }
});

test("a block after the newest one is not the end of a history", async () => {
  const chain = createChain();
  for (const order of ["asc", "desc"]) {
    const call = history(createClient(chain), { address_hash: ADDRESS, order, to: 99_999_999 });
    await collect(call);
    assert.equal(call.report.to, chain.head);
  }
});

test("a history finds the newest block in the list of blocks, or by time if the list is refused", async () => {
  for (const [respond, boundMethod] of [
    [() => undefined, "blocks"],
    [() => new Response("", { status: 404 }), "getBlockNoByTime"],
    [() => new Response("", { status: 403 }), "getBlockNoByTime"],
    [() => Response.json({ items: [], next_page_params: null }), "getBlockNoByTime"],
    [() => Response.json({ items: "none" }), "getBlockNoByTime"],
  ]) {
    const chain = createChain();
    const client = createClient(chain, (url) => (isBlockList(url) ? respond() : undefined));
    for (const order of ["asc", "desc"]) {
      const call = history(client, { address_hash: ADDRESS, order });
      assert.deepEqual(keysOf(await collect(call)), keysUpTo(chain, chain.head));
      assert.deepEqual([call.report.complete, call.report.boundMethod, call.report.to], [true, boundMethod, chain.head]);
    }
  }
});

for (const [code, bodies] of Object.entries({ refused: REFUSED, api_key_required: KEYLESS, decode: NONSENSE })) {
  test(`the newest block of a watch comes from the list of blocks if its lookup fails with code ${code}`, async () => {
    for (const body of bodies) {
      const chain = createChain();
      const client = createClient(chain, (url) => (isLookup(url) ? Response.json(body) : undefined));
      const since = chain.head - 10;
      const expected = new Set(chain.getKeys().flatMap(([key, block]) => (block >= since ? [key] : [])));
      const events = [];
      for await (const event of watch(client, { address_hash: ADDRESS, since })) if (events.push(event) >= expected.size) break;
      assert.deepEqual(keysOf(events), expected, JSON.stringify(body));
    }
  });

  test(`a lookup that fails with code ${code} is an error of a history, a watch and an audit without a list of blocks`, async () => {
    for (const body of bodies) {
      const client = createClient(createChain(), (url) =>
        isLookup(url) ? Response.json(body) : isBlockList(url) ? new Response("", { status: 404 }) : undefined,
      );
      const params = { address_hash: ADDRESS };
      const title = JSON.stringify(body);
      for (const order of ["asc", "desc"]) {
        const call = history(client, { ...params, order });
        await assert.rejects(collect(call), { code }, title);
        assert.equal(call.report, null);
      }
      await assert.rejects(auditBalance(client, params), { code }, title);
      await assert.rejects(watch(client, params)[Symbol.asyncIterator]().next(), { code }, title);
    }
  });
}

for (const [title, respond, expected] of [
  ["a temporary failure", () => new Response("", { status: 503 }), { code: "http_status", status: 503, retryable: true }],
  ["a refusal", () => new Response("", { status: 429 }), { code: "rate_limited", retryable: true }],
  ["an abort", (abort) => abort() ?? new Promise(() => {}), { code: "aborted", cause: "no longer needed" }],
]) {
  test(`${title} of the list of blocks is the error, not the refusal of the lookup before`, async () => {
    for (const read of [
      (client, params) => collect(history(client, params)),
      (client, params) => auditBalance(client, params),
      (client, params) => approvals(client, params),
    ]) {
      const controller = new AbortController();
      const abort = () => controller.abort("no longer needed");
      const client = createClient(
        createChain(),
        (url) => (isLookup(url) ? Response.json(REFUSED[0]) : isBlockList(url) ? respond(abort) : undefined),
        undefined,
        { maxAttempts: 1 },
      );
      await assert.rejects(read(client, { address_hash: ADDRESS, signal: controller.signal }), expected);
    }
  });
}

for (const refused of [1, 4, 9]) {
  test(`a history whose account interface is refused from request ${refused} on continues over REST`, async () => {
    const chain = createChain();
    let requests = 0;
    const respond = (url) => {
      if (!url.includes("/api?module=account") || ++requests < refused) return undefined;
      return Response.json({ message: "Unauthorized", result: null, status: "0" }, { status: 401 });
    };
    const call = history(createClient(chain, respond), { address_hash: ADDRESS, order: "asc", concurrency: 1 });
    const events = await collect(call);
    assert.deepEqual(keysOf(events), keysUpTo(chain, chain.head));
    assert.equal(keysOf(events).size, events.length);
    const blocks = events.map(({ block_number }) => block_number);
    assert.deepEqual(
      blocks,
      blocks.toSorted((one, other) => one - other),
    );
    const { complete, sources } = call.report;
    const replaced = sources.flatMap(({ replaced, method }) => (replaced ? [[replaced.split(":")[0], method]] : []));
    assert.equal(complete, true);
    if (refused === 1) {
      assert.deepEqual(replaced, [
        ["txList", "addressTransactions"],
        ["txListInternal", "addressInternalTransactions"],
        ...["tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"].map((method) => [method, "addressTokenTransfers"]),
      ]);
      assert.match(sources[0].replaced, /^txList: .*"Unauthorized"; the service requires an API key/);
    }
    assert.ok(replaced.length > 0);
  });
}

test("a source that falls back to REST still reports what was missing before", async () => {
  const chain = createChain();
  let requests = 0;
  const respond = async (url) => {
    if (!url.includes("action=txlistinternal")) return undefined;
    if (++requests > 3) return new Response("", { status: 403 });
    const { result } = await (await chain.fetch({ url })).json();
    // Few enough rows that the range takes further requests.
    return Response.json({
      status: "2",
      message: "Some internal transactions are not processed yet",
      result: result.slice(0, 5),
    });
  };
  const include = ["internal_transaction"];
  const call = history(createClient(chain, respond), { address_hash: ADDRESS, order: "asc", include, concurrency: 1 });
  const events = await collect(call);
  const [{ replaced, state, reasons }] = call.report.sources;
  assert.deepEqual(keysOf(events), keysUpTo(chain, chain.head, include));
  assert.ok(replaced !== null && state === "incomplete", JSON.stringify(call.report));
  assert.match(reasons.join(), /not processed yet/);
});

test(`${SEEDS} histories whose account interface is refused at any time lose and repeat nothing`, async () => {
  let replacements = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = createRandom("refusals", seed);
    const chain = new ScriptedService({ random, clamp: 7 });
    chain.grow(30);
    const rate = random.pick([0.05, 0.3]);
    const respond = (url) =>
      url.includes("/api?module=account") && random.nextBoolean(rate)
        ? Response.json({ message: "Unauthorized", result: null, status: "0" }, { status: 401 })
        : undefined;
    const client = createClient(chain, respond);
    const events = [];
    for (let resume, isEnd = false; !isEnd; ) {
      const call = history(client, { address_hash: ADDRESS, order: "asc", resume, concurrency: random.pick([1, 2]) });
      const count = events.length + (random.nextBoolean(0.5) ? 1 + random.nextInt(20) : Number.POSITIVE_INFINITY);
      for await (const event of call) if (events.push(event) >= count) break;
      resume = call.resumeToken ?? undefined;
      isEnd = resume === undefined;
      replacements += call.report.sources.filter(({ replaced }) => replaced).length;
      assert.ok(!isEnd || call.report.complete, `seed ${seed}`);
    }
    assert.deepEqual(keysOf(events), keysUpTo(chain, chain.head), `seed ${seed}`);
    assert.equal(keysOf(events).size, events.length, `seed ${seed}`);
  }
  assert.ok(replacements > 0);
});

test("a refusal of both interfaces is an error, with a token", async () => {
  const respond = (url) =>
    isLookup(url) || isBlockList(url) ? undefined : Response.json({ message: "Unauthorized" }, { status: 401 });
  const call = history(createClient(createChain(), respond), { address_hash: ADDRESS, order: "asc" });
  await expectError(collect(call), "api_key_required");
  assert.equal(call.report.complete, false);
});

test("only the message that there is no block means an empty history", async () => {
  const body = { status: "0", message: "Block does not exist", result: null };
  const blocks = { items: [], next_page_params: null };
  const client = createClient(createChain(), (url) =>
    isLookup(url) ? Response.json(body) : isBlockList(url) ? Response.json(blocks) : undefined,
  );
  const call = history(client, { address_hash: ADDRESS });
  assert.deepEqual([await collect(call), call.report.complete], [[], true]);
  await assert.rejects(auditBalance(client, { address_hash: ADDRESS }), { code: "refused" });
});

test("a list that is out of order or overlaps ends a history with code cursor", async () => {
  for (const edit of [(items) => items.reverse(), (items) => items.push(items.shift()), (items) => items.push(items.at(-1))]) {
    for (const order of ["asc", "desc"]) {
      const chain = createChain();
      const client = createClient(chain, async (url) => {
        if (!url.includes("/withdrawals")) return undefined;
        const page = await (await chain.fetch({ url })).json();
        edit(page.items);
        return Response.json(page);
      });
      await expectError(collect(history(client, { address_hash: ADDRESS, order })), "cursor");
    }
  }
});

test("a negative block number is a decode error with its path", async () => {
  const chain = createChain();
  const client = createClient(chain, async (url) => {
    if (!url.includes("/withdrawals")) return undefined;
    const page = await (await chain.fetch({ url })).json();
    page.items[1].block_number = -5;
    return Response.json(page);
  });
  await expectError(collect(history(client, { address_hash: ADDRESS })), "decode", { path: "items[1].block_number" });
});

test("a token belongs to the base URL, and its position must be possible", async () => {
  const chain = createChain();
  const [client, other] = [createClient(chain), createClient(chain, undefined, "https://other.invalid")];
  const same = createClient(chain, undefined, "sample.invalid/api/v2/");
  for (const order of ["asc", "desc"]) {
    const call = history(client, { address_hash: ADDRESS, order });
    for await (const _ of call) break;
    const resume = call.resumeToken;
    await assert.rejects(collect(history(other, { address_hash: ADDRESS, order, resume })), {
      code: "invalid_parameter",
      parameter: "resume",
      resumeToken: undefined,
    });
    const rest = await collect(history(same, { address_hash: ADDRESS, order, resume }));
    assert.equal(rest.length, keysUpTo(chain, chain.head).size - 1);
    const impossible = decodeURIComponent(resume).replace(/"block":\d+/, '"block":-5');
    await assert.rejects(collect(history(client, { address_hash: ADDRESS, order, resume: encodeToken(impossible) })), {
      parameter: "resume",
    });
  }
  const watched = watch(client, { address_hash: ADDRESS, since: 1 });
  for await (const _ of watched) break;
  const since = watched.resumeToken;
  await assert.rejects(watch(other, { address_hash: ADDRESS, since })[Symbol.asyncIterator]().next(), { parameter: "since" });
  const impossible = decodeURIComponent(since).replace(/"from":\d+/, '"from":-1');
  const invalid = watch(client, { address_hash: ADDRESS, since: encodeToken(impossible) });
  await assert.rejects(invalid[Symbol.asyncIterator]().next(), { parameter: "since" });
});

for (const order of ["asc", "desc"]) {
  const include = ["withdrawal"];

  test(`a page that was requested before the newest block was known is not used, ${order}`, async () => {
    const chain = createChain();
    const held = createDeferred();
    let pages = 0;
    const client = createClient(chain, async (url) => {
      if (!url.endsWith("/withdrawals") || pages++ > 0) return undefined;
      const response = await chain.fetch({ url });
      chain.grow(20);
      await held.promise;
      return response;
    });
    const older = client.addressWithdrawals({ address_hash: ADDRESS }).then(({ items }) => items);
    await flushTasks();
    const call = history(client, { address_hash: ADDRESS, include, order });
    const events = collect(call);
    await delay(50);
    held.resolve();
    assert.deepEqual(keysOf(await events), keysUpTo(chain, chain.head, include));
    assert.ok((await older).length > 0);
  });
}

const encodeToken = (token) => token.slice(0, 5) + encodeURIComponent(token.slice(5));

test("the report of a growing chain is right, whatever disturbs the history", async () => {
  const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
  const { stdout } = await promisify(execFile)(execPath, [RANDOM_SCRIPT, ...seeds], { maxBuffer: 1 << 26 });
  const outcomes = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    outcomes.filter(({ error }) => error !== undefined),
    [],
  );
  assert.equal(outcomes.length, SEEDS);
});

test("the sample service states that there is no block", async () => {
  const { fetch } = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch });
  const call = history(client, { address_hash: ADDRESS, from: new Date("2200-01-01") });
  assert.deepEqual([await collect(call), call.report.complete], [[], true]);
});
