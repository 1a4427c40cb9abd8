//! The service that the native tests read: lists of REST, actions of the account module, and the version of the backend.
//!
//! Its [`Script`] says how it grows and reorganises, which requests fail, how it clamps responses, what it refuses, and which version
//! it has.

mod faults;
mod query;
mod schemas;
mod script;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use address_query::testing::endpoint::{PageSizing, find_operation};
use serde_json::json;

pub use self::faults::{Fault, remove_drift};
pub use self::query::Query;
pub use self::schemas::{
    ACTIONS, Fields, INTERNAL_TRANSACTIONS, LISTS, LOGS, Mark, PENDING, Row, SHORT_TRANSFERS, Schema, TOKEN_ID,
    TRANSACTION, TRANSACTIONS, TRANSFERS, WITHDRAWALS, object, string,
};
pub use self::script::{Clamp, DeepPages, Script, SynthesizedCursors};
use crate::range::rng::Rng;
use crate::test_runtime::{MockResponse, TestRuntime};

/// The end of the path that returns the version.
pub const VERSION_PATH: &str = "/config/backend-version";
/// A client that sends more requests counts as endless.
const MAX_REQUESTS: u32 = 20_000;

/// The rows of a list or an action, oldest first.
pub struct List {
    schema: Schema,
    /// The JSON of records without the fields that depend on the row.
    templates: Rc<[String]>,
    pub rows: Vec<Row>,
    /// The rows of an action that a reorganisation has removed.
    pub removed: Vec<Row>,
    /// The rows at the start have smaller ids, and no newer block than `first_head`.
    pub first_new_id: u64,
    first_head: u64,
    next_id: u64,
}

/// The simulated service. Clones share its state.
#[derive(Clone)]
pub struct Service(Rc<State>);

struct State {
    script: Cell<Script>,
    lists: RefCell<Vec<List>>,
    rng: RefCell<Rng>,
    /// Cuts bodies into chunks.
    chunks: RefCell<Rng>,
    /// The values of `items_count` in the cursors of version 8.
    counters: RefCell<HashSet<u64>>,
    counts: Counts,
}

/// What the service has seen. Clones share it.
#[derive(Clone, Default)]
pub struct Counts {
    pub requests: Rc<Cell<u32>>,
    /// Full windows of an action that were read to the end.
    pub windows: Rc<Cell<u32>>,
    pub faults: Rc<Cell<u32>>,
    /// The fault of the last request.
    pub last_fault: Rc<Cell<Option<Fault>>>,
    /// The lowest block that a reorganisation changed.
    pub changed_from: Rc<Cell<Option<u64>>>,
}

impl Service {
    /// Creates a service with one list or action. `rows` are sorted by block, oldest first.
    pub fn new(schema: Schema, rows: Vec<Row>, script: Script, seed: u64) -> Self {
        Self::with_lists(vec![List::new(schema, rows)], script, seed)
    }

    pub fn with_lists(lists: Vec<List>, script: Script, seed: u64) -> Self {
        Self(Rc::new(State {
            script: Cell::new(script),
            lists: RefCell::new(lists),
            rng: RefCell::new(Rng::new(seed)),
            chunks: RefCell::new(Rng::new(7)),
            counters: RefCell::default(),
            counts: Counts::default(),
        }))
    }

    /// Creates a service with the rows and the script of this one.
    pub fn copy(&self, seed: u64) -> Self {
        self.edit(|list| Self::new(list.schema, list.rows.clone(), self.script(), seed))
    }

    /// Creates a runtime whose requests go to the service. `latency_ms` returns the time to the first byte of a response.
    pub fn connect(&self, mut latency_ms: impl FnMut(&str) -> u64 + 'static) -> TestRuntime {
        let service = self.clone();
        TestRuntime::with_timed_service(move |url, now_ms| service.respond(url, now_ms, latency_ms(url)))
    }

    pub fn script(&self) -> Script {
        self.0.script.get()
    }

