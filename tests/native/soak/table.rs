//! What became of the faults: counted by kind and outcome.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use address_query::error::{Error, ErrorCode};

use super::faults::Kind;
use super::rows::LISTS;
use crate::support::HASH_A;

/// What can become of a fault, or of the read that met it. Those from `Unnoticed` on must not happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The answer was read all the same.
    Passed,
    /// The client asked again by itself.
    Retried,
    /// A reader of ranges asked for fewer blocks.
    Narrowed,
    /// The caller gave up waiting before.
    Dropped,
    /// The caller got an error with a token, and went on from there.
    Resumed,
    /// The caller got an error without one, and asked anew.
    Anew,
    /// A spoilt answer was read as if it were none.
    Unnoticed,
    /// An error that does not tell what happened, or a panic.
    Untyped,
    /// A 403 that was asked for again.
    Insisted,
    Lost,
    Doubled,
    /// Records that nobody sent, or not in this order.
    Strange,
    Hang,
}

impl Outcome {
    const ALL: [(Self, &'static str); 13] = [
        (Self::Passed, "passed"),
        (Self::Retried, "retried"),
        (Self::Narrowed, "narrowed"),
        (Self::Dropped, "dropped"),
        (Self::Resumed, "resumed"),
        (Self::Anew, "anew"),
        (Self::Unnoticed, "unnoticed"),
        (Self::Untyped, "untyped"),
        (Self::Insisted, "insisted"),
        (Self::Lost, "lost"),
        (Self::Doubled, "doubled"),
        (Self::Strange, "strange"),
        (Self::Hang, "hang"),
    ];
}

/// The codes that errors came with.
const CODES: [ErrorCode; 6] = [
    ErrorCode::Timeout,
    ErrorCode::Network,
    ErrorCode::RateLimited,
    ErrorCode::HttpStatus,
    ErrorCode::Decode,
    ErrorCode::Cursor,
];

#[derive(Debug, Clone, Default)]
struct Line {
    faults: u64,
    outcomes: BTreeMap<Outcome, u64>,
    codes: HashMap<ErrorCode, u64>,
}

impl Line {
    fn add(&mut self, other: &Self) {
        self.faults += other.faults;
        other.outcomes.iter().for_each(|(outcome, times)| *self.outcomes.entry(*outcome).or_default() += times);
        other.codes.iter().for_each(|(code, times)| *self.codes.entry(*code).or_default() += times);
    }
}

/// Lines by kind; the one without a kind is for reads that met all kinds.
#[derive(Debug, Default)]
pub struct Table {
    lines: BTreeMap<Option<Kind>, Line>,
    pub reads: u64,
    pub records: u64,
    pub requests: u64,
}

impl Table {
    pub fn count(&mut self, kind: Option<Kind>, outcome: Outcome, times: u64) {
        *self.lines.entry(kind).or_default().outcomes.entry(outcome).or_default() += times;
    }

    pub fn total(&self, outcome: Outcome) -> u64 {
        self.lines.values().filter_map(|line| line.outcomes.get(&outcome)).sum()
    }

    pub fn of(&self, kind: Kind, outcome: Outcome) -> u64 {
        self.lines.get(&Some(kind)).and_then(|line| line.outcomes.get(&outcome)).copied().unwrap_or_default()
    }

