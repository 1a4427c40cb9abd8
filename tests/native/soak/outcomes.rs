//! Counts faults by kind and outcome. [`Log`] finds the outcome of each fault from the requests that follow it.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use address_query::error::{Error, ErrorCode};

use crate::service::{Fault, LISTS, Query, Service, VERSION_PATH};
use crate::support::HASH_A;

/// The outcome of a fault, or of the read that met it. The outcomes from `Unnoticed` on are failures of the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The client used the response in spite of the fault.
    Passed,
    /// The client retried the request.
    Retried,
    /// A range reader requested fewer blocks.
    Narrowed,
    /// The caller dropped the call before there was another outcome.
    Dropped,
    /// The caller got an error with a resume token, and continued from there.
    Resumed,
    /// The caller got an error without a resume token, and started again.
    Restarted,
    /// The client used a faulty response that it should have rejected.
    Unnoticed,
    /// An error with the wrong code, or a panic.
    WrongError,
    /// The client retried after a 403.
    RetriedForbidden,
    /// Records that were not returned.
    Lost,
    /// Records that were returned too often.
    Duplicated,
    /// Records that the service does not have, or out of order.
    Unexpected,
    /// A call that did not end.
    Hang,
}

impl Outcome {
    const ALL: [(Self, &'static str); 13] = [
        (Self::Passed, "passed"),
        (Self::Retried, "retried"),
        (Self::Narrowed, "narrowed"),
        (Self::Dropped, "dropped"),
        (Self::Resumed, "resumed"),
        (Self::Restarted, "restarted"),
        (Self::Unnoticed, "unnoticed"),
        (Self::WrongError, "wrong error"),
        (Self::RetriedForbidden, "retried 403"),
        (Self::Lost, "lost"),
        (Self::Duplicated, "duplicated"),
        (Self::Unexpected, "unexpected"),
        (Self::Hang, "hang"),
    ];
}

/// The error codes that can occur.
const CODES: [ErrorCode; 7] = [
    ErrorCode::Timeout,
    ErrorCode::Network,
    ErrorCode::RateLimited,
    ErrorCode::HttpStatus,
    ErrorCode::Blocked,
    ErrorCode::Decode,
    ErrorCode::Cursor,
];

#[derive(Debug, Clone, Default)]
struct Counts {
    faults: u64,
    outcomes: BTreeMap<Outcome, u64>,
    codes: HashMap<ErrorCode, u64>,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.faults += other.faults;
        other.outcomes.iter().for_each(|(outcome, times)| *self.outcomes.entry(*outcome).or_default() += times);
        other.codes.iter().for_each(|(code, times)| *self.codes.entry(*code).or_default() += times);
    }
}

/// The counts by kind of fault. The entry without a kind counts the outcomes of reads that met all kinds.
#[derive(Debug, Default)]
pub struct Table {
    lines: BTreeMap<Option<Fault>, Counts>,
    pub reads: u64,
    pub records: u64,
    pub requests: u64,
}

impl Table {
    pub fn count(&mut self, kind: Option<Fault>, outcome: Outcome, times: u64) {
        *self.lines.entry(kind).or_default().outcomes.entry(outcome).or_default() += times;
    }

    pub fn total(&self, outcome: Outcome) -> u64 {
        self.lines.values().filter_map(|line| line.outcomes.get(&outcome)).sum()
    }

    pub fn outcome_count(&self, kind: Fault, outcome: Outcome) -> u64 {
        self.lines.get(&Some(kind)).and_then(|line| line.outcomes.get(&outcome)).copied().unwrap_or_default()
    }

    pub fn fault_count(&self, kind: Fault) -> u64 {
        self.lines.get(&Some(kind)).map_or(0, |line| line.faults)
    }

    pub fn add(&mut self, other: Self) {
        for (kind, line) in other.lines {
            self.lines.entry(kind).or_default().add(&line);
        }
        self.reads += other.reads;
        self.records += other.records;
        self.requests += other.requests;
    }

