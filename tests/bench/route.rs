//! One `client.page(AddressLogsParams)` on the response in a file: `tests/bench/route.mjs` counts what it executes.
#![allow(clippy::unwrap_used, reason = "a failure ends the program")]

use std::env::args;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Waker};

use address_query::client::{Client, HttpRequest, NetworkError, Response, Runtime};
use address_query::endpoint::AddressLogsParams;

/// Responds to each request with this body, at once.
struct OneResponse(Vec<u8>);

impl Runtime for OneResponse {
    type Body = Option<Vec<u8>>;

    async fn send(&self, _: HttpRequest<'_>) -> Result<Response<Self::Body>, NetworkError> {
        Ok(Response { status: 200, headers: Vec::new(), body: Some(self.0.clone()) })
    }

    async fn chunk(&self, body: &mut Self::Body) -> Result<Option<Vec<u8>>, NetworkError> {
        Ok(body.take())
    }

    async fn sleep(&self, _: u64) {}

    fn spawn(&self, _: Pin<Box<dyn Future<Output = ()>>>) {}

    fn now_ms(&self) -> u64 {
        1_700_000_000_000
    }

    fn random(&self) -> f64 {
        0.5
    }
}

#[allow(unsafe_code, reason = "the profiler is written in C")]
fn reset_counters() {
    unsafe extern "C" {
        fn __llvm_profile_reset_counters();
    }
    // SAFETY: the program has one thread.
    unsafe { __llvm_profile_reset_counters() }
}

fn main() {
    let [_, address, path] = args().collect::<Vec<_>>().try_into().unwrap();
    let client = Client::new(OneResponse(std::fs::read(path).unwrap()), "https://sample.invalid".parse().unwrap());
    let params = AddressLogsParams::new(address.parse().unwrap());
    reset_counters();
    let page = pin!(client.page(&params)).poll(&mut Context::from_waker(Waker::noop()));
    assert!(page.map(|page| page.unwrap().items.len()).is_ready());
}
