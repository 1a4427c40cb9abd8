//! Sends requests. [`Transport::subscribe`] joins an equal request in flight (`sharing`), or creates a new one.
//! `exchange` sends it when the rate limiter permits it, with the `api_key`. `context` has the state that exchanges
//! share.

mod api_key;
mod context;
mod exchange;
mod sharing;

use std::rc::Rc;

pub use api_key::{ApiKey, ApiKeyFuture, FOREIGN_KEY, GATEWAY_KEY};
pub(crate) use context::{Transport, TransportOptions};
pub(crate) use exchange::HEAD_BYTES;
pub(crate) use sharing::{Chunks, Flight, PendingResponse, Target};

use self::exchange::Exchange;
use super::rate_limiter::Priority;
use super::runtime::Runtime;

impl<R: Runtime> Transport<R> {
    /// Joins an equal request in flight, or creates a new one, which is sent when its response is awaited. `attempt` is the number of the
    /// attempt, from 1.
    pub(super) fn subscribe(self: &Rc<Self>, target: &Rc<Target>, attempt: u32) -> (Rc<Flight>, PendingResponse) {
        let is_shareable = !target.is_fresh && self.runtime.check_interval_ms().is_none();
        let shared = if is_shareable { self.in_flight.find(target) } else { None };
        let (flight, response) = shared.unwrap_or_else(|| {
            let transport = Rc::clone(self);
            self.in_flight.add(Rc::clone(target), |flight| Exchange { transport, flight, attempt }.run())
        });
        if target.priority == Priority::Interactive {
            flight.priority.set(Priority::Interactive);
        }
        (flight, response)
    }
}
