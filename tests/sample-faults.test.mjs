// Tests of the fault injection of the sample service: every kind of fault, in the process and over HTTP.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg/testing/index.js";
import { startSampleServer } from "./sample-server.mjs";

const faultless = createSampleService();
const findAddress = (label) => faultless.addresses.find((address) => address.label === label).hash;
const hub = findAddress("Busy smart account");
const deep = findAddress("Exchange hot wallet");
const LIST = `/api/v2/addresses/${hub}/logs`;
const ACTION = `/api?module=account&action=txlist&address=${hub}&page=1&offset=3`;

/** Creates a service in which every request has one of these faults. */
const createFaulty = (...kinds) => createSampleService({ faults: { rate: 1, kinds } });

const request = async (path, service = faultless) => {
  const response = await service.fetch(path);
  return { status: response.status, headers: response.headers, body: await response.text() };
};
const requestFaulty = (path, kind) => request(path, createFaulty(kind));
const getFaultlessBody = async (path) => (await request(path)).body;

/** Whether a promise is still pending after everything else has had time to happen. */
async function isPending(promise) {
  const isSettled = await Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise((resolve) => setTimeout(resolve, 150, false)),
  ]);
  return !isSettled;
}

/** Whether a body is a proper prefix of the complete body. */
async function isTruncated(body, path = LIST) {
  const complete = await getFaultlessBody(path);
  return complete.startsWith(body) && body.length < complete.length;
}

