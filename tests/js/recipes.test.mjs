// Runs every recipe of the READMEs and of the guide against the sample service, unchanged. A recipe without an expectation below
// fails, so new recipes need one.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { InfiniteQueryObserver, QueryClient } from "@tanstack/query-core";
import { buildSync, transformSync } from "esbuild";
import { AddressClient, formatAmount, formatUnits } from "../../pkg/index.js";
import { createQueries } from "../../pkg/query/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { DOCUMENTS, ROOT } from "../documents.mjs";
import { extractExamples } from "../types/examples.mjs";
import { createIndexedDb } from "./indexed-db.mjs";
import { getExpectedEvents, getHiddenTokens } from "./history-model.mjs";
import { cacheResponses } from "./support.mjs";

const OUT = join(ROOT, "target/recipes");
/** The address that the READMEs use; the sample service has others. */
const README_ADDRESS = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

// Many recipes read the same history.
const service = cacheResponses(createSampleService());
const [hash, treasury, settlement] = ["showcase", "treasury", "settlement"].map(
  (wanted) => service.addresses.find(({ id }) => id === wanted).hash,
);
const transfers = service.getAllItems(`/addresses/${hash}/token-transfers`);

rmSync(OUT, { recursive: true, force: true });
mkdirSync(join(OUT, "node_modules"), { recursive: true });
symlinkSync(join(ROOT, "pkg"), join(OUT, "node_modules/address-query"));
// Other modules that the recipes import: a React whose hooks run once, which is enough for a component without events.
mkdirSync(join(OUT, "node_modules/react"));
writeFileSync(
  join(OUT, "node_modules/react/package.json"),
  '{ "type": "module", "exports": { ".": "./index.js", "./jsx-runtime": "./index.js" } }',
);
writeFileSync(
  join(OUT, "node_modules/react/index.js"),
  `export const state = [], effects = [];
   export const useState = (initial) => { const at = state.length; state.push(initial); return [initial, (value) => (state[at] = value)]; };
   export const useEffect = (effect) => void effects.push(effect);
   export const useRef = (current) => ({ current: current ?? "the element that was rendered" });
   export const Fragment = "fragment";
   export const jsx = (type, props) => ({ type, props });
   export const jsxs = jsx;`,
);
// The hook is a global of the test, see `run`.
mkdirSync(join(OUT, "node_modules/@tanstack/react-query"), { recursive: true });
writeFileSync(join(OUT, "node_modules/@tanstack/react-query/package.json"), '{ "type": "module", "exports": "./index.js" }');
writeFileSync(
  join(OUT, "node_modules/@tanstack/react-query/index.js"),
  `export const useInfiniteQuery = (options) => globalThis.useInfiniteQuery(options);
   export class QueryClient {}
   export const QueryClientProvider = "provider";`,
);
// The test of a recipe calls the tests that the recipe declares. What they render is collected, and found at once.
mkdirSync(join(OUT, "node_modules/vitest"));
writeFileSync(join(OUT, "node_modules/vitest/package.json"), '{ "type": "module", "exports": "./index.js" }');
writeFileSync(
  join(OUT, "node_modules/vitest/index.js"),
  "export const tests = []; export const test = (name, run) => tests.push(run); export const afterEach = () => {};",
);
mkdirSync(join(OUT, "node_modules/@testing-library/react"), { recursive: true });
writeFileSync(join(OUT, "node_modules/@testing-library/react/package.json"), '{ "type": "module", "exports": "./index.js" }');
writeFileSync(
  join(OUT, "node_modules/@testing-library/react/index.js"),
  `export const rendered = [], cleanup = () => {}, render = (element) => rendered.push(element);
   const find = async () => ({ click() {} });
   export const screen = { findAllByRole: find, findByRole: find, findByText: find };`,
);
// Recipes write their files here.
process.chdir(OUT);

const PAGE = "https://app.example";
const PROXY_URL = `${PAGE}/api/blockscout/8453/api/v2/blocks`;
/** A request of a web page, where a path is a URL. */
class PageRequest extends Request {
  constructor(input, init) {
    super(String(input).startsWith("/") ? PAGE + input : input, init);
  }
}
process.env.BLOCKSCOUT_API_KEY = "proapi_of-the-recipe";

/** Reads through the proxy of a recipe. */
async function expectProxy(handle) {
  const response = await handle(new Request(PROXY_URL));
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal((await response.json()).items.length, 50);
}

