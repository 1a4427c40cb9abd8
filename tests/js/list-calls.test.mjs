// List methods: awaiting the first page, iterating over records and pages, toArray and resuming.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { types } from "node:util";
import {
  BASE,
  HASH,
  WITHDRAWALS,
  collect,
  createDeferred,
  createFetch,
  expectError,
  flushTasks,
  indices,
  listWithdrawals,
  neverRespond,
  page,
  row,
  stallBody,
} from "./support.mjs";
import { AddressClient } from "../../pkg/index.js";
import { bind } from "../../target/parts/bindings.js";
import { Client } from "../../target/parts/client.js";
import { Loader } from "../../target/parts/loader.js";

describe("awaiting", () => {
  test("returns the first page", async () => {
    const fetch = createFetch(page([9, 8], 8));
    const call = listWithdrawals(fetch);
    const first = await call;
    assert.deepEqual(first.items, [row(9), row(8)]);
    assert.deepEqual(first.next_page_params, { items_count: 50, index: 8 });
    assert.match(first.resumeToken, /^aq1\.addressWithdrawals\./);
    assert.equal(call.resumeToken, first.resumeToken);
    assert.deepEqual(fetch.urls(), [WITHDRAWALS]);
  });

  test("sends a plain GET request without credentials and without headers", async () => {
    const fetch = createFetch(page([]));
    await listWithdrawals(fetch);
    const [request] = fetch.requests;
    assert.ok(request instanceof Request);
    assert.deepEqual([request.method, request.credentials, [...request.headers]], ["GET", "omit", []]);
  });

  test("sends one request, however often the call is awaited, and none before", async () => {
    const fetch = createFetch(page([9]));
    const call = listWithdrawals(fetch);
    call.pages();
    call[Symbol.asyncIterator]();
    await flushTasks();
    assert.equal(fetch.requests.length, 0);
    const [first, second] = await Promise.all([call, call]);
    assert.equal(first, second);
    assert.equal(await call.finally(() => {}), first);
    assert.equal(fetch.requests.length, 1);
  });

  test("supports then, catch and finally", async () => {
    const call = () => listWithdrawals(createFetch(() => new Response("", { status: 500 })));
    assert.equal(await call().catch(({ status }) => status), 500);
    assert.equal(await call().then(undefined, ({ status }) => status), 500);
    let finished = 0;
    await expectError(
      call().finally(() => (finished += 1)),
      "http_status",
    );
    assert.equal(finished, 1);
  });

  test("a list call is a promise that stays lazy until it is awaited", async () => {
    const fetch = createFetch(page([9]));
    const call = listWithdrawals(fetch);
    assert.ok(call instanceof Promise);
    assert.ok(types.isPromise(call));
    assert.equal(Object.prototype.toString.call(call), "[object Promise]");
    await flushTasks();
    assert.equal(fetch.requests.length, 0);
    const chained = call.then((page) => page);
    assert.equal(chained.constructor, Promise);
    assert.equal((await chained).items.length, 1);
    assert.equal(fetch.requests.length, 1);
  });

  test("every way to wait for a promise reads the first page", async () => {
    const waits = {
      await: async (call) => await call,
      "async return": async (call) => call,
      "Promise.resolve": (call) => Promise.resolve(call),
      "Promise.all": (call) => Promise.all([call]).then(([page]) => page),
      "Promise.race": (call) => Promise.race([call, new Promise(() => {})]),
      "the resolve function": (call) => new Promise((resolve) => resolve(call)),
      "return from then": (call) => Promise.resolve().then(() => call),
      finally: (call) => call.finally(() => {}),
      catch: (call) => call.catch(() => {}),
      "Promise.allSettled": async (call) => (await Promise.allSettled([call]))[0].value,
    };
    for (const [name, wait] of Object.entries(waits)) {
      const fetch = createFetch(page([9]));
      assert.deepEqual(indices((await wait(listWithdrawals(fetch))).items), [9], name);
      assert.equal(fetch.requests.length, 1, name);
    }
  });

  test("a failure that the caller handles is not reported as unhandled", async () => {
    const unhandled = [];
    const record = (reason) => unhandled.push(reason);
    process.on("unhandledRejection", record);
    const createFailingCall = () => listWithdrawals(createFetch(() => new Response("", { status: 500 })));
    await expectError(collect(createFailingCall()), "http_status");
    await expectError(createFailingCall().toArray({ limit: 1 }), "http_status");
    await expectError(createFailingCall().pages().next(), "http_status");
    await expectError(createFailingCall(), "http_status");
    for (let i = 0; i < 5; i++) await flushTasks();
    process.off("unhandledRejection", record);
    assert.deepEqual(unhandled, []);
  });

  test("ignores later changes of the parameters", async () => {
    const fetch = createFetch(page([1]), page([2]));
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const params = { address_hash: HASH };
    const first = client.addressWithdrawals(params);
    params.address_hash = `0x${"1".repeat(40)}`;
    const second = client.addressWithdrawals(params);
    await first;
    await second;
    assert.deepEqual(fetch.urls(), [WITHDRAWALS, WITHDRAWALS.replace(HASH, params.address_hash)]);
    const type = ["ERC-20"];
    const filtered = createFetch('{"items":[]}');
    const third = new AddressClient({ baseUrl: BASE, fetch: filtered }).tokenTransfers({ type });
    type[0] = "ERC-721";
    await third;
    assert.deepEqual(filtered.urls(), [`${BASE}/api/v2/token-transfers?type=ERC-20`]);
  });
});

