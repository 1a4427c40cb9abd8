// The contract module and JSON-RPC, whose lists may be too long for one request.
import type { Rows } from "./account.js";
import { ContractActions, type EthCallParams, type GetContractCreationParams, RpcActions } from "./endpoints.js";
import { MAX_CALLS, MAX_CONTRACTS } from "./limits.js";
import { sumOmitted } from "./omitted.js";
import type { ActionOptions } from "./options.js";
import type { ContractCreation, EthCallResult } from "./records.js";

/** Splits a list that a caller passed as an array or with commas. Any other value is returned unchanged. */
function splitList(list: unknown): unknown {
  return typeof list === "string" ? list.split(",") : list;
}

/** Calls `read` with the start and the end of each batch of `count` values, one after the other, and returns all rows. */
async function readInBatches<Row>(
  count: number,
  batchSize: number,
  read: (start: number, end: number) => Promise<Rows<Row>>,
): Promise<Rows<Row>> {
  const batches: Rows<Row>[] = [];
  for (let start = 0; start < count; start += batchSize) batches.push(await read(start, start + batchSize));
  return {
    items: batches.flatMap(({ items }) => items),
    incomplete: batches.some(({ incomplete }) => incomplete),
    message: batches.find(({ message }) => message !== null)?.message ?? null,
    omitted: sumOmitted(...batches.map(({ omitted }) => omitted)),
  };
}

/** @internal */
export class Contract extends ContractActions {
  /** Requests the contracts in batches, one after the other. */
  override async getContractCreation(
    params: GetContractCreationParams,
    options?: ActionOptions,
  ): Promise<Rows<ContractCreation>> {
    const contracts = splitList(Object(params).contractaddresses);
    if (!Array.isArray(contracts) || contracts.length <= MAX_CONTRACTS) return super.getContractCreation(params, options);
    return readInBatches(contracts.length, MAX_CONTRACTS, (...batch) =>
      super.getContractCreation({ ...params, contractaddresses: contracts.slice(...batch) }, options),
    );
  }
}

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