    /// Whether no fault had an outcome that fails the test.
    pub fn has_no_failures(&self) -> bool {
        Outcome::ALL
            .iter()
            .filter(|(outcome, _)| *outcome >= Outcome::Unnoticed)
            .all(|(outcome, _)| self.total(*outcome) == 0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = CODES.iter().map(|code| code.as_str()).chain(Outcome::ALL.iter().map(|(_, name)| *name));
        let head: Vec<&str> = ["faults"].into_iter().chain(names).collect();
        write!(f, "{:22}", "kind")?;
        head.iter().try_for_each(|name| write!(f, " {name:>width$}", width = name.len().max(7)))?;
        writeln!(f)?;
        let mut sum = Counts::default();
        for (kind, line) in &self.lines {
            write_row(f, &kind.map_or("all kinds".into(), |kind| format!("{kind:?}")), line, &head)?;
            sum.add(line);
        }
        write_row(f, "sum", &sum, &head)?;
        write!(f, "{} records in {} reads with {} requests", self.records, self.reads, self.requests)
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, name: &str, line: &Counts, head: &[&str]) -> fmt::Result {
    write!(f, "{name:22}")?;
    let codes = CODES.iter().map(|code| line.codes.get(code));
    let outcomes = Outcome::ALL.iter().map(|(outcome, _)| line.outcomes.get(outcome));
    let numbers = [Some(&line.faults)].into_iter().chain(codes).chain(outcomes);
    for (number, name) in numbers.zip(head) {
        write!(f, " {:>width$}", number.map_or("-".to_owned(), u64::to_string), width = name.len().max(7))?;
    }
    writeln!(f)
}

/// Records requests, faults and errors, and counts the outcome of each fault.
#[derive(Debug, Default)]
pub struct Log {
    pub table: Table,
    /// The faults without an outcome so far, by URL.
    pending: HashMap<String, Fault>,
    /// Descriptions of the outcomes that fail the test.
    pub failures: Vec<String>,
}

impl Log {
    /// Records a request, and the fault that it met.
    pub fn record_request(&mut self, url: &str, fault: Option<Fault>) {
        self.table.requests += 1;
        // A range continues after a body that broke off with another URL.
        let is_continued = |other: &str, kind: &mut Fault| {
            Fault::BREAKS[..2].contains(kind)
                && find_range_action(other).is_some_and(|action| find_range_action(url) == Some(action))
        };
        let continued: Vec<Fault> = self
            .pending
            .extract_if(|other, kind| other != url && is_continued(other, kind))
            .map(|(_, kind)| kind)
            .collect();
        for kind in continued {
            self.table.count(Some(kind), Outcome::Retried, 1);
        }
        if let Some(previous) = self.pending.remove(url) {
            let outcome = match previous {
                // It is requested again when the failure has expired.
                Fault::HtmlForbiddenPage if url.ends_with(VERSION_PATH) => Outcome::Passed,
                Fault::HtmlForbiddenPage => Outcome::RetriedForbidden,
                kind if kind.error().is_none() => Outcome::Passed,
                _ => Outcome::Retried,
            };
            self.table.count(Some(previous), outcome, 1);
        }
        if let Some(kind) = fault {
            self.table.lines.entry(Some(kind)).or_default().faults += 1;
            self.pending.insert(url.to_owned(), kind);
        }
    }

    /// Records an error that the caller got. The caller continues from its resume token or starts again.
    pub fn record_error(&mut self, error: &Error) {
        // The error of a repeated cursor has no URL, but its resume token names the list.
        let token = error.resume_token.as_deref().unwrap_or_default();
        let list = LISTS.iter().find(|list| token.starts_with(&format!("aq1.{}.", list.method)));
        let repeats_cursor = |(url, kind): &(&String, &Fault)| {
            let path = url.split('?').next().unwrap_or_default();
            **kind == Fault::RepeatedCursor && list.is_some_and(|list| path.ends_with(list.path))
        };
        let find_url = || self.pending.iter().find(repeats_cursor).map(|(url, _)| url.clone());
        let url = error.url.clone().or_else(find_url).unwrap_or_default();
        let kind = self.pending.remove(&url);
        // Any retried fault can end with the deadline.
        let is_expected = kind.and_then(Fault::error) == Some(error.code) || error.code == ErrorCode::Timeout;
        if !is_expected {
            self.fail(kind, Outcome::WrongError, format!("{kind:?} caused {error:?}"));
        }
        let line = self.table.lines.entry(kind).or_default();
        *line.codes.entry(error.code).or_default() += 1;
        let outcome = if error.resume_token.is_some() { Outcome::Resumed } else { Outcome::Restarted };
        *line.outcomes.entry(outcome).or_default() += 1;
        self.record_narrowed(&url);
    }

    /// Counts the slow windows of the same range as narrowed. The next reader does not know the window width, so that it may not
    /// repeat their URLs.
    fn record_narrowed(&mut self, url: &str) {
        let Some(action) = find_range_action(url) else { return };
        let is_narrowed =
            |other: &str, kind: &mut Fault| is_too_slow(*kind) && find_range_action(other) == Some(action);
        let narrowed: Vec<Fault> =
            self.pending.extract_if(|other, kind| is_narrowed(other, kind)).map(|(_, kind)| kind).collect();
        for kind in narrowed {
            self.table.count(Some(kind), Outcome::Narrowed, 1);
        }
    }

    /// Records that the caller dropped the call that is in flight.
    pub fn record_drop(&mut self) {
        for (_, kind) in std::mem::take(&mut self.pending) {
            self.table.count(Some(kind), Outcome::Dropped, 1);
        }
    }

    /// Finds the outcome of the pending faults, after all reads of this service have ended.
    pub fn finish(&mut self, service: &Service) {
        for (url, kind) in std::mem::take(&mut self.pending) {
            let outcome = match kind {
                kind if kind.error().is_none() => Outcome::Passed,
                kind if is_too_slow(kind) && find_range_action(&url).is_some() => Outcome::Narrowed,
                // Without the version, pages have their default size.
                _ if url.ends_with(VERSION_PATH) => Outcome::Passed,
                // A range ignores a failed recheck of its newest block: all rows have been read by then.
                _ if is_head_recheck(&url, service) => Outcome::Passed,
                _ => Outcome::Unnoticed,
            };
            self.table.count(Some(kind), outcome, 1);
            if outcome == Outcome::Unnoticed {
                self.failures.push(format!("{kind:?} was not detected at {url}"));
            }
        }
    }

    /// Records an outcome that fails the test.
    pub fn fail(&mut self, kind: Option<Fault>, outcome: Outcome, description: String) {
        self.table.count(kind, outcome, 1);
        self.failures.push(description);
    }
}

/// Whether a range reader requests a narrower window instead of retrying.
fn is_too_slow(fault: Fault) -> bool {
    fault == Fault::StalledBody || Fault::SLOW.contains(&fault)
}

/// Returns the action of a URL that reads a range.
fn find_range_action(url: &str) -> Option<&str> {
    let action = url.split_once("action=")?.1;
    let is_range = url.contains("&sort=") || url.contains("&fromBlock=");
    (is_range && url.contains(HASH_A)).then(|| action.split('&').next().unwrap_or_default())
}

/// Whether a URL rechecks the newest block of a descending range: it requests as many rows as the range read of that block.
fn is_head_recheck(url: &str, service: &Service) -> bool {
    let query = Query::parse(url);
    let block = query.number("startblock").filter(|block| query.number("endblock") == Some(*block));
    let Some((action, block)) = find_range_action(url).zip(block) else { return false };
    let lists = service.lists.borrow();
    let list = lists.iter().find(|list| list.schema.path == action).unwrap();
    let rows = list.rows.iter().filter(|row| row.block == block).count() as u64;
    let first_head = list.rows.iter().rfind(|row| row.id < list.first_new_id).map_or(0, |row| row.block);
    let is_first_page = query.get("sort") == Some("desc") && query.get("page") == Some("1");
    is_first_page && block >= first_head && query.number("offset") == Some(rows.min(service.script.borrow().page_limit))
}