describe("iterating", () => {
  const createFetchOfThreePages = () => createFetch(page([9, 8], 8), page([], 7), page([6]));

  test("returns every record", async () => {
    const fetch = createFetchOfThreePages();
    const call = listWithdrawals(fetch);
    assert.deepEqual(indices(await collect(call)), [9, 8, 6]);
    assert.deepEqual(fetch.urls(), [
      WITHDRAWALS,
      `${WITHDRAWALS}?items_count=50&index=8`,
      `${WITHDRAWALS}?items_count=50&index=7`,
    ]);
    assert.equal(call.resumeToken, null);
  });

  test("returns every page, including empty ones", async () => {
    const pages = await collect(listWithdrawals(createFetchOfThreePages()).pages());
    assert.deepEqual(
      pages.map(({ items }) => indices(items)),
      [[9, 8], [], [6]],
    );
    assert.deepEqual(
      pages.map(({ resumeToken }) => typeof resumeToken),
      ["string", "string", "object"],
    );
    assert.equal(pages[2].next_page_params, null);
  });

  test("starts again each time", async () => {
    const call = listWithdrawals(createFetch(page([1]), page([1]), page([1])));
    assert.deepEqual(indices(await collect(call)), [1]);
    assert.deepEqual(indices((await call).items), [1]);
    assert.deepEqual(indices(await collect(call)), [1]);
  });

  test("returns the results of concurrent next calls in order", async () => {
    const fetch = createFetchOfThreePages();
    const iterator = listWithdrawals(fetch)[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 5 }, () => iterator.next()));
    assert.deepEqual(
      results.map(({ done, value }) => (done ? "done" : value.index)),
      [9, 8, 6, "done", "done"],
    );
    assert.equal(fetch.requests.length, 3);
    const pages = listWithdrawals(createFetchOfThreePages()).pages();
    const pageResults = await Promise.all([pages.next(), pages.next(), pages.next(), pages.next()]);
    assert.deepEqual(
      pageResults.map(({ done, value }) => (done ? "done" : value.items.length)),
      [2, 0, 1, "done"],
    );
  });

  test("break cancels the request in flight", async () => {
    const fetch = createFetch(page([9, 8], 8), neverRespond);
    for await (const { index } of listWithdrawals(fetch)) {
      if (index === 8) break;
    }
    const prefetch = await fetch.sent(2);
    assert.equal(prefetch.signal.aborted, true);
  });

  test("break after the first record sends no further request", async () => {
    const fetch = createFetch(page([9, 8], 8));
    for await (const _ of listWithdrawals(fetch)) break;
    for await (const _ of listWithdrawals(createFetch(page([9], 9), neverRespond)).pages()) break;
    await flushTasks();
    assert.equal(fetch.requests.length, 1);
  });

  for (const [when, response] of [
    ["before the response", neverRespond],
    ["within the body", stallBody()],
  ]) {
    test(`return ends a page in flight at once, ${when}`, async () => {
      const fetch = createFetch(response);
      const iterator = listWithdrawals(fetch).pages();
      const pending = iterator.next();
      const { signal } = await fetch.sent(1);
      assert.deepEqual(await iterator.return("over"), { done: true, value: "over" });
      assert.deepEqual(await pending, { done: true, value: undefined });
      assert.equal(signal.aborted, true);
      assert.deepEqual(await iterator.next(), { done: true, value: undefined });
      assert.equal(fetch.requests.length, 1);
    });
  }

  test("return before the first request sends nothing", async () => {
    const fetch = createFetch();
    const iterator = listWithdrawals(fetch)[Symbol.asyncIterator]();
    const pending = iterator.next();
    await iterator.return();
    assert.deepEqual(await pending, { done: true, value: undefined });
    await flushTasks();
    assert.equal(fetch.requests.length, 0);
  });

  test("throw() rejects with the caller's error and ends the iteration", async () => {
    const iterator = listWithdrawals(createFetch(page([9], 9), neverRespond)).pages();
    await iterator.next();
    const reason = new Error("mine");
    await assert.rejects(iterator.throw(reason), (error) => error === reason);
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });

  test("an error ends it, after the records before the error", async () => {
    const iterator = listWithdrawals(createFetch(page([9], 9), () => new Response("", { status: 503 })))[Symbol.asyncIterator]();
    assert.equal((await iterator.next()).value.index, 9);
    await expectError(iterator.next(), "http_status", { status: 503 });
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });
});

