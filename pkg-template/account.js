// The account module: each action asked once, balances gathered, ranges read whole.
import { AccountActions } from "./endpoints.js";
import { AddressQueryError, aborted, errorOfCall } from "./errors.js";
import { captureCall } from "./iteration.js";
import { actionOptions, balancesOptions } from "./option-table.js";
import { RangeCall } from "./range.js";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export class Account extends AccountActions {
  #gathered;

  constructor(session, gatherBalances) {
    const ask = (name, params, options) => {
      const call = captureCall(params, options, name === "balanceMulti" ? balancesOptions : actionOptions);
      return perform(call, ({ params, settings, signal }) => session.ask(name, params, settings, signal));
    };
    const range = (name, params, options) => {
      return new RangeCall((...asked) => session.range(name, ...asked), params, options);
    };
    super(ask, range);
    this.#gathered = gatherBalances ? new Gathered((...asked) => this.balanceMulti(...asked)) : undefined;
  }

  /** Calls of one tick are one request, unless a call has settings of its own. */
  balance(params, options) {
    return perform(captureCall(params, options, actionOptions), async ({ params, settings, signal }) => {
      const alone = () => super.balance(params, { ...settings, signal });
      // A wrong address is refused by itself: the others know nothing of it.
      const isAddress = typeof params.address === "string" && ADDRESS.test(params.address);
      const isPlain = isAddress && Object.keys(params).length === 1 && !Object.keys(settings).length;
      if (this.#gathered === undefined || !isPlain) return alone();
      return this.#gathered.balance(params.address, signal, alone);
    });
  }
}

/** Sends the request of a call. Its errors are its own. */
async function perform(call, send) {
  try {
    if (call.error !== undefined) throw call.error;
    return await send(call);
  } catch (error) {
    throw errorOfCall(error, call.callSite);
  }
}

/** Single balances asked for in one tick. */
class Gathered {
  #balanceMulti;
  #batch;

  constructor(balanceMulti) {
    this.#balanceMulti = balanceMulti;
  }

  balance(address, signal, alone) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(aborted(signal));
      if (this.#batch === undefined) {
        this.#batch = { callers: [] };
        queueMicrotask(() => this.#ask());
      }
      const batch = this.#batch;
      const stop = () => {
        reject(aborted(signal));
        // One caller's abort does not end the request of the others.
        if (batch.callers.every(({ signal }) => signal?.aborted)) batch.ending?.abort();
      };
      signal?.addEventListener("abort", stop, { once: true });
      const settle = (outcome) => {
        if (signal?.aborted) return;
        signal?.removeEventListener("abort", stop);
        resolve(outcome());
      };
      batch.callers.push({ address, signal, alone, settle });
    });
  }

  async #ask() {
    const batch = this.#batch;
    this.#batch = undefined;
    const waiting = batch.callers.filter(({ signal }) => !signal?.aborted);
    if (waiting.length < 2) return waiting[0]?.settle(waiting[0].alone);
    try {
      const addresses = waiting.map(({ address }) => address);
      // From now on nobody joins.
      batch.ending = new AbortController();
      const balances = await this.#balanceMulti({ address: addresses }, { signal: batch.ending.signal });
      waiting.forEach(({ settle }, index) => settle(() => balances[index].balance));
    } catch (error) {
      // What the service refuses may be the fault of one address: then each is asked for by itself.
      const isOnes = error instanceof AddressQueryError && error.code === "refused";
      for (const { settle, alone } of waiting) settle(isOnes ? alone : () => Promise.reject(error));
    }
  }
}