    pub fn faults(&self, kind: Kind) -> u64 {
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

    /// Whether nothing happened that must not.
    pub fn is_clean(&self) -> bool {
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
        write!(f, "{:16}", "kind")?;
        head.iter().try_for_each(|name| write!(f, " {name:>width$}", width = name.len().max(7)))?;
        writeln!(f)?;
        let mut sum = Line::default();
        for (kind, line) in &self.lines {
            row(f, kind.map_or("all kinds", Kind::name), line, &head)?;
            sum.add(line);
        }
        row(f, "sum", &sum, &head)?;
        write!(f, "{} records in {} reads with {} requests", self.records, self.reads, self.requests)
    }
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, line: &Line, head: &[&str]) -> fmt::Result {
    write!(f, "{name:16}")?;
    let codes = CODES.iter().map(|code| line.codes.get(code));
    let outcomes = Outcome::ALL.iter().map(|(outcome, _)| line.outcomes.get(outcome));
    let numbers = [Some(&line.faults)].into_iter().chain(codes).chain(outcomes);
    for (number, name) in numbers.zip(head) {
        write!(f, " {:>width$}", number.map_or("-".to_owned(), u64::to_string), width = name.len().max(7))?;
    }
    writeln!(f)
}

/// The faults whose outcome is not known yet, by the URL that they hit.
#[derive(Debug, Default)]
pub struct Log {
    pub table: Table,
    open: HashMap<String, Kind>,
    /// What must not happen, in words.
    pub complaints: Vec<String>,
}

impl Log {
    /// A request was sent, and perhaps hit.
    pub fn asked(&mut self, url: &str, hit: Option<Kind>) {
        self.table.requests += 1;
        let is_rest = |known: &str, kind: &mut Kind| {
            kind.breaks_off() && range_of(known).is_some_and(|of| range_of(url) == Some(of))
        };
        let gone_on: Vec<Kind> =
            self.open.extract_if(|known, kind| known != url && is_rest(known, kind)).map(|(_, kind)| kind).collect();
        for kind in gone_on {
            self.table.count(Some(kind), Outcome::Retried, 1);
        }
        if let Some(before) = self.open.remove(url) {
            let outcome = match before {
                Kind::Forbidden => Outcome::Insisted,
                kind if kind.error().is_none() => Outcome::Passed,
                _ => Outcome::Retried,
            };
            self.table.count(Some(before), outcome, 1);
        }
        if let Some(kind) = hit {
            self.table.lines.entry(Some(kind)).or_default().faults += 1;
            self.open.insert(url.to_owned(), kind);
        }
    }

    /// The caller got an error, and goes on from its token or asks anew.
    pub fn failed(&mut self, error: &Error) {
        // That a list leads in a circle is told without a URL, but the token is one of that list.
        let token = error.resume_token.as_deref().unwrap_or_default();
        let list = LISTS.iter().find(|list| token.starts_with(&format!("aq1.{}.", list.method)));
        let is_circle = |(url, kind): &(&String, &Kind)| {
            let path = url.split('?').next().unwrap_or_default();
            **kind == Kind::RepeatedCursor && list.is_some_and(|list| path.ends_with(list.path))
        };
        let circle = || self.open.iter().find(is_circle).map(|(url, _)| url.clone());
        let url = error.url.clone().or_else(circle).unwrap_or_default();
        let kind = self.open.remove(&url);
        // A deadline covers all attempts and waits.
        let is_explained = kind.and_then(Kind::error) == Some(error.code) || error.code == ErrorCode::Timeout;
        if !is_explained {
            self.complain(kind, Outcome::Untyped, format!("{kind:?} became {error:?}"));
        }
        let line = self.table.lines.entry(kind).or_default();
        *line.codes.entry(error.code).or_default() += 1;
        let outcome = if error.resume_token.is_some() { Outcome::Resumed } else { Outcome::Anew };
        *line.outcomes.entry(outcome).or_default() += 1;
        self.narrowed(&url);
    }

    /// A reader of ranges that is replaced forgets how wide its windows were.
    fn narrowed(&mut self, url: &str) {
        let Some(action) = range_of(url) else { return };
        let slow = |known: &str, kind: &mut Kind| kind.is_too_slow() && range_of(known) == Some(action);
        let narrowed: Vec<Kind> = self.open.extract_if(|known, kind| slow(known, kind)).map(|(_, kind)| kind).collect();
        for kind in narrowed {
            self.table.count(Some(kind), Outcome::Narrowed, 1);
        }
    }

    /// The caller gave up waiting for whatever is under way.
    pub fn dropped(&mut self) {
        for (_, kind) in std::mem::take(&mut self.open) {
            self.table.count(Some(kind), Outcome::Dropped, 1);
        }
    }

    /// Everything was read.
    pub fn ended(&mut self) {
        for (url, kind) in std::mem::take(&mut self.open) {
            let outcome = match kind {
                kind if kind.error().is_none() => Outcome::Passed,
                kind if kind.is_too_slow() && range_of(&url).is_some() => Outcome::Narrowed,
                _ => Outcome::Unnoticed,
            };
            self.table.count(Some(kind), outcome, 1);
            if outcome == Outcome::Unnoticed {
                self.complaints.push(format!("{kind:?} went unnoticed at {url}"));
            }
        }
    }

    pub fn complain(&mut self, kind: Option<Kind>, outcome: Outcome, what: String) {
        self.table.count(kind, outcome, 1);
        self.complaints.push(what);
    }
}

/// The action whose range a URL reads, if it reads one.
fn range_of(url: &str) -> Option<&str> {
    let action = url.split_once("action=")?.1;
    (url.contains("&sort=") && url.contains(HASH_A)).then(|| action.split('&').next().unwrap_or_default())
}
