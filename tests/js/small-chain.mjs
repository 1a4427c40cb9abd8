// A chain whose events a test lists, in both interfaces of a service. Each list and range fits in one response.
import { createSampleService } from "../../pkg/testing/index.js";
import { INDEXED, TEMPLATES } from "./changing-chain.mjs";

const sample = createSampleService();
const { hash: QUIET } = sample.addresses.find(({ id }) => id === "quiet");
const readSample = async (path) => (await sample.fetch(`/api/v2${path}`)).json();
const INFO = await readSample(`/addresses/${QUIET}`);
const [HOLDING] = (await readSample(`/addresses/${QUIET}/tokens`)).items;
const [{ from: PARTY }] = (await readSample(`/addresses/${QUIET}/transactions`)).items;

const LISTS = {
  transactions: "transaction",
  "internal-transactions": "internal_transaction",
  "token-transfers": "token_transfer",
};
const ACTIONS = { txlist: "transaction", txlistinternal: "internal_transaction", tokentx: "token_transfer" };
export const HEAD = 200;

/** A hash with these two hex digits. */
export const createAddress = (digits) => `0x${digits.repeat(20)}`;
export const createHash = (digits) => `0x${digits.repeat(32)}`;
const createParty = (hash) => (hash === null ? null : { ...PARTY, hash });
const createToken = (hash) => ({
  ...HOLDING.token,
  address_hash: hash,
  name: "Coin",
  symbol: "COIN",
  decimals: "18",
  type: "ERC-20",
});

/**
 * Creates a `fetch` of a service. An event has `kind`, `block`, `hash`, `from`, `to`, and any fields that differ from the defaults.
 * `balances` are native balances by address, `tokens` token balances by contract. `status` and `chainType` are what the service
 * states.
 */
export function createSmallChain({ events, balances = {}, tokens = {}, status = INDEXED, chainType = "ethereum" }) {
  const respond = (body, status = 200) => Response.json(body, { status });
  const getEvents = (kind, address) =>
    events.filter((event) => event.kind === kind && [event.from, event.to, event.created].includes(address.toLowerCase()));
  const getBalance = (address) => balances[address.toLowerCase()] ?? "0";
  const respondToAction = ({ action, address, contractaddress, startblock = 0, endblock = HEAD, page = 1, sort }) => {
    if (action === "getblocknobytime") return respond({ status: "1", message: "OK", result: { blockNumber: String(HEAD) } });
    if (action === "tokenbalance") return respond({ status: "1", message: "OK", result: tokens[contractaddress] ?? "0" });
    const rows = getEvents(ACTIONS[action], address).filter(({ block }) => block >= startblock && block <= endblock);
    if (sort !== "asc") rows.reverse();
    if (rows.length === 0 || page > 1) return respond({ status: "0", message: "No transactions found", result: [] });
    return respond({ status: "1", message: "OK", result: rows.map(createRow) });
  };
  return async ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname.endsWith("/api")) return respondToAction(Object.fromEntries(searchParams));
    if (pathname.endsWith("/indexing-status")) return status === null ? respond({ message: "Not found" }, 404) : respond(status);
    if (pathname.endsWith("/config/backend")) return respond({ chain_type: chainType });
    const [, subject, id, list] = /\/v2\/(\w+)\/(\w+)\/?(.*)$/.exec(pathname) ?? [];
    if (subject === "transactions")
      return respond(createItem(events.find(({ kind, hash }) => kind === "transaction" && hash === id)));
    if (list === "") return respond({ ...INFO, hash: id, coin_balance: getBalance(id), block_number_balance_updated_at: HEAD });
    if (list === "tokens") {
      const items = Object.entries(tokens).map(([hash, value]) => ({
        ...HOLDING,
        token: createToken(hash),
        token_id: null,
        value,
      }));
      return respond({ items, next_page_params: null });
    }
    const isListed = list in LISTS && ["ERC-20", null].includes(searchParams.get("type"));
    const items = !isListed ? [] : getEvents(LISTS[list], id).reverse().map(createItem);
    return respond({ items, next_page_params: null });
  };
}

/** The default fields of an event. */
const DEFAULTS = { index: 0, to: null, created: null, value: "0", fee: "0" };

/** An event as an item of REST. */
function createItem(event) {
  const { kind, block, hash, index, from, to, created, value, fee, gasToken, contract, type } = { ...DEFAULTS, ...event };
  const [template] = TEMPLATES[kind];
  const common = {
    ...template,
    block_number: block,
    timestamp: "2026-10-31T12:00:00.000000Z",
    from: createParty(from),
    to: createParty(to),
  };
  if (kind === "token_transfer") {
    const token = createToken(contract);
    return { ...common, transaction_hash: hash, log_index: index, token, token_type: "ERC-20", total: { value, decimals: "18" } };
  }
  const moved = { ...common, created_contract: createParty(created), value };
  if (kind === "internal_transaction") return { ...moved, transaction_hash: hash, index, type, success: true, error: null };
  const celo =
    gasToken === undefined ? {} : { celo: { gas_token: gasToken && { address_hash: gasToken, ...createToken(gasToken) } } };
  return { ...moved, hash, position: index, status: "ok", result: "success", fee: { type: "actual", value: fee }, ...celo };
}

/** An event as a row of the account interface. */
function createRow(event) {
  const { kind, block, hash, index, from, to, created, value, fee, contract, type = "call" } = { ...DEFAULTS, ...event };
  const [, template] = TEMPLATES[kind];
  const row = {
    ...template,
    blockNumber: String(block),
    timeStamp: "1793448000",
    from,
    to: to ?? "",
    value,
    contractAddress: created ?? "",
  };
  if (kind === "token_transfer") return { ...row, hash, contractAddress: contract, tokenDecimal: "18" };
  if (kind === "transaction") return { ...row, hash, transactionIndex: String(index), gasUsed: fee, gasPrice: "1", isError: "0" };
  return {
    ...row,
    transactionHash: hash,
    index: String(index),
    type,
    callType: type === "call" ? "call" : "",
    isError: "0",
    errCode: "",
  };
}
