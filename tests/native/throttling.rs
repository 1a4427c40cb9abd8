//! The rate limiter against scripted servers in virtual time, beside a plain retry loop: exponential backoff with full
//! jitter, `Retry-After` and `x-ratelimit-reset` honoured.
//!
//! `SEEDS=100 cargo test --release --test native throttling -- --nocapture` prints the table (part of `make soak`).

use std::cell::{OnceCell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use address_query::client::{Client, Runtime};

use crate::client::{BASE, first_page_of, page, params, patient};
use crate::range::dice::Dice;
use crate::runtime::{Reply, Script, Together};

const PER_SECOND: u32 = 5;
/// Requests that a browser keeps open to one host.
const CONNECTIONS: u64 = 6;
const LIST_PAGES: u64 = 104;
/// Seeds of a plain test run, and at most.
const SEEDS: u32 = 8;
const MAX_SEEDS: u32 = 100;

/// Which requests a server refuses or fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// Five tokens, refilled at five a second.
    Bucket,
    /// Five in each second of the server's clock.
    Window,
    /// 300 in each minute of the server's clock: the default for anonymous callers.
    Minute,
    /// Thirty of a hundred, whatever the rate.
    Random,
}

/// What a refused or failed request gets.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Failure {
    /// A 429. Every response tells what remains of the limit.
    RateHeaders,
    /// A 429 that states this wait in milliseconds.
    Stated(u64),
    /// A 429 without a word.
    Bare,
    /// A 429 without CORS headers, or a reset: the browser reports a network failure.
    Network,
    /// A 500.
    Status500,
}

struct Server {
    rule: Rule,
    failure: Failure,
    dice: Dice,
    /// Whether the nth request fails, for [`Rule::Random`]: the same for whoever asks.
    fates: Dice,
    phase_ms: u64,
    tokens: f64,
    seen_ms: u64,
    window: (u64, u32),
    requests: u32,
    failed: u32,
}

impl Server {
    fn new(rule: Rule, failure: Failure, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let phase_ms = dice.roll(0, if rule == Rule::Minute { 59_999 } else { 999 });
        Self {
            rule,
            failure,
            dice,
            fates: Dice::new(seed + 1000),
            phase_ms,
            tokens: f64::from(PER_SECOND),
            seen_ms: 0,
            window: (0, 0),
            requests: 0,
            failed: 0,
        }
    }

    /// Whether this request is accepted, how many more would be, and the milliseconds until there are more.
    fn accept(&mut self, now: u64) -> (bool, u32, u64) {
        match self.rule {
            Rule::Random => (!self.fates.percent(30), 0, 0),
            Rule::Window | Rule::Minute => {
                let (window_ms, limit) = if self.rule == Rule::Window { (1000, PER_SECOND) } else { (60_000, 300) };
                let clock = now + self.phase_ms;
                let number = clock / window_ms;
                let count = if self.window.0 == number { self.window.1 + 1 } else { 1 };
                self.window = (number, count);
                (count <= limit, limit.saturating_sub(count), window_ms - clock % window_ms)
            }
            Rule::Bucket => {
                #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
                let passed = (now - self.seen_ms) as f64;
                self.seen_ms = now;
                let capacity = f64::from(PER_SECOND);
                self.tokens = (self.tokens + passed * capacity / 1000.0).min(capacity);
                let is_accepted = self.tokens >= 1.0;
                if is_accepted {
                    self.tokens -= 1.0;
                }
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 5")]
                let remaining = self.tokens as u32;
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a second")]
                let reset = ((1.0 - self.tokens).max(0.0) * 1000.0 / capacity).ceil() as u64;
                (is_accepted, remaining, reset)
            }
        }
    }

