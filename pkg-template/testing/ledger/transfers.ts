// Token transfers: of the sample addresses, as drafts that token-ledger.ts makes consistent; of attackers; and of the token with an
// oversized block.

import type { Random } from "../random.js";
import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK, LOGS_PER_LANE, PositionAllocator, TRANSACTIONS_PER_LANE } from "./positions.js";
import type { Token, TransferRow } from "./rows.js";
import { HOSTILE_METHODS, METHODS } from "./sample-addresses.js";
import type { TransferDraft } from "./token-ledger.js";

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
  readonly #options: GeneratorOptions;
  readonly #random: Random;
  readonly #positions: PositionAllocator;
  readonly #start: number;

  constructor(options: GeneratorOptions) {
    this.#options = options;
    this.#random = options.random;
    this.#positions = options.positions;
    this.#start = options.rows.length;
  }

  get rowCount(): number {
    return this.#options.rows.length - this.#start;
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
    const method = this.#random.pick(this.#options.methods);
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
    const [from, to] = token.isScam ? [ZERO_ADDRESS, this.#options.account] : this.#pickSenderAndRecipient();
    const { block_number, transaction_index } = this.#positions;
    const index = this.#positions.allocateLogIndex();
    contents.forEach((content, index_in_batch) => {
      this.#options.rows.push({
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
        owner: this.#options.account,
        ...content,
      });
    });
  }

  /** One of the two is the account. The other is sometimes the zero address (a mint or burn), or the account again. */
  #pickSenderAndRecipient(): readonly [from: string, to: string] {
    const counterparty = this.#random.nextBoolean(0.08) ? ZERO_ADDRESS : this.#random.pick(this.#options.counterparties);
    if (this.#random.nextBoolean(0.02)) return [this.#options.account, this.#options.account];
    return this.#random.nextBoolean(0.45) ? [this.#options.account, counterparty] : [counterparty, this.#options.account];
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

const LANE = 12;
/** One of this many transfers is followed by an attack. */
const GAP = 90;
/** The attacker needs some blocks to find an address. */
const DELAY = 25;
/** The number of equal hex digits at each end. */
const EQUAL_DIGITS = 5;

/** Makes transfers that follow the transfers of the sample address `hub`. The attacker sends the transactions. */
export function makePoisoningTransfers(context: LedgerContext, transfers: readonly TransferRow[]): TransferRow[] {
  const { hub } = context.accounts.sampleHashes;
  const isTarget = ({ from, to, token_type, amount, block_number }: TransferRow) =>
    from === hub && to !== hub && token_type === "ERC-20" && amount !== null && block_number + DELAY < HEAD_BLOCK;
  return transfers
    .filter(isTarget)
    .filter((_, i) => i % GAP === 0)
    .map((target) => {
      const random = context.createRandom("poisoning", target.block_number);
      return {
        ...target,
        block_number: target.block_number + DELAY,
        transaction_index: LANE * TRANSACTIONS_PER_LANE,
        index: LANE * LOGS_PER_LANE,
        index_in_batch: 0,
        to: imitateAddress(target.to, random.nextHex(20)),
        amount: 0n,
        method: "transferFrom",
        signer: random.pick(context.accounts.otherHashes),
      };
    });
}

/** Makes an address with the same ends as another one. */
export function imitateAddress(address: string, middle: string): string {
  return address.slice(0, 2 + EQUAL_DIGITS) + middle.slice(2 + EQUAL_DIGITS, -EQUAL_DIGITS) + address.slice(-EQUAL_DIGITS);
}

const OVERSIZED_BLOCK = 22_222_222;
const TRANSFERS_IN_BLOCK = 10_500;
const TRANSFERS_PER_TRANSACTION = 50;
const MAX_AMOUNT = 1000;
/** Half of the amount that the distributor can spend. */
const MINTED_AMOUNT = BigInt(TRANSFERS_IN_BLOCK * MAX_AMOUNT);
/** Higher than the transaction indices of all lanes (positions.js) and of the deep history. */
const FIRST_TRANSACTION_INDEX = 400;

/** Makes all transfers of the token, oldest first: two mints, some in small blocks, the oversized block, then some in small blocks again. */
export function makeOversizedBlockTransfers(context: LedgerContext): TransferRow[] {
  const { distributor } = context.accounts.sampleHashes;
  const token = context.tokens.oversized;
  const random = context.createRandom("crowded");
  const { otherHashes } = context.accounts;
  const rows: TransferRow[] = [];

  const addTransfer = (block_number: number, index: number) => {
    const transaction_index = FIRST_TRANSACTION_INDEX + Math.floor(index / TRANSFERS_PER_TRANSACTION);
    const position = { block_number, transaction_index, index, index_in_batch: 0 };
    // Every 25th transfer differs from the previous one in the same transaction only by its log index.
    const previous = rows.at(-1);
    if (index % 25 === 1 && previous) {
      rows.push({ ...previous, ...position });
      return;
    }
    const isMint = previous === undefined;
    const counterparty = isMint ? ZERO_ADDRESS : random.pick(otherHashes);
    const isOutgoing = !isMint && random.nextBoolean(0.9);
    const [from, to] = isOutgoing ? ([distributor, counterparty] as const) : ([counterparty, distributor] as const);
    const amount = isMint ? MINTED_AMOUNT : BigInt(1 + random.nextInt(MAX_AMOUNT));
    rows.push({
      ...position,
      token,
      token_type: token.type,
      from,
      to,
      method: "multicall",
      token_id: null,
      amount,
      hasNoAmount: false,
    });
  };

  const addSmallBlocks = (count: number, startBlock: number, gap: number) => {
    for (let block = startBlock, remaining = count; remaining > 0; remaining--) {
      block += 1 + random.nextInt(gap);
      addTransfer(block, 0);
      addTransfer(block, 1);
    }
  };

  addSmallBlocks(900, OVERSIZED_BLOCK - 40_000, 40);
  for (let index = 0; index < TRANSFERS_IN_BLOCK; index++) addTransfer(OVERSIZED_BLOCK, index);
  addSmallBlocks(600, OVERSIZED_BLOCK, 2000);
  return rows;
}
