//! Reading everything as a caller does who never gives up: after an error it goes on from the resume token, or asks anew.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use address_query::client::range::RangeReader;
use address_query::client::runtime::race;
use address_query::client::{Client, First, FramePages, Pager, Runtime};
use address_query::decode::page::{Experience, Layout, PageDecoder};
use address_query::decode::{FramePage, Leniency};
use address_query::endpoint::{ParamValue, Request, find_action, find_list};
use address_query::error::Error;

use super::rows::{ActionRows, ListRows};
use super::service::balance;
use super::table::{Log, Outcome};
use crate::range::dice::Dice;
use crate::runtime::Script;
use crate::support::{HASH_A, frame_value};

/// No call takes longer, in virtual milliseconds, nor is polled more often.
const LONGEST_MS: u64 = 1_800_000;
const MOST_POLLS: u32 = 200_000;
/// Errors in a row without a record in between that a caller takes.
const PATIENCE: u32 = 200;

/// A call that does not end.
#[derive(Debug)]
pub struct Hang;

/// One caller's way through the service.
#[derive(Clone)]
pub struct Caller {
    pub script: Script,
    pub client: Client<Script>,
    pub log: Rc<RefCell<Log>>,
    pub dice: Rc<RefCell<Dice>>,
    /// Records that one request to an action reaches.
    pub window: u64,
    /// How many of a hundred calls are given up before they end.
    pub drops: u64,
}

fn text(text: &str) -> ParamValue {
    ParamValue::String(text.to_owned())
}

/// The records of a page as texts that can be compared.
fn texts(page: &FramePage, layout: Layout) -> Vec<String> {
    let mut value = frame_value(page, layout.row, layout.envelope).unwrap();
    value["items"].as_array_mut().unwrap().iter().map(ToString::to_string).collect()
}

