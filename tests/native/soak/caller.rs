//! [`Caller`]: reads lists, ranges and actions to their end. After an error it continues from the resume token, or starts again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use address_query::client::{AccountBalance, Client, Runtime};
use address_query::endpoint::params::Address;
use address_query::error::Error;
use address_query::testing::client::{Pager, RangeReader, call_action};
use address_query::testing::decode::{DecodeOptions, FrameDecoder, FramePage, Layout};
use address_query::testing::endpoint::{Request, find_operation};

use futures_util::future::{Either, select};

use super::outcomes::{Log, Outcome};
use crate::client::string;
use crate::range::rng::Rng;
use crate::service::{Schema, TOKEN_ID, TRANSACTION, balance};
use crate::support::{HASH_A, frame_value};
use crate::test_runtime::TestRuntime;

/// A call that takes longer counts as a hang, in virtual milliseconds.
const MAX_CALL_MS: u64 = 1_800_000;
/// A call that is polled more often counts as a hang.
const MAX_POLLS: u32 = 200_000;
/// More consecutive errors without a record count as a hang.
const MAX_ERRORS: u32 = 200;

/// A call that does not end.
#[derive(Debug)]
pub struct Hang;

/// A caller with its own client and virtual clock. Clones share both.
#[derive(Clone)]
pub struct Caller {
    pub runtime: TestRuntime,
    pub client: Client<TestRuntime>,
    pub log: Rc<RefCell<Log>>,
    pub rng: Rc<RefCell<Rng>>,
    /// Rows that one request of an action can reach.
    pub page_limit: u64,
    /// The percentage of calls that are dropped before they end.
    pub drop_percent: u64,
}

/// Returns the records of a page as JSON strings.
fn to_json_strings(page: &FramePage, layout: Layout) -> Vec<String> {
    let mut value = frame_value(page, layout.row, layout.envelope).unwrap();
    value["items"].as_array_mut().unwrap().iter().map(ToString::to_string).collect()
}

