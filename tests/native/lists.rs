//! Lists whose parts are read in parallel, in virtual time: the items equal the items of a sequential pager.

mod oldest_first;
mod parts;
mod unserved;

use std::rc::Rc;

use address_query::client::{Client, ClientOptions, RetryPolicy, Runtime};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::MethodCall;
use address_query::testing::decode::{BadRecord, FramePage};
use address_query::testing::endpoint::{ParamValue, find_operation};

use crate::client::{BASE, named_values};
use crate::range::parallel::random_concurrency;
use crate::range::random_histories::run_cases;
use crate::range::rng::Rng;
use crate::service::{
    Fault, LOGS, Mark, PENDING, Row, Schema, Script, Service, TRANSACTIONS, WITHDRAWALS, random_latency,
};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

/// The items, and the JSON of bad records.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub items: Vec<Row>,
    pub bad: Vec<String>,
    /// Where pages were not served: the number of items before it, its block, and its path.
    pub unserved: Vec<(usize, Option<u64>, String)>,
    pub errors: Vec<ErrorCode>,
}

/// A service in virtual time.
pub struct Setup {
    pub service: Rc<Service>,
    pub runtime: TestRuntime,
    pub client: Client<TestRuntime>,
}

impl Setup {
    pub fn new(service: Rc<Service>, latency_ms: impl FnMut(&str) -> u64 + 'static) -> Self {
        let runtime = service.connect(latency_ms);
        Self::with_runtime(service, runtime)
    }

    /// A service that responds with this function of the URL.
    fn with_handler(service: Rc<Service>, respond: impl FnMut(&str) -> MockResponse + 'static) -> Self {
        Self::with_runtime(service, TestRuntime::with_service(respond))
    }

    fn with_runtime(service: Rc<Service>, runtime: TestRuntime) -> Self {
        let mut options = ClientOptions::new(BASE.parse().unwrap());
        options.decode_options.skip_bad_records = true;
        options.retry_policy = RetryPolicy::default().max_attempts(1);
        let client = Client::with_options(runtime.clone(), options);
        Self { service, runtime, client }
    }

    pub fn open(&self, concurrency: u32, resume: Option<&str>) -> ListCall {
        self.open_with(&[("concurrency", ParamValue::Number(concurrency.into()))], resume)
    }

    pub fn open_with(&self, options: &[(&str, ParamValue)], resume: Option<&str>) -> ListCall {
        let mut options = named_values(options);
        options.extend(resume.map(|token| ("resume".to_owned(), ParamValue::String(token.into()))));
        let method = self.service.method();
        let call = MethodCall::new(&self.client, method, &params(), &options, false).unwrap();
        ListCall { call, resume_token: resume.map(Into::into) }
    }

    /// Reads the list to its end.
    fn read_pages(&self, concurrency: u32) -> Outcome {
        let (mut outcome, mut call) = (Outcome::default(), self.open(concurrency, None));
        while let Some(page) = self.runtime.block_on(call.next()).unwrap() {
            outcome.add(self.service.method(), &page);
        }
        outcome
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
pub fn logs_of_one_item_per_block(blocks: u64) -> Rc<Service> {
    Service::new([(LOGS, (1..=blocks).map(|block| Row::new(block, 0)).collect())], Script::with_page_size(50), 0)
}

/// The parameters of a call.
fn params() -> Vec<(String, ParamValue)> {
    vec![("address_hash".into(), ParamValue::String(HASH_A.into()))]
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
            let field = table.find_field(name.as_bytes()).unwrap().field;
            page.frame.integer(page.frame.get(row as usize + field))
        };
        let is_unserved = |bad: &&BadRecord| bad.raw.is_empty();
        let places = page.bad_records.iter().filter(is_unserved);
        self.unserved.extend(places.map(|bad| (self.items.len() + bad.position, bad.block, bad.path.clone())));
        self.items.extend(page.rows.iter().map(|row| {
            let block = read(*row, "block_number").unwrap_or(PENDING);
            match method {
                "addressLogs" => Row::new(block, read(*row, "index").unwrap()),
                "addressTransactions" => Row::new(block, read(*row, "position").unwrap()),
                _ => Row::new(read(*row, "index").unwrap(), 0),
            }
        }));
        self.bad.extend(page.bad_records.iter().filter(|bad| !is_unserved(bad)).map(|bad| bad.raw.clone()));
    }
}

/// The items of these that are served, newest first.
pub fn served(rows: &[Row]) -> Vec<Row> {
    rows.iter().rev().filter(|row| row.mark == Mark::None).copied().collect()
}

/// The served items of the service, newest first.
pub fn served_items(service: &Service) -> Vec<Row> {
    service.edit(|list| served(&list.rows))
}

/// Every cursor also has the values of the request.
const REPEATED_KEYS: &[Fault] = &[Fault::DuplicateCursorKeys];

const SORTED_BY_BLOCK: [Schema; 4] = [LOGS, LOGS, TRANSACTIONS, WITHDRAWALS];

