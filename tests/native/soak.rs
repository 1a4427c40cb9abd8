//! Fault runs: reads every list, action and range to its end while 30% of the requests meet a fault, in virtual time. Every
//! record must be returned once and in order, every error must have the right code, and no call may hang.
//!
//! `SEEDS=1000 cargo test --release --test native soak -- --nocapture` runs more seeds (`make soak`).

mod caller;
mod outcomes;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use address_query::client::Client;
use address_query::testing::endpoint::find_operation;

use crate::range::rng::Rng;
use crate::service::{ACTIONS, Fault, LISTS, Mark, Query, Row, Schema, Script, Service};
use crate::test_runtime::TestRuntime;
use caller::{Caller, Hang, compare, decode_rows, expected_balances};
use outcomes::{Log, Outcome, Table};

/// The percentage of requests that meet a fault.
const FAULT_PERCENT: u64 = 30;
/// The block of the first record of a list. It exceeds 32 bits.
const FIRST_BLOCK: u64 = 10_000_000_000;

/// The list or range that a caller reads.
#[derive(Clone, Copy)]
enum Read {
    List(&'static Schema),
    /// The range of an action, with its `sort` parameter.
    Range(&'static Schema, &'static str),
    Pages(&'static Schema),
    Balances,
}

impl Read {
    fn all(rng: &mut Rng) -> Vec<Self> {
        let sort = if rng.chance(50) { "asc" } else { "desc" };
        let sort_of = |action: &Schema| if action.has_order() { sort } else { "asc" };
        let ranges = ACTIONS.iter().filter(|action| action.is_range).map(|action| Self::Range(action, sort_of(action)));
        LISTS
            .iter()
            .map(Self::List)
            .chain(ranges)
            .chain(ACTIONS.iter().map(Self::Pages))
            .chain([Self::Balances])
            .collect()
    }

    const fn name(self) -> &'static str {
        match self {
            Self::List(list) => list.method,
            Self::Range(action, _) | Self::Pages(action) => action.method,
            Self::Balances => "balanceMulti",
        }
    }

    /// Returns the records that the service has.
    fn expected_rows(self, service: &Service) -> Vec<String> {
        let page_limit = service.script.borrow().page_limit;
        let lists = service.lists.borrow();
        let records = |schema: &Schema| {
            let list = lists.iter().find(|list| list.schema.method == schema.method).unwrap();
            decode_rows(&list.schema.records(&list.rows, 0), find_operation(schema.method).unwrap().layout)
        };
        match self {
            Self::List(list) => {
                let mut rows = records(list);
                rows.reverse();
                rows
            }
            Self::Range(action, sort) => {
                let mut rows = records(action);
                if sort == "desc" {
                    rows.reverse();
                }
                rows
            }
            Self::Pages(action) => {
                let mut rows = records(action);
                if !action.has_order() {
                    rows.truncate(usize::try_from(page_limit).unwrap());
                } else if action.is_paged() {
                    let page_size = (page_limit / 4).max(1);
                    rows.truncate(usize::try_from(page_limit / page_size * page_size).unwrap());
                }
                rows
            }
            Self::Balances => expected_balances(&addresses()),
        }
    }

    async fn read(self, caller: Caller) -> Result<Vec<String>, Hang> {
        match self {
            Self::List(list) => caller.read_list(list).await,
            Self::Range(action, sort) => caller.read_range(action, sort).await,
            Self::Pages(action) => caller.read_pages(action).await,
            Self::Balances => caller.read_balances(&addresses()).await,
        }
    }
}

/// Returns more addresses than one request takes, some of them twice.
fn addresses() -> Vec<String> {
    (0..45).map(|number| format!("0x{:040x}", 1 + number * 7 % 41)).collect()
}

/// Creates a service with random records of every list and action.
fn random_service(rng: &mut Rng, fault: Option<&'static Fault>, seed: u64) -> Rc<Service> {
    let page_size = usize::try_from(rng.between(3, 15)).unwrap();
    let script = Script {
        version: rng.pick(&[8, 11, 12]),
        page_size,
        // A larger size is reduced without an error.
        max_page_size: 2 * page_size,
        page_limit: rng.between(6, 40),
        fail: FAULT_PERCENT,
        faults: fault.map_or(Fault::ALL, std::slice::from_ref),
        synthesized_cursors: |_, _| None,
        max_chunk_bytes: 20_000,
        ..Script::NORMAL
    };
    let list = |schema: &Schema, rng: &mut Rng| {
        let mark = |number: u64| if number % 7 == 3 || number % 90 < 21 { Mark::Hidden } else { Mark::None };
        let row = |number| Row::new(FIRST_BLOCK + number, number % 3).marked(mark(number));
        (*schema, (1..=rng.between(0, 120)).map(row).collect())
    };
    let mut last_id = 0;
    let mut action = |schema: &Schema, rng: &mut Rng| {
        let (mut block, mut rows) = (1_000, Vec::new());
        for _ in 0..rng.between(0, 30) {
            block += 1 + rng.between(0, 3) * rng.between(0, 500);
            // Rows beyond a full response of one block are out of reach without pages.
            let max_rows = if rng.chance(6) && schema.has_order() { 2 * script.page_limit } else { 4 };
            for _ in 0..rng.between(1, max_rows) {
                // Some records are equal.
                last_id += u64::from(!schema.is_range || rng.chance(95));
                rows.push(Row::new(block, last_id));
            }
            last_id += 1;
        }
        (*schema, rows)
    };
    let lists = LISTS.iter().map(|schema| list(schema, rng)).collect::<Vec<_>>();
    let actions = ACTIONS.iter().map(|schema| action(schema, rng)).collect::<Vec<_>>();
    Service::new(lists.into_iter().chain(actions), script, seed)
}

/// A service with its faults, and the log of their outcomes.
struct Run {
    service: Rc<Service>,
    rng: Rc<RefCell<Rng>>,
    log: Rc<RefCell<Log>>,
    /// The only kind of fault that occurs. `None` means all kinds.
    fault: Option<Fault>,
}

impl Run {
    fn new(seed: u64, fault: Option<&'static Fault>) -> Self {
        let mut rng = Rng::new(seed);
        let service = random_service(&mut rng, fault, seed);
        Self { service, rng: Rc::new(RefCell::new(rng)), log: Rc::default(), fault: fault.copied() }
    }

