// Requests that are sent while the module is still loading: the module takes them over if it would send exactly the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { plainValues } from "../../target/parts/plain-values.js";
import { importSlim, loadLate } from "./late-module.mjs";
import { BASE, createDeferred, createFetch, HASH, inPage, neverRespond, page, WITHDRAWALS } from "./support.mjs";

const TRANSACTION = `0x${"5c".repeat(32)}`;
const EMPTY_PAGE = '{"items":[],"next_page_params":null}';

/** The description of the first request of each method: its path, and the names of parameters in its query. */
const METHODS = readMethods(readFileSync(new URL("../../target/parts/endpoints.js", import.meta.url), "utf8"));

function readMethods(source) {
  const method = /(\w+)\(params, options\) {\s+return (?:new LazyListCall|callMethod)\(getSession\(this\), "(\/.*?)"/g;
  const ranged = /this\.(\w+) = Object\.assign\(\(params, options\) => callMethod\(session, "(\/.*?)"/g;
  return Object.fromEntries([method, ranged].flatMap((pattern) => Array.from(source.matchAll(pattern), ([, ...found]) => found)));
}

/** Waits until everything that can happen without the module has happened. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Parameters of a request: the required ones, and then each optional one in addition. */
function* createParams(name) {
  const [path, ...inQuery] = METHODS[name].split(" ");
  const inPath = Array.from(path.matchAll(/{(\w+)}/g), ([, param]) => param);
  const required = path.includes("?") ? inQuery : inPath;
  const values = Object.fromEntries(required.map((param) => [param, createValue(param)]));
  yield { ...values };
  for (const param of inQuery.filter((param) => !required.includes(param))) {
    values[param] = createValue(param);
    yield { ...values };
  }
}

/** Returns a value that needs no encoding: a list of two where that is accepted. */
function createValue(param) {
  const pattern = plainValues[param];
  const candidates = [HASH, TRANSACTION, true, ...String(pattern).match(/[\w-]+/g)];
  const lists = candidates.map((candidate) => [candidate, candidate]);
  return [...lists, ...candidates].find((candidate) => pattern.test(JSON.stringify(candidate)));
}

function findMethod(client, name) {
  const owner = [client, client.account, client.block, client.contract].find((owner) => typeof owner[name] === "function");
  return (...args) => owner[name](...args);
}

describe("the module takes over", () => {
  const clients = {
    "without a key": { baseUrl: BASE },
    "with a key": { baseUrl: `${BASE}:8443/path`, apiKey: "proapi_a-1" },
    "of the gateway": { chainId: 10, apiKey: "proapi_0" },
    "of a proxy": { baseUrl: "/api/blockscout", chainId: 10 },
  };
  // A path is relative to a page, which has this URL here.
  const { Request } = globalThis;
  before(() => {
    globalThis.location = new URL("https://app.example/wallet/");
    globalThis.Request = class extends Request {
      constructor(url, init) {
        super(new URL(url, "https://app.example/wallet/"), init);
      }
    };
  });
  after(() => {
    globalThis.Request = Request;
    delete globalThis.location;
  });
  test("requests of 54 methods", () => assert.equal(Object.keys(METHODS).length, 54));
  for (const [client, options] of Object.entries(clients)) {
    test(`each operation ${client}`, async () => {
      const requests = Object.keys(METHODS).flatMap((name) => [...createParams(name)].map((params) => ({ name, params })));
      while (requests.length > 0) {
        const { AddressClient, arrive } = await loadLate();
        // The maximum number of early requests, each of another client.
        const started = requests.splice(0, 4).map(({ name, params }) => {
          const fetch = createFetch(EMPTY_PAGE);
          const kinds = [];
          const onEvent = ({ kind }) => kinds.push(kind);
          const client = new AddressClient({ ...options, fetch, maxAttempts: 1, batchBalances: false, onEvent });
          return {
            title: `${name} ${JSON.stringify(params)}`,
            fetch,
            kinds,
            call: findMethod(client, name)(params).then(String, String),
          };
        });
        await settle();
        for (const { title, fetch } of started) assert.equal(fetch.requests.length, 1, `${title} is sent early`);
        arrive();
        for (const { title, fetch, kinds, call } of started) {
          await call;
          assert.equal(fetch.requests.length, 1, `${title} is sent once`);
          assert.deepEqual(kinds.slice(0, 2), ["request", "response"], `${title} is accepted`);
        }
      }
    });
  }
});

test("the result comes from the early response", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(page([3, 2], 2), page([1]));
  const events = [];
  const client = new AddressClient({ baseUrl: BASE, fetch, onEvent: ({ kind }) => events.push(kind) });
  const rows = client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 10 });
  await fetch.sent(1);
  arrive();
  assert.deepEqual(
    (await rows).map(({ index }) => index),
    [3, 2, 1],
  );
  assert.deepEqual(fetch.urls(), [WITHDRAWALS, `${WITHDRAWALS}?items_count=50&index=2`]);
  assert.deepEqual(events, ["request", "response", "request", "response"]);
});

test("a page of a chosen size is not requested early", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(page([3]), page([3]));
  const client = new AddressClient({ baseUrl: BASE, fetch });
  const pages = [50, 20].map((pageSize) => client.addressWithdrawals({ address_hash: HASH }, { pageSize }).then((page) => page));
  const balances = client.addressTokenBalances({ address_hash: HASH }, { pageSize: 50 });
  const refused = assert.rejects(balances.then(), { code: "invalid_parameter", parameter: "pageSize" });
  await settle();
  assert.deepEqual(fetch.urls(), []);
  arrive();
  await Promise.all([...pages, refused]);
  assert.deepEqual(fetch.urls(), [WITHDRAWALS, `${WITHDRAWALS}?items_count=20`]);
});

