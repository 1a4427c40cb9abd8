// The audit of the native coin: its sum after each block, compared with the records of the balance.
import type { AccountTransaction, ActionOptions, AddressInfo, CoinBalanceChange, Transaction } from "../public.js";
import type { AssetAudit, AuditClient, AuditReason, Divergence } from "./audit-types.js";
import { BalanceSum } from "./balance-sum.js";
import type { HistoryEvent } from "./event.js";
import type { HistoryReport } from "./public-types.js";

/** The number of transactions before a divergence that are checked for other fees. */
const MAX_CHECKED_TRANSACTIONS = 10;

/** A balance that the service reports for the end of a block. */
type BalanceRecord = Pick<CoinBalanceChange, "block_number" | "value">;

export class CoinAudit {
  /** Oldest first. */
  readonly #records: AsyncIterator<BalanceRecord, undefined>;
  /** The record that was not yet compared. Undefined: none was read. */
  #next: IteratorResult<BalanceRecord, undefined> | undefined;
  readonly #block: number;
  readonly #sum = new BalanceSum();
  /** The current balance, and the block after which it was read. It may be outdated, so records of that block take precedence. */
  #current: BalanceRecord | null;
  /** The newest balance that was compared. */
  #compared: BalanceRecord | null = null;
  #hasTraces = false;
  /** The last transactions of the address since both agreed. */
  #transactions: HistoryEvent[] = [];

  constructor(info: AddressInfo, block: number, records: AsyncIterator<BalanceRecord, undefined>) {
    const { coin_balance: value, block_number_balance_updated_at } = info;
    this.#current = value === null ? null : { value, block_number: block_number_balance_updated_at ?? block };
    this.#block = block;
    this.#records = records;
  }

  async add(event: HistoryEvent): Promise<void> {
    const { asset, block_number, fee, kind } = event;
    if (asset.type !== "native") return;
    await this.#compareUntil(block_number);
    this.#sum.add(event);
    if (this.#sum.divergence !== null) return;
    this.#hasTraces ||= kind === "internal_transaction";
    if (fee !== null) this.#transactions = [...this.#transactions, event].slice(-MAX_CHECKED_TRANSACTIONS);
  }

  async finish({ sources }: HistoryReport, client: AuditClient, options: ActionOptions): Promise<AssetAudit> {
    await this.#compareUntil(this.#block + 1);
    this.#sum.checkSign();
    const { divergence } = this.#sum;
    const reported = this.#compared?.value ?? null;
    if (divergence === null) return this.#sum.createAudit(reported, reported === null ? null : true, []);
    const own = sources.filter(({ kind }) => kind !== "token_transfer");
    const incomplete = own.filter(({ state }) => state !== "complete").map(({ kind }) => kind);
    const transactions = await Promise.all(
      this.#transactions.map(({ transaction_hash }) =>
        client.transaction({ transaction_hash: transaction_hash as string }, options),
      ),
    );
    const reasons: Partial<Record<AuditReason, boolean>> = {
      genesis_allocation: isGenesis(divergence),
      l1_fee: transactions.some(
        ({ l1_fee }, index) => Number(l1_fee) > 0 && !hasL1Fee(this.#transactions[index] as HistoryEvent),
      ),
      blob_fee: transactions.some(({ burnt_blob_fee }) => Number(burnt_blob_fee) > 0),
      // Events with a fee in a token are not among these transactions.
      token_fee: transactions.some(({ celo }) => celo?.gas_token),
      pruned_traces: !this.#hasTraces || incomplete.includes("internal_transaction"),
      not_indexed: own.some(({ unverified }) => unverified),
      omitted_records: own.some(({ omitted }) => omitted.count > 0),
      incomplete_history: incomplete.some((kind) => kind !== "internal_transaction"),
    };
    const applicable = (Object.keys(reasons) as AuditReason[]).filter((reason) => reasons[reason]);
    return this.#sum.createAudit(reported, false, applicable);
  }

  /** Compares the sum with all records before a block. */
  async #compareUntil(block: number): Promise<void> {
    this.#next ??= await this.#records.next();
    while (!this.#next.done && this.#next.value.block_number < block) {
      this.#compare(this.#next.value);
      this.#next = await this.#records.next();
    }
    const current = this.#current;
    if (current === null || current.block_number >= block) return;
    this.#current = null;
    if (current.block_number > (this.#compared?.block_number ?? -1)) this.#compare(current);
  }

  #compare(record: BalanceRecord): void {
    this.#compared = record;
    if (this.#sum.compare(record.block_number, record.value)) this.#transactions = [];
  }
}

/** Whether the address had coins before its first record: in block 0, or because it spent coins that it never received. */
function isGenesis({ block, lastAgreeing, reported }: Divergence): boolean {
  return block === 0 || (reported === null && lastAgreeing === null);
}

/** Whether the fee of a transaction includes the fee for data on the parent chain. */
function hasL1Fee({ record }: HistoryEvent): boolean {
  const { L1FeesPaid, l1_fee } = record as Partial<AccountTransaction & Transaction>;
  return (L1FeesPaid ?? l1_fee) != null;
}
