// Approvals of the sample addresses: their events, and the remaining amounts.
//
// An approval is an event in a transaction of its owner. Some contracts emit events in the name of an owner who knows nothing about
// them, and some of these are malformed.

import type { NftRow } from "./nfts.js";
import type { Random } from "../random.js";
import { ZERO_ADDRESS } from "./accounts.js";
import type { LedgerContext } from "./context.js";
import { createEvent, getLogContent, type LogRow } from "./logs.js";
import { compareTransactions } from "./positions.js";
import type { ApprovalGrant, Token, TransactionRow } from "./rows.js";
import { isScripted, SAMPLE_KEYS, type SampleKey } from "./sample-addresses.js";

/** The address of Permit2 on most chains. */
export const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";

export interface ApprovalState {
  readonly grant: ApprovalGrant;
  readonly row: LogRow;
  /** The remaining amount. Spending emits no event. Null: the contract is not a token, and does not report it. */
  readonly remaining: bigint | null;
}

const MAX_UINT = 2n ** 256n - 1n;
const MAX_PERMIT2 = 2n ** 160n - 1n;
/** The number of events by sample address. The others have a few. */
const COUNTS: Partial<Record<SampleKey, number>> = { hub: 1900, hostile: 60, empty: 0 };
/** Higher than the log indices of all lanes. */
const FIRST_INDEX = 2000;
const SECONDS_PER_YEAR = 31_536_000;

const OWNER = "address indexed owner";
const APPROVAL = createEvent("Approval", OWNER, "address indexed spender", "uint256 value");
const NFT_APPROVAL = createEvent("Approval", OWNER, "address indexed approved", "uint256 indexed tokenId");
const APPROVAL_FOR_ALL = createEvent("ApprovalForAll", OWNER, "address indexed operator", "bool approved");
const PERMIT = [OWNER, "address indexed token", "address indexed spender", "uint160 amount", "uint48 expiration"] as const;
const PERMIT2_APPROVAL = createEvent("Approval", ...PERMIT);
const PERMIT2_PERMIT = createEvent("Permit", ...PERMIT, "uint48 nonce");
const PERMIT2_LOCKDOWN = createEvent("Lockdown", OWNER, "address token", "address spender");

/** Makes the logs of the sample addresses that are not scripted, oldest first. */
export function makeApprovals(
  context: LedgerContext,
  nfts: readonly NftRow[],
  getTransactions: (account: string) => readonly TransactionRow[],
): LogRow[] {
  const drafts = SAMPLE_KEYS.filter((key) => !isScripted(key)).flatMap((key) => {
    const owner = context.accounts.sampleHashes[key];
    const random = context.createRandom("approvals", key);
    const own = getTransactions(owner).filter(({ from, hasFailed }) => from === owner && !hasFailed);
    if (own.length === 0) return [];
    const held = nfts.filter(({ account, token }) => account === owner && token.type === "ERC-721");
    const makeGrant = createGrantMaker(context, random, owner, key === "hostile", held);
    return Array.from({ length: COUNTS[key] ?? random.nextInt(14) }, () => {
      const { block_number, transaction_index, to: calledContract } = random.pick(own);
      const log = { block_number, transaction_index, index: FIRST_INDEX, calledContract };
      return createLog(context, random, log, makeGrant(block_number));
    });
  });
  drafts.sort(compareTransactions);
  return drafts.map((draft, i) => ({ ...draft, index: FIRST_INDEX + i }));
}

/** Returns the approvals of an owner that are active at a time, in Unix seconds, each with the approved and the remaining amount. */
export function getApprovalStates(context: LedgerContext, rows: readonly LogRow[], owner: string, now: number): ApprovalState[] {
  const states = new Map<string, ApprovalState>();
  for (const row of rows) {
    const { grant } = row;
    if (grant?.owner !== owner) continue;
    const key = [grant.kind, grant.token, grant.tokenId ?? grant.spender].join();
    states.delete(key);
    if (grant.amount > 0n) states.set(key, { grant, row, remaining: getRemaining(context, row, grant) });
  }
  return [...states.values()].filter(({ grant: { expires } }) => expires === null || expires > now);
}

/** Returns the remaining amount of an approval: unlimited ones remain unlimited, and some of the others are spent. */
function getRemaining(context: LedgerContext, row: LogRow, { kind, token, amount }: ApprovalGrant): bigint | null {
  if (!context.accounts.getToken(token)) return null;
  const random = context.createRandom("spent", row.block_number, row.index);
  const isLimited = kind === "permit2" ? amount < MAX_PERMIT2 : kind === "allowance" && amount < MAX_UINT;
  // NFTs are transferred, which ends the approval of one of them.
  if (!isLimited) return kind === "token" && random.nextBoolean(0.3) ? 0n : amount;
  return random.nextBoolean(0.3) ? 0n : random.nextBoolean(0.4) ? amount / 2n : amount;
}

