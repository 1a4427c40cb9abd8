// Cloudflare Workers: workerd, which miniflare starts. One isolate handles all incoming requests, but ends a request whose
// continuation depends on another one. Each worker has a single isolate here.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { require } from "./servers.mjs";

const SLIM = {
  imports: 'import module from "address-query/client.wasm"; import * as entry from "address-query/slim";',
  inHandler: "await entry.init({ module });",
};
const COMPAT = { imports: 'import * as entry from "address-query/compat";' };
const SLIM_AT_TOP_LEVEL = { imports: SLIM.imports, atTopLevel: SLIM.inHandler };

const DATE = "2026-04-01";
/** A compatibility date before `FinalizationRegistry` and `WeakRef`, and before other requests could resolve promises. */
const OLD_DATE = "2024-01-01";

/** Longer than the slowest burst. A request that takes longer hangs. */
const TIMEOUT_MS = 60_000;
const SERVICE_MS = 200;

/** The number of calls in a burst: all different, one per request. */
const CALLS = 40;

/** Responds to /?service=… with the result of the scenario. */
const SCENARIO = ({ imports, atTopLevel = "", inHandler = "" }) => `
  ${imports}
  import { tryScenario } from "./scenario.js";
  ${atTopLevel}
  export default {
    async fetch(request) {
      ${inHandler}
      return Response.json(await tryScenario(entry, new URL(request.url).searchParams.get("service")));
    },
  };`;

/** Responds to /?service=…&number=… with the withdrawal of the address with this number. */
const CALL = (
  { imports, atTopLevel = "", inHandler = "" },
  { options = "{}", getClient = "(client ??= createClient(service))" },
) => `
  ${imports}
  ${atTopLevel}
  let client;
  const createClient = (baseUrl) => new entry.AddressClient({ baseUrl, ...${options} });
  export default {
    async fetch(request) {
      const { service, number, leaves } = Object.fromEntries(new URL(request.url).searchParams);
      ${inHandler}
      const address_hash = "0x" + Number(number).toString(16).padStart(40, "0");
      const call = ${getClient}.addressWithdrawals({ address_hash }).then(
        ({ items }) => items[0].index,
        (error) => error.code + ": " + error.message,
      );
      if (!leaves) return Response.json(await call);
      // Nothing continues a request after its response.
      await scheduler.wait(50);
      return Response.json(null);
    },
  };`;

/**
 * Runs `use(send)` with a worker. `send(parameters)` sends it a request and returns the JSON of the response. The script is bundled
 * and the WebAssembly module is a separate file, as wrangler does it.
 */
async function withWorker(harness, name, script, compatibilityDate, use) {
  const project = harness.createProject(name.replaceAll(/\W+/g, "-"), { "main.js": script });
  const outfile = join(project, "dist/main.js");
  const external = ["address-query/client.wasm"];
  await esbuild({ absWorkingDir: project, entryPoints: ["main.js"], bundle: true, format: "esm", outfile, external });
  const wasm = readFileSync(join(project, "node_modules/address-query/client.wasm"));
  const { Miniflare } = require("miniflare");
  const miniflare = new Miniflare({
    compatibilityDate,
    modules: [
      { type: "ESModule", path: "main.js", contents: readFileSync(outfile, "utf8") },
      { type: "CompiledWasm", path: "address-query/client.wasm", contents: wasm },
    ],
  });
  try {
    return await use(async (parameters) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await miniflare.dispatchFetch(`http://consumer/?${new URLSearchParams(parameters)}`, { signal });
      return response.json();
    });
  } finally {
    await miniflare.dispose();
  }
}

/** Starts a service whose list of withdrawals has the number of the address. It refuses the first `refusals` requests. */
async function startService(refusals = 0) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests <= refusals) return response.writeHead(429, { "retry-after": "1" }).end("{}");
    const index = Number(/0x[\da-f]+/.exec(request.url)[0]);
    const row = { index, validator_index: 7, amount: "1", block_number: 5, timestamp: "2026-01-01T00:00:00.000000Z" };
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ items: [row], next_page_params: null }));
    }, SERVICE_MS);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

function createScenarioConsumer(name, entry, date = DATE) {
  return {
    name: `workerd, ${name}`,
    run: (harness) =>
      withWorker(harness, `workerd ${name}`, SCENARIO(entry), date, (send) => send({ service: harness.serviceUrl })),
  };
}

/** A consumer that sends two bursts of calls, and one call after them. Before each burst, `leavers` requests end early. */
function createBurstConsumer(name, entry, { date = DATE, refusals, leavers = 0, ...worker } = {}) {
  const range = (start, count) => Array.from({ length: count }, (_, index) => start + index);
  const bursts = [range(0, CALLS), range(100, CALLS), [200]];
  return {
    name: `workerd, ${name}`,
    expected: bursts,
    run: async (harness) => {
      const service = await startService(refusals);
      try {
        return await withWorker(harness, `workerd ${name}`, CALL(entry, worker), date, async (send) => {
          const results = [];
          for (const numbers of bursts) {
            await Promise.all(range(1000, leavers).map((number) => send({ service: service.url, number, leaves: true })));
            results.push(await Promise.all(numbers.map((number) => send({ service: service.url, number }))));
          }
          return results;
        });
      } finally {
        await service.close();
      }
    },
  };
}

const CLIENT_PER_REQUEST = { getClient: "createClient(service)" };

export const consumers = [
  createScenarioConsumer("./slim", SLIM),
  createScenarioConsumer("./slim, init at the top level", SLIM_AT_TOP_LEVEL),
  createScenarioConsumer("./slim, old compatibility date", SLIM, OLD_DATE),
  createScenarioConsumer("./compat", COMPAT),
  createScenarioConsumer("./compat, old compatibility date", COMPAT, OLD_DATE),
  createBurstConsumer("bursts, ./slim", SLIM),
  createBurstConsumer("bursts, ./slim, init at the top level", SLIM_AT_TOP_LEVEL),
  createBurstConsumer("bursts, ./compat", COMPAT),
  createBurstConsumer("bursts, old compatibility date", SLIM, { date: OLD_DATE }),
  createBurstConsumer("bursts, a client per request", SLIM, CLIENT_PER_REQUEST),
  createBurstConsumer("bursts, maxPerSecond", SLIM, { options: "{ maxPerSecond: 20 }" }),
  createBurstConsumer("bursts, refusals that state a wait", SLIM, { refusals: 8 }),
  createBurstConsumer("bursts, visitors who leave", SLIM, { leavers: 12 }),
];
