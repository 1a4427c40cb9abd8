// Recognises spam: addresses that look like those that this address sent to.
import type { Draft } from "./draft.js";
import type { Suspicion } from "./event.js";

/** The number of recipients to remember. The oldest are forgotten first. */
const MAX_RECIPIENTS = 10_000;

/** The addresses that the address itself sent to, as its own transactions prove. Anyone can emit a log that claims a transfer. */
export class Recipients {
  /** The first recipient of each look. */
  readonly #recipients = new Map<string, string>();

  /** Adds the recipient of a draft, if it proves one. */
  add({ recipient, event }: Draft): void {
    const { kind, direction, amount, success, to } = event;
    const isSent = kind === "internal_transaction" && direction === "out" && amount !== "0" && success;
    const address = isSent ? to : recipient;
    if (address == null || this.#recipients.has(getLook(address))) return;
    this.#recipients.set(getLook(address), address);
    if (this.#recipients.size <= MAX_RECIPIENTS) return;
    for (const oldest of this.#recipients.keys()) {
      this.#recipients.delete(oldest);
      break;
    }
  }

  judge({ event, isScam }: Draft): Suspicion | null {
    if (isScam) return "scam_token";
    const counterparty = event.direction === "out" ? event.to : event.from;
    const recipient = counterparty === null ? undefined : this.#recipients.get(getLook(counterparty));
    if (recipient !== undefined && recipient !== counterparty) return "lookalike_address";
    return event.kind === "token_transfer" && event.amount === "0" ? "zero_value" : null;
  }
}

/** Returns the part of an address that an abbreviation shows: its first and last four hex digits. */
function getLook(address: string): string {
  return address.slice(2, 6) + address.slice(-4);
}
