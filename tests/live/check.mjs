// Checks whether a running instance is what the declarations say. `make live` runs it, and needs a network.
import { AddressClient, isAddressQueryError, keyOf } from "../../pkg/index.js";
import { history } from "../../pkg/history/index.js";
import WebSocket from "../node_modules/ws/wrapper.mjs";
import { call, getFolder, OPERATIONS } from "./operations.mjs";

const PAGES = 3;
/** The most records that a list may have for a comparison with its counter: the service counts up to 50. */
const MAX_COUNTED = 50;
/** The counters of kinds of events. One transfer of several tokens can be several records. */
const COUNTERS = {
  transaction: "transactions_count",
  internal_transaction: "internal_transactions_count",
  withdrawal: "withdrawals_count",
  block_reward: "validations_count",
};
const MAX_CANDIDATES = 12;
const SOCKET_MS = 10_000;
/** Not every chain, version or operator has these. Others must not be refused. */
const OPTIONAL =
  /celo|beacon|withdrawals|account-abstraction|token1155tx|token404tx|pendingtxlist|summary|market|graphql|eth-rpc|nft|instances/;

/** Checks an instance. `rate` is the number of requests per second. Returns `{ rows, breaks, responses }`. */
export async function checkInstance({ url, apiKey, rate = 2, print = () => {} }) {
  const check = new InstanceCheck({ url, apiKey, rate, print });
  await check.findSubjects();
  for (const operation of OPERATIONS) await check.readOperation(operation);
  await check.compareRanges();
  await check.compareCounters();
  if (apiKey === undefined) await check.joinSocket();
  return check;
}

class InstanceCheck {
  /** The report: one row for each operation. */
  rows = [];
  /** What breaks, each with the name of the operation. */
  breaks = [];
  /** Responses that differ from the declarations: `{ folder, body }`. */
  responses = [];
  #drifts = [];
  #received = [];
  #ms = [];

  constructor({ url, apiKey, rate, print }) {
    Object.assign(this, { url, print });
    const options = { baseUrl: url, apiKey, maxPerSecond: rate, maxAttempts: 3 };
    // A client reports each difference once, so the search for subjects has another one.
    this.finder = new AddressClient(options);
    this.client = new AddressClient({
      ...options,
      onDrift: (drift) => this.#drifts.push(drift),
      onEvent: ({ kind, ms }) => kind === "response" && this.#ms.push(ms),
      fetch: async (request) => {
        const response = await fetch(request);
        const body = await response.text();
        this.#received.push({ status: response.status, body });
        return new Response(body, { status: response.status, headers: response.headers });
      },
    });
  }

  addBreak(name, message) {
    this.breaks.push(`${name}: ${message}`);
    this.print(`BREAKS ${name}: ${message}`);
  }

  /** Finds addresses of several kinds, and the other values that operations need. A value that is not found is undefined. */
  async findSubjects() {
    const first = async (list, params) => {
      const items = this.finder[list](params).then(({ items }) => items);
      return items.catch((error) => (isAddressQueryError(error) ? [] : Promise.reject(error)));
    };
    const [holder] = (await first("addresses")).filter(({ is_contract }) => !is_contract);
    const [token] = await first("tokens", { type: "ERC-20" });
    const [collection] = await first("tokens", { type: "ERC-721" });
    const blocks = await first("blocks");
    const transactions = await first("transactions");
    const [collector] = collection ? await first("tokenHolders", { address_hash: collection.address_hash }) : [];
    const [instance] = collection ? await first("tokenInstances", { address_hash: collection.address_hash }) : [];
    const [transfer] = await first("tokenTransfers");
    const transaction_hash = transfer?.transaction_hash ?? transactions[0]?.hash;
    const contract = transfer?.token?.address_hash ?? token?.address_hash;
    const [operation] = await first("userOperations");
    this.addresses = {
      exchange: holder?.hash,
      contract,
      validator: blocks[0]?.miner?.hash,
      collector: collector?.address.hash,
      fresh: await this.#findSmallAccount([transfer, ...transactions]),
    };
    const block = blocks[0]?.height;
    this.values = {
      token: token?.address_hash,
      collection: collection?.address_hash,
      token_id: instance?.id,
      contract,
      transaction_hash,
      txhash: transaction_hash,
      block_hash_or_number: transfer?.block_number ?? block,
      user_operation_hash: operation?.hash,
      q: token?.symbol,
      contractaddress: token?.address_hash,
      contractaddresses: token && [token.address_hash],
      timestamp: Math.floor(Date.now() / 1000),
      closest: "before",
      fromBlock: transfer?.block_number,
      toBlock: transfer?.block_number,
      to: token?.address_hash,
      data: "0x18160ddd",
    };
  }

