//! [`Join`]: polls concurrent requests. A [`Schedule`] decides which requests start, and what the caller receives next.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::schedule::Schedule;
use super::strategy::{Strategy, Work};
use crate::client::runtime::Runtime;

/// The parts and their requests, with the task that polls them, and the caller if it is waiting. Dropping it ends the
/// requests and the task, which does not own it.
pub(super) struct Join<S: Strategy> {
    pub(super) schedule: RefCell<Schedule<S>>,
    /// The requests. Empty while they are polled.
    works: Cell<Vec<Work<S>>>,
    task: WakerCell,
    caller: WakerCell,
}

/// The waker of a task that waits.
#[derive(Default)]
struct WakerCell(Cell<Option<Waker>>);

impl WakerCell {
    fn set(&self, context: &Context<'_>) {
        self.0.set(Some(context.waker().clone()));
    }

    fn wake(&self) {
        if let Some(waker) = self.0.take() {
            waker.wake();
        }
    }
}

/// Wakes the task, so that it ends. Nothing else would wake it, and the executor would keep it forever.
impl<S: Strategy> Drop for Join<S> {
    fn drop(&mut self) {
        self.task.wake();
    }
}

impl<S: Strategy> Join<S> {
    pub(super) fn new(schedule: Schedule<S>) -> Rc<Self> {
        let (works, task, caller) = Default::default();
        Rc::new(Self { schedule: RefCell::new(schedule), works, task, caller })
    }

    /// Starts the task that polls the requests between the calls of [`next`](Self::next). Without it, they would time out while
    /// the caller handles rows.
    pub(super) fn start_task(self: &Rc<Self>) {
        let join = Rc::downgrade(self);
        let task = poll_fn(move |context| join.upgrade().map_or(Poll::Ready(()), |join| join.poll_task(context)));
        self.schedule.borrow().strategy.runtime().spawn(Box::pin(task));
    }

    /// Returns the next delivery. Dropping the future does not end a request.
    pub(super) fn next(&self) -> impl Future<Output = S::Delivery> {
        poll_fn(|context| self.poll_next(context))
    }

    fn poll_next(&self, context: &mut Context<'_>) -> Poll<S::Delivery> {
        loop {
            let delivery = self.schedule.borrow_mut().deliver();
            if let Some((delivery, is_end)) = delivery {
                if is_end {
                    // Requests beyond the end may still be in flight.
                    self.works.take();
                }
                // The requests in flight must wake the task now, and there may be room in the buffers.
                self.task.wake();
                return Poll::Ready(delivery);
            }
            if !self.poll_requests(context) {
                self.caller.set(context);
                return Poll::Pending;
            }
        }
    }

    fn poll_task(self: &Rc<Self>, context: &mut Context<'_>) -> Poll<()> {
        self.task.set(context);
        // A callback may drop the reader, which is the other owner.
        while Rc::strong_count(self) > 1 && self.poll_requests(context) {
            self.caller.wake();
        }
        Poll::Pending
    }

    /// Starts and polls requests. Returns whether one of them is complete.
    fn poll_requests(&self, context: &mut Context<'_>) -> bool {
        let mut works = self.works.take();
        self.schedule.borrow_mut().start(&mut works);
        let started = works.len();
        // Polling may call user callbacks, so nothing may be borrowed.
        works.retain_mut(|work| match work.future.as_mut().poll(context) {
            Poll::Ready(output) => {
                self.schedule.borrow_mut().complete(output);
                false
            }
            Poll::Pending => true,
        });
        let has_progress = works.len() < started;
        self.works.set(works);
        has_progress
    }
}
