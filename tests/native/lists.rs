//! Lists whose parts are read in parallel, in virtual time: the items equal the items of a sequential pager.

mod oldest_first;
mod parts;
mod service;
mod unserved;

use address_query::client::{Client, ClientOptions, RetryPolicy, Runtime};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::MethodCall;
use address_query::testing::decode::{BadRecord, FramePage};
use address_query::testing::endpoint::{ParamValue, find_operation};

use self::service::{Behavior, Item, Kind, Service, SynthesizedCursors, random_items};
use crate::client::BASE;
use crate::range::parallel::random_concurrency;
use crate::range::random_histories::run_cases;
use crate::range::rng::Rng;
use crate::test_runtime::{MockResponse, TestRuntime};

/// The block and index of each item, and the JSON of bad records.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub items: Vec<(Option<u64>, u64)>,
    pub bad: Vec<String>,
    /// Where pages were not served: the number of items before it, its block, and its path.
    pub unserved: Vec<(usize, Option<u64>, String)>,
    pub errors: Vec<ErrorCode>,
}

/// A service in virtual time.
pub struct Setup {
    pub service: Service,
    pub runtime: TestRuntime,
    pub client: Client<TestRuntime>,
}

impl Setup {
    pub fn new(service: Service, mut latency_ms: impl FnMut(&str) -> u64 + 'static) -> Self {
        let handler = service.clone();
        Self::with_handler(service, move |url| handler.respond(url, latency_ms(url)))
    }

    /// A service that responds with this function.
    fn with_handler(service: Service, respond: impl FnMut(&str) -> MockResponse + 'static) -> Self {
        let runtime = TestRuntime::with_service(respond);
        let mut options = ClientOptions::new(BASE.parse().unwrap());
        options.decode_options.skip_bad_records = true;
        options.retry_policy = RetryPolicy::default().max_attempts(1);
        let client = Client::with_options(runtime.clone(), options);
        Self { service, runtime, client }
    }

    fn with_random_latency(service: Service, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self::new(service, move |_| rng.between(1, 1_000))
    }

    pub fn open(&self, concurrency: u32, resume: Option<&str>) -> ListCall {
        self.open_with(&[("concurrency", ParamValue::Number(concurrency.into()))], resume)
    }

    pub fn open_with(&self, options: &[(&str, ParamValue)], resume: Option<&str>) -> ListCall {
        let mut options: Vec<_> = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        options.extend(resume.map(|token| ("resume".to_owned(), ParamValue::String(token.into()))));
        let method = self.service.method();
        let call = MethodCall::new(&self.client, method, &Service::params(), &options, false).unwrap();
        ListCall { call, resume_token: resume.map(Into::into) }
    }

    /// Reads the list to its end. With a chance of `resume_percent` after each page or error, a new call with another number of
    /// concurrent requests continues from the resume token.
    fn read(&self, concurrency: u32, rng: &mut Rng, resume_percent: u64) -> Outcome {
        let mut outcome = Outcome::default();
        let mut call = self.open(concurrency, None);
        loop {
            match self.runtime.block_on(call.next()) {
                Ok(None) => {
                    assert_eq!((call.resume_token(), self.runtime.open_requests()), (None, 0));
                    return outcome;
                }
                Ok(Some(page)) => outcome.add(self.service.method(), &page),
                Err(error) => {
                    assert_eq!(error.resume_token, call.resume_token());
                    outcome.errors.push(error.code);
                }
            }
            if rng.chance(20) {
                // The requests continue while the caller is busy.
                self.runtime.block_on(self.runtime.sleep(rng.between(0, 5_000)));
            }
            let token = call.resume_token();
            if rng.chance(resume_percent) && (token.is_some() || outcome.items.is_empty()) {
                call = self.open(rng.pick(&[1, 2, 4]), token.as_deref());
            }
        }
    }
}

/// A service with a list of logs, one per block.
pub fn logs_of_one_item_per_block(blocks: u64) -> Service {
    let items = (1..=blocks).rev().map(|block| Item::new(block, 0)).collect();
    Service::new(Kind::Logs, items, Behavior::normal(50), 0)
}

/// A call of a list.
pub struct ListCall {
    call: MethodCall<TestRuntime>,
    /// Continues after the last page.
    resume_token: Option<String>,
}

impl ListCall {
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        let MethodCall::List(_, reader) = &mut self.call else { panic!("not a list") };
        let page = reader.next().await?;
        self.resume_token = page.as_ref().and_then(|page| Some(page.resume.as_ref()?.token()));
        Ok(page.map(|page| page.page))
    }

    pub fn resume_token(&self) -> Option<String> {
        self.resume_token.clone()
    }
}

impl Outcome {
    pub fn add(&mut self, method: &str, page: &FramePage) {
        let table = find_operation(method).unwrap().layout.row;
        let read = |row: u32, name: &str| {
            let field = table.find_field(name.as_bytes()).unwrap().0;
            page.frame.integer(page.frame.get(row as usize + field))
        };
        let is_unserved = |bad: &&BadRecord| bad.raw.is_empty();
        let places = page.bad_records.iter().filter(is_unserved);
        self.unserved.extend(places.map(|bad| (self.items.len() + bad.position, bad.block, bad.path.clone())));
        self.items.extend(page.rows.iter().map(|row| match method {
            "addressLogs" => (read(*row, "block_number"), read(*row, "index").unwrap()),
            "addressTransactions" => (read(*row, "block_number"), read(*row, "position").unwrap()),
            _ => (read(*row, "index"), 0),
        }));
        self.bad.extend(page.bad_records.iter().filter(|bad| !is_unserved(bad)).map(|bad| bad.raw.clone()));
    }
}

