// The sum of the events of one asset, and where it differs from the balance that the service reports.
import type { AssetAudit, AuditReason, Divergence } from "./audit-types.js";
import type { HistoryEvent } from "./event.js";
import { getBalanceChange } from "./movement.js";

export class BalanceSum {
  #sum = 0n;
  /** The block of the last event. */
  #block = -1;
  #lastAgreeing: number | null = null;
  #isAmountMissing = false;
  /** The first block where the sum differs. */
  divergence: Divergence | null = null;

  get value(): string {
    return String(this.#sum);
  }

  add(event: HistoryEvent): void {
    if (event.block_number > this.#block) this.checkSign();
    this.#block = event.block_number;
    const change = getBalanceChange(event);
    this.#isAmountMissing ||= change === null;
    this.#sum += change ?? 0n;
  }

  /** Checks that the balance is not negative after a block. */
  checkSign(): void {
    if (this.#sum < 0n) this.#diverge(this.#block, null);
  }

  /** Compares the sum with the balance that the service reports for the end of a block. Returns whether all have agreed so far. */
  compare(block: number, reported: string): boolean {
    if (this.value !== reported) this.#diverge(block, reported);
    if (this.divergence === null) this.#lastAgreeing = block;
    return this.divergence === null;
  }

  /** Creates the result. `reasons` may explain a divergence. */
  createAudit(reported: string | null, agrees: boolean | null, reasons: readonly AuditReason[]): AssetAudit {
    const known: AuditReason[] = this.#isAmountMissing ? [...reasons, "unknown_amount"] : [...reasons];
    return { computed: this.value, reported, agrees, divergence: this.divergence, reasons: agrees === false ? known : [] };
  }

  #diverge(block: number, reported: string | null): void {
    this.divergence ??= { block, lastAgreeing: this.#lastAgreeing, computed: this.value, reported };
  }
}