/// Returns random rows, oldest first, of blocks whose density varies.
fn random_rows(schema: Schema, rng: &mut Rng, page_size: usize) -> Vec<Row> {
    let pages = if rng.chance(20) { rng.between(0, 2) } else { rng.between(3, 25) };
    let count = pages * page_size as u64 + rng.between(0, page_size as u64);
    let mut rows = Vec::new();
    let mut block = rng.between(0, 1_000);
    let mut gap = 3;
    while (rows.len() as u64) < count {
        if rng.chance(5) {
            gap = rng.pick(&[0, 1, 10, 1_000]);
        }
        block += 1 + rng.between(0, gap);
        let is_withdrawal = schema.method == WITHDRAWALS.method;
        let size = if is_withdrawal || rng.chance(60) { 1 } else { rng.between(2, 2 * page_size as u64) };
        let first = if is_withdrawal { 0 } else { rng.between(0, 1) };
        rows.extend((first..first + size).map(|index| Row::new(block, index)));
    }
    if schema.method == TRANSACTIONS.method && rng.chance(50) {
        rows.extend((0..rng.between(1, 3 * page_size as u64)).map(|index| Row::new(PENDING, index)));
    }
    rows
}

/// Where the page starts for a cursor that the service has not sent.
type SynthesizedCursors = fn(&[Row], usize) -> Option<usize>;
const REFUSED: SynthesizedCursors = |_, _| None;
/// It returns the first page.
const IGNORED: SynthesizedCursors = |_, _| Some(0);
/// It returns an empty last page.
const EMPTY: SynthesizedCursors = |rows, _| Some(rows.len());
/// It skips a block.
const INEXACT: SynthesizedCursors =
    |rows, start| Some(start + rows[start..].iter().take_while(|row| row.block == rows[start].block).count());

/// Creates a service with one of these lists. Its rows, which fill up to 25 pages of the normal size times `factor`, and its script
/// are random, and `change` changes them.
fn random_service(
    rng: &mut Rng,
    seed: u64,
    schemas: &[Schema],
    (low, high, factor): (u64, u64, usize),
    change: impl FnOnce(&mut Rng, &mut Vec<Row>, &mut Script),
) -> Rc<Service> {
    let (schema, page_size) = (rng.pick(schemas), usize::try_from(rng.between(low, high)).unwrap());
    let mut rows = random_rows(schema, rng, factor * page_size);
    let mut script = Script {
        faults: &[Fault::InternalServerError, Fault::ConnectionResetInBody, Fault::HtmlChallengePage],
        ..Script::with_page_size(page_size)
    };
    change(rng, &mut rows, &mut script);
    Service::new([(schema, rows)], script, seed)
}

/// Reads random lists sequentially and in parts, and compares.
fn compare(suite: u64, count: u64, change: impl Fn(&mut Rng, &mut Vec<Row>, &mut Script), resume_percent: u64) {
    run_cases(suite, count, |rng, seed| {
        let service = random_service(rng, seed, &SORTED_BY_BLOCK, (2, 8, 1), &change);
        let sequential = Setup::new(service.copy(seed), random_latency(seed)).read(1, rng, 0);
        let parallel =
            Setup::new(service.copy(seed), random_latency(seed)).read(random_concurrency(rng), rng, resume_percent);
        let Script { fail, faults, .. } = *service.script.borrow();
        if fail == 0 || faults == REPEATED_KEYS {
            assert_eq!(parallel, sequential);
        }
        assert_eq!((parallel.items, parallel.bad), (served_items(&service), sequential.bad));
    });
}

/// Marks some of the rows. How many of a hundred is random, within these bounds.
fn mark_some(rows: &mut [Row], rng: &mut Rng, (low, high): (u64, u64), mark: Mark) {
    let percent = rng.between(low, high);
    for row in rows.iter_mut().filter(|_| rng.chance(percent)) {
        row.mark = mark;
    }
}

#[test]
fn items_equal_those_of_a_sequential_pager() {
    compare(40, 300, |_, _, _| {}, 0);
}

#[test]
fn keys_that_are_sent_twice_lead_to_the_next_page() {
    compare(47, 150, |_, _, script| (script.fail, script.faults) = (100, REPEATED_KEYS), 10);
}

#[test]
fn interrupted_and_resumed_anywhere_the_items_are_the_same() {
    compare(41, 300, |rng, _, script| script.fail = rng.between(0, 1) * rng.between(5, 40), 20);
}

#[test]
fn pages_without_items_and_short_pages_lose_no_item() {
    compare(42, 150, |rng, rows, _| mark_some(rows, rng, (10, 90), Mark::Hidden), 10);
}

#[test]
fn bad_records_are_reported_once() {
    compare(43, 150, |rng, rows, _| mark_some(rows, rng, (1, 30), Mark::Bad), 0);
}

#[test]
fn a_service_that_mishandles_synthesized_cursors_loses_no_item() {
    let pick = |rng: &mut Rng| rng.pick(&[REFUSED, IGNORED, EMPTY, INEXACT]);
    compare(44, 150, |rng, _, script| script.synthesized_cursors = pick(rng), 0);
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
        let expected: Vec<_> = pages.iter().flatten().map(|index| Row::new(index.unsigned_abs(), 0)).collect();
        let service = Service::new([(WITHDRAWALS, Vec::new())], Script::NORMAL, seed);
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
        let service = random_service(rng, seed, &SORTED_BY_BLOCK, (2, 8, 1), |_, _, script| script.grow = 50);
        let mut expected = served_items(&service);
        let outcome = Setup::new(service, random_latency(seed)).read(random_concurrency(rng), rng, 10);
        // The first page may have items that were added before it was read.
        expected.retain(|item| item.block != PENDING);
        let found: Vec<_> = outcome.items.into_iter().filter(|item| item.block != PENDING).collect();
        assert!(found.ends_with(&expected));
        assert!(found.is_sorted_by(|a, b| a > b));
    });
}
