//! Contracts: source code, ABI and how they were compiled, and their creation.

use crate::record::{
    AbiItem, AddressHash, Bytecode, Hash32, HexData, Json, JsonObject, Text, Timestamp, Uint, field_types, record,
};
use crate::types::{CreationStatus, Implementation, ProxyType};

field_types! {
    /// The language of a contract.
    ContractLanguage { "solidity", "vyper", "yul", "scilla", "stylus_rust", "geas" }
    /// The licence of the source code of a contract.
    ContractLicense {
        "none", "unlicense", "mit", "gnu_gpl_v2", "gnu_gpl_v3", "gnu_lgpl_v2_1", "gnu_lgpl_v3", "bsd_2_clause", "bsd_3_clause",
        "mpl_2_0", "osl_3_0", "apache_2_0", "gnu_agpl_v3", "bsl_1_1",
    }
}

record! {
    /// A contract: its verified source code and ABI, its bytecode, and the implementations of a proxy. `address` has its creator and
    /// reputation.
    ///
    /// A contract that is not verified has only bytecode and implementations. If a verified contract, its
    /// *twin*, has the same bytecode, the name, ABI and source code come from the twin: `verified_twin_address_hash` is then set, and
    /// `is_verified` false.
    SmartContract {
        /// Name of the contract, or of its twin. Null: not verified.
        name @sometimes: Option<Text>,
        /// Whether the source code of this contract is verified. False for one that shows the source code of its twin. Null: not
        /// verified.
        is_verified @sometimes: Option<bool>,
        /// Address hash of the verified twin to which name, ABI, source code and compiler settings belong. Null: they belong to this
        /// contract, or there are none.
        verified_twin_address_hash @sometimes: Option<Text>,
        /// Whether all of the bytecode matches, with the metadata at its end. Null: not verified.
        is_fully_verified @sometimes: Option<bool>,
        /// Whether the bytecode matches only without the metadata at its end. Null: not verified.
        is_partially_verified @sometimes: Option<bool>,
        /// Whether the bytecode is no longer the one that was verified. Null: not verified, or not known.
        is_changed_bytecode @sometimes: Option<bool>,
        /// Whether the verification comes from Sourcify. Null: not verified.
        is_verified_via_sourcify @sometimes: Option<bool>,
        /// Whether the verification comes from Blockscout's database of bytecode. Null: not verified.
        is_verified_via_eth_bytecode_db @sometimes: Option<bool>,
        /// Whether the verification comes from the Verifier Alliance. Null: not verified, or a service version before 6.5.
        is_verified_via_verifier_alliance @sometimes: Option<bool>,
        /// Whether the instance's operator has certified the contract. Null: not verified, or a service version before 6.5.
        certified @sometimes: Option<bool>,
        /// Time of the verification, in ISO 8601 (UTC). Null: not verified.
        verified_at @sometimes: Option<Timestamp>,
        /// ABI as JSON, which viem and abitype accept unchanged. Untrusted: check an item that an old compiler or an
        /// attacker may have written. Empty: not verified.
        abi @sometimes: Vec<AbiItem>,
        /// Source code of the main file. Untrusted: display it as text. It can be megabytes long. Null: not verified.
        source_code @sometimes: Option<Text>,
        /// Path of the main file. Untrusted. Null: not verified, or not known.
        file_path @sometimes: Option<Text>,
        /// The other files of the source code. Empty: not verified, or a single file.
        additional_sources @sometimes: Vec<SourceFile>,
        /// Language. Null: not verified, or a service version before 8.
        language @sometimes: Option<ContractLanguage>,
        /// Licence of the source code. Null: not verified, not stated, or a service version before 6.3.
        license_type @sometimes: Option<ContractLicense>,
        /// Version of the compiler, such as `v0.8.19+commit.7dd6d404`. Null: not verified.
        compiler_version @sometimes: Option<Text>,
        /// Version of the EVM that it was compiled for, such as `paris`. Null: not verified, or the compiler's default.
        evm_version @sometimes: Option<Text>,
        /// Whether the optimizer was on. Null: not verified, or not known.
        optimization_enabled @sometimes: Option<bool>,
        /// Number of runs that the optimizer assumed. Null: not verified, or not known.
        optimization_runs @sometimes: Option<i64>,
        /// Settings of the compiler. Untrusted: any JSON object. Null: not verified, or not known.
        compiler_settings @sometimes: Option<JsonObject>,
        /// Libraries that it was linked with. Empty: none, or not verified.
        external_libraries @sometimes: Vec<ExternalLibrary>,
        /// Encoded arguments of the constructor. Null: not verified, or none.
        constructor_args @sometimes: Option<Bytecode>,
        /// Decoded arguments of the constructor: a list of `[value, { name, type }]`. A value is a string or a nested list. Untrusted.
        /// Null: not verified, or none.
        decoded_constructor_args @sometimes: Option<Json>,
        /// Kind of proxy. Null: not a proxy.
        proxy_type @sometimes: Option<ProxyType>,
        /// Implementations of a proxy. Empty: not a proxy.
        implementations: Vec<Implementation>,
        /// Implementations of a contract that is a proxy in several ways, by kind. Empty: there is no conflict.
        conflicting_implementations @sometimes: Vec<ConflictingImplementations>,
        /// Bytecode of the contract. Null: not known, or the contract has destroyed itself.
        deployed_bytecode @sometimes: Option<Bytecode>,
        /// Bytecode of the transaction that created the contract, without the arguments of the constructor. Null: not known.
        creation_bytecode @sometimes: Option<Bytecode>,
        /// Status of the creation. Null: not known, or a service version before 9.
        creation_status @sometimes: Option<CreationStatus>,
        /// Whether it is a blueprint (ERC-5202). Null: not verified, or a service version before 6.6.
        is_blueprint @sometimes: Option<bool>,
        /// URL of the contract at Sourcify. Untrusted: check it before use. Null: not verified there.
        sourcify_repo_url @sometimes: Option<Text>,
        /// Whether the instance can draw a diagram of the contract. Null: not sent.
        can_be_visualized_via_sol2uml @sometimes: Option<bool>,
    }
}

