//! Compares the client with a plain retry loop against simulated servers with rate limits, in virtual time. The plain loop uses
//! exponential backoff with full jitter, and obeys `x-ratelimit-reset`. Its first backoff is 500 ms. The loop of `make pace` begins
//! with 200 ms, and its server responds at once.
//!
//! `SEEDS=200 cargo test --release --test native throttling -- --nocapture` prints the table (part of `make soak`).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt;

use address_query::client::{Client, HttpRequest, RateLimits, Runtime};

use crate::client::peers::create_tabs;
use crate::client::{WITHDRAWALS as LIST, first_page_of, params, retrying_client};
use crate::range::rng::Rng;
use crate::service::{Fault, Row, Script, Service, WITHDRAWALS};
use crate::test_runtime::{ConcurrentTasks, TestRuntime};

/// Number of connections that a browser opens to a host.
const CONNECTIONS: u64 = 6;
const LIST_PAGES: u64 = 104;
/// Default and maximum number of seeds.
const SEEDS: u32 = 8;
/// Random failures, and clients that do not share a limiter, vary more and need at least this many seeds.
const MANY_SEEDS: u32 = 50;
const MAX_SEEDS: u32 = 200;

/// Result of a run.
#[derive(Debug, Default, Clone, Copy)]
struct Outcome {
    ms: u64,
    refused: u32,
    failed_calls: usize,
}

/// What a service refuses, or which of its requests fail at random, and the response to these.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rule {
    /// Without one, 30 % of the requests fail at random, whatever the rate.
    limit: RateLimit,
    failure: Failure,
}

/// The response to a request that is refused or fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Failure {
    /// A 429. Every response states what remains of the limit.
    RateHeaders,
    /// A 429 that states this wait in milliseconds.
    Stated(u64),
    /// A 429 without headers.
    Bare,
    /// A 429 without CORS headers, or a reset: the browser reports a network failure.
    Network,
    /// A 500.
    Status500,
}

impl Rule {
    const fn script(self) -> Script {
        let Self { limit, failure } = self;
        let faults: &[Fault] = match failure {
            Failure::RateHeaders | Failure::Stated(_) | Failure::Bare => &[Fault::RateLimitedNoHeaders],
            Failure::Network => &[Fault::NetworkError],
            Failure::Status500 => &[Fault::InternalServerError],
        };
        let fail = if matches!(limit, RateLimit::None) { 30 } else { 0 };
        Script { fail, faults, ..Script::with_page_size(1) }
    }
}

/// Which requests the service refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RateLimit {
    None,
    /// A token bucket of five tokens, refilled at five per second.
    Bucket,
    /// Five requests in each second of the service's clock.
    Window,
    /// 300 requests in each minute of the service's clock: the default limit without an API key.
    Minute,
}

impl RateLimit {
    /// Returns a function of the time, which returns whether a request is accepted, what remains of the limit, and its reset.
    fn accept(self, seed: u64) -> impl FnMut(u64) -> (bool, u64, u64) {
        let phase_ms = Rng::new(seed).between(0, 59_999);
        // A token is refilled in 200 ms.
        let (mut tokens_ms, mut seen_ms, mut window) = (1_000, 0, (0, 0));
        move |now_ms| match self {
            Self::None => (true, 0, 0),
            Self::Bucket => {
                tokens_ms = (tokens_ms + now_ms - seen_ms).min(1_000);
                seen_ms = now_ms;
                let is_accepted = tokens_ms >= 200;
                tokens_ms -= if is_accepted { 200 } else { 0 };
                (is_accepted, tokens_ms / 200, 200_u64.saturating_sub(tokens_ms))
            }
            Self::Window | Self::Minute => {
                let (window_ms, limit) = if self == Self::Window { (1_000, 5_u64) } else { (60_000, 300) };
                let clock = now_ms + phase_ms;
                let count = if window.0 == clock / window_ms { window.1 + 1 } else { 1 };
                window = (clock / window_ms, count);
                (count <= limit, limit.saturating_sub(count), window_ms - clock % window_ms)
            }
        }
    }
}

