//! The rows of the actions of the simulated service.

use serde_json::{Value as Json, json};

use super::records::{HEAD, hash, number};
use crate::support::HASH_A;

/// A list action of the account module.
pub struct ActionRows {
    pub method: &'static str,
    /// The `action` parameter of the URL.
    pub action: &'static str,
    /// Whether it can be read as a range of blocks. New blocks add records to it.
    pub is_range: bool,
    /// Returns the record with this block and id.
    pub row: fn(u64, u64) -> Json,
}

impl ActionRows {
    /// Whether the action has pages. Without them, one response has all rows.
    pub fn is_paged(&self) -> bool {
        !["tokenlist", "getcontractcreation"].contains(&self.action) && self.has_order()
    }

    /// Whether a range of it can be read newest first. One without an order has no pages either.
    pub fn has_order(&self) -> bool {
        self.action != "getLogs"
    }
}

fn transfer(block: u64, id: u64) -> Json {
    json!({
        "blockNumber": number(block), "timeStamp": "1700000000", "hash": hash(id), "nonce": "1", "blockHash": hash(block),
        "from": HASH_A, "contractAddress": HASH_A, "to": HASH_A, "tokenName": "</script>", "tokenSymbol": "\u{202e}FOO",
        "tokenDecimal": "18", "transactionIndex": "0", "gas": "1", "gasPrice": "1", "gasUsed": "1", "cumulativeGasUsed": "1",
        "input": "0x", "confirmations": "9", "methodId": "a9059cbb", "functionName": "", "tokenID": "5", "value": "7",
        "tokenValue": "2"
    })
}

const fn transfer_action(method: &'static str, action: &'static str) -> ActionRows {
    ActionRows { method, action, is_range: true, row: transfer }
}

const fn unranged(method: &'static str, action: &'static str, row: fn(u64, u64) -> Json) -> ActionRows {
    ActionRows { method, action, is_range: false, row }
}

pub static ACTIONS: [ActionRows; 12] = [
    ActionRows {
        method: "txList",
        action: "txlist",
        is_range: true,
        row: |block, id| {
            json!({
                "blockNumber": number(block), "timeStamp": "1705000000", "hash": hash(id), "nonce": "7",
                "blockHash": hash(block), "transactionIndex": "12", "from": HASH_A, "to": "", "value": "0", "gas": "21000",
                "gasPrice": "1000000000", "isError": "0", "txreceipt_status": "1", "input": "0x", "contractAddress": HASH_A,
                "cumulativeGasUsed": "900000", "gasUsed": "21000", "confirmations": "150", "methodId": "0x"
            })
        },
    },
    ActionRows {
        method: "txListInternal",
        action: "txlistinternal",
        is_range: true,
        row: |block, id| {
            json!({
                "blockNumber": number(block), "timeStamp": "1700000000", "from": HASH_A, "to": HASH_A, "value": "1",
                "contractAddress": "", "transactionHash": hash(id), "index": "3", "input": "0x", "type": "call",
                "callType": "call", "gas": "5000", "gasUsed": "4000", "isError": "0", "errCode": ""
            })
        },
    },
    transfer_action("tokenTx", "tokentx"),
    transfer_action("tokenNftTx", "tokennfttx"),
    transfer_action("token1155Tx", "token1155tx"),
    transfer_action("token404Tx", "token404tx"),
    ActionRows {
        method: "getLogs",
        action: "getLogs",
        is_range: true,
        row: |block, id| {
            json!({
                "address": HASH_A, "topics": [hash(7), null, null, null], "data": "0x", "blockNumber": format!("{block:#x}"),
                "timeStamp": "0x65920080", "gasPrice": "0x3b9aca00", "gasUsed": "0x5208", "logIndex": format!("{id:#x}"),
                "transactionHash": hash(id), "transactionIndex": "0x"
            })
        },
    },
    unranged("pendingTxList", "pendingtxlist", |_, id| {
        json!({
            "hash": hash(id), "nonce": "8", "from": HASH_A, "to": HASH_A, "value": "1", "gas": "21000",
            "gasPrice": "1000000000", "input": "0x", "contractAddress": "", "cumulativeGasUsed": "", "gasUsed": ""
        })
    }),
    unranged(
        "getMinedBlocks",
        "getminedblocks",
        |_, id| json!({ "blockNumber": number(HEAD - id), "timeStamp": "2026-02-04 05:43:23.000000Z" }),
    ),
    unranged(
        "listAccounts",
        "listaccounts",
        |_, id| json!({ "address": format!("0x{id:040x}"), "balance": number(id), "stale": false }),
    ),
    unranged("tokenList", "tokenlist", |_, id| {
        json!({
            "balance": number(id), "contractAddress": HASH_A, "decimals": "18", "name": "Foo", "symbol": "FOO",
            "type": "ERC-1155", "id": number(id)
        })
    }),
    unranged(
        "getContractCreation",
        "getcontractcreation",
        |_, id| json!({ "contractAddress": format!("0x{id:040x}"), "contractCreator": HASH_A, "txHash": hash(id) }),
    ),
];
