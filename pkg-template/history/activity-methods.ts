// The functions that activities recognise, by selector: both interfaces of the service have the call data, and only REST has names.

/** Selectors by the fact that a call of the function proves. */
export const METHODS = {
  // approve(address,uint256), increaseAllowance(address,uint256), setApprovalForAll(address,bool)
  approves: "0x095ea7b3 0x39509351 0xa22cb465",
  // deposit(), deposit(uint256), deposit(uint256,address) of ERC-4626, deposit(address,uint256), stake(uint256), submit(address) of Lido,
  // supply(address,uint256,address,uint16) of Aave, and deposit(bytes,bytes,bytes,bytes32) of the beacon chain
  deposits: "0xd0e30db0 0xb6b55f25 0x6e553f65 0x47e7ef24 0xa694fc3a 0xa1903eab 0x617ba037 0x22895118",
  // withdraw(), withdraw(uint256), withdraw(address,uint256), withdraw(uint256,address,address) and redeem(uint256,address,address) of
  // ERC-4626, redeem(uint256), withdraw(address,uint256,address) of Aave, unstake(uint256), exit()
  withdraws: "0x3ccfd60b 0x2e1a7d4d 0xf3fef3a3 0xb460af94 0xba087652 0xdb006a75 0x69328dec 0x2e17de78 0xe9fad8ee",
  // transfer, transferFrom, both safeTransferFrom of ERC-721, safeTransferFrom and safeBatchTransferFrom of ERC-1155
  transfers: "0xa9059cbb 0x23b872dd 0x42842e0e 0xb88d4fde 0xf242432a 0x2eb2c2d6",
} as const;

/** The spender of an approval, its first argument. */
export const SPENDER = /^0x.{8}0{24}(.{40})/;
/** An approval whose second argument is zero. Not `increaseAllowance`, whose second argument is no amount that remains. */
export const REVOCATION = /^0x(?!39509351).{72}0{64}/;
