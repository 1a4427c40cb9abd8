// Recognises spam: the addresses that this address sent to, and those that only look like them.
import type { Draft } from "./draft.js";
import type { Suspicion } from "./event.js";

/** The number of recipients to remember. The oldest are forgotten first. */
const MAX_RECIPIENTS = 10_000;

/** The addresses that the address itself sent to, as its own transactions prove. Anyone can emit a log that claims a transfer. */
export class Recipients {
  /** A recipient for each look. */
  readonly #recipients = new Set<string>();
  /** How many recipients have this look. */
  readonly #looks = new Map<string, number>();

  /** Adds the recipients of records that were read. */
  add({ recipient, event }: Draft): void {
    const sent = event.kind === "internal_transaction" && event.direction === "out" && event.amount !== "0" && event.success;
    const address = sent ? event.to : recipient;
    if (address == null || this.#recipients.has(address)) return;
    this.#recipients.add(address);
    this.#count(address, 1);
    if (this.#recipients.size <= MAX_RECIPIENTS) return;
    const [oldest] = this.#recipients as Set<string> as Iterable<string> as [string];
    this.#recipients.delete(oldest);
    this.#count(oldest, -1);
  }

  judge({ event, isScam }: Draft): Suspicion | null {
    if (isScam) return "scam_token";
    const counterparty = event.direction === "out" ? event.to : event.from;
    if (counterparty !== null && this.#isLookalike(counterparty)) return "lookalike_address";
    return event.kind === "token_transfer" && event.amount === "0" ? "zero_value" : null;
  }

  #isLookalike(address: string): boolean {
    return !this.#recipients.has(address) && (this.#looks.get(getLook(address)) ?? 0) > 0;
  }

  #count(address: string, change: 1 | -1): void {
    const look = getLook(address);
    const count = (this.#looks.get(look) ?? 0) + change;
    if (count === 0) this.#looks.delete(look);
    else this.#looks.set(look, count);
  }
}

/** Returns the part of an address that an abbreviation shows: its first and last four hex digits. */
function getLook(address: string): string {
  return address.slice(2, 6) + address.slice(-4);
}
