// A chain of one address that a test can grow and reorganise. It has every kind of event and every token standard, in both
// interfaces of the service. The records are records of the sample service with other values.
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
const MAX_ROWS = 10_000;

export const KINDS = ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"];
export const ADDRESS = `0x${"a1".repeat(20)}`;
const OTHER = `0x${"b2".repeat(20)}`;
const toHex = (number, bytes) => `0x${number.toString(16).padStart(2 * bytes, "0")}`;
const toTime = (block) => 1_790_000_000 + 12 * block;

/** An event as a record of REST. */
export function createItem({ kind, block, index, hash, standard, token_id }, templates = TEMPLATES) {
  const [template] = templates[kind];
  const timestamp = `${new Date(toTime(block) * 1000).toISOString().slice(0, 19)}.000000Z`;
  const from = { ...templates.transaction[0].from, hash: OTHER };
  const common = { ...template, block_number: block, timestamp, from, to: { ...from, hash: ADDRESS } };
  if (kind === "transaction") return { ...common, hash, position: index, created_contract: null };
  if (kind === "internal_transaction") return { ...common, transaction_hash: hash, index, success: true };
  if (kind === "withdrawal") return { ...template, block_number: block, timestamp, index };
  if (kind === "block_reward") return { ...template, height: block, timestamp };
  const token = { ...template.token, type: standard, address_hash: OTHER, reputation: "ok" };
  const amount = standard === "ERC-7984" ? null : { value: "5", decimals: null };
  const total = token_id === null ? amount : { token_id, token_instance: null, ...(standard !== "ERC-721" && amount) };
  return { ...common, transaction_hash: hash, log_index: index, token, token_type: standard, total };
}

/** An event as a row of the account interface. */
export function createRow({ kind, block, index, hash, standard, token_id }, templates = TEMPLATES) {
  const [, template] = templates[kind];
  const row = { ...template, blockNumber: String(block), timeStamp: String(toTime(block)), from: OTHER, to: ADDRESS };
  if (kind === "transaction") return { ...row, hash, transactionIndex: String(index), contractAddress: "" };
  if (kind === "internal_transaction") return { ...row, transactionHash: hash, index: String(index), contractAddress: "" };
  const { value: _, ...transfer } = { ...row, hash, contractAddress: OTHER };
  if (standard === "ERC-20") return { ...transfer, value: "5" };
  if (standard === "ERC-721") return { ...transfer, tokenID: token_id };
  if (standard === "ERC-1155") return { ...transfer, tokenID: token_id, tokenValue: "5" };
  return { ...transfer, tokenID: token_id, value: "5" };
}

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

export class ChangingChain {
  #random;
  #pageSize;
  #version;
  #templates;
  #nftsPerBlock;
  /** The events of each block, oldest first. */
  #blocks = [];
  #hashes = 0;
  #withdrawals = 0;
  /** The lists that were read since the chain changed. */
  #lists = new Map();

  /** `nftsPerBlock` is the number of additional transfers per block. */
  constructor(random, pageSize, { version = 11, templates = TEMPLATES, nftsPerBlock = 0 } = {}) {
    this.#random = random;
    this.#pageSize = pageSize;
    this.#version = version;
    this.#templates = templates;
    this.#nftsPerBlock = nftsPerBlock;
  }

  get head() {
    return FIRST_BLOCK + this.#blocks.length;
  }

  /** The keys and blocks of all events. */
  getKeys() {
    return this.#blocks.flat().map((event) => [createKey(event), event.block]);
  }

  grow(count) {
    for (let i = 0; i < count; i++) this.#addBlock(toHex(++this.#hashes, 32));
  }

