// Attacks on address-query/proxy: none reaches another host or path, and none reveals the key.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { NAME_SERVICE_ROUTES } from "../../pkg/names/index.js";
import { BASE_PATH, call, createTestProxy, KEY, ORIGIN, readAll, startProxyServer, startUpstream } from "./proxy-upstream.mjs";
import { HASH } from "./support.mjs";

const STATS = "/1/api/v2/stats";
const GRAPHQL = "/1/api/v1/graphql";
const QUERY = "query($address:AddressHash!){address(hash:$address){fetchedCoinBalance}}";

/** Sends these bytes to a server; returns everything that it responds. */
async function sendRaw(origin, bytes) {
  const { hostname, port } = new URL(origin);
  const socket = connect(port, hostname);
  await once(socket, "connect");
  let received = "";
  socket.setEncoding("utf8").on("data", (text) => (received += text));
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return received;
}

describe("nothing is forwarded", () => {
  test("to paths, chains and parameters that a client never requests", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream);
    for (const [path, status] of [
      ["", 404],
      ["/", 404],
      ["/1", 404],
      ["/1/api/v2", 404],
      ["/1/api/v2/", 404],
      [`${STATS}/`, 404],
      [`/${STATS}`, 404],
      ["/1/api/v2/stats;x=1", 404],
      ["/1/api/v2/stats%00", 404],
      ["/1/api/v2/stats%2f..%2fusers", 404],
      ["/1/api/v2/stats%0d%0aX-Injected:1", 404],
      ["/1/API/v2/stats", 404],
      ["/1/api/v2/smart-contracts/verification/via/standard-input", 404],
      ["/1/api/account/v2/user/info", 404],
      ["/api/json/config", 404],
      ["/1/api/v2/addresses/..%2f..%2fusers", 404],
      ["/1/api/v2/addresses/%2e%2e", 404],
      ["/1/api/v2/addresses/%252e%252e/logs", 404],
      ["/1/api/v2/addresses/.hidden/logs", 404],
      ["/1/api/v2/addresses/a%2fb/logs", 404],
      ["/1/api/v2/addresses/a@evil.example/logs", 404],
      ["/1/api/v2/addresses/../../../../8453/api/v2/../../../../../etc", 404],
      ["/01/api/v2/stats", 404],
      ["/5/api/v2/stats", 404],
      ["/%31/api/v2/stats", 404],
      ["/1%2F..%2F5/api/v2/stats", 404],
      ["/evil.example/api/v2/stats", 404],
      ["/https://evil.example/1/api/v2/stats", 404],
      ["/@evil.example/1/api/v2/stats", 404],
      ["/1/api?module=contract&action=getsourcecode&address=0x1", 404],
      ["/1/api?module=account&action=txlist&action=getsourcecode", 400],
      ["/1/api?module=account&module=contract&action=txlist", 400],
      ["/1/api?module=account&action=txlist&apikey=visitor", 400],
      [`${STATS}?apikey=visitor`, 400],
      [`${STATS}?%61pikey=visitor`, 400],
      [`${STATS}?key=secret`, 400],
      [`${STATS}?=x`, 400],
      [`${STATS}?__proto__=x`, 400],
      ["/1/api/v2/blocks?type=a&type=b", 400],
      ["/1/api/v2/blocks?type=a&apikey=visitor", 400],
      ["/1/api/v2/blocks?ApiKey=visitor", 400],
      ["/1/api/v2/blocks?type%20=a", 400],
      ["/1/api/v2/blocks?=a", 400],
      [`/1/api/v2/blocks?${"x".repeat(65)}=a`, 400],
      [`/1/api/v2/blocks?${Array.from({ length: 25 }, (_, index) => `x${index}=a`).join("&")}`, 400],
      [`/1/api/v2/blocks?type=${"x".repeat(5_000)}`, 414],
    ]) {
      const response = await call(proxy, path);
      assert.equal(response.status, status, path);
      assert.ok(!(await readAll(response)).includes(KEY));
    }
    assert.deepEqual(upstream.requests, []);
  });

  test("to a service for all chains, for a chain that is not in the options", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream, { allow: NAME_SERVICE_ROUTES });
    for (const [query, status] of [
      ["name=a.eth&chain_id=8453", 200],
      ["name=a.eth", 200],
      ["name=a.eth&chain_id=99999", 404],
      ["name=a.eth&chain_id=1%2C99999", 404],
      ["name=a.eth&chain_id=", 404],
      ["name=a.eth&chain_id=1&chain_id=99999", 400],
    ]) {
      const response = await call(proxy, `/services/bens/api/v1/domains:lookup?${query}`);
      assert.equal(response.status, status, query);
      if (status === 404) assert.equal((await response.json()).source, "internal");
    }
    assert.equal(upstream.requests.length, 2);
  });

  test("outside the base path", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream);
    for (const path of [
      STATS,
      `/api${STATS}`,
      `${BASE_PATH}x${STATS}`,
      `/x${BASE_PATH}${STATS}`,
      `${BASE_PATH}/..${STATS}`,
      "/api%2fblockscout" + STATS,
    ])
      assert.equal((await proxy(new Request(ORIGIN + path))).status, 404, path);
    assert.deepEqual(upstream.requests, []);
  });

  test("with another method", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream);
    for (const [path, method, allow] of [
      ...["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get2"].map((method) => [STATS, method, "GET"]),
      ...["GET", "HEAD", "PUT"].map((method) => [GRAPHQL, method, "POST"]),
    ]) {
      const response = await call(proxy, path, { method });
      assert.deepEqual([response.status, response.headers.get("allow")], [405, allow], `${method} ${path}`);
    }
    // A header cannot change the method.
    await call(proxy, STATS, { headers: { "x-http-method-override": "DELETE" } });
    assert.deepEqual(
      upstream.requests.map(({ method, headers }) => [method, headers["x-http-method-override"]]),
      [["GET", undefined]],
    );
  });

  test("with a body that a client does not send", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream);
    for (const [body, status] of [
      ["", 400],
      ["{", 400],
      ["null", 400],
      ["[]", 400],
      [JSON.stringify([{ query: QUERY }]), 400],
      [JSON.stringify({ query: "{__schema{types{name}}}" }), 400],
      [JSON.stringify({ query: `${QUERY} ` }), 400],
      [JSON.stringify({ query: [QUERY] }), 400],
      [JSON.stringify({ query: { toString: QUERY } }), 400],
      [`query=${encodeURIComponent(QUERY)}`, 400],
      [JSON.stringify({ query: QUERY, variables: { x: "x".repeat(17_000) } }), 413],
    ]) {
      const response = await call(proxy, GRAPHQL, { method: "POST", body });
      assert.equal(response.status, status, body.slice(0, 100));
    }
    assert.deepEqual(upstream.requests, []);
  });

  test("of a body without an end, of which only the beginning is read", async (t) => {
    const upstream = await startUpstream(t);
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream({
      pull(sink) {
        sent += 1_000;
        sink.enqueue(new Uint8Array(1_000));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const response = await call(createTestProxy(upstream), GRAPHQL, { method: "POST", body, duplex: "half" });
    assert.equal(response.status, 413);
    assert.ok(sent < 30_000 && isCancelled, `${sent} bytes`);
    assert.deepEqual(upstream.requests, []);
  });

  test("of another site", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream, { origins: ["https://other.example"] });
    const respond = (headers, method = "GET") => proxy(new Request(`${ORIGIN}${BASE_PATH}${STATS}`, { headers, method }));
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "same-origin, cross-site" },
      { "sec-fetch-site": "x" },
      { "sec-fetch-site": "cross-site", origin: ORIGIN },
      { origin: "https://evil.example" },
      { origin: "https://app.example.evil.example" },
      { origin: "https://other.example.evil.example" },
      { origin: "https://app.example:8443" },
      { origin: "null" },
      { origin: "" },
      { referer: "https://evil.example/https://app.example/" },
      { referer: "https://app.example@evil.example/" },
    ]) {
      const response = await respond(headers);
      assert.deepEqual(
        [response.status, response.headers.get("access-control-allow-origin")],
        [403, null],
        JSON.stringify(headers),
      );
      assert.equal((await respond(headers, "OPTIONS")).status, 403);
    }
    assert.deepEqual(upstream.requests, []);
    for (const headers of [
      {},
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
      { origin: ORIGIN },
      // A server in front of the proxy terminates TLS.
      { origin: "http://app.example" },
      { referer: `${ORIGIN}/wallet` },
    ]) {
      assert.equal((await respond(headers)).status, 200, JSON.stringify(headers));
    }
  });

  test("of malformed requests over HTTP", async (t) => {
    const upstream = await startUpstream(t);
    const origin = await startProxyServer(t, upstream);
    const end = "Connection: close\r\n\r\n";
    for (const bytes of [
      `GET http://evil.example${BASE_PATH}${STATS} HTTP/1.1\r\nHost: evil.example\r\n${end}`,
      `GET //evil.example${BASE_PATH}${STATS} HTTP/1.1\r\nHost: app.example\r\n${end}`,
      `GET @evil.example${BASE_PATH}${STATS} HTTP/1.1\r\nHost: app.example\r\n${end}`,
      `GET ${BASE_PATH}/../..${STATS} HTTP/1.1\r\nHost: app.example\r\n${end}`,
      `GET ${BASE_PATH}/1/api/v2/addresses/..\\..\\stats HTTP/1.1\r\nHost: app.example\r\n${end}`,
      `GET ${BASE_PATH}/%2e%2e/%2e%2e${STATS} HTTP/1.1\r\nHost: app.example\r\n${end}`,
      `GET * HTTP/1.1\r\nHost: app.example\r\n${end}`,
      `TRACE ${BASE_PATH}${STATS} HTTP/1.1\r\nHost: app.example\r\n${end}`,
      `GET ${BASE_PATH}${STATS} HTTP/1.1\r\nHost: a b\r\n${end}`,
      `GET ${BASE_PATH}${STATS}?x=\r\nX-Injected: 1 HTTP/1.1\r\nHost: app.example\r\n${end}`,
    ]) {
      const received = await sendRaw(origin, bytes);
      assert.doesNotMatch(received, /^HTTP\/1.1 2/, bytes);
      assert.ok(!received.includes(KEY));
    }
    assert.deepEqual(upstream.requests, []);
    // The path is normalized before it is checked, and the host of the forwarded request never comes from the visitor.
    const received = await sendRaw(origin, `GET ${BASE_PATH}/x/..${STATS} HTTP/1.1\r\nHost: evil.example\r\n${end}`);
    assert.match(received, /^HTTP\/1.1 200/);
    assert.equal(upstream.requests[0].headers.host, new URL(upstream.url).host);
  });

  test("of an oversized body over HTTP, and the connection is closed", async (t) => {
    const upstream = await startUpstream(t);
    const origin = await startProxyServer(t, upstream);
    const received = await sendRaw(
      origin,
      `POST ${BASE_PATH}${GRAPHQL} HTTP/1.1\r\nHost: app.example\r\nContent-Length: 1000000000\r\n\r\n${"x".repeat(100_000)}`,
    );
    assert.match(received, /^HTTP\/1.1 413/);
    assert.deepEqual(upstream.requests, []);
  });
});

