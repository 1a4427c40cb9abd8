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
    if (!Array.isArray(contracts) || !Array.isArray(calls)) return super.ethCall(params, options);
    const batches: Rows<EthCallResult>[] = [];
    // Calls without a contract are left to the module, which rejects them.
    const count = Math.max(1, contracts.length, calls.length);
    for (let start = 0; start < count; start += MAX_CALLS) {
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
