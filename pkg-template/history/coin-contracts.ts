// Token contracts whose token is the native coin: its transfers repeat movements that transactions and internal transactions
// already have.
import type { Draft } from "./draft.js";
import type { TokenAsset } from "./event.js";
import { getMovedAmount } from "./movement.js";

/**
 * The contracts, and the address that fees are paid to where the contract has a transfer for each fee. Other chains have no contract at
 * these addresses.
 */
const COIN_CONTRACTS: ReadonlyMap<string | null, string> = new Map([
  // ZKsync Era (324), ZKsync Sepolia (300) and the other chains of the ZK Stack. The bootloader collects the fees.
  // https://docs.zksync.io/zksync-protocol/contracts/system-contracts
  ["0x000000000000000000000000000000000000800a", "0x0000000000000000000000000000000000008001"],
  // Celo (42220) and Celo Sepolia (11142220): https://docs.celo.org/specs/token-duality
  ["0x471ece3750da237f93b8e339c536989b8978a438", ""],
  // Moonbeam (1284), Moonriver (1285) and Moonbase Alpha (1287):
  // https://docs.moonbeam.network/builders/pallets-precompiles/precompiles/erc20/
  ["0x0000000000000000000000000000000000000802", ""],
]);

/** Whether the token of a contract is the native coin. */
export function isCoin(contract: string | null): boolean {
  return COIN_CONTRACTS.has(contract);
}

/**
 * Returns the drafts of a block without transfers of the coin that repeat other drafts: equal movements in the same transaction,
 * and the fees of the address's transactions. Other transfers remain, because some of these contracts move the coin in no other
 * way.
 */
export function removeRepeatedTransfers(drafts: readonly Draft[], transactions: ReadonlyMap<string | null, Draft>): Draft[] {
  const getMovement = ({ event }: Draft) => [event.transaction_hash, event.direction, getMovedAmount(event)].join();
  const movements = drafts.filter(({ event }) => event.asset.type === "native").map(getMovement);
  return drafts.filter((draft) => {
    const { asset, transaction_hash, from, to } = draft.event;
    const feeCollector = COIN_CONTRACTS.get((asset as TokenAsset).contract);
    if (feeCollector === undefined) return true;
    const isFee = from === feeCollector || to === feeCollector;
    if (isFee && (transactions.get(transaction_hash)?.event.direction ?? "in") !== "in") return false;
    const index = movements.indexOf(getMovement(draft));
    return index < 0 || movements.splice(index, 1).length === 0;
  });
}
