//! The lists and lookups of tokens and NFTs in the REST API, and the prices of the native coin.

use crate::endpoint::declare::operations;
use crate::endpoint::params::{Address, Order, SearchText, TokenId, TokenSort, TokenTypes};
use crate::endpoint::response::{List, Single};
use crate::types::*;

operations! {
    /// Lists the tokens of the chain, highest market capitalisation first.
    TokensParams "tokens" "/api/v2/tokens"
    => List<Token>, costs(30), paired_defaults(&[("sort", "circulating_market_cap"), ("order", "desc")]) {
        optional {
            /// Only tokens whose name or symbol begins with these words, or the token with this contract address. Default: all.
            q: SearchText,
            /// Only tokens of these token standards. Default: all.
            r#type: TokenTypes,
            /// The value to sort by. Default: `circulating_market_cap`.
            sort: TokenSort,
            /// The sort order. Default: `desc`, largest first.
            order: Order,
        }
        cursor {
            market_cap: "string | null", fiat_value: "string | null", holders_count: "number | null", name: "string",
            is_name_null: "boolean", contract_address_hash: "string", items_count: "number | undefined",
        }
    }

    /// Lists the holders of a token, largest balance first. ERC-1155 and ERC-404 tokens have an item for each token id.
    TokenHoldersParams "tokenHolders" "/api/v2/tokens/{address_hash}/holders" => List<TokenHolder>, uncached() {
        required {
            /// The token contract. The service responds with HTTP status 404 to an address without a token.
            address_hash: Address,
        }
        cursor { address_hash: "string", value: "string | null", items_count: "number | undefined" }
    }

    /// Lists the transfers of a token, newest first.
    TransfersOfTokenParams "transfersOfToken" "/api/v2/tokens/{address_hash}/transfers"
    => List<TokenTransfer>, costs(30), keyset("block_number", &["block_number", "index"]) {
        required {
            /// The token contract. The service responds with HTTP status 404 to an address without a token.
            address_hash: Address,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
    }

    /// Lists the NFTs of a token contract, highest token id first. A page has 50 NFTs.
    TokenInstancesParams "tokenInstances" "/api/v2/tokens/{address_hash}/instances"
    => List<NftInstance>, fixed_pages() {
        required {
            /// The token contract. The service responds with HTTP status 404 to an address without a token.
            address_hash: Address,
        }
        optional {
            /// Only NFTs that this address holds. Default: all. For an ERC-20 token, the service responds to this
            /// filter with HTTP status 404.
            holder_address_hash: Address,
        }
        cursor { unique_token: "string" }
    }

    /// Lists the transfers of one NFT, newest first.
    TokenInstanceTransfersParams "tokenInstanceTransfers" "/api/v2/tokens/{address_hash}/instances/{token_id}/transfers"
    => List<TokenTransfer> {
        required {
            /// The token contract.
            address_hash: Address,
            /// The token id.
            token_id: TokenId,
        }
        cursor { block_number: "number", index: "number", token_id: "string" }
    }

    /// Lists the holders of one NFT, largest balance first. ERC-721 tokens have one holder.
    TokenInstanceHoldersParams "tokenInstanceHolders" "/api/v2/tokens/{address_hash}/instances/{token_id}/holders"
    => List<TokenHolder>, uncached() {
        required {
            /// The token contract.
            address_hash: Address,
            /// The token id.
            token_id: TokenId,
        }
        cursor {
            address_hash: "string", token_id: "string", value: "string | null", items_count: "number | undefined",
        }
    }

    /// Returns a token. The service responds with HTTP status 404 to an address without a token.
    TokenParams "token" "/api/v2/tokens/{address_hash}" => Single<Token> {
        required {
            /// The token contract.
            address_hash: Address,
        }
    }

    /// Returns how many holders and transfers a token has.
    TokenCountersParams "tokenCounters" "/api/v2/tokens/{address_hash}/counters" => Single<TokenCounters> {
        required {
            /// The token contract.
            address_hash: Address,
        }
    }

    /// Returns one NFT with its token. The service responds with HTTP status 404 to an unknown token id.
    TokenInstanceParams "tokenInstance" "/api/v2/tokens/{address_hash}/instances/{token_id}" => Single<NftInstance> {
        required {
            /// The token contract.
            address_hash: Address,
            /// The token id.
            token_id: TokenId,
        }
    }

    /// Returns the daily prices of the native coin of the last 30 days and today, newest first. The service has no
    /// other price history, and none for tokens.
    MarketChartParams "marketChart" "/api/v2/stats/charts/market" => Single<MarketChart> {}
}
