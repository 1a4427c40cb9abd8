// The contract module at /api?module=contract.

import { createAccountError } from "../api-error.js";
import type { Chain } from "../ledger/chain.js";
import { toChecksumAddress } from "../ledger/checksum.js";
import { getCreation } from "../ledger/parent-transactions.js";
import type { BackendVersion } from "../public-types.js";
import type { SerializedRow } from "./account-serializer.js";

const ADDRESS = /^0x[\da-f]{40}$/i;
/** Further addresses are ignored. */
const MAX_CONTRACTS = 10;

/** Responds to the action `getcontractcreation`. Invalid and unknown addresses are missing. */
export function getContractCreations(
  chain: Chain,
  version: BackendVersion,
  values: ReadonlyMap<string, string>,
): SerializedRow[] {
  const addresses = values.get("contractaddresses");
  if (addresses === undefined) throw createAccountError("Query parameter contractaddresses is required");
  const contracts = addresses
    .split(",")
    .slice(0, MAX_CONTRACTS)
    .filter((address) => ADDRESS.test(address));
  return contracts.flatMap((contract) => {
    const hash = contract.toLowerCase();
    const creation = getCreation(chain, hash);
    if (!creation) return [];
    const { block_number, transaction_index, creator } = creation;
    const row = {
      contractAddress: toChecksumAddress(hash),
      contractCreator: toChecksumAddress(creator),
      txHash: chain.getTransactionHash(block_number, transaction_index),
    };
    if (version < 9) return [row];
    const timestamp = String(Date.parse(`${chain.getTimestamp(block_number)}Z`) / 1000);
    const creationBytecode = chain.createRandom("creation bytecode", hash).nextHex(64);
    return [{ ...row, blockNumber: String(block_number), timestamp, contractFactory: "", creationBytecode }];
  });
}