test("equal calls share a request", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(page([1]));
  const client = new AddressClient({ baseUrl: BASE, fetch });
  const calls = [1, 2, 3].map(() => client.addressWithdrawals({ address_hash: HASH }).then());
  await settle();
  arrive();
  const pages = await Promise.all(calls);
  assert.equal(fetch.requests.length, 1);
  assert.ok(pages.every(({ items }) => items.length === 1));
});

test("at most four requests are sent early, fewer with lower limits", async () => {
  for (const [limits, expected] of [
    [{}, 4],
    [{ maxConcurrent: 2 }, 2],
    [{ maxPerSecond: 3.5 }, 3],
    [{ maxPerSecond: 0.5 }, 0],
  ]) {
    const { AddressClient, arrive } = await loadLate();
    const fetch = createFetch(...Array(6).fill(EMPTY_PAGE));
    const client = new AddressClient({ baseUrl: BASE, fetch, ...limits });
    const names = [
      "addressWithdrawals",
      "addressLogs",
      "addressTokens",
      "addressNft",
      "addressTransactions",
      "addressBlocksValidated",
    ];
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const calls = names.map((name) =>
      client[name]({ address_hash: HASH }, options).then(
        () => "done",
        ({ code }) => code,
      ),
    );
    await settle();
    assert.equal(fetch.requests.length, expected, JSON.stringify(limits));
    controller.abort();
    assert.deepEqual(await Promise.all(calls), Array(6).fill("aborted"));
    arrive();
    await client.preload();
    assert.equal(fetch.requests.length, expected, "the module sends no requests for calls that have ended");
  }
});

