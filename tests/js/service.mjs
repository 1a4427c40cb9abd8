// A scripted service of a small chain, in both interfaces. A test lists its events, or lets the chain grow and reorganise itself.
// The records are records of the sample service with other values.
//
// Start at `new ScriptedService({ … })`, whose options are the script. `grow` and `reorganise` change the chain, and `change` the script.
// tests/native/service.rs is the service of the native tests, with the same words.
import { createSampleService } from "../../pkg/testing/index.js";

/** Reads a record of each kind in the format of a backend version: an item of REST, and a row of the account interface. */
export async function readTemplates(backendVersion = 11) {
  const sample = createSampleService({ backendVersion });
  const getHash = (id) => sample.addresses.find((address) => address.id === id).hash;
  const read = async (path) => (await sample.fetch(`/api${path}`)).json();
  const readItem = async (id, list) => (await read(`/v2/addresses/${getHash(id)}/${list}`)).items[0];
  const readRow = async (action) => (await read(`?module=account&action=${action}&address=${getHash("quiet")}`)).result[0];
  return {
    transaction: [await readItem("quiet", "transactions"), await readRow("txlist")],
    internal_transaction: [await readItem("quiet", "internal-transactions"), await readRow("txlistinternal")],
    token_transfer: [await readItem("quiet", "token-transfers"), await readRow("tokentx")],
    withdrawal: [await readItem("quiet", "withdrawals")],
    block_reward: [await readItem("producer", "blocks-validated")],
    holding: await readItem("quiet", "tokens"),
    address: await read(`/v2/addresses/${getHash("quiet")}`),
  };
}

export const TEMPLATES = await readTemplates();
/** The response of an instance that has indexed everything. */
export const INDEXED = {
  finished_indexing: true,
  finished_indexing_blocks: true,
  indexed_blocks_ratio: "1.00",
  indexed_internal_transactions_ratio: "1",
};
const LISTS = {
  transactions: "transaction",
  "internal-transactions": "internal_transaction",
  "token-transfers": "token_transfer",
  withdrawals: "withdrawal",
  "blocks-validated": "block_reward",
};
const ACTIONS = {
  txlist: ["transaction"],
  txlistinternal: ["internal_transaction"],
  tokentx: ["token_transfer", "ERC-20"],
  tokennfttx: ["token_transfer", "ERC-721"],
  token1155tx: ["token_transfer", "ERC-1155"],
  token404tx: ["token_transfer", "ERC-404"],
};
const STANDARDS = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"];
const FIRST_BLOCK = 1_000;
/** The number of the newest blocks that are listed. */
const LISTED_BLOCKS = 50;
const MAX_ROWS = 10_000;

export const KINDS = ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"];
/** The address whose chain grows, and the other party of its events. */
export const ADDRESS = `0x${"a1".repeat(20)}`;
const OTHER = `0x${"b2".repeat(20)}`;
/** The newest block of a chain whose events are listed. */
export const HEAD = 200;

/** An address or hash with these two hex digits. */
export const createAddress = (digits) => `0x${digits.repeat(20)}`;
export const createHash = (digits) => `0x${digits.repeat(32)}`;
const toHex = (number, bytes) => `0x${number.toString(16).padStart(2 * bytes, "0")}`;
const toTime = (block) => 1_790_000_000 + 12 * block;
const toKey = ({ contract = OTHER, standard }) => ({ address_hash: contract, type: standard });

/**
 * An event as a record of REST. It has `kind`, `block`, `index` and `hash`, and any of `from`, `to`, `created` (a contract), `value`,
 * `fee`, `gasToken`, `contract`, `standard`, `token_id` and `type`.
 */
