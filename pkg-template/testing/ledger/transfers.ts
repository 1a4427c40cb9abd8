// Token transfers: of the sample addresses, as drafts that token-ledger.ts makes consistent; of attackers; and of the token with an
// oversized block.

import type { Random } from "../random.js";
import { ZERO_ADDRESS } from "./accounts.js";
import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK, LOGS_PER_LANE, PositionAllocator, TRANSACTIONS_PER_LANE } from "./positions.js";
import type { Token, TransactionPosition, TransferRow } from "./rows.js";
import { HOSTILE_METHODS, METHODS } from "./sample-addresses.js";
import type { TransferDraft } from "./token-ledger.js";

/** The token and amount that a transfer moves. */
type TransferContent = Partial<Pick<TransferRow, "token_type" | "token_id" | "amount" | "hasNoAmount">>;

const LARGE_BATCH_SIZE = 160;

/** Makes drafts of the transfers of sample addresses, unsorted. */
export function makeTransferDrafts(context: LedgerContext): TransferDraft[] {
  const { sampleHashes, otherHashes } = context.accounts;
  const { regular, hostile, batch, scam } = context.tokens;

  const hub = new TransferGenerator(context, "hub", sampleHashes.hub, 0, 12);
  hub.addTransactions(100, regular);
  hub.addBatch(batch, LARGE_BATCH_SIZE);
  while (hub.rows.length < 5200) hub.addTransactions(1, regular);

  const quiet = new TransferGenerator(context, "quiet", sampleHashes.quiet, 1, 9000);
  quiet.addTransactions(9, regular.slice(0, 8));

  const minter = new TransferGenerator(context, "minter", sampleHashes.minter, 2, 400);
  minter.addBatch(batch, LARGE_BATCH_SIZE);
  const editions = regular.filter((token) => token.type === "ERC-1155");
  minter.addTransactions(60, editions);

  const airdropped = new TransferGenerator(context, "airdropped", sampleHashes.airdropped, 3, 200);
  airdropped.addTransactions(30, regular.slice(0, 2));
  for (let i = 0; i < 260; i++) airdropped.addTransfer(scam);
  const [firstToken = scam] = regular;
  for (let i = 0; i < 90; i++) airdropped.addTransfer(i % 3 ? scam : firstToken);

  const hostileNames = new TransferGenerator(context, "hostile", sampleHashes.hostile, 4, 700, HOSTILE_METHODS);
  hostileNames.addTransactions(70, hostile);
  // These are the transfers of an address that is not a sample address.
  const crowd = new TransferGenerator(context, "crowd", otherHashes[0] ?? "", 5, 80);
  crowd.addTransactions(300, regular);
  return [hub, quiet, minter, airdropped, hostileNames, crowd].flatMap(({ rows }) => rows);
}

class TransferGenerator {
  readonly rows: TransferDraft[] = [];
  readonly #account: string;
  readonly #counterparties: readonly string[];
  readonly #methods: readonly (string | null)[];
  readonly #random: Random;
  readonly #positions: PositionAllocator;

  constructor(context: LedgerContext, seed: string, account: string, lane: number, gap: number, methods = METHODS) {
    const { sampleHashes, otherHashes } = context.accounts;
    this.#account = account;
    this.#counterparties = [sampleHashes.settlement, sampleHashes.proxy, ...otherHashes.slice(lane * 40, lane * 40 + 40)];
    this.#methods = methods;
    this.#random = context.createRandom("transfers", seed);
    this.#positions = new PositionAllocator(this.#random, lane, gap);
  }

  /** Adds transactions: each has one transfer, a swap of two tokens, or sometimes a batch. */
  addTransactions(count: number, tokens: readonly Token[]): void {
    for (let i = 0; i < count; i++) {
      // Fungible tokens, which come first in `tokens`, are transferred most often.
      const token = this.#random.pick(this.#random.nextBoolean(0.4) ? tokens.slice(0, 4) : tokens);
      if (token.type === "ERC-1155" && this.#random.nextBoolean(0.2)) this.addBatch(token, 2 + this.#random.nextInt(12));
      else {
        const transaction = this.addTransfer(token);
        if (this.#random.nextBoolean(0.2)) this.#addLog(transaction, this.#random.pick(tokens));
      }
    }
  }

  /** Adds a transaction with one transfer; returns its position and the called method. */
  addTransfer(token: Token) {
    const { block_number, transaction_index } = this.#positions.allocateTransaction();
    const transaction = { block_number, transaction_index, method: this.#random.pick(this.#methods) };
    this.#addLog(transaction, token);
    return transaction;
  }

  /** Adds a transaction with one log that transfers `size` token ids. */
  addBatch(token: Token, size: number): void {
    const position = this.#positions.allocateTransaction();
    const firstId = this.#random.nextInt(1_000_000);
    const contents = Array.from({ length: size }, (_, i) => ({
      token_id: BigInt(firstId + 3 * i),
      amount: BigInt(1 + this.#random.nextInt(9)),
    }));
    this.#addLog({ ...position, method: "safeBatchTransferFrom" }, token, contents);
  }

  #addLog(
    transaction: Pick<TransferRow, keyof TransactionPosition | "method">,
    token: Token,
    contents: readonly TransferContent[] = [this.#makeContent(token)],
  ): void {
    const owner = this.#account;
    const [from, to] = token.isScam ? [ZERO_ADDRESS, owner] : this.#pickSenderAndRecipient();
    const index = this.#positions.allocateLogIndex();
    const { block_number, transaction_index, method } = transaction;
    for (const [index_in_batch, content] of contents.entries())
      this.rows.push({
        block_number,
        transaction_index,
        index,
        index_in_batch,
        token,
        token_type: content.token_type ?? token.type,
        from,
        to,
        method,
        isHidden: token.isScam,
        token_id: content.token_id ?? null,
        amount: content.amount ?? null,
        hasNoAmount: content.hasNoAmount ?? false,
        owner,
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
    // Every 25th transfer differs from the previous one in the same transaction only by its log index.
    const previous = rows.at(-1);
    if (index % 25 === 1 && previous) {
      rows.push({ ...previous, block_number, transaction_index, index });
      return;
    }
    const isMint = previous === undefined;
    const counterparty = isMint ? ZERO_ADDRESS : random.pick(otherHashes);
    const isOutgoing = !isMint && random.nextBoolean(0.9);
    const [from, to] = isOutgoing ? ([distributor, counterparty] as const) : ([counterparty, distributor] as const);
    // All members at once, because there are many rows.
    rows.push({
      block_number,
      transaction_index,
      index,
      index_in_batch: 0,
      token,
      token_type: token.type,
      from,
      to,
      method: "multicall",
      token_id: null,
      amount: isMint ? MINTED_AMOUNT : BigInt(1 + random.nextInt(MAX_AMOUNT)),
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