  /** Finds an account with few transactions among the parties of new ones. Its history can be compared with its counters. */
  async #findSmallAccount(records) {
    const parties = records.flatMap((record) => [record?.from, record?.to]).filter((party) => party?.is_contract === false);
    for (const address_hash of [...new Set(parties.map(({ hash }) => hash))].slice(0, MAX_CANDIDATES)) {
      const counters = await this.finder.addressTabsCounters({ address_hash }).catch(() => null);
      if (counters !== null && (counters.transactions_count ?? MAX_COUNTED + 1) <= MAX_COUNTED) return address_hash;
    }
    return parties[0]?.hash;
  }

  /** Returns the parameters of the calls of an operation. Empty: a value was not found on this chain. */
  #listParams({ name, path, params }) {
    const isAddress = params.some((param) => param === "address" || param === "address_hash");
    const ofToken = /\/tokens\/|\/smart-contracts\//.test(path);
    const { collection, token, contract } = this.values;
    const subject = path.includes("/instances") ? collection : name.startsWith("logs.") ? contract : ofToken ? token : null;
    const addresses = !isAddress ? [undefined] : subject === null ? Object.values(this.addresses) : [subject];
    const calls = addresses.map((address) => ({ ...this.values, address, address_hash: address }));
    return calls
      .map((values) => Object.fromEntries(params.map((param) => [param, values[param]])))
      .filter((values) => Object.values(values).every((value) => value !== undefined));
  }

  /** Reads an operation once for each subject. A list is read for three pages, and back. */
  async readOperation(operation) {
    const { name, path, isList } = operation;
    const row = { name, responses: 0, drift: [], refused: "", ms: 0 };
    this.rows.push(row);
    const all = this.#listParams(operation);
    let refusals = 0;
    for (const params of all) {
      this.#received.length = this.#drifts.length = this.#ms.length = 0;
      let isBroken = false;
      try {
        if (isList) await this.#readPages(operation, params);
        else await call(this.client, operation, params);
      } catch (error) {
        if (!isAddressQueryError(error)) throw error;
        isBroken = /^(decode|cursor)$/.test(error.code);
        refusals += 1;
        row.refused = `${error.code}: ${error.message}`;
        if (isBroken) this.addBreak(name, row.refused);
        else if (refusals === all.length && !OPTIONAL.test(path)) this.addBreak(name, `refused, ${row.refused}`);
      }
      row.responses += this.#received.length;
      row.ms = Math.max(row.ms, ...this.#ms);
      const found = this.#drifts.map(({ kind, record, field, found }) => `${kind} ${record}.${field}: ${found}`);
      row.drift.push(...found.filter((drift) => !row.drift.includes(drift)));
      if (isBroken || found.length > 0) this.#keepResponses(operation);
    }
    const state = all.length === 0 ? "not tried" : row.refused || "decoded";
    this.print(`${name.padEnd(34)} ${String(row.ms).padStart(6)} ms ${String(row.responses).padStart(3)} read  ${state}`);
    for (const drift of row.drift) this.print(`  DRIFT ${drift}`);
  }

  #keepResponses(operation) {
    const folder = getFolder(operation);
    for (const { status, body } of this.#received) if (status === 200) this.responses.push({ folder, body });
  }

  /** Reads three pages of a list, newest first. Every record must come once, and in order. Then reads the same blocks oldest first. */
  async #readPages(operation, params) {
    const { name } = operation;
    const records = [];
    let isWhole = true;
    let pages = 0;
    for await (const page of call(this.client, operation, params).pages()) {
      records.push(...page.items);
      pages += 1;
      isWhole = page.resumeToken === null;
      if (pages === PAGES) break;
    }
    // The head of the chain may move, so a list of the chain may repeat records. Records of GraphQL may have no keys.
    if (operation.params.length === 0 || name.startsWith("graphql.")) return;
    const keys = records.map(keyOf);
    const repeated = keys.find((key, i) => keys.indexOf(key) < i);
    if (repeated !== undefined && !/holders|search|nft$/i.test(operation.path)) this.addBreak(name, `${repeated} came twice`);
    const blocks = records.map(({ block_number, height }) => block_number ?? height);
    if (blocks.length === 0 || !blocks.every(Number.isInteger)) return;
    const step = Math.sign(blocks.at(-1) - blocks[0]);
    const i = blocks.findIndex((block, i) => i > 0 && Math.sign(block - blocks[i - 1]) === -step && step !== 0);
    if (i > 0) this.addBreak(name, `out of order: block ${blocks[i]} after ${blocks[i - 1]}`);
    await this.#compareReverse(operation, params, records, isWhole);
  }

  async #compareReverse(operation, params, records, isWhole) {
    const getBlock = ({ block_number, height }) => block_number ?? height;
    const [toBlock, last] = [getBlock(records[0]), getBlock(records.at(-1))];
    // The last block may continue on the next page, and the first one may still grow.
    const fromBlock = isWhole ? last : last + 1;
    if (fromBlock > toBlock) return;
    const within = records.filter((record) => getBlock(record) >= fromBlock);
    const options = { order: "asc", fromBlock, toBlock };
    const reverse = [];
    try {
      for await (const record of call(this.client, operation, params, options)) reverse.push(record);
    } catch (error) {
      // Some lists cannot be read oldest first.
      if (error.code === "invalid_parameter") return;
      throw error;
    }
    const expected = new Set(within.map(keyOf));
    const found = new Set(reverse.map(keyOf));
    const missing = [...expected].find((key) => !found.has(key));
    const added = [...found].find((key) => !expected.has(key));
    if (missing) this.addBreak(operation.name, `${missing} is missing oldest first`);
    if (added) this.addBreak(operation.name, `${added} is missing newest first`);
  }

  /** Compares `all()` of the ranges with the pages that the service numbers. */
  async compareRanges() {
    for (const { name } of OPERATIONS.filter(({ name }) => /^account\.(txList|txListInternal|tokenTx)$/.test(name))) {
      const method = name.slice("account.".length);
      const address = this.addresses.exchange ?? this.addresses.fresh;
      await this.#compare(name, async () => {
        const action = this.client.account[method];
        const newest = await action({ address, page: 1, offset: 30 });
        const [endblock, startblock] = [newest.items[0], newest.items.at(-1)].map((row) => Number(row?.blockNumber));
        if (Number.isNaN(endblock)) return;
        const params = { address, startblock, endblock, sort: "desc" };
        const paged = [];
        for (let page = 1; page <= PAGES; page++) paged.push(...(await action({ ...params, page, offset: 10 })).items);
        const all = [];
        for await (const row of action.all(params)) all.push(row);
        const i = paged.findIndex(
          (row, i) => JSON.stringify(row) !== JSON.stringify({ ...all[i], confirmations: row.confirmations }),
        );
        if (i >= 0) this.addBreak(name, `row ${i + 1} of all() is not row ${i + 1} of the pages`);
      });
    }
  }

  /** Compares the histories of small accounts with the counters of the service. */
  async compareCounters() {
    for (const address_hash of new Set(Object.values(this.addresses).filter(Boolean))) {
      await this.#compare("history", async () => {
        const counters = await this.client.addressTabsCounters({ address_hash });
        for (const [kind, name] of Object.entries(COUNTERS)) {
          const count = counters[name];
          if (!count || count > MAX_COUNTED) continue;
          const call = history(this.client, { address_hash, include: [kind] });
          for await (const _ of call) {
            // The report counts the records, of which some are no events.
          }
          const records = call.report.sources.reduce((sum, source) => sum + source.records, 0);
          if (records !== count) this.addBreak("history", `${address_hash}: ${records} records, and ${name} is ${count}`);
        }
      });
    }
  }

  async #compare(name, compare) {
    try {
      await compare();
    } catch (error) {
      if (!isAddressQueryError(error)) throw error;
      this.print(`${name}: not compared: ${error.message}`);
      if (/^(decode|cursor)$/.test(error.code)) this.addBreak(name, error.message);
    }
  }

  /** Joins the topic of an address from a foreign origin. */
  async joinSocket() {
    const address = String(Object.values(this.addresses).find(Boolean)).toLowerCase();
    const url = `${this.url.replace(/^http/, "ws").replace(/\/$/, "")}/socket/v2/websocket?vsn=2.0.0`;
    const outcome = await joinTopic(url, `addresses:${address}`);
    this.print(`socket from a foreign origin: ${outcome}`);
    if (outcome !== "joined") this.addBreak("socket", outcome);
  }
}

/** Joins a topic. Returns `joined`, or what happened instead. */
function joinTopic(url, topic) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { origin: "https://foreign.example", handshakeTimeout: SOCKET_MS });
    const finish = (outcome) => {
      clearTimeout(timer);
      socket.terminate();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish("no response"), SOCKET_MS);
    socket.on("open", () => socket.send(JSON.stringify(["1", "1", topic, "phx_join", {}])));
    socket.on("message", (data) => {
      const text = String(data);
      if (text.includes('"phx_reply"')) finish(/"status":"ok"/.test(text) ? "joined" : `refused: ${text.slice(0, 200)}`);
    });
    socket.on("error", ({ message }) => finish(`not open: ${message}`));
    socket.on("close", (code) => finish(`closed with code ${code}`));
  });
}