/// Runs callers against a service with this seed.
fn run(rule: Rule, seed: u64, callers: impl FnOnce(&TestRuntime) -> usize) -> Outcome {
    let rows = (1..=LIST_PAGES).map(|index| Row::new(index, 0)).collect();
    let service = Service::new([(WITHDRAWALS, rows)], rule.script(), seed);
    let mut latencies = Rng::new(seed + 1000);
    let (limited, mut accept) = (service.clone(), rule.limit.accept(seed));
    let runtime = TestRuntime::with_timed_service(move |url, now_ms| {
        let (is_accepted, remaining, reset_ms) = accept(now_ms);
        if rule.limit != RateLimit::None {
            limited.script.borrow_mut().fail = if is_accepted { 0 } else { 100 };
        }
        let response = limited.respond(url, latencies.between(20, 40));
        let header = |name, number: u64| (name, number.to_string());
        match rule.failure {
            Failure::RateHeaders => response
                .add_headers(&[header("x-ratelimit-remaining", remaining), header("x-ratelimit-reset", reset_ms)]),
            Failure::Stated(ms) if limited.requests.borrow().last() != Some(&None) => {
                response.add_headers(&[header("x-ratelimit-reset", ms)])
            }
            _ => response,
        }
    });
    let mut rng = Rng::new(seed + 2000);
    #[expect(clippy::cast_precision_loss, reason = "below a million")]
    runtime.queue_random((0..20_000).map(|_| rng.between(0, 999_999) as f64 / 1e6));
    let failed_calls = callers(&runtime);
    let refused = service.requests.borrow().iter().flatten().map(|_| 1).sum();
    Outcome { ms: runtime.elapsed_ms(), refused, failed_calls }
}

/// Makes all calls at once, with this many clients, each with its own rate limiter. Returns the number of failed calls.
fn calls(runtime: &TestRuntime, clients: u64, calls: u64) -> usize {
    let clients: Vec<Client<TestRuntime>> = (0..clients).map(|_| retrying_client(runtime)).collect();
    let calls = (0..calls).zip(clients.iter().cycle()).map(|(number, client)| first_page_of(client.clone(), number));
    runtime.block_on_all(calls).iter().filter(|outcome| outcome.is_err()).count()
}

/// Reads a list, and retries pages that fail. Returns the number of failures.
fn list(runtime: &TestRuntime) -> usize {
    let mut pager = retrying_client(runtime).pages(&params()).unwrap();
    let (mut pages, mut failed) = (0, 0);
    loop {
        match runtime.block_on(pager.next()) {
            Ok(Some(_)) => pages += 1,
            Ok(None) => break,
            Err(_) => failed += 1,
        }
    }
    assert_eq!(pages, LIST_PAGES);
    failed
}

/// Reads as many pages with this many requests at a time, and repeats calls that fail. Returns the number of failures.
fn concurrent_pages(runtime: &TestRuntime, concurrency: u32) -> usize {
    let (client, queue, failed) = (retrying_client(runtime), RefCell::new(0..LIST_PAGES), Cell::new(0));
    let next = || queue.borrow_mut().next();
    runtime.block_on_all((0..concurrency).map(async |_| {
        while let Some(number) = next() {
            while first_page_of(client.clone(), number).await.is_err() {
                failed.set(failed.get() + 1);
            }
        }
    }));
    failed.get()
}

/// Reads this many pages in each of two tabs whose limiters exchange events, with this many requests at a time in each.
fn read_in_tabs(runtime: &TestRuntime, pages: u64, concurrency: u32) {
    let clients = create_tabs(runtime, 2, RateLimits::default(), true);
    let queues = [(); 2].map(|()| RefCell::new(0..pages));
    let mut tasks = ConcurrentTasks::default();
    for (client, queue) in clients.iter().zip(&queues) {
        for _ in 0..concurrency {
            tasks.spawn(async move {
                let next = || queue.borrow_mut().next();
                while let Some(number) = next() {
                    first_page_of(client.clone(), number).await.unwrap();
                }
            });
        }
    }
    runtime.block_on(tasks.join());
}

