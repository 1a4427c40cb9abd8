// The account module: its actions, the batching of `balance` calls, and ranges of blocks (`all()`).
import { AccountActions } from "./endpoints.js";
import { AddressQueryError, copyErrorForCall, createAbortError } from "./errors.js";
import { captureCall } from "./iteration.js";
import { actionOptions } from "./option-table.js";
import { RangeCall } from "./range.js";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export class Account extends AccountActions {
  #batcher;

  constructor(session, batchBalances) {
    const callAction = (name, params, options, optionTable = actionOptions) => {
      const call = captureCall(params, options, optionTable);
      return send(call, ({ params, options, signal }) => session.callAction(name, params, options, signal));
    };
    const createRange = (name, params, options) => {
      return new RangeCall((...args) => session.openRange(name, ...args), params, options);
    };
    super(callAction, createRange);
    this.#batcher = batchBalances ? new BalanceBatcher((...args) => this.balanceMulti(...args)) : undefined;
  }

  /** Calls in the same tick are sent as one request. A call with further parameters or options is sent separately. */
  balance(params, options) {
    return send(captureCall(params, options, actionOptions), async ({ params, options, signal }) => {
      const sendAlone = () => super.balance(params, { ...options, signal });
      // An invalid address is sent separately, so that it does not fail the batch.
      const isAddress = typeof params.address === "string" && ADDRESS.test(params.address);
      const canBatch = isAddress && Object.keys(params).length === 1 && !Object.keys(options).length;
      if (this.#batcher === undefined || !canBatch) return sendAlone();
      return this.#batcher.balance(params.address, signal, sendAlone);
    });
  }
}

/** Runs `request` for a captured call. It copies errors, so that each call rejects with an error of its own. */
async function send(call, request) {
  try {
    if (call.error !== undefined) throw call.error;
    return await request(call);
  } catch (error) {
    throw copyErrorForCall(error, call.callSite);
  }
}

/** Combines the single balances that are requested in one tick into one `balanceMulti` call. */
class BalanceBatcher {
  #balanceMulti;
  /** The batch of the current tick. */
  #batch;

  constructor(balanceMulti) {
    this.#balanceMulti = balanceMulti;
  }

  balance(address, signal, sendAlone) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(createAbortError(signal));
      if (this.#batch === undefined) {
        this.#batch = { callers: [] };
        queueMicrotask(() => this.#sendBatch());
      }
      const batch = this.#batch;
      const onAbort = () => {
        reject(createAbortError(signal));
        // Cancel the request only when all callers have aborted.
        if (batch.callers.every(({ signal }) => signal?.aborted)) batch.controller?.abort();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const settle = (getResult) => {
        if (signal?.aborted) return;
        signal?.removeEventListener("abort", onAbort);
        resolve(getResult());
      };
      batch.callers.push({ address, signal, sendAlone, settle });
    });
  }

  async #sendBatch() {
    const batch = this.#batch;
    // Later calls start a new batch.
    this.#batch = undefined;
    const callers = batch.callers.filter(({ signal }) => !signal?.aborted);
    if (callers.length < 2) return callers[0]?.settle(callers[0].sendAlone);
    try {
      const addresses = callers.map(({ address }) => address);
      batch.controller = new AbortController();
      const balances = await this.#balanceMulti({ address: addresses }, { signal: batch.controller.signal });
      callers.forEach(({ settle }, index) => settle(() => balances[index].balance));
    } catch (error) {
      // The service may have refused the batch because of a single address, so each address is requested separately.
      const isRefused = error instanceof AddressQueryError && error.code === "refused";
      for (const { settle, sendAlone } of callers) settle(isRefused ? sendAlone : () => Promise.reject(error));
    }
  }
}