    /// Creates a caller of this service with its own client and clock.
    fn create_caller(&self, drop_percent: u64) -> Caller {
        let (service, log, mut latencies) = (self.service.clone(), Rc::clone(&self.log), Rng::new(1));
        let runtime = TestRuntime::with_service(move |url| {
            assert_page_size(url, service.script.borrow().version);
            let response = service.respond(url, latencies.between(0, 40));
            log.borrow_mut().record_request(url, service.requests.borrow().last().copied().flatten());
            response
        });
        let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
        let (rng, log) = (Rc::clone(&self.rng), Rc::clone(&self.log));
        let page_limit = self.service.script.borrow().page_limit;
        Caller { runtime, client, log, rng, page_limit, drop_percent }
    }

    /// Runs all reads concurrently with one client.
    fn run(self, reads: &[Read], drop_percent: u64) -> Log {
        let caller = self.create_caller(drop_percent);
        let expected_rows = |read: &Read| read.expected_rows(&self.service);
        let before: Vec<_> = reads.iter().map(expected_rows).collect();
        let outcomes = catch_unwind(AssertUnwindSafe(|| {
            let futures = reads.iter().map(|read| {
                Box::pin(read.read(caller.clone())) as Pin<Box<dyn Future<Output = Result<Vec<String>, Hang>>>>
            });
            caller.runtime.block_on(join_all(futures.collect()))
        }));
        let mut log = self.log.borrow_mut();
        match outcomes {
            Ok(outcomes) => {
                log.finish(&self.service);
                for ((read, outcome), before) in reads.iter().zip(outcomes).zip(&before) {
                    log.table.reads += 1;
                    let Ok(rows) = outcome else {
                        log.fail(self.fault, Outcome::Hang, format!("{} hangs", read.name()));
                        continue;
                    };
                    log.table.records += rows.len() as u64;
                    let rows: Vec<String> = rows.iter().map(|row| row.replace("-next\"", "\"")).collect();
                    for (outcome, count) in compare(&rows, before, &expected_rows(read)) {
                        log.table.count(self.fault, outcome, count);
                        if count > 0 {
                            log.failures.push(format!("{}: {count} records {outcome:?}", read.name()));
                        }
                    }
                }
            }
            Err(panic) => {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
                log.fail(self.fault, Outcome::WrongError, message.to_owned());
            }
        }
        std::mem::take(&mut log)
    }
}

/// Panics for a page size that the client must not send to this version.
fn assert_page_size(url: &str, version: u64) {
    if let Some(size) = Query::parse(url).number("items_count") {
        assert!(
            version == 8 || size == if version == 11 { 50 } else { 100 },
            "items_count {size} in version {version}"
        );
    }
}

/// Runs futures concurrently until all are ready.
async fn join_all<T>(mut futures: Vec<Pin<Box<dyn Future<Output = T> + '_>>>) -> Vec<T> {
    let mut ready: Vec<Option<T>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, ready) in futures.iter_mut().zip(&mut ready).filter(|(_, ready)| ready.is_none()) {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                *ready = Some(value);
            }
        }
        if ready.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    ready.into_iter().flatten().collect()
}

