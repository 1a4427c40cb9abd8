//! Native balances of any number of addresses. Each distinct address is requested once, in batches of 20, or 50 with GraphQL. The balances are
//! returned in the order of the addresses. On request, stale balances are requested again until they are fresh.

use super::handle::Client;
use super::retry::{FetchStart, RetryPolicy};
use super::runtime::Runtime;
use crate::decode::FramePage;
use crate::endpoint::params::Address;
use crate::endpoint::{
    BalanceMultiParams, GraphqlBalanceMultiParams, Operation, ParamType, ParamValue, Params, Request,
};
use crate::error::Error;
use crate::object::object;
use crate::record::read_field;
use crate::strings::{format_u64, split, to_lowercase};
use crate::types::Balance;

/// Maximum number of addresses in a request of `balancemulti`. The service silently ignores further ones.
const MAX_ADDRESSES: usize = 20;

/// Delay before stale balances are requested again, in milliseconds. It doubles each time.
const FIRST_DELAY_MS: u64 = 1_000;

object! {
    /// The balance of an address. In TypeScript, the record [`Balance`] declares it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    AccountBalance "Balance" {
        /// The address as the caller wrote it.
        account: String,
        /// Balance in wei. None: unknown.
        balance: Option<String>,
        /// Whether the balance may be outdated. The instance fetches the current one in the background.
        stale: bool,
    }
}

impl<R: Runtime> Client<R> {
    /// Returns the native balances of any number of addresses, in their order and including duplicates. With `fresh_within_ms`
    /// it requests stale balances again until they are fresh or that time has passed.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::error::Error;
    /// async fn print_balances(client: &Client<impl Runtime>, addresses: &[&str]) -> Result<(), Error> {
    ///     let addresses = addresses.iter().map(|address| address.parse()).collect::<Result<Vec<_>, _>>()?;
    ///     for account in client.balances(&addresses, Some(30_000)).await? {
    ///         let balance = account.balance.as_deref().unwrap_or("unknown");
    ///         println!("{}: {balance} wei{}", account.account, if account.stale { ", may be outdated" } else { "" });
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for an empty list, or any failure of a request or of decoding.
    pub async fn balances(
        &self,
        addresses: &[Address],
        fresh_within_ms: Option<u64>,
    ) -> Result<Vec<AccountBalance>, Error> {
        let addresses = ParamValue::List(addresses.iter().map(Address::to_string).collect());
        let action = BalanceMultiParams::OPERATION;
        self.request_balances(action, &addresses, fresh_within_ms).await
    }

    /// Returns the native balances of any number of addresses like [`Self::balances`], but from GraphQL. It does not say
    /// whether a balance is stale: `stale` is always false.
    ///
    /// # Errors
    /// As for [`Self::balances`].
    pub async fn graphql_balances(&self, addresses: &[Address]) -> Result<Vec<AccountBalance>, Error> {
        let addresses = ParamValue::List(addresses.iter().map(Address::to_string).collect());
        let action = GraphqlBalanceMultiParams::OPERATION;
        self.request_balances(action, &addresses, None).await
    }

    /// Like [`Self::balances`], with this action, for addresses that have not been validated.
    ///
    /// # Errors
    /// An invalid address, with its index; otherwise as for [`Self::balances`].
    pub(crate) async fn request_balances(
        &self,
        action: &'static Operation,
        addresses: &ParamValue,
        fresh_within_ms: Option<u64>,
    ) -> Result<Vec<AccountBalance>, Error> {
        let addresses = parse_addresses(addresses)?;
        let mut balances = distinct_accounts(&addresses);
        let mut pending = accounts(&balances, false);
        let deadline = fresh_within_ms.map(|ms| self.runtime().now_ms().saturating_add(ms));
        let mut delay = FIRST_DELAY_MS;
        let batch_size = action.queries.first().map_or(MAX_ADDRESSES, |query| query.max_records);
        let mut reader = self.frame_decoder(action.layout);
        // The deadline of repeated requests, once there are any. It is slightly after `deadline`, so that their
        // responses can arrive.
        let mut repeat_deadline = None;
        loop {
            for batch in pending.chunks(batch_size) {
                let left =
                    repeat_deadline.map_or(u64::MAX, |deadline: u64| deadline.saturating_sub(self.runtime().now_ms()));
                if left == 0 {
                    break;
                }
                let client = self.with_deadline_within(left).with_fresh_responses(repeat_deadline.is_some());
                let request = Request::new(action, &[("address".to_owned(), ParamValue::List(batch.to_vec()))])?;
                let target = client.target(&request, &[]);
                match client.fetch_action(&request, target, &mut reader, FetchStart::Request).await {
                    Ok((rows, _)) => {
                        self.emit_diagnostics(&rows.items);
                        update_balances(&mut balances, &rows.items);
                    }
                    // Keep the balances that were read before. They remain stale.
                    Err(_) if repeat_deadline.is_some() => break,
                    Err(error) => return Err(error),
                }
            }
            pending = accounts(&balances, true);
            let left = deadline.map_or(0, |deadline| deadline.saturating_sub(self.runtime().now_ms()));
            if left == 0 || pending.is_empty() {
                return Ok(in_order_of(&addresses, &mut balances));
            }
            self.inner.transport.sleep(delay.min(left)).await;
            delay = delay.saturating_mul(2);
            repeat_deadline = deadline.map(|deadline| deadline.max(self.runtime().now_ms() + FIRST_DELAY_MS));
        }
    }

