// Compares the client with a plain sequential loop while requests fail, over HTTP on this machine and in real time. The loop retries up
// to ten times, waits 200 ms × 2ⁿ (half jitter, at most 10 s), and honours stated waits. Both get the same failures.
// `make pace`, or SEEDS=4 node tests/bench/pace.mjs [DIR of another build of the package]
import { once } from "node:events";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { argv, env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";

const { AddressClient } = await import(resolve(argv[2] ?? "pkg", "index.js"));
const SEEDS = Number(env.SEEDS ?? 20);
const PER_SECOND = 5;
const CALLS = 100;

const sample = createSampleService();
const address_hash = sample.addresses.find(({ id }) => id === "hub").hash;
const path = `/api/v2/addresses/${address_hash}/withdrawals`;
const { items } = await (await sample.fetch(path)).json();

/** Serves pages of one record. `refuse` returns whether it has refused a request. Returns what `read` returns for the URL. */
async function serve(pages, refuse, read) {
  const server = createServer((request, response) => {
    if (refuse(response)) return;
    const index = Number(new URL(request.url, "http://localhost").searchParams.get("index") ?? pages);
    const next_page_params = index > 1 ? { index: index - 1 } : null;
    response.end(JSON.stringify({ items: [{ ...items[0], index: index - 1 }], next_page_params }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await read(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refuse = (response, headers = {}) => response.writeHead(429, headers).end(`{"message":"Too many requests"}`);
const FAILURES = {
  "104 pages, 30 % bare 429": [104, (response) => refuse(response)],
  "104 pages, 30 % resets": [104, (response) => response.destroy()],
  "119 pages, 30 % refused for 36 to 98 ms": [
    119,
    (response, random) => refuse(response, { "x-ratelimit-reset": String(36 + random.nextInt(63)) }),
  ],
};

async function readPlainly(baseUrl, random) {
  for (let query = ""; ; ) {
    const body = await requestPlainly(`${baseUrl}${path}${query}`, random);
    if (!body.next_page_params) return;
    query = `?${new URLSearchParams(body.next_page_params)}`;
  }
}

async function requestPlainly(url, random) {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(url).catch(() => null);
    const body = await response?.text().catch(() => null);
    if (response?.ok && body) return JSON.parse(body);
    if (attempt === 10) throw new Error("failed eleven times");
    const backoff = Math.min(200 * 2 ** attempt, 10_000) * (0.5 + random.nextInt(1000) / 2000);
    await sleep(Number(response?.headers.get("x-ratelimit-reset") ?? backoff));
  }
}

async function readWithClient(baseUrl) {
  await new AddressClient({ baseUrl }).addressWithdrawals({ address_hash }).toArray({ limit: 1000 });
}

/** The seconds that a read takes, and its error. */
async function measure(read) {
  const start = performance.now();
  const error = await read().then(
    () => null,
    (error) => error,
  );
  return { seconds: (performance.now() - start) / 1000, error };
}

const mean = (runs) => runs.reduce((sum, { seconds }) => sum + seconds, 0) / runs.length;
const failed = (runs) => runs.filter(({ error }) => error).length;
const seconds = (runs) => `${mean(runs).toFixed(1)} s${failed(runs) ? ` (${failed(runs)} failed)` : ""}`;

await serve(1, () => false, readWithClient);
for (const [name, [pages, fail]] of Object.entries(FAILURES)) {
  const runAll = (read) =>
    Promise.all(
      Array.from({ length: SEEDS }, (_, seed) => {
        const [outcomes, details, jitter] = ["outcomes", "details", "jitter"].map((name) => createRandom(name, seed));
        const isFailed = (response) => {
          const failed = outcomes.nextBoolean(0.3);
          if (failed) fail(response, details);
          return failed;
        };
        return serve(pages, isFailed, (baseUrl) => measure(() => read(baseUrl, jitter)));
      }),
    );
  const [ours, plain] = [await runAll(readWithClient), await runAll(readPlainly)];
  console.log(`${name}: ${seconds(ours)}, plain loop ${seconds(plain)}, ratio ${(mean(ours) / mean(plain)).toFixed(2)}`);
}

/** Refuses requests without a token of a bucket with five, refilled at five a second. */
function createBucket(isStated) {
  let [tokens, seen] = [PER_SECOND, performance.now()];
  return (response) => {
    const now = performance.now();
    tokens = Math.min(PER_SECOND, tokens + ((now - seen) * PER_SECOND) / 1000);
    seen = now;
    const isRefused = tokens < 1;
    if (!isRefused) tokens--;
    if (isStated) {
      response.setHeader("x-ratelimit-remaining", Math.floor(tokens));
      response.setHeader("x-ratelimit-reset", Math.ceil((Math.max(0, 1 - tokens) * 1000) / PER_SECOND));
    }
    if (isRefused) refuse(response);
    return isRefused;
  };
}

const limited = [false, true].map((isStated) =>
  serve(1, createBucket(isStated), (baseUrl) => {
    const client = new AddressClient({ baseUrl });
    // Equal calls would share a request.
    const call = (index) => client.addressWithdrawals({ address_hash: `0x${String(index).padStart(40, "0")}` });
    return measure(() => Promise.all(Array.from({ length: CALLS }, (_, index) => call(index))));
  }),
);
const [bare, stated] = await Promise.all(limited);
console.log(`${CALLS} calls, five a second: ${seconds([bare])}, with a stated limit ${seconds([stated])}`);
