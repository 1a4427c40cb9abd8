// JSON-RPC: calls of any number of contracts.
import type { Rows } from "./account.js";
import { readInBatches, splitList } from "./batches.js";
import { type EthCallParams, RpcActions } from "./endpoints.js";
import { MAX_CALLS } from "./limits.js";
import type { ActionOptions } from "./options.js";
import type { EthCallResult } from "./records.js";

/** @internal */
export class Rpc extends RpcActions {
  /** Sends the calls in batches, one after the other, and returns the results in the order of the calls. */
  override async ethCall(params: EthCallParams, options?: ActionOptions): Promise<Rows<EthCallResult>> {
    const [contracts, calls] = [Object(params).to, Object(params).data].map(splitList);
    // The module rejects values that are not lists, and calls without a contract, before anything is sent.
    const isValid = Array.isArray(contracts) && Array.isArray(calls) && contracts.length === calls.length;
    if (!isValid || calls.length === 0) return super.ethCall(params, options);
    return readInBatches(calls.length, MAX_CALLS, async (start, end) => {
      const batch = { ...params, to: contracts.slice(start, end), data: calls.slice(start, end) };
      const rows = await super.ethCall(batch, options);
      const items = rows.items.map((result) => ({ ...result, call_index: result.call_index + start }));
      return { ...rows, items: items.sort((a, b) => a.call_index - b.call_index) };
    });
  }
}
