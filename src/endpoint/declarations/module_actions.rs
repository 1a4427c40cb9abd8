//! The actions of the modules block, contract and logs (`/api?module=…`), and the calls of JSON-RPC.

use crate::endpoint::action_rules::{check_calls, check_contract_count, check_range_order, check_topics};
use crate::endpoint::declare::operations;
use crate::endpoint::params::{
    Address, Addresses, BlockNumber, BlockTag, CallData, Closest, LastBlock, Topic, TopicOperator, UnixSeconds,
};
use crate::endpoint::response::{LOG_RANGE, Ranged, Rows, Value};
use crate::types::*;

operations! {
    /// Returns the number of the block closest to a time. The call is rejected with code `refused` if there is no such
    /// block.
    GetBlockNoByTimeParams "getBlockNoByTime" "/api?module=block&action=getblocknobytime"
    => Value<ClosestBlockResponse, ClosestBlock> {
        required {
            /// The time, in Unix seconds.
            timestamp: UnixSeconds,
            /// Whether to return the last block before the time, or the first one after it.
            closest: Closest,
        }
    }

    /// Lists the creations of contracts: who created each, and with which transaction. Addresses that are not contracts, or that the
    /// service does not know, have no row. JavaScript accepts any number of addresses, and requests them in batches of 10.
    GetContractCreationParams "getContractCreation" "/api?module=contract&action=getcontractcreation"
    => Rows<ContractCreation>, rules(&[check_contract_count]) {
        required {
            /// The contracts. In Rust, at most 10.
            contractaddresses: Addresses,
        }
    }

    /// Lists the event logs of a contract, or of the whole chain by their topics, oldest first. Returns at most 1,000
    /// rows: `all()` reads more. Logs beyond the first 1,000 of a block are out of reach.
    ///
    /// Anyone can emit a log with any topics: a log proves something only if its contract is trusted.
    GetLogsParams "getLogs" "/api?module=logs&action=getLogs"
    => Ranged<EventLog>, range(LOG_RANGE), rules(&[check_topics, check_range_order]) {
        required {
            /// The first block of the range.
            from_block = "fromBlock": BlockNumber,
            /// The last block of the range, included.
            to_block = "toBlock": LastBlock,
        }
        optional {
            /// The contract that emitted the logs. Either `address` or a topic is required.
            address: Address,
            /// The first topic: usually the hash of the event signature.
            topic0: Topic,
            /// The second topic: usually the first indexed parameter.
            topic1: Topic,
            /// The third topic.
            topic2: Topic,
            /// The fourth topic.
            topic3: Topic,
            /// How `topic0` and `topic1` select logs. Required if both are given.
            topic0_1_opr: TopicOperator,
            /// How `topic0` and `topic2` select logs. Required if both are given.
            topic0_2_opr: TopicOperator,
            /// How `topic0` and `topic3` select logs. Required if both are given.
            topic0_3_opr: TopicOperator,
            /// How `topic1` and `topic2` select logs. Required if both are given.
            topic1_2_opr: TopicOperator,
            /// How `topic1` and `topic3` select logs. Required if both are given.
            topic1_3_opr: TopicOperator,
            /// How `topic2` and `topic3` select logs. Required if both are given.
            topic2_3_opr: TopicOperator,
        }
    }

    /// Calls contract functions at a block without a transaction, to read state. Returns one row per call, with the
    /// index of the call. In Rust, rows can be in any order.
    ///
    /// Browsers send a preflight request first, because the request is a POST of JSON. If the operator of the instance
    /// has switched calls off, each row has an error.
    EthCallParams "ethCall" "/api/eth-rpc" since "6.3.0"
    => Rows<EthCallResult>, uncached(), calls("eth_call"), accepts_array(), rules(&[check_calls]) {
        required {
            /// The contract of each call. In Rust, at most 5.
            to: Addresses,
            /// The data of each call: the selector of the function and its encoded arguments.
            data: CallData,
        }
        optional {
            /// The block. Default: `latest`.
            block: BlockTag,
        }
    }
}