export function createItem(event, templates = TEMPLATES) {
  const { kind, block, index = 0, hash, from = OTHER, to = ADDRESS, created = null, value, token_id = null } = event;
  const [template] = templates[kind];
  const block_number = block;
  const timestamp = `${new Date(toTime(block) * 1000).toISOString().slice(0, 19)}.000000Z`;
  const createParty = (hash) => hash && { ...templates.transaction[0].from, hash };
  if (kind === "withdrawal") return { ...template, block_number, timestamp, index };
  if (kind === "block_reward") return { ...template, height: block, timestamp };
  const common = { ...template, block_number, timestamp, from: createParty(from), to: createParty(to) };
  if (kind === "token_transfer") {
    const token = { ...template.token, ...toKey(event), ...event.token, reputation: "ok" };
    const amount = event.standard === "ERC-7984" ? null : { value: value ?? "5", decimals: event.token?.decimals ?? null };
    const nft = { token_id, token_instance: null, ...(event.standard !== "ERC-721" && amount) };
    return {
      ...common,
      transaction_hash: hash,
      log_index: index,
      token,
      token_type: event.standard,
      total: token_id === null ? amount : nft,
    };
  }
  const moved = { ...common, created_contract: createParty(created), ...(value && { value }) };
  if (kind === "internal_transaction") {
    return { ...moved, transaction_hash: hash, index, type: event.type ?? template.type, success: true, error: null };
  }
  const { fee, gasToken } = event;
  const celo = gasToken !== undefined && {
    celo: { gas_token: gasToken && { ...templates.holding.token, ...COIN, address_hash: gasToken } },
  };
  const paid = fee && { fee: { type: "actual", value: fee }, status: "ok", result: "success" };
  return { ...moved, hash, position: index, ...paid, ...celo };
}

/** An event as a row of the account interface. */
export function createRow(event, templates = TEMPLATES) {
  const {
    kind,
    block,
    index = 0,
    hash,
    from = OTHER,
    to = ADDRESS,
    created,
    value,
    standard,
    token_id,
    contract = OTHER,
  } = event;
  const [, template] = templates[kind];
  const place = { blockNumber: String(block), timeStamp: String(toTime(block)), from, to: to ?? "" };
  const row = { ...template, ...place, contractAddress: created ?? "", ...(value && { value }) };
  if (kind === "transaction") {
    const paid = event.fee && { gasUsed: event.fee, gasPrice: "1", isError: "0" };
    return { ...row, hash, transactionIndex: String(index), ...paid };
  }
  if (kind === "internal_transaction") {
    const { type = template.type } = event;
    const callType = type === "call" ? "call" : "";
    return { ...row, transactionHash: hash, index: String(index), type, callType, isError: "0", errCode: "" };
  }
  const decimals = event.token && { tokenDecimal: event.token.decimals };
  const { value: _, ...transfer } = { ...row, hash, contractAddress: contract, ...decimals };
  const amount = value ?? "5";
  if (standard === "ERC-20") return { ...transfer, value: amount };
  if (standard === "ERC-721") return { ...transfer, tokenID: token_id };
  if (standard === "ERC-1155") return { ...transfer, tokenID: token_id, tokenValue: amount };
  return { ...transfer, tokenID: token_id, value: amount };
}

/** The token of listed events. */
const COIN = { name: "Coin", symbol: "COIN", decimals: "18", type: "ERC-20" };
/** The default fields of a listed event. */
const LISTED = { to: null, value: "0", fee: "0", type: "call", standard: "ERC-20", token: COIN };

/** Formats the records of events as JSON. Each event is formatted once, and read many times. */
function cacheFormatted(createRecord) {
  const formatted = new WeakMap();
  return (event, templates) => {
    const json = formatted.get(event) ?? JSON.stringify(createRecord(event, templates));
    formatted.set(event, json);
    return json;
  };
}

const formatItem = cacheFormatted(createItem);
const formatRow = cacheFormatted(createRow);

/** The kind of an event with this key. */
export function getKind(key) {
  const [kind] = key.split(":");
  return kind === "internal" ? "internal_transaction" : kind;
}

/** The documented key of an event. */
function createKey({ kind, block, index, hash, standard, token_id }) {
  if (kind === "transaction") return `transaction:${hash}`;
  if (kind === "internal_transaction") return `internal:${hash}:${index}`;
  if (kind === "withdrawal") return `withdrawal:${index}`;
  if (kind === "block_reward") return `block_reward:${block}`;
  const amount = { "ERC-721": "1", "ERC-7984": "" }[standard] ?? "5";
  return `token_transfer:${hash}:${OTHER}:${OTHER}:${ADDRESS}:${token_id ?? ""}:${amount}`;
}

export class ScriptedService {
  #script;
  /** The events of each block, oldest first. */
  #blocks = [];
  #hashes;
  /** How often a block was replaced, by its number. */
  #forks = new Map();
  #withdrawals = 0;
  /** The lists that were read since the chain changed. */
  #lists = new Map();

