//! [`ConcurrentTasks`]: futures of a test that run concurrently.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use super::TestRuntime;

/// Futures that run concurrently, in the order in which they were spawned.
pub struct ConcurrentTasks<'a, T>(Vec<Task<'a, T>>);

impl<T> Default for ConcurrentTasks<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

enum Task<'a, T> {
    Running(Pin<Box<dyn Future<Output = T> + 'a>>),
    Done(T),
    Canceled,
}

impl<'a, T> ConcurrentTasks<'a, T> {
    /// Adds a future. It starts with the next [`run_for`](Self::run_for) or [`join`](Self::join).
    pub fn spawn(&mut self, future: impl Future<Output = T> + 'a) {
        self.0.push(Task::Running(Box::pin(future)));
    }

    /// Drops a future. The first has index 0.
    pub fn cancel(&mut self, index: usize) {
        self.0[index] = Task::Canceled;
    }

    /// Runs all futures for this time.
    pub async fn run_for(&mut self, runtime: &TestRuntime, ms: u64) {
        let mut clock = pin!(runtime.wait_ms(ms));
        poll_fn(|context| {
            self.poll_all(context);
            clock.as_mut().poll(context)
        })
        .await;
    }

    /// Runs all futures to completion. Returns the outputs, except of canceled futures.
    pub async fn join(mut self) -> Vec<T> {
        poll_fn(|context| if self.poll_all(context) { Poll::Ready(()) } else { Poll::Pending }).await;
        self.0.into_iter().filter_map(|task| if let Task::Done(value) = task { Some(value) } else { None }).collect()
    }

    fn poll_all(&mut self, context: &mut Context<'_>) -> bool {
        let mut all_done = true;
        for task in &mut self.0 {
            if let Task::Running(future) = task {
                match future.as_mut().poll(context) {
                    Poll::Ready(value) => *task = Task::Done(value),
                    Poll::Pending => all_done = false,
                }
            }
        }
        all_done
    }
}