    /// Changes the script, for instance the version.
    pub fn change(&self, change: impl FnOnce(&mut Script)) {
        let mut script = self.script();
        change(&mut script);
        self.0.script.set(script);
    }

    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// Reads or changes the rows of the first list.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut List) -> T) -> T {
        edit(&mut self.0.lists.borrow_mut()[0])
    }

    /// The method of the first list.
    pub fn method(&self) -> &'static str {
        self.edit(|list| list.schema.method)
    }

    /// Returns the shown records of a list or action as JSON, in the order of the rows.
    pub fn records(&self, method: &str) -> Vec<String> {
        let lists = self.0.lists.borrow();
        let list = lists.iter().find(|list| list.schema.method == method).unwrap();
        let shown = list.rows.iter().filter(|row| row.mark != Mark::Hidden);
        shown.map(|row| list.schema.record(&list.templates, row, None, 0)).collect()
    }

    /// Returns how many rows one request of an action can read of this block. None if the block was never at the head.
    pub fn head_block_rows(&self, action: &str, block: u64) -> Option<u64> {
        let lists = self.0.lists.borrow();
        let list = lists.iter().find(|list| list.schema.path == action)?;
        let count = list.rows.iter().filter(|row| row.block == block).count() as u64;
        (block >= list.first_head && count > 0).then_some(count.min(self.script().page_limit))
    }

    /// Adds blocks at the head. A reorganisation also replaces the newest ones.
    fn grow(&self, reorganises: bool, rng: &mut Rng) {
        let (page_limit, counts) = (self.script().page_limit, &self.0.counts);
        for list in self.0.lists.borrow_mut().iter_mut().filter(|list| list.schema.grows()) {
            let at = list.rows.iter().rposition(|row| row.block != PENDING).map_or(0, |last| last + 1);
            let head = list.rows[..at].last().map_or(0, |row| row.block);
            if list.schema.is_list() {
                let block = head + rng.between(1, 20);
                list.rows.splice(at..at, (0..rng.between(1, 3)).map(|number| Row::new(block + number, 0)));
                continue;
            }
            let mut from = head + 1;
            if reorganises {
                from = head.saturating_sub(rng.between(0, 3));
                list.removed.extend(list.rows.extract_if(.., |row| row.block >= from));
                counts.changed_from.set(Some(counts.changed_from.get().map_or(from, |block| block.min(from))));
            }
            let last = from + rng.between(0, 3);
            // Rows beyond a full response of one block are out of reach without pages.
            let max_rows = if rng.chance(10) && list.schema.has_order() { 3 * page_limit } else { 4 };
            for block in from..=last {
                let count = rng.between(0, max_rows);
                list.rows.extend((list.next_id..list.next_id + count).map(|id| Row::new(block, id)));
                list.next_id += count;
            }
        }
    }

    /// Returns the response to a request. `now_ms` is the time in Unix milliseconds.
    pub fn respond(&self, url: &str, now_ms: u64, latency_ms: u64) -> MockResponse {
        let (script, counts, rng) = (self.script(), &self.0.counts, &mut *self.0.rng.borrow_mut());
        counts.requests.set(counts.requests.get() + 1);
        assert!(counts.requests.get() < MAX_REQUESTS, "the client does not stop sending requests: {url}");
        if rng.chance(script.grow) {
            let reorganises = rng.chance(50);
            self.grow(reorganises, rng);
        }
        let fault = self.choose_fault(url, rng);
        if fault == Some(Fault::NewBlocks) {
            self.grow(false, rng);
        }
        let (status, mut body) = self.content(url, rng);
        let fault = fault.filter(|fault| fault.change_body(&mut body, url, rng));
        counts.faults.set(counts.faults.get() + u32::from(fault.is_some()));
        counts.last_fault.set(fault);
        let deliver = |response: MockResponse, is_cut| {
            let response = self.add_body(response.and_head(status, &[]), &body, is_cut);
            let is_window = status == 200 && url.ends_with(&format!("&offset={}", script.page_limit));
            if is_window && !is_cut { response.count(&counts.windows) } else { response }
        };
        let response = MockResponse::default().wait(latency_ms);
        match fault {
            None => deliver(response, false),
            Some(fault) => fault.respond(response, now_ms, rng, deliver),
        }
    }

    fn choose_fault(&self, url: &str, rng: &mut Rng) -> Option<Fault> {
        let (script, params) = (self.script(), Query::parse(url));
        let blocks = params.number("endblock").unwrap_or(0x7FFF_FFFF) + 1 - params.number("startblock").unwrap_or(0);
        if blocks > script.fail_wider_than && params.get("offset") != Some("1") {
            return Some(rng.pick(Fault::SLOW));
        }
        (script.fail > 0 && rng.chance(script.fail)).then(|| rng.pick(script.faults))
    }

    /// Adds a body. One that is cut has only a part of its bytes.
    fn add_body(&self, mut response: MockResponse, body: &str, is_cut: bool) -> MockResponse {
        let (max_chunk_bytes, rng) = (self.script().max_chunk_bytes, &mut *self.0.chunks.borrow_mut());
        let cut = usize::try_from(rng.between(0, body.len() as u64 - 1)).unwrap();
        let body = &body.as_bytes()[..if is_cut { cut } else { body.len() }];
        let size = if max_chunk_bytes == 0 { u64::MAX } else { rng.between(1, max_chunk_bytes) };
        for chunk in body.chunks(usize::try_from(size).unwrap().max(body.len() / 20 + 1)) {
            response = response.chunk(chunk);
            if max_chunk_bytes > 0 {
                response = response.wait(rng.between(0, 50));
            }
        }
        response
    }

    /// Returns the status and the body of the response to a request without a fault.
    fn content(&self, url: &str, rng: &mut Rng) -> (u16, String) {
        let (path, params) = (url.split('?').next().unwrap(), Query::parse(url));
        if path.ends_with(VERSION_PATH) {
            return (200, format!(r#"{{"backend_version":"v{}.0.0"}}"#, self.script().version));
        }
        if params.get("action") == Some("balancemulti") {
            let accounts = params.get("address").unwrap().rsplit(',');
            let balance = |account| json!({ "account": account, "balance": balance(account), "stale": false });
            // Not in the order of the request.
            return rows_content(&accounts.map(|account| balance(account).to_string()).collect::<Vec<_>>());
        }
        let lists = self.0.lists.borrow();
        // A list of the whole chain and a list of an address can have paths with the same end.
        let is_read = |list: &&List| {
            params.get("action").map_or(path.ends_with(list.schema.path), |action| action == list.schema.path)
        };
        let list = lists.iter().filter(is_read).max_by_key(|list| list.schema.path.len());
        // Anything else is an object without members.
        let Some(list) = list else { return (200, "{}".into()) };
        if list.schema.is_list() { self.read_page(list, params) } else { self.read_action(list, &params, rng) }
    }

    /// Returns a page of a list. `params` are the filters, the size and the cursor.
    fn read_page(&self, list: &List, mut params: Query) -> (u16, String) {
        let (schema, script) = (&list.schema, self.script());
        for (name, value) in schema.filters {
            assert_eq!(params.take(name).as_deref(), Some(*value), "{} without its filter {name}", schema.method);
        }
        let size = params.take("items_count").map(|size| size.parse::<u64>().unwrap());
        // The cursors of some lists have a counter in old versions, and these lists accept it.
        let has_counter = find_operation(schema.method).unwrap().page_sizing == PageSizing::Detectable;
        let is_accepted = |size: u64| match script.version {
            12.. => true,
            9..12 => has_counter && size <= 50,
            _ => params.0.is_empty() || self.0.counters.borrow().contains(&size),
        };
        if !size.is_none_or(is_accepted) {
            return (422, r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/items_count"}}]}"#.into());
        }
        let rows = || list.rows.iter().rev();
        let mut start = 0;
        if !params.0.is_empty() {
            let position = (schema.position)(&params);
            let position = position.unwrap_or_else(|| panic!("not a cursor of {}: {params:?}", schema.method));
            start = rows().take_while(|row| (row.block, row.id) >= position).count();
            let sent = start.checked_sub(1).and_then(|last| rows().nth(last));
            match script.synthesized_cursors {
                SynthesizedCursors::Accepted => {}
                _ if sent.is_some_and(|row| params.is_cursor(&(schema.cursor)(*row))) => {}
                SynthesizedCursors::Refused => return (422, r#"{"errors":[]}"#.into()),
                SynthesizedCursors::Ignored => start = 0,
                SynthesizedCursors::Empty => return (200, r#"{"items":[],"next_page_params":null}"#.into()),
                SynthesizedCursors::Inexact => {
                    let skipped = rows().nth(start).map(|row| row.block);
                    start += rows().skip(start).take_while(|row| Some(row.block) == skipped).count();
                }
            }
        }
        let page_size = match size {
            _ if (schema.cursor)(Row::new(0, 0)).is_empty() => list.rows.len(),
            Some(size) if script.version >= 12 => script.max_page_size.min(usize::try_from(size).unwrap()),
            _ => script.page_size,
        };
        let page: Vec<&Row> = rows().skip(start).take(page_size).collect();
        if page.iter().any(|row| row.mark == Mark::Unserved) {
            return (500, r#"{"message":"Something went wrong."}"#.into());
        }
        let next = page.last().filter(|_| start + page.len() < list.rows.len()).map(|last| {
            let mut next = (schema.cursor)(**last);
            if has_counter && script.version < 12 {
                let counter = if script.version < 9 { size.unwrap_or(0) + page.len() as u64 } else { 50 };
                self.0.counters.borrow_mut().insert(counter);
                next.push(("items_count", counter.to_string()));
            }
            object(&next)
        });
        let shown = page.into_iter().filter(|row| row.mark != Mark::Hidden);
        let items: Vec<String> = shown.map(|row| list.schema.record(&list.templates, row, None, 0)).collect();
        let next = next.map_or("null".into(), |next| format!("{next}}}"));
        (200, format!(r#"{{"items":[{}],"next_page_params":{next}}}"#, items.join(",")))
    }

    /// Returns the rows of an action.
    fn read_action(&self, list: &List, params: &Query, rng: &mut Rng) -> (u16, String) {
        let (schema, script) = (&list.schema, self.script());
        let Script { page_limit, deep_pages, .. } = script;
        let (first, last) = if schema.has_order() { ("startblock", "endblock") } else { ("fromBlock", "toBlock") };
        let (low, high) = (params.number(first).unwrap_or(0), params.number(last).unwrap_or(u64::MAX));
        let (mut page, offset) = (params.number("page").unwrap_or(1), params.number("offset"));
        if offset.map_or(deep_pages == DeepPages::Refused && page > 1, |offset| page * offset > page_limit) {
            return (200, r#"{"message":"Result window is too large","result":null,"status":"0"}"#.into());
        }
        if offset.is_none() && deep_pages == DeepPages::FirstPageOnly {
            page = 1;
        }
        let size = if schema.is_unpaged() { u64::MAX } else { offset.unwrap_or(page_limit) };
        let skipped = usize::try_from((page - 1).saturating_mul(size)).unwrap();
        let size = usize::try_from(size).unwrap();
        let is_in = |row: &&Row| script.ignores_blocks || (low <= row.block && row.block <= high);
        let mut found: Vec<&Row> = list.rows.iter().filter(is_in).collect();
        if schema.is_range && schema.has_order() && params.get("sort") != Some("asc") {
            found.reverse();
        }
        found = found.into_iter().skip(skipped).take(size).collect();
        found.truncate(script.clamp.apply(&found, rng));
        let record = |row: &Row| {
            let (percent, marks) = script.damage;
            let row = if percent > 0 && rng.chance(percent) { row.marked(rng.pick(marks)) } else { *row };
            list.schema.record(&list.templates, &row, script.time_ms, self.0.counts.requests.get())
        };
        rows_content(&found.into_iter().map(record).collect::<Vec<_>>())
    }
}

/// The status and the body of an action.
fn rows_content(rows: &[String]) -> (u16, String) {
    let (message, status) = if rows.is_empty() { ("Nothing found", 0) } else { ("OK", 1) };
    (200, format!(r#"{{"message":"{message}","result":[{}],"status":"{status}"}}"#, rows.join(",")))
}

impl List {
    pub fn new(schema: Schema, rows: Vec<Row>) -> Self {
        let first_head = rows.last().map_or(0, |row| row.block);
        let next_id = rows.iter().map(|row| row.id.saturating_add(1)).max().unwrap_or_default();
        Self {
            templates: schema.templates(),
            schema,
            rows,
            removed: Vec::new(),
            first_new_id: next_id,
            first_head,
            next_id,
        }
    }
}

/// Returns the balance of an account, as a decimal string.
pub fn balance(account: &str) -> String {
    u64::from_str_radix(&account[account.len() - 12..], 16).unwrap().to_string()
}

/// Returns random latencies of up to a second.
pub fn random_latency(seed: u64) -> impl FnMut(&str) -> u64 + 'static {
    let mut rng = Rng::new(seed);
    move |_| rng.between(1, 1_000)
}
