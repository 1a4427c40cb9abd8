// The contract module: creations of any number of contracts.
import type { Rows } from "./account.js";
import { readInBatches, splitList } from "./batches.js";
import { ContractActions, type GetContractCreationParams } from "./endpoints.js";
import { MAX_CONTRACTS } from "./limits.js";
import type { ActionOptions } from "./options.js";
import type { ContractCreation } from "./records.js";

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
