// A mock Blockscout service on loopback, for responses that the sample service does not send: hanging, failing or hostile
// ones.
import { createServer } from "node:http";

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
const HASH = `0x${"ab".repeat(32)}`;
const PLACE = { block_number: 100, timestamp: "2026-10-31T12:00:00.000000Z" };

/** Returns an object whose members with these names are null. */
const createNulls = (names) => Object.fromEntries(names.split(" ").map((name) => [name, null]));

export function createAddressObject(name = null) {
  const labels = { implementations: [], private_tags: [], public_tags: [], watchlist_names: [] };
  const flags = { is_contract: false, is_scam: false, reputation: "ok" };
  return { ...createNulls("ens_domain_name metadata is_verified proxy_type"), ...labels, ...flags, hash: ADDRESS, name };
}

const createToken = (type, members) => ({
  ...createNulls("decimals exchange_rate volume_24h circulating_market_cap icon_url"),
  ...{ address_hash: ADDRESS, type, total_supply: "1000000000", holders_count: "10", reputation: "ok" },
  ...members,
});

/** Creates an ERC-20 transfer. */
export function createTransfer({
  name = "Token",
  symbol = "TKN",
  from = null,
  method = "transfer",
  index = 0,
  value = "1500000",
} = {}) {
  return {
    ...PLACE,
    ...{ block_hash: HASH, transaction_hash: HASH, log_index: index, type: "token_transfer", method, token_type: "ERC-20" },
    from: createAddressObject(from),
    to: createAddressObject(),
    token: createToken("ERC-20", { name, symbol, decimals: "6" }),
    total: { decimals: "6", value },
  };
}

/** Creates an ERC-721 item that an address holds. */
export function createNft(fields) {
  const urls = "image_url animation_url external_app_url media_url media_type thumbnails";
  return {
    ...createNulls(`is_unique metadata owner ${urls}`),
    ...{ id: "7", token_type: "ERC-721", value: "1", token: createToken("ERC-721", { name: "Token", symbol: "TKN" }) },
    ...fields,
  };
}

/** Creates a transaction without transfers, as the transaction page reads it. */
export function createTransaction({ result = "success", method = "transfer", from = null } = {}) {
  const fees = "max_fee_per_gas max_priority_fee_per_gas base_fee_per_gas priority_fee transaction_burnt_fee exchange_rate";
  return {
    ...createNulls(`created_contract decoded_input revert_reason transaction_tag has_error_in_internal_transactions ${fees}`),
    ...PLACE,
    ...{ hash: HASH, status: "ok", result, position: 0, nonce: 1, type: 0, method, value: "1", raw_input: "0x" },
    ...{ confirmations: 1, confirmation_duration: [0, 1000], fee: { type: "actual", value: "21000" } },
    ...{ gas_limit: "21000", gas_used: "21000", gas_price: "1", transaction_types: ["coin_transfer"] },
    from: createAddressObject(from),
    to: createAddressObject(),
    token_transfers: [],
    token_transfers_overflow: false,
  };
}
