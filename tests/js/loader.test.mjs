// The loader: all clients share one instance, and an instance that crashed is replaced.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { bind } from "../../target/parts/bindings.js";
import { Client } from "../../target/parts/client.js";
import { isAddressQueryError } from "../../target/parts/errors.js";
import { Loader } from "../../target/parts/loader.js";
import { AddressClient as CompatClient } from "../../pkg/compat.js";
import { encoded, size } from "../../pkg/module.js";
import { decodeModule, encodeModule } from "../../target/parts/module-codec.js";
import { BASE, HASH, collect, createDeferred, createFetch, expectError, flushTasks, neverRespond, page } from "./support.mjs";
import { compileModule, createTrappingClient } from "./trapping-client.mjs";

const WASM = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));

/** Creates a loader, and counts how often it compiles and instantiates. */
function createCountingLoader() {
  const counts = { compiled: 0, instances: 0 };
  const loader = new Loader(
    bind,
    () => {
      counts.compiled += 1;
      return compileModule();
    },
    (module, imports) => {
      counts.instances += 1;
      return WebAssembly.instantiate(module, imports);
    },
  );
  return { loader, counts };
}

/** Opens a list of withdrawals directly, without a client. Returns the call and the promise of its first page. */
const openWithdrawals = (instance, fetch, options = {}) => {
  const session = new instance.classes.Session({ baseUrl: BASE, fetch });
  return session.call("addressWithdrawals", { address_hash: HASH }, options, false);
};
const getIndices = ({ items }) => items.map(({ index }) => index);

/** Makes an instance crash: a pointer out of bounds causes a trap. */
async function crash(instance) {
  const callWithInvalidPointer = async () =>
    instance.classes.Session.prototype.call.call({ __wbg_ptr: 0x7fff_fff0 }, "addresses", {}, {}, false);
  await assert.rejects(
    instance.run(callWithInvalidPointer),
    (error) => error.code === "internal" && error.cause instanceof WebAssembly.RuntimeError,
  );
}

