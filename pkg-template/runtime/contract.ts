// The contract module: creations of any number of contracts.
import type { Rows } from "./account.js";
import { ContractActions, type GetContractCreationParams } from "./endpoints.js";
import { MAX_CONTRACTS } from "./limits.js";
import { sumOmitted } from "./omitted.js";
import type { ActionOptions } from "./options.js";
import type { ContractCreation } from "./records.js";
import type { Session } from "./session.js";

/** @internal */
export class Contract extends ContractActions {
  constructor(session: Session) {
    super(session);
  }

  /** Requests the contracts in batches, one after the other. */
  override async getContractCreation(
    params: GetContractCreationParams,
    options?: ActionOptions,
  ): Promise<Rows<ContractCreation>> {
    const { contractaddresses: list } = Object(params) as GetContractCreationParams;
    const contracts = typeof list === "string" ? list.split(",") : list;
    if (!Array.isArray(contracts) || contracts.length <= MAX_CONTRACTS) return super.getContractCreation(params, options);
    const batches: Rows<ContractCreation>[] = [];
    for (let start = 0; start < contracts.length; start += MAX_CONTRACTS) {
      const contractaddresses = contracts.slice(start, start + MAX_CONTRACTS);
      batches.push(await super.getContractCreation({ ...params, contractaddresses }, options));
    }
    return {
      items: batches.flatMap(({ items }) => items),
      incomplete: batches.some(({ incomplete }) => incomplete),
      message: batches.find(({ message }) => message !== null)?.message ?? null,
      omitted: sumOmitted(...batches.map(({ omitted }) => omitted)),
    };
  }
}
