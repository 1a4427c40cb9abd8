// JSON-RPC: calls of any number of contracts.
import type { Rows } from "./account.js";
import { type EthCallParams, RpcActions } from "./endpoints.js";
import { MAX_CALLS } from "./limits.js";
import { sumOmitted } from "./omitted.js";
import type { ActionOptions } from "./options.js";
import type { EthCallResult } from "./records.js";
import type { Session } from "./session.js";

/** @internal */
export class Rpc extends RpcActions {
  constructor(session: Session) {
    super(session);
  }

  /** Sends the calls in batches, one after the other, and returns the results in the order of the calls. */
  override async ethCall(params: EthCallParams, options?: ActionOptions): Promise<Rows<EthCallResult>> {
    const { to, data, ...others } = Object(params) as EthCallParams;
    const [contracts, calls] = [to, data].map((list) => (typeof list === "string" ? list.split(",") : list));
    // The module rejects what is no list, and calls without a contract, before anything is sent.
    const isValid = Array.isArray(contracts) && Array.isArray(calls) && contracts.length === calls.length;
    if (!isValid || calls.length === 0) return super.ethCall(params, options);
    const batches: Rows<EthCallResult>[] = [];
    for (let start = 0; start < calls.length; start += MAX_CALLS) {
      const [batchTo, batchData] = [contracts, calls].map((list) => list.slice(start, start + MAX_CALLS)) as [string[], string[]];
      const batch = await super.ethCall({ ...others, to: batchTo, data: batchData }, options);
      const items = batch.items.map((result) => ({ ...result, call_index: result.call_index + start }));
      batches.push({ ...batch, items: items.sort((a, b) => a.call_index - b.call_index) });
    }
    return {
      items: batches.flatMap(({ items }) => items),
      incomplete: false,
      message: null,
      omitted: sumOmitted(...batches.map(({ omitted }) => omitted)),
    };
  }
}
