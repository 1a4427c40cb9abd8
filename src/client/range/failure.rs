//! Decides what a range does after a failed request: ask for fewer blocks, request the rest of a response, or fail.

use super::planner::Planner;
use super::request::RangeRequest;
use super::state::{Blocks, OversizedBlock, State, WindowPhase, Windows};
use crate::client::retry::{RetryPolicy, is_too_slow};
use crate::endpoint::request::MAX_BLOCK;
use crate::error::{Error, ErrorCode};

/// How the next request recovers from a failed one.
#[derive(Debug)]
pub(super) enum Recovery {
    /// As if the failure had not happened.
    Continue,
    /// With a smaller request, because the service was too slow, after this delay, if any.
    Shrink { error: Error, pause_ms: Option<u64> },
    /// With a request for the rest of a response that broke off. It counts as a retry after this error.
    Retry(Error),
}

impl Planner {
    /// Processes the failure of the last request.
    ///
    /// # Errors
    /// The error itself, if no other request can recover from it.
    pub(super) fn on_failure(
        &mut self,
        request: &RangeRequest,
        error: Error,
        policy: &RetryPolicy,
        random: f64,
    ) -> Result<Recovery, Error> {
        let recovery = match self.state {
            State::Windows(windows) => self.on_window_failure(windows, request, error, policy, random)?,
            State::OversizedBlock(oversized) => self.on_block_failure(oversized, request, error)?,
            // All rows were read. A possible change of the head block stays unreported.
            State::HeadRecheck | State::Done => {
                self.state = State::Done;
                Recovery::Continue
            }
        };
        self.update_report();
        Ok(recovery)
    }

    fn on_window_failure(
        &mut self,
        mut windows: Windows,
        request: &RangeRequest,
        error: Error,
        policy: &RetryPolicy,
        random: f64,
    ) -> Result<Recovery, Error> {
        if matches!(windows.phase, WindowPhase::FindHead { .. }) {
            return Err(error);
        }
        // Exclude the blocks of the window that were delivered.
        let newest_first = self.range.newest_first;
        let window = request.blocks.starting_at(windows.remaining.start(newest_first), newest_first);
        self.has_broken_off |= request.is_continuation;
        windows.phase = WindowPhase::Next;
        let recovery = if window.count() > 1 && is_too_slow(&error) {
            let pause_ms = self.backoff.add_pause(&error, policy, random);
            if self.backoff.paused_ms > policy.deadline_ms {
                return Err(error);
            }
            if window.last == MAX_BLOCK && self.has_pages {
                windows.phase = WindowPhase::FindHead { window };
            } else {
                self.width.on_failure(window.count());
            }
            Recovery::Shrink { error, pause_ms }
        } else if request.is_continuation && policy.should_retry(&error, 1) {
            Recovery::Retry(error)
        } else {
            return Err(error);
        };
        self.state = State::Windows(windows);
        Ok(recovery)
    }

    /// Processes the failure of a page or a probe of an oversized block.
    fn on_block_failure(
        &mut self,
        oversized: OversizedBlock,
        request: &RangeRequest,
        error: Error,
    ) -> Result<Recovery, Error> {
        if error.code == ErrorCode::Refused {
            self.end_incomplete_block(oversized, error.message.clone());
            return Ok(Recovery::Continue);
        }
        // A probe of several blocks: the service was too slow for them, but may not be for the oversized block alone.
        if request.can_shrink && is_too_slow(&error) {
            let unverified_window = Some(Blocks::single(oversized.position.block));
            self.state = State::OversizedBlock(OversizedBlock { unverified_window, ..oversized });
            return Ok(Recovery::Shrink { error, pause_ms: None });
        }
        Err(error)
    }
}
