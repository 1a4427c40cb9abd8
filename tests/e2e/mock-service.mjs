// A mock Blockscout service on loopback, for responses that the sample service does not send: hanging, failing or hostile
// ones. The records are the templates of the scripted service with other values.
import { createServer } from "node:http";
import { createHash, createItem, TEMPLATES } from "../js/service.mjs";

/**
 * `respond(path, query, url)` returns { status, headers, body }, or a promise of it; `body` is sent as JSON. If it returns
 * null, the request gets no response.
 *
 * Returns { url, requests, close() }. Each item of `requests` is { path, query, closed }; `closed` resolves when its connection ends. The
 * page also polls at any time, to find new events of the address, so count only the requests of a path.
 */
export async function startMockService(respond) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    requests.push({ path: pathname, query: searchParams, closed: new Promise((resolve) => response.on("close", resolve)) });
    const reply = await respond(pathname, searchParams, request.url);
    if (reply === null) return;
    const headers = { "content-type": "application/json", "access-control-allow-origin": "*" };
    response.writeHead(reply.status ?? 200, { ...headers, ...reply.headers }).end(JSON.stringify(reply.body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PLACE = { block: 100, hash: createHash("ab"), contract: ADDRESS };

export const createAddressObject = (name = null) => ({ ...TEMPLATES.transaction[0].from, hash: ADDRESS, name });

/** Creates an ERC-20 transfer. */
export function createTransfer({ name = "Token", symbol = "TKN", from = null, method = "transfer", ...event } = {}) {
  const token = { name, symbol, decimals: "6", total_supply: "1000000000" };
  const item = createItem({ ...PLACE, kind: "token_transfer", standard: "ERC-20", value: "1500000", token, ...event });
  return { ...item, method, from: createAddressObject(from), to: createAddressObject() };
}

/** Creates an ERC-721 item that an address holds. */
export function createNft(fields) {
  const names = "is_unique metadata owner image_url animation_url external_app_url media_url media_type thumbnails";
  const nulls = Object.fromEntries(names.split(" ").map((name) => [name, null]));
  const token = { ...createTransfer().token, type: "ERC-721", decimals: null };
  return { ...nulls, id: "7", token_type: "ERC-721", value: "1", token, ...fields };
}

/** Creates a transaction without transfers, as the transaction page reads it. */
export function createTransaction({ result = "success", method = "transfer", from = null } = {}) {
  const item = createItem({ ...PLACE, kind: "transaction", value: "1", fee: "21000" });
  const parties = { from: createAddressObject(from), to: createAddressObject() };
  return { ...item, ...parties, result, method, gas_used: "21000", token_transfers: [], token_transfers_overflow: false };
}
