//! Fault runs: every list, every action with records and every range, read whole through 30 % faults in virtual time.
//! Whatever goes wrong, every record comes once and in order, every error tells what happened, and no call hangs.
//!
//! `SEEDS=1000 cargo test --release --test native soak -- --nocapture` is the long form (`make soak`).

mod faults;
mod read;
mod rows;
mod service;
mod table;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use address_query::client::Client;
use address_query::decode::page::Layout;
use address_query::endpoint::{find_action, find_list};

use crate::range::dice::Dice;
use crate::runtime::{START_MS, Script};
use faults::{Kind, plain, undrifted};
use read::{Caller, Hang, balances_of, compare, given};
use rows::{ACTIONS, ActionRows, LISTS, ListRows};
use service::Service;
use table::{Log, Outcome, Table};

/// Of a hundred requests.
const FAULTS: u64 = 30;
/// Requests of one read, or of all reads at once, at most: more of them lead nowhere.
const MOST_REQUESTS: u32 = 100_000;

/// What is read.
#[derive(Clone, Copy)]
enum Read {
    List(&'static ListRows),
    /// Oldest or newest first.
    Range(&'static ActionRows, &'static str),
    Pages(&'static ActionRows),
    Balances,
}

impl Read {
    fn all(dice: &mut Dice) -> Vec<Self> {
        let sort = if dice.percent(50) { "asc" } else { "desc" };
        let ranges = ACTIONS.iter().filter(|action| action.ranged).map(|action| Self::Range(action, sort));
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

    /// What is there to be read.
    fn truth(self, service: &Service) -> Vec<String> {
        let of = |action: &ActionRows| given(&service.action(action), find_action(action.method).unwrap().layout);
        match self {
            Self::List(list) => {
                let declared = find_list(list.method).unwrap();
                given(&service.list(list), Layout::list(declared.item, declared.envelope))
            }
            Self::Range(action, sort) => {
                let mut rows = of(action);
                if sort == "desc" {
                    rows.reverse();
                }
                rows
            }
            Self::Pages(action) => {
                let mut rows = of(action);
                if action.action != "tokenlist" {
                    let size = (service.window / 4).max(1);
                    rows.truncate(usize::try_from(service.window / size * size).unwrap());
                }
                rows
            }
            Self::Balances => balances_of(&addresses()),
        }
    }

    async fn read(self, caller: Caller) -> Result<Vec<String>, Hang> {
        match self {
            Self::List(list) => caller.list(list).await,
            Self::Range(action, sort) => caller.range(action, sort).await,
            Self::Pages(action) => caller.pages(action).await,
            Self::Balances => caller.balances(&addresses()).await,
        }
    }
}

/// More than one request takes, and some twice.
fn addresses() -> Vec<String> {
    (0..45).map(|number| format!("0x{:040x}", 1 + number * 7 % 41)).collect()
}

/// A service, its faults, and what becomes of them.
struct Run {
    service: Rc<RefCell<Service>>,
    dice: Rc<RefCell<Dice>>,
    log: Rc<RefCell<Log>>,
    /// The kinds that happen; all, if there is none.
    kind: Option<Kind>,
}

impl Run {
    fn new(seed: u64, kind: Option<Kind>) -> Self {
        let mut dice = Dice::new(seed);
        let service = Rc::new(RefCell::new(Service::new(&mut dice)));
        Self { service, dice: Rc::new(RefCell::new(dice)), log: Rc::default(), kind }
    }

    /// A caller of this service, with a connection of its own.
    fn caller(&self, drops: u64) -> Caller {
        let (service, dice, log) = (Rc::clone(&self.service), Rc::clone(&self.dice), Rc::clone(&self.log));
        let clock: Rc<RefCell<Option<Script>>> = Rc::default();
        let (kind, own_clock, mut requests) = (self.kind, Rc::clone(&clock), 0);
        let script = Script::of(move |url| {
            requests += 1;
            assert!(requests < MOST_REQUESTS, "asks without an end: {url}");
            let (mut service, mut dice) = (service.borrow_mut(), dice.borrow_mut());
            if !dice.percent(FAULTS) {
                log.borrow_mut().asked(url, None);
                return plain(&service.answer(url), &mut dice);
            }
            let any = usize::try_from(dice.roll(0, Kind::ALL.len() as u64 - 1)).unwrap();
            let hit = kind.unwrap_or(Kind::ALL[any]);
            let now_ms = START_MS + own_clock.borrow().as_ref().map_or(0, Script::elapsed_ms);
            let (reply, is_hit) = hit.reply(&mut service, url, now_ms, &mut dice);
            log.borrow_mut().asked(url, is_hit.then_some(hit));
            reply
        });
        // The clock is asked by its own service; the circle ends with the caller's clock.
        *clock.borrow_mut() = Some(script.clone());
        let client = Client::new(script.clone(), "https://eth.blockscout.com".parse().unwrap());
        let (dice, log) = (Rc::clone(&self.dice), Rc::clone(&self.log));
        let window = self.service.borrow().window;
        Caller { script, client, log, dice, window, drops }
    }

    /// Reads one thing after the other, or all at once with one client.
    fn read(self, reads: &[Read], drops: u64) -> Log {
        let caller = self.caller(drops);
        let truth = |read: &Read| read.truth(&self.service.borrow());
        let blocks = self.service.borrow().blocks;
        let before: Vec<_> = reads.iter().map(truth).collect();
        let outcomes = catch_unwind(AssertUnwindSafe(|| {
            let reading = reads.iter().map(|read| {
                Box::pin(read.read(caller.clone())) as Pin<Box<dyn Future<Output = Result<Vec<String>, Hang>>>>
            });
            caller.script.block_on(all(reading.collect()))
        }));
        let mut log = self.log.borrow_mut();
        match outcomes {
            Ok(outcomes) => {
                log.ended();
                let has_grown = self.service.borrow().blocks > blocks;
                for ((read, outcome), before) in reads.iter().zip(outcomes).zip(&before) {
                    log.table.reads += 1;
                    let Ok(rows) = outcome else {
                        log.complain(self.kind, Outcome::Hang, format!("{} hangs", read.name()));
                        continue;
                    };
                    log.table.records += rows.len() as u64;
                    let rows: Vec<String> = rows.iter().map(|row| undrifted(row)).collect();
                    let after = has_grown.then(|| truth(read));
                    for (outcome, count) in compare(&rows, before, after.as_ref().unwrap_or(before)) {
                        log.table.count(self.kind, outcome, count);
                        if count > 0 {
                            log.complaints.push(format!("{}: {count} records {outcome:?}", read.name()));
                        }
                    }
                }
            }
            Err(panic) => {
                let said = panic.downcast_ref::<String>().map(String::as_str);
                let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
                log.complain(self.kind, Outcome::Untyped, said.to_owned());
            }
        }
        std::mem::take(&mut log)
    }
}

/// Runs futures side by side until all are ready.
async fn all<T>(mut futures: Vec<Pin<Box<dyn Future<Output = T> + '_>>>) -> Vec<T> {
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

/// Reads everything once: by single callers, each meeting one kind of fault or all of them, and by many at once.
fn soak(seed: u64, table: &mut Table, complaints: &mut Vec<String>) {
    let mut add = |log: Log, what: &str| {
        table.add(log.table);
        complaints.extend(log.complaints.into_iter().map(|said| format!("seed {seed}, {what}: {said}")));
    };
    let reads = Read::all(&mut Dice::new(seed));
    if seed % 4 == 3 {
        return add(Run::new(seed, None).read(&reads, 0), "all at once");
    }
    let drops = if seed % 4 == 1 { 10 } else { 0 };
    for (index, read) in (seed..).zip(&reads) {
        // Half of the reads meet a kind of their own.
        let kind = usize::try_from(index).unwrap() % (2 * Kind::ALL.len());
        let run = Run::new(seed * 1_000 + index, Kind::ALL.get(kind).copied());
        add(run.read(&[*read], drops), read.name());
    }
}

#[test]
fn every_record_comes_once_whatever_goes_wrong() {
    let seeds = std::env::var("SEEDS").map_or(20, |seeds| seeds.parse().expect("SEEDS is a number"));
    let (mut table, mut complaints) = (Table::default(), Vec::new());
    (0..seeds).for_each(|seed| soak(seed, &mut table, &mut complaints));
    println!("{table}, {seeds} seeds");
    let first: Vec<&String> = complaints.iter().take(20).collect();
    assert!(table.is_clean(), "{} complaints, the first: {first:#?}", complaints.len());
    for kind in Kind::ALL {
        assert!(table.faults(*kind) > 0, "{} never happened", kind.name());
        assert_eq!(table.of(*kind, Outcome::Retried) > 0, kind.is_retried(), "{}", kind.name());
    }
}