describe("nothing is sent early", () => {
  const invalid = {
    "for an unknown parameter": (client) => client.addressLogs({ address_hash: HASH, block: 1 }),
    "without a required parameter": (client) => client.addressLogs({}),
    "with null for a required parameter": (client) => client.addressLogs({ address_hash: null }),
    "for a short hash": (client) => client.addressLogs({ address_hash: "0x12" }),
    "for a value of another type": (client) => client.addressInternalTransactions({ address_hash: HASH, include_zero_value: 1 }),
    "for a list in place of a value": (client) => client.addressLogs({ address_hash: [HASH] }),
    "for a list in a list": (client) => client.addressTokenTransfers({ address_hash: HASH, type: [["ERC-20"]] }),
    "for an object with the JSON of a string": (client) => client.addressLogs({ address_hash: { toJSON: () => HASH } }),
    "for a list of such objects": (client) => client.addressTokens({ address_hash: HASH, type: [{ toJSON: () => "ERC-20" }] }),
    "for an unknown value": (client) => client.addressTokenTransfers({ address_hash: HASH, filter: "both" }),
    "for an invalid option": (client) => client.addressLogs({ address_hash: HASH }, { timeout: 1 }),
    "for a short key": (_, create) => create({ apiKey: "k" }).addressLogs({ address_hash: HASH }),
    "for an aborted signal": (client) => client.addressLogs({ address_hash: HASH }, { signal: AbortSignal.abort() }),
    "for a resume token of another list": (client) => client.addressLogs({ address_hash: HASH }, { resume: "aq1.x" }),
  };
  for (const [name, start] of Object.entries(invalid)) {
    test(name, async () => {
      const { AddressClient, arrive } = await loadLate();
      const fetch = createFetch();
      const create = (options) => new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...options });
      const call = start(create(), create).then(
        () => assert.fail("accepted"),
        (error) => error,
      );
      await settle();
      arrive();
      assert.match((await call).code, /invalid_parameter|aborted/);
      assert.deepEqual(fetch.urls(), []);
    });
  }

  const changed = {
    "if the base URL is normalized": [{ baseUrl: `${BASE}/` }, {}],
    "if the base URL ends with the path of the API": [{ baseUrl: `${BASE}/api` }, {}],
    "if the base URL ends with the path and a version": [{ baseUrl: `${BASE}/api/v2` }, {}],
    "if the base URL is the documentation's": [{ baseUrl: `${BASE}/api-docs` }, {}],
    "if a key comes from a function": [{ baseUrl: BASE, apiKey: () => "proapi_0" }, {}],
    "if a server has a key": [{ baseUrl: BASE, apiKey: "key-of-the-instance" }, {}],
    "if a key is encoded": [{ baseUrl: BASE, apiKey: "proapi_+" }, {}],
    "if a value is sent in another form": [{ baseUrl: BASE }, { type: "erc-20" }],
    "if values are separated by commas": [{ baseUrl: BASE }, { type: "ERC-20,ERC-721" }],
    "for an empty list": [{ baseUrl: BASE }, { type: [] }],
  };
  for (const [name, [options, params]] of Object.entries(changed)) {
    const run = async () => {
      const { AddressClient, arrive } = await loadLate();
      const fetch = createFetch(EMPTY_PAGE);
      const client = new AddressClient({ ...options, fetch, maxAttempts: 1 });
      const call = client.addressTokenTransfers({ address_hash: HASH, ...params }).then();
      await settle();
      assert.deepEqual(fetch.urls(), []);
      arrive();
      await call;
      assert.equal(fetch.requests.length, 1);
    };
    test(name, () => (name === "if a server has a key" ? run() : inPage(run)));
  }

  test("before init", async () => {
    const { AddressClient } = await importSlim();
    const fetch = createFetch();
    const client = new AddressClient({ baseUrl: BASE, fetch });
    await assert.rejects(client.addressWithdrawals({ address_hash: HASH }).then(), { code: "load" });
    assert.deepEqual(fetch.urls(), []);
  });
});

