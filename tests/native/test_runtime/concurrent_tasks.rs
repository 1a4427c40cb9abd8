//! [`ConcurrentTasks`]: futures of a test that run concurrently.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use super::TestRuntime;

/// Futures that run concurrently, in the order in which they were spawned. Each is polled only when it was woken.
pub struct ConcurrentTasks<'a, T>(Vec<Task<'a, T>>);

impl<T> Default for ConcurrentTasks<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

enum Task<'a, T> {
    Running(Pin<Box<dyn Future<Output = T> + 'a>>, Arc<TaskWaker>),
    Done(T),
    Canceled,
}

/// Whether a task was woken, and the waker of the future that polls all tasks.
struct TaskWaker(AtomicBool, Mutex<Waker>);

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
        self.1.lock().unwrap().wake_by_ref();
    }
}

impl<'a, T> ConcurrentTasks<'a, T> {
    /// Adds a future. It starts with the next [`run_for`](Self::run_for) or [`join`](Self::join).
    pub fn spawn(&mut self, future: impl Future<Output = T> + 'a) {
        let waker = TaskWaker(AtomicBool::new(true), Mutex::new(Waker::noop().clone()));
        self.0.push(Task::Running(Box::pin(future), Arc::new(waker)));
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
            let Task::Running(future, waker) = task else { continue };
            waker.1.lock().unwrap().clone_from(context.waker());
            if waker.0.swap(false, Ordering::Relaxed) {
                let own = Waker::from(Arc::clone(waker));
                if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&own)) {
                    *task = Task::Done(value);
                    continue;
                }
            }
            all_done = false;
        }
        all_done
    }
}