/// What is given out for records that come without a fault.
pub fn given(rows: &[String], layout: Layout) -> Vec<String> {
    let (before, after) = if layout.rows.is_some_and(|(name, _)| name == "items") {
        (r#"{"items":["#, r#"],"next_page_params":null}"#)
    } else {
        (r#"{"result":["#, r#"],"message":"OK","status":"1"}"#)
    };
    let mut decoder = PageDecoder::of(layout, Leniency::default(), Experience::default());
    decoder.feed(format!("{before}{}{after}", rows.join(",")).into_bytes()).unwrap();
    texts(&decoder.finish().unwrap().0, layout)
}

impl Caller {
    fn percent(&self, chance: u64) -> bool {
        self.dice.borrow_mut().percent(chance)
    }

    /// A call that must end in time, and is now and then given up before: then there is nothing.
    async fn call<T>(&self, call: impl Future<Output = T>) -> Result<Option<T>, Hang> {
        let mut call = pin!(call);
        let mut polls = 0;
        let counted = poll_fn(|context| {
            polls += 1;
            if polls > MOST_POLLS { Poll::Ready(None) } else { call.as_mut().poll(context).map(Some) }
        });
        let patience = if self.percent(self.drops) { self.dice.borrow_mut().roll(0, 3_000) } else { LONGEST_MS };
        match race(counted, self.script.sleep(patience)).await {
            First::Left(Some(value)) => Ok(Some(value)),
            First::Right(()) if patience < LONGEST_MS => {
                self.log.borrow_mut().dropped();
                Ok(None)
            }
            First::Left(None) | First::Right(()) => Err(Hang),
        }
    }

    /// The list to its end.
    pub async fn list(&self, list: &ListRows) -> Result<Vec<String>, Hang> {
        let declared = find_list(list.method).unwrap();
        let address = list.path.starts_with('/') && !list.path.starts_with("/api");
        let address = address.then(|| ("address_hash", text(HASH_A)));
        let values: Vec<_> = list.filters.iter().map(|&(name, value)| (name, text(value))).chain(address).collect();
        let layout = Layout::list(declared.item, declared.envelope);
        let open = |token: Option<&str>| {
            let request = Request::new(declared, values.iter().cloned()).unwrap();
            Pager::new(self.client.clone(), request, FramePages::new(declared, Leniency::default()), token).unwrap()
        };
        let (mut rows, mut pager, mut errors) = (Vec::new(), open(None), 0);
        loop {
            match self.call(pager.next()).await? {
                Some(Ok(None)) => return Ok(rows),
                Some(Ok(Some(page))) => {
                    rows.extend(texts(&page, layout));
                    errors = 0;
                }
                Some(Err(error)) => {
                    errors += 1;
                    self.failed(&error, errors)?;
                    // Either way leads on: from the token, in another session perhaps, or by asking again.
                    match error.resume_token.as_deref() {
                        Some(token) if self.percent(50) => pager = open(Some(token)),
                        Some(_) => {}
                        None => (rows, pager) = (Vec::new(), open(None)),
                    }
                }
                None => {}
            }
        }
    }

    /// The whole range of an action, whichever end comes first.
    pub async fn range(&self, action: &ActionRows, sort: &str) -> Result<Vec<String>, Hang> {
        let declared = find_action(action.method).unwrap();
        let open = |token: Option<&str>| {
            let request = Request::new(declared, [("address", text(HASH_A)), ("sort", text(sort))]).unwrap();
            let reader = RangeReader::new(self.client.clone(), declared, request, Leniency::default(), token).unwrap();
            reader.with_window(self.window)
        };
        let (mut rows, mut reader, mut errors) = (Vec::new(), open(None), 0);
        loop {
            match self.call(reader.next()).await? {
                Some(Ok(None)) => return Ok(rows),
                Some(Ok(Some(page))) => {
                    rows.extend(texts(&page, declared.layout));
                    errors = 0;
                }
                Some(Err(error)) => {
                    errors += 1;
                    self.failed(&error, errors)?;
                    match error.resume_token.as_deref() {
                        Some(token) if self.percent(50) => reader = open(Some(token)),
                        Some(_) => {}
                        None => (rows, reader) = (Vec::new(), open(None)),
                    }
                }
                None => {}
            }
        }
    }

    /// Page after page of an action, until one is not full or the service reaches no further.
    pub async fn pages(&self, action: &ActionRows) -> Result<Vec<String>, Hang> {
        let declared = find_action(action.method).unwrap();
        let size = (self.window / 4).max(1);
        let (mut rows, mut errors, mut number) = (Vec::new(), 0, 1);
        loop {
            let mut values = vec![];
            if action.action != "listaccounts" {
                // Another one than for ranges: the service has the same records for all.
                values.push(("address", text("0x8bA1f109551bD432803012645Ac136ddd64DBA72")));
            }
            if action.action != "tokenlist" {
                values.extend([("page", text(&number.to_string())), ("offset", text(&size.to_string()))]);
            }
            if action.ranged {
                values.push(("sort", text("asc")));
            }
            let request = Request::new(declared, values).unwrap();
            match self.call(self.client.ask(declared, &request, Leniency::default())).await? {
                Some(Ok(answer)) => {
                    let page = texts(&answer.items, declared.layout);
                    let is_last = (page.len() as u64) < size || (number + 1) * size > self.window;
                    rows.extend(page);
                    if is_last || action.action == "tokenlist" {
                        return Ok(rows);
                    }
                    (errors, number) = (0, number + 1);
                }
                Some(Err(error)) => {
                    errors += 1;
                    self.failed(&error, errors)?;
                }
                None => {}
            }
        }
    }

    /// Balances of more addresses than one request takes: addresses, each with its balance.
    pub async fn balances(&self, addresses: &[String]) -> Result<Vec<String>, Hang> {
        let mut errors = 0;
        loop {
            let asked = ParamValue::List(addresses.to_vec());
            match self.call(self.client.balances(&asked, None)).await? {
                Some(Ok(balances)) => {
                    let known =
                        balances.iter().map(|known| (&known.account, known.balance.as_deref().unwrap_or_default()));
                    return Ok(numbered(known.map(|(account, balance)| format!("{account} {balance}"))));
                }
                Some(Err(error)) => {
                    errors += 1;
                    self.failed(&error, errors)?;
                }
                None => {}
            }
        }
    }

    fn failed(&self, error: &Error, errors: u32) -> Result<(), Hang> {
        self.log.borrow_mut().failed(error);
        if errors > PATIENCE { Err(Hang) } else { Ok(()) }
    }
}

/// What [`Caller::balances`] must give.
pub fn balances_of(addresses: &[String]) -> Vec<String> {
    numbered(addresses.iter().map(|account| format!("{account} {}", balance(account))))
}

fn numbered(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.enumerate().map(|(number, text)| format!("{number} {text}")).collect()
}

/// What was read, against what was there when the reading began and when it ended: records of a row, in order.
pub fn compare(read: &[String], before: &[String], after: &[String]) -> [(Outcome, u64); 3] {
    let counts = |rows: &[String]| {
        let mut counts: HashMap<String, u64> = HashMap::new();
        for row in rows {
            *counts.entry(row.clone()).or_default() += 1;
        }
        counts
    };
    let (got, least, most) = (counts(read), counts(before), counts(after));
    let times = |counts: &HashMap<String, u64>, row: &String| counts.get(row).copied().unwrap_or_default();
    let lost = least.iter().map(|(row, count)| count.saturating_sub(times(&got, row))).sum();
    let known = got.iter().filter(|(row, _)| most.contains_key(*row));
    let doubled = known.map(|(row, count)| count.saturating_sub(times(&most, row))).sum();
    let mut places: HashMap<&String, usize> = HashMap::new();
    for (place, row) in after.iter().enumerate() {
        places.entry(row).or_insert(place);
    }
    let mut last = 0;
    let is_strange = |row: &&String| match places.get(*row) {
        Some(&place) => place < std::mem::replace(&mut last, place),
        None => true,
    };
    let strange = read.iter().filter(is_strange).count() as u64;
    [(Outcome::Lost, lost), (Outcome::Doubled, doubled), (Outcome::Strange, strange)]
}
