// What a list method gives: a page to await, records and pages to iterate, a bounded number to collect.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { types } from "node:util";
import { BASE, HASH, WITHDRAWALS, collect, deferred, failure, hang, indices, page, row, scripted, settle, stall, withdrawals } from "./support.mjs";
import { AddressClient } from "../../pkg/index.js";
import { bind } from "../../target/parts/bindings.js";
import { Client } from "../../target/parts/client.js";
import { Loader } from "../../target/parts/loader.js";

describe("awaiting", () => {
  test("gives the first page", async () => {
    const fetch = scripted(page([9, 8], 8));
    const call = withdrawals(fetch);
    const first = await call;
    assert.deepEqual(first.items, [row(9), row(8)]);
    assert.deepEqual(first.next_page_params, { index: 8 });
    assert.match(first.resumeToken, /^aq1\.addressWithdrawals\./);
    assert.equal(call.resumeToken, first.resumeToken);
    assert.deepEqual(fetch.urls(), [WITHDRAWALS]);
  });

  test("sends a plain GET request without credentials and without headers", async () => {
    const fetch = scripted(page([]));
    await withdrawals(fetch);
    const [request] = fetch.requests;
    assert.ok(request instanceof Request);
    assert.deepEqual([request.method, request.credentials, [...request.headers]], ["GET", "omit", []]);
  });

  test("sends nothing before, and once however often", async () => {
    const fetch = scripted(page([9]));
    const call = withdrawals(fetch);
    call.pages();
    call[Symbol.asyncIterator]();
    await settle();
    assert.equal(fetch.requests.length, 0);
    const [one, two] = await Promise.all([call, call]);
    assert.equal(one, two);
    assert.equal(await call.finally(() => {}), one);
    assert.equal(fetch.requests.length, 1);
  });

  test("can be caught and finished as a promise", async () => {
    const call = () => withdrawals(scripted(() => new Response("", { status: 500 })));
    assert.equal(await call().catch(({ status }) => status), 500);
    assert.equal(await call().then(undefined, ({ status }) => status), 500);
    let finished = 0;
    await failure(call().finally(() => (finished += 1)), "http_status");
    assert.equal(finished, 1);
  });

  test("a list call is a promise that stays lazy until it is awaited", async () => {
    const fetch = scripted(page([9]));
    const call = withdrawals(fetch);
    assert.ok(call instanceof Promise);
    assert.ok(types.isPromise(call));
    assert.equal(Object.prototype.toString.call(call), "[object Promise]");
    await settle();
    assert.equal(fetch.requests.length, 0);
    const chained = call.then((page) => page);
    assert.equal(chained.constructor, Promise);
    assert.equal((await chained).items.length, 1);
    assert.equal(fetch.requests.length, 1);
  });

  test("every way to wait for a promise reads the first page", async () => {
    const ways = {
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
    for (const [name, wait] of Object.entries(ways)) {
      const fetch = scripted(page([9]));
      assert.deepEqual(indices((await wait(withdrawals(fetch))).items), [9], name);
      assert.equal(fetch.requests.length, 1, name);
    }
  });

  test("a failure that the caller handles is not reported as unhandled", async () => {
    const unhandled = [];
    const listen = (reason) => unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const fails = () => withdrawals(scripted(() => new Response("", { status: 500 })));
    const iterated = fails();
    await failure(collect(iterated), "http_status");
    await failure(fails().toArray({ limit: 1 }), "http_status");
    await failure(fails().pages().next(), "http_status");
    await failure(fails(), "http_status");
    for (let i = 0; i < 5; i++) await settle();
    process.off("unhandledRejection", listen);
    assert.deepEqual(unhandled, []);
  });

  test("keeps to the parameters of the moment it was called", async () => {
    const fetch = scripted(page([1]), page([2]));
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const params = { address_hash: HASH };
    const one = client.addressWithdrawals(params);
    params.address_hash = `0x${"1".repeat(40)}`;
    const two = client.addressWithdrawals(params);
    await one;
    await two;
    assert.deepEqual(fetch.urls(), [WITHDRAWALS, WITHDRAWALS.replace(HASH, params.address_hash)]);
    const type = ["ERC-20"];
    const filtered = scripted("{\"items\":[]}");
    const three = new AddressClient({ baseUrl: BASE, fetch: filtered }).tokenTransfers({ type });
    type[0] = "ERC-721";
    await three;
    assert.deepEqual(filtered.urls(), [`${BASE}/api/v2/token-transfers?type=ERC-20`]);
  });
});

describe("iterating", () => {
  const three = () => scripted(page([9, 8], 8), page([], 7), page([6]));

  test("gives every record", async () => {
    const fetch = three();
    const call = withdrawals(fetch);
    assert.deepEqual(indices(await collect(call)), [9, 8, 6]);
    assert.deepEqual(fetch.urls(), [WITHDRAWALS, `${WITHDRAWALS}?index=8`, `${WITHDRAWALS}?index=7`]);
    assert.equal(call.resumeToken, null);
  });

  test("gives every page, empty ones too", async () => {
    const pages = await collect(withdrawals(three()).pages());
    assert.deepEqual(pages.map(({ items }) => indices(items)), [[9, 8], [], [6]]);
    assert.deepEqual(pages.map(({ resumeToken }) => typeof resumeToken), ["string", "string", "object"]);
    assert.equal(pages[2].next_page_params, null);
  });

  test("begins anew each time", async () => {
    const call = withdrawals(scripted(page([1]), page([1]), page([1])));
    assert.deepEqual(indices(await collect(call)), [1]);
    assert.deepEqual(indices((await call).items), [1]);
    assert.deepEqual(indices(await collect(call)), [1]);
  });

  test("answers calls of next that are under way together, in order", async () => {
    const fetch = three();
    const iterator = withdrawals(fetch)[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 5 }, () => iterator.next()));
    assert.deepEqual(results.map(({ done, value }) => (done ? "done" : value.index)), [9, 8, 6, "done", "done"]);
    assert.equal(fetch.requests.length, 3);
    const pages = withdrawals(three()).pages();
    const turns = await Promise.all([pages.next(), pages.next(), pages.next(), pages.next()]);
    assert.deepEqual(turns.map(({ done, value }) => (done ? "done" : value.items.length)), [2, 0, 1, "done"]);
  });

  test("break ends the fetch under way", async () => {
    const fetch = scripted(page([9, 8], 8), hang);
    for await (const { index } of withdrawals(fetch)) {
      if (index === 8) break;
    }
    const ahead = await fetch.sent(2);
    assert.equal(ahead.signal.aborted, true);
  });

  test("break after the first record sends no more", async () => {
    const fetch = scripted(page([9, 8], 8));
    for await (const _ of withdrawals(fetch)) break;
    for await (const _ of withdrawals(scripted(page([9], 9), hang)).pages()) break;
    await settle();
    assert.equal(fetch.requests.length, 1);
  });

  for (const [what, answer] of [["before the head", hang], ["within the body", stall()]]) {
    test(`return ends a page under way at once, ${what}`, async () => {
      const fetch = scripted(answer);
      const iterator = withdrawals(fetch).pages();
      const pending = iterator.next();
      const { signal } = await fetch.sent(1);
      assert.deepEqual(await iterator.return("over"), { done: true, value: "over" });
      assert.deepEqual(await pending, { done: true, value: undefined });
      assert.equal(signal.aborted, true);
      assert.deepEqual(await iterator.next(), { done: true, value: undefined });
      assert.equal(fetch.requests.length, 1);
    });
  }

  test("return before the module is asked for anything sends nothing", async () => {
    const fetch = scripted();
    const iterator = withdrawals(fetch)[Symbol.asyncIterator]();
    const pending = iterator.next();
    await iterator.return();
    assert.deepEqual(await pending, { done: true, value: undefined });
    await settle();
    assert.equal(fetch.requests.length, 0);
  });

  test("throw rejects with the caller's error and ends the iteration", async () => {
    const iterator = withdrawals(scripted(page([9], 9), hang)).pages();
    await iterator.next();
    const reason = new Error("mine");
    await assert.rejects(iterator.throw(reason), (error) => error === reason);
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });

  test("an error ends it, after what came before", async () => {
    const iterator = withdrawals(scripted(page([9], 9), () => new Response("", { status: 503 })))[Symbol.asyncIterator]();
    assert.equal((await iterator.next()).value.index, 9);
    await failure(iterator.next(), "http_status", { status: 503 });
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });
});