test("the encoded module in the script decodes to client.wasm", () => {
  assert.deepEqual(Buffer.from(decodeModule(encoded, size)), WASM);
  const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  assert.match(encodeModule(allBytes), /^[#-[\]-~]+$/);
  assert.deepEqual(decodeModule(encodeModule(allBytes), 256), allBytes);
});

test("without WebAssembly a response can be larger than the initial memory", async () => {
  const indices = Array.from({ length: 20_000 }, (_, i) => 20_000 - i);
  const body = page(indices);
  assert.ok(body.length > 2 ** 21);
  const client = new CompatClient({ baseUrl: BASE, fetch: createFetch(body) });
  assert.deepEqual(getIndices(await client.addressWithdrawals({ address_hash: HASH })), indices);
});

test("every load returns the same instance", async () => {
  const { loader, counts } = createCountingLoader();
  const [first, second] = await Promise.all([loader.load(), loader.load()]);
  assert.equal(first, second);
  assert.equal(await loader.load(), first);
  assert.deepEqual(counts, { compiled: 1, instances: 1 });
});

test("preload loads the module once and sends nothing", async () => {
  const { loader, counts } = createCountingLoader();
  const fetch = createFetch(page([2, 1]));
  const client = new Client({ baseUrl: BASE, fetch }, loader);
  assert.equal(await client.preload(), undefined);
  assert.deepEqual([counts, fetch.requests.length], [{ compiled: 1, instances: 1 }, 0]);
  assert.deepEqual(getIndices(await client.addressWithdrawals({ address_hash: HASH })), [2, 1]);
  assert.deepEqual(counts, { compiled: 1, instances: 1 });
});

test("preload rejects for an invalid option, and if the module cannot be loaded", async () => {
  const { loader } = createCountingLoader();
  const invalid = new Client({ baseUrl: "ftp://service.example" }, loader);
  await expectError(invalid.preload(), "invalid_parameter", { parameter: "baseUrl" });
  const failing = new Loader(bind, async () => {
    throw new TypeError("no bytes");
  });
  await expectError(new Client({ baseUrl: BASE }, failing).preload(), "load");
});

test("after the first request was sent, a new instance decodes a warm-up page", async () => {
  const fetch = createFetch(page([2, 1]));
  const calls = [];
  const loader = new Loader((resources) => {
    const bindings = bind(resources);
    class ObservedSession extends bindings.classes.Session {
      call(name, ...rest) {
        const result = super.call(name, ...rest);
        calls.push({ name, sent: fetch.requests.length, page: result[1] });
        return result;
      }
    }
    return { ...bindings, classes: { Session: ObservedSession } };
  }, compileModule);
  await new Client({ baseUrl: BASE, fetch }, loader).addressWithdrawals({ address_hash: HASH });
  await delay(5);
  assert.deepEqual(
    calls.map(({ name, sent }) => [name, sent]),
    [
      // The request was sent while the module was loading.
      ["/api/v2/addresses/{address_hash}/withdrawals", 1],
      ["withdrawals", 1],
    ],
  );
  const { items } = await calls[1].page;
  assert.equal(items.length, 2);
  assert.equal(items[0].receiver.hash.length, 42);
  assert.equal(fetch.requests.length, 1);
});

test("a call that is freed aborts its request, and settles its promise", async () => {
  const { loader } = createCountingLoader();
  const instance = await loader.load();
  const fetch = createFetch(neverRespond);
  const [call, next] = openWithdrawals(instance, fetch);
  const request = await fetch.sent(1);
  await assert.rejects(call.next(), { code: "internal" });
  call.free();
  assert.equal(request.signal.aborted, true);
  assert.equal(await next, undefined);
});

test("a request does not depend on the number of earlier requests", async (t) => {
  const deref = t.mock.method(WeakRef.prototype, "deref");
  const countDerefs = async (pages) => {
    const before = deref.mock.callCount();
    const responses = Array.from({ length: pages }, (_, index) => page([index], index + 1 < pages ? index : null));
    const client = new Client({ baseUrl: BASE, fetch: createFetch(...responses) }, createCountingLoader().loader);
    await collect(client.addressWithdrawals({ address_hash: HASH }));
    return deref.mock.callCount() - before;
  };
  // Each request calls the weakly held `fetch`, and looks at nothing that earlier requests left.
  const [few, many] = [await countDerefs(10), await countDerefs(100)];
  assert.ok(few >= 10 && many <= 10 * few, `${few} references followed for 10 pages, ${many} for 100`);
});

test("after a failure the next load retries", async () => {
  let attempts = 0;
  const loader = new Loader(bind, async () => {
    attempts += 1;
    if (attempts === 1) throw new TypeError("no bytes");
    return compileModule();
  });
  const [first, second] = await Promise.allSettled([loader.load(), loader.load()]);
  assert.equal(first.reason, second.reason);
  assert.deepEqual([first.reason.code, first.reason.cause.message], ["load", "no bytes"]);
  assert.equal(typeof (await loader.load()).classes.Session, "function");
  assert.equal(attempts, 2);
});

test("an instance that crashed is replaced once, without compiling again", async () => {
  const { loader, counts } = createCountingLoader();
  const broken = await loader.load();
  await crash(broken);
  const [fresh, other] = await Promise.all([loader.load(), loader.load()]);
  assert.notEqual(fresh, broken);
  assert.equal(other, fresh);
  assert.equal(await loader.load(), fresh);
  assert.deepEqual(counts, { compiled: 1, instances: 2 });
  assert.deepEqual(getIndices(await openWithdrawals(fresh, createFetch(page([4, 3])))[1]), [4, 3]);
});

test("objects of an instance that crashed do not affect the new one", async (t) => {
  const uncaught = [];
  const record = (error) => uncaught.push(error);
  process.on("unhandledRejection", record).on("uncaughtException", record);
  t.after(() => process.off("unhandledRejection", record).off("uncaughtException", record));

  const { loader } = createCountingLoader();
  const broken = await loader.load();
  const late = createDeferred();
  let settled = false;
  const oldFetch = createFetch(() => late.promise);
  const [old, oldPage] = openWithdrawals(broken, oldFetch, { timeoutMs: 50 });
  oldPage.then(
    () => (settled = true),
    () => (settled = true),
  );
  await flushTasks();

  await crash(broken);
  const fresh = await loader.load();
  const response = createDeferred();
  const [pages, next] = openWithdrawals(
    fresh,
    createFetch(() => response.promise, page([7])),
  );
  await flushTasks();
  // The response to the old request arrives while the new instance reads another one. The old objects are still used.
  late.resolve(new Response(page([9, 8], 8)));
  await flushTasks();
  assert.equal(oldFetch.requests[0].signal.aborted, true, "the request of the old call is aborted");
  await assert.rejects(
    broken.run(async () => old.next()),
    { code: "internal" },
  );
  old.free();
  await assert.rejects(
    broken.run(async () => openWithdrawals(broken, createFetch())[1]),
    { code: "internal" },
  );

  response.resolve(new Response(page([6, 5], 5)));
  assert.deepEqual(getIndices(await next), [6, 5]);
  assert.deepEqual(getIndices(await pages.next()), [7]);
  await new Promise((resolve) => setTimeout(resolve, 100)); // longer than the timeout of the old call
  assert.equal(settled, false, "a crashed instance settles no promise, its client does");
  assert.deepEqual(uncaught, []);
});

test("calls can be aborted, and iterations ended, while the module loads", { timeout: 120_000 }, async () => {
  const client = new Client({ baseUrl: BASE, fetch: createFetch() }, new Loader(bind, () => new Promise(() => {})));
  const list = (options) => client.addressWithdrawals({ address_hash: HASH }, options);
  const reads = [
    (options) => list(options),
    (options) => list(options)[Symbol.asyncIterator]().next(),
    (options) => list(options).pages().next(),
    (options) => list(options).toArray({ limit: 1 }),
    (options) => client.account.tokenList({ address: HASH }, options),
    (options) => client.account.txList.all({ address: HASH }, options).windows().next(),
  ];
  for (const read of reads) {
    const controller = new AbortController();
    const outcome = expectError(read({ signal: controller.signal }), "aborted", { cause: "enough" });
    await flushTasks();
    controller.abort("enough");
    await outcome;
    await expectError(read({ signal: AbortSignal.abort("enough") }), "aborted", { cause: "enough" });
  }
  for (const iterator of [list()[Symbol.asyncIterator](), list().pages()]) {
    const next = iterator.next();
    await flushTasks();
    await iterator.return();
    assert.deepEqual(await next, { done: true, value: undefined });
  }
});

test("an iteration that ends between two empty pages frees its call once", async () => {
  const { loader } = createCountingLoader();
  const instance = await loader.load();
  const empty = (next) => page([], next);
  for (let ticks = 0; ticks < 12; ticks++) {
    const client = new Client({ baseUrl: BASE, fetch: createFetch(page([9, 8], 8), empty(7), empty(6), page([5])) }, loader);
    const iterator = client.addressWithdrawals({ address_hash: HASH })[Symbol.asyncIterator]();
    for (let i = 0; i < 2; i++) await iterator.next();
    await flushTasks();
    const next = iterator.next();
    for (let i = 0; i < ticks; i++) await null;
    await iterator.return();
    await next;
    assert.equal(instance.isBroken, false, `after ${ticks} ticks`);
  }
});

const isCrash = (error) =>
  isAddressQueryError(error) && error.code === "internal" && error.cause instanceof WebAssembly.RuntimeError;

test("a trap rejects every call in flight, and the same client works again", async (t) => {
  const uncaught = [];
  const record = (error) => uncaught.push(error);
  process.on("unhandledRejection", record).on("uncaughtException", record);
  t.after(() => process.off("unhandledRejection", record).off("uncaughtException", record));
  const slow = createDeferred();
  const fetch = createFetch(
    () => slow.promise,
    () => slow.promise,
    page([3, 2]),
    page([9]),
    page([8]),
  );
  const client = createTrappingClient([1], fetch, { timeoutMs: 1000 });
  const list = (address) => client.addressWithdrawals({ address_hash: `0x${address.repeat(40)}` });
  const pending = [list("1").then(({ items }) => items), list("2").toArray({ limit: 5 })];
  await fetch.sent(2);
  const outcomes = await Promise.allSettled([...pending, list("3")]);
  for (const { reason } of outcomes) assert.ok(isCrash(reason), String(reason));
  assert.equal(new Set(outcomes.map(({ reason }) => reason)).size, 3, "each call has a separate error");
  assert.deepEqual(getIndices(await list("4")), [9]);
  assert.deepEqual(
    (await client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 9 })).map(({ index }) => index),
    [8],
  );
  slow.resolve(new Response(page([1])));
  await flushTasks();
  assert.deepEqual(uncaught, []);
});