    fn reply(&mut self, url: &str, now: u64) -> Reply {
        self.requests += 1;
        assert!(self.requests < 20_000, "the requests never end");
        let (is_accepted, remaining, reset) = self.accept(now);
        let reply = Reply::default().wait(self.dice.roll(20, 40));
        let (remaining, reset) = (remaining.to_string(), reset.to_string());
        let limits = [("x-ratelimit-remaining", &*remaining), ("x-ratelimit-reset", &*reset)];
        let limits = if self.failure == Failure::RateHeaders { &limits[..] } else { &[] };
        if is_accepted {
            let number: u64 = url.rsplit_once("index=").map_or(1, |(_, number)| number.parse().unwrap());
            let next = if number < LIST_PAGES { format!(r#"{{"index":{}}}"#, number + 1) } else { "null".into() };
            return reply.then_head(200, limits).chunk(page(&[1], &next));
        }
        self.failed += 1;
        match self.failure {
            Failure::RateHeaders => reply.then_head(429, limits),
            Failure::Stated(ms) => reply.then_head(429, &[("x-ratelimit-reset", &ms.to_string())]),
            Failure::Bare => reply.then_head(429, &[]),
            Failure::Network => reply.lost("Failed to fetch"),
            Failure::Status500 => reply.then_head(500, &[]),
        }
    }
}

/// What came of one run.
#[derive(Debug, Default, Clone, Copy)]
struct Outcome {
    ms: u64,
    refused: u32,
    failed_calls: usize,
}

/// Runs callers against a server of this seed.
fn run(rule: Rule, failure: Failure, seed: u64, callers: impl FnOnce(&Script) -> usize) -> Outcome {
    let server = Rc::new(RefCell::new(Server::new(rule, failure, seed)));
    let (clock, asked) = (Rc::new(OnceCell::<Script>::new()), Rc::clone(&server));
    let now = Rc::clone(&clock);
    let script = Script::of(move |url| asked.borrow_mut().reply(url, now.get().unwrap().elapsed_ms()));
    clock.set(script.clone()).unwrap();
    let mut dice = Dice::new(seed + 2000);
    #[expect(clippy::cast_precision_loss, reason = "below a million")]
    script.set_chances((0..20_000).map(|_| dice.roll(0, 999_999) as f64 / 1e6));
    let failed_calls = callers(&script);
    let server = server.borrow();
    Outcome { ms: script.elapsed_ms(), refused: server.failed, failed_calls }
}

/// Calls that are all made at once, by so many clients with a rate limiter each.
fn calls(script: &Script, clients: u64, calls: u64) -> usize {
    let clients: Vec<Client<Script>> = (0..clients).map(|_| patient(script)).collect();
    let mut together = Together::default();
    for (number, client) in (0..calls).zip(clients.iter().cycle()) {
        together.begin(first_page_of(client.clone(), number));
    }
    script.block_on(together.finish()).iter().filter(|outcome| outcome.is_err()).count()
}

/// A list, page after page. A page that fails is asked for again.
fn list(script: &Script) -> usize {
    let mut pager = patient(script).pages(&params()).unwrap();
    let (mut pages, mut failed) = (0, 0);
    loop {
        match script.block_on(pager.next()) {
            Ok(Some(_)) => pages += 1,
            Ok(None) => break,
            Err(_) => failed += 1,
        }
    }
    assert_eq!(pages, LIST_PAGES);
    failed
}

/// One response by the plain loop.
async fn plain(script: &Script, url: &str) {
    let mut backoff_ms = 500.0_f64;
    loop {
        let mut stated = None;
        if let Ok(mut response) = script.send(url, true).await {
            while let Ok(Some(_)) = script.chunk(&mut response.body).await {}
            if response.status == 200 {
                return;
            }
            let headers = &response.headers;
            let reset = headers.iter().find(|(name, _)| *name == "x-ratelimit-reset" && response.status == 429);
            stated = reset.map(|(_, value)| value.parse().unwrap());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 20 s")]
        let jittered = (backoff_ms * script.random()) as u64;
        script.sleep(stated.unwrap_or(jittered)).await;
        backoff_ms = (backoff_ms * 2.0).min(20_000.0);
    }
}

/// The same calls by plain loops, as many at once as a browser has connections.
fn plain_calls(script: &Script, clients: u64, calls: u64) {
    let queue = RefCell::new((0..calls).collect::<VecDeque<u64>>());
    let next = || queue.borrow_mut().pop_front();
    let mut together = Together::default();
    for _ in 0..clients * CONNECTIONS {
        together.begin(async {
            while let Some(number) = next() {
                plain(script, &format!("{BASE}/{number}")).await;
            }
        });
    }
    script.block_on(together.finish());
}

fn plain_list(script: &Script) {
    for number in 1..=LIST_PAGES {
        script.block_on(plain(script, &format!("{BASE}/?index={number}")));
    }
}

/// What came of the runs of all seeds.
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

/// Runs the client and the plain loop over all seeds, and prints a row of the table.
fn compare(
    name: &str,
    (rule, failure): (Rule, Failure),
    client: impl Fn(&Script) -> usize,
    plain: impl Fn(&Script),
) -> (Summary, Summary) {
    let seeds = std::env::var("SEEDS").map_or(SEEDS, |seeds| seeds.parse().expect("SEEDS is a number"));
    let (mut ours, mut theirs) = (Summary::default(), Summary::default());
    for seed in 0..seeds.min(MAX_SEEDS).into() {
        ours.add(run(rule, failure, seed, &client));
        theirs.add(run(rule, failure, seed, |script| {
            plain(script);
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

#[test]
fn true_limits_take_at_most_1_15_of_the_ideal_with_few_refusals() {
    print_head();
    for rule in [Rule::Bucket, Rule::Window] {
        for failure in KNOWN {
            let name = format!("{rule:?}, {failure:?}, 100 calls");
            let (ours, _) =
                compare(&name, (rule, failure), |script| calls(script, 1, 100), |script| plain_calls(script, 1, 100));
            assert_eq!(ours.failed_calls, 0, "{name}");
            assert!(ours.mean_ms() <= 19_000 * 115 / 100, "{name}: {} ms", ours.mean_ms());
            assert!(ours.mean_refused() <= 12, "{name}: {} refusals", ours.mean_refused());
        }
    }
}

#[test]
fn hidden_limits_and_two_clients_fail_no_call() {
    print_head();
    for rule in [Rule::Bucket, Rule::Window] {
        for (clients, failure) in [(1, Failure::Network), (2, Failure::Network), (2, KNOWN[0]), (2, KNOWN[1])] {
            let name = format!("{rule:?}, {failure:?}, 120 calls, {clients} client(s)");
            let ours = |script: &Script| calls(script, clients, 120);
            let (ours, _) = compare(&name, (rule, failure), ours, |script| plain_calls(script, clients, 120));
            assert_eq!(ours.failed_calls, 0, "{name}");
            assert!(ours.mean_refused() <= 60, "{name}: {} refusals", ours.mean_refused());
        }
    }
}

#[test]
fn a_limit_per_minute_fails_no_call() {
    print_head();
    for failure in [Failure::RateHeaders, Failure::Bare, Failure::Network] {
        let name = format!("300 a minute, {failure:?}, 400 calls");
        let plain = |script: &Script| plain_calls(script, 1, 400);
        let (ours, _) = compare(&name, (Rule::Minute, failure), |script| calls(script, 1, 400), plain);
        assert_eq!(ours.failed_calls, 0, "{name}");
    }
}

#[test]
fn random_failures_take_at_most_1_3_of_the_plain_loop() {
    print_head();
    let random = [Failure::Stated(250), Failure::Stated(1000), Failure::Bare, Failure::Status500, Failure::Network];
    for failure in random {
        let name = format!("30 % {failure:?}, {LIST_PAGES} pages");
        let (ours, plain) = compare(&name, (Rule::Random, failure), list, plain_list);
        assert!(ours.ms * 10 <= plain.ms * 13, "{name}: {} ms, plain loop {} ms", ours.mean_ms(), plain.mean_ms());
    }
}
