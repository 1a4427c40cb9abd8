// Token contracts whose token is the native coin. Their balances and transfers repeat what the service also has for the coin.

/**
 * The contracts, and the address that fees are paid to where the contract has a transfer for each fee. Other chains have no contract at
 * these addresses.
 */
export const COIN_CONTRACTS: ReadonlyMap<string | null, string> = /* @__PURE__ */ new Map([
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
