// Token transfers of the whole chain. Those of each sample address are generated independently.

import { PositionAllocator } from "./positions.js";
import { HOSTILE_METHODS, METHODS } from "./sample-strings.js";

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
const LARGE_BATCH_SIZE = 160;

/** Makes all transfers of the chain, unsorted. The positions of rows have the names that the cursor of the list uses. */
export function makeTransfers(chain) {
  const { sampleHashes, otherHashes } = chain.accounts;
  const { regular, hostile, batch, scam } = chain.tokens;
  const rows = [];

  const createGenerator = (key, lane, gap, methods = METHODS) => {
    const random = chain.createRandom("transfers", key);
    const counterparties = [sampleHashes.settlement, sampleHashes.proxy, ...otherHashes.slice(lane * 40, lane * 40 + 40)];
    const account = sampleHashes[key] ?? otherHashes[0];
    return new TransferGenerator({ rows, account, counterparties, methods, random, positions: new PositionAllocator(random, lane, gap) });
  };

  const hub = createGenerator("hub", 0, 12);
  hub.addTransactions(100, regular);
  hub.addBatch(batch, LARGE_BATCH_SIZE);
  while (hub.rowCount < 5200) hub.addTransaction(regular);

  const quiet = createGenerator("quiet", 1, 9000);
  quiet.addTransactions(9, regular.slice(0, 8));

  const minter = createGenerator("minter", 2, 400);
  minter.addBatch(batch, LARGE_BATCH_SIZE);
  minter.addTransactions(60, regular.filter((token) => token.type === "ERC-1155"));

  const airdropped = createGenerator("airdropped", 3, 200);
  airdropped.addTransactions(30, regular.slice(0, 2));
  for (let i = 0; i < 260; i++) airdropped.addTransfer(scam);
  for (let i = 0; i < 90; i++) airdropped.addTransfer(i % 3 ? scam : regular[0]);

  createGenerator("hostile", 4, 700, HOSTILE_METHODS).addTransactions(70, hostile);
  // "crowd" is not a sample address: these are the transfers of another one.
  createGenerator("crowd", 5, 80).addTransactions(300, regular);
  return rows;
}

/** Generates the transfers of one address into the shared `rows`. */
class TransferGenerator {
  #rows;
  #account;
  #counterparties;
  #methods;
  #random;
  #positions;
  #start;

  constructor({ rows, account, counterparties, methods, random, positions }) {
    this.#rows = rows;
    this.#start = rows.length;
    this.#account = account;
    this.#counterparties = counterparties;
    this.#methods = methods;
    this.#random = random;
    this.#positions = positions;
  }

  get rowCount() {
    return this.#rows.length - this.#start;
  }

  addTransactions(count, tokens) {
    for (let i = 0; i < count; i++) this.addTransaction(tokens);
  }

  /** Adds a transaction: one transfer, a swap of two tokens, or sometimes a batch. */
  addTransaction(tokens) {
    // Fungible tokens, which come first in `tokens`, are transferred most often.
    const token = this.#random.nextBoolean(0.4) ? this.#random.pick(tokens.slice(0, 4)) : this.#random.pick(tokens);
    if (token.type === "ERC-1155" && this.#random.nextBoolean(0.2)) return this.addBatch(token, 2 + this.#random.nextInt(12));
    const method = this.addTransfer(token);
    if (this.#random.nextBoolean(0.2)) this.#addLog(this.#random.pick(tokens), method);
  }

  /** Adds a transaction with one transfer; returns the name of the called method. */
  addTransfer(token) {
    this.#positions.moveToPreviousTransaction();
    const method = this.#random.pick(this.#methods);
    this.#addLog(token, method);
    return method;
  }

  /** Adds a transaction with one log that transfers `size` token ids. */
  addBatch(token, size) {
    this.#positions.moveToPreviousTransaction();
    const firstId = this.#random.nextInt(1_000_000);
    const contents = Array.from({ length: size }, (_, i) => ({ token_id: BigInt(firstId + 3 * i), amount: BigInt(1 + this.#random.nextInt(9)) }));
    this.#addLog(token, "safeBatchTransferFrom", contents);
  }

  #addLog(token, method, contents = [this.#makeContent(token)]) {
    const [from, to] = this.#pickSenderAndRecipient();
    const { block_number, transaction_index } = this.#positions;
    const index = this.#positions.allocateLogIndex();
    contents.forEach((content, index_in_batch) => {
      this.#rows.push({
        block_number, transaction_index, index, index_in_batch, token, from, to, method, isHidden: token.isScam,
        token_id: null, amount: null, hasNoAmount: false, token_type: token.type, ...content,
      });
    });
  }

  /** One of the two is the account. The other is sometimes the zero address (a mint or burn), or the account again. */
  #pickSenderAndRecipient() {
    const counterparty = this.#random.nextBoolean(0.08) ? ZERO_ADDRESS : this.#random.pick(this.#counterparties);
    if (this.#random.nextBoolean(0.02)) return [this.#account, this.#account];
    return this.#random.nextBoolean(0.45) ? [this.#account, counterparty] : [counterparty, this.#account];
  }

  #makeContent(token) {
    const random = this.#random;
    if (token.formerType && random.nextBoolean(0.5)) return { token_type: token.formerType, amount: random.nextBigInt(8) };
    switch (token.type) {
      case "ERC-20":
        // Some contracts emit transfer events without an amount.
        return random.nextBoolean(0.01) ? { hasNoAmount: true } : { amount: random.nextBigInt(random.pick([4, 8, 12, 32])) };
      case "ERC-721":
        return { token_id: this.#makeTokenId() };
      case "ERC-1155":
        return { token_id: this.#makeTokenId(), amount: BigInt(1 + random.nextInt(20)) };
      case "ERC-404":
        return random.nextBoolean(0.5) ? { amount: random.nextBigInt(8) } : { token_id: this.#makeTokenId() };
      default:
        return {};
    }
  }

  #makeTokenId() {
    return this.#random.nextBoolean(0.1) ? this.#random.nextBigInt(32) : BigInt(this.#random.nextInt(10_000));
  }
}