const expectAllTransfers = ({ saved }) => assert.equal(saved.length, transfers.length);

/** Counts the transactions with events from this time on. */
function countTransactions(from = "") {
  const events = getExpectedEvents(service, hash).filter(({ timestamp }) => timestamp >= from);
  return new Set(events.map(({ transaction_hash }) => transaction_hash)).size;
}

/** Counts the lines of a recipe that are not blank. */
const checkLines = (code, most) => assert.ok(code.split("\n").filter((line) => line.trim() !== "").length <= most);

/** The expectation for each recipe, by its document, its heading and its position below it. */
const EXPECTATIONS = {
  "README.md": {
    "address-query 1": ({ logged }) => assert.ok(logged.length > 50 && logged.every(([, amount]) => typeof amount === "string")),
  },
  "pkg-template/README.md": {
    "address-query 1": ({ logged, requests: [request], code }) => {
      assert.equal(logged.length, 50);
      assert.ok(code.split("\n").filter((line) => line.trim() !== "").length <= 5);
      assert.match(request.url, /^https:\/\/api\.blockscout\.com\/1\//);
    },
    "Keep the API key on your server 1": ({ module }) => assert.ok(module.client),
    "Keep the API key on your server 2": async ({ module }) => {
      // The client of the previous example reads this URL.
      const fetch = (request) => module.proxy(request);
      const client = new AddressClient({ baseUrl: "https://app.example/api/blockscout/1", fetch });
      assert.equal((await client.addressTokenTransfers({ address_hash: hash })).items.length, 50);
      await expectProxy(fetch);
    },
  },
  "www/guide/pages/paginate.md": {
    "Paginate 1": ({ shown, logged, module }) => {
      assert.ok(logged.length > 0);
      assert.equal(shown.flat().length, transfers.length);
      assert.equal(module.newest.length, 200);
    },
    "Paginate 2": ({ saved }) => assert.equal(saved.length, transfers.length),
    "Oldest first 1": ({ saved }) => {
      const expected = transfers.filter((item) => item.block_number >= 20_000_000);
      assert.deepEqual(
        saved.map(({ log_index }) => log_index),
        expected.map(({ log_index }) => log_index).reverse(),
      );
    },
    "Resume later 1": ({ shown }) => assert.equal(shown[0].length, 50),
  },
  "www/guide/pages/block-ranges.md": {
    "Read more than 10,000 transactions 1": ({ saved }) => assert.ok(saved.length > 0),
  },
  "www/guide/pages/history.md": {
    "Read everything an address did 1": ({ logged }) => {
      const events = service.getEvents(hash).filter(({ timestamp }) => timestamp * 1000 >= Date.UTC(2026, 0, 1));
      // ERC-1155 transfers within one log can be one event.
      assert.ok(logged.length > 0.9 * events.length && logged.length <= events.length);
    },
    "Find the first and the last activity 1": ({ shown }) => {
      const times = getExpectedEvents(service, hash).map(({ timestamp }) => timestamp);
      assert.deepEqual(shown, [`${times[0]} to ${times.at(-1)}`]);
    },
    "Merge the histories of several addresses 1": ({ shown, code }) => {
      checkLines(code, 15);
      const getTimes = (address) => {
        const hidden = getHiddenTokens(service, address);
        return getExpectedEvents(service, address, { hidden }).map(({ timestamp }) => timestamp);
      };
      const times = [hash, treasury].flatMap(getTimes).sort().reverse();
      // The sample service has the same events on both chains.
      const expected = times.flatMap((time) => [time, time]).slice(0, 50);
      assert.deepEqual(
        shown.map((line) => line.split(" ")[0]),
        expected,
      );
      assert.equal(new Set(shown.map((line) => /0x\w+ on chain \d+/.exec(line)[0])).size, 4);
    },
  },
  "www/guide/pages/amounts.md": {
    "Format amounts 1": ({ logged }) => assert.equal(typeof logged[0][0], "string"),
    "Format amounts 2": ({ shown }) => assert.match(shown[0], /^\d+(\.\d{1,4})?$/),
  },
  "www/guide/pages/balances.md": {
    "Show the balances of many addresses 1": ({ logged }) => assert.equal(logged.length, 2),
  },
  "www/guide/pages/portfolio.md": {
    "Portfolio header 1": ({ shown: [header], requests }) => {
      assert.ok(requests.length <= 4, `${requests.length} requests`);
      assert.match(header.balance, /^[\d.]+$/);
      assert.match(header.value, /^[\d.]+$/);
      assert.match(header.transactions, /^\d+$/);
      assert.equal(header.tabs.transactions, "50+");
      assert.ok(header.tokens.length > 0);
    },
    "Token balances with prices 1": ({ shown, logged }) => {
      assert.ok(shown.length > 2);
      const values = shown.map(({ fiat }) => (fiat === "no price" ? -1 : Number(fiat.replaceAll(/[$,]/g, ""))));
      assert.deepEqual(
        values,
        values.toSorted((a, b) => b - a),
      );
      assert.ok(Math.max(...values) > 0);
      const total = values.reduce((sum, value) => sum + Math.max(value, 0), 0);
      assert.ok(Math.abs(Number(logged[0][0]) - total) <= 0.005 * values.length + 1e-9 * total);
    },
    "Several addresses and chains 1": ({ shown: [worth, ...lines] }) => {
      assert.match(worth, /^worth [\d.]+, and \d+ without a price$/);
      assert.ok(lines.some((line) => /^[\d.]+ \S+: [\d.]+$/.test(line)));
    },
    "Several addresses and chains 2": ({ shown: [line] }) => assert.match(line, /: [\d.]+$/),
  },
  "www/guide/pages/chains.md": {
    "Read several chains 1": ({ shown }) => {
      assert.deepEqual(
        shown[0].map((line) => line.replace(/^[\d.]+ /, "")),
        ["ETH on Ethereum", "ETH on Base"],
      );
    },
    "Read several chains 2": ({ shown }) =>
      assert.deepEqual(
        shown.map(({ items }) => items.length),
        [50, 50],
      ),
    "Read several chains 3": ({ shown }) =>
      assert.deepEqual(
        shown.map((line) => line.replace(/[\d.]+$/, "")),
        ["Ethereum: ", "Base: "],
      ),
  },
  "www/guide/pages/proxy.md": {
    "Keep the API key on a server 1": async ({ module }) => {
      const BLOCKSCOUT_API_KEY = process.env.BLOCKSCOUT_API_KEY;
      const visitors = [];
      const limit = async ({ key }) => ({ success: visitors.push(key) === 1 });
      await expectProxy((request) => module.default.fetch(request, { BLOCKSCOUT_API_KEY }));
      const call = () =>
        module.default.fetch(new Request(PROXY_URL, { headers: { "cf-connecting-ip": "192.0.2.1" } }), {
          ...{ BLOCKSCOUT_API_KEY, LIMITER: { limit } },
        });
      assert.deepEqual([(await call()).status, (await call()).status], [200, 429]);
      assert.deepEqual(visitors, ["192.0.2.1", "192.0.2.1"]);
    },
    "Keep the API key on a server 2": ({ served }) => expectProxy(served[0]),
    "Keep the API key on a server 3": ({ served }) => expectProxy(served[0].fetch),
    "Keep the API key on a server 4": ({ module }) => expectProxy(module.proxy),
    "Keep the API key on a server 5": ({ module }) => {
      assert.equal(module.default.plugins[0].name, "blockscout");
      return expectProxy(module.proxy);
    },
  },
  "www/guide/pages/graphql.md": {
    "Read GraphQL 1": ({ module }) => assert.equal(module.oldest.length, 20),
  },
  "www/guide/pages/export.md": {
    "Export to CSV 1": async ({ module, shown, logged }) => {
      let csv = "";
      const write = (chunk) => {
        csv += new TextDecoder().decode(chunk);
      };
      globalThis.showSaveFilePicker = async () => ({ createWritable: async () => new WritableStream({ write }) });
      await module.exportHistory().finally(() => delete globalThis.showSaveFilePicker);
      const moved = getExpectedEvents(service, hash).filter(({ amount, success, fee }) => fee || (success && amount !== "0"));
      const keys = csv.split("\r\n").map((line) => /"([^"]+)"$/.exec(line)?.[1]);
      assert.deepEqual(
        keys.slice(1, -1),
        moved.map(({ key }) => key),
      );
      assert.equal(shown.at(-1), `${moved.length} rows`);
      assert.deepEqual(logged, []);
    },
    "Export to CSV 2": ({ shown }) => {
      assert.ok(shown[0].split("\r\n").length >= transfers.length + 2);
    },
    "Import into a tax program 1": async ({ module, logged }) => {
      let csv = "";
      const write = (chunk) => {
        csv += new TextDecoder().decode(chunk);
      };
      globalThis.showSaveFilePicker = async () => ({ createWritable: async () => new WritableStream({ write }) });
      await module.exportForKoinly().finally(() => delete globalThis.showSaveFilePicker);
      const [header, ...lines] = csv.split("\r\n").slice(0, -1);
      assert.match(header, /^"Date","Sent Amount","Sent Currency",.*"Net Worth Currency","Label","Description","TxHash"$/);
      assert.ok(lines.length > 0.5 * countTransactions() && lines.every((line) => /^"\d{4}-\d\d-\d\d .* UTC",/.test(line)));
      assert.deepEqual(logged, []);
    },
  },
  "www/guide/pages/resumable-export.md": {
    "Resume an export 1": async ({ module, code, shown, logged, requests }) => {
      checkLines(code, 15);
      const files = [];
      let isClosed = false;
      const write = (chunk) => void files.push(new TextDecoder().decode(chunk));
      const close = () => {
        isClosed = true;
      };
      globalThis.showSaveFilePicker = async () => {
        throw new DOMException("The user closed the dialog.", "AbortError");
      };
      await assert.rejects(module.exportHistory(), { name: "AbortError" });
      const count = requests.length;
      globalThis.showSaveFilePicker = async () => ({ createWritable: async () => new WritableStream({ write, close }) });
      await module.exportHistory().finally(() => delete globalThis.showSaveFilePicker);
      assert.equal(requests.length, count, "the finished export was stored");
      const moved = getExpectedEvents(service, hash).filter(({ amount, success, fee }) => fee || (success && amount !== "0"));
      assert.ok(isClosed);
      assert.equal(files.join("").split("\r\n").length, moved.length + 2);
      assert.equal(shown.at(-1), `${moved.length} rows`);
      assert.deepEqual(logged, []);
    },
    "In Node.js 1": ({ shown, code }) => {
      checkLines(code, 8);
      assert.deepEqual(shown, [true]);
      assert.equal(readFileSync("history.csv", "utf8").split("\r\n").length, getExpectedEvents(service, hash).length + 2);
      for (const name of ["history.csv", "exports.db"]) rmSync(name);
    },
  },
  "www/guide/pages/activities.md": {
    "Say what a transaction was 1": ({ shown, code }) => {
      checkLines(code, 20);
      assert.equal(shown.length, countTransactions());
      for (const line of shown) assert.match(line, /^\d{4}-\S+: [A-Z].* \((?:-?\d+(?:\.\d+)?|no price)\)$/);
    },
  },
  "www/guide/pages/store.md": {
    "A local copy 1": async ({ shown: [line], code, requests, runAgain }) => {
      checkLines(code, 12);
      assert.equal(line, `${getExpectedEvents(service, hash).length} events, complete: true`);
      requests.length = 0;
      await runAgain();
      // Two for the head, and one for each source.
      assert.equal(requests.length, 7);
    },
    "Update and read separately 1": ({ shown, logged }) => {
      assert.match(shown.at(-3), /^100 %$/);
      assert.equal(shown.at(-2), `${getExpectedEvents(service, hash).length} new events, 0 are gone`);
      assert.match(shown.at(-1), /^as of 20\S+Z$/);
      assert.equal(logged.length, countTransactions("2026"));
    },
    "Show and forget what is stored 1": ({ shown: [line, size] }) => {
      const { length } = getExpectedEvents(service, hash);
      assert.match(line, new RegExp(`^0x[\\da-f]{40}: ${length} events, \\d{7} bytes, as of 20\\S+Z$`));
      assert.equal(size, 0);
    },
    "Encrypt it 1": async ({ shown: [size], module }) => {
      assert.ok(size > 1e6);
      const entries = await module.database.read("", "z");
      assert.ok(entries.every(([, value]) => value.data instanceof ArrayBuffer && Object.keys(value).length === 3));
      const keys = [];
      for await (const { key } of module.store.history(globalThis.client, { address_hash: hash, order: "asc" })) keys.push(key);
      assert.deepEqual(
        keys,
        getExpectedEvents(service, hash).map(({ key }) => key),
      );
    },
    "In Node.js 1": ({ shown: [events] }) => {
      assert.equal(events, getExpectedEvents(service, hash).length);
      rmSync("histories.db");
    },
  },
  "www/guide/pages/values.md": {
    "Know what it was worth 1": ({ shown, logged }) => {
      const expected = getExpectedEvents(service, hash).filter(
        ({ kind, direction, timestamp }) => kind !== "token_transfer" && direction === "in" && timestamp >= "2026",
      );
      assert.equal(logged.length, expected.length);
      const moved = expected.filter(({ amount, success }) => success !== false && amount !== "0");
      assert.match(shown[0], new RegExp(`^\\d+\\.\\d+ for ${moved.length} amounts, 0 not known$`));
    },
  },
  "www/guide/pages/audit.md": {
    "Audit balances 1": ({ shown: [line] }) => {
      const [{ value }] = service.getAllItems(`/addresses/${hash}/coin-balance-history`);
      assert.match(line, new RegExp(`^${value} wei in block \\d+$`));
    },
  },
  "www/guide/pages/live-feed.md": {
    "Show a live feed 1": ({ shown }) => {
      assert.deepEqual(
        shown.map(({ length }) => length),
        Array.from({ length: 100 }, (_, i) => i + 1),
      );
    },
  },
  "www/guide/pages/instance.md": {
    "Check an instance 1": ({ shown }) => assert.deepEqual(shown, ["v11.2.7, ethereum"]),
  },
  "www/guide/pages/responses.md": {
    "Choose what responses contain 1": ({ shown, requests: [request] }) => {
      assert.equal(shown.length, 50);
      assert.equal(request.headers.get("show-scam-tokens"), "true");
    },
  },
  "www/guide/pages/errors.md": {
    "Handle errors 1": ({ shown }) => assert.ok(shown.length > 0),
    "Handle errors 2": ({ module }) => assert.deepEqual(module.transfers.omitted, { count: 0, first: [] }),
    "Cancel and time out 1": ({ module }) => assert.equal(module.newest.length, 200),
  },
  "www/guide/pages/retry.md": {
    "Retry and rate limits 1": async ({ module }) => assert.equal((await module.client.addresses()).items.length, 50),
  },
  "www/guide/pages/tanstack-query.md": {
    "Use with TanStack Query 1": async ({ module }) => {
      const result = await module.useTransfers(hash).data;
      assert.equal(result.pages[0].items.length, 50);
    },
    "Use with TanStack Query 2": async (done) => {
      const react = await import(pathToFileURL(join(OUT, "node_modules/react/index.js")));
      const [list] = done.module.TransferList({ address_hash: hash }).props.children;
      assert.equal(list.props.children.length, 50);
      const leave = react.effects.at(-1)();
      assert.equal(done.fetchedPages, 1);
      leave();
    },
  },
  "www/guide/pages/react.md": {
    "Use with React and Next.js 1": async ({ module }) => {
      const react = await import(pathToFileURL(join(OUT, "node_modules/react/index.js")));
      react.state.length = 0;
      module.Transfers({ address_hash: hash });
      const leave = react.effects.at(-1)();
      while (react.state[0].length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(react.state[0].length, 50);
      leave();
    },
  },
  "www/guide/pages/workers.md": {
    "Use in Cloudflare Workers 1": ({ module }) => assert.ok(module.module.length > 100_000),
  },
  "www/guide/pages/testing.md": {
    "Test without a network 1": ({ module }) => assert.equal(module.page.items.length, 50),
    "Test without a network 2": async ({ module }) => {
      const error = await module.failing.addressLogs({ address_hash: hash }).then(assert.fail, (error) => error);
      assert.deepEqual([error.code, error.attempts], ["http_status", 1]);
    },
    "Test without a network 3": async ({ module }) => {
      assert.equal((await module.strict.addressTokenTransfers({ address_hash: hash })).items.length, 50);
      const error = await module.strict.addressLogs({ address_hash: settlement }).then(assert.fail, (error) => error);
      assert.equal(error.code, "decode");
      assert.ok(error.path);
    },
    "Test without a network 4": ({ module: { limited } }) =>
      assert.deepEqual([limited.code, limited.retryAfterMs], ["rate_limited", 1_000]),
    "Test without a network 5": async ({ shown, module }) => {
      assert.deepEqual(shown, [[{ height: 1 }]]);
      const error = await module.app.addressLogs({ address_hash: hash }).then(assert.fail, (error) => error);
      assert.equal(error.status, 404);
    },
    "Test without a network 6": async ({ module }) => {
      assert.equal((await module.server.addressTokenTransfers({ address_hash: hash })).items.length, 50);
      const error = await module.blocked.address({ address_hash: hash }, { maxAttempts: 1 }).then(assert.fail, (error) => error);
      assert.equal(error.code, "network");
    },
  },
  "www/guide/pages/programs.md": {
    "Infinite scroll with filters 1": ({ module, pages }) => {
      let fetchedPages = 0;
      let key;
      globalThis.useInfiniteQuery = ({ queryKey }) => {
        key = queryKey;
        const fetchNextPage = () => (fetchedPages += 1);
        return { data: { pages }, error: null, hasNextPage: true, isFetching: false, fetchNextPage };
      };
      const [buttons, list, , end] = module.Transfers({ address_hash: hash }).props.children;
      assert.deepEqual([buttons.length, list.props.children.length], [3, 50]);
      const leave = end.props.ref("the end of the list");
      assert.equal(fetchedPages, 1);
      leave();
      assert.deepEqual(key.slice(2), ["addressTokenTransfers", { address_hash: hash.toLowerCase() }, {}]);
    },
    "Component tests with failures 1": async () => {
      const { tests } = await import(pathToFileURL(join(OUT, "node_modules/vitest/index.js")));
      const { rendered } = await import(pathToFileURL(join(OUT, "node_modules/@testing-library/react/index.js")));
      for (const run of tests) await run();
      const read = async ({ address_hash, client }) => (await client.addressTokenTransfers({ address_hash })).items.length;
      const attempt = (props) => read(props).catch((error) => error.status ?? error.path);
      const [full, empty, failing, damaged] = rendered.map(({ props }) => props.children.props);
      assert.deepEqual([await attempt(full), await attempt(empty)], [50, 0]);
      assert.deepEqual([await attempt(failing), await attempt(failing)], [503, 50]);
      assert.match(await attempt(damaged), /^items\[\d+\]/);
    },
    "Tax export of a period 1": async ({ logged, runAgain }) => {
      const whole = readFileSync("2026.csv", "utf8");
      const isMoved = ({ amount, success, fee }) => fee || (success && amount !== "0");
      const events = getExpectedEvents(service, hash).filter((event) => isMoved(event) && event.timestamp >= "2026");
      assert.equal(whole.split("\r\n").length, events.length + 2);
      assert.equal(logged.at(-1)[0].rows, events.length);
      // It is stopped after a part, and killed while it writes the next one.
      const stopping = runAgain(({ rows }) => rows > 0 && process.emit("SIGINT"));
      await assert.rejects(stopping, { code: "aborted" });
      const { length } = readFileSync("2026.csv");
      assert.ok(length > 1_000 && length < whole.length, `${length} of ${whole.length} bytes`);
      appendFileSync("2026.csv", "rows without a token");
      await runAgain();
      assert.equal(readFileSync("2026.csv", "utf8"), whole);
      for (const name of ["2026.csv", "exports.db"]) rmSync(name);
    },
    "Live feed with reorganisations 1": ({ shown }) => assert.equal(shown.at(-1).length, 100),
    "Portfolio header 1": ({ shown: [worth, ...lines], code }) => {
      checkLines(code, 12);
      assert.match(worth, /^worth [\d.]+, and \d+ without a price$/);
      assert.match(lines[0], /^[\d.]+ \S+: [\d.]+$/);
    },
    "Five chains and one key 1": ({ shown, requests, code }) => {
      checkLines(code, 15);
      assert.deepEqual(
        shown.map((line) => /^(.+): [\d.]+$/.exec(line)[1]),
        ["Ethereum", "OP Mainnet", "Base", "Arbitrum One", "Gnosis"],
      );
      assert.deepEqual(requests.map(({ url }) => new URL(url).pathname.split("/")[1]).sort(), [
        "1",
        "10",
        "100",
        "42161",
        "8453",
      ]);
    },
    "Several addresses on several chains 1": ({ shown: [holdings, total, events] }) => {
      assert.ok(new Set(holdings.map(({ key }) => key)).size > 10);
      const values = holdings.map(({ value }) => Number(value ?? 0));
      const sum = values.reduce((a, b) => a + b, 0);
      assert.ok(sum > 0 && Math.abs(Number(total) - sum) < 1e-9 * sum);
      assert.equal(events.length, 50);
      assert.equal(new Set(events.map(({ chain_id }) => chain_id)).size, 2);
    },
    "Search, and show the contract 1": ({ shown: [results, contract] }) => {
      assert.ok(results.length > 0);
      assert.match(contract.source_code, /contract /);
      assert.ok(contract.compiler_version);
      assert.equal(contract.functions, 1); // of two entries in the ABI
    },
  },
  "pkg-template/SKILL.md": {
    "address-query 1": ({ module }) => assert.ok(module.client),
    "address-query 2": ({ logged }) => assert.equal(logged.length, 50),
    "Silent mistakes 1": ({ module, code, saved }) => {
      assert.equal(code.match(/^ *\/\/ \d+\. /gm).length, 15);
      assert.ok(module.more > 1n);
      assert.deepEqual([module.keys.length, new Set(module.keys).size], [module.holdings.length, module.holdings.length]);
      assert.ok(module.isSame(hash.toLowerCase(), hash) && saved.length > 0 && module.events.report.complete);
    },
  },
  "www/guide/pages/approvals.md": {
    "List approvals 1": ({ shown }) => assert.ok(shown.some((line) => /may take everything of .+, worth [\d.]+$/.test(line))),
    "Read logs and call contracts 1": ({ shown }) => assert.ok(shown.length > 0),
  },
  "www/guide/pages/estimate.md": {
    "Estimate what a read needs 1": ({ shown }) => assert.match(shown[0], /^\d+ to [\d?]+ requests, about \d+ s$/),
  },
  "www/guide/pages/look-up.md": {
    "Search 1": ({ shown }) => assert.ok(shown.some((line) => line.startsWith("hub.sample.eth: 0x"))),
    "Search box 1": async ({ module }) => {
      const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
      const page = await client.searchQuick({ q: "sample" });
      globalThis.useInfiniteQuery = ({ queryKey, enabled }) => {
        assert.deepEqual([queryKey.slice(2, 4), enabled], [["searchQuick", { q: "sample" }], true]);
        return { data: { pages: [page] }, error: null };
      };
      const [input, , list] = module.SearchBox().props.children;
      assert.equal(input.props.value, "sample");
      assert.ok(list.props.children.length > 1);
    },
    "Resolve a name 1": ({ shown }) => assert.match(shown[0], /^hub\.sample\.eth is 0x\w{40}, from the search$/),
    "Check what people type 1": ({ shown }) => {
      assert.equal(shown[0], "0x00000000219ab540356cBB839Cbe05303d7705Fa");
      assert.match(shown[1], /^address_hash: has a wrong checksum: 0x0{8}219ab540356cBB839Cbe05303d7705FA;/);
    },
    "Show a contract 1": ({ shown }) => assert.match(shown.at(-1), /^created by .+, 1 functions$/),
    "Filter everything 1": ({ shown }) => assert.match(shown[0], /: \d+ from 0x\w{40}$/),
    "Request anything else 1": ({ shown }) => assert.ok(shown[0]),
  },
  "www/guide/pages/migrate-etherscan.md": {
    "Read a whole history 1": ({ saved }) => assert.ok(saved.length > 0),
  },
  "www/guide/pages/migrate-ethers-viem.md": {
    "Use a chain of viem 1": ({ shown, requests: [request] }) => {
      assert.match(shown[0], /^\d+$/);
      assert.match(request.url, /^https:\/\/base\.blockscout\.com\/api\?/);
    },
  },
  "www/guide/pages/migrate-fetch.md": {
    "The same list, twice 1": expectAllTransfers,
    "The same list, twice 2": expectAllTransfers,
  },
  "www/guide/pages/migrate-providers.md": {
    "The same history 1": ({ saved }) => assert.ok(saved.length > 100),
  },
};

for (const document of DOCUMENTS) {
  const expectations = EXPECTATIONS[document] ?? {};
  const recipes = recipesOf(readFileSync(join(ROOT, document), "utf8"));
  test(`${document}: each recipe has an expectation`, () => {
    assert.deepEqual(
      recipes.map(({ name }) => name),
      Object.keys(expectations),
    );
  });
  for (const { name, code, language } of recipes) {
    if (!Object.hasOwn(expectations, name)) continue;
    test(`${document}: ${name}`, () => run(`${document} ${name}`, code, language, expectations[name]));
  }
}

test("the built README states the size of a bundled page with its first example", () => {
  const readme = readFileSync(join(ROOT, "pkg/README.md"), "utf8");
  const [{ code }] = recipesOf(readme);
  const stdin = { contents: code, resolveDir: OUT, loader: "ts" };
  const [{ contents }] = buildSync({
    stdin,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    write: false,
  }).outputFiles;
  const [, kilobytes] = /It adds (\d+) KB \(brotli\) to a bundled page/.exec(readme);
  assert.equal(Number(kilobytes), Math.round(brotliCompressSync(contents).length / 1000));
});

/** → `{ name, code, language }` of each example, named by the heading above it. */
function recipesOf(text) {
  const counts = new Map();
  const lines = text.split("\n");
  return extractExamples(text, ["ts", "js", "tsx"]).map(({ line, code, language }) => {
    const heading = lines
      .slice(0, line)
      .findLast((above) => /^#+ /.test(above))
      .replace(/^#+ /, "");
    counts.set(heading, (counts.get(heading) ?? 0) + 1);
    return { name: `${heading} ${counts.get(heading)}`, code, language };
  });
}

/** Runs a recipe as a separate module. Calls `expect` with what it did and what it declares. */
async function run(title, source, language, expect) {
  const done = { code: source, logged: [], shown: [], saved: [], requests: [], served: [], fetchedPages: 0 };
  const stored = new Map();
  const { fetch } = globalThis;
  const pages = [{ items: transfers.slice(0, 50) }];
  const restore = provide({
    fetch: (input, init) => {
      if (String(input).startsWith("blob:")) return fetch(input);
      done.requests.push(input);
      return service.fetch(input, init);
    },
    client: new AddressClient({ baseUrl: "https://eth.blockscout.com" }),
    AddressClient,
    formatAmount,
    formatUnits,
    address_hash: hash,
    contractaddress: settlement,
    address: hash,
    addresses: [hash, treasury],
    ...createIndexedDb().globals,
    show: (value) => done.shown.push(value),
    save: (value) => done.saved.push(value),
    retryLater: () => {},
    Deno: { env: { get: (name) => process.env[name] }, serve: (_options, handle) => done.served.push(handle) },
    Bun: { serve: (options) => done.served.push(options) },
    localStorage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, value) },
    createSampleService,
    createQueries,
    Request: PageRequest,
    // The component of the previous recipe.
    Transfers: "Transfers",
    useInfiniteQuery: (options) => ({
      data: new InfiniteQueryObserver(new QueryClient(), options).refetch().then(({ data }) => data),
    }),
    // The hook of the previous recipe, with a page of data whose end is in view.
    useTransfers: () => ({
      data: { pages },
      error: null,
      hasNextPage: true,
      isFetching: false,
      fetchNextPage: () => (done.fetchedPages += 1),
    }),
    IntersectionObserver: class {
      constructor(callback) {
        this.observe = () => callback([{ isIntersecting: true }]);
        this.disconnect = () => {};
      }
    },
    console: { ...console, log: (...values) => onLog(...values), info: () => {} },
  });
  let onLog = (...values) => done.logged.push(values);
  const url = pathToFileURL(written(title, source, language)).href;
  let runs = 0;
  /** Runs the recipe again. `onNext` is called with what it logs. */
  done.runAgain = (onNext = () => {}) => {
    onLog = onNext;
    runs += 1;
    return import(`${url}?${runs}`);
  };
  done.pages = pages;
  try {
    done.module = await import(url);
    await expect(done);
  } finally {
    restore();
  }
}

/** Writes a recipe as a JavaScript module whose declarations are exported. → its path */
function written(title, source, language) {
  const code = source
    .replaceAll(README_ADDRESS, hash)
    // The matrix of consumers runs the servers.
    .replace(/^createServer\(.*$/m, "")
    .replace(/^import { defineConfig } from "vite";$/m, "const defineConfig = (config) => config;")
    // Node cannot import a module of WebAssembly yet.
    .replace(
      /^import module from "address-query\/client.wasm".*$/m,
      `import { readFileSync } from "node:fs";\nconst module = readFileSync(${JSON.stringify(join(ROOT, "pkg/client.wasm"))});`,
    );
  const plain = transformSync(code, { loader: language, jsx: "automatic", format: "esm" }).code;
  const exported = plain
    .replace(/^export \{[^}]*\};?$/m, (names) => (names.includes(" as default") ? names : ""))
    .replace(/^(const|let|function|async function) (?=\w)/gm, "export $1 ");
  const path = join(OUT, `${title.replaceAll(/\W+/g, "-")}.mjs`);
  writeFileSync(path, exported);
  return path;
}

/** Sets globals. → a function that restores them */
function provide(globals) {
  const before = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  };
}