/// Runs every read once with this seed. Every fourth seed runs all reads concurrently. The others run each read with a
/// separate client, which meets one kind of fault or all kinds.
fn run_seed(seed: u64, table: &mut Table, failures: &mut Vec<String>) {
    let mut add = |log: Log, name: &str| {
        table.add(log.table);
        failures.extend(log.failures.into_iter().map(|failure| format!("seed {seed}, {name}: {failure}")));
    };
    let reads = Read::all(&mut Rng::new(seed));
    if seed % 4 == 3 {
        return add(Run::new(seed, None).run(&reads, 0), "all at once");
    }
    let drop_percent = if seed % 4 == 1 { 10 } else { 0 };
    for (index, read) in (seed..).zip(&reads) {
        // Half of the reads meet only one kind of fault.
        let kind = usize::try_from(index).unwrap() % (2 * Fault::ALL.len());
        let run = Run::new(seed * 1_000 + index, Fault::ALL.get(kind));
        add(run.run(&[*read], drop_percent), read.name());
    }
}

#[test]
fn every_list_and_every_action_with_rows_is_read() {
    for list in address_query::testing::endpoint::lists() {
        let is_read = LISTS.iter().any(|rows| rows.method == list.name);
        assert!(
            is_read,
            "the soak test does not read the list {}: add its records to LISTS in service/schemas.rs",
            list.name
        );
    }
    for action in address_query::testing::endpoint::actions().filter(|action| action.layout.rows.is_some()) {
        // The simulated service has neither GraphQL nor JSON-RPC: it sees no bodies.
        if action.rpc_method.is_some() {
            continue;
        }
        let is_read = action.name == "balanceMulti" || ACTIONS.iter().any(|rows| rows.method == action.name);
        assert!(
            is_read,
            "the soak test does not read the action {}: add its records to ACTIONS in service/schemas.rs",
            action.name
        );
    }
}

#[test]
fn returns_every_record_once_whatever_fault_occurs() {
    let seeds = std::env::var("SEEDS").map_or(20, |seeds| seeds.parse().expect("SEEDS is a number"));
    let (mut table, mut failures) = (Table::default(), Vec::new());
    (0..seeds).for_each(|seed| run_seed(seed, &mut table, &mut failures));
    println!("{table}, {seeds} seeds");
    let first: Vec<&String> = failures.iter().take(20).collect();
    assert!(table.has_no_failures(), "{} failures, the first: {first:#?}", failures.len());
    for kind in Fault::ALL {
        assert!(table.fault_count(*kind) > 0, "{kind:?} never occurred");
        let is_retried = kind.error().is_some() && !matches!(kind, Fault::HtmlForbiddenPage | Fault::RepeatedCursor);
        assert_eq!(table.outcome_count(*kind, Outcome::Retried) > 0, is_retried, "{kind:?}");
    }
}