/** The values that differ between two JSON values. */
function listDifferences(before, after) {
  const areObjects = [before, after].every((value) => typeof value === "object" && value !== null);
  if (!areObjects) return Object.is(before, after) ? [] : [{ before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    listDifferences(before[name], after[name]),
  );
}

describe("in the process:", () => {
  test("latency delays the response and does not change it", async () => {
    const start = performance.now();
    assert.equal((await requestFaulty(LIST, "latency")).body, await getFaultlessBody(LIST));
    assert.ok(performance.now() - start >= 9);
  });

  test("no_response stays pending until the request is aborted", async () => {
    const controller = new AbortController();
    const response = createFaulty("no_response").fetch(LIST, { signal: controller.signal });
    assert.ok(await isPending(response));
    controller.abort(new Error("enough"));
    await assert.rejects(response, { message: "enough" });
  });

  test("stalled_body sends half of the body and stays pending until the request is aborted", async () => {
    const controller = new AbortController();
    const { body, status } = await createFaulty("stalled_body").fetch(LIST, { signal: controller.signal });
    const reader = body.getReader();
    const received = (await reader.read()).value.length;
    assert.equal(status, 200);
    assert.ok(Math.abs(received - (await getFaultlessBody(LIST)).length / 2) < 100);
    const rest = reader.read();
    assert.ok(await isPending(rest));
    controller.abort(new Error("enough"));
    await assert.rejects(rest, { message: "enough" });
  });

  test("network_error rejects with a TypeError, as fetch does", () =>
    assert.rejects(createFaulty("network_error").fetch(LIST), TypeError));

  for (const [kind, headers] of [
    [
      "rate_limited_reset",
      { "x-ratelimit-limit": /^300$/, "x-ratelimit-remaining": /^0$/, "x-ratelimit-reset": /^[2-9]\d$/, "retry-after": null },
    ],
    ["rate_limited_retry_after", { "x-ratelimit-reset": null, "retry-after": /^1$/ }],
    ["rate_limited_retry_date", { "x-ratelimit-reset": null, "retry-after": /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/ }],
    ["rate_limited_no_reset", { "x-ratelimit-reset": /^-1$/, "retry-after": null }],
    [
      "rate_limited_no_headers",
      { "x-ratelimit-reset": null, "x-ratelimit-limit": null, "bypass-429-option": null, "retry-after": null },
    ],
  ]) {
    test(`${kind} has status 429 and its own headers only`, async () => {
      for (const path of [LIST, ACTION]) {
        const response = await requestFaulty(path, kind);
        assert.equal(response.status, 429);
        for (const [name, value] of Object.entries(headers)) {
          if (value === null) assert.equal(response.headers.get(name), null, name);
          else assert.match(response.headers.get(name), value, name);
        }
        if (kind === "rate_limited_no_headers") assert.equal(response.body, "error code: 1015");
        else if (path === LIST) assert.match(JSON.parse(response.body).message, /Too many requests\. Increase limits now/);
        else assert.deepEqual([JSON.parse(response.body).result, JSON.parse(response.body).status], [null, "0"]);
      }
    });
  }

  test("rate_limited_retry_date names a time at most a second away", async (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 0, 1, 0, 0, 0, 300) });
    const { headers } = await requestFaulty(LIST, "rate_limited_retry_date");
    assert.equal(headers.get("retry-after"), "Thu, 01 Jan 2026 00:00:01 GMT");
  });

  test("internal_server_error has the bodies of the REST lists and of the account module", async () => {
    const list = await requestFaulty(LIST, "internal_server_error");
    assert.deepEqual([list.status, list.body], [500, '"Internal server error"']);
    const action = await requestFaulty(ACTION, "internal_server_error");
    assert.deepEqual(
      [action.status, JSON.parse(action.body)],
      [500, { message: "Something went wrong.", result: null, status: "0" }],
    );
  });

  for (const [kind, status] of Object.entries({ bad_gateway: 502, service_unavailable: 503, gateway_timeout: 504 })) {
    test(`${kind} is an HTML page or JSON of a proxy with status ${status}`, async () => {
      const service = createFaulty(kind);
      const responses = await Promise.all(Array.from({ length: 20 }, () => request(LIST, service)));
      assert.ok(responses.every((response) => response.status === status && response.headers.get("x-ratelimit-reset") === null));
      const pages = responses.filter(({ body }) => body.startsWith("<!DOCTYPE html>"));
      assert.ok(pages.length > 0 && pages.length < 20);
      assert.ok(pages.every(({ headers }) => headers.get("content-type") === "text/html"));
      const others = responses.filter((response) => !pages.includes(response));
      assert.ok(others.every(({ body }) => JSON.parse(body).source === "upstream"));
    });
  }

  for (const [kind, status] of Object.entries({ html_challenge_page: 200, html_forbidden_page: 403 })) {
    test(`${kind} is an HTML page with status ${status}`, async () => {
      const response = await requestFaulty(LIST, kind);
      assert.deepEqual([response.status, response.headers.get("content-type")], [status, "text/html"]);
      assert.match(response.body, /^<!DOCTYPE html>/);
    });
  }

  test("truncated_body ends early, without an error", async () => {
    for (const path of [LIST, ACTION]) {
      const service = createFaulty("truncated_body");
      for (let i = 0; i < 10; i++) {
        const { status, body } = await request(path, service);
        assert.ok(status === 200 && (await isTruncated(body, path)));
        assert.throws(() => JSON.parse(body));
      }
    }
  });

  test("connection_reset_in_body fails after half of the body", async () => {
    const { body } = await createFaulty("connection_reset_in_body").fetch(LIST);
    const reader = body.getReader();
    const { value } = await reader.read();
    assert.ok(await isTruncated(new TextDecoder().decode(value)));
    await assert.rejects(reader.read(), TypeError);
  });

  test("null_body is the JSON value null", async () => assert.equal((await requestFaulty(LIST, "null_body")).body, "null"));

  test("schema_drift adds a field and changes open enums, and nothing else", async () => {
    const removeDrift = (record) => {
      const { unknown_field, ...rest } = record;
      assert.deepEqual(unknown_field, { items: ["new", null, 1000] });
      for (const name of ["type", "token_type", "proxy_type"])
        if (typeof rest[name] === "string") rest[name] = rest[name].replace(/-next$/, "");
      return rest.token ? { ...rest, token: removeDrift(rest.token) } : rest;
    };
    const path = `/api/v2/addresses/${hub}/token-transfers`;
    const { items } = JSON.parse((await requestFaulty(path, "schema_drift")).body);
    assert.match(items[0].token.type, /-next$/);
    assert.match(items[0].token_type, /-next$/);
    assert.deepEqual(items.map(removeDrift), JSON.parse(await getFaultlessBody(path)).items);
    const { result } = JSON.parse((await requestFaulty(ACTION, "schema_drift")).body);
    assert.deepEqual(result.map(removeDrift), JSON.parse(await getFaultlessBody(ACTION)).result);
    const balance = `/api?module=account&action=balance&address=${hub}`;
    assert.equal((await requestFaulty(balance, "schema_drift")).body, await getFaultlessBody(balance));
  });

  for (const path of [
    LIST,
    ACTION,
    `/api/v2/addresses/${hub}`,
    `/api/v2/addresses/${hub}/counters`,
    `/api/v2/addresses/${hub}/token-balances`,
    `/api/v2/addresses/${hub}/coin-balance-history-by-day`,
    "/api/v2/stats",
    "/api/v2/blocks",
    `/api?module=account&action=balance&address=${hub}`,
  ]) {
    test(`wrong_type gives one field a wrong type, and changes nothing else: ${path.replace(hub, "hub")}`, async () => {
      const expected = JSON.parse(await getFaultlessBody(path));
      const { status, body } = await requestFaulty(path, "wrong_type");
      assert.equal(status, 200);
      const changes = listDifferences(expected, JSON.parse(body));
      assert.equal(changes.length, 1);
      assert.notEqual(typeof changes[0].before, "boolean");
      assert.equal(changes[0].after, true);
    });
  }

  test("hostile_value changes some non-essential fields, and keeps the number of records", async () => {
    let differences = 0;
    for (const path of [LIST, ACTION, "/api/v2/blocks", "/api/v2/token-transfers"]) {
      const expected = JSON.parse(await getFaultlessBody(path));
      const { status, body } = await requestFaulty(path, "hostile_value");
      const found = JSON.parse(body);
      const list = (json) => json.items ?? json.result;
      assert.deepEqual([status, list(found).length], [200, list(expected).length]);
      differences += listDifferences(expected, found).length;
      const identify = ({ hash, transaction_hash, log_index, index }) => [hash, transaction_hash, log_index, index];
      assert.deepEqual(list(found).map(identify), list(expected).map(identify));
    }
    assert.ok(differences > 0);
  });

  test("wrong_type does not change an empty list", async () => {
    const path = `/api/v2/addresses/${findAddress("Fresh wallet")}/logs`;
    assert.equal((await requestFaulty(path, "wrong_type")).body, await getFaultlessBody(path));
  });

  test("new_blocks adds a block to the chain of the account module", async () => {
    const service = createFaulty("new_blocks");
    const { body } = await request(`/api?module=account&action=txlist&address=${deep}&page=1&offset=1`);
    const query = { address: deep, startblock: String(Number(JSON.parse(body).result[0].blockNumber) + 1) };
    const countBlocks = () => new Set(service.getAllRows("txlist", query).map(({ blockNumber }) => blockNumber)).size;
    const before = countBlocks();
    await request(LIST, service);
    await request(LIST, service);
    assert.equal(countBlocks(), before + 2);
  });

  // The second page of every list: its request has a cursor.
  const extractCursor = (body) => /"next_page_params":(.*)\}$/.exec(body)[1];
  const requestSecondPage = async (path) => {
    const cursor = JSON.parse(await getFaultlessBody(path)).next_page_params;
    const query = new URLSearchParams(cursor).toString();
    return { query, cursor, body: await getFaultlessBody(`${path}?${query}`) };
  };
  const addressLists = [
    "logs",
    "nft",
    "internal-transactions",
    "coin-balance-history",
    "withdrawals",
    "token-transfers",
    "transactions",
    "tokens",
    "beacon/deposits",
    "celo/election-rewards",
  ];
  const lists = [
    "addresses",
    "token-transfers",
    "transactions",
    "internal-transactions",
    "withdrawals",
    "blocks",
    ...addressLists.map((name) => `addresses/${hub}/${name}`),
  ];
  for (const path of lists.map((list) => `/api/v2/${list}`)) {
    test(`repeated_cursor sends the cursor of the request again: ${path}`, async () => {
      const { query, cursor, body } = await requestSecondPage(path);
      const repeated = JSON.parse((await requestFaulty(`${path}?${query}`, "repeated_cursor")).body);
      assert.deepEqual(repeated.next_page_params, cursor);
      assert.deepEqual(repeated.items, JSON.parse(body).items);
      assert.equal((await requestFaulty(path, "repeated_cursor")).body, await getFaultlessBody(path));
    });

    test(`duplicate_cursor_keys repeats every key with its previous value: ${path}`, async () => {
      const { query, cursor, body } = await requestSecondPage(path);
      const next = extractCursor(body);
      const names = Object.keys(JSON.parse(next)).filter((name) => name in cursor);
      const value = '("(?:[^"\\\\]|\\\\.)*"|[\\w.+-]+)';
      const pair = new RegExp(`("[^"]+"):${value},\\1:${value}`, "g");
      const dialects = new Set();
      for (let seed = 0; seed < 8; seed++) {
        const service = createSampleService({ faults: { rate: 1, seed, kinds: ["duplicate_cursor_keys"] } });
        const duplicated = extractCursor((await request(`${path}?${query}`, service)).body);
        const pairs = [...duplicated.matchAll(pair)];
        assert.deepEqual(pairs.map(([, name]) => JSON.parse(name)).sort(), names.sort());
        const isFirst = duplicated.replace(pair, "$1:$2") !== next;
        assert.equal(duplicated.replace(pair, isFirst ? "$1:$3" : "$1:$2"), next);
        for (const [, name, first, second] of pairs) {
          const previous = isFirst ? first : second;
          assert.equal(String(JSON.parse(previous)), String(cursor[JSON.parse(name)]));
          // Version 9.0.0 sends strings, later ones values of the same type.
          if (!isFirst) assert.equal(previous[0], '"');
        }
        dialects.add(isFirst);
      }
      assert.ok(names.length === 0 || dialects.size === 2);
    });
  }
});

