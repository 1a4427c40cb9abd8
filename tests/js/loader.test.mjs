// The loader: one instance for all, and another one in the place of one that broke.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bind } from "../../target/parts/bindings.js";
import { Client } from "../../target/parts/client.js";
import { isAddressQueryError } from "../../target/parts/errors.js";
import { Loader } from "../../target/parts/loader.js";
import { size, text } from "../../pkg/module.js";
import { fromText, toText } from "../../target/parts/text.js";
import { BASE, HASH, deferred, failure, page, scripted, settle } from "./support.mjs";
import { compile, trapping } from "./trapping.mjs";

const WASM = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));

/** A loader, and how often it has compiled and instantiated. */
function counted() {
  const counts = { compiled: 0, instances: 0 };
  const loader = new Loader(
    bind,
    () => {
      counts.compiled += 1;
      return compile();
    },
    (module, imports) => {
      counts.instances += 1;
      return WebAssembly.instantiate(module, imports);
    },
  );
  return { loader, counts };
}

/** The withdrawals of a session: what the client makes of it, without the client. */
const open = ({ classes }, fetch, settings = {}) =>
  new classes.Session(["baseUrl", BASE], fetch).call("addressWithdrawals", ["address_hash", HASH], Object.entries(settings).flat(), false);
const indices = ({ items }) => items.map(({ index }) => index);

/** Breaks an instance as a failure in the middle of a call does: an address out of bounds ends in a trap. */
function breakIt({ classes }) {
  const broken = () => classes.Session.prototype.call.call({ __wbg_ptr: 0x7fff_fff0 }, "addresses", [], [], false);
  assert.throws(broken, (error) => error.code === "internal" && error.cause instanceof WebAssembly.RuntimeError);
}

test("the text in the script is the module", () => {
  assert.deepEqual(Buffer.from(fromText(text, size)), WASM);
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  assert.match(toText(all), /^[#-[\]-~]+$/);
  assert.deepEqual(fromText(toText(all), 256), all);
});

test("whoever asks gets the same instance", async () => {
  const { loader, counts } = counted();
  const [first, second] = await Promise.all([loader.load(), loader.load()]);
  assert.equal(first, second);
  assert.equal(await loader.load(), first);
  assert.deepEqual(counts, { compiled: 1, instances: 1 });
});

test("a failed attempt is not remembered", async () => {
  let attempts = 0;
  const loader = new Loader(bind, async () => {
    attempts += 1;
    if (attempts === 1) throw new TypeError("no bytes");
    return compile();
  });
  const [one, other] = await Promise.allSettled([loader.load(), loader.load()]);
  assert.equal(one.reason, other.reason);
  assert.deepEqual([one.reason.code, one.reason.cause.message], ["load", "no bytes"]);
  assert.equal(typeof (await loader.load()).classes.Session, "function");
  assert.equal(attempts, 2);
});

test("a broken instance is replaced once, without compiling again", async () => {
  const { loader, counts } = counted();
  const broken = await loader.load();
  breakIt(broken);
  const [fresh, other] = await Promise.all([loader.load(), loader.load()]);
  assert.notEqual(fresh, broken);
  assert.equal(other, fresh);
  assert.equal(await loader.load(), fresh);
  assert.deepEqual(counts, { compiled: 1, instances: 2 });
  assert.deepEqual(indices(await open(fresh, scripted(page([4, 3]))).next()), [4, 3]);
});

test("what is left of a broken instance does not touch the new one", async (t) => {
  const stray = [];
  const note = (error) => stray.push(error);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  t.after(() => process.off("unhandledRejection", note).off("uncaughtException", note));

  const { loader } = counted();
  const broken = await loader.load();
  const late = deferred();
  let settled = false;
  const old = open(broken, scripted(() => late.promise), { timeoutMs: 50 });
  old.next().then(() => (settled = true), () => (settled = true));
  await settle();

  breakIt(broken);
  const fresh = await loader.load();
  const answer = deferred();
  const pages = open(fresh, scripted(() => answer.promise, page([7])));
  const next = pages.next();
  await settle();
  // The answer to the old request arrives, while the new instance reads its own; and the old objects are still used.
  late.resolve(new Response(page([9, 8], 8)));
  await settle();
  old.cancel();
  assert.throws(() => old.next(new AbortController().signal), { code: "internal" });
  old.free();
  assert.throws(() => open(broken, scripted()), { code: "internal" });

  answer.resolve(new Response(page([6, 5], 5)));
  assert.deepEqual(indices(await next), [6, 5]);
  assert.deepEqual(indices(await pages.next()), [7]);
  await new Promise((resolve) => setTimeout(resolve, 100)); // the old call's time is up
  assert.equal(settled, false, "an instance that broke settles nothing: that is its client's to do");
  assert.deepEqual(stray, []);
});

test("a signal and the end of an iteration are heard while the module loads, too", { timeout: 10_000 }, async () => {
  const client = new Client({ baseUrl: BASE, fetch: scripted() }, new Loader(bind, () => new Promise(() => {})));
  const list = (options) => client.addressWithdrawals({ address_hash: HASH }, options);
  const reads = [
    (options) => list(options), (options) => list(options)[Symbol.asyncIterator]().next(), (options) => list(options).pages().next(),
    (options) => list(options).toArray({ limit: 1 }), (options) => client.account.tokenList({ address: HASH }, options),
    (options) => client.account.txList.all({ address: HASH }, options).windows().next(),
  ];
  for (const read of reads) {
    const controller = new AbortController();
    const outcome = failure(read({ signal: controller.signal }), "aborted", { cause: "enough" });
    await settle();
    controller.abort("enough");
    await outcome;
    await failure(read({ signal: AbortSignal.abort("enough") }), "aborted", { cause: "enough" });
  }
  for (const iterator of [list()[Symbol.asyncIterator](), list().pages()]) {
    const next = iterator.next();
    await settle();
    await iterator.return();
    assert.deepEqual(await next, { done: true, value: undefined });
  }
});

test("an iteration that ends between two empty pages frees its call once", async () => {
  const { loader } = counted();
  const instance = await loader.load();
  const empty = (next) => page([], next);
  for (let turns = 0; turns < 12; turns++) {
    const client = new Client({ baseUrl: BASE, fetch: scripted(page([9, 8], 8), empty(7), empty(6), page([5])) }, loader);
    const iterator = client.addressWithdrawals({ address_hash: HASH })[Symbol.asyncIterator]();
    for (let i = 0; i < 2; i++) await iterator.next();
    await settle();
    const next = iterator.next();
    for (let i = 0; i < turns; i++) await null;
    await iterator.return();
    await next;
    assert.equal(instance.broken, false, `after ${turns} turns`);
  }
});

const isFault = (error) => isAddressQueryError(error) && error.code === "internal" && error.cause instanceof WebAssembly.RuntimeError;

test("a trap rejects every call under way, and the same client works again", async (t) => {
  const stray = [];
  const note = (error) => stray.push(error);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  t.after(() => process.off("unhandledRejection", note).off("uncaughtException", note));
  const slow = deferred();
  const fetch = scripted(() => slow.promise, () => slow.promise, page([3, 2]), page([9]), page([8]));
  const client = trapping([1], fetch, { timeoutMs: 1000 });
  const list = (address) => client.addressWithdrawals({ address_hash: `0x${address.repeat(40)}` });
  const waiting = [list("1").then(({ items }) => items), list("2").toArray({ limit: 5 })];
  await fetch.sent(2);
  const outcomes = await Promise.allSettled([...waiting, list("3")]);
  for (const { reason } of outcomes) assert.ok(isFault(reason), String(reason));
  assert.equal(new Set(outcomes.map(({ reason }) => reason)).size, 3, "an error for each");
  assert.deepEqual(indices(await list("4")), [9]);
  assert.deepEqual((await client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 9 })).map(({ index }) => index), [8]);
  slow.resolve(new Response(page([1])));
  await settle();
  assert.deepEqual(stray, []);
});