test("line breaks in parameters stay encoded", async (t) => {
  const upstream = await startUpstream(t);
  const response = await call(createTestProxy(upstream), "/1/api/v2/blocks?type=a%0d%0aX-Injected:%201%26apikey=x%23");
  assert.equal(response.status, 200);
  assert.equal(upstream.requests[0].url, "/1/api/v2/blocks?type=a%0D%0AX-Injected%3A+1%26apikey%3Dx%23");
  assert.equal(upstream.requests[0].headers["x-injected"], undefined);
});

describe("no response contains the key", () => {
  const expectNoKey = async (response) => {
    const received = await readAll(response);
    assert.ok(!received.includes(KEY), received);
    return received;
  };

  test("if the service echoes the request, its headers and URL", async (t) => {
    const upstream = await startUpstream(t, (request, response) => {
      for (const [name, value] of Object.entries(request.headers)) {
        if (typeof value === "string" && name !== "connection") response.setHeader(`x-echo-${name}`, value);
      }
      response.setHeader("retry-after", `${KEY} 1 ${KEY}`);
      response.setHeader("set-cookie", KEY);
      response.setHeader("x-ratelimit-limit", `a${request.headers.authorization}`);
      response.writeHead(401, KEY).end(JSON.stringify({ url: request.url, headers: request.headers }));
    });
    const response = await call(createTestProxy(upstream), `${STATS}`);
    assert.equal(response.statusText, "");
    assert.equal(response.headers.get("retry-after"), "*** 1 ***");
    assert.match(await expectNoKey(response), /Bearer \*\*\*/);
  });

  test("however the service splits it into chunks", async (t) => {
    const body = Buffer.from(`${KEY}ä${KEY}${KEY}proapi_${KEY}${KEY.slice(0, 9)}${KEY}x${KEY.slice(0, -1)}`);
    const expected = `***ä******proapi_***${KEY.slice(0, 9)}***x${KEY.slice(0, -1)}`;
    for (let size = 1; size <= body.length; size = size < 40 ? size + 1 : size * 2) {
      const parts = [];
      for (let at = 0; at < body.length; at += size) parts.push(body.subarray(at, at + size));
      // A fetch that returns exactly these parts.
      const { fetch } = globalThis;
      globalThis.fetch = async () => new Response(ReadableStream.from(parts));
      try {
        const response = await call(createTestProxy({ url: "https://gateway.example" }), STATS);
        assert.equal(await response.text(), expected, `parts of ${size} bytes`);
      } finally {
        globalThis.fetch = fetch;
      }
    }
    const upstream = await startUpstream(t, (_request, response) => response.end(body));
    await expectNoKey(await call(createTestProxy(upstream), STATS));
  });

  test("if the service redirects, which is not followed", async (t) => {
    const other = await startUpstream(t);
    for (const status of [301, 302, 303, 307, 308]) {
      const upstream = await startUpstream(t, (_request, response) =>
        response.writeHead(status, { location: `${other.url}/?apikey=${KEY}` }).end(KEY),
      );
      const errors = [];
      const proxy = createTestProxy(upstream, { onError: (error) => errors.push(error) });
      const response = await call(proxy, STATS);
      assert.deepEqual([response.status, response.headers.get("location")], [502, null]);
      await expectNoKey(response);
      assert.match(String(errors[0]), /redirects/);
    }
    assert.deepEqual(other.requests, []);
  });

  test("if the service does not exist, or the connection fails", async (t) => {
    const closing = await startUpstream(t, (request) => request.socket.destroy());
    for (const upstream of [{ url: "http://127.0.0.1:9" }, closing]) {
      const response = await call(createTestProxy(upstream), STATS);
      assert.equal(response.status, 502);
      assert.match(await expectNoKey(response), /upstream/);
    }
  });
});

