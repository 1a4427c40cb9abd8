// `make live`, against the sample service over loopback: with differences from the declarations, each of which it must name.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { watch } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { OPERATIONS } from "../live/operations.mjs";
import { removePrivate } from "../live/privacy.mjs";
import { serveSockets, WebSocket } from "../sample-sockets.mjs";

const RUN = fileURLToPath(new URL("../live/run.mjs", import.meta.url));
const PRIVATE = { note: "me@example.org from 10.1.2.3, proapi_secret1", link: "https://a.example/?apikey=abc&b=1" };

/** Changes of responses: a path with its query, the change of the JSON, and how the report names it. */
const DIFFERENCES = [
  {
    path: /\/addresses\/0x\w+\/logs/,
    change: (json) => ({ ...json, items: json.items.map(({ index, ...log }) => ({ ...log, log_index: index })) }),
    report: /^BREAKS addressLogs: decode: .*index/m,
  },
  {
    path: /\/v2\/transactions(\?|$)/,
    change: (json) => ({ ...json, items: json.items.map((item) => ({ ...item, added: PRIVATE })) }),
    report: /^ {2}DRIFT unknown_field Transaction\.added/m,
  },
  {
    path: /\/v2\/tokens(\?|$)/,
    change: (json) => ({ ...json, items: json.items.map((item) => ({ ...item, reputation: "splendid" })) }),
    report: /^ {2}DRIFT unknown_value Token\.reputation: splendid/m,
  },
  {
    path: /\/v2\/blocks\/\w+$/,
    change: (json) => ({ ...json, height: "high" }),
    report: /^BREAKS blockDetails: decode: .*height/m,
  },
  {
    path: /action=getminedblocks/,
    change: () => ({ status: "0", message: "Unknown action", result: null }),
    report: /^BREAKS account\.getMinedBlocks: refused, .*Unknown action/m,
  },
  {
    path: /\/addresses\/0x\w+\/token-transfers\?/,
    change: (json, query) => ({ ...json, next_page_params: json.next_page_params && Object.fromEntries(query) }),
    report: /^BREAKS addressTokenTransfers: cursor/m,
  },
  {
    path: /\/addresses\/0x\w+\/internal-transactions(\?|$)/,
    change: (json) => ({ ...json, items: [...json.items].reverse() }),
    report: /^BREAKS addressInternalTransactions: out of order: block \d+ after \d+/m,
  },
  {
    path: /\/addresses\/0x\w+\/coin-balance-history\?/,
    change: (json, _, previous) => ({ ...json, items: [...previous.slice(-1), ...json.items] }),
    report: /^BREAKS addressCoinBalanceHistory: balance:\d+ came twice/m,
  },
  {
    path: /action=txlist&.*page=2/,
    change: (json) => ({ ...json, result: json.result.slice(1) }),
    report: /^BREAKS account\.txList: row 11 of all\(\) is not row 11 of the pages/m,
  },
  {
    path: /\/tabs-counters/,
    change: (json) => ({ ...json, withdrawals_count: json.withdrawals_count + 1 }),
    report: /^BREAKS history: 0x\w+: \d+ records, and withdrawals_count is \d+/m,
  },
  {
    path: /\/tokens\/0x\w+\/counters/,
    status: 404,
    change: () => ({ message: "Not found" }),
    report: /^BREAKS tokenCounters: refused, http_status/m,
  },
];

/** Serves the sample service with differences, and without sockets for foreign origins. */
async function serve(service, differences) {
  let previous = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const headers = { "content-type": "application/json" };
    const sent = await service.fetch(`http://sample.invalid${request.url}`, { method: request.method, headers, ...body });
    const text = await sent.text();
    const difference = sent.ok ? differences.find(({ path }) => path.test(request.url)) : undefined;
    const json = text === "" ? null : JSON.parse(text);
    const query = new URL(request.url, "http://sample.invalid").searchParams;
    const changed = difference ? difference.change(json, query, previous) : json;
    if (request.url.includes("/coin-balance-history")) previous = json?.items ?? [];
    response.writeHead(difference?.status ?? sent.status, headers).end(JSON.stringify(changed));
  });
  serveSockets(server, service, ({ headers }) => headers.origin === undefined);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

/** Runs `make live`. */
function run(url, target) {
  return new Promise((resolve) => {
    const env = { ...process.env, RATE: "1000" };
    execFile(execPath, [RUN, url, target], { env, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

test("every difference between an instance and the declarations is named", { timeout: 300_000 }, async () => {
  const { url, close } = await serve(createSampleService({ pageSize: 20 }), DIFFERENCES);
  const target = mkdtempSync(join(tmpdir(), "live-"));
  const { code, stdout, stderr } = await run(url, target);
  await close();
  const differences = [...DIFFERENCES, { report: /^BREAKS socket: not open: .*403/m }];
  const missed = differences.filter(({ report }) => !report.test(stdout)).map(({ report }) => String(report));
  assert.deepEqual(missed, [], stdout + stderr);
  assert.equal(code, 1);
  const named = differences.flatMap(({ report }) => /BREAKS ([\w\\.]+)/.exec(report)?.[1].replaceAll("\\", "") ?? []);
  const broken = Array.from(stdout.matchAll(/^BREAKS ([\w.]+):/gm), ([, name]) => name);
  assert.deepEqual(new Set(broken), new Set(named));
  // Every operation has a row.
  for (const { name } of OPERATIONS) assert.match(stdout, new RegExp(`^${name.replace(".", "\\.")} `, "m"));
  const folder = join(target, readdirSync(target)[0]);
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".json"));
  for (const kind of ["rest/address-logs", "rest/transactions", "rest/tokens", "rest/block-details"])
    assert.ok(
      files.some((name) => name.startsWith(kind)),
      kind,
    );
  const text = files.map((name) => readFileSync(join(folder, name), "utf8")).join();
  assert.ok(text.includes('"added"'));
  for (const secret of ["me@example.org", "10.1.2.3", "secret1", "apikey=abc"]) assert.ok(!text.includes(secret), secret);
  rmSync(target, { recursive: true });
});

test("private values are removed from a response, and the others stay", () => {
  const record = {
    hash: `0x${"ab".repeat(32)}`,
    timestamp: "2026-11-01T10:20:30.000000Z",
    version: "v11.2.7.1",
    value: "1000000000000000000",
    private_tags: [{ label: "mine" }],
    watchlist_names: [{ label: "me" }],
    email: "someone@example.org",
    links: ["https://a.example/?token=abc&page=2", "Bearer abc.def", "2001:db8:1:2:3:4:5:6", "a secret key"],
  };
  assert.deepEqual(removePrivate(record, ["secret key"]), {
    ...record,
    private_tags: [],
    watchlist_names: [],
    email: "removed",
    links: ["https://a.example/?token=removed&page=2", "Bearer removed", "2001:db8::1", "a removed"],
  });
});

test("a watch receives announcements over a real socket", { timeout: 120_000 }, async () => {
  const service = createSampleService();
  const { url, close } = await serve(service, []);
  const address_hash = service.addresses.find(({ id }) => id === "deep").hash;
  const client = new AddressClient({ baseUrl: url });
  const events = watch(client, { address_hash, live: { WebSocket }, pollMs: 60_000 });
  const iterator = events[Symbol.asyncIterator]();
  const next = iterator.next();
  // The first poll has a report at its end.
  while (service.sockets.topics.length < 2 || !events.report) await new Promise((resolve) => setTimeout(resolve, 20));
  service.grow(1);
  const { value } = await next;
  assert.equal(value.block_number, service.getEvents(address_hash).at(-1).block_number);
  await iterator.return();
  await close();
});