    /// Returns a clone with a deadline of at most this.
    fn with_deadline_within(&self, ms: u64) -> Self {
        let policy = self.retry_policy();
        self.clone().with_retry_policy(RetryPolicy { deadline_ms: policy.deadline_ms.min(ms), ..policy })
    }
}

/// Returns an entry without a balance for each distinct address, in lower case and sorted.
fn distinct_accounts(addresses: &[String]) -> Vec<AccountBalance> {
    let mut balances = Vec::with_capacity(addresses.len());
    for address in addresses {
        balances.push(AccountBalance { account: to_lowercase(address), balance: None, stale: false });
    }
    balances.sort_unstable_by(|one, other| one.account.cmp(&other.account));
    balances.dedup_by(|one, other| one.account == other.account);
    balances
}

/// The addresses of all balances, or only of the stale ones.
fn accounts(balances: &[AccountBalance], only_stale: bool) -> Vec<String> {
    let mut accounts = Vec::new();
    for balance in balances.iter().filter(|balance| balance.stale || !only_stale) {
        accounts.push(balance.account.clone());
    }
    accounts
}

/// The balances in the order and letter case of the caller's addresses.
fn in_order_of(addresses: &[String], balances: &mut [AccountBalance]) -> Vec<AccountBalance> {
    let mut ordered = Vec::with_capacity(addresses.len());
    for account in addresses {
        if let Some(found) = find_balance(balances, account) {
            ordered.push(AccountBalance {
                account: account.clone(),
                balance: found.balance.clone(),
                stale: found.stale,
            });
        }
    }
    ordered
}

/// Splits the parameter into addresses and validates each: an invalid one would fail the request for all.
fn parse_addresses(addresses: &ParamValue) -> Result<Vec<String>, Error> {
    let addresses = match addresses {
        ParamValue::String(addresses) => {
            let mut list = Vec::new();
            for address in split(addresses, b',') {
                list.push(address.to_owned());
            }
            list
        }
        ParamValue::List(list) => list.clone(),
        _ => {
            return Err(Error::invalid_parameter(
                "address",
                "must be address hashes: a list, or a string separated by commas",
            ));
        }
    };
    if addresses.is_empty() {
        return Err(Error::invalid_parameter("address", "must contain at least one address"));
    }
    for (index, address) in addresses.iter().enumerate() {
        if Address::RULE.canonicalize(address).is_none() {
            return Err(Address::RULE.new_error(&["address[", &*format_u64(index as u64), "]"].concat()));
        }
    }
    Ok(addresses)
}

/// Finds the balance of an address by binary search.
fn find_balance<'a>(balances: &'a mut [AccountBalance], address: &str) -> Option<&'a mut AccountBalance> {
    let account = to_lowercase(address);
    let index = balances.binary_search_by(|balance| balance.account.cmp(&account)).ok()?;
    balances.get_mut(index)
}

/// Stores the balances of a response, which are in no particular order.
fn update_balances(balances: &mut [AccountBalance], page: &FramePage) {
    for &row in &page.rows {
        let Some(account) = read_field!(&page.frame, row, Balance.account) else { continue };
        if let Some(entry) = find_balance(balances, &account) {
            entry.balance = read_field!(&page.frame, row, Balance.balance).flatten().map(String::from);
            entry.stale = read_field!(&page.frame, row, Balance.stale).flatten() == Some(true);
        }
    }
}