describe("prefetch", () => {
  const createPages = () => [page([9, 8, 7], 7), page([6, 5], 5), page([4])];

  test("1 (default) fetches one page ahead when iterating over pages", async () => {
    for (const options of [undefined, { prefetch: 1 }]) {
      const fetch = createFetch(...createPages());
      const pages = listWithdrawals(fetch, options).pages();
      const counts = [];
      for (let i = 0; i < 3; i++) {
        await pages.next();
        await flushTasks();
        counts.push(fetch.requests.length);
      }
      assert.deepEqual(counts, [2, 3, 3]);
    }
  });

  test("1 fetches the next page after the second record of a page", async () => {
    const fetch = createFetch(...createPages());
    const records = listWithdrawals(fetch)[Symbol.asyncIterator]();
    const counts = [];
    for (let i = 0; i < 6; i++) {
      await records.next();
      await flushTasks();
      counts.push(fetch.requests.length);
    }
    assert.deepEqual(counts, [1, 2, 2, 2, 3, 3]);
  });

  test("0 fetches each page only when it is needed", async () => {
    const fetch = createFetch(...createPages());
    const pages = listWithdrawals(fetch, { prefetch: 0 }).pages();
    for (const count of [1, 2, 3]) {
      await pages.next();
      await flushTasks();
      assert.equal(fetch.requests.length, count);
    }
    const recordFetch = createFetch(...createPages());
    const records = listWithdrawals(recordFetch, { prefetch: 0 })[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i++) await records.next();
    await flushTasks();
    assert.equal(recordFetch.requests.length, 1);
  });

  test("the failure of a prefetched page is reported when that page is read", async () => {
    const iterator = listWithdrawals(createFetch(page([9, 8], 8), () => Promise.reject(new Error("gone")))).pages();
    const { value } = await iterator.next();
    await flushTasks();
    await expectError(iterator.next(), "network", { resumeToken: value.resumeToken });
  });
});