describe("fault selection", () => {
  const requestStatuses = async (faults, count = 200) => {
    const service = createSampleService({ faults });
    const statuses = [];
    for (let i = 0; i < count; i++) statuses.push((await request(ACTION, service)).status);
    return statuses;
  };

  test("depends on the seed and the number of the request", async () => {
    const kinds = ["rate_limited_no_headers", "internal_server_error", "bad_gateway", "html_forbidden_page"];
    const statuses = await requestStatuses({ seed: 1, kinds });
    assert.deepEqual(await requestStatuses({ seed: 1, kinds }), statuses);
    assert.notDeepEqual(await requestStatuses({ seed: 2, kinds }), statuses);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 403, 429, 500, 502]);
  });

  test("follows the rate", async () => {
    const countFaults = async (faults) =>
      (await requestStatuses({ kinds: ["service_unavailable"], ...faults })).filter((status) => status === 503).length;
    assert.equal(await countFaults({ rate: 0 }), 0);
    assert.equal(await countFaults({ rate: 1 }), 200);
    const count = await countFaults({});
    assert.ok(count > 35 && count < 85, `${count} of 200 at the default rate of 0.3`);
  });

  test("is off by default, and excludes 403 unless requested", async () => {
    assert.ok((await requestStatuses(undefined)).every((status) => status === 200));
    const service = createSampleService({ faults: { rate: 1 } });
    for (let i = 0; i < 100; i++) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 150);
      const response = await service.fetch(ACTION, { signal: controller.signal }).catch(() => ({ status: 0 }));
      clearTimeout(timer);
      assert.notEqual(response.status, 403);
    }
  });

  test("rejects invalid options", () => {
    for (const [faults, message] of [
      [{ rate: 1.1 }, "faults.rate must be a number from 0 to 1, got 1.1"],
      [{ rate: -1 }, "faults.rate"],
      [{ rate: "0.5" }, "faults.rate"],
      [{ rate: NaN }, "faults.rate"],
      [{ kinds: [] }, "faults.kinds must be a non-empty array"],
      [{ kinds: "latency" }, "faults.kinds"],
      [{ kinds: ["latency", "lag"] }, "unknown kind in faults.kinds: lag; valid kinds are latency, no_response, "],
      [{ kinds: ["toString"] }, "unknown kind in faults.kinds: toString"],
      [{ probability: 1 }, "unknown option faults.probability; valid options are seed, rate, kinds, script"],
      [{ script: "logs" }, "faults.script must be an array"],
      [{ script: [{ match: 1, fault: "null_body" }] }, "match in faults.script must be a string or a RegExp, got 1"],
      [{ script: [{ match: "", fault: "lag" }] }, "unknown kind in faults.script: lag; valid kinds are latency, "],
      [
        { script: [{ match: "", fault: "null_body", times: -1 }] },
        "times in faults.script must be a non-negative integer or Infinity, got -1",
      ],
      [
        { script: [{ match: "", fault: "null_body", count: 1 }] },
        "unknown option count in faults.script; valid options are match, fault, times",
      ],
    ]) {
      const isExpected = (error) => error instanceof RangeError && error.message.includes(message);
      assert.throws(() => createSampleService({ faults }), isExpected, JSON.stringify(faults));
    }
  });
});

