// The expected history of an address, computed from the ledger of the sample service: the simplest code that follows the documented
// order and keys of `HistoryEvent`.

const KINDS = ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"];

/**
 * Returns the events of an address, oldest first, without positions and records. `hidden` are the contracts of tokens that the
 * interface hides.
 */
export function getExpectedEvents(service, address, { include = KINDS, from = 0, to = Number.POSITIVE_INFINITY, hidden } = {}) {
  const account = address.toLowerCase();
  const events = service
    .getEvents(address, from)
    .filter(({ kind, block_number }) => include.includes(kind) && block_number <= to)
    .filter(({ token }) => !hidden?.has(token));
  return groupBy(events, ({ block_number }) => block_number).flatMap((block) => orderBlock(block, account));
}

/** Returns the contracts of the tokens whose transfers the REST lists hide. */
export function getHiddenTokens(service, address, from) {
  const listed = service
    .getAllItems(`/addresses/${address}/token-transfers`)
    .map(({ token }) => token.address_hash.toLowerCase());
  const all = service.getEvents(address, from).flatMap(({ token }) => (token === null ? [] : [token]));
  return new Set(all.filter((token) => !listed.includes(token)));
}

function orderBlock(block, account) {
  const own = new Set(block.filter(({ kind }) => kind === "transaction").map(({ transaction_hash }) => transaction_hash));
  const failed = new Set(
    block.filter(({ kind, success }) => kind === "transaction" && !success).map((event) => event.transaction_hash),
  );
  const transactions = groupBy(block, ({ transaction_hash }) => transaction_hash);
  const rank = ([{ transaction_hash, transaction_index }]) => {
    if (transaction_hash === null) return [2, 0, ""];
    return own.has(transaction_hash) ? [0, transaction_index, ""] : [1, 0, transaction_hash];
  };
  const counts = new Map();
  return transactions
    .sort((a, b) => compare(rank(a), rank(b)))
    .flatMap((events) => sumBatches(events.sort((a, b) => compare(rankInTransaction(a), rankInTransaction(b)))))
    .map((event) => {
      const key = createKey(event);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const count = counts.get(key);
      const { kind, block_number, timestamp, transaction_hash, from, to, token, token_type, token_id, fee, success } = event;
      return {
        key: count === 1 ? key : `${key}#${count}`,
        kind,
        block_number,
        timestamp: `${new Date(timestamp * 1000).toISOString().slice(0, 19)}Z`,
        transaction_hash,
        from,
        to,
        direction: from === account ? (to === account ? "self" : "out") : "in",
        token: token && [token, token_type, token_id === null ? null : String(token_id)],
        amount: getAmount(event),
        fee: kind === "transaction" && from === account ? String(fee) : null,
        success: success && !(kind === "internal_transaction" && failed.has(transaction_hash)),
      };
    });
}

const rankInTransaction = ({ kind, index, index_in_batch, token, token_type }) => [
  KINDS.indexOf(kind),
  kind === "token_transfer" ? `${token} ${token_type}` : "",
  index ?? 0,
  index_in_batch ?? 0,
];

/** The ERC-1155 transfers of one transaction that differ only in their amounts are one event. */
function sumBatches(events) {
  const sums = new Map();
  for (const event of events) {
    const { token_type, amount } = event;
    const id = token_type === "ERC-1155" && amount !== null ? createKey({ ...event, amount: 0n }) : Symbol();
    const sum = sums.get(id);
    sums.set(id, sum ? { ...sum, amount: sum.amount + amount } : event);
  }
  return [...sums.values()];
}

function createKey(event) {
  const { kind, block_number, transaction_hash, index, token, from, to, token_id } = event;
  if (kind === "transaction") return `transaction:${transaction_hash}`;
  if (kind === "internal_transaction") return `internal:${transaction_hash}:${index}`;
  if (kind === "withdrawal") return `withdrawal:${index}`;
  if (kind === "block_reward") return `block_reward:${block_number}`;
  return ["token_transfer", transaction_hash, token, from, to, token_id, getAmount(event)].join(":");
}

/** An NFT without an amount counts as one. */
function getAmount({ amount, token_id, token_type }) {
  if (amount !== null) return String(amount);
  return token_id !== null && token_type !== "ERC-1155" ? "1" : null;
}

function groupBy(items, getKey) {
  const groups = new Map();
  for (const item of items) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item]);
  return [...groups.values()];
}

function compare(a, b) {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/** Returns the fields of a delivered event that the model computes. */
export function simplify({ asset, position, fiat_rate, method, suspicion, record, ...event }) {
  return { ...event, token: asset.type === "native" ? null : [asset.contract, asset.standard, asset.token_id] };
}