record! {
    /// A file of the source code of a contract.
    SourceFile {
        /// Path of the file. Untrusted. Null: not sent.
        file_path: Option<Text>,
        /// Contents of the file. Untrusted: display them as text. Null: not sent.
        source_code: Option<Text>,
    }
}

record! {
    /// A library that a contract was linked with.
    ExternalLibrary {
        /// Name of the library. Null: not known.
        name: Option<Text>,
        /// Address hash of the library. Null: not known.
        address_hash | "address": Option<AddressHash>,
    }
}

record! {
    /// The implementations of a proxy, according to one kind of proxy.
    ConflictingImplementations {
        /// Kind of proxy. Null: not known.
        proxy_type: Option<ProxyType>,
        /// The implementations.
        implementations: Vec<Implementation>,
    }
}

record! {
    /// The creation of a contract.
    ContractCreation {
        /// Address hash of the contract.
        contract_address = "contractAddress" @essential: AddressHash,
        /// Address hash of the sender of the transaction that created it.
        contract_creator = "contractCreator" @essential: AddressHash,
        /// Hash of the transaction that created it.
        tx_hash = "txHash" @essential: Hash32,
        /// Block number. Null: a service version before 9.
        block_number = "blockNumber" @sometimes: Option<Uint>,
        /// Time of the block, in ISO 8601 (UTC). Null: a service version before 9.
        timestamp @sometimes: Option<Timestamp>,
        /// Address hash of the contract that created it. Null: not created by a contract, or a service version before
        /// 9.
        contract_factory = "contractFactory" @sometimes: Option<AddressHash>,
        /// Bytecode of the creation. Null: a service version before 9.
        creation_bytecode = "creationBytecode" @sometimes: Option<HexData>,
    } key "contract-creation:{contractAddress}"
}
