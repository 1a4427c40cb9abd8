// Tests of the faults of the sample service, in the process and over HTTP: each kind does what it says.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg-template/testing/index.js";
import { startService } from "./service.mjs";

const plain = createSampleService();
const hub = plain.addresses.find(({ label }) => label === "Busy smart account").hash;
const deep = plain.addresses.find(({ label }) => label === "Deep history").hash;
const LIST = `/api/v2/addresses/${hub}/logs`;
const ACTION = `/api?module=account&action=txlist&address=${hub}&page=1&offset=3`;

const only = (...kinds) => createSampleService({ faults: { rate: 1, kinds } });
const read = async (path, service = plain) => {
  const response = await service.fetch(path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const truth = async (path) => (await read(path)).text;

/** Whether a promise is still pending when everything else has happened that can. */
async function isPending(promise) {
  const settled = await Promise.race([promise.then(() => true, () => true), new Promise((resolve) => setTimeout(resolve, 150, false))]);
  return !settled;
}

describe("a kind in the process:", () => {
  test("latency comes later, and is the same answer", async () => {
    const start = performance.now();
    assert.equal((await read(LIST, only("latency"))).text, await truth(LIST));
    assert.ok(performance.now() - start >= 9);
  });

  test("stall never answers, until it is aborted", async () => {
    const controller = new AbortController();
    const answer = only("stall").fetch(LIST, { signal: controller.signal });
    assert.ok(await isPending(answer));
    controller.abort(new Error("enough"));
    await assert.rejects(answer, { message: "enough" });
  });

  test("stalled-body gives half a body, and ends when it is aborted", async () => {
    const controller = new AbortController();
    const { body, status } = await only("stalled-body").fetch(LIST, { signal: controller.signal });
    const reader = body.getReader();
    const half = (await reader.read()).value.length;
    assert.equal(status, 200);
    assert.ok(Math.abs(half - (await truth(LIST)).length / 2) < 100);
    const rest = reader.read();
    assert.ok(await isPending(rest));
    controller.abort(new Error("enough"));
    await assert.rejects(rest, { message: "enough" });
  });

  test("network rejects as fetch does", () => assert.rejects(only("network").fetch(LIST), TypeError));

  const said = /Too many requests\. Increase limits now/;
  for (const [kind, headers] of [
    ["429-reset", { "x-ratelimit-limit": /^300$/, "x-ratelimit-remaining": /^0$/, "x-ratelimit-reset": /^[2-9]\d$/, "retry-after": null }],
    ["429-retry-after", { "x-ratelimit-reset": null, "retry-after": /^1$/ }],
    ["429-date", { "x-ratelimit-reset": null, "retry-after": /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/ }],
    ["429-unlimited", { "x-ratelimit-reset": /^-1$/, "retry-after": null }],
    ["429-bare", { "x-ratelimit-reset": null, "x-ratelimit-limit": null, "bypass-429-option": null, "retry-after": null }],
  ]) {
    test(`${kind} has its headers and no others`, async () => {
      for (const path of [LIST, ACTION]) {
        const answer = await read(path, only(kind));
        assert.equal(answer.status, 429);
        for (const [name, value] of Object.entries(headers)) {
          if (value === null) assert.equal(answer.headers.get(name), null, name);
          else assert.match(answer.headers.get(name), value, name);
        }
        if (kind === "429-bare") assert.equal(answer.text, "error code: 1015");
        else if (path === LIST) assert.match(JSON.parse(answer.text).message, said);
        else assert.deepEqual([JSON.parse(answer.text).result, JSON.parse(answer.text).status], [null, "0"]);
      }
    });
  }

  test("429-date is at most a second away", async () => {
    const wait = Date.parse((await read(LIST, only("429-date"))).headers.get("retry-after")) - Date.now();
    assert.ok(wait > -1000 && wait <= 1000, `${wait} ms`);
  });

  test("500 has the service's two bodies", async () => {
    const crash = await read(LIST, only("500"));
    assert.deepEqual([crash.status, crash.text], [500, "\"Internal server error\""]);
    const call = await read(ACTION, only("500"));
    assert.deepEqual([call.status, JSON.parse(call.text)], [500, { message: "Something went wrong.", result: null, status: "0" }]);
  });

  for (const status of [502, 503, 504]) {
    test(`${status} is a web page or a gateway's JSON`, async () => {
      const service = only(String(status));
      const answers = await Promise.all(Array.from({ length: 20 }, () => read(LIST, service)));
      assert.ok(answers.every((answer) => answer.status === status && answer.headers.get("x-ratelimit-reset") === null));
      const pages = answers.filter(({ text }) => text.startsWith("<!DOCTYPE html>"));
      assert.ok(pages.length > 0 && pages.length < 20);
      assert.ok(pages.every(({ headers }) => headers.get("content-type") === "text/html"));
      const others = answers.filter((answer) => !pages.includes(answer));
      assert.ok(others.every(({ text }) => JSON.parse(text).source === "upstream"));
    });
  }

  test("html-200 and html-403 are web pages", async () => {
    for (const status of [200, 403]) {
      const answer = await read(LIST, only(`html-${status}`));
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [status, "text/html"]);
      assert.match(answer.text, /^<!DOCTYPE html>/);
    }
  });

  test("truncated ends early and otherwise regularly", async () => {
    for (const path of [LIST, ACTION]) {
      const whole = await truth(path);
      const service = only("truncated");
      for (let i = 0; i < 10; i++) {
        const { status, text } = await read(path, service);
        assert.ok(status === 200 && text.length < whole.length && whole.startsWith(text));
        assert.throws(() => JSON.parse(text));
      }
    }
  });

  test("broken-stream fails in the middle of the body", async () => {
    const { body } = await only("broken-stream").fetch(LIST);
    const reader = body.getReader();
    const { value } = await reader.read();
    assert.ok((await truth(LIST)).startsWith(new TextDecoder().decode(value)));
    await assert.rejects(reader.read(), TypeError);
  });

  test("null is null", async () => assert.equal((await read(LIST, only("null"))).text, "null"));

  test("drift adds a field and changes labels, and nothing else", async () => {
    const undone = (record) => {
      const { unheard_of, ...rest } = record;
      assert.deepEqual(unheard_of, { of: ["yet", null, 1000] });
      for (const name of ["type", "token_type", "proxy_type"]) if (typeof rest[name] === "string") rest[name] = rest[name].replace(/-next$/, "");
      return rest.token ? { ...rest, token: undone(rest.token) } : rest;
    };
    const path = `/api/v2/addresses/${hub}/token-transfers`;
    const { items } = JSON.parse((await read(path, only("drift"))).text);
    assert.match(items[0].token.type, /-next$/);
    assert.match(items[0].token_type, /-next$/);
    assert.deepEqual(items.map(undone), JSON.parse(await truth(path)).items);
    const { result } = JSON.parse((await read(ACTION, only("drift"))).text);
    assert.deepEqual(result.map(undone), JSON.parse(await truth(ACTION)).result);
    const balance = `/api?module=account&action=balance&address=${hub}`;
    assert.equal((await read(balance, only("drift"))).text, await truth(balance));
  });

  test("new-blocks lets the account module's chain grow", async () => {
    const service = only("new-blocks");
    const newest = async () => Number(JSON.parse((await read(`/api?module=account&action=txlist&address=${deep}&page=1&offset=1`)).text).result[0].blockNumber);
    const added = { address: deep, startblock: String((await newest()) + 1) };
    assert.deepEqual(service.truthOf("txlist", added), []);
    await read(LIST, service);
    await read(LIST, service);
    assert.equal(new Set(service.truthOf("txlist", added).map(({ blockNumber }) => blockNumber)).size, 2);
  });

  // Of every list the second page, whose request holds a cursor.
  const cursorText = (text) => /"next_page_params":(.*)\}$/.exec(text)[1];
  const second = async (path, dialect) => {
    const service = createSampleService({ dialect });
    const { next_page_params } = JSON.parse((await read(path, service)).text);
    const query = new URLSearchParams(next_page_params).toString();
    return { query, first: next_page_params, text: (await read(`${path}?${query}`, service)).text };
  };
  const lists = ["addresses", "token-transfers", ...["logs", "nft", "internal-transactions", "coin-balance-history", "withdrawals", "token-transfers"].map((name) => `addresses/${hub}/${name}`)];
  for (const path of lists.map((list) => `/api/v2/${list}`)) {
    test(`repeated-cursor of ${path}`, async () => {
      const { query, first, text } = await second(path, 11);
      const { text: repeated } = await read(`${path}?${query}`, only("repeated-cursor"));
      assert.deepEqual(JSON.parse(repeated).next_page_params, first);
      assert.deepEqual(JSON.parse(repeated).items, JSON.parse(text).items);
      assert.equal((await read(path, only("repeated-cursor"))).text, await truth(path));
    });

    test(`duplicate-keys of ${path}`, async () => {
      const { query, text } = await second(path, 11);
      const { text: doubled } = await read(`${path}?${query}`, only("duplicate-keys"));
      // A parser that takes the last value of a key reads the page before again.
      const stale = Object.fromEntries(new URLSearchParams(query));
      const fresh = JSON.parse(cursorText(text));
      assert.deepEqual(JSON.parse(cursorText(doubled)), { ...fresh, ...Object.fromEntries(Object.entries(stale).filter(([name]) => name in fresh)) });
      const singled = cursorText(doubled).replace(/("\w+"):("[^"]*"|[\w.+-]+),\1:"[^"]*"/g, "$1:$2");
      assert.equal(singled, cursorText(text));
    });
  }
});

describe("which requests are hit", () => {
  const statuses = async (faults, count = 200) => {
    const service = createSampleService({ faults });
    const all = [];
    for (let i = 0; i < count; i++) all.push((await read(ACTION, service)).status);
    return all;
  };

  test("is decided by the seed and the request's number", async () => {
    const kinds = ["429-bare", "500", "502", "html-403"];
    const one = await statuses({ seed: 1, kinds });
    assert.deepEqual(await statuses({ seed: 1, kinds }), one);
    assert.notDeepEqual(await statuses({ seed: 2, kinds }), one);
    assert.deepEqual([...new Set(one)].sort(), [200, 403, 429, 500, 502]);
  });

  test("is as many as the rate says", async () => {
    const hits = async (faults) => (await statuses({ kinds: ["503"], ...faults })).filter((status) => status === 503).length;
    assert.equal(await hits({ rate: 0 }), 0);
    assert.equal(await hits({ rate: 1 }), 200);
    const some = await hits({});
    assert.ok(some > 35 && some < 85, `${some} of 200 at 0.3`);
  });

  test("is none without faults, and no 403 unless it is asked for", async () => {
    assert.ok((await statuses(undefined)).every((status) => status === 200));
    const service = createSampleService({ faults: { rate: 1 } });
    for (let i = 0; i < 100; i++) {
      const gone = new AbortController();
      const timer = setTimeout(() => gone.abort(), 150);
      const response = await service.fetch(ACTION, { signal: gone.signal }).catch(() => ({ status: 0 }));
      clearTimeout(timer);
      assert.notEqual(response.status, 403);
    }
  });

  test("is refused where it makes no sense", () => {
    for (const [faults, said] of [
      [{ rate: 1.1 }, "faults.rate must be a number from 0 to 1, not 1.1"],
      [{ rate: -1 }, "faults.rate"], [{ rate: "0.5" }, "faults.rate"], [{ rate: NaN }, "faults.rate"],
      [{ kinds: [] }, "faults.kinds must be a list of kinds, and not empty"], [{ kinds: "503" }, "faults.kinds"],
      [{ kinds: ["503", "505"] }, "faults.kinds must be of 500, 502, "], [{ kinds: ["toString"] }, "not toString"],
      [{ probability: 1 }, "faults has no option probability; there are seed, rate, kinds"],
    ]) {
      assert.throws(() => createSampleService({ faults }), (error) => error instanceof RangeError && error.message.includes(said), JSON.stringify(faults));
    }
  });
});

describe("a kind over HTTP:", () => {
  const asked = async (kind, use) => {
    const service = await startService({ faults: { rate: 1, kinds: [kind] } });
    try {
      await use((init) => fetch(service.url + LIST, init));
    } finally {
      await service.close();
    }
  };
  const code = (error) => error.cause?.code;

  test("network is a reset", () => asked("network", async (ask) => {
    assert.equal(code(await ask().catch((error) => error)), "ECONNRESET");
  }));

  test("stall never answers", () => asked("stall", async (ask) => {
    await assert.rejects(ask({ signal: AbortSignal.timeout(200) }), { name: "TimeoutError" });
  }));

  test("stalled-body stops in the body", () => asked("stalled-body", async (ask) => {
    const controller = new AbortController();
    const { status, body } = await ask({ signal: controller.signal });
    assert.equal(status, 200);
    const read = async () => {
      for await (const _ of body);
    };
    const reading = read();
    assert.ok(await isPending(reading));
    controller.abort();
    await assert.rejects(reading, { name: "AbortError" });
  }));

  test("truncated ends regularly", () => asked("truncated", async (ask) => {
    const text = await (await ask()).text();
    assert.ok((await truth(LIST)).startsWith(text) && text.length < (await truth(LIST)).length);
  }));

  test("broken-stream and truncated-length break off", async () => {
    await asked("broken-stream", async (ask) => {
      const response = await ask();
      assert.equal(response.headers.get("content-length"), null);
      await assert.rejects(response.text(), TypeError);
    });
    await asked("truncated-length", async (ask) => {
      const response = await ask();
      assert.equal(Number(response.headers.get("content-length")), Buffer.byteLength(await truth(LIST)));
      const error = await response.text().catch((error) => error);
      assert.equal(code(error), "UND_ERR_SOCKET");
    });
  });

  test("gzip is unpacked, and broken gzip fails", async () => {
    await asked("gzip", async (ask) => {
      const response = await ask();
      assert.equal(response.headers.get("content-encoding"), "gzip");
      assert.equal(await response.text(), await truth(LIST));
    });
    await asked("gzip-garbage", async (ask) => assert.rejects(async () => (await ask()).text(), TypeError));
    // Node unpacks what there is.
    await asked("gzip-truncated", async (ask) => {
      const text = await (await ask()).text();
      assert.ok((await truth(LIST)).startsWith(text) && text.length < (await truth(LIST)).length);
    });
  });

  test("the rest is as in the process", () => asked("429-reset", async (ask) => {
    const response = await ask();
    assert.equal(response.status, 429);
    assert.match(response.headers.get("x-ratelimit-reset"), /^\d+$/);
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
  }));

  test("socket and service hit as many as the rate says, by the seed", async () => {
    const hits = async (seed) => {
      const service = await startService({ faults: { seed, rate: 0.3, kinds: ["503", "gzip"] } });
      const all = [];
      for (let i = 0; i < 300; i++) {
        const response = await fetch(service.url + ACTION);
        await response.text();
        all.push(response.status === 503 ? "503" : response.headers.get("content-encoding") ?? "-");
      }
      await service.close();
      return all;
    };
    const one = await hits(1);
    assert.deepEqual(await hits(1), one);
    const count = (kind) => one.filter((known) => known === kind).length;
    assert.ok(count("503") > 25 && count("gzip") > 25, `${count("503")} and ${count("gzip")}`);
    assert.ok(count("-") > 180 && count("-") < 240, `${count("-")} of 300 are not hit`);
    await assert.rejects(startService({ faults: { kinds: ["gzip", "gzipped"] } }), RangeError);
  });
});