/// The items as [`Outcome`] has them.
pub fn positions(service: &Service, items: &[Item]) -> Vec<(Option<u64>, u64)> {
    let is_counted = |item: &&Item| !item.is_bad && !item.is_hidden && !item.is_unserved;
    let has_index = service.method() != "addressWithdrawals";
    items.iter().filter(is_counted).map(|item| (item.block, if has_index { item.index } else { 0 })).collect()
}

fn random_kind(rng: &mut Rng) -> Kind {
    rng.pick(&[Kind::Logs, Kind::Logs, Kind::Transactions, Kind::Withdrawals])
}

/// Reads random lists sequentially and in parts, and compares.
fn compare(suite: u64, count: u64, change: impl Fn(&mut Rng, &mut Vec<Item>, &mut Behavior), resume_percent: u64) {
    run_cases(suite, count, |rng, seed| {
        let (kind, page_size) = (random_kind(rng), usize::try_from(rng.between(2, 8)).unwrap());
        let mut items = random_items(kind, rng, page_size);
        let mut behavior = Behavior::normal(page_size);
        change(rng, &mut items, &mut behavior);
        let service = || Service::new(kind, items.clone(), behavior, seed);
        let sequential = Setup::with_random_latency(service(), seed).read(1, rng, 0);
        let parallel = Setup::with_random_latency(service(), seed).read(random_concurrency(rng), rng, resume_percent);
        if behavior.fault_percent == 0 {
            assert_eq!(parallel, sequential);
        }
        assert_eq!(parallel.items, positions(&service(), &items));
        assert_eq!(parallel.bad, sequential.bad);
    });
}

/// Sets a flag of some items. How many of a hundred is random, within these bounds.
fn flag_some(items: &mut [Item], rng: &mut Rng, (low, high): (u64, u64), flag: fn(&mut Item) -> &mut bool) {
    let percent = rng.between(low, high);
    for item in items {
        *flag(item) = rng.chance(percent);
    }
}

#[test]
fn items_equal_those_of_a_sequential_pager() {
    compare(40, 300, |_, _, _| {}, 0);
}

#[test]
fn keys_that_are_sent_twice_lead_to_the_next_page() {
    compare(47, 150, |_, _, behavior| behavior.repeats_keys = true, 10);
}

#[test]
fn interrupted_and_resumed_anywhere_the_items_are_the_same() {
    compare(41, 300, |rng, _, behavior| behavior.fault_percent = rng.between(0, 1) * rng.between(5, 40), 20);
}

#[test]
fn pages_without_items_and_short_pages_lose_no_item() {
    compare(42, 150, |rng, items, _| flag_some(items, rng, (10, 90), |item| &mut item.is_hidden), 10);
}

#[test]
fn bad_records_are_reported_once() {
    compare(43, 150, |rng, items, _| flag_some(items, rng, (1, 30), |item| &mut item.is_bad), 0);
}

#[test]
fn a_service_that_mishandles_synthesized_cursors_loses_no_item() {
    let change = |rng: &mut Rng, _: &mut Vec<Item>, behavior: &mut Behavior| {
        let kinds = [
            SynthesizedCursors::Refused,
            SynthesizedCursors::Ignored,
            SynthesizedCursors::Empty,
            SynthesizedCursors::Inexact,
        ];
        behavior.synthesized_cursors = rng.pick(&kinds);
    };
    compare(44, 150, change, 0);
}

#[test]
fn items_in_another_order_are_neither_repeated_nor_dropped() {
    run_cases(45, 100, |rng, seed| {
        // A service whose pages are in a random order, and whose cursors are the index of the page.
        let mut pages: Vec<Vec<i64>> =
            (0..rng.between(2, 12)).map(|page| vec![i64::try_from(page).unwrap() * 10]).collect();
        for at in (1..pages.len()).rev() {
            pages.swap(at, usize::try_from(rng.between(0, at as u64)).unwrap());
        }
        let expected: Vec<_> = pages.iter().flatten().map(|index| (Some(index.unsigned_abs()), 0)).collect();
        let service = Service::new(Kind::Withdrawals, Vec::new(), Behavior::normal(1), seed);
        let setup = Setup::with_handler(service, move |url| {
            let from = url.split_once("index=").and_then(|(_, index)| index.split('&').next()?.parse::<i64>().ok());
            let known = from.map(|from| pages.iter().position(|page| page[0] == from));
            let Some(next) = known.map_or(Some(0), |known| Some(known? + 1)) else {
                return MockResponse::status(422, "no");
            };
            let cursor =
                if next + 1 < pages.len() { format!(r#"{{"index":{}}}"#, pages[next][0]) } else { "null".into() };
            MockResponse::ok(crate::client::page(&pages[next], &cursor))
        });
        assert_eq!(setup.read(4, rng, 0).items, expected);
    });
}

#[test]
fn new_items_at_the_top_neither_repeat_nor_drop_others() {
    run_cases(46, 150, |rng, seed| {
        let (kind, page_size) = (random_kind(rng), usize::try_from(rng.between(2, 8)).unwrap());
        let items = random_items(kind, rng, page_size);
        let behavior = Behavior { growth_percent: 50, ..Behavior::normal(page_size) };
        let service = Service::new(kind, items.clone(), behavior, seed);
        let outcome = Setup::with_random_latency(service.clone(), seed).read(random_concurrency(rng), rng, 10);
        let mut expected = positions(&service, &items);
        // The first page may have items that were added before it was read.
        expected.retain(|item| item.0.is_some());
        let found: Vec<_> = outcome.items.into_iter().filter(|item| item.0.is_some()).collect();
        assert!(found.ends_with(&expected));
        assert!(found.is_sorted_by(|a, b| a > b));
    });
}
