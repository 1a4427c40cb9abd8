// The account module: the results of its actions, and the batching of `balance` calls.
import { captureArguments } from "./arguments.js";
import { AccountActions, type BalanceParams } from "./endpoints.js";
import { AddressQueryError, createAbortError } from "./errors.js";
import { ADDRESS } from "./limits.js";
import { send } from "./method.js";
import { actionOptions } from "./option-table.js";
import type { Omitted } from "./objects.js";
import type { ActionOptions, RangeOptions } from "./options.js";
import type { RangeCall, RangeParams } from "./range.js";
import type { Balance as BalanceRecord } from "./records.js";
import { getSession, type Session } from "./session.js";

/** The result of an action that returns rows. */
export interface Rows<Row> {
  /** The rows. Empty if the service found nothing. */
  items: Row[];
  /**
   * Whether rows may be missing: the service has not processed all blocks yet, or returned its maximum of 10,000 rows (1,000 logs).
   * Then `all()` reads the rest.
   */
  incomplete: boolean;
  /** Which rows may be missing, often in the words of the service. Null if none are. */
  message: string | null;
  /** The records that `badRecords: "skip"` omitted. */
  omitted: Omitted;
}

/** An action that returns at most 10,000 rows per request. Its method `all()` reads past that limit. */
export interface RangedAction<Params, Row> {
  (params: Params, options?: ActionOptions): Promise<Rows<Row>>;
  /**
   * Reads every row of a range of blocks, past the limit of 10,000 rows per request. Each row is returned exactly once, in
   * the order of the parameter `sort`.
   *
   * @remarks
   * The range is read in windows of blocks, with up to `concurrency` concurrent requests. If the service times out on a window,
   * the window is halved.
   *
   * Rows are delivered in whole blocks while a response is still arriving. If the response then breaks off, the rest is
   * requested again. If that fails too, the error's `resumeToken` continues after the delivered rows, and `report.records`
   * counts them.
   *
   * A response with fewer rows than requested may have been cut by a proxy. One further request checks this, unless an earlier
   * response was longer.
   *
   * @example
   * ```ts
   * const range = client.account.txList.all({ address, sort: "asc" });
   * for await (const transaction of range) { … }
   * if (!range.report?.complete) console.warn(range.report?.incompleteBlocks);
   * ```
   */
  all(params: RangeParams<Params>, options?: RangeOptions): RangeCall<Row>;
}

/** @internal */
export class Account extends AccountActions {
  #batchBalances: boolean;
  /** The calls of `balance` in the current tick. */
  #batch: BalanceBatch | undefined;

  constructor(session: Session, batchBalances: boolean) {
    super(session);
    this.#batchBalances = batchBalances;
  }

  /** Calls in the same tick are sent as one request. A call with further parameters or options is sent separately. */
  override balance(params: BalanceParams, options?: ActionOptions): Promise<string | null> {
    getSession(this);
    return send(captureArguments(params, options, actionOptions), async ({ params, options, signal, error }) => {
      if (error !== undefined) throw error;
      const { address } = params;
      const sendAlone = () => super.balance(params as unknown as BalanceParams, { ...options, signal });
      // An invalid address is sent separately, so that it does not fail the batch.
      const isAddress = typeof address === "string" && ADDRESS.test(address);
      const canBatch = this.#batchBalances && isAddress && Object.keys(params).length === 1 && !Object.keys(options).length;
      return canBatch ? this.#addToBatch(address, signal, sendAlone) : sendAlone();
    });
  }

  #addToBatch(address: string, signal: AbortSignal | undefined, sendAlone: () => Promise<Balance>): Promise<Balance> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(createAbortError(signal));
      if (this.#batch === undefined) {
        this.#batch = { calls: [] };
        queueMicrotask(() => this.#sendBatch());
      }
      const batch = this.#batch;
      const onAbort = () => {
        reject(createAbortError(signal));
        // Cancel the request only when all callers have aborted.
        if (batch.calls.every(({ signal }) => signal?.aborted)) batch.controller?.abort();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const settle = (getResult: () => Balance | Promise<Balance>) => {
        if (signal?.aborted) return;
        signal?.removeEventListener("abort", onAbort);
        resolve(getResult());
      };
      batch.calls.push({ address, signal, sendAlone, settle });
    });
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#batch as BalanceBatch;
    // Later calls start a new batch.
    this.#batch = undefined;
    const calls = batch.calls.filter(({ signal }) => !signal?.aborted);
    if (calls.length < 2) return calls[0]?.settle(calls[0].sendAlone);
    try {
      batch.controller = new AbortController();
      const address = calls.map(({ address }) => address);
      const balances = await this.balanceMulti({ address }, { signal: batch.controller.signal });
      calls.forEach(({ settle }, index) => {
        settle(() => (balances[index] as BalanceRecord).balance);
      });
    } catch (error) {
      // The service may have refused the batch because of a single address, so each address is requested separately.
      const isRefused = error instanceof AddressQueryError && error.code === "refused";
      for (const { settle, sendAlone } of calls) settle(isRefused ? sendAlone : () => Promise.reject(error));
    }
  }
}

type Balance = string | null;

/** A call of `balance` in a batch. */
interface BatchedCall {
  address: string;
  signal: AbortSignal | undefined;
  /** Requests the balance of this address only. */
  sendAlone: () => Promise<Balance>;
  /** Resolves the call, unless it was aborted. */
  settle: (getResult: () => Balance | Promise<Balance>) => void;
}

/** The calls of `balance` in one tick. */
interface BalanceBatch {
  calls: BatchedCall[];
  controller?: AbortController;
}