  /**
   * `random` creates the events of a chain that grows; `nftsPerBlock` is the number of additional transfers per block. `events` are
   * listed ones, in the order of the chain. `clamp` is the largest number of records of a page. `balances` are native balances by
   * address, `tokens` token balances by contract. `status` and `chainType` are what the service states. `firstHash` is the number before
   * the hash of the first block: two chains have other hashes. `refuse` may return the response to a URL, and `fail` is the share of
   * requests that fail.
   */
  constructor(script) {
    const defaults = { version: 11, templates: TEMPLATES, nftsPerBlock: 0, clamp: MAX_ROWS, balances: {}, tokens: {} };
    this.#script = { ...defaults, status: INDEXED, chainType: "ethereum", refuse: () => undefined, ...script };
    this.#hashes = script.firstHash ?? 0;
    if (script.events) this.#blocks = [script.events.map((event) => ({ ...LISTED, index: 0, ...event }))];
  }

  get head() {
    return this.#script.events ? HEAD : FIRST_BLOCK + this.#blocks.length;
  }

  /** The keys and blocks of all events. */
  getKeys() {
    return this.#blocks.flat().map((event) => [createKey(event), event.block]);
  }

  /** Changes the script. */
  change(changes) {
    Object.assign(this.#script, changes);
  }

  grow(count) {
    for (let i = 0; i < count; i++) this.#addBlock(toHex(++this.#hashes, 32));
  }

  /** Replaces the newest blocks. Some of their transactions are mined again, in another block or in the same one. */
  reorganise(count) {
    const { random } = this.#script;
    for (let block = this.head; block > this.head - count; block--) this.#forks.set(block, (this.#forks.get(block) ?? 0) + 1);
    const replaced = this.#blocks.splice(-count, count || 0);
    const hashes = replaced.flat().flatMap(({ kind, hash }) => (kind === "transaction" ? [hash] : []));
    // The new blocks take over the withdrawals of the replaced ones.
    this.#withdrawals -= replaced.flat().filter(({ kind }) => kind === "withdrawal").length;
    for (const _ of replaced) {
      const isMinedAgain = hashes.length > 0 && random.nextBoolean(0.5);
      const [hash] = isMinedAgain ? hashes.splice(random.nextInt(hashes.length), 1) : [toHex(++this.#hashes, 32)];
      this.#addBlock(hash);
    }
  }

  #addBlock(hash) {
    const { random, nftsPerBlock } = this.#script;
    const block = this.head + 1;
    const isPresent = () => random.nextBoolean(0.4);
    const events = [];
    if (isPresent()) events.push({ kind: "transaction", block, hash, index: 3 });
    for (const index of [1, 2]) if (isPresent()) events.push({ kind: "internal_transaction", block, hash, index });
    STANDARDS.forEach((standard, index) => {
      const token_id = standard === "ERC-20" || standard === "ERC-7984" ? null : String(7 + index);
      if (isPresent()) events.push({ kind: "token_transfer", block, hash, index, standard, token_id });
    });
    for (let i = 0; i < nftsPerBlock; i++) {
      events.push({ kind: "token_transfer", block, hash, index: 100 + i, standard: "ERC-721", token_id: String(1000 + i) });
    }
    for (let i = 0; i < 2; i++) if (isPresent()) events.push({ kind: "withdrawal", block, index: ++this.#withdrawals });
    if (isPresent()) events.push({ kind: "block_reward", block, index: 0 });
    this.#blocks.push(events);
    this.#lists.clear();
  }

  fetch = async ({ url }) => {
    const { refuse, fail, random } = this.#script;
    const response = refuse(url) ?? this.#respond(url);
    if (fail === undefined || !random.nextBoolean(fail)) return response;
    const body = await response.text();
    return random.pick([new Response("", { status: 500 }), new Response("", { status: 429 }), new Response(body.slice(0, -5))]);
  };

  #respond(url) {
    const { pathname, searchParams } = new URL(url);
    const query = Object.fromEntries(searchParams);
    if (pathname.endsWith("/api")) return respond(this.#readAction(query));
    if (pathname.endsWith("/indexing-status")) return this.#readStatus();
    if (pathname.endsWith("/config/backend")) return respond({ chain_type: this.#script.chainType });
    const [, subject, id, list] = /\/v2\/(\w+)\/(\w+)\/?(.*)$/.exec(pathname) ?? [];
    if (subject === "transactions") {
      const transaction = this.#getList("transaction").find(({ hash }) => hash === id);
      return respond(formatItem(transaction, this.#script.templates));
    }
    if (subject === "blocks") return this.#readBlock(Number(id));
    if (pathname.endsWith("/blocks")) return respond(this.#readBlocks());
    if (list === "") return respond(this.#readAddress(id));
    if (list === "tokens") return respond(this.#readHoldings());
    return this.#readList(LISTS[list], id, query);
  }

  #readStatus() {
    const { status } = this.#script;
    return status === null ? Response.json({ message: "Not found" }, { status: 404 }) : respond(status);
  }

  #createBlock(height) {
    const [template] = this.#script.templates.block_reward;
    const hash = toHex(height * 1_000 + (this.#forks.get(height) ?? 0), 32);
    return { ...template, height, hash, timestamp: `${new Date(toTime(height) * 1000).toISOString().slice(0, 19)}.000000Z` };
  }

  #readBlock(height) {
    return height <= this.head ? respond(this.#createBlock(height)) : Response.json({ message: "Not found" }, { status: 404 });
  }

  #readBlocks() {
    const items = Array.from({ length: LISTED_BLOCKS }, (_, i) => this.#createBlock(this.head - i));
    return { items, next_page_params: null };
  }

  #readAddress(hash) {
    const coin_balance = this.#script.balances[hash.toLowerCase()] ?? "0";
    return { ...this.#script.templates.address, hash, coin_balance, block_number_balance_updated_at: this.head };
  }

  #readHoldings() {
    const { tokens, templates } = this.#script;
    const items = Object.entries(tokens).map(([address_hash, value]) => {
      const token = { ...templates.holding.token, ...COIN, address_hash };
      return { ...templates.holding, token, token_id: null, value };
    });
    return { items, next_page_params: null };
  }

  /** A page of a list. The cursor is the position of the last record. */
  #readList(kind, address, { type, block_number, index }) {
    const { version, templates, clamp } = this.#script;
    const before = block_number === undefined ? [Number.POSITIVE_INFINITY, 0] : [Number(block_number), Number(index)];
    const isAfterCursor = (event) => event.block < before[0] || (event.block === before[0] && event.index < before[1]);
    const events = this.#getList(kind, type, address).filter(isAfterCursor);
    const page = events.slice(0, clamp);
    const last = page.at(-1);
    const cursor = events.length > page.length ? { block_number: last.block, index: last.index } : null;
    const items = page.map((event) => formatItem(event, templates));
    // Version 12 is always processing the newest blocks.
    const isProcessing = version >= 12 && kind === "internal_transaction";
    const meta = isProcessing ? `,"meta":{"status":2,"message":"Some internal transactions have not yet been processed"}` : "";
    return respond(`{"items":[${items}],"next_page_params":${JSON.stringify(cursor)}${meta}}`);
  }

  #readAction(query) {
    const { action, address, contractaddress, startblock = 0, endblock = this.head, sort, page = 1, offset = MAX_ROWS } = query;
    const succeed = (result) => ({ status: "1", message: "OK", result });
    if (action === "getblocknobytime") return succeed({ blockNumber: String(this.head) });
    if (action === "tokenbalance") return succeed(this.#script.tokens[contractaddress] ?? "0");
    const isInRange = ({ block }) => block >= Number(startblock) && block <= Number(endblock);
    const [kind, standard] = ACTIONS[action];
    const events = this.#getList(kind, standard, address).filter(isInRange);
    if (sort === "asc") events.reverse();
    const rows = events.slice((page - 1) * offset, page * offset);
    if (rows.length === 0) return { status: "0", message: "No transactions found", result: [] };
    return `{"status":"1","message":"OK","result":[${rows.map((row) => formatRow(row, this.#script.templates))}]}`;
  }

  /** The events of a list, newest first. Without an address, the events of all addresses. */
  #getList(kind, standard, address) {
    const name = `${kind} ${standard} ${address}`;
    const isListed = (event) => event.kind === kind && (standard === undefined || event.standard === standard);
    const isOf = ({ from, to, created }) =>
      address === undefined || from === undefined || [from, to, created].includes(address.toLowerCase());
    const list =
      this.#lists.get(name) ??
      this.#blocks
        .flat()
        .reverse()
        .filter((event) => isListed(event) && isOf(event))
        .sort((a, b) => b.block - a.block || b.index - a.index);
    this.#lists.set(name, list);
    return list;
  }
}

function respond(body) {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(json, { headers: { "content-type": "application/json" } });
}
