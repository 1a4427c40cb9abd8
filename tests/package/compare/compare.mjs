// Compares what callers get when the service misbehaves: from this package, from a loop over plain `fetch`, and from the
// EtherscanProvider of ethers, which supports the account module. Run it with `make compare`.
//
// Every contender reads a complete list from the sample service over HTTP. The result is compared with the service's own items.
import { createServer } from "node:http";
import { EtherscanProvider, Network } from "ethers";
import { AddressClient, isAddressQueryError } from "../../../pkg/index.js";
import { createSampleService } from "../../../pkg/testing/index.js";
import { startSampleServer } from "../../sample-server.mjs";

// With this seed, the first request has a fault.
const createFaults = (kind) => ({ faults: { seed: 7, rate: 0.3, kinds: [kind] } });
const TIMEOUT_MS = 60_000;
/** A contender that reads this many times the expected number of records is in an endless loop. */
const LOOP_FACTOR = 3;
/** The minimum number of records of the list to read. */
const MIN_RECORDS = { list: 250, rows: 10_000 };

const CASES = [
  { name: "no fault", options: {} },
  { name: "429 with x-ratelimit-reset", options: createFaults("rate_limited_reset") },
  { name: "connection lost in the body", options: createFaults("content_length_mismatch") },
  { name: "repeated cursor", options: createFaults("repeated_cursor"), only: "list" },
  { name: "an amount that is no number", options: {}, hasInvalidAmount: true },
];

/** `list` reads a REST list, `rows` the transactions of an address with more than 10,000. */
const CONTENDERS = [
  {
    name: "address-query",
    list: (url, address_hash) => new AddressClient({ baseUrl: url }).addressTokenTransfers({ address_hash }),
    rows: (url, address) => new AddressClient({ baseUrl: url }).account.txList.all({ address, sort: "asc" }),
  },
  {
    name: "plain fetch",
    async *list(url, address) {
      let query = "";
      while (query !== null) {
        const page = await fetchJson(`${url}/api/v2/addresses/${address}/token-transfers${query}`);
        yield* page.items;
        query = page.next_page_params && `?${new URLSearchParams(page.next_page_params)}`;
      }
    },
    async *rows(url, address) {
      const parameters = { module: "account", action: "txlist", address, sort: "asc" };
      yield* (await fetchJson(`${url}/api?${new URLSearchParams(parameters)}`)).result;
    },
  },
  {
    name: "ethers EtherscanProvider",
    async *rows(url, address) {
      class Provider extends EtherscanProvider {
        getBaseUrl = () => url;
        getUrl = (module, parameters) => `${url}/api?${new URLSearchParams({ module, ...parameters })}`;
      }
      yield* await new Provider(Network.from(1), "key").fetch("account", { action: "txlist", address, sort: "asc" });
    },
  },
];

for (const [task, title] of [
  ["list", "a REST list by cursors"],
  ["rows", "more than 10,000 transactions by txlist"],
]) {
  console.log(`\n${title}`);
  for (const { name, options, hasInvalidAmount, only } of CASES) {
    if (only !== undefined && only !== task) continue;
    for (const contender of CONTENDERS) {
      if (contender[task] === undefined) continue;
      console.log(
        `${name.padEnd(28)} ${contender.name.padEnd(26)} ${await measure(contender[task], task, options, hasInvalidAmount)}`,
      );
    }
  }
}
process.exit();

/** Reads everything with a contender; returns a summary of the result. */
async function measure(read, task, options, hasInvalidAmount) {
  const server = await startSampleServer(options);
  const faultlessServer = await startSampleServer();
  const proxy = hasInvalidAmount ? await startCorruptingProxy(server.url) : server;
  try {
    const { address, keys } = await findLongList(faultlessServer.url, task);
    const received = [];
    let ending = "";
    const reading = (async () => {
      for await (const row of read(proxy.url, address)) {
        received.push(getKey(row));
        if (received.length > LOOP_FACTOR * keys.length) {
          ending = ", endless loop";
          return;
        }
      }
    })();
    const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS, "timeout").unref());
    const result = await Promise.race([reading, timeout]).catch((error) => {
      ending = `, then ${describeError(error)}`;
    });
    if (result === "timeout") ending = `, not finished after ${TIMEOUT_MS / 1000} s`;
    const distinct = new Set(received);
    const duplicates = received.length - distinct.size - (keys.length - new Set(keys).size);
    const expected = new Set(keys);
    const correct = [...distinct].filter((key) => expected.has(key)).length;
    return `${correct} of ${expected.size}${duplicates > 0 ? `, ${duplicates} duplicates` : ""}${ending}`;
  } finally {
    await Promise.all([server.close(), faultlessServer.close(), hasInvalidAmount && proxy.close()]);
  }
}

/** Finds a sample address with a long list; returns the keys of all its records, read without any contender. */
async function findLongList(url, task) {
  const { addresses } = createSampleService();
  const createUrl = (address) =>
    task === "list"
      ? `${url}/_sample/all-items?path=/addresses/${address}/token-transfers`
      : `${url}/_sample/all-rows?action=txlist&address=${address}&sort=asc`;
  for (const { hash } of addresses) {
    const response = await fetch(createUrl(hash));
    const rows = response.ok ? await response.json() : [];
    if (rows.length > MIN_RECORDS[task]) return { address: hash, keys: rows.map(getKey) };
  }
  throw new Error("no sample address has enough records");
}

/** Starts a proxy that replaces the first amount of every response with an invalid one. */
async function startCorruptingProxy(target) {
  const server = createServer(async (request, response) => {
    const original = await fetch(target + request.url);
    const body = (await original.text()).replace(/"value":\s*"\d+"/, '"value":"a lot"');
    response.writeHead(original.status, { "content-type": "application/json" }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

async function fetchJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function getKey({ transaction_hash, log_index, token_id, total, hash }) {
  return hash ?? [transaction_hash, log_index, token_id, total?.token_id].join(" ");
}

function describeError(error) {
  const description = isAddressQueryError(error)
    ? `${error.code}${error.path ? ` at ${error.path}` : ""}`
    : `${error.name}: ${error.shortMessage ?? error.message}`;
  return `${description.slice(0, 90)}${error.resumeToken ? ", resumable" : ""}`;
}