describe("an early request ends", () => {
  test("with its last call, and never before", async () => {
    const { AddressClient } = await loadLate();
    const fetch = createFetch(neverRespond);
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) =>
      client.addressWithdrawals({ address_hash: HASH }, { signal }).then(assert.fail, ({ code }) => code),
    );
    const { signal } = await fetch.sent(1);
    controllers[0].abort();
    assert.equal(await calls[0], "aborted");
    assert.equal(signal.aborted, false);
    controllers[1].abort();
    assert.equal(await calls[1], "aborted");
    assert.equal(signal.aborted, true);
  });

  test("when the module fails to load", async () => {
    const { AddressClient, fail } = await loadLate();
    const fetch = createFetch(neverRespond);
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const call = client.addressWithdrawals({ address_hash: HASH }).then(assert.fail, ({ code }) => code);
    const { signal } = await fetch.sent(1);
    fail(new Error("offline"));
    assert.equal(await call, "load");
    assert.equal(signal.aborted, true);
  });

  test("with the timeout of the module", async () => {
    const { AddressClient, arrive } = await loadLate();
    const fetch = createFetch(neverRespond, page([1]));
    const client = new AddressClient({ baseUrl: BASE, fetch, timeoutMs: 20 });
    const call = client.addressWithdrawals({ address_hash: HASH }).then();
    const { signal } = await fetch.sent(1);
    arrive();
    assert.equal((await call).items.length, 1);
    assert.equal(signal.aborted, true);
    assert.equal(fetch.requests.length, 2);
  });

  test("with the call that has taken it over", async () => {
    const { AddressClient, arrive } = await loadLate();
    const fetch = createFetch(neverRespond);
    const started = createDeferred();
    const client = new AddressClient({ baseUrl: BASE, fetch, onEvent: started.resolve });
    const controller = new AbortController();
    const call = client
      .addressWithdrawals({ address_hash: HASH }, { signal: controller.signal })
      .then(assert.fail, ({ code }) => code);
    const { signal } = await fetch.sent(1);
    arrive();
    await started.promise;
    assert.equal(signal.aborted, false);
    controller.abort();
    assert.equal(await call, "aborted");
    await settle();
    assert.equal(signal.aborted, true);
  });
});

test("a failed early request is retried like any other", async () => {
  const { AddressClient, arrive } = await loadLate();
  const offline = () => {
    throw new TypeError("Failed to fetch");
  };
  const fetch = createFetch(offline, () => new Response("busy", { status: 503 }), page([1]));
  const client = new AddressClient({ baseUrl: BASE, fetch });
  const call = client.addressWithdrawals({ address_hash: HASH }).then();
  await fetch.sent(1);
  arrive();
  assert.equal((await call).items.length, 1);
  assert.equal(fetch.requests.length, 3);
});

test("a request costs the credits of its operation, whether the module takes it over or not", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(page([1]), neverRespond);
  const client = new AddressClient({ baseUrl: `${BASE}/1`, fetch });
  const call = client.addressWithdrawals({ address_hash: HASH }).then();
  const controller = new AbortController();
  const aborted = client.addressLogs({ address_hash: HASH }, { signal: controller.signal }).then(null, () => {});
  await fetch.sent(2);
  controller.abort();
  assert.deepEqual(client.credits, { spent: 0, remaining: null });
  arrive();
  await Promise.all([call, aborted]);
  assert.deepEqual(client.credits, { spent: 50, remaining: null });
});

test("requests that may exceed maxCredits are not sent early", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch();
  const client = new AddressClient({ baseUrl: `${BASE}/1`, fetch, maxCredits: 10 });
  const code = client.addressWithdrawals({ address_hash: HASH }).then(null, ({ code }) => code);
  await settle();
  arrive();
  assert.deepEqual([await code, fetch.requests.length], ["credit_limit", 0]);
});

test("a request with showScamTokens has its header, and is taken over", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(page([1]));
  const client = new AddressClient({ baseUrl: BASE, fetch, showScamTokens: true });
  const call = client.addressWithdrawals({ address_hash: HASH }).then();
  const { headers } = await fetch.sent(1);
  assert.equal(headers.get("show-scam-tokens"), "true");
  arrive();
  await call;
  assert.equal(fetch.requests.length, 1);
});
