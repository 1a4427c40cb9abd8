// The rules of activities: which kind an activity has, and the sentence that says it. The guide documents the table.

/**
 * What an activity was, from the view of the address. `ACTIVITY_RULES` decides it.
 *
 * - `send`, `receive`: Assets went out or came in, and nothing else is known.
 * - `swap`: One asset for another one.
 * - `mint`, `burn`: Tokens were created for the address, or destroyed.
 * - `wrap`, `unwrap`: The native coin for the same amount of a token, and back.
 * - `deposit`, `withdrawal`: Assets went into a contract, or came back from one or from the beacon chain.
 * - `bridge`: Assets went to another chain, or came from one, through a contract that is known as a bridge.
 * - `approve`: The address allowed somebody to move its tokens, or no longer does.
 * - `deploy`: A contract was created.
 * - `contract_call`: Any other call of a contract. It is the kind of everything that no rule knows.
 * - `failed`: The transaction failed, and moved nothing.
 * - `reward`: The reward of a block.
 * - `airdrop`: Tokens that somebody handed out.
 * - `spam`: Somebody else's transaction in which every event has a suspicion.
 */
export type ActivityKind =
  | "send"
  | "receive"
  | "swap"
  | "mint"
  | "burn"
  | "wrap"
  | "unwrap"
  | "deposit"
  | "withdrawal"
  | "bridge"
  | "approve"
  | "deploy"
  | "contract_call"
  | "failed"
  | "reward"
  | "airdrop"
  | "spam";

/**
 * What is known about a transaction. activity-facts.ts finds the facts.
 *
 * - `withdrawal`, `block_reward`: The activity is such an event, without a transaction.
 * - `failed`: The transaction failed.
 * - `signed`: The address sent the transaction.
 * - `suspicious`: Every event has a suspicion.
 * - `creation`: The transaction creates a contract, or somebody creates this address.
 * - `called`: The transaction calls a function.
 * - `approves`, `revokes`, `deposits`, `withdraws`, `transfers`: The called function is in the list of that name (activity-methods.ts). A
 *   transaction without call data `transfers`.
 * - `airdrops`: The called function of somebody else's transaction has "airdrop" in its name.
 * - `bridged`: A counterparty is known as a bridge.
 * - `sent`, `received`: Something went out, or came in.
 * - `exchanged`: Assets of one contract went out, and assets of one contract came in.
 * - `minted`: All that came in was created for the address.
 * - `burned`: All that went out was destroyed.
 * - `wrapped`, `unwrapped`: The native coin went to the contract of a token, and the same amount of the token came in, or the reverse.
 * - `own`: A transfer of the address to itself.
 */
export type ActivityFact =
  | "withdrawal"
  | "block_reward"
  | "failed"
  | "signed"
  | "suspicious"
  | "creation"
  | "called"
  | "approves"
  | "revokes"
  | "deposits"
  | "withdraws"
  | "transfers"
  | "airdrops"
  | "bridged"
  | "sent"
  | "received"
  | "exchanged"
  | "minted"
  | "burned"
  | "wrapped"
  | "unwrapped"
  | "own";

/** A rule. The first one that applies decides. */
export interface ActivityRule {
  id: string;
  kind: ActivityKind;
  /** The facts that must be known, and with `!` those that must not be. */
  when: string;
  /** The sentence, with places such as `{sent}`. */
  sentence: string;
}

