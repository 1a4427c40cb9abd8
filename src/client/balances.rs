//! Native balances of any number of addresses: each asked for once, by 20, given in the caller's order, and followed until
//! they are fresh where the caller asks for it.

use std::collections::BTreeMap;

use super::fetch::Earlier;
use super::{Client, FramePages, Runtime};
use crate::decode::{FramePage, Leniency};
use crate::endpoint::params::Address;
use crate::endpoint::{ActionParams, BalanceMultiParams, Param, ParamValue, Request};
use crate::error::Error;
use crate::record::{Record, field_index};
use crate::text::{lossy, number};
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
        let addresses = checked(addresses)?;
        let mut known = BTreeMap::new();
        for address in &addresses {
            let account = address.to_ascii_lowercase();
            known.insert(account.clone(), KnownBalance { account, balance: None, stale: false });
        }
        let mut asked: Vec<String> = known.keys().cloned().collect();
        let deadline = fresh_within_ms.map(|ms| self.runtime().now_ms().saturating_add(ms));
        let mut pause = FIRST_PAUSE_MS;
        let mut asked_before = false;
        let mut pages = FramePages::of(BalanceMultiParams::ACTION.layout, Leniency::default());
        loop {
            for chunk in asked.chunks(AT_ONCE) {
                match self.refresh(&mut known, chunk, &mut pages).await {
                    Ok(()) => {}
                    // What is known already is not lost: it stays marked as stale.
                    Err(_) if asked_before => break,
                    Err(error) => return Err(error),
                }
            }
            asked_before = true;
            asked = known.iter().filter(|(_, balance)| balance.stale).map(|(account, _)| account.clone()).collect();
            let left = deadline.map_or(0, |deadline| deadline.saturating_sub(self.runtime().now_ms()));
            if asked.is_empty() || left == 0 {
                break;
            }
            self.runtime().sleep(pause.min(left)).await;
            pause = pause.saturating_mul(2);
        }
        let in_order = addresses.into_iter().filter_map(|account| {
            let found = known.get(&account.to_ascii_lowercase())?;
            Some(KnownBalance { account, ..found.clone() })
        });
        Ok(in_order.collect())
    }

    async fn refresh(
        &self,
        known: &mut BTreeMap<String, KnownBalance>,
        accounts: &[String],
        pages: &mut FramePages,
    ) -> Result<(), Error> {
        let address = ParamValue::List(accounts.to_vec());
        let request = Request::new(BalanceMultiParams::ACTION, [("address", address)])?;
        let (answer, _) = self.ask_with(BalanceMultiParams::ACTION, &request, &[], pages, Earlier::default()).await?;
        // In no particular order, and each once.
        for (account, balance, stale) in rows(&answer.rows) {
            if let Some(place) = known.get_mut(&account.to_ascii_lowercase()) {
                (place.balance, place.stale) = (balance, stale);
            }
        }
        Ok(())
    }
}

/// The addresses, each checked: one wrong one would fail the request for all.
fn checked(addresses: &ParamValue) -> Result<Vec<String>, Error> {
    let listed = match addresses {
        ParamValue::Text(text) => text.split(',').map(str::to_owned).collect(),
        ParamValue::List(list) => list.clone(),
        _ => return Err(Error::invalid_parameter("address", "must be address hashes: a list, or a text with commas")),
    };
    if listed.is_empty() {
        return Err(Error::invalid_parameter("address", "must name at least one address"));
    }
    for (index, address) in listed.iter().enumerate() {
        Address::RULE.check(&["address[", &*number(index as u64), "]"].concat(), &ParamValue::Text(address.clone()))?;
    }
    Ok(listed)
}

fn rows(page: &FramePage) -> Vec<(String, Option<String>, bool)> {
    const ACCOUNT: usize = field_index(Balance::TABLE.names, "account");
    const BALANCE: usize = field_index(Balance::TABLE.names, "balance");
    const STALE: usize = field_index(Balance::TABLE.names, "stale");
    let text = |slot: u32| page.frame.content(slot).map(lossy);
    let row = |&at: &u32| {
        let slot = |field: usize| page.frame.get(at as usize + field);
        let stale = slot(STALE) == crate::decode::Frame::boolean(true);
        (text(slot(ACCOUNT)).unwrap_or_default(), text(slot(BALANCE)), stale)
    };
    page.rows.iter().map(row).collect()
}
