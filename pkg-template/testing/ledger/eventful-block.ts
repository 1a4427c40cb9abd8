// A block in which one address has every kind of event: the sample address `producer`, which also produced it.
//
// It has rows that differ only in their position, transfers to the sender, a failed transaction, and a payable
// deployment.

import { getProducerBlock } from "./blocks.js";
import type { LedgerContext } from "./context.js";
import { LOGS_PER_LANE, TRANSACTIONS_PER_LANE } from "./positions.js";
import type { InternalTransactionRow, Token, TransactionRow } from "./rows.js";
import { type Holding, mergeBatchTransfers, type TransferDraft } from "./token-ledger.js";

/** The lane of its rows. Other lanes belong to transfers, logs and deposits. */
const LANE = 11;
const FIRST_TRANSACTION_INDEX = LANE * TRANSACTIONS_PER_LANE;
const FIRST_LOG_INDEX = LANE * LOGS_PER_LANE;
const WEI_PER_ETHER = 10n ** 18n;
/** The index of a transaction that creates a contract and pays it. */
const DEPLOYMENT_INDEX = 4;
const DEPLOYMENT_VALUE = 7n;

export interface EventfulBlock {
  readonly block_number: number;
  readonly transactions: readonly TransactionRow[];
  readonly internalTransactions: readonly InternalTransactionRow[];
  readonly transfers: readonly TransferDraft[];
  /** The tokens that the producer received in the block. */
  readonly holdings: readonly Holding[];
}

type Call = Omit<InternalTransactionRow, "block_number" | "transaction_index" | "index">;

export function makeEventfulBlock(context: LedgerContext): EventfulBlock {
  const block_number = getProducerBlock(context);
  const { producer } = context.accounts.sampleHashes;
  const [other = producer] = context.accounts.otherHashes;
  const contract = context.createRandom("deployment", block_number).nextHex(20);
  const transfers = makeTransfers(context, block_number, producer, other);
  const createTransaction = (i: number, to: string, value: bigint, hasFailed = false) => {
    const position = { block_number, transaction_index: FIRST_TRANSACTION_INDEX + i };
    return { ...position, from: producer, to, createdContract: null, value, hasFailed, method: "execute" };
  };
  return {
    block_number,
    transactions: [
      createTransaction(0, other, WEI_PER_ETHER),
      createTransaction(1, other, 2n * WEI_PER_ETHER, true),
      createTransaction(2, producer, 3n),
      { ...createTransaction(DEPLOYMENT_INDEX, "", DEPLOYMENT_VALUE), to: null, createdContract: contract },
    ],
    internalTransactions: makeInternalTransactions(block_number, producer, other, contract),
    transfers,
    holdings: mergeBatchTransfers(transfers)
      .filter(({ from, to, amount, token_id }) => to === producer && from !== producer && (amount ?? token_id) !== null)
      .map(({ token, token_id, amount }) => ({ account: producer, token, token_id, amount: amount ?? 1n })),
  };
}

function makeInternalTransactions(
  block_number: number,
  producer: string,
  other: string,
  contract: string,
): InternalTransactionRow[] {
  const call: Call = {
    type: "call",
    from: other,
    to: producer,
    created_contract: null,
    error: null,
    value: 5n,
    gas_limit: 50_000,
  };
  const createRow = (row: Call, transaction: number, index: number): InternalTransactionRow => ({
    ...row,
    block_number,
    transaction_index: FIRST_TRANSACTION_INDEX + transaction,
    index,
  });
  const calls = [
    // The first two differ only in their index.
    call,
    call,
    { ...call, type: "delegatecall", value: 0n },
    { ...call, error: "out of gas", value: WEI_PER_ETHER },
    { ...call, to: other },
  ].map((row, i) => createRow(row, 0, 1 + i));
  // The service also lists the deployment as an internal transaction, because it leaves out only calls with index 0.
  const deployment = { ...call, type: "create", from: producer, value: DEPLOYMENT_VALUE };
  return [
    ...calls,
    { ...createRow(deployment, DEPLOYMENT_INDEX, 0), to: null, created_contract: contract },
    { ...createRow(call, DEPLOYMENT_INDEX, 1), from: contract },
  ];
}

/** The transfers of one transaction: tokens of every type, two equal ones, a batch with an id twice, and one to the sender. */
function makeTransfers(context: LedgerContext, block_number: number, producer: string, other: string): TransferDraft[] {
  const getToken = (type: string) => context.tokens.regular.find((token) => token.type === type) ?? context.tokens.stablecoin;
  const { stablecoin } = context.tokens;
  const createLog = (index: number, token: Token, contents: Partial<TransferDraft>, batchIndex = 0): TransferDraft => ({
    block_number,
    transaction_index: FIRST_TRANSACTION_INDEX + 3,
    index: FIRST_LOG_INDEX + index,
    index_in_batch: batchIndex,
    token,
    token_type: token.type,
    token_id: null,
    amount: null,
    hasNoAmount: false,
    from: producer,
    to: other,
    method: "multicall",
    signer: producer,
    isFixed: true,
    ...contents,
  });
  const received = { from: other, to: producer };
  const batch = [7n, 7n, 8n];
  return [
    createLog(0, stablecoin, { amount: 1_000_000n }),
    createLog(1, stablecoin, { amount: 1_000_000n }),
    createLog(2, stablecoin, { ...received, amount: 3_000_000n }),
    createLog(3, stablecoin, { to: producer, amount: 2_000_000n }),
    createLog(4, getToken("ERC-721"), { ...received, token_id: 1_000_001n }),
    ...batch.map((token_id, i) => createLog(5, getToken("ERC-1155"), { ...received, token_id, amount: 4n }, i)),
    createLog(6, getToken("ERC-404"), { token_id: 1_000_002n }),
    createLog(7, getToken("ERC-7984"), received),
  ];
}