function createGrantMaker(
  context: LedgerContext,
  random: Random,
  owner: string,
  isHostile: boolean,
  held: readonly NftRow[],
): (block: number) => ApprovalGrant {
  const { accounts, tokens } = context;
  const { settlement, proxy, hostile } = accounts.sampleHashes;
  const others = random.nextInt(accounts.otherHashes.length - 20);
  const spenders = [settlement, proxy, hostile, ...accounts.otherHashes.slice(others, others + 20)];
  const ofType = (...types: readonly string[]) =>
    [...tokens.regular, ...(isHostile ? tokens.hostile : [])].filter(({ type }) => types.includes(type)) as [Token, ...Token[]];
  const fungible = ofType("ERC-20");
  const forgers = accounts.otherHashes.filter((hash) => accounts.getProfile(hash).isContract);
  const collections = ofType("ERC-721", "ERC-1155");
  return (block) => {
    const spender = random.pick(spenders);
    const base = { owner, spender, tokenId: null, expires: null };
    const choice = random.nextInt(100);
    if (choice < 60) {
      // Anyone can emit an event: the event of a contract that is not a token approves nothing.
      const token = random.nextBoolean(0.04) ? random.pick(forgers) : random.pick(fungible).hash;
      return { ...base, kind: "allowance", token, amount: makeAmount(random, MAX_UINT) };
    }
    if (choice < 70 && held.length > 0) {
      const { token, token_id } = random.pick(held);
      const revoked = random.nextBoolean(0.2) && { spender: ZERO_ADDRESS, amount: 0n };
      return { ...base, kind: "token", token: token.hash, tokenId: token_id, amount: 1n, ...revoked };
    }
    if (choice < 82) {
      return { ...base, kind: "operator", token: random.pick(collections).hash, amount: random.nextBoolean(0.7) ? 1n : 0n };
    }
    const time = context.getUnixTime(block);
    const expires = random.nextBoolean(0.2) ? time + 600 : time + 20 * SECONDS_PER_YEAR;
    return { ...base, kind: "permit2", token: random.pick(fungible).hash, amount: makeAmount(random, MAX_PERMIT2), expires };
  };
}

/** Creates the event of an allowance. Undefined: unlimited. */
export function createAllowance(owner: string, token: string, spender: string, amount = MAX_UINT) {
  const grant: ApprovalGrant = { owner, kind: "allowance", token, spender, tokenId: null, amount, expires: null };
  return { emitter: token, event: APPROVAL, values: [owner, spender, amount], grant };
}

function makeAmount(random: Random, max: bigint): bigint {
  if (random.nextBoolean(0.35)) return max;
  return random.nextBoolean(0.25) ? 0n : 1n + random.nextBigInt(random.pick([4, 8, 12]));
}

/** Creates the log of a grant. A few logs are malformed, so that they approve nothing. */
function createLog(context: LedgerContext, random: Random, log: Omit<LogRow, "emitter" | "event">, grant: ApprovalGrant): LogRow {
  const { kind, owner, token, spender, tokenId, amount, expires } = grant;
  const allowance = { ...log, ...createAllowance(owner, token, spender, amount) };
  if (random.nextBoolean(0.03)) {
    const content = makeMalformed(random, getLogContent(context, allowance));
    return { ...allowance, grant: null, content };
  }
  if (kind === "allowance") return allowance;
  const create = (event: LogRow["event"], ...values: readonly (string | bigint | boolean)[]) => {
    return { ...log, emitter: kind === "permit2" ? PERMIT2 : token, event, values: [owner, ...values], grant };
  };
  if (kind === "token") return create(NFT_APPROVAL, spender, tokenId ?? 0n);
  if (kind === "operator") return create(APPROVAL_FOR_ALL, spender, amount > 0n);
  if (amount === 0n) return create(PERMIT2_LOCKDOWN, token, spender);
  const permit = [token, spender, amount, BigInt(expires ?? 0)];
  return random.nextBoolean(0.5) ? create(PERMIT2_APPROVAL, ...permit) : create(PERMIT2_PERMIT, ...permit, random.nextBigInt(4));
}

/** Makes the content of an event malformed: bytes before an address, or data of a wrong length. */
function makeMalformed(random: Random, { topics, data }: ReturnType<typeof getLogContent>) {
  const [signature = null, owner = null, spender] = topics;
  return random.nextBoolean(0.5)
    ? { topics: [signature, owner, `0x${"f".repeat(24)}${spender?.slice(26)}`, null], data, decoded: null }
    : { topics, data: random.pick(["0x", `${data}00`, `${data}${data.slice(2)}`]), decoded: null };
}
