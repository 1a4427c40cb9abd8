// A mock of the service, made by Prism from a published OpenAPI document: it validates requests, and invents responses.
import { createRequire } from "node:module";
import { hasException } from "./exceptions.mjs";

// Prism's packages depend on each other, but only its command line is a dependency of this folder.
const requireFromCli = createRequire(createRequire(import.meta.url).resolve("@stoplight/prism-cli"));
const requireFromHttp = createRequire(requireFromCli.resolve("@stoplight/prism-http"));
const { createLogger } = requireFromCli("@stoplight/prism-core");
const { getHttpOperationsFromSpec } = requireFromCli("@stoplight/prism-http");
const { createServer } = requireFromCli("@stoplight/prism-http-server");
const { JSONSchemaFaker } = requireFromHttp("json-schema-faker");

/**
 * The share of optional members that an invented response has, and the maximum length of its lists. The generator applies the
 * share to the length of lists, too: these have 2, 2, 1 and no elements.
 */
const SIZES = [
  { optionalsProbability: 1, maxItems: 2 },
  { optionalsProbability: 0.5, maxItems: 4 },
  { optionalsProbability: 0.1, maxItems: 10 },
  { optionalsProbability: 0, maxItems: 1 },
];

/** Options of Prism: requests are validated, and responses are invented. Only the gateway requires a key. */
const CONFIG = {
  isProxy: false,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: true },
};

const CHAIN = "/{chain_id}";

/** Starts a mock of the service that this document describes. */
export async function startMockService(document) {
  const operations = await getHttpOperationsFromSpec(document);
  correct(operations);
  // The paths of the gateway start with the chain.
  const isGateway = operations.some(({ path }) => path.startsWith(`${CHAIN}/api/`));
  // Older documents have `/api` in the URL of the server, newer ones in the paths.
  const prefix = isGateway || operations.some(({ path }) => path.startsWith("/api/")) ? "" : "/api";
  const logger = createLogger("mock service", { level: "silent" });
  const config = { ...CONFIG, checkSecurity: isGateway };
  const server = createServer(operations, { cors: false, config, components: { logger } });
  const url = await server.listen(0, "127.0.0.1");
  return {
    /** The options of a client that reads the service. */
    clientOptions: isGateway ? { chainId: 1, apiKey: "proapi_mock" } : { baseUrl: "https://mock.invalid" },
    /** Finds the operation with a path such as `/api/v2/addresses/{address_hash}/logs`. */
    findOperation(path) {
      const pattern = toPattern(isGateway ? CHAIN + path : path);
      const operation = operations.find((operation) => toPattern(prefix + operation.path) === pattern);
      return operation && describeOperation(operation);
    },
    /** Sends a request of the client. The response, which has this status, depends only on the request and the seed. */
    fetch(request, { status, seed }) {
      JSONSchemaFaker.option({ alwaysFakeOptionals: false, fixedProbabilities: true, ...SIZES[seed % SIZES.length] });
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("prefer", `dynamic=true, code=${status}, seed=seed-${seed}`);
      return fetch(url + pathname.slice(prefix.length) + search, { headers, signal: request.signal });
    },
    close: () => server.close(),
  };
}

/** Corrects what exceptions.mjs names of a document. */
function correct(operations) {
  hasException(null, "negative block number", boundBlockNumbers(operations));
  const slashed = operations.filter(({ path }) => path.endsWith("/"));
  for (const operation of slashed) operation.path = operation.path.slice(0, -1);
  hasException(null, "slash at the end of a path", slashed.length);
}

/** Says of block numbers that they are not negative. Returns how many schemas did not. */
function boundBlockNumbers(node, visited = new Set()) {
  if (typeof node !== "object" || node === null || visited.has(node)) return 0;
  visited.add(node);
  let count = 0;
  const { block_number } = node.properties ?? {};
  if (block_number && block_number.minimum === undefined && block_number.pattern === undefined) {
    block_number.minimum = 0;
    count += 1;
  }
  if (block_number?.pattern?.startsWith("^-?")) {
    block_number.pattern = block_number.pattern.replace("^-?", "^");
    count += 1;
  }
  return Object.values(node).reduce((sum, child) => sum + boundBlockNumbers(child, visited), count);
}

/** Replaces the names of path parameters, which differ between the document and the package. */
function toPattern(path) {
  return path.replace(/\{\w+\}/g, "{}");
}

/** The documentation of an operation: query parameters, including the key, HTTP statuses, and the cursor (null without pages). */
function describeOperation({ request, responses, security }) {
  const { schema } = responses.find(({ code }) => code === "200").contents[0];
  const [cursor = null] = schema.properties?.next_page_params?.examples ?? [];
  const keys = security.flat().filter((scheme) => scheme.in === "query");
  const params = [...request.query, ...keys].map(({ name }) => name);
  return { params, statuses: responses.map(({ code }) => Number(code)), cursor };
}