  /** Replaces the newest blocks. Some of their transactions are mined again, in another block or in the same one. */
  reorganise(count) {
    const replaced = this.#blocks.splice(-count, count || 0);
    const hashes = replaced.flat().flatMap(({ kind, hash }) => (kind === "transaction" ? [hash] : []));
    // The new blocks take over the withdrawals of the replaced ones.
    this.#withdrawals -= replaced.flat().filter(({ kind }) => kind === "withdrawal").length;
    for (const _ of replaced) {
      const isMinedAgain = hashes.length > 0 && this.#random.nextBoolean(0.5);
      const [hash] = isMinedAgain ? hashes.splice(this.#random.nextInt(hashes.length), 1) : [toHex(++this.#hashes, 32)];
      this.#addBlock(hash);
    }
  }

  #addBlock(hash) {
    const block = this.head + 1;
    const isPresent = () => this.#random.nextBoolean(0.4);
    const events = [];
    if (isPresent()) events.push({ kind: "transaction", block, hash, index: 3 });
    for (const index of [1, 2]) if (isPresent()) events.push({ kind: "internal_transaction", block, hash, index });
    STANDARDS.forEach((standard, index) => {
      const token_id = standard === "ERC-20" || standard === "ERC-7984" ? null : String(7 + index);
      if (isPresent()) events.push({ kind: "token_transfer", block, hash, index, standard, token_id });
    });
    for (let i = 0; i < this.#nftsPerBlock; i++) {
      events.push({ kind: "token_transfer", block, hash, index: 100 + i, standard: "ERC-721", token_id: String(1000 + i) });
    }
    for (let i = 0; i < 2; i++) if (isPresent()) events.push({ kind: "withdrawal", block, index: ++this.#withdrawals });
    if (isPresent()) events.push({ kind: "block_reward", block, index: 0 });
    this.#blocks.push(events);
    this.#lists.clear();
  }

  fetch = async ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const query = Object.fromEntries(searchParams);
    if (query.action === "getblocknobytime")
      return respond(`{"status":"1","message":"OK","result":{"blockNumber":"${this.head}"}}`);
    if (query.action in ACTIONS) return this.#readRows(query);
    if (pathname.endsWith("/indexing-status")) return respond(JSON.stringify(INDEXED));
    return this.#readList(LISTS[pathname.split("/").at(-1)], query);
  };

  /** A page of a list. The cursor is the position of the last record. */
  #readList(kind, { type, block_number, index }) {
    const before = block_number === undefined ? [Number.POSITIVE_INFINITY, 0] : [Number(block_number), Number(index)];
    const isAfterCursor = (event) => event.block < before[0] || (event.block === before[0] && event.index < before[1]);
    const events = this.#getList(kind, type).filter(isAfterCursor);
    const page = events.slice(0, this.#pageSize);
    const last = page.at(-1);
    const cursor = events.length > page.length ? { block_number: last.block, index: last.index } : null;
    const items = page.map((event) => formatItem(event, this.#templates));
    // Version 12 is always processing the newest blocks.
    const isProcessing = this.#version >= 12 && kind === "internal_transaction";
    const meta = isProcessing ? `,"meta":{"status":2,"message":"Some internal transactions have not yet been processed"}` : "";
    return respond(`{"items":[${items}],"next_page_params":${JSON.stringify(cursor)}${meta}}`);
  }

  #readRows({ action, startblock, endblock, sort, page = 1, offset = MAX_ROWS }) {
    const [kind, standard] = ACTIONS[action];
    const events = this.#getList(kind, standard).filter(({ block }) => block >= Number(startblock) && block <= Number(endblock));
    if (sort !== "desc") events.reverse();
    const rows = events.slice((page - 1) * offset, page * offset);
    const [status, message] = rows.length === 0 ? ["0", "No transactions found"] : ["1", "OK"];
    return respond(
      `{"status":"${status}","message":"${message}","result":[${rows.map((row) => formatRow(row, this.#templates))}]}`,
    );
  }

  /** The events of a list, newest first. */
  #getList(kind, standard) {
    const name = `${kind} ${standard}`;
    const list =
      this.#lists.get(name) ??
      this.#blocks
        .flat()
        .filter((event) => event.kind === kind && (standard === undefined || event.standard === standard))
        .sort((a, b) => b.block - a.block || b.index - a.index);
    this.#lists.set(name, list);
    return list;
  }
}

function respond(json) {
  return new Response(json, { headers: { "content-type": "application/json" } });
}