test("an iteration that a trap ended goes on from its token", async () => {
  const fetch = scripted(page([6, 5], 5), page([4, 3], 3), page([4, 3], 3), page([2]));
  const client = trapping([2], fetch);
  const params = { address_hash: HASH };
  const read = [];
  const call = client.addressWithdrawals(params, { prefetch: 0 });
  const error = await (async () => {
    for await (const { index } of call) read.push(index);
  })().then(() => assert.fail("no trap"), (error) => error);
  assert.ok(isFault(error), String(error));
  assert.equal(error.resumeToken, call.resumeToken);
  for await (const { index } of client.addressWithdrawals(params, { resume: error.resumeToken })) read.push(index);
  assert.deepEqual(read, [6, 5, 4, 3, 2]);
});

test("a trap in an answer of the account module rejects its call", async () => {
  const answer = JSON.stringify({ status: "1", message: "OK", result: [] });
  const { account } = trapping([1], scripted(answer, answer));
  assert.ok(isFault(await account.txList({ address: HASH }).catch((error) => error)));
  assert.deepEqual((await account.txList({ address: HASH })).items, []);
});

test("clients of two entries work side by side", async () => {
  const clients = [counted(), counted()].map(({ loader }) => {
    const fetch = scripted(page([2], 2), page([1]), () => new Response("", { status: 403 }));
    return new Client({ baseUrl: BASE, fetch }, loader);
  });
  const lists = await Promise.all(clients.map((client) => client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 9 })));
  for (const items of lists) assert.deepEqual(items.map(({ index }) => index), [2, 1]);
  const errors = await Promise.all(clients.map((client) => failure(client.addressWithdrawals({ address_hash: HASH }), "http_status")));
  assert.equal(errors[0].constructor, errors[1].constructor);
});