/** The rules, in the order of the decision. */
export const ACTIVITY_RULES = [
  { id: "beacon_withdrawal", kind: "withdrawal", when: "withdrawal", sentence: "Withdrew {received} from the beacon chain" },
  { id: "block_reward", kind: "reward", when: "block_reward received", sentence: "Received {received} as a block reward" },
  { id: "empty_reward", kind: "reward", when: "block_reward", sentence: "Produced a block without a reward" },
  { id: "failed_by_other", kind: "failed", when: "failed !signed", sentence: "A transaction of {sender} failed" },
  { id: "failed_deployment", kind: "failed", when: "failed creation", sentence: "Failed to deploy a contract" },
  { id: "failed_call", kind: "failed", when: "failed called", sentence: "Failed to call {method} at {contract}" },
  { id: "failed_transfer", kind: "failed", when: "failed", sentence: "Failed to send to {contract}" },
  { id: "spam", kind: "spam", when: "suspicious !signed", sentence: "Suspicious transfer with {contract}" },
  { id: "deploy", kind: "deploy", when: "signed creation", sentence: "Deployed {contract}" },
  { id: "deployed", kind: "deploy", when: "creation", sentence: "Deployed by {sender}" },
  {
    id: "revoke",
    kind: "approve",
    when: "signed revokes !sent !received",
    sentence: "Revoked the approval of {spender} for {contract}",
  },
  { id: "approve", kind: "approve", when: "signed approves !sent !received", sentence: "Approved {spender} for {contract}" },
  { id: "wrap", kind: "wrap", when: "wrapped", sentence: "Wrapped {sent} into {received}" },
  { id: "unwrap", kind: "unwrap", when: "unwrapped", sentence: "Unwrapped {sent} into {received}" },
  { id: "bridge_out", kind: "bridge", when: "bridged sent !received", sentence: "Bridged {sent} through {contract}" },
  {
    id: "bridge_in",
    kind: "bridge",
    when: "bridged received !sent",
    sentence: "Received {received} through the bridge {sender}",
  },
  { id: "deposit", kind: "deposit", when: "signed deposits sent !received", sentence: "Deposited {sent} at {contract}" },
  {
    id: "stake",
    kind: "deposit",
    when: "signed deposits sent minted",
    sentence: "Deposited {sent} at {contract} for {received}",
  },
  {
    id: "withdraw",
    kind: "withdrawal",
    when: "signed withdraws received !sent",
    sentence: "Withdrew {received} from {contract}",
  },
  {
    id: "unstake",
    kind: "withdrawal",
    when: "signed withdraws received burned",
    sentence: "Withdrew {received} from {contract} for {sent}",
  },
  { id: "buy_mint", kind: "mint", when: "minted sent !burned", sentence: "Minted {received} for {sent} at {contract}" },
  { id: "mint", kind: "mint", when: "signed minted !sent", sentence: "Minted {received} at {contract}" },
  { id: "burn", kind: "burn", when: "burned !received", sentence: "Burned {sent}" },
  { id: "swap", kind: "swap", when: "exchanged !minted !burned", sentence: "Swapped {sent} for {received} at {contract}" },
  { id: "airdrop", kind: "airdrop", when: "airdrops received !sent", sentence: "Received {received} in an airdrop by {sender}" },
  { id: "self_transfer", kind: "send", when: "own !sent !received", sentence: "Sent assets to itself" },
  { id: "empty_transfer", kind: "send", when: "signed transfers !sent !received", sentence: "Sent nothing to {contract}" },
  { id: "send", kind: "send", when: "signed transfers sent !received", sentence: "Sent {sent} to {recipient}" },
  { id: "send_by_other", kind: "send", when: "!signed sent !received", sentence: "Sent {sent} to {recipient}" },
  { id: "receive", kind: "receive", when: "!signed received !sent", sentence: "Received {received} from {sender}" },
  { id: "exchange", kind: "contract_call", when: "sent received", sentence: "Sent {sent} and received {received} at {contract}" },
  { id: "paid_call", kind: "contract_call", when: "sent", sentence: "Called {method} at {contract} with {sent}" },
  {
    id: "receiving_call",
    kind: "contract_call",
    when: "received",
    sentence: "Called {method} at {contract} and received {received}",
  },
  { id: "call", kind: "contract_call", when: "signed", sentence: "Called {method} at {contract}" },
  { id: "called", kind: "contract_call", when: "", sentence: "Called by {sender}" },
] as const satisfies readonly ActivityRule[];

/** The id of a rule. */
export type ActivityRuleId = (typeof ACTIVITY_RULES)[number]["id"];

/** Returns the first rule that applies. The last one has no condition. */
export function findRule(facts: ReadonlySet<string>): (typeof ACTIVITY_RULES)[number] {
  const isMet = (fact: string) => (fact.startsWith("!") ? !facts.has(fact.slice(1)) : facts.has(fact));
  return ACTIVITY_RULES.find(({ when }) => when === "" || when.split(" ").every(isMet)) as (typeof ACTIVITY_RULES)[number];
}