/// Returns what a caller must get for these records.
pub fn decode_rows(rows: &[String], layout: Layout) -> Vec<String> {
    let (prefix, suffix) = if layout.rows.is_some_and(|(name, _)| name == "items") {
        (r#"{"items":["#, r#"],"next_page_params":null}"#)
    } else {
        (r#"{"result":["#, r#"],"message":"OK","status":"1"}"#)
    };
    let mut decoder = FrameDecoder::new(layout, DecodeOptions::default());
    decoder.begin();
    decoder.feed(format!("{prefix}{}{suffix}", rows.join(",")).into_bytes()).unwrap();
    to_json_strings(&decoder.finish().unwrap(), layout)
}

impl Caller {
    fn chance(&self, percent: u64) -> bool {
        self.rng.borrow_mut().chance(percent)
    }

    /// Awaits a call, and fails if it does not end in time. Some calls are dropped early: the result is then `None`.
    async fn await_call<T>(&self, call: impl Future<Output = T>) -> Result<Option<T>, Hang> {
        let mut call = pin!(call);
        let mut polls = 0;
        let counted = poll_fn(|context| {
            polls += 1;
            if polls > MAX_POLLS { Poll::Ready(None) } else { call.as_mut().poll(context).map(Some) }
        });
        let max_ms = if self.chance(self.drop_percent) { self.rng.borrow_mut().between(0, 3_000) } else { MAX_CALL_MS };
        match select(pin!(counted), pin!(self.runtime.sleep(max_ms))).await {
            Either::Left((Some(value), _)) => Ok(Some(value)),
            Either::Right(((), _)) if max_ms < MAX_CALL_MS => {
                self.log.borrow_mut().record_drop();
                Ok(None)
            }
            Either::Left((None, _)) | Either::Right(_) => Err(Hang),
        }
    }

    /// Reads a list to its end.
    pub async fn read_list(&self, list: &Schema) -> Result<Vec<String>, Hang> {
        let operation = find_operation(list.method).unwrap();
        let required = operation.params.iter().filter(|param| param.required).map(|param| match param.name {
            "address_hash" => ("address_hash", string(HASH_A)),
            "token_id" => ("token_id", string(TOKEN_ID)),
            name => (name, string(TRANSACTION)),
        });
        let values: Vec<_> = list.filters.iter().map(|&(name, value)| (name, string(value))).chain(required).collect();
        let open = |token: Option<&str>| {
            let request = Request::new(operation, &values).unwrap();
            Pager::new(
                self.client.clone(),
                request,
                FrameDecoder::new(operation.layout, DecodeOptions::default()),
                token,
            )
            .unwrap()
        };
        let next = async |pager: &mut Pager<TestRuntime>| Ok(pager.next().await?.map(|page| page.page));
        self.read_to_end(operation.layout, open, next).await
    }

    /// Reads the whole range of an action, oldest or newest first.
    pub async fn read_range(&self, action: &Schema, sort: &str) -> Result<Vec<String>, Hang> {
        let operation = find_operation(action.method).unwrap();
        let open = |token: Option<&str>| {
            let mut values = vec![("address", string(HASH_A))];
            if action.has_order() {
                values.push(("sort", string(sort)));
            } else {
                values.extend([("fromBlock", string("0")), ("toBlock", string("latest"))]);
            }
            let request = Request::new(operation, &values).unwrap();
            let reader = RangeReader::new(self.client.clone(), request, token).unwrap();
            reader.with_page_limit(self.page_limit)
        };
        self.read_to_end(operation.layout, open, async |reader: &mut RangeReader<TestRuntime>| reader.next().await)
            .await
    }

    /// Reads pages to the end. A new reader with the token of an error and another call of the same reader must both continue.
    async fn read_to_end<R>(
        &self,
        layout: Layout,
        open: impl Fn(Option<&str>) -> R,
        next: impl AsyncFn(&mut R) -> Result<Option<Box<FramePage>>, Error>,
    ) -> Result<Vec<String>, Hang> {
        let (mut rows, mut reader, mut errors) = (Vec::new(), open(None), 0);
        loop {
            match self.await_call(next(&mut reader)).await? {
                Some(Ok(None)) => return Ok(rows),
                Some(Ok(Some(page))) => {
                    rows.extend(to_json_strings(&page, layout));
                    errors = 0;
                }
                Some(Err(error)) => {
                    errors += 1;
                    self.record_error(&error, errors)?;
                    match error.resume_token.as_deref() {
                        Some(token) if self.chance(50) => reader = open(Some(token)),
                        Some(_) => {}
                        None => (rows, reader) = (Vec::new(), open(None)),
                    }
                }
                None => {}
            }
        }
    }

    /// Reads an action page by page, until a page is not full or the page limit is reached.
    pub async fn read_pages(&self, action: &Schema) -> Result<Vec<String>, Hang> {
        let operation = find_operation(action.method).unwrap();
        let page_size = (self.page_limit / 4).max(1);
        let (mut rows, mut errors, mut page_number) = (Vec::new(), 0, 1);
        loop {
            let mut values = vec![];
            if action.path != "listaccounts" {
                // Not the address of the ranges, so that their URLs differ in the log. The records are the same.
                let name = if action.path == "getcontractcreation" { "contractaddresses" } else { "address" };
                values.push((name, string("0x8bA1f109551bD432803012645Ac136ddd64DBA72")));
            }
            if action.is_paged() {
                values.extend([("page", string(&page_number.to_string())), ("offset", string(&page_size.to_string()))]);
            }
            if !action.has_order() {
                values.extend([("fromBlock", string("0")), ("toBlock", string("latest"))]);
            } else if action.is_range {
                values.push(("sort", string("asc")));
            }
            let request = Request::new(operation, &values).unwrap();
            match self.await_call(call_action(&self.client, operation, &request, DecodeOptions::default())).await? {
                Some(Ok(result)) => {
                    let page = to_json_strings(&result.items, operation.layout);
                    let is_last = (page.len() as u64) < page_size || (page_number + 1) * page_size > self.page_limit;
                    rows.extend(page);
                    if is_last || !action.is_paged() {
                        return Ok(rows);
                    }
                    (errors, page_number) = (0, page_number + 1);
                }
                Some(Err(error)) => {
                    errors += 1;
                    self.record_error(&error, errors)?;
                }
                None => {}
            }
        }
    }

    /// Reads the balances of more addresses than one request takes. Returns each address with its balance.
    pub async fn read_balances(&self, addresses: &[String]) -> Result<Vec<String>, Hang> {
        let mut errors = 0;
        loop {
            let addresses: Vec<Address> = addresses.iter().map(|address| address.parse().unwrap()).collect();
            match self.await_call(self.client.balances(&addresses, None)).await? {
                Some(Ok(balances)) => {
                    let lines = balances.iter().map(|AccountBalance { account, balance, .. }| {
                        format!("{account} {}", balance.as_deref().unwrap_or_default())
                    });
                    return Ok(number_lines(lines));
                }
                Some(Err(error)) => {
                    errors += 1;
                    self.record_error(&error, errors)?;
                }
                None => {}
            }
        }
    }

    /// Records an error. Fails after too many consecutive ones.
    fn record_error(&self, error: &Error, errors: u32) -> Result<(), Hang> {
        self.log.borrow_mut().record_error(error);
        if errors > MAX_ERRORS { Err(Hang) } else { Ok(()) }
    }
}

/// Returns the result that [`Caller::read_balances`] must have.
pub fn expected_balances(addresses: &[String]) -> Vec<String> {
    number_lines(addresses.iter().map(|account| format!("{account} {}", balance(account))))
}

fn number_lines(lines: impl Iterator<Item = String>) -> Vec<String> {
    lines.enumerate().map(|(number, line)| format!("{number} {line}")).collect()
}

/// Compares the records that were read with the records of the service before and after, all in order. Counts the
/// records that were lost, duplicated, and unknown or out of order.
pub fn compare(actual: &[String], before: &[String], after: &[String]) -> [(Outcome, u64); 3] {
    let counts = |rows: &[String]| {
        let mut counts: HashMap<String, u64> = HashMap::new();
        for row in rows {
            *counts.entry(row.clone()).or_default() += 1;
        }
        counts
    };
    let (actual_counts, min_counts, max_counts) = (counts(actual), counts(before), counts(after));
    let count_of = |counts: &HashMap<String, u64>, row: &String| counts.get(row).copied().unwrap_or_default();
    let lost = min_counts.iter().map(|(row, count)| count.saturating_sub(count_of(&actual_counts, row))).sum();
    let known = actual_counts.iter().filter(|(row, _)| max_counts.contains_key(*row));
    let duplicated = known.map(|(row, count)| count.saturating_sub(count_of(&max_counts, row))).sum();
    let mut positions: HashMap<&String, usize> = HashMap::new();
    for (position, row) in after.iter().enumerate() {
        positions.entry(row).or_insert(position);
    }
    let mut last = 0;
    let is_unexpected = |row: &&String| match positions.get(*row) {
        Some(&position) => position < std::mem::replace(&mut last, position),
        None => true,
    };
    let unexpected = actual.iter().filter(is_unexpected).count() as u64;
    [(Outcome::Lost, lost), (Outcome::Duplicated, duplicated), (Outcome::Unexpected, unexpected)]
}
