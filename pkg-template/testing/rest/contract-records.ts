// The REST response about one contract: source code, ABI and bytecode.

import { createMissingRecordError } from "../api-error.js";
import type { Profile } from "../ledger/accounts.js";
import type { Chain } from "../ledger/chain.js";
import { toChecksumAddress } from "../ledger/checksum.js";
import type { RecordContext, RestRecord } from "./rest-record.js";
import type { SerializedItem } from "./rest-serializer.js";

const ADDRESS_PARAMETER = { internalType: "address", name: "owner", type: "address" };
const OWNER_ARGUMENT = "00000000000000000000000000000000219ab540356cbb839cbe05303d7705fa";
/** One in this many unverified contracts has the bytecode of a verified one. */
const TWIN_SHARE = 0.5;

/** Returns the contract whose source code is shown: the contract itself, or its verified twin. Undefined if there is none. */
function findVerified(hash: string, profile: Profile, chain: Chain): string | undefined {
  if (profile.isVerified) return hash;
  const { settlement } = chain.accounts.sampleHashes;
  return !profile.proxyType && chain.createRandom("twin", hash).nextBoolean(TWIN_SHARE) ? settlement : undefined;
}

function createAbi(hash: string, { accounts }: Chain): SerializedItem[] {
  const outputs = [{ internalType: "uint256", name: "", type: "uint256" }];
  const view = { stateMutability: "view", type: "function" };
  const creation = { inputs: [ADDRESS_PARAMETER], stateMutability: "nonpayable", type: "constructor" };
  const common = [creation, { inputs: [], name: "owner", outputs: [{ ...ADDRESS_PARAMETER, name: "" }], ...view }];
  if (!accounts.getToken(hash)) return common;
  const spender = { ...ADDRESS_PARAMETER, name: "spender" };
  return [
    ...common,
    { inputs: [{ ...ADDRESS_PARAMETER, name: "account" }], name: "balanceOf", outputs, ...view },
    { inputs: [ADDRESS_PARAMETER, spender], name: "allowance", outputs, ...view },
  ];
}

/** Converts a name to a Solidity identifier. */
const toIdentifier = (name: string | null) => name?.replace(/\W/g, "") || "Unnamed";

/** The members of a contract with source code. */
function serializeSource(hash: string, verified: string, context: RecordContext): SerializedItem {
  const { chain, version, serializer } = context;
  const { name } = chain.accounts.getProfile(verified);
  const isVerified = hash === verified;
  const identifier = toIdentifier(name);
  return {
    abi: createAbi(verified, chain),
    additional_sources: [{ file_path: "contracts/Owned.sol", source_code: "contract Owned { address public owner; }\n" }],
    certified: false,
    compiler_settings: { optimizer: { enabled: true, runs: 200 } },
    compiler_version: "v0.8.24+commit.e11b9ed9",
    constructor_args: version >= 12 ? `0x${OWNER_ARGUMENT}` : OWNER_ARGUMENT,
    decoded_constructor_args: [[`0x${OWNER_ARGUMENT.slice(24)}`, { name: "owner", type: "address" }]],
    evm_version: "cancun",
    external_libraries: [
      { name: "SafeMath", address_hash: toChecksumAddress(chain.createRandom("library", verified).nextHex(20)) },
    ],
    file_path: `contracts/${identifier}.sol`,
    is_blueprint: false,
    is_changed_bytecode: false,
    is_fully_verified: isVerified,
    is_partially_verified: isVerified,
    is_verified: isVerified,
    is_verified_via_eth_bytecode_db: false,
    is_verified_via_sourcify: false,
    ...serializer.membersSince(9, { is_verified_via_verifier_alliance: false, language: "solidity" }),
    ...serializer.membersBefore(9, { is_vyper_contract: false }),
    can_be_visualized_via_sol2uml: false,
    license_type: "mit",
    name,
    optimization_enabled: true,
    optimization_runs: 200,
    source_code: `// ${name}\npragma solidity ^0.8.24;\n\nimport "./Owned.sol";\n\ncontract ${identifier} is Owned {}\n`,
    sourcify_repo_url: null,
    verified_at: isVerified ? serializer.createTimestamp(chain.head - 100_000) : null,
    verified_twin_address_hash: isVerified ? null : toChecksumAddress(verified),
  };
}

function serializeContract(hash: string, context: RecordContext): SerializedItem {
  const { chain, serializer } = context;
  const profile = chain.accounts.getProfile(hash);
  if (!profile.isContract) throw createMissingRecordError();
  const verified = findVerified(hash, profile, chain);
  const { implementations, proxy_type } = serializer.serializeAddress(hash);
  return {
    ...(verified === undefined ? {} : serializeSource(hash, verified, context)),
    creation_bytecode: profile.proxyType === "eip7702" ? null : chain.createRandom("creation bytecode", hash).nextHex(64),
    ...serializer.membersSince(9, { conflicting_implementations: null, creation_status: "success" }),
    ...serializer.membersBefore(9, { is_self_destructed: false }),
    deployed_bytecode: chain.createRandom("bytecode", verified ?? hash).nextHex(48),
    implementations,
    proxy_type,
  };
}

export const CONTRACT_RECORDS: Readonly<Record<string, RestRecord>> = {
  "/smart-contracts/{hash}": { serialize: serializeContract },
};
