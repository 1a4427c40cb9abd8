// Runs `make live` against a mock service, which Prism makes from a published OpenAPI document. The mock invents each response, so
// lists are out of order there, but every response must be decoded. `make prism` runs it: node tests/prism/live.mjs <document>
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { checkInstance } from "../live/check.mjs";
import { OPERATIONS } from "../live/operations.mjs";
import { hasException } from "./exceptions.mjs";
import { startMockService } from "./mock-service.mjs";

const service = await startMockService(process.argv[2]);
let seed = 0;
const server = createServer(async ({ url }, response) => {
  // The documents do not have the socket.
  if (!url.startsWith("/api")) return response.writeHead(404).end();
  const sent = await service.fetch({ url: `http://mock.invalid${url}` }, { status: 200, seed: seed++ });
  response.writeHead(sent.status, { "content-type": "application/json" }).end(await sent.text());
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { rows, breaks } = await checkInstance({ url: `http://127.0.0.1:${server.address().port}`, rate: 1000 });
server.close().closeAllConnections();
await service.close();
assert.equal(rows.length, OPERATIONS.length);
const decodeErrors = breaks.flatMap((text) => {
  const [, name, path] = /^(\w+): decode: (?:([\w.]+): )?/.exec(text) ?? [];
  return name && !hasException(name, path || "no members") ? [text] : [];
});
assert.deepEqual(decodeErrors, []);
const read = rows.filter(({ responses, refused }) => responses > 0 && refused === "").length;
assert.ok(read > rows.length / 4, `${read} of ${rows.length} operations`);
console.log(`make live, with a mock: ${rows.length} operations, ${read} decoded, ${breaks.length} breaks`);
