//! The operations that read GraphQL (`/api/v1/graphql`): equivalents of actions of the account module, with the same records.
//!
//! The aliases in each query name the members as the record does. [`crate::decode::convert_response`] does the rest.

use crate::decode::QueryKind;
use crate::endpoint::declare::operations;
use crate::endpoint::operation::QueryParams;
use crate::endpoint::params::{Address, Addresses, QueryOrder, TransactionHash};
use crate::endpoint::query::Query;
use crate::endpoint::response::{Batched, List, Value};
use crate::error::Error;
use crate::record::Uint;
use crate::types::*;

/// Requires either `address` or `contractaddress`.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `address`.
fn require_address_or_contract(params: &QueryParams<'_>) -> Result<(), Error> {
    if params.get("address").is_some() == params.get("contractaddress").is_some() {
        let rule = "either address or contractaddress is required, but not both; account.tokenTx accepts both";
        return Err(Error::invalid_parameter("address", rule));
    }
    Ok(())
}

operations! {
    /// Returns the native balance of an address, in wei. Null if the service does not know the address or its balance.
    GraphqlBalanceParams "graphqlBalance" "/api/v1/graphql"
    => Value<ValueResponse, Option<Uint>>, uncached(), queries(&[
        Query::new("address", QueryKind::Value, &["data", "address", "fetchedCoinBalance"], &[],
            "query($address:AddressHash!){address(hash:$address){fetchedCoinBalance}}"),
    ]) {
        required {
            /// The address.
            address: Address,
        }
    }

    /// Returns the native balances of any number of addresses, in the order of `address`. `balance` is null if the service
    /// does not know the address or its balance. GraphQL does not say whether a balance is outdated: `stale` is always
    /// `false`.
    GraphqlBalanceMultiParams "graphqlBalanceMulti" "/api/v1/graphql"
    => Batched<Balance>, uncached(), queries(&[
        Query::new("address", QueryKind::List, &["data", "addresses"], &["stale"],
            "query($address:[AddressHash!]!){addresses(hashes:$address){account:hash balance:fetchedCoinBalance}}"),
    ]) {
        required {
            /// The addresses. Each distinct address is requested once, in batches of 50.
            address: Addresses,
        }
    }

    /// Lists the transactions of an address, 4 per request. GraphQL does not provide `confirmations`, `methodId` and
    /// `L1FeesPaid`: they are null.
    ///
    /// The service continues a list by counting its records. With `desc`, records are therefore repeated if transactions are
    /// added while the list is read.
    GraphqlTxListParams "graphqlTxList" "/api/v1/graphql"
    => List<AccountTransaction>, queries(&[
        Query::new("address", QueryKind::Connection, &["data", "address", "transactions"], &["confirmations", "methodId", "L1FeesPaid"],
            "query($address:AddressHash!,$sort:SortOrder=DESC,$after:String){address(hash:$address){\
             transactions(first:4,after:$after,order:$sort){edges{node{blockNumber block{timeStamp:timestamp} hash \
             nonce blockHash transactionIndex:index from:fromAddressHash to:toAddressHash value gas gasPrice status input \
             contractAddress:createdContractAddressHash cumulativeGasUsed gasUsed}}pageInfo{hasNextPage endCursor}}}}"),
    ]) {
        required {
            /// The address.
            address: Address,
        }
        optional {
            /// The order of blocks. Default: `desc`, newest first.
            sort: QueryOrder,
        }
    }

    /// Lists the token transfers of an address or of a token contract, newest first, 3 per request. The service continues
    /// the list by counting its records, so that records are repeated if transfers are added while the list is read.
    ///
    /// Unlike `account.tokenTx`, GraphQL lists the transfers of tokens of all standards: `value` is null for NFTs. It does
    /// not provide `confirmations`, `methodId` and `functionName`: they are null.
    GraphqlTokenTxParams "graphqlTokenTx" "/api/v1/graphql"
    => List<Erc20Transfer>, rules(&[require_address_or_contract]), queries(&[
        Query::new("address", QueryKind::Connection, &["data", "address", "tokenTransfers"], &["confirmations", "methodId", "functionName"],
            "query($address:AddressHash!,$after:String){address(hash:$address){\
             tokenTransfers(first:3,after:$after){edges{node{blockNumber hash:transactionHash from:fromAddressHash \
             to:toAddressHash contractAddress:tokenContractAddressHash value:amount token{tokenName:name tokenSymbol:symbol \
             tokenDecimal:decimals} transaction{nonce blockHash block{timeStamp:timestamp} transactionIndex:index gas \
             gasPrice gasUsed cumulativeGasUsed input}}}pageInfo{hasNextPage endCursor}}}}"),
        Query::new("contractaddress", QueryKind::Connection, &["data", "tokenTransfers"], &["confirmations", "methodId", "functionName"],
            "query($contractaddress:AddressHash!,$after:String){\
             tokenTransfers(tokenContractAddressHash:$contractaddress,first:3,after:$after){edges{node{blockNumber \
             hash:transactionHash from:fromAddressHash to:toAddressHash contractAddress:tokenContractAddressHash \
             value:amount token{tokenName:name tokenSymbol:symbol tokenDecimal:decimals} transaction{nonce blockHash \
             block{timeStamp:timestamp} transactionIndex:index gas gasPrice gasUsed cumulativeGasUsed input}}}\
             pageInfo{hasNextPage endCursor}}}"),
    ]) {
        optional {
            /// The sender or receiver. Either `address` or `contractaddress` is required.
            address: Address,
            /// The token contract. Either `contractaddress` or `address` is required.
            contractaddress: Address,
        }
    }

    /// Lists the internal transactions of a transaction, in the order of their execution: at most 10,000.
    ///
    /// Unlike `account.txListInternal`, it includes internal transactions that transfer no value. GraphQL does not
    /// provide `timeStamp`: it is null.
    GraphqlTxListInternalParams "graphqlTxListInternal" "/api/v1/graphql"
    => List<AccountInternalTransaction>, queries(&[
        Query::new("txhash", QueryKind::Connection, &["data", "transaction", "internalTransactions"], &["timeStamp"],
            "query($txhash:FullHash!,$after:String){transaction(hash:$txhash){\
             internalTransactions(first:5,after:$after,count:10000){edges{node{blockNumber from:fromAddressHash to:toAddressHash \
             value contractAddress:createdContractAddressHash transactionHash index input type callType gas gasUsed error}}\
             pageInfo{hasNextPage endCursor}}}}"),
    ]) {
        required {
            /// The transaction.
            txhash: TransactionHash,
        }
    }
}
