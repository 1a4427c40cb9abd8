// Recognises spam: addresses that look like addresses that this address sent to.
import type { Draft } from "./draft.js";
import type { HistoryEvent, Suspicion } from "./event.js";

/** The maximum number of stored recipients. The oldest are evicted first. */
const MAX_RECIPIENTS = 10_000;

/** The addresses that the address itself sent to. Anyone can emit a log that claims a transfer, so a log alone proves nothing. */
export class Recipients {
  /** The first recipient for each lookalike pattern: its first and last four hex digits. */
  readonly #recipients = new Map<string, string>();

  constructor(recipients: readonly string[] = []) {
    for (const recipient of recipients) this.#add(recipient);
  }

  /** Returns a function that lists the recipients that are known now, also when more were added. */
  mark(): () => string[] {
    const { size } = this.#recipients;
    return () => [...this.#recipients.values()].slice(0, size);
  }

  /** Adds the recipient of a record, if the record proves it: a transaction of the address, or a call that it made. */
  addProven({ recipient, event }: Draft): void {
    if (recipient != null) this.#add(recipient);
    if (event.kind === "internal_transaction" && event.success) this.addSent(event);
  }

  /** Adds the recipient of an event for which the address is responsible. */
  addSent({ direction, amount, to }: HistoryEvent): void {
    if (direction === "out" && amount !== "0" && to !== null) this.#add(to);
  }

  #add(address: string): void {
    if (this.#recipients.has(getPattern(address))) return;
    this.#recipients.set(getPattern(address), address);
    const [oldest = ""] = this.#recipients.keys();
    if (this.#recipients.size > MAX_RECIPIENTS) this.#recipients.delete(oldest);
  }

  judge({ event, isScam }: Draft): Suspicion | null {
    if (isScam) return "scam_token";
    const counterparty = event.direction === "out" ? event.to : event.from;
    const recipient = counterparty === null ? undefined : this.#recipients.get(getPattern(counterparty));
    if (recipient !== undefined && recipient !== counterparty) return "lookalike_address";
    return event.kind === "token_transfer" && event.amount === "0" ? "zero_value" : null;
  }
}

/** Returns the part of an address that an abbreviation shows: its first and last four hex digits. */
function getPattern(address: string): string {
  return address.slice(2, 6) + address.slice(-4);
}
