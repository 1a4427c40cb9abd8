// The audit of the native coin: its sum after each block, compared with the records of the balance.
import type { AddressInfo, CoinBalanceChange } from "../records.js";
import type { AssetAudit, AuditClient, AuditParams, AuditReason, Divergence } from "./audit-types.js";
import type { HistoryEvent } from "./event.js";
import { getBalanceChange } from "./movement.js";
import type { HistoryReport } from "./public-types.js";
import type { RecordStream } from "./source.js";

/** The number of transactions before a divergence that are checked for other fees. */
const MAX_CHECKED_TRANSACTIONS = 10;

/** A balance that the service tells for the end of a block. */
type BalanceRecord = Pick<CoinBalanceChange, "block_number" | "value">;

export class CoinAudit {
  readonly #stream: RecordStream<BalanceRecord>;
  readonly #block: number;
  /** The current balance, and the block after which it was read. It may be out of date: records of that block have precedence. */
  #current: BalanceRecord | null;
  /** Records that were read and not compared, oldest first. Null: all were compared. */
  #records: BalanceRecord[] | null = [];
  #sum = 0n;
  /** The block of the last event. */
  #position = -1;
  /** The newest balance that was compared, and its block. */
  #reported: string | null = null;
  #recordBlock = -1;
  #lastAgreeing: number | null = null;
  #divergence: Divergence | null = null;
  #isAmountMissing = false;
  #hasTraces = false;
  /** The last transactions of the address since both agreed. */
  #transactions: string[] = [];

  constructor(info: AddressInfo, block: number, stream: RecordStream<BalanceRecord>) {
    const { coin_balance: value, block_number_balance_updated_at } = info;
    this.#current = value === null ? null : { value, block_number: block_number_balance_updated_at ?? block };
    this.#block = block;
    this.#stream = stream;
  }

  async add(event: HistoryEvent): Promise<void> {
    const { asset, block_number, fee, kind, transaction_hash } = event;
    if (asset.type !== "native") return;
    if (block_number > this.#position) await this.#compareUntil(block_number);
    this.#position = block_number;
    const change = getBalanceChange(event);
    this.#isAmountMissing ||= change === null;
    this.#sum += change ?? 0n;
    if (this.#divergence !== null) return;
    this.#hasTraces ||= kind === "internal_transaction";
    if (fee !== null) this.#transactions = [...this.#transactions, transaction_hash as string].slice(-MAX_CHECKED_TRANSACTIONS);
  }

  async finish(report: HistoryReport, client: AuditClient, signal: AuditParams["signal"]): Promise<AssetAudit> {
    await this.#compareUntil(this.#block + 1);
    const divergence = this.#divergence;
    const isCompared = divergence !== null || this.#lastAgreeing !== null;
    const reasons = divergence === null ? [] : await this.#findReasons(divergence, report, client, signal);
    const agrees = isCompared ? divergence === null : null;
    return { computed: String(this.#sum), reported: this.#reported, agrees, divergence, reasons };
  }

  /** Compares the sum with all records before a block. No event changed it since the last one. */
  async #compareUntil(block: number): Promise<void> {
    for (let record = await this.#peek(); record !== undefined && record.block_number < block; record = await this.#peek()) {
      this.#records?.shift();
      this.#compare(record);
    }
    if (this.#current !== null && this.#current.block_number < block) {
      if (this.#current.block_number > this.#recordBlock) this.#compare(this.#current);
      this.#current = null;
    }
    if (this.#sum < 0n) this.#setDivergence(this.#position, null);
  }

  /** Returns the next record of the balance history. */
  async #peek(): Promise<BalanceRecord | undefined> {
    while (this.#records?.length === 0) this.#records = ((await this.#stream.next()) as BalanceRecord[]) ?? null;
    return this.#records?.[0];
  }

  #compare({ block_number, value }: BalanceRecord): void {
    this.#reported = value;
    this.#recordBlock = block_number;
    if (BigInt(value) !== this.#sum) this.#setDivergence(block_number, value);
    else if (this.#divergence === null) {
      this.#lastAgreeing = block_number;
      this.#transactions = [];
    }
  }

  #setDivergence(block: number, reported: string | null): void {
    const [lastAgreeing, computed] = [this.#lastAgreeing, String(this.#sum)];
    this.#divergence ??= { block, lastAgreeing, computed, reported };
  }

  async #findReasons(
    { block, lastAgreeing, reported }: Divergence,
    { sources }: HistoryReport,
    client: AuditClient,
    signal: AuditParams["signal"],
  ): Promise<AuditReason[]> {
    const incomplete = sources
      .filter(({ state, kind }) => state !== "complete" && kind !== "token_transfer")
      .map(({ kind }) => kind);
    const transactions = await Promise.all(
      this.#transactions.map((transaction_hash) => client.transaction({ transaction_hash }, { signal })),
    );
    const reasons: Partial<Record<AuditReason, boolean>> = {
      genesis_allocation: block === 0 || (reported === null && lastAgreeing === null),
      l1_fee: transactions.some(({ l1_fee }) => Number(l1_fee) > 0),
      blob_fee: transactions.some(({ burnt_blob_fee }) => Number(burnt_blob_fee) > 0),
      pruned_traces: !this.#hasTraces || incomplete.includes("internal_transaction"),
      incomplete_history: incomplete.some((kind) => kind !== "internal_transaction"),
      unknown_amount: this.#isAmountMissing,
    };
    return (Object.keys(reasons) as AuditReason[]).filter((reason) => reasons[reason]);
  }
}
