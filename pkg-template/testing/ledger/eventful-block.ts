// A block in which one address has every kind of event: the sample address `producer`, which also produced it.
//
// It has rows that differ only in their position, transfers to the sender, a failed transaction, and a payable
// deployment.

import { getProducerBlock } from "./blocks.js";
import type { LedgerContext } from "./context.js";
import { LOGS_PER_LANE, TRANSACTIONS_PER_LANE } from "./positions.js";
import type { InternalTransactionRow, Token } from "./rows.js";
import { WEI_PER_ETHER } from "./sample-addresses.js";
import { mergeBatchTransfers, type TransferDraft } from "./token-ledger.js";
import { CALL } from "./transactions.js";

/** The lane of its rows. Other lanes belong to transfers, logs and deposits. */
const LANE = 11;
const FIRST_LOG_INDEX = LANE * LOGS_PER_LANE;
/** The index of a transaction that creates a contract and pays it. */
const DEPLOYMENT_INDEX = 4;
const DEPLOYMENT_VALUE = 7n;

export type EventfulBlock = ReturnType<typeof makeEventfulBlock>;

/** Makes the rows of the block, and as `holdings` the tokens that the producer received in it. */
export function makeEventfulBlock(context: LedgerContext) {
  const block_number = getProducerBlock(context);
  const { producer } = context.accounts.sampleHashes;
  const [other = producer] = context.accounts.otherHashes;
  const createPosition = (i: number) => ({ block_number, transaction_index: LANE * TRANSACTIONS_PER_LANE + i });
  const createdContract = context.createRandom("deployment", block_number).nextHex(20);
  const transaction = { ...CALL, from: producer, to: other, method: "execute" };
  const transfers = makeTransfers(context, createPosition(3), producer, other);
  const holdings = mergeBatchTransfers(transfers)
    .filter(({ from, to, amount, token_id }) => to === producer && from !== producer && (amount ?? token_id) !== null)
    .map(({ token, token_id, amount }) => ({ account: producer, token, token_id, amount: amount ?? 1n }));
  return {
    transactions: [
      { ...transaction, ...createPosition(0), value: WEI_PER_ETHER },
      { ...transaction, ...createPosition(1), value: 2n * WEI_PER_ETHER, hasFailed: true },
      { ...transaction, ...createPosition(2), to: producer, value: 3n },
      { ...transaction, ...createPosition(DEPLOYMENT_INDEX), to: null, createdContract, value: DEPLOYMENT_VALUE },
    ],
    internalTransactions: makeInternalTransactions(createPosition, producer, other, createdContract),
    transfers,
    holdings,
  };
}

type Position = Pick<TransferDraft, "block_number" | "transaction_index">;

function makeInternalTransactions(
  createPosition: (transaction: number) => Position,
  producer: string,
  other: string,
  contract: string,
): InternalTransactionRow[] {
  const parties = { from: other, to: producer, created_contract: null };
  const call = { type: "call", ...parties, error: null, value: 5n, gas_limit: 50_000 };
  const calls = [
    // The first two differ only in their index.
    call,
    call,
    { ...call, type: "delegatecall", value: 0n },
    { ...call, error: "out of gas", value: WEI_PER_ETHER },
    { ...call, to: other },
  ];
  const creation = { type: "create", from: producer, to: null, created_contract: contract, value: DEPLOYMENT_VALUE };
  const deployment = createPosition(DEPLOYMENT_INDEX);
  return [
    ...calls.map((row, i) => ({ ...row, ...createPosition(0), index: 1 + i })),
    // The service also lists the deployment as an internal transaction, because it leaves out only calls with index 0.
    { ...call, ...creation, ...deployment, index: 0 },
    { ...call, from: contract, ...deployment, index: 1 },
  ];
}

/** The transfers of one transaction: tokens of every type, two equal ones, a batch with an id twice, and one to the sender. */
function makeTransfers(context: LedgerContext, position: Position, producer: string, other: string): TransferDraft[] {
  const { regular, stablecoin } = context.tokens;
  const getToken = (type: string) => regular.find((token) => token.type === type) ?? stablecoin;
  const content = { token_id: null, amount: null, hasNoAmount: false, index_in_batch: 0 };
  const transaction = {
    ...position,
    ...content,
    from: producer,
    to: other,
    method: "multicall",
    signer: producer,
    isFixed: true,
  };
  const createLog = (index: number, token: Token, contents: Partial<TransferDraft>): TransferDraft => {
    return { ...transaction, index: FIRST_LOG_INDEX + index, token, token_type: token.type, ...contents };
  };
  const received = { from: other, to: producer };
  const batch = [7n, 7n, 8n];
  return [
    createLog(0, stablecoin, { amount: 1_000_000n }),
    createLog(1, stablecoin, { amount: 1_000_000n }),
    createLog(2, stablecoin, { ...received, amount: 3_000_000n }),
    createLog(3, stablecoin, { to: producer, amount: 2_000_000n }),
    createLog(4, getToken("ERC-721"), { ...received, token_id: 1_000_001n }),
    ...batch.map((token_id, i) => createLog(5, getToken("ERC-1155"), { ...received, token_id, amount: 4n, index_in_batch: i })),
    createLog(6, getToken("ERC-404"), { token_id: 1_000_002n }),
    createLog(7, getToken("ERC-7984"), received),
  ];
}
