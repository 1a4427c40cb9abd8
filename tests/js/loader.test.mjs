// The loader: one instance for all, and another one in the place of one that broke.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bind } from "../../pkg/bindings.js";
import { Client } from "../../pkg/client.js";
import { Loader } from "../../pkg/loader.js";
import { base64 } from "../../pkg/module.js";
import { BASE, HASH, deferred, failure, page, scripted, settle } from "./support.mjs";

const compile = () => WebAssembly.compile(Buffer.from(base64, "base64"));

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
const open = ({ Session }, fetch, settings = {}) =>
  new Session({ baseUrl: BASE }, fetch).list("addressWithdrawals", { address_hash: HASH }, settings);
const indices = ({ items }) => items.map(({ index }) => index);

/** Breaks an instance as a failure in the middle of a call does: an address out of bounds ends in a trap. */
function breakIt({ Session }) {
  assert.throws(() => Session.prototype.list.call({ __wbg_ptr: 0x7fff_fff0 }, "addresses", {}, {}), WebAssembly.RuntimeError);
}

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
  assert.equal(typeof (await loader.load()).Session, "function");
  assert.equal(attempts, 2);
});

test("a broken instance is replaced once, without compiling again", async () => {
  const { loader, counts } = counted();
  const broken = await loader.load();
  breakIt(broken);
  const [fresh, other] = await Promise.all([loader.fresh(broken), loader.fresh(broken)]);
  assert.notEqual(fresh, broken);
  assert.equal(other, fresh);
  assert.equal(await loader.fresh(broken), fresh, "noticed late");
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
  const fresh = await loader.fresh(broken);
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

test("clients of two entries work side by side", async () => {
  const clients = [counted(), counted()].map(({ loader }) => {
    const fetch = scripted(page([2], 2), page([1]), () => new Response("", { status: 500 }));
    return new Client({ baseUrl: BASE, fetch }, loader);
  });
  const lists = await Promise.all(clients.map((client) => client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 9 })));
  for (const items of lists) assert.deepEqual(items.map(({ index }) => index), [2, 1]);
  const errors = await Promise.all(clients.map((client) => failure(client.addressWithdrawals({ address_hash: HASH }), "http_status")));
  assert.equal(errors[0].constructor, errors[1].constructor);
});
