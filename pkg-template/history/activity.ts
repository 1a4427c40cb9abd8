// Creates an activity from the events of one transaction.
import { findFacts } from "./activity-facts.js";
import { findRule } from "./activity-rules.js";
import { createSentence } from "./activity-sentence.js";
import type { Activity } from "./activity-types.js";
import type { HistoryEvent } from "./event.js";

/** An event, with its account in a merged history. */
export type SourceEvent = HistoryEvent & Pick<Activity, "account" | "chain_id">;

/** Creates the activity of all events of a transaction, or of an event without one. `bridges` are in lower case. */
export function createActivity(group: readonly SourceEvent[], bridges: readonly string[]): Activity {
  const events = [...group].sort((a, b) => a.position - b.position);
  const [first] = events as [SourceEvent];
  const { key, account, block_number, chain_id, timestamp, transaction_hash } = first;
  const analysis = findFacts(events, bridges);
  const { sent, received, method, counterparties } = analysis;
  const { id: rule, kind, sentence } = findRule(analysis.facts);
  const { fee = null, token_fee } = events.find((event) => event.kind === "transaction") ?? {};
  return {
    key: [chain_id, account, transaction_hash ?? key].filter((part) => part !== undefined).join(":"),
    block_number,
    timestamp,
    transaction_hash,
    ...(account && { account }),
    ...(chain_id !== undefined && { chain_id }),
    kind,
    rule,
    sent,
    received,
    fee,
    ...(token_fee && { token_fee }),
    method,
    counterparties,
    marks: [...new Set(events.flatMap(({ suspicion }) => suspicion ?? []))],
    events,
    sentence: (sentences) => createSentence(sentences?.[rule] ?? sentence, analysis),
  };
}