test("a page of the service is not a document of the proxy's origin", async (t) => {
  for (const type of [
    "text/html",
    "image/svg+xml",
    "application/xhtml+xml",
    "text/javascript",
    "application/jsonx",
    "multipart/x-mixed-replace",
    undefined,
  ]) {
    const upstream = await startUpstream(t, (_request, response) => {
      if (type === undefined) response.removeHeader("content-type");
      else response.setHeader("content-type", type);
      response.writeHead(403, { "content-security-policy": "script-src *", link: "</x.js>; rel=preload" });
      response.end("<script>alert(1)</script>");
    });
    const response = await call(createTestProxy(upstream), STATS);
    assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8", type);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("link"), null);
    assert.equal(await response.text(), "<script>alert(1)</script>");
  }
});

test("a response of any size needs little memory, since the service waits for the visitor", async (t) => {
  let sent = 0;
  const part = Buffer.alloc(65_536, "x");
  const upstream = await startUpstream(t, (_request, response) => {
    const write = () => {
      while (!response.destroyed && sent < 400_000_000) {
        sent += part.length;
        if (!response.write(part)) return;
      }
      response.end();
    };
    response.on("drain", write);
    write();
  });
  const response = await call(createTestProxy(upstream), STATS);
  const reader = response.body.getReader();
  await reader.read();
  // Until nothing more is sent: the buffers of the sockets are full.
  for (let before = -1; before !== sent; ) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.ok(sent < 50_000_000, `${sent} bytes were sent`);
  await reader.cancel();
  assert.ok(!(await call(createTestProxy(upstream), `/1/other`)).ok);
});

test("messages contain no value of the visitor", async (t) => {
  const upstream = await startUpstream(t);
  const response = await call(createTestProxy(upstream), `/1/api/v2/addresses/${HASH}/logs?apikey=${"visitor-secret"}`);
  const text = await response.text();
  assert.ok(text.includes("apikey") && !text.includes("visitor-secret"), text);
});
