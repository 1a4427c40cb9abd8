//! Native balances of any number of addresses: each asked for once, by 20, given in the caller's order, and followed until
//! they are fresh where the caller asks for it.

use super::fetch::Earlier;
use super::{Client, Patience, Runtime};
use crate::decode::{FramePage, Leniency};
use crate::endpoint::params::Address;
use crate::endpoint::{ActionParams, BalanceMultiParams, ParamType, ParamValue, Request};
use crate::error::Error;
use crate::record::{Record, field_index};
use crate::text::{lossy, lowercase, number, parts};
use crate::types::Balance;

/// Addresses that one request takes; the service silently drops the rest.
const AT_ONCE: usize = 20;

/// The first pause before stale balances are asked for again, in milliseconds; each next one is twice as long.
const FIRST_PAUSE_MS: u64 = 1_000;

/// A balance, as the caller gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownBalance {
    /// The address in the caller's spelling.
    pub account: String,
    /// Balance in wei; nothing while it is not known.
    pub balance: Option<String>,
    /// Whether a newer balance is being fetched.
    pub stale: bool,
}

impl<R: Runtime> Client<R> {
    /// Balances in the order of `addresses`, equal ones included. With a deadline, stale ones are asked for again until they
    /// are fresh or the time is up.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming a wrong address by its place, or whatever kept an
    /// answer from being read.
    pub async fn balances(
        &self,
        addresses: &ParamValue,
        fresh_within_ms: Option<u64>,
    ) -> Result<Vec<KnownBalance>, Error> {
        self.balances_read(addresses, fresh_within_ms, Leniency::default(), |_| {}).await
    }

    /// The same, read with this leniency; `read` sees each answer.
    ///
    /// # Errors
    /// As [`Self::balances`].
    pub async fn balances_read(
        &self,
        addresses: &ParamValue,
        fresh_within_ms: Option<u64>,
        leniency: Leniency,
        read: impl Fn(&FramePage),
    ) -> Result<Vec<KnownBalance>, Error> {
        let addresses = checked(addresses)?;
        let mut known = distinct(&addresses);
        let mut due = due_of(&known, false);
        let deadline = fresh_within_ms.map(|ms| self.runtime().now_ms().saturating_add(ms));
        let mut pause = FIRST_PAUSE_MS;
        let action = BalanceMultiParams::ACTION;
        let mut pages = self.frames(action.layout, leniency);
        // Answers that are followed may come a little later than asked for, no more.
        let mut last = None;
        loop {
            for some in due.chunks(AT_ONCE) {
                let left = last.map_or(u64::MAX, |last: u64| last.saturating_sub(self.runtime().now_ms()));
                if left == 0 {
                    break;
                }
                let patience = self.patience();
                let patience = Patience { deadline_ms: patience.deadline_ms.min(left), ..patience };
                let client = self.clone().with_patience(patience);
                let address = ParamValue::List(some.to_vec());
                let target = client.target(&Request::from_borrowed(action, &[("address", &address)])?, None);
                match client.ask_at(&target, action, &mut pages, Earlier::default()).await {
                    Ok((answer, _)) => {
                        read(&answer.items);
                        take(&mut known, &answer.items);
                    }
                    // What is known already is not lost: it stays marked as stale.
                    Err(_) if last.is_some() => break,
                    Err(error) => return Err(error),
                }
            }
            due = due_of(&known, true);
            let left = deadline.map_or(0, |deadline| deadline.saturating_sub(self.runtime().now_ms()));
            if left == 0 || due.is_empty() {
                return Ok(in_order(&addresses, &mut known));
            }
            self.inner.sleep(pause.min(left)).await;
            pause = pause.saturating_mul(2);
            last = deadline.map(|deadline| deadline.max(self.runtime().now_ms() + FIRST_PAUSE_MS));
        }
    }
}

/// Each address once, in ascending order.
fn distinct(addresses: &[String]) -> Vec<KnownBalance> {
    let mut known = Vec::with_capacity(addresses.len());
    for address in addresses {
        known.push(KnownBalance { account: lowercase(address), balance: None, stale: false });
    }
    known.sort_unstable_by(|one, other| one.account.cmp(&other.account));
    known.dedup_by(|one, other| one.account == other.account);
    known
}

/// Whom to ask for: all, or those whose balances are stale.
fn due_of(known: &[KnownBalance], only_stale: bool) -> Vec<String> {
    let mut due = Vec::new();
    for balance in known.iter().filter(|balance| balance.stale || !only_stale) {
        due.push(balance.account.clone());
    }
    due
}

/// What is known of each address, in the caller's order and spelling.
fn in_order(addresses: &[String], known: &mut [KnownBalance]) -> Vec<KnownBalance> {
    let mut in_order = Vec::with_capacity(addresses.len());
    for account in addresses {
        if let Some(found) = find(known, account) {
            in_order.push(KnownBalance {
                account: account.clone(),
                balance: found.balance.clone(),
                stale: found.stale,
            });
        }
    }
    in_order
}

/// The addresses, each checked: one wrong one would fail the request for all.
fn checked(addresses: &ParamValue) -> Result<Vec<String>, Error> {
    let listed = match addresses {
        ParamValue::String(text) => {
            let mut listed = Vec::new();
            for address in parts(text, b',') {
                listed.push(address.to_owned());
            }
            listed
        }
        ParamValue::List(list) => list.clone(),
        _ => return Err(Error::invalid_parameter("address", "must be address hashes: a list, or a text with commas")),
    };
    if listed.is_empty() {
        return Err(Error::invalid_parameter("address", "must name at least one address"));
    }
    for (index, address) in listed.iter().enumerate() {
        if Address::RULE.canonicalize(address).is_none() {
            return Err(Address::RULE.new_error(&["address[", &*number(index as u64), "]"].concat()));
        }
    }
    Ok(listed)
}

/// The balance of an address among those that are sorted by it.
fn find<'a>(known: &'a mut [KnownBalance], address: &str) -> Option<&'a mut KnownBalance> {
    let account = lowercase(address);
    let place = known.binary_search_by(|balance| balance.account.cmp(&account)).ok()?;
    known.get_mut(place)
}

/// Takes what an answer tells: in no particular order, and each once.
fn take(known: &mut [KnownBalance], page: &FramePage) {
    const ACCOUNT: usize = field_index(Balance::TABLE.names, "account");
    const BALANCE: usize = field_index(Balance::TABLE.names, "balance");
    const STALE: usize = field_index(Balance::TABLE.names, "stale");
    for at in &page.rows {
        let slot = |field: usize| page.frame.get(*at as usize + field);
        let text = |field: usize| page.frame.content(slot(field)).map(lossy);
        if let Some(place) = find(known, &text(ACCOUNT).unwrap_or_default()) {
            place.balance = text(BALANCE);
            place.stale = slot(STALE) == crate::decode::Frame::boolean(true);
        }
    }
}
