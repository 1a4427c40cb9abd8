// The account module: each action asked once, balances gathered, ranges read whole.
import { AccountActions } from "./endpoints.js";
import { AddressQueryError, aborted } from "./errors.js";
import { given } from "./iteration.js";
import { RangeCall } from "./range.js";

const ADDRESS = /^0x[0-9a-f]{40}$/i;

export class Account extends AccountActions {
  #session;
  #gathered;

  constructor(session, gatherBalances) {
    const ask = async (name, params, options) => {
      const call = checked(given(params, options));
      return session.ask(name, call.params, call.settings, call.signal);
    };
    const range = (name, params, options) => {
      return new RangeCall((given, settings) => session.range(name, given, settings), params, options);
    };
    super(ask, range);
    this.#session = session;
    this.#gathered = gatherBalances ? new Gathered((params) => this.balanceMulti(params)) : undefined;
  }

  /** Calls of one tick are one request, unless a call has settings of its own. */
  async balance(params, options) {
    const { params: asked, settings, signal } = checked(given(params, options));
    const alone = () => super.balance(asked, { ...settings, signal });
    // A wrong address is refused by itself: the others know nothing of it.
    const isPlain = ADDRESS.test(asked.address) && Object.keys(asked).length === 1 && !Object.keys(settings).length;
    if (this.#gathered === undefined || !isPlain) return alone();
    return this.#gathered.balance(asked.address, signal, alone);
  }

  async balanceMulti(params, options) {
    const call = checked(given(params, options));
    return this.#session.ask("balanceMulti", call.params, call.settings, call.signal);
  }
}

function checked(call) {
  if (call.error !== undefined) throw call.error;
  return call;
}

/** Single balances asked for in one tick. */
class Gathered {
  #balanceMulti;
  #waiting = [];

  constructor(balanceMulti) {
    this.#balanceMulti = balanceMulti;
  }

  balance(address, signal, alone) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(aborted(signal));
      // One caller's abort does not end the request of the others.
      const stop = () => reject(aborted(signal));
      signal?.addEventListener("abort", stop, { once: true });
      const settle = (outcome) => {
        if (signal?.aborted) return;
        signal?.removeEventListener("abort", stop);
        resolve(outcome());
      };
      if (this.#waiting.push({ address, signal, alone, settle }) === 1) queueMicrotask(() => this.#ask());
    });
  }

  async #ask() {
    const waiting = this.#waiting.filter(({ signal }) => !signal?.aborted);
    this.#waiting = [];
    if (waiting.length < 2) return waiting[0]?.settle(waiting[0].alone);
    try {
      const balances = await this.#balanceMulti({ address: waiting.map(({ address }) => address) });
      waiting.forEach(({ settle }, index) => settle(() => balances[index].balance));
    } catch (error) {
      // What the service refuses may be the fault of one address: then each is asked for by itself.
      const isOnes = error instanceof AddressQueryError && error.code === "refused";
      for (const { settle, alone } of waiting) settle(isOnes ? alone : () => Promise.reject(error));
    }
  }
}