describe("a script", () => {
  const getStatuses = async (service, paths) => {
    const statuses = [];
    for (const path of paths) statuses.push((await request(path, service)).status);
    return statuses;
  };
  const OTHER = `/api/v2/addresses/${hub}/nft`;

  test("gives the requests that match a fault, once or as often as it says", async () => {
    const script = [
      { match: "/logs", fault: "bad_gateway" },
      { match: /\/(logs|nft)/g, fault: "service_unavailable", times: 2 },
    ];
    const service = createSampleService({ faults: { script } });
    assert.deepEqual(await getStatuses(service, [ACTION, LIST, LIST, OTHER, LIST, OTHER]), [200, 502, 503, 503, 200, 200]);
  });

  test("can match the parameters of a request, and never end", async () => {
    const service = createSampleService({
      faults: { script: [{ match: /logs\?.*block_number=/, fault: "gateway_timeout", times: Infinity }] },
    });
    const second = `${LIST}?${new URLSearchParams({ block_number: 23_000_000, index: 1 })}`;
    assert.deepEqual(await getStatuses(service, [LIST, second, second, second, LIST]), [200, 504, 504, 504, 200]);
  });

  test("adds to the random faults of a rate, which stay the same", async () => {
    const faults = { rate: 0.3, kinds: ["bad_gateway"] };
    const paths = Array.from({ length: 40 }, (_, i) => (i % 10 === 0 ? LIST : ACTION));
    const random = await getStatuses(createSampleService({ faults }), paths);
    const scripted = await getStatuses(
      createSampleService({ faults: { ...faults, script: [{ match: LIST, fault: "html_forbidden_page", times: 3 }] } }),
      paths,
    );
    assert.ok(random.includes(502));
    assert.deepEqual(
      scripted,
      random.map((status, i) => (i % 10 === 0 && i < 30 ? 403 : status)),
    );
  });

  test("is used up separately by each service", async () => {
    const script = [{ match: LIST, fault: "bad_gateway" }];
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await getStatuses(createSampleService({ faults: { script } }), [LIST, LIST]), [502, 200]);
  });
});

