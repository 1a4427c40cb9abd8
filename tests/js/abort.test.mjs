// A signal ends a call at any time, and its reason is the cause of the error.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  collect,
  createFetch,
  expectError,
  flushTasks,
  ignoreAbort,
  listWithdrawals,
  neverRespond,
  page,
  stallBody,
} from "./support.mjs";

const TIMEOUT = { timeout: 120_000 };

class Cancelled extends Error {}

const REASONS = [new Cancelled("mine"), "text", 7, null, false, { code: 1 }];

/** Aborts the signal of a call after the n-th request was sent. Returns the error. */
async function abortAfter(n, fetch, readCall, reason) {
  const controller = new AbortController();
  const outcome = readCall(listWithdrawals(fetch, { signal: controller.signal }));
  outcome.catch(() => {});
  const request = await fetch.sent(n);
  await flushTasks();
  controller.abort(reason);
  const error = await expectError(outcome, "aborted");
  assert.equal(error.cause, controller.signal.reason);
  assert.equal(request.signal.aborted, true, "the request was not aborted");
  return error;
}

test("a request is not aborted after its response is complete", TIMEOUT, async () => {
  const fetch = createFetch(page([1]));
  await listWithdrawals(fetch);
  assert.equal(fetch.requests[0].signal.aborted, false);
});

describe("a signal that is aborted", TIMEOUT, () => {
  test("before the call: nothing is sent", async () => {
    for (const reason of REASONS) {
      const fetch = createFetch();
      const error = await expectError(listWithdrawals(fetch, { signal: AbortSignal.abort(reason) }), "aborted");
      assert.equal(error.cause, reason);
      assert.ok("cause" in error);
      assert.equal(fetch.requests.length, 0);
    }
  });

  for (const [when, response] of [
    ["before the response", neverRespond],
    ["before the response of a fetch that ignores its signal", ignoreAbort],
    ["within the body", stallBody()],
  ]) {
    test(`${when}: the cause is its reason`, async () => {
      for (const reason of REASONS) {
        const error = await abortAfter(1, createFetch(response), async (call) => await call, reason);
        assert.equal(error.cause, reason);
        assert.equal(error.message, "the call was aborted");
      }
    });
  }

  test("without a reason: the cause is an AbortError", async () => {
    const error = await abortAfter(1, createFetch(neverRespond), async (call) => await call);
    assert.ok(error.cause instanceof DOMException);
    assert.equal(error.cause.name, "AbortError");
  });

  test("by AbortSignal.timeout: the cause is a TimeoutError", async () => {
    const error = await expectError(listWithdrawals(createFetch(neverRespond), { signal: AbortSignal.timeout(1) }), "aborted");
    assert.equal(error.cause.name, "TimeoutError");
  });

  test("ends iterations and toArray, with a resume token", async () => {
    const createFetchOfOnePage = () => createFetch(page([9, 8], 8), neverRespond);
    for (const read of [collect, (call) => collect(call.pages()), (call) => call.toArray({ limit: 10 })]) {
      const error = await abortAfter(2, createFetchOfOnePage(), read, "stop");
      assert.match(error.resumeToken, /index=8$/);
    }
  });

  test("ends an iteration before the next record, even if it was already fetched", async () => {
    for (const prefetch of [0, 1]) {
      const controller = new AbortController();
      const call = listWithdrawals(createFetch(page([9, 8], 8), page([7, 6, 5], 5), page([4], 4), neverRespond), {
        signal: controller.signal,
        prefetch,
      });
      const received = [];
      const error = await expectError(
        (async () => {
          for await (const { index } of call) {
            received.push(index);
            await flushTasks();
            if (index === 6) controller.abort("enough");
          }
        })(),
        "aborted",
        { cause: "enough" },
      );
      assert.deepEqual(received, [9, 8, 7, 6]);
      // The records of the interrupted page come again.
      assert.match(error.resumeToken, /index=8$/);
      assert.equal(call.resumeToken, error.resumeToken);
    }
  });

  test("after the last record does not fail the iteration", async () => {
    for (const iterate of [(call) => call, (call) => call.pages()]) {
      const controller = new AbortController();
      let records = 0;
      for await (const value of iterate(listWithdrawals(createFetch(page([9, 8])), { signal: controller.signal }))) {
        records += value.items?.length ?? 1;
        if (records === 2) controller.abort();
      }
      assert.equal(records, 2);
    }
  });

  test("in the onEvent callback: the error has a resume token", async () => {
    const controller = new AbortController();
    const onEvent = ({ kind, url }) => kind === "request" && url.includes("index=8") && controller.abort();
    const call = listWithdrawals(
      createFetch(page([9, 8], 8), neverRespond),
      { signal: controller.signal, prefetch: 0 },
      { onEvent },
    );
    const error = await expectError(collect(call), "aborted");
    assert.match(error.resumeToken, /index=8$/);
  });

  test("between two pages: nothing more is sent", async () => {
    const fetch = createFetch(page([9], 9));
    const controller = new AbortController();
    const pages = listWithdrawals(fetch, { signal: controller.signal, prefetch: 0 }).pages();
    await pages.next();
    controller.abort("stop");
    const error = await expectError(pages.next(), "aborted");
    assert.equal(error.cause, "stop");
    assert.equal(fetch.requests.length, 1);
  });

  test("after the end has no effect", async () => {
    const controller = new AbortController();
    const call = listWithdrawals(createFetch(page([9])), { signal: controller.signal });
    const first = await call;
    controller.abort();
    assert.equal(await call, first);
  });

  test("ends only its own call", async () => {
    const controller = new AbortController();
    const fetch = createFetch(neverRespond, page([8]));
    const aborted = expectError(listWithdrawals(fetch, { signal: controller.signal }), "aborted");
    await fetch.sent(1);
    const other = listWithdrawals(fetch);
    controller.abort();
    await aborted;
    assert.equal((await other).items.length, 1);
  });
});

test("all listeners are removed from a signal after the call", TIMEOUT, async () => {
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
  await collect(listWithdrawals(createFetch(page([9], 9), page([8], 8), page([7])), { signal }));
  await expectError(
    listWithdrawals(
      createFetch(() => Promise.reject(new Error("gone"))),
      { signal },
    ),
    "network",
  );
  assert.equal(listeners.size, 0);
});

describe("the timeout", TIMEOUT, () => {
  for (const [title, response] of [
    ["without a response", neverRespond],
    ["of a fetch that ignores its signal", ignoreAbort],
    ["within the body", stallBody()],
  ]) {
    test(`ends a request ${title}`, async () => {
      const fetch = createFetch(response);
      const error = await expectError(listWithdrawals(fetch, { timeoutMs: 1 }), "timeout");
      assert.equal(error.message, "no complete response within 1 ms; try again or raise timeoutMs");
      assert.equal(fetch.requests[0].signal.aborted, true);
    });
  }

  test("of the call overrides the timeout of the client", async () => {
    await expectError(listWithdrawals(createFetch(neverRespond), undefined, { timeoutMs: 1 }), "timeout");
    await expectError(listWithdrawals(createFetch(neverRespond), { timeoutMs: 1 }, { timeoutMs: 60_000 }), "timeout");
  });
});
