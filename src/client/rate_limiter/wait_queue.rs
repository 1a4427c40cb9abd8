//! The queue of requests that wait for a permit, in the order of arrival and by priority.

use std::task::Waker;

/// After this many consecutive interactive requests, one bulk request is sent, so that bulk requests do not starve.
const INTERACTIVE_RUN: u32 = 4;

/// Priority in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    /// A single call, or the first page of a list.
    Interactive,
    /// Further pages of a list, and all requests of a range.
    Bulk,
}

#[derive(Debug, Default)]
pub(super) struct WaitQueue {
    /// The waiters in the order of arrival.
    waiters: Vec<Waiter>,
    last_id: u64,
    interactive_run: u32,
}

#[derive(Debug)]
struct Waiter {
    id: u64,
    priority: Priority,
    waker: Waker,
    /// The waiter is removed at this time unless it is renewed.
    expires_at: u64,
}

impl WaitQueue {
    /// Returns an id for a request. Ids ascend.
    pub(super) const fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub(super) const fn len(&self) -> usize {
        self.waiters.len()
    }

    /// Whether this waiter is granted the next permit.
    pub(super) fn is_next(&self, id: u64) -> bool {
        self.next().is_some_and(|next| next.id == id)
    }

    pub(super) fn next_waker(&self) -> Option<Waker> {
        self.next().map(|next| next.waker.clone())
    }

    /// Removes the waiters that have expired, and adds or renews this one.
    pub(super) fn renew(&mut self, id: u64, priority: Priority, waker: Waker, now: u64, expires_at: u64) {
        self.waiters.retain(|waiter| waiter.id != id && waiter.expires_at > now);
        let index = self.waiters.iter().take_while(|waiter| waiter.id < id).count();
        self.waiters.insert(index, Waiter { id, priority, waker, expires_at });
    }

    /// Records that a waiter of this priority is granted its permit.
    pub(super) const fn on_grant(&mut self, priority: Priority) {
        self.interactive_run = if matches!(priority, Priority::Interactive) { self.interactive_run + 1 } else { 0 };
    }

    pub(super) fn remove(&mut self, id: u64) {
        self.waiters.retain(|waiter| waiter.id != id);
    }

    fn next(&self) -> Option<&Waiter> {
        let first = |priority| self.waiters.iter().find(|waiter| waiter.priority == priority);
        let (interactive, bulk) = (first(Priority::Interactive), first(Priority::Bulk));
        if self.interactive_run < INTERACTIVE_RUN { interactive.or(bulk) } else { bulk.or(interactive) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bulk_request_follows_four_interactive_requests() {
        let mut queue = WaitQueue::default();
        let mut push = |priority| {
            let id = queue.next_id();
            queue.renew(id, priority, Waker::noop().clone(), 0, u64::MAX);
            id
        };
        let bulk: Vec<u64> = (0..2).map(|_| push(Priority::Bulk)).collect();
        let interactive: Vec<u64> = (0..6).map(|_| push(Priority::Interactive)).collect();
        let order: Vec<u64> = std::iter::from_fn(|| {
            let &Waiter { id, priority, .. } = queue.next()?;
            queue.on_grant(priority);
            queue.remove(id);
            Some(id)
        })
        .collect();
        assert_eq!(order, [&interactive[..4], &bulk[..1], &interactive[4..], &bulk[1..]].concat());
    }
}
