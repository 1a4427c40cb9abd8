//! [`Credits`]: the cost of a client's requests, and the remaining credits of its API key's plan. [`CreditCounter`]
//! counts them, and stops the client before it spends more than `maxCredits`.

use std::cell::Cell;

use super::runtime::{CREDITS_HEADER, Headers, find_header};
use crate::error::{Error, ErrorCode, option_name};
use crate::object::object;
use crate::strings::{format_u64, parse_u64, split_before};

object! {
    /// Credits of a client. The gateway charges them for each request, directly or through a proxy. An instance read by
    /// its URL charges none.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    Credits "Credits" {
        /// Credits that this client has spent: the price of each request that it sent, retries included. 0 for an
        /// instance.
        spent: u64,
        /// Credits that remain of the API key's plan, from the last response. Negative if more were used. Null if no
        /// response had a readable header: a browser can read it from a proxy (`address-query/proxy`), but the gateway
        /// is not known to expose it.
        remaining: Option<i64>,
    }
}

/// Counts the credits of a client.
#[derive(Debug)]
pub(super) struct CreditCounter {
    max: Option<u64>,
    pub(super) counted: Cell<Credits>,
}

impl CreditCounter {
    pub(super) const fn new(max: Option<u64>) -> Self {
        Self { max, counted: Cell::new(Credits { spent: 0, remaining: None }) }
    }

    /// Counts a request that is about to be sent.
    ///
    /// # Errors
    /// [`ErrorCode::CreditLimit`] if it would exceed the maximum. The request is then not counted.
    pub(super) fn spend(&self, cost: u64) -> Result<(), Error> {
        let Credits { spent, remaining } = self.counted.get();
        let left = self.max.map_or(u64::MAX, |max| max.saturating_sub(spent));
        if cost > left {
            let message = [
                "the request costs ",
                &*format_u64(cost),
                concat!(" credits, and ", option_name!(max_credits), " leaves "),
                &*format_u64(left),
                "; raise it to continue",
            ];
            return Err(Error::new(ErrorCode::CreditLimit, message.concat()));
        }
        self.counted.set(Credits { spent: spent + cost, remaining });
        Ok(())
    }

    /// Returns the remaining credits that the headers of a response state. A fraction is truncated.
    pub(super) fn observe_headers(&self, headers: &Headers) -> Option<i64> {
        let (value, _) = split_before(find_header(headers, CREDITS_HEADER)?, b".");
        let digits = value.strip_prefix('-');
        let credits = i64::try_from(parse_u64(digits.unwrap_or(value))?).ok()?;
        let remaining = Some(if digits.is_some() { -credits } else { credits });
        self.counted.set(Credits { remaining, ..self.counted.get() });
        remaining
    }
}
