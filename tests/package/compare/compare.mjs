// What becomes of a reading when the service misbehaves: the package beside a loop of plain fetch, and the Etherscan provider of
// ethers, which speaks the module/action interface. All read from the sample service over HTTP (`make compare`).
//
// A list is read to its end, compared with what the sample service knows to be there.
import { createServer } from "node:http";
import { EtherscanProvider, Network } from "ethers";
import { AddressClient, isAddressQueryError } from "../../../pkg/index.js";
import { startService } from "../../service.mjs";

// With this seed the first request is hit already.
const FAULTY = (kind) => ({ faults: { seed: 7, rate: 0.3, kinds: [kind] } });
const PATIENCE_MS = 60_000;
/** Who has this many times what is there goes in a circle. */
const CIRCLE = 3;
const LONG = { list: 250, rows: 10_000 };

const CASES = [
  { name: "nothing goes wrong", options: {} },
  { name: "429 with x-ratelimit-reset", options: FAULTY("429-reset") },
  { name: "body that breaks off", options: FAULTY("truncated-length") },
  { name: "cursor that leads back", options: FAULTY("repeated-cursor"), only: "list" },
  { name: "an amount that is no number", options: {}, spoil: true },
];

/** Each reads a list of the REST interface, and the rows of an address with more than 10,000. */
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
        const page = await json(`${url}/api/v2/addresses/${address}/token-transfers${query}`);
        yield* page.items;
        query = page.next_page_params && `?${new URLSearchParams(page.next_page_params)}`;
      }
    },
    async *rows(url, address) {
      const parameters = { module: "account", action: "txlist", address, sort: "asc" };
      yield* (await json(`${url}/api?${new URLSearchParams(parameters)}`)).result;
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

for (const [what, path] of [["list", "a list by cursors"], ["rows", "transactions past 10,000, by txlist"]]) {
  console.log(`\n${path}`);
  for (const { name, options, spoil, only } of CASES) {
    if (only !== undefined && only !== what) continue;
    for (const contender of CONTENDERS) {
      if (contender[what] === undefined) continue;
      console.log(`${name.padEnd(28)} ${contender.name.padEnd(26)} ${await outcome(contender[what], what, options, spoil)}`);
    }
  }
}
process.exit();

async function outcome(read, what, options, spoil) {
  const service = await startService(options);
  const calm = await startService();
  const proxy = spoil ? await spoiling(service.url) : service;
  try {
    const { address, keys } = await truth(calm.url, what);
    const got = [];
    let end = "";
    const reading = (async () => {
      for await (const row of read(proxy.url, address)) {
        got.push(keyOf(row));
        if (got.length > CIRCLE * keys.length) return void (end = ", goes in a circle");
      }
    })();
    const timer = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, "late").unref());
    const late = await Promise.race([reading, timer]).catch((error) => void (end = `, then ${described(error)}`));
    if (late) end = `, no end within ${PATIENCE_MS / 1000} s`;
    const distinct = new Set(got);
    const doubled = got.length - distinct.size - (keys.length - new Set(keys).size);
    const known = new Set(keys);
    const right = [...distinct].filter((key) => known.has(key)).length;
    return `${right} of ${known.size}${doubled > 0 ? `, ${doubled} doubled` : ""}${end}`;
  } finally {
    await Promise.all([service.close(), calm.close(), spoil && proxy.close()]);
  }
}

/** An address, and the keys of everything that is there, read without any of the contenders. */
async function truth(url, what) {
  const { createSampleService } = await import("../../../pkg/testing/index.js");
  const { addresses } = createSampleService();
  const at = (address) => (what === "list"
    ? `${url}/_sample/truth?path=/addresses/${address}/token-transfers`
    : `${url}/_sample/truth-of?action=txlist&address=${address}&sort=asc`);
  // The first that is long enough.
  for (const { hash } of addresses) {
    const response = await fetch(at(hash));
    const rows = response.ok ? await response.json() : [];
    if (rows.length > LONG[what]) return { address: hash, keys: rows.map(keyOf) };
  }
  throw new Error("no address has enough");
}

/** Passes answers on, with one amount made unreadable. */
async function spoiling(target) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(target + request.url);
    const text = (await answer.text()).replace(/"value":\s*"\d+"/, '"value":"a lot"');
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

async function json(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function keyOf({ transaction_hash, log_index, token_id, total, hash }) {
  return hash ?? [transaction_hash, log_index, token_id, total?.token_id].join(" ");
}

function described(error) {
  const kind = isAddressQueryError(error) ? `${error.code}${error.path ? ` at ${error.path}` : ""}` : `${error.name}: ${error.shortMessage ?? error.message}`;
  return `${kind.slice(0, 90)}${error.resumeToken ? ", resumable" : ""}`;
}
