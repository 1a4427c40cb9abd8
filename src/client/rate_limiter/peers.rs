//! Events that rate limiters of different tabs and workers exchange, because the service limits their requests together.
//!
//! A limiter announces its requests, refusals, holds and stated limits, and treats announcements of others like its
//! own. Any script of the same origin can send such messages, so the effect of an event is bounded: times must be close
//! to the current time.

use super::headers::StatedLimit;
use super::{LimiterState, MAX_PEER_WAIT_MS, Sent};

/// An event of a rate limiter's requests. Times are in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeerEvent {
    /// A request was sent at this time.
    Sent(u64),
    /// The request that was sent at this time was refused.
    Refused(u64),
    /// Requests are held until this time.
    Held(u64),
    /// The service accepts this many requests until the limit resets at this time.
    Stated(u64, u64),
}

impl PeerEvent {
    /// Returns the event as a message.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers below 2^53")]
    pub fn to_message(self) -> [f64; 3] {
        match self {
            Self::Sent(at) => [0.0, at as f64, 0.0],
            Self::Refused(at) => [1.0, at as f64, 0.0],
            Self::Held(until) => [2.0, until as f64, 0.0],
            Self::Stated(remaining, reset_at) => [3.0, reset_at as f64, remaining as f64],
        }
    }

    /// Reads a message. `None` if it is not valid at this time. Each member must be a non-negative integer, even if the
    /// event does not use it.
    #[must_use]
    pub fn from_message(message: [f64; 3], now: u64) -> Option<Self> {
        let [Some(kind), Some(time), Some(remaining)] = message.map(to_integer) else { return None };
        if time.abs_diff(now) > MAX_PEER_WAIT_MS {
            return None;
        }
        Some(match kind {
            0 => Self::Sent(time.min(now)),
            1 => Self::Refused(time),
            2 => Self::Held(time),
            3 => Self::Stated(remaining, time),
            _ => return None,
        })
    }
}

/// Converts a non-negative integer.
fn to_integer(number: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked, and saturates")]
    (number.fract() == 0.0 && number >= 0.0).then_some(number as u64)
}

/// Maximum number of requests of others that are remembered.
const MAX_SENT: usize = 1_000;

impl LimiterState {
    /// Processes an event of another limiter.
    pub(super) fn on_peer_event(&mut self, event: PeerEvent, now: u64) {
        match event {
            PeerEvent::Sent(at) => {
                let is_far_ahead = self.next_accepted_at(now) > now + MAX_PEER_WAIT_MS;
                if self.sent.len() < MAX_SENT && !is_far_ahead {
                    let id = self.next_id();
                    self.on_sent(Sent { id, at, is_own: false });
                }
            }
            PeerEvent::Refused(at) => {
                if let Some(id) = self.sent.iter().find(|sent| !sent.is_own && sent.at == at).map(|sent| sent.id) {
                    self.on_refusal(id, false, now);
                }
            }
            PeerEvent::Held(until) => self.hold.until = self.hold.until.max(until),
            PeerEvent::Stated(remaining, reset_at) => {
                self.stated_limit = Some(StatedLimit { remaining, reset_at });
            }
        }
    }
}
