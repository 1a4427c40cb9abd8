//! What a range asks for next, and what after a failure.

use super::{BLOCK_MS, Incoming, Newest, RangeReader};
use crate::client::Runtime;
use crate::client::fetch::{Earlier, Pause, Target};
use crate::client::retry::is_too_slow;
use crate::endpoint::request::MAX_BLOCK;
use crate::error::{Error, ErrorCode};
use crate::text::number as decimal;

/// So many pauses grow: the chain may have to be halved thirty times.
const GROWING: u32 = 3;

/// What is asked for next: rows of the blocks from `low` to `high`.
pub(super) struct Plan {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) aim: Aim,
    pub(super) earlier: Earlier,
}

pub(super) enum Aim {
    /// A window, or the rest of one of which so many rows were given out or left out.
    Window(u64),
    /// This page of a block that fills an answer, of so many rows.
    Page(u64, u64),
    /// The row behind so many, which the whole window had in one answer.
    Behind(u64),
    /// So many rows of the newest block, once more.
    Again(u64),
    /// The newest row, because a window was too slow that ends where nobody knows.
    Newest(Error),
}

impl<R: Runtime> RangeReader<R> {
    /// What comes next.
    pub(super) fn plan(&mut self) -> Option<Plan> {
        let mut earlier = Earlier::default();
        if let Some(giant) = self.giant {
            return Some(match giant.window.filter(|_| giant.size < self.full) {
                Some((low, high)) => Plan { low, high, aim: Aim::Behind(giant.size), earlier },
                None => {
                    let aim = Aim::Page(giant.page, giant.size);
                    Plan { low: giant.block, high: giant.block, aim, earlier }
                }
            });
        }
        let Some((first, last)) = self.left else {
            let now = self.client.runtime().now_ms();
            let newest = self.newest_read.filter(|newest| newest.at_ms.saturating_add(BLOCK_MS) < now);
            self.newest_read = newest;
            return newest.map(|Newest { block, rows, .. }| Plan {
                low: block,
                high: block,
                aim: Aim::Again(rows),
                earlier,
            });
        };
        let (low, high, before) = match self.incoming.take() {
            Some(Incoming { rest, low, high, rows }) => {
                earlier.rest = Some(rest);
                (low, high, rows)
            }
            None => {
                let (low, high) = self.window(first, last);
                (low, high, 0)
            }
        };
        Some(Plan { low, high, aim: Aim::Window(before), earlier })
    }

    pub(super) fn target(&self, plan: &Plan) -> Target {
        let newest_first = self.range.newest_first || matches!(plan.aim, Aim::Newest(_));
        let mut more = vec![("sort", if newest_first { "desc" } else { "asc" })];
        let (low, high) = (decimal(plan.low), decimal(plan.high));
        let (page, offset) = match plan.aim {
            Aim::Window(_) => (1, Some(self.full)),
            // The service does not check the limit of 10,000 where `page` is given alone.
            Aim::Page(page, size) => (page, Some(size).filter(|size| *size < self.full)),
            Aim::Behind(rows) => (rows + 1, Some(1)),
            Aim::Again(rows) => (1, Some(rows)),
            Aim::Newest(_) => (1, Some(1)),
        };
        if !matches!(plan.aim, Aim::Newest(_)) {
            if plan.low != 0 {
                more.push(("startblock", &low));
            }
            // Left out, it means all blocks: the service does so for values that it finds too large.
            if plan.high != MAX_BLOCK {
                more.push(("endblock", &high));
            }
        }
        let (page, offset) = (decimal(page), offset.map(decimal));
        more.push(("page", &page));
        if let Some(offset) = &offset {
            more.push(("offset", offset));
        }
        self.client.target_at(&self.request, self.request.url_with_params(self.client.base(), &more))
    }

    /// The pause before less is asked for, where the service was too slow; a timeout was one.
    fn pause(&mut self, error: &Error) -> Option<Pause> {
        if error.code == ErrorCode::Timeout {
            return None;
        }
        self.slow = (self.slow + 1).min(GROWING);
        let ms = self.client.patience().pause_ms(error, self.slow, self.client.runtime().random());
        self.paused_ms += ms;
        Some(Pause::after(error, ms))
    }

    /// What is asked for after a failure, if not what comes next.
    pub(super) fn failed(
        &mut self,
        Plan { mut low, mut high, aim, .. }: Plan,
        error: Error,
    ) -> Result<Option<Plan>, Error> {
        match aim {
            Aim::Page(..) | Aim::Behind(_) if error.code == ErrorCode::Refused => {
                self.incomplete(error.message.clone());
                return Ok(None);
            }
            // The service may be too slow for the window, though not for its block.
            Aim::Behind(_) if low < high && is_too_slow(&error) => {
                if let Some(giant) = &mut self.giant {
                    giant.window = Some((giant.block, giant.block));
                }
                return Ok(None);
            }
            Aim::Window(before) => {
                // What was given out of the window is not asked for again.
                if let Some((first, last)) = self.left {
                    (low, high) = (low.max(first), high.min(last));
                }
                if low < high && is_too_slow(&error) {
                    let pause = self.pause(&error);
                    if self.paused_ms > self.client.patience().deadline_ms {
                        return Err(error);
                    }
                    let mut next = if high == MAX_BLOCK {
                        Some(Plan { low, high, aim: Aim::Newest(error), earlier: Earlier::default() })
                    } else {
                        self.width.fail(high - low + 1);
                        self.plan()
                    };
                    if let Some(next) = &mut next {
                        next.earlier.pause = pause;
                    }
                    return Ok(next);
                }
                if before > 0 && self.client.patience().tries_again(&error, 1) {
                    let mut plan = self.plan();
                    if let Some(plan) = &mut plan {
                        plan.earlier.failed = Some(error);
                    }
                    return Ok(plan);
                }
            }
            // All rows were read; whether the newest block has changed is then not known.
            Aim::Again(_) => {
                self.newest_read = None;
                return Ok(None);
            }
            Aim::Page(..) | Aim::Behind(_) | Aim::Newest(_) => {}
        }
        Err(error)
    }

    /// The next window of what is left.
    fn window(&self, first: u64, last: u64) -> (u64, u64) {
        match self.width.get() {
            Some(width) if self.range.newest_first => (last.saturating_sub(width - 1).max(first), last),
            Some(width) if first <= self.newest => (first, first.saturating_add(width - 1).min(last)),
            _ => (first, last),
        }
    }
}