test("an iteration that ended with a trap can be resumed", async () => {
  const fetch = createFetch(page([6, 5], 5), page([4, 3], 3), page([4, 3], 3), page([2]));
  const client = createTrappingClient([2], fetch);
  const params = { address_hash: HASH };
  const read = [];
  const call = client.addressWithdrawals(params, { prefetch: 0 });
  const error = await (async () => {
    for await (const { index } of call) read.push(index);
  })().then(
    () => assert.fail("no trap"),
    (error) => error,
  );
  assert.ok(isCrash(error), String(error));
  assert.equal(error.resumeToken, call.resumeToken);
  for await (const { index } of client.addressWithdrawals(params, { resume: error.resumeToken })) read.push(index);
  assert.deepEqual(read, [6, 5, 4, 3, 2]);
});

test("a trap during an action rejects its call", async () => {
  const body = JSON.stringify({ status: "1", message: "OK", result: [] });
  const { account } = createTrappingClient([1], createFetch(body, body));
  assert.ok(isCrash(await account.txList({ address: HASH }).catch((error) => error)));
  assert.deepEqual((await account.txList({ address: HASH })).items, []);
});

test("clients of two loaders work side by side", async () => {
  const clients = [createCountingLoader(), createCountingLoader()].map(({ loader }) => {
    const fetch = createFetch(page([2], 2), page([1]), () => new Response("", { status: 404 }));
    return new Client({ baseUrl: BASE, fetch }, loader);
  });
  const lists = await Promise.all(
    clients.map((client) => client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 9 })),
  );
  for (const items of lists)
    assert.deepEqual(
      items.map(({ index }) => index),
      [2, 1],
    );
  const errors = await Promise.all(
    clients.map((client) => expectError(client.addressWithdrawals({ address_hash: HASH }), "http_status")),
  );
  assert.equal(errors[0].constructor, errors[1].constructor);
});