describe("toArray", () => {
  const call = (...responses) => listWithdrawals(createFetch(...responses));

  test("collects at most limit records, and fetches no unneeded page", async () => {
    for (const [limit, expected, requests] of [
      [1, [9], 1],
      [2, [9, 8], 1],
      [3, [9, 8, 6], 3],
      [4, [9, 8, 6, 5], 3],
      [1000, [9, 8, 6, 5], 3],
    ]) {
      const fetch = createFetch(page([9, 8], 8), page([], 7), page([6, 5]));
      assert.deepEqual(indices(await listWithdrawals(fetch).toArray({ limit })), expected);
      await flushTasks();
      assert.equal(fetch.requests.length, requests, `limit ${limit}`);
    }
  });

  test("requires a limit", async () => {
    for (const options of [
      undefined,
      null,
      {},
      { limit: 0 },
      { limit: -1 },
      { limit: 1.5 },
      { limit: "5" },
      { limit: Infinity },
      { limit: NaN },
    ]) {
      const fetch = createFetch();
      await expectError(listWithdrawals(fetch).toArray(options), "invalid_parameter", {
        parameter: "limit",
        message: "limit: must be an integer of at least 1, as in toArray({ limit: 1000 })",
      });
      assert.equal(fetch.requests.length, 0);
    }
  });

  test("an error has the collected records, and a token that continues after them", async () => {
    const respondWithError = () => new Response("", { status: 500 });
    const list = call(page([9, 8], 8), page([7], 7), respondWithError);
    const error = await expectError(list.toArray({ limit: 10 }), "http_status");
    assert.deepEqual(indices(error.partial), [9, 8, 7]);
    assert.match(error.resumeToken, /index=7$/);
    assert.equal(list.resumeToken, error.resumeToken);
    assert.equal(JSON.stringify(error).includes("partial"), false);

    const rest = listWithdrawals(createFetch(respondWithError), { resume: error.resumeToken });
    const again = await expectError(rest.toArray({ limit: 10 }), "http_status", { resumeToken: error.resumeToken });
    assert.deepEqual(again.partial, []);
    const first = await expectError(call(respondWithError).toArray({ limit: 10 }), "http_status", { resumeToken: undefined });
    assert.deepEqual(first.partial, []);
    assert.equal((await expectError(call(respondWithError), "http_status")).partial, undefined);
  });

  test("the error of an aborted call has the collected records", async () => {
    const controller = new AbortController();
    const fetch = createFetch(page([9, 8], 8), neverRespond);
    const collected = listWithdrawals(fetch, { signal: controller.signal }).toArray({ limit: 10 });
    await fetch.sent(2);
    controller.abort();
    const error = await expectError(collected, "aborted");
    assert.deepEqual(indices(error.partial), [9, 8]);
    assert.match(error.resumeToken, /index=8$/);
  });

  test("the resume token continues after the last complete page", async () => {
    const whole = call(page([9, 8], 8));
    await whole.toArray({ limit: 2 });
    assert.match(whole.resumeToken, /index=8$/);
    const part = call(page([9, 8], 8), page([7, 6], 6));
    await part.toArray({ limit: 3 });
    assert.match(part.resumeToken, /index=8$/);
    const all = call(page([9]));
    await all.toArray({ limit: 5 });
    assert.equal(all.resumeToken, null);
  });
});

describe("resuming", () => {
  const createToken = async () => (await listWithdrawals(createFetch(page([9], 9)))).resumeToken;

  test("continues after a page, in another client", async () => {
    const fetch = createFetch(page([8, 7], 7), page([6]));
    const call = listWithdrawals(fetch, { resume: await createToken() });
    assert.equal(call.resumeToken, await createToken());
    assert.deepEqual(indices(await collect(call)), [8, 7, 6]);
    assert.deepEqual(fetch.urls(), [`${WITHDRAWALS}?items_count=50&index=9`, `${WITHDRAWALS}?items_count=50&index=7`]);
    assert.equal(call.resumeToken, null);
  });

  test("after break repeats the interrupted page", async () => {
    const call = listWithdrawals(createFetch(page([9, 8], 8), page([7, 6], 6), neverRespond));
    for await (const { index } of call) if (index === 7) break;
    const fetch = createFetch(page([7, 6]));
    assert.deepEqual(indices(await collect(listWithdrawals(fetch, { resume: call.resumeToken }))), [7, 6]);
    assert.deepEqual(fetch.urls(), [`${WITHDRAWALS}?items_count=50&index=8`]);
  });

  test("iterating over a list that was awaited starts again, with its token", async () => {
    const list = listWithdrawals(createFetch(page([9, 8], 8), page([9, 8], 8), page([7])), { prefetch: 0 });
    await list;
    assert.match(list.resumeToken, /index=8$/);
    for await (const { index } of list) {
      assert.equal(index, 9);
      break;
    }
    assert.equal(list.resumeToken, null);
    const failing = listWithdrawals(createFetch(page([9, 8], 8), () => new Response("", { status: 500 })));
    await failing;
    await expectError(failing.pages().next(), "http_status");
    assert.equal(failing.resumeToken, null);
  });

  test("lists that fail for the same reason have separate tokens", async () => {
    const failToLoad = () => Promise.reject(new Error("offline"));
    const loader = new Loader(bind, failToLoad);
    const lists = await Promise.all(
      ["8", "6"].map(async (index) => (await listWithdrawals(createFetch(page([9], index)))).resumeToken),
    );
    const client = new Client({ baseUrl: BASE, fetch: createFetch() }, loader);
    const errors = await Promise.all(
      lists.map((resume) => expectError(collect(client.addressWithdrawals({ address_hash: HASH }, { resume })), "load")),
    );
    assert.deepEqual(
      errors.map(({ resumeToken }) => resumeToken),
      lists,
    );
    const refused = await expectError(collect(listWithdrawals(createFetch(), { resume: "garbage" })), "invalid_parameter", {
      parameter: "resume",
    });
    assert.equal(refused.resumeToken, undefined);
  });

  test("after an error loses no record and repeats none", async () => {
    const seen = [];
    let resume;
    let failures = 0;
    const fetch = createFetch(
      page([9, 8], 8),
      () => new Response('{"items":[{'),
      page([7], 7),
      () => Promise.reject(new TypeError("reset")),
      page([6]),
    );
    for (;;) {
      try {
        for await (const { index } of listWithdrawals(fetch, { resume })) seen.push(index);
        break;
      } catch (error) {
        failures += 1;
        ({ resumeToken: resume } = error);
      }
    }
    assert.deepEqual([seen, failures], [[9, 8, 7, 6], 2]);
  });

  test("a token of another call is rejected, and nothing is sent", async () => {
    const valid = await createToken();
    const fetch = createFetch();
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const assertRejected = (call) => expectError(call, "invalid_parameter", { parameter: "resume" });
    await assertRejected(client.addressLogs({ address_hash: HASH }, { resume: valid }));
    await assertRejected(client.addressWithdrawals({ address_hash: `0x${"1".repeat(40)}` }, { resume: valid }));
    await assertRejected(
      new AddressClient({ baseUrl: "https://gnosis.blockscout.com", fetch }).addressWithdrawals(
        { address_hash: HASH },
        { resume: valid },
      ),
    );
    for (const resume of ["", "x", valid.slice(0, -1), valid.replace("aq1", "aq0"), 7, {}, [valid]]) {
      await assertRejected(client.addressWithdrawals({ address_hash: HASH }, { resume }));
    }
    assert.equal(fetch.requests.length, 0);
    for (const none of [null, undefined])
      assert.equal((await listWithdrawals(createFetch(page([1])), { resume: none })).items.length, 1);
  });

  test("a list whose cursor repeats rejects with the last valid token", async () => {
    const pages = listWithdrawals(createFetch(page([9], 9), page([8], 8), page([9], 9))).pages();
    await pages.next();
    const { value } = await pages.next();
    await expectError(pages.next(), "cursor", { resumeToken: value.resumeToken });
  });
});

