// Misuse: the constructor throws, and every call rejects. Nothing is sent in either case.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { activitySpan, auditBalance, history, toCsv, toNdjson, watch } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { init } from "../../pkg/slim.js";
import { BASE, HASH } from "./support.mjs";

const MISUSES = [
  [5],
  ["text"],
  [new Map()],
  [{ unknown: 1 }],
  [{ address_hash: "0x1", address: "0x1", transaction_hash: "0x1", type: 1 }],
  [{}, 5],
  [{}, { unknown: 1 }],
  [{}, { timeoutMs: -1 }],
  [{}, { signal: {} }],
];
const HISTORY_MISUSES = [
  [undefined],
  [null],
  [5],
  [{ address_hash: "0x1" }],
  [{ address_hash: HASH.replace("x", "X") }],
  [{ address_hash: HASH, unknown: 1 }],
  [{ address_hash: HASH, include: ["logs"] }],
  [{ address_hash: HASH, signal: {} }],
];

const requests = [];
const fetch = async ({ url }) => {
  requests.push(url);
  return new Response("", { status: 500 });
};
const client = new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 });

/** The methods of an object and of its classes: `[name, method]`. */
function listMethods(object, path) {
  const methods = new Map();
  for (let level = object; level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name !== "constructor" && typeof object[name] === "function") methods.set(`${path}.${name}`, object[name].bind(object));
      if (typeof object[name]?.all === "function") methods.set(`${path}.${name}.all`, object[name].all.bind(object[name]));
    }
  }
  return [...methods];
}

/** Asserts that a call returns, and that its promise then rejects. */
async function assertRejects(label, call) {
  let promise;
  assert.doesNotThrow(() => {
    promise = call();
  }, label);
  const error = await Promise.resolve(promise).then(
    () => assert.fail(`${label} fulfilled`),
    (error) => error,
  );
  assert.ok(isAddressQueryError(error), `${label}: ${error?.stack ?? error}`);
  assert.equal(error.code, "invalid_parameter", `${label}: ${error}`);
  assert.ok(error.parameter?.length > 0 && error.message.startsWith(`${error.parameter}: `), `${label}: ${error}`);
}

/** The ways to use the result of a method: each returns a promise. */
function* listUses(result) {
  if (typeof result.then === "function") yield ["await", () => result];
  for (const name of ["pages", "windows"]) if (result[name]) yield [name, () => result[name]().next()];
  if (result.toArray) {
    yield ["toArray", () => result.toArray({ limit: 5 })];
    yield ["toArray without limit", () => result.toArray()];
  }
  if (result.getReader) yield ["read", () => result.getReader().read()];
  else if (result[Symbol.asyncIterator]) yield ["iterate", () => result[Symbol.asyncIterator]().next()];
}

async function assertCallRejects(label, call) {
  let result;
  assert.doesNotThrow(() => {
    result = call();
  }, label);
  const uses = [...listUses(result)];
  assert.ok(uses.length > 0, `${label} returned ${result}`);
  for (const [use, run] of uses) await assertRejects(`${label}, ${use}`, run);
}

describe("a misuse", () => {
  test("of any method of a client rejects, however its result is used", async () => {
    const methods = ["account", "block", "graphql"].flatMap((name) => listMethods(client[name], `client.${name}`));
    methods.push(...listMethods(client, "client"));
    assert.ok(methods.length > 50, `${methods.length} methods`);
    for (const [name, method] of methods) {
      if (["client.preload", "client.baseUrl"].includes(name)) continue; // without arguments
      const misuses = name === "client.instance" ? [[5], [{ unknown: 1 }], [{ timeoutMs: -1 }], [{ signal: {} }]] : MISUSES;
      for (const args of misuses) await assertCallRejects(`${name}(${JSON.stringify(args)})`, () => method(...args));
    }
  });

  test("of history, watch, an audit or an export rejects", async () => {
    for (const [params] of HISTORY_MISUSES) {
      const label = JSON.stringify(params) ?? "undefined";
      await assertCallRejects(`history ${label}`, () => history(client, params));
      await assertCallRejects(`watch ${label}`, () => watch(client, params));
      await assertCallRejects(`activitySpan ${label}`, () => activitySpan(client, params));
      await assertCallRejects(`auditBalance ${label}`, () => auditBalance(client, params));
      await assertCallRejects(`toCsv ${label}`, () => toCsv(history(client, params), { header: false }));
    }
    for (const none of [null, undefined, {}]) {
      for (const read of [history, watch, activitySpan, auditBalance])
        await assertCallRejects(`${read.name} of ${none}`, () => read(none, { address_hash: HASH }));
    }
    await assertCallRejects("resume", () => history(client, { address_hash: HASH, resume: "aq1.x" }));
    await assertCallRejects("since", () => watch(client, { address_hash: HASH, since: "aq1.x" }));
    for (const options of [{ columns: [] }, { unknown: 1 }, { total: -1 }, { signal: {} }]) {
      await assertCallRejects(`toCsv ${JSON.stringify(options)}`, () => toCsv([], options));
      await assertCallRejects(`toNdjson ${JSON.stringify(options)}`, () => toNdjson([], options));
    }
    await assertCallRejects("init", () => init());
  });

  test("fails every iteration of a history again, and has no token", async () => {
    const call = history(client, { address_hash: "0x1" });
    for (let i = 0; i < 2; i++) {
      const iterator = call[Symbol.asyncIterator]();
      await assert.rejects(iterator.next(), { code: "invalid_parameter", parameter: "address_hash" });
      assert.deepEqual(await iterator.next(), { done: true, value: undefined });
    }
    assert.deepEqual([call.report, call.resumeToken], [null, null]);
  });

  test("of the constructor throws", () => {
    for (const options of [undefined, 5, {}, { baseUrl: 5 }, { baseUrl: BASE, unknown: 1 }, { baseUrl: BASE, timeoutMs: -1 }])
      assert.throws(
        () => new AddressClient(options),
        (error) => isAddressQueryError(error) && error.code === "invalid_parameter",
      );
  });

  test("sends nothing", () => assert.deepEqual(requests, []));
});
