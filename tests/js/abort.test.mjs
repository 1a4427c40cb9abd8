// The caller's signal ends a call at any moment, and the caller's own reason comes back.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect, deaf, failure, hang, page, scripted, settle, stall, withdrawals } from "./support.mjs";

const LIMIT = { timeout: 10_000 };

class Cancelled extends Error {}

const REASONS = [new Cancelled("mine"), "text", 7, null, false, { code: 1 }];

/** A call whose signal is aborted once the n-th request is out and has had its time. */
async function abortAfter(n, fetch, read, reason) {
  const controller = new AbortController();
  const outcome = read(withdrawals(fetch, { signal: controller.signal }));
  outcome.catch(() => {});
  const request = await fetch.sent(n);
  await settle();
  controller.abort(reason);
  const error = await failure(outcome, "aborted");
  assert.equal(error.cause, controller.signal.reason);
  assert.equal(request.signal.aborted, true, "the request goes on");
  return error;
}

test("a request whose answer has come as a whole is not aborted after it", LIMIT, async () => {
  const fetch = scripted(page([1]));
  await withdrawals(fetch);
  assert.equal(fetch.requests[0].signal.aborted, false);
});

describe("a signal that is aborted", LIMIT, () => {
  test("before the call sends nothing", async () => {
    for (const reason of REASONS) {
      const fetch = scripted();
      const error = await failure(withdrawals(fetch, { signal: AbortSignal.abort(reason) }), "aborted");
      assert.equal(error.cause, reason);
      assert.ok("cause" in error);
      assert.equal(fetch.requests.length, 0);
    }
  });

  for (const [when, answer] of [
    ["before the head", hang], ["before the head of a fetch that does not listen", deaf], ["within the body", stall()],
  ]) {
    test(`${when} gives the caller's own reason`, async () => {
      for (const reason of REASONS) {
        const error = await abortAfter(1, scripted(answer), async (call) => await call, reason);
        assert.equal(error.cause, reason);
        assert.equal(error.message, "the call was aborted");
      }
    });
  }

  test("without a reason gives the signal's", async () => {
    const error = await abortAfter(1, scripted(hang), async (call) => await call);
    assert.ok(error.cause instanceof DOMException);
    assert.equal(error.cause.name, "AbortError");
  });

  test("by its timeout gives the timeout as the cause", async () => {
    const error = await failure(withdrawals(scripted(hang), { signal: AbortSignal.timeout(1) }), "aborted");
    assert.equal(error.cause.name, "TimeoutError");
  });

  test("ends iterations and collections, with the place to go on", async () => {
    const answers = () => scripted(page([9, 8], 8), hang);
    for (const read of [collect, (call) => collect(call.pages()), (call) => call.toArray({ limit: 10 })]) {
      const error = await abortAfter(2, answers(), read, "stop");
      assert.match(error.resumeToken, /index=8$/);
    }
  });

  test("ends an iteration before the next record, whatever was fetched already", async () => {
    for (const prefetch of [0, 1]) {
      const controller = new AbortController();
      const call = withdrawals(scripted(page([9, 8], 8), page([7, 6, 5], 5), page([4], 4), hang), { signal: controller.signal, prefetch });
      const given = [];
      const error = await failure((async () => {
        for await (const { index } of call) {
          given.push(index);
          await settle();
          if (index === 6) controller.abort("enough");
        }
      })(), "aborted", { cause: "enough" });
      assert.deepEqual(given, [9, 8, 7, 6]);
      // Records of the page that was broken off come again.
      assert.match(error.resumeToken, /index=8$/);
      assert.equal(call.resumeToken, error.resumeToken);
    }
  });

  test("behind the last record ends an iteration as it is: nothing is left", async () => {
    for (const read of [(call) => call, (call) => call.pages()]) {
      const controller = new AbortController();
      let records = 0;
      for await (const value of read(withdrawals(scripted(page([9, 8])), { signal: controller.signal }))) {
        records += value.items?.length ?? 1;
        if (records === 2) controller.abort();
      }
      assert.equal(records, 2);
    }
  });

  test("in the middle of an event of the call says where to go on, too", async () => {
    const controller = new AbortController();
    const onEvent = ({ kind, url }) => kind === "request" && url.includes("index=8") && controller.abort();
    const call = withdrawals(scripted(page([9, 8], 8), hang), { signal: controller.signal, prefetch: 0 }, { onEvent });
    const error = await failure(collect(call), "aborted");
    assert.match(error.resumeToken, /index=8$/);
  });

  test("between two pages sends no more", async () => {
    const fetch = scripted(page([9], 9));
    const controller = new AbortController();
    const pages = withdrawals(fetch, { signal: controller.signal, prefetch: 0 }).pages();
    await pages.next();
    controller.abort("stop");
    const error = await failure(pages.next(), "aborted");
    assert.equal(error.cause, "stop");
    assert.equal(fetch.requests.length, 1);
  });

  test("after the end changes nothing", async () => {
    const controller = new AbortController();
    const call = withdrawals(scripted(page([9])), { signal: controller.signal });
    const first = await call;
    controller.abort();
    assert.equal(await call, first);
  });

  test("ends its own call only", async () => {
    const controller = new AbortController();
    const fetch = scripted(hang, page([8]));
    const one = failure(withdrawals(fetch, { signal: controller.signal }), "aborted");
    await fetch.sent(1);
    const two = withdrawals(fetch);
    controller.abort();
    await one;
    assert.equal((await two).items.length, 1);
  });
});

test("a signal is let go of with each page", LIMIT, async () => {
  const { signal } = new AbortController();
  const listeners = new Set();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (type, listener, ...more) => {
    listeners.add(listener);
    addEventListener.call(signal, type, listener, ...more);
  };
  signal.removeEventListener = (type, listener, ...more) => {
    listeners.delete(listener);
    removeEventListener.call(signal, type, listener, ...more);
  };
  await collect(withdrawals(scripted(page([9], 9), page([8], 8), page([7])), { signal }));
  await failure(withdrawals(scripted(() => Promise.reject(new Error("gone"))), { signal }), "network");
  assert.equal(listeners.size, 0);
});

describe("the deadline", LIMIT, () => {
  for (const [what, answer] of [["without an answer", hang], ["of a fetch that does not listen", deaf], ["within the body", stall()]]) {
    test(`ends a request ${what}`, async () => {
      const fetch = scripted(answer);
      const error = await failure(withdrawals(fetch, { timeoutMs: 1 }), "timeout");
      assert.equal(error.message, "no complete answer within 1 ms; try again or raise timeoutMs");
      assert.equal(fetch.requests[0].signal.aborted, true);
    });
  }

  test("of the client holds unless the call has one", async () => {
    await failure(withdrawals(scripted(hang), undefined, { timeoutMs: 1 }), "timeout");
    await failure(withdrawals(scripted(hang), { timeoutMs: 1 }, { timeoutMs: 60_000 }), "timeout");
  });
});
