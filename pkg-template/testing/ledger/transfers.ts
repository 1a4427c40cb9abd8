// Token transfers: of the sample addresses, as drafts that token-ledger.ts makes consistent; of attackers; and of the token with an
// oversized block.

import type { Random } from "../random.js";
import { ZERO_ADDRESS } from "./accounts.js";
import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK, LOGS_PER_LANE, createPositionAllocator, TRANSACTIONS_PER_LANE } from "./positions.js";
import type { Token, TransactionPosition, TransferRow } from "./rows.js";
import { HOSTILE_METHODS, METHODS } from "./sample-addresses.js";
import type { TransferDraft } from "./token-ledger.js";

type TransferContent = Partial<Pick<TransferRow, "token_type" | "token_id" | "amount" | "hasNoAmount">>;

const LARGE_BATCH_SIZE = 160;

/** Makes drafts of the transfers of sample addresses, unsorted. */
export function makeTransferDrafts(context: LedgerContext): TransferDraft[] {
  const { sampleHashes, otherHashes } = context.accounts;
  const { regular, hostile, batch, scam } = context.tokens;

  const hub = createGenerator(context, "hub", sampleHashes.hub, 0, 12);
  hub.addTransactions(100, regular);
  hub.addBatch(batch, LARGE_BATCH_SIZE);
  while (hub.rows.length < 1500) hub.addTransactions(1, regular);

  const quiet = createGenerator(context, "quiet", sampleHashes.quiet, 1, 9000);
  quiet.addTransactions(9, regular.slice(0, 8));

  const minter = createGenerator(context, "minter", sampleHashes.minter, 2, 400);
  minter.addBatch(batch, LARGE_BATCH_SIZE);
  const editions = regular.filter((token) => token.type === "ERC-1155");
  minter.addTransactions(60, editions);

  const airdropped = createGenerator(context, "airdropped", sampleHashes.airdropped, 3, 200);
  airdropped.addTransactions(30, regular.slice(0, 2));
  for (let i = 0; i < 260; i++) airdropped.addTransfer(scam);
  const [firstToken = scam] = regular;
  for (let i = 0; i < 90; i++) airdropped.addTransfer(i % 3 ? scam : firstToken);

  const hostileNames = createGenerator(context, "hostile", sampleHashes.hostile, 4, 700, HOSTILE_METHODS);
  hostileNames.addTransactions(70, hostile);
  // These are the transfers of an address that is not a sample address.
  const crowd = createGenerator(context, "crowd", otherHashes[0] ?? "", 5, 80);
  crowd.addTransactions(300, regular);
  return [hub, quiet, minter, airdropped, hostileNames, crowd].flatMap(({ rows }) => rows);
}

function createGenerator(context: LedgerContext, seed: string, owner: string, lane: number, gap: number, methods = METHODS) {
  const { sampleHashes, otherHashes } = context.accounts;
  const counterparties = [sampleHashes.settlement, sampleHashes.proxy, ...otherHashes.slice(lane * 40, lane * 40 + 40)];
  const random = context.createRandom("transfers", seed);
  const positions = createPositionAllocator(random, lane, gap);
  const rows: TransferDraft[] = [];

  /** One of the two is the owner. The other is sometimes the zero address (a mint or burn), or the owner again. */
  const pickSenderAndRecipient = (): readonly [from: string, to: string] => {
    const counterparty = random.nextBoolean(0.08) ? ZERO_ADDRESS : random.pick(counterparties);
    if (random.nextBoolean(0.02)) return [owner, owner];
    return random.nextBoolean(0.45) ? [owner, counterparty] : [counterparty, owner];
  };
  const addLog = (
    transaction: TransactionPosition & { method: string | null },
    token: Token,
    contents: readonly TransferContent[],
  ) => {
    const [from, to] = token.isScam ? [ZERO_ADDRESS, owner] : pickSenderAndRecipient();
    const log = { token, isHidden: token.isScam, index: positions.allocateLogIndex(), from, to, owner, ...transaction };
    for (const [index_in_batch, content] of contents.entries()) {
      const { token_type = token.type, token_id = null, amount = null, hasNoAmount = false } = content;
      rows.push({ index_in_batch, token_type, token_id, amount, hasNoAmount, ...log });
    }
  };
  /** Adds a transaction with one transfer; returns its position and the called method. */
  const addTransfer = (token: Token) => {
    const transaction = { ...positions.allocateTransaction(), method: random.pick(methods) };
    addLog(transaction, token, [makeContent(random, token)]);
    return transaction;
  };
  const addBatch = (token: Token, size: number) => {
    const transaction = { ...positions.allocateTransaction(), method: "safeBatchTransferFrom" };
    const firstId = random.nextInt(1_000_000);
    const ids = Array.from({ length: size }, (_, i) => BigInt(firstId + 3 * i));
    addLog(
      transaction,
      token,
      ids.map((token_id) => ({ token_id, amount: BigInt(1 + random.nextInt(9)) })),
    );
  };
  /** Adds transactions: each has one transfer, a swap of two tokens, or sometimes a batch. */
  const addTransactions = (count: number, tokens: readonly Token[]) => {
    for (let i = 0; i < count; i++) {
      // Fungible tokens, which come first in `tokens`, are transferred most often.
      const token = random.pick(random.nextBoolean(0.4) ? tokens.slice(0, 4) : tokens);
      if (token.type === "ERC-1155" && random.nextBoolean(0.2)) addBatch(token, 2 + random.nextInt(12));
      else {
        const transaction = addTransfer(token);
        if (!random.nextBoolean(0.2)) continue;
        const received = random.pick(tokens);
        addLog(transaction, received, [makeContent(random, received)]);
      }
    }
  };
  return { rows, addTransfer, addBatch, addTransactions };
}

function makeContent(random: Random, token: Token): TransferContent {
  const makeTokenId = () => (random.nextBoolean(0.1) ? random.nextBigInt(32) : BigInt(random.nextInt(10_000)));
  if (token.isScam) return { amount: random.nextBigInt(8) };
  if (token.formerType && random.nextBoolean(0.5)) return { token_type: token.formerType, amount: random.nextBigInt(8) };
  switch (token.type) {
    case "ERC-20":
      // Some contracts emit transfer events without an amount.
      return random.nextBoolean(0.01) ? { hasNoAmount: true } : { amount: random.nextBigInt(random.pick([4, 8, 12, 32])) };
    case "ERC-721":
      return { token_id: makeTokenId() };
    case "ERC-1155":
      return { token_id: makeTokenId(), amount: BigInt(1 + random.nextInt(20)) };
    case "ERC-404":
      return random.nextBoolean(0.5) ? { amount: random.nextBigInt(8) } : { token_id: makeTokenId() };
    default:
      return {};
  }
}

const LANE = 12;
/** One of this many transfers is followed by an attack. */
const GAP = 90;
/** The attacker needs some blocks to find an address. */
const DELAY = 25;
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