/// Requests a URL with the plain loop.
async fn plain(runtime: &TestRuntime, url: &str) {
    let mut backoff_ms = 500.0_f64;
    loop {
        let mut stated = None;
        if let Ok(mut response) = runtime.send(HttpRequest::new(url)).await {
            while let Ok(Some(_)) = runtime.chunk(&mut response.body).await {}
            if response.status == 200 {
                return;
            }
            let headers = &response.headers;
            let reset = headers.iter().find(|(name, _)| *name == "x-ratelimit-reset" && response.status == 429);
            stated = reset.map(|(_, value)| value.parse().unwrap());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 20 s")]
        let jittered = (backoff_ms * runtime.random()) as u64;
        runtime.sleep(stated.unwrap_or(jittered)).await;
        backoff_ms = (backoff_ms * 2.0).min(20_000.0);
    }
}

/// Makes the same calls with plain loops, one per connection of a browser.
fn plain_calls(runtime: &TestRuntime, clients: u64, calls: u64) {
    let queue = RefCell::new((0..calls).collect::<VecDeque<u64>>());
    let next = || queue.borrow_mut().pop_front();
    runtime.block_on_all((0..clients * CONNECTIONS).map(async |_| {
        while next().is_some() {
            plain(runtime, LIST).await;
        }
    }));
}

fn plain_list(runtime: &TestRuntime) {
    for _ in 0..LIST_PAGES {
        runtime.block_on(plain(runtime, LIST));
    }
}

/// Results of the runs with all seeds.
#[derive(Debug, Default)]
struct Summary {
    runs: u32,
    ms: u64,
    max_ms: u64,
    refused: u32,
    max_refused: u32,
    failed_calls: usize,
}

impl Summary {
    fn add(&mut self, outcome: Outcome) {
        self.runs += 1;
        self.ms += outcome.ms;
        self.max_ms = self.max_ms.max(outcome.ms);
        self.refused += outcome.refused;
        self.max_refused = self.max_refused.max(outcome.refused);
        self.failed_calls += outcome.failed_calls;
    }

    fn mean_ms(&self) -> u64 {
        self.ms / u64::from(self.runs)
    }

    fn mean_refused(&self) -> u32 {
        self.refused / self.runs
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { max_ms, max_refused, failed_calls, .. } = self;
        let tenths = |ms: u64| format!("{}.{}", ms / 1000, ms % 1000 / 100);
        let (mean, max) = (tenths(self.mean_ms()), tenths(*max_ms));
        write!(f, "{mean:>6} {max:>6} {:>6} {max_refused:>5} {failed_calls:>5}", self.mean_refused())
    }
}

/// Runs the client over all seeds, and with `SEEDS` the plain loop too. Prints a row of the table.
fn measure(
    name: &str,
    min_seeds: u32,
    rule: Rule,
    client: impl Fn(&TestRuntime) -> usize,
    plain: impl Fn(&TestRuntime),
) -> Summary {
    if std::env::var("SEEDS").is_ok() {
        return compare(name, min_seeds, rule, client, plain).0;
    }
    compare(name, min_seeds, rule, client, |_| {}).0
}

/// Runs the client and the plain loop over at least this many seeds, and prints a row of the table.
fn compare(
    name: &str,
    min_seeds: u32,
    rule: Rule,
    client: impl Fn(&TestRuntime) -> usize,
    plain: impl Fn(&TestRuntime),
) -> (Summary, Summary) {
    let seeds = std::env::var("SEEDS").map_or(min_seeds, |seeds| seeds.parse().expect("SEEDS is a number"));
    let seeds = seeds.max(min_seeds);
    let (mut ours, mut theirs) = (Summary::default(), Summary::default());
    for seed in 0..seeds.min(MAX_SEEDS).into() {
        ours.add(run(rule, seed, &client));
        theirs.add(run(rule, seed, |runtime| {
            plain(runtime);
            0
        }));
    }
    println!("{name:<44} {ours} | {theirs}");
    (ours, theirs)
}

fn print_head() {
    let columns = format!("{:>6} {:>6} {:>6} {:>5} {:>5}", "s", "max", "failed", "max", "calls");
    println!("\n{:<44} {columns} | {columns} (plain loop)", "");
}

const KNOWN: [Failure; 2] = [Failure::RateHeaders, Failure::Bare];

/// Asserts that the runs took at most these percentages of the ideal time, on average and at worst.
fn assert_time(name: &str, summary: &Summary, ideal_ms: u64, mean_percent: u64, max_percent: u64) {
    let Summary { max_ms, .. } = *summary;
    assert!(summary.mean_ms() * 100 <= ideal_ms * mean_percent, "{name}: {} ms on average", summary.mean_ms());
    assert!(max_ms * 100 <= ideal_ms * max_percent, "{name}: {max_ms} ms at worst");
}

/// Asserts that the runs had at most these numbers of refusals, on average and at worst.
fn assert_refused(name: &str, summary: &Summary, mean: u32, max: u32) {
    assert!(summary.mean_refused() <= mean, "{name}: {} refusals on average", summary.mean_refused());
    assert!(summary.max_refused <= max, "{name}: {} refusals at worst", summary.max_refused);
}

/// 100 calls take at least 19 s: five at once, then five per second.
#[test]
fn visible_limits_take_at_most_1_15_of_the_ideal_with_few_refusals() {
    print_head();
    for limit in [RateLimit::Bucket, RateLimit::Window] {
        for failure in KNOWN {
            let name = format!("{limit:?}, {failure:?}, 100 calls");
            let ours = |runtime: &TestRuntime| calls(runtime, 1, 100);
            let ours = measure(&name, SEEDS, Rule { limit, failure }, ours, |runtime| plain_calls(runtime, 1, 100));
            assert_eq!(ours.failed_calls, 0, "{name}");
            // Without headers the client does not know when a window ends. It waits too long or is refused again.
            let max_percent = if (limit, failure) == (RateLimit::Window, Failure::Bare) { 125 } else { 115 };
            assert_time(&name, &ours, 19_000, 115, max_percent);
            assert_refused(&name, &ours, 12, 15);
        }
    }
}

#[test]
fn sequential_reader_learns_a_limit_that_the_service_does_not_state() {
    print_head();
    for limit in [RateLimit::Bucket, RateLimit::Window] {
        for failure in [Failure::Bare, Failure::Network] {
            let name = format!("{limit:?}, {failure:?}, {LIST_PAGES} pages");
            let (ours, plain) = compare(&name, SEEDS, Rule { limit, failure }, list, plain_list);
            assert!(ours.ms <= plain.ms, "{name}: {} ms, plain loop {} ms", ours.mean_ms(), plain.mean_ms());
            assert_refused(&name, &ours, 10, 12);
        }
    }
}

/// 120 calls take at least 23 s.
#[test]
fn hidden_limits_fail_no_call() {
    print_head();
    for limit in [RateLimit::Bucket, RateLimit::Window] {
        let name = format!("{limit:?}, Network, 120 calls");
        let ours = |runtime: &TestRuntime| calls(runtime, 1, 120);
        let ours = measure(&name, SEEDS, Rule { limit, failure: Failure::Network }, ours, |runtime| {
            plain_calls(runtime, 1, 120);
        });
        assert_eq!(ours.failed_calls, 0, "{name}");
        assert_time(&name, &ours, 23_000, 115, 125);
        assert_refused(&name, &ours, 14, 20);
    }
}

/// Two clients that do not share a rate limiter, as in two tabs, need more refusals than one. They send twelve requests at once,
/// of which the service accepts five. Then each client must probe how much of the limit the other leaves to it: it finds out
/// only by a refusal. The client that gets less takes some seconds to use the whole limit after the other has finished.
///
/// About one request in six is refused. So a call very rarely meets five refusals in a row, and fails.
#[test]
fn two_clients_take_at_most_1_15_of_the_ideal_and_hardly_fail_a_call() {
    print_head();
    for limit in [RateLimit::Bucket, RateLimit::Window] {
        for failure in [Failure::Network, KNOWN[0], KNOWN[1]] {
            let name = format!("{limit:?}, {failure:?}, 120 calls, 2 clients");
            let ours = |runtime: &TestRuntime| calls(runtime, 2, 120);
            let plain = |runtime: &TestRuntime| plain_calls(runtime, 2, 120);
            let ours = measure(&name, MANY_SEEDS, Rule { limit, failure }, ours, plain);
            let max_failed = ours.runs * 120 / 10_000;
            assert!(ours.failed_calls <= max_failed as usize, "{name}: {} failed calls", ours.failed_calls);
            assert_time(&name, &ours, 23_000, 115, 135);
            assert_refused(&name, &ours, 30, 40);
        }
    }
}

#[test]
fn a_limit_per_minute_fails_no_call() {
    print_head();
    for failure in [Failure::RateHeaders, Failure::Bare, Failure::Network] {
        let name = format!("300 a minute, {failure:?}, 400 calls");
        let plain = |runtime: &TestRuntime| plain_calls(runtime, 1, 400);
        let ours =
            measure(&name, SEEDS, Rule { limit: RateLimit::Minute, failure }, |runtime| calls(runtime, 1, 400), plain);
        assert_eq!(ours.failed_calls, 0, "{name}");
    }
}

#[test]
fn random_failures_take_at_most_1_3_of_the_plain_loop() {
    print_head();
    let random = [Failure::Stated(250), Failure::Stated(1000), Failure::Bare, Failure::Status500, Failure::Network];
    for failure in random {
        let name = format!("30 % {failure:?}, {LIST_PAGES} pages");
        let (ours, plain) = compare(&name, MANY_SEEDS, Rule { limit: RateLimit::None, failure }, list, plain_list);
        assert!(ours.ms * 10 <= plain.ms * 13, "{name}: {} ms, plain loop {} ms", ours.mean_ms(), plain.mean_ms());
    }
}

/// The learned rate falls until the failures are known to be random. Sequential callers have no learned rate then, and wait only
/// for the backoff.
#[test]
fn random_failures_of_concurrent_requests_take_at_most_twice_the_plain_loop() {
    print_head();
    for concurrency in [2, 4] {
        for failure in [Failure::Bare, Failure::Network] {
            let name = format!("30 % {failure:?}, {LIST_PAGES} pages, {concurrency} at a time");
            let ours = |runtime: &TestRuntime| concurrent_pages(runtime, concurrency);
            let (ours, plain) = compare(&name, MANY_SEEDS, Rule { limit: RateLimit::None, failure }, ours, plain_list);
            assert!(ours.ms <= plain.ms * 2, "{name}: {} ms, plain loop {} ms", ours.mean_ms(), plain.mean_ms());
        }
    }
}

/// Each tab reads half of what one would read in 23 s.
#[test]
fn connected_tabs_share_a_limit() {
    print_head();
    for limit in [RateLimit::Bucket, RateLimit::Window] {
        for failure in [Failure::Network, Failure::Bare] {
            for concurrency in [1, 4, 60] {
                let name = format!("{limit:?}, {failure:?}, 2 tabs, {concurrency} at a time");
                let ours = |runtime: &TestRuntime| {
                    read_in_tabs(runtime, 60, concurrency);
                    0
                };
                let ours = measure(&name, SEEDS, Rule { limit, failure }, ours, |runtime| plain_calls(runtime, 2, 120));
                assert_time(&name, &ours, 23_000, 115, 135);
                assert_refused(&name, &ours, 24, 32);
            }
        }
    }
}
