//! Details that the service derives from a transaction: the balances that it changed, and its description in words.

use crate::record::{Int, Json, JsonObject, Text, Uint, field_types, record};
use crate::types::{AddressRef, Token};

field_types! {
    /// Whether a balance is in the native coin or in a token.
    StateChangeType { "coin", "token" }
}

record! {
    /// A balance that a transaction changed.
    StateChange {
        /// The address whose balance changed.
        address @essential: AddressRef,
        /// Whether the address produced the block. Null: not sent.
        is_miner: Option<bool>,
        /// Whether the balance is in the native coin or in a token. Null: not sent.
        r#type: Option<StateChangeType>,
        /// Token contract. Null: the native coin.
        token @essential: Option<Token>,
        /// Token id. Null: the native coin, or a token without ids.
        token_id @sometimes @essential: Option<Uint>,
        /// Balance before the transaction, in wei or in base units of the token. Null: not known.
        balance_before @essential: Option<Int>,
        /// Balance after the transaction, in the same unit. Null: not known.
        balance_after @essential: Option<Int>,
        /// The difference as a string with an integer, in the same unit. For ERC-721 a list of objects instead, each with
        /// `direction` (`from` or `to`) and `total`, which has the token id. Null: not known.
        change @essential: Option<Json>,
    } key "state-change:{address.hash}:{token.address_hash}:{token_id}",
        "Unique among the state changes of one transaction, except for ERC-721 tokens without `token_id`."
}

record! {
    /// The description of a transaction in words.
    TransactionSummary {
        /// Whether the service has interpreted the transaction. Null: not sent.
        success: Option<bool>,
        /// The descriptions. Null: none.
        data: Option<TransactionSummaries>,
    }
}

record! {
    /// The descriptions of a transaction. There can be none.
    TransactionSummaries {
        /// The descriptions, the best one first.
        summaries: Vec<TransactionDescription>,
    }
}

record! {
    /// A sentence that describes a transaction, with placeholders.
    TransactionDescription {
        /// The sentence: text with placeholders such as `{amount}`. `{native}` without a variable is the symbol of the native
        /// coin. Untrusted: display it as text. Null: not known.
        summary_template: Option<Text>,
        /// The value of each placeholder: an object with `type` and `value`. Types are `string`, `method`, `domain`, `currency`
        /// (a decimal number in **whole** units), `timestamp` (Unix seconds), `token`, `address`, `external_link`, `dexTag` and
        /// others. Untrusted. Null: not known.
        summary_template_variables: Option<JsonObject>,
    }
}
