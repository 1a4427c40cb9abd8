//! Version, chain and indexing status of an instance.

use crate::record::{Decimal, Json, Text, record};

record! {
    /// The version of an instance.
    BackendVersion {
        /// Version of the backend, such as `v11.2.7`, possibly with a suffix. Null: not known.
        backend_version: Option<Text>,
    }
}

record! {
    /// How much of the chain an instance has indexed.
    IndexingStatus {
        /// Whether all blocks and their internal transactions are indexed. Null: not sent.
        finished_indexing: Option<bool>,
        /// Whether all blocks are indexed. Null: not sent.
        finished_indexing_blocks: Option<bool>,
        /// Share of the blocks that are indexed, from 0 to 1, as a decimal string. Null: not known.
        indexed_blocks_ratio: Option<Decimal>,
        /// Share of the blocks whose internal transactions are indexed, from 0 to 1, as a decimal string. Null: not known.
        indexed_internal_transactions_ratio: Option<Decimal>,
    }
}

record! {
    /// A response that no operation declares.
    AnyResponse {
        /// The whole body.
        json @essential: Json,
    }
}

record! {
    /// Settings of an instance.
    BackendConfig {
        /// Type of the chain that the instance is built for, such as `ethereum`. Null: no special type.
        chain_type: Option<Text>,
        /// Name of the API specification of this type. Null: not known.
        openapi_spec_folder_name @sometimes: Option<Text>,
    }
}