describe("prefetch", () => {
  const answers = () => [page([9, 8, 7], 7), page([6, 5], 5), page([4])];

  test("1 (default) fetches one page ahead of the pages", async () => {
    for (const options of [undefined, { prefetch: 1 }]) {
      const fetch = scripted(...answers());
      const pages = withdrawals(fetch, options).pages();
      const counts = [];
      for (let i = 0; i < 3; i++) {
        await pages.next();
        await settle();
        counts.push(fetch.requests.length);
      }
      assert.deepEqual(counts, [2, 3, 3]);
    }
  });

  test("1 fetches ahead of the records from the second one of a page on", async () => {
    const fetch = scripted(...answers());
    const records = withdrawals(fetch)[Symbol.asyncIterator]();
    const counts = [];
    for (let i = 0; i < 6; i++) {
      await records.next();
      await settle();
      counts.push(fetch.requests.length);
    }
    assert.deepEqual(counts, [1, 2, 2, 2, 3, 3]);
  });

  test("0 fetches a page when it is asked for", async () => {
    const fetch = scripted(...answers());
    const pages = withdrawals(fetch, { prefetch: 0 }).pages();
    for (const count of [1, 2, 3]) {
      await pages.next();
      await settle();
      assert.equal(fetch.requests.length, count);
    }
    const one = scripted(...answers());
    const records = withdrawals(one, { prefetch: 0 })[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i++) await records.next();
    await settle();
    assert.equal(one.requests.length, 1);
  });

  test("a page that was fetched ahead in vain is told of when its turn comes", async () => {
    const iterator = withdrawals(scripted(page([9, 8], 8), () => Promise.reject(new Error("gone")))).pages();
    const { value } = await iterator.next();
    await settle();
    await failure(iterator.next(), "network", { resumeToken: value.resumeToken });
  });
});

