// Token transfers of the whole chain. The transfers of each sample address are generated independently, as drafts that
// `token-ledger.ts` makes consistent.

import type { Random } from "../random.js";
import type { LedgerContext } from "./context.js";
import { PositionAllocator } from "./positions.js";
import type { Token, TransferRow } from "./rows.js";
import type { TransferDraft } from "./token-ledger.js";
import { HOSTILE_METHODS, METHODS } from "./sample-strings.js";

/** The name or the selector of a called method. */
type Method = string | null;

/** The token and amount that a transfer moves. */
type TransferContent = Partial<Pick<TransferRow, "token_type" | "token_id" | "amount" | "hasNoAmount">>;

interface GeneratorOptions {
  readonly rows: TransferDraft[];
  readonly account: string;
  readonly counterparties: readonly string[];
  readonly methods: readonly Method[];
  readonly random: Random;
  readonly positions: PositionAllocator;
}

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
const LARGE_BATCH_SIZE = 160;

/** Makes drafts of the transfers of sample addresses, unsorted. */
export function makeTransferDrafts(context: LedgerContext): TransferDraft[] {
  const { sampleHashes, otherHashes } = context.accounts;
  const { regular, hostile, batch, scam } = context.tokens;
  const rows: TransferDraft[] = [];

  const createGenerator = (key: string, account: string, lane: number, gap: number, methods: readonly Method[] = METHODS) => {
    const random = context.createRandom("transfers", key);
    const counterparties = [sampleHashes.settlement, sampleHashes.proxy, ...otherHashes.slice(lane * 40, lane * 40 + 40)];
    return new TransferGenerator({
      rows,
      account,
      counterparties,
      methods,
      random,
      positions: new PositionAllocator(random, lane, gap),
    });
  };

  const hub = createGenerator("hub", sampleHashes.hub, 0, 12);
  hub.addTransactions(100, regular);
  hub.addBatch(batch, LARGE_BATCH_SIZE);
  while (hub.rowCount < 5200) hub.addTransaction(regular);

  const quiet = createGenerator("quiet", sampleHashes.quiet, 1, 9000);
  quiet.addTransactions(9, regular.slice(0, 8));

  const minter = createGenerator("minter", sampleHashes.minter, 2, 400);
  minter.addBatch(batch, LARGE_BATCH_SIZE);
  minter.addTransactions(
    60,
    regular.filter((token) => token.type === "ERC-1155"),
  );

  const airdropped = createGenerator("airdropped", sampleHashes.airdropped, 3, 200);
  airdropped.addTransactions(30, regular.slice(0, 2));
  for (let i = 0; i < 260; i++) airdropped.addTransfer(scam);
  const [firstToken = scam] = regular;
  for (let i = 0; i < 90; i++) airdropped.addTransfer(i % 3 ? scam : firstToken);

  createGenerator("hostile", sampleHashes.hostile, 4, 700, HOSTILE_METHODS).addTransactions(70, hostile);
  // These are the transfers of an address that is not a sample address.
  const [otherHash] = otherHashes;
  if (otherHash !== undefined) createGenerator("crowd", otherHash, 5, 80).addTransactions(300, regular);
  return rows;
}

/** Generates the transfers of one address into the shared `rows`. */
class TransferGenerator {
  readonly #rows: TransferDraft[];
  readonly #account: string;
  readonly #counterparties: readonly string[];
  readonly #methods: readonly Method[];
  readonly #random: Random;
  readonly #positions: PositionAllocator;
  readonly #start: number;

  constructor({ rows, account, counterparties, methods, random, positions }: GeneratorOptions) {
    this.#rows = rows;
    this.#start = rows.length;
    this.#account = account;
    this.#counterparties = counterparties;
    this.#methods = methods;
    this.#random = random;
    this.#positions = positions;
  }

  get rowCount(): number {
    return this.#rows.length - this.#start;
  }

  addTransactions(count: number, tokens: readonly Token[]): void {
    for (let i = 0; i < count; i++) this.addTransaction(tokens);
  }

  /** Adds a transaction: one transfer, a swap of two tokens, or sometimes a batch. */
  addTransaction(tokens: readonly Token[]): void {
    // Fungible tokens, which come first in `tokens`, are transferred most often.
    const token = this.#random.nextBoolean(0.4) ? this.#random.pick(tokens.slice(0, 4)) : this.#random.pick(tokens);
    if (token.type === "ERC-1155" && this.#random.nextBoolean(0.2)) {
      this.addBatch(token, 2 + this.#random.nextInt(12));
      return;
    }
    const method = this.addTransfer(token);
    if (this.#random.nextBoolean(0.2)) this.#addLog(this.#random.pick(tokens), method);
  }

  /** Adds a transaction with one transfer; returns the name of the called method. */
  addTransfer(token: Token): Method {
    this.#positions.moveToPreviousTransaction();
    const method = this.#random.pick(this.#methods);
    this.#addLog(token, method);
    return method;
  }

  /** Adds a transaction with one log that transfers `size` token ids. */
  addBatch(token: Token, size: number): void {
    this.#positions.moveToPreviousTransaction();
    const firstId = this.#random.nextInt(1_000_000);
    const contents = Array.from({ length: size }, (_, i) => ({
      token_id: BigInt(firstId + 3 * i),
      amount: BigInt(1 + this.#random.nextInt(9)),
    }));
    this.#addLog(token, "safeBatchTransferFrom", contents);
  }

  #addLog(token: Token, method: Method, contents: readonly TransferContent[] = [this.#makeContent(token)]): void {
    const [from, to] = token.isScam ? [ZERO_ADDRESS, this.#account] : this.#pickSenderAndRecipient();
    const { block_number, transaction_index } = this.#positions;
    const index = this.#positions.allocateLogIndex();
    contents.forEach((content, index_in_batch) => {
      this.#rows.push({
        block_number,
        transaction_index,
        index,
        index_in_batch,
        token,
        from,
        to,
        method,
        isHidden: token.isScam,
        token_id: null,
        amount: null,
        hasNoAmount: false,
        token_type: token.type,
        owner: this.#account,
        ...content,
      });
    });
  }

  /** One of the two is the account. The other is sometimes the zero address (a mint or burn), or the account again. */
  #pickSenderAndRecipient(): readonly [from: string, to: string] {
    const counterparty = this.#random.nextBoolean(0.08) ? ZERO_ADDRESS : this.#random.pick(this.#counterparties);
    if (this.#random.nextBoolean(0.02)) return [this.#account, this.#account];
    return this.#random.nextBoolean(0.45) ? [this.#account, counterparty] : [counterparty, this.#account];
  }

  #makeContent(token: Token): TransferContent {
    const random = this.#random;
    if (token.isScam) return { amount: random.nextBigInt(8) };
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

  #makeTokenId(): bigint {
    return this.#random.nextBoolean(0.1) ? this.#random.nextBigInt(32) : BigInt(this.#random.nextInt(10_000));
  }
}