describe("over HTTP:", () => {
  test("scripts apply, and grow adds blocks", async () => {
    const server = await startSampleServer({ faults: { script: [{ match: "/logs", fault: "bad_gateway" }] } });
    try {
      const statuses = [];
      for (const path of [LIST, LIST, ACTION]) statuses.push((await fetch(server.url + path)).status);
      assert.deepEqual(statuses, [502, 200, 200]);
      const getHead = async () => (await (await fetch(`${server.url}/api/v2/blocks`)).json()).items[0].height;
      const head = await getHead();
      assert.equal((await fetch(`${server.url}/_sample/grow?blocks=2`)).status, 200);
      assert.equal(await getHead(), head + 2);
    } finally {
      await server.close();
    }
  });

  /** Starts a server in which every request has this fault; calls `use` with a function that requests the list. */
  const withFaultyServer = async (kind, use) => {
    const server = await startSampleServer({ faults: { rate: 1, kinds: [kind] } });
    try {
      await use((init) => fetch(server.url + LIST, init));
    } finally {
      await server.close();
    }
  };
  const getCode = (error) => error.cause?.code;

  test("network_error resets the connection", () =>
    withFaultyServer("network_error", async (requestList) => {
      assert.equal(getCode(await requestList().catch((error) => error)), "ECONNRESET");
    }));

  test("no_response sends nothing", () =>
    withFaultyServer("no_response", async (requestList) => {
      await assert.rejects(requestList({ signal: AbortSignal.timeout(200) }), { name: "TimeoutError" });
    }));

  test("stalled_body stops within the body", () =>
    withFaultyServer("stalled_body", async (requestList) => {
      const controller = new AbortController();
      const { status, body } = await requestList({ signal: controller.signal });
      assert.equal(status, 200);
      const readAll = async () => {
        for await (const _ of body);
      };
      const reading = readAll();
      assert.ok(await isPending(reading));
      controller.abort();
      await assert.rejects(reading, { name: "AbortError" });
    }));

  test("truncated_body ends without an error", () =>
    withFaultyServer("truncated_body", async (requestList) => {
      assert.ok(await isTruncated(await (await requestList()).text()));
    }));

  test("connection_reset_in_body fails within a body without Content-Length", () =>
    withFaultyServer("connection_reset_in_body", async (requestList) => {
      const response = await requestList();
      assert.equal(response.headers.get("content-length"), null);
      await assert.rejects(response.text(), TypeError);
    }));

  test("content_length_mismatch fails before the end of Content-Length", () =>
    withFaultyServer("content_length_mismatch", async (requestList) => {
      const response = await requestList();
      assert.equal(Number(response.headers.get("content-length")), Buffer.byteLength(await getFaultlessBody(LIST)));
      assert.equal(getCode(await response.text().catch((error) => error)), "UND_ERR_SOCKET");
    }));

  test("gzip is decompressed by fetch", () =>
    withFaultyServer("gzip", async (requestList) => {
      const response = await requestList();
      assert.equal(response.headers.get("content-encoding"), "gzip");
      assert.equal(await response.text(), await getFaultlessBody(LIST));
    }));

  test("invalid_gzip fails", () =>
    withFaultyServer("invalid_gzip", (requestList) => assert.rejects(async () => (await requestList()).text(), TypeError)));

  // Node decompresses as much as there is, and reports no error.
  test("truncated_gzip ends early", () =>
    withFaultyServer("truncated_gzip", async (requestList) => {
      assert.ok(await isTruncated(await (await requestList()).text()));
    }));

  test("other kinds are the same as in the process", () =>
    withFaultyServer("rate_limited_reset", async (requestList) => {
      const response = await requestList();
      assert.equal(response.status, 429);
      assert.match(response.headers.get("x-ratelimit-reset"), /^\d+$/);
      assert.equal(response.headers.get("access-control-allow-origin"), "*");
    }));

  test("faults of the service and the socket together follow the seed and the rate", async () => {
    const collectFaults = async (seed) => {
      const server = await startSampleServer({ faults: { seed, rate: 0.3, kinds: ["service_unavailable", "gzip"] } });
      const faults = [];
      for (let i = 0; i < 300; i++) {
        const response = await fetch(server.url + ACTION);
        await response.text();
        faults.push(response.status === 503 ? "503" : (response.headers.get("content-encoding") ?? "none"));
      }
      await server.close();
      return faults;
    };
    const faults = await collectFaults(1);
    assert.deepEqual(await collectFaults(1), faults);
    const count = (name) => faults.filter((fault) => fault === name).length;
    assert.ok(count("503") > 25 && count("gzip") > 25, `${count("503")} and ${count("gzip")}`);
    assert.ok(count("none") > 180 && count("none") < 240, `${count("none")} of 300 without a fault`);
    await assert.rejects(startSampleServer({ faults: { kinds: ["gzip", "gzipped"] } }), RangeError);
  });
});
