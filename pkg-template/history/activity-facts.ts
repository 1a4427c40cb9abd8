// What an activity moved, whom it dealt with, and the facts that its rule is decided by.
import type { AddressRef, Hex } from "../public.js";
import { METHODS, REVOCATION, SPENDER } from "./activity-methods.js";
import type { ActivityFact } from "./activity-rules.js";
import type { Activity, ActivityLeg, ActivityParty } from "./activity-types.js";
import { countContracts, getLegs, hasLeg, isWrap } from "./activity-legs.js";
import type { HistoryEvent } from "./event.js";
import { getMovedAmount } from "./movement.js";

const ZERO_ADDRESS = /^0x0{40}$/;
/** Tokens that are sent here are lost. */
const BURN_ADDRESS = /^0x0{36}(0000|dead)$/;

/** The fields that the records of events share. The interfaces and lists name them differently. */
interface CommonRecord {
  from?: AddressRef | string | null;
  to?: AddressRef | string | null;
  created_contract?: AddressRef | null;
  raw_input?: string | null;
  input?: string | null;
  type?: unknown;
}

/** What the events of an activity show. */
export interface ActivityFacts extends Pick<Activity, "sent" | "received" | "counterparties" | "method"> {
  facts: ReadonlySet<ActivityFact>;
  /** Whom the assets went to, whom they came from, the called or created contract, and whom an approval is for. */
  parties: Readonly<Record<"recipient" | "sender" | "contract" | "spender", readonly ActivityParty[]>>;
}

/** Analyses the events of an activity. `bridges` are in lower case. */
export function findFacts(events: readonly HistoryEvent[], bridges: readonly string[]): ActivityFacts {
  const transaction = events.find(({ kind }) => kind === "transaction");
  const isSigned = transaction !== undefined && transaction.direction !== "in";
  const record = transaction?.record as CommonRecord | undefined;
  const input = record?.raw_input ?? record?.input ?? "";
  const method = events.find((event) => event.method !== null)?.method ?? null;
  const moves = events.filter((event) => event.direction !== "self" && getMovedAmount(event) !== 0n);
  const { sent, received } = getLegs(moves, transaction?.token_fee);
  const outgoing = moves.filter((event) => event.direction === "out" && hasLeg(sent, event));
  const incoming = moves.filter((event) => event.direction === "in" && hasLeg(received, event));

  const all = listParties(events);
  const called = isSigned ? all.find(({ hash }) => hash === transaction.to) : undefined;
  const counterparties = orderParties(all, called, [...sent, ...received]);
  const spender = METHODS.approves.includes(input.slice(0, 10)) ? SPENDER.exec(input)?.[1] : undefined;
  const spenders = spender === undefined ? [] : [{ hash: `0x${spender}` as Hex, name: null, ref: null }];

  const facts = new Set<ActivityFact>();
  const add = (fact: ActivityFact, isTrue: boolean | undefined) => isTrue && facts.add(fact);
  for (const fact of ["withdrawal", "block_reward"] as const) add(fact, events[0]?.kind === fact);
  for (const fact of Object.keys(METHODS) as (keyof typeof METHODS)[])
    add(fact, input.length >= 10 && METHODS[fact].includes(input.slice(0, 10)));
  add("failed", transaction?.success === false);
  add("signed", isSigned);
  add(
    "suspicious",
    events.every(({ suspicion }) => suspicion !== null),
  );
  add("creation", events.some(isCreation));
  add("called", method !== null);
  add("transfers", transaction !== undefined && method === null);
  add("revokes", REVOCATION.test(input));
  add("airdrops", !isSigned && /airdrop/i.test(method ?? ""));
  add(
    "bridged",
    all.some(({ hash, ref }) => bridges.includes(hash) || isTaggedBridge(ref)),
  );
  add("sent", sent.length > 0);
  add("received", received.length > 0);
  add("exchanged", countContracts(sent) === 1 && countContracts(received) === 1);
  add("minted", received.length > 0 && incoming.every(({ from }) => ZERO_ADDRESS.test(from ?? "")));
  add("burned", sent.length > 0 && outgoing.every(({ to }) => BURN_ADDRESS.test(to ?? "")));
  add("wrapped", isWrap(sent, received, outgoing, "to"));
  add("unwrapped", isWrap(received, sent, incoming, "from"));
  add(
    "own",
    events.some(({ direction }) => direction === "self"),
  );
  const parties = {
    recipient: orderParties(listParties(outgoing)),
    sender: orderParties(listParties(incoming.length > 0 ? incoming : events)),
    contract: called ? [called] : counterparties.slice(0, 1),
    spender: spenders,
  };
  return { sent, received, method, facts, counterparties: [...spenders, ...counterparties], parties };
}

/** Whether an event is the creation of a contract: by a transaction, or of the address itself. */
function isCreation({ kind, direction, record }: HistoryEvent): boolean {
  const { to, type }: CommonRecord = record as CommonRecord;
  return (
    (kind === "transaction" && to === null) ||
    (kind === "internal_transaction" && direction === "in" && /^create/.test(`${type}`))
  );
}

/** Lists the other addresses of events, most events first. */
function listParties(events: readonly HistoryEvent[]): ActivityParty[] {
  const parties = new Map<Hex, ActivityParty & { count: number }>();
  for (const { direction, from, to, record } of events) {
    const hash = direction === "in" ? from : to;
    if (hash === null || direction === "self") continue;
    const common = record as CommonRecord;
    const field = direction === "in" ? common.from : (common.to ?? common.created_contract);
    const known = parties.get(hash);
    const ref = known?.ref ?? (typeof field === "object" && field ? field : null);
    parties.set(hash, { hash, name: getName(ref), ref, count: (known?.count ?? 0) + 1 });
  }
  return [...parties.values()].sort((a, b) => b.count - a.count).map(({ hash, name, ref }) => ({ hash, name, ref }));
}

function getName(ref: AddressRef | null): string | null {
  return ref && (ref.ens_domain_name || ref.name || ref.metadata?.name || ref.implementation_name || null);
}

/** Puts the called contract first. Leaves out the contracts of moved tokens and the zero address, unless there is nobody else. */
function orderParties(
  parties: readonly ActivityParty[],
  called?: ActivityParty | undefined,
  legs: readonly ActivityLeg[] = [],
): ActivityParty[] {
  const contracts = legs.map(({ asset }) => (asset.type === "native" ? null : asset.contract));
  const getRank = (party: ActivityParty) => {
    if (ZERO_ADDRESS.test(party.hash)) return 3;
    return contracts.includes(party.hash) ? 2 : party === called ? 0 : 1;
  };
  const ranked = [...parties].sort((a, b) => getRank(a) - getRank(b));
  const [first] = ranked;
  return ranked.filter((party) => getRank(party) < 2 || (first && getRank(party) === getRank(first)));
}

/** Whether the service tags a contract as a bridge. Its name proves nothing: the author of the contract chose it. */
function isTaggedBridge(ref: AddressRef | null): boolean {
  if (!ref?.is_contract) return false;
  const tags = [...(ref.metadata?.tags ?? []).flatMap(({ name, slug }) => [name, slug])];
  return [...tags, ...ref.public_tags.flatMap(({ display_name, label }) => [display_name, label])].some((tag) =>
    /\bbridge\b/i.test(tag ?? ""),
  );
}
