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

export function createAddressObject(name = null) {
  return {
    hash: ADDRESS,
    name,
    ens_domain_name: null,
    metadata: null,
    is_contract: false,
    is_verified: null,
    is_scam: false,
    reputation: "ok",
    proxy_type: null,
    implementations: [],
    private_tags: [],
    public_tags: [],
    watchlist_names: [],
  };
}

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
    block_hash: HASH,
    block_number: 100,
    transaction_hash: HASH,
    log_index: index,
    timestamp: "2026-10-31T12:00:00.000000Z",
    from: createAddressObject(from),
    to: createAddressObject(),
    type: "token_transfer",
    method,
    token_type: "ERC-20",
    token: {
      address_hash: ADDRESS,
      name,
      symbol,
      type: "ERC-20",
      decimals: "6",
      total_supply: "1000000000",
      holders_count: "10",
      exchange_rate: null,
      volume_24h: null,
      circulating_market_cap: null,
      icon_url: null,
      reputation: "ok",
    },
    total: { decimals: "6", value },
  };
}

/** Creates an ERC-721 item that an address holds. */
export function createNft(fields) {
  return {
    id: "7",
    is_unique: null,
    token_type: "ERC-721",
    value: "1",
    image_url: null,
    animation_url: null,
    external_app_url: null,
    media_url: null,
    media_type: null,
    thumbnails: null,
    metadata: null,
    owner: null,
    token: { ...createTransfer().token, type: "ERC-721", decimals: null },
    ...fields,
  };
}

/** Creates a transaction without transfers, as the transaction page reads it. */
export function createTransaction({ result = "success", method = "transfer", from = null } = {}) {
  return {
    hash: HASH,
    status: "ok",
    result,
    block_number: 100,
    timestamp: "2026-10-31T12:00:00.000000Z",
    position: 0,
    nonce: 1,
    confirmations: 1,
    confirmation_duration: [0, 1000],
    from: createAddressObject(from),
    to: createAddressObject(),
    created_contract: null,
    value: "1",
    fee: { type: "actual", value: "21000" },
    gas_limit: "21000",
    gas_used: "21000",
    gas_price: "1",
    max_fee_per_gas: null,
    max_priority_fee_per_gas: null,
    base_fee_per_gas: null,
    priority_fee: null,
    transaction_burnt_fee: null,
    type: 0,
    method,
    raw_input: "0x",
    decoded_input: null,
    revert_reason: null,
    transaction_types: ["coin_transfer"],
    transaction_tag: null,
    exchange_rate: null,
    has_error_in_internal_transactions: null,
    token_transfers: [],
    token_transfers_overflow: false,
  };
}