describe("toArray", () => {
  const call = (...answers) => withdrawals(scripted(...answers));

  test("collects as many as asked for, and asks for no page more than it needs", async () => {
    for (const [limit, expected, requests] of [
      [1, [9], 1], [2, [9, 8], 1], [3, [9, 8, 6], 3], [4, [9, 8, 6, 5], 3], [1000, [9, 8, 6, 5], 3],
    ]) {
      const fetch = scripted(page([9, 8], 8), page([], 7), page([6, 5]));
      assert.deepEqual(indices(await withdrawals(fetch).toArray({ limit })), expected);
      await settle();
      assert.equal(fetch.requests.length, requests, `limit ${limit}`);
    }
  });

  test("wants a limit", async () => {
    for (const options of [undefined, null, {}, { limit: 0 }, { limit: -1 }, { limit: 1.5 }, { limit: "5" }, { limit: Infinity }, { limit: NaN }]) {
      const fetch = scripted();
      await failure(withdrawals(fetch).toArray(options), "invalid_parameter", {
        parameter: "limit",
        message: "limit: must be a whole number from 1 on: toArray({ limit: 1000 })",
      });
      assert.equal(fetch.requests.length, 0);
    }
  });

  test("an error has the records that were collected, and the token that continues behind them", async () => {
    const fails = () => new Response("", { status: 500 });
    const list = call(page([9, 8], 8), page([7], 7), fails);
    const error = await failure(list.toArray({ limit: 10 }), "http_status");
    assert.deepEqual(indices(error.partial), [9, 8, 7]);
    assert.match(error.resumeToken, /index=7$/);
    assert.equal(list.resumeToken, error.resumeToken);
    assert.equal(JSON.stringify(error).includes("partial"), false);

    const rest = withdrawals(scripted(fails), { resume: error.resumeToken });
    const again = await failure(rest.toArray({ limit: 10 }), "http_status", { resumeToken: error.resumeToken });
    assert.deepEqual(again.partial, []);
    const first = await failure(call(fails).toArray({ limit: 10 }), "http_status", { resumeToken: undefined });
    assert.deepEqual(first.partial, []);
    assert.equal((await failure(call(fails), "http_status")).partial, undefined);
  });

  test("an aborted call has the records that were collected", async () => {
    const controller = new AbortController();
    const fetch = scripted(page([9, 8], 8), hang);
    const collected = withdrawals(fetch, { signal: controller.signal }).toArray({ limit: 10 });
    await fetch.sent(2);
    controller.abort();
    const error = await failure(collected, "aborted");
    assert.deepEqual(indices(error.partial), [9, 8]);
    assert.match(error.resumeToken, /index=8$/);
  });

  test("the resume token stands where the last whole page ended", async () => {
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
  const token = async () => (await withdrawals(scripted(page([9], 9)))).resumeToken;

  test("goes on after a page, in another client", async () => {
    const fetch = scripted(page([8, 7], 7), page([6]));
    const call = withdrawals(fetch, { resume: await token() });
    assert.equal(call.resumeToken, await token());
    assert.deepEqual(indices(await collect(call)), [8, 7, 6]);
    assert.deepEqual(fetch.urls(), [`${WITHDRAWALS}?index=9`, `${WITHDRAWALS}?index=7`]);
    assert.equal(call.resumeToken, null);
  });

  test("after breaking off comes back to the page that was not finished", async () => {
    const call = withdrawals(scripted(page([9, 8], 8), page([7, 6], 6), hang));
    for await (const { index } of call) if (index === 7) break;
    const fetch = scripted(page([7, 6]));
    assert.deepEqual(indices(await collect(withdrawals(fetch, { resume: call.resumeToken }))), [7, 6]);
    assert.deepEqual(fetch.urls(), [`${WITHDRAWALS}?index=8`]);
  });

  test("a list that was awaited begins anew where it is iterated, and so does its token", async () => {
    const list = withdrawals(scripted(page([9, 8], 8), page([9, 8], 8), page([7])), { prefetch: 0 });
    await list;
    assert.match(list.resumeToken, /index=8$/);
    for await (const { index } of list) {
      assert.equal(index, 9);
      break;
    }
    assert.equal(list.resumeToken, null);
    const failing = withdrawals(scripted(page([9, 8], 8), () => new Response("", { status: 500 })));
    await failing;
    await failure(failing.pages().next(), "http_status");
    assert.equal(failing.resumeToken, null);
  });

  test("an error that several lists share leads each to its own place", async () => {
    const loading = () => Promise.reject(new Error("offline"));
    const loader = new Loader(bind, loading);
    const lists = await Promise.all(["8", "6"].map(async (index) => (await withdrawals(scripted(page([9], index)))).resumeToken));
    const client = new Client({ baseUrl: BASE, fetch: scripted() }, loader);
    const errors = await Promise.all(lists.map((resume) => failure(collect(client.addressWithdrawals({ address_hash: HASH }, { resume })), "load")));
    assert.deepEqual(errors.map(({ resumeToken }) => resumeToken), lists);
    const refused = await failure(collect(withdrawals(scripted(), { resume: "garbage" })), "invalid_parameter", { parameter: "resume" });
    assert.equal(refused.resumeToken, undefined);
  });

  test("after an error goes on with nothing lost or doubled", async () => {
    const seen = [];
    let resume;
    let failures = 0;
    const fetch = scripted(page([9, 8], 8), () => new Response("{\"items\":[{"), page([7], 7), () => Promise.reject(new TypeError("reset")), page([6]));
    for (;;) {
      try {
        for await (const { index } of withdrawals(fetch, { resume })) seen.push(index);
        break;
      } catch (error) {
        failures += 1;
        ({ resumeToken: resume } = error);
      }
    }
    assert.deepEqual([seen, failures], [[9, 8, 7, 6], 2]);
  });

  test("a token that does not belong here is refused, and nothing is sent", async () => {
    const good = await token();
    const fetch = scripted();
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const refused = (call) => failure(call, "invalid_parameter", { parameter: "resume" });
    await refused(client.addressLogs({ address_hash: HASH }, { resume: good }));
    await refused(client.addressWithdrawals({ address_hash: `0x${"1".repeat(40)}` }, { resume: good }));
    await refused(new AddressClient({ baseUrl: "https://gnosis.blockscout.com", fetch }).addressWithdrawals({ address_hash: HASH }, { resume: good }));
    for (const resume of ["", "x", good.slice(0, -1), good.replace("aq1", "aq0"), 7, {}, [good]]) {
      await refused(client.addressWithdrawals({ address_hash: HASH }, { resume }));
    }
    assert.equal(fetch.requests.length, 0);
    for (const none of [null, undefined]) assert.equal((await withdrawals(scripted(page([1])), { resume: none })).items.length, 1);
  });

  test("a list that turns back is an error with the last good place", async () => {
    const pages = withdrawals(scripted(page([9], 9), page([8], 8), page([9], 9))).pages();
    await pages.next();
    const { value } = await pages.next();
    await failure(pages.next(), "cursor", { resumeToken: value.resumeToken });
  });
});

describe("a page whose cursor cannot be read", () => {
  const broken = JSON.stringify({ items: [row(9), row(8)], next_page_params: { index: [8] } });

  test("gives its records to an iteration, then the error", async () => {
    for (const prefetch of [0, 1]) {
      const call = withdrawals(scripted(page([10], 10), broken), { prefetch });
      const seen = [];
      const reading = (async () => {
        for await (const { index } of call) seen.push(index);
      })();
      const { resumeToken } = await failure(reading, "cursor", { path: "next_page_params.index" });
      assert.deepEqual(seen, [10, 9, 8]);
      assert.equal(call.resumeToken, resumeToken);
      assert.equal(typeof resumeToken, "string");
    }
  });

  test("is not taken for the last one when it is awaited", async () => {
    const first = await withdrawals(scripted(broken));
    assert.deepEqual([indices(first.items), first.next_page_params], [[9, 8], null]);
    const resume = first.resumeToken;
    assert.equal(typeof resume, "string");
    await failure(withdrawals(scripted(broken), { resume }), "cursor", { path: "next_page_params.index" });
    const fetch = scripted(page([9, 8], 8), page([7]));
    assert.deepEqual(indices((await withdrawals(fetch, { resume })).items), [7]);
    assert.deepEqual(fetch.urls(), [WITHDRAWALS, `${WITHDRAWALS}?index=8`]);
  });

  test("is enough for a collection that ends in it", async () => {
    assert.deepEqual(indices(await withdrawals(scripted(broken)).toArray({ limit: 2 })), [9, 8]);
    await failure(withdrawals(scripted(broken)).toArray({ limit: 3 }), "cursor");
  });
});

test("calls of one client do not disturb each other", async () => {
  const gate = deferred();
  const fetch = scripted(() => gate.promise, page([2]), page([3]));
  const client = new AddressClient({ baseUrl: BASE, fetch });
  const call = (digit) => client.addressWithdrawals({ address_hash: `0x${digit.repeat(40)}` });
  const slow = call("1").then(({ items }) => indices(items));
  await fetch.sent(1);
  assert.deepEqual(indices((await call("2")).items), [2]);
  assert.deepEqual(indices((await call("3")).items), [3]);
  gate.resolve(new Response(page([1])));
  assert.deepEqual(await slow, [1]);
});