describe("a page with an invalid cursor", () => {
  const invalid = JSON.stringify({ items: [row(9), row(8)], next_page_params: { index: [8] } });

  test("is iterated over before the error", async () => {
    for (const prefetch of [0, 1]) {
      const call = listWithdrawals(createFetch(page([10], 10), invalid), { prefetch });
      const seen = [];
      const iteration = (async () => {
        for await (const { index } of call) seen.push(index);
      })();
      const { resumeToken } = await expectError(iteration, "cursor", { path: "next_page_params.index" });
      assert.deepEqual(seen, [10, 9, 8]);
      assert.equal(call.resumeToken, resumeToken);
      assert.equal(typeof resumeToken, "string");
    }
  });

  test("has a resume token, unlike the last page", async () => {
    const first = await listWithdrawals(createFetch(invalid));
    assert.deepEqual([indices(first.items), first.next_page_params], [[9, 8], null]);
    const resume = first.resumeToken;
    assert.equal(typeof resume, "string");
    await expectError(listWithdrawals(createFetch(invalid), { resume }), "cursor", { path: "next_page_params.index" });
    const fetch = createFetch(page([9, 8], 8), page([7]));
    assert.deepEqual(indices((await listWithdrawals(fetch, { resume })).items), [7]);
    assert.deepEqual(fetch.urls(), [WITHDRAWALS, `${WITHDRAWALS}?items_count=50&index=8`]);
  });

  test("is enough for toArray if it contains the last record needed", async () => {
    assert.deepEqual(indices(await listWithdrawals(createFetch(invalid)).toArray({ limit: 2 })), [9, 8]);
    await expectError(listWithdrawals(createFetch(invalid)).toArray({ limit: 3 }), "cursor");
  });
});

test("calls of one client do not block each other", async () => {
  const gate = createDeferred();
  const fetch = createFetch(() => gate.promise, page([2]), page([3]));
  const client = new AddressClient({ baseUrl: BASE, fetch });
  const call = (digit) => client.addressWithdrawals({ address_hash: `0x${digit.repeat(40)}` });
  const slow = call("1").then(({ items }) => indices(items));
  await fetch.sent(1);
  assert.deepEqual(indices((await call("2")).items), [2]);
  assert.deepEqual(indices((await call("3")).items), [3]);
  gate.resolve(new Response(page([1])));
  assert.deepEqual(await slow, [1]);
});
