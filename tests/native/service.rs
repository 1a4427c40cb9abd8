//! The service that the native tests read: lists of REST, actions of the account module, and the version of the backend.
//!
//! Its [`Script`] says how it grows and reorganises, fails, clamps responses and refuses requests, and its version can change.

mod faults;
mod query;
mod schemas;
mod script;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use address_query::testing::endpoint::{PageSizing, find_operation};

pub use self::faults::Fault;
use self::faults::add_drift;
pub use self::query::Query;
pub use self::schemas::{
    ACTIONS, INTERNAL_TRANSACTIONS, LISTS, LOGS, Mark, PENDING, Row, SHORT_TRANSFERS, Schema, TOKEN_ID, TRANSACTION,
    TRANSACTIONS, TRANSFERS, WITHDRAWALS, balance, string,
};
use self::schemas::{Fields, balances, object};
pub use self::script::{Clamp, FIRST_PAGE_ONLY, REFUSED, Script, UNLIMITED};
use crate::range::rng::Rng;
use crate::test_runtime::{MockResponse, TestRuntime};

/// The end of the path that returns the version.
pub const VERSION_PATH: &str = "/config/backend-version";

/// The rows of a list or an action, oldest first.
pub struct List {
    pub schema: Schema,
    pub rows: Vec<Row>,
    /// The rows of an action that a reorganisation has removed.
    pub removed: Vec<Row>,
    /// The rows at the start have smaller ids.
    pub first_new_id: u64,
    next_id: u64,
}

pub struct Service {
    pub script: RefCell<Script>,
    pub lists: RefCell<Vec<List>>,
    rng: RefCell<Rng>,
    /// Cuts bodies into chunks.
    chunks: RefCell<Rng>,
    /// The values of `items_count` in the cursors of version 8.
    counters: RefCell<HashSet<usize>>,
    /// The fault of each request so far.
    pub requests: RefCell<Vec<Option<Fault>>>,
    /// Full windows of an action that were read to the end.
    pub windows: Rc<Cell<u32>>,
    /// The lowest block that a reorganisation changed.
    pub changed_from: Cell<u64>,
}

impl Service {
    /// Creates a service with these lists and actions. Their rows are sorted by block, oldest first.
    pub fn new(lists: impl IntoIterator<Item = (Schema, Vec<Row>)>, script: Script, seed: u64) -> Rc<Self> {
        let list = |(schema, rows): (Schema, Vec<Row>)| {
            let next_id = rows.iter().map(|row| row.id.saturating_add(1)).max().unwrap_or_default();
            List { schema, rows, removed: Vec::new(), first_new_id: next_id, next_id }
        };
        Rc::new(Self {
            script: RefCell::new(script),
            lists: RefCell::new(lists.into_iter().map(list).collect()),
            rng: RefCell::new(Rng::new(seed)),
            chunks: RefCell::new(Rng::new(7)),
            counters: RefCell::default(),
            requests: RefCell::default(),
            windows: Rc::default(),
            changed_from: Cell::new(u64::MAX),
        })
    }

    /// Creates a service with the rows and the script of this one.
    pub fn copy(&self, seed: u64) -> Rc<Self> {
        self.edit(|list| Self::new([(list.schema, list.rows.clone())], *self.script.borrow(), seed))
    }

    /// Creates a runtime whose requests go to the service. `latency_ms` returns the time to the first byte of a response.
    pub fn connect(self: &Rc<Self>, mut latency_ms: impl FnMut(&str) -> u64 + 'static) -> TestRuntime {
        let service = self.clone();
        TestRuntime::with_service(move |url| service.respond(url, latency_ms(url)))
    }

    /// Reads or changes the first list.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut List) -> T) -> T {
        edit(&mut self.lists.borrow_mut()[0])
    }

    /// The method of the first list.
    pub fn method(&self) -> &'static str {
        self.edit(|list| list.schema.method)
    }

    /// Adds blocks at the head. A reorganisation also replaces the newest ones.
    fn grow(&self, reorganises: bool, rng: &mut Rng) {
        let page_limit = self.script.borrow().page_limit;
        for list in self.lists.borrow_mut().iter_mut().filter(|list| list.schema.grows()) {
            let head = list.rows.iter().rfind(|row| row.block != PENDING).map_or(0, |row| row.block);
            let is_list = list.schema.is_list();
            let mut from = head + 1;
            if reorganises && !is_list {
                from = head.saturating_sub(rng.between(0, 3));
                list.removed.extend(list.rows.extract_if(.., |row| row.block >= from));
                self.changed_from.set(self.changed_from.get().min(from));
            }
            let last = from + rng.between(0, 3);
            // Rows beyond a full response of one block are out of reach without pages.
            let max_rows = if rng.chance(10) && list.schema.has_order() { 3 * page_limit } else { 4 };
            for block in from..=last {
                let id = list.next_id;
                let ids = if is_list { 0..1 } else { id..id + rng.between(0, max_rows) };
                list.next_id = ids.end.max(list.next_id);
                let at = list.rows.partition_point(|row| row.block != PENDING);
                list.rows.splice(at..at, ids.map(|id| Row::new(block, id)));
            }
        }
    }

    /// Returns the response to a request, whose first byte arrives after `latency_ms`.
    pub fn respond(&self, url: &str, latency_ms: u64) -> MockResponse {
        let (script, rng) = (*self.script.borrow(), &mut *self.rng.borrow_mut());
        assert!(self.requests.borrow().len() < 20_000, "the client does not stop sending requests: {url}");
        if rng.chance(script.grow) {
            self.grow(rng.chance(50), rng);
        }
        let params = Query::parse(url);
        let blocks = params.number("endblock").unwrap_or(0x7FFF_FFFF) + 1 - params.number("startblock").unwrap_or(0);
        let is_too_wide = blocks > script.fail_wider_than && params.get("offset") != Some("1");
        let faults = if is_too_wide { Fault::SLOW } else { script.faults };
        let mut fault = (is_too_wide || script.fail > 0 && rng.chance(script.fail)).then(|| rng.pick(faults));
        if fault == Some(Fault::NewBlocks) {
            self.grow(false, rng);
        }
        let (status, body) = self.content(url, params, &mut fault, rng);
        let body = if fault == Some(Fault::SchemaDrift) { add_drift(&body) } else { body };
        self.requests.borrow_mut().push(fault);
        let deliver = |response: MockResponse, is_cut| {
            let response = self.add_body(response.and_head(status, &[]), &body, is_cut);
            let is_window = status == 200 && url.ends_with(&format!("&offset={}", script.page_limit));
            if is_window && !is_cut { response.count(&self.windows) } else { response }
        };
        let response = MockResponse::default().wait(latency_ms);
        match fault {
            None => deliver(response, false),
            Some(fault) => fault.respond(response, rng, deliver),
        }
    }

    /// Adds a body. One that is cut has only a part of its bytes.
    fn add_body(&self, response: MockResponse, body: &str, is_cut: bool) -> MockResponse {
        let (max_chunk_bytes, rng) = (self.script.borrow().max_chunk_bytes, &mut *self.chunks.borrow_mut());
        let cut = usize::try_from(rng.between(0, body.len() as u64 - 1)).unwrap();
        let body = &body.as_bytes()[..if is_cut { cut } else { body.len() }];
        let max_pause_ms = if max_chunk_bytes == u64::MAX { 0 } else { 50 };
        let size = usize::try_from(rng.between(1, max_chunk_bytes)).unwrap();
        let chunks = body.chunks(size.max(body.len() / 20 + 1));
        chunks.fold(response, |response, chunk| response.chunk(chunk).wait(rng.between(0, max_pause_ms)))
    }

    /// Returns the status and the body of a response. Removes a fault of the cursor if there is no cursor to repeat.
    fn content(&self, url: &str, params: Query, fault: &mut Option<Fault>, rng: &mut Rng) -> (u16, String) {
        let cursor_fault = fault.take_if(|fault| matches!(fault, Fault::DuplicateCursorKeys | Fault::RepeatedCursor));
        let path = params.get("action").unwrap_or_else(|| url.split('?').next().unwrap());
        let lists = self.lists.borrow();
        // One path can be the end of another.
        let list =
            lists.iter().filter(|list| path.ends_with(list.schema.path)).max_by_key(|list| list.schema.path.len());
        match list {
            Some(list) if list.schema.is_list() => self.read_page(list, params, |next, params| {
                *fault = fault.or(cursor_fault.filter(|fault| fault.repeat(next, params, rng)));
            }),
            Some(list) => self.read_action(list, &params, rng),
            None if path == "balancemulti" => rows_content(&balances(params.get("address").unwrap())),
            None if path.ends_with(VERSION_PATH) => {
                (200, format!(r#"{{"backend_version":"v{}.0.0"}}"#, self.script.borrow().version))
            }
            // Anything else is an object without members.
            None => (200, "{}".into()),
        }
    }

    /// Returns a page of a list. `params` are the filters, the size and the cursor. `repeat` repeats the cursor in the next one.
    fn read_page(&self, list: &List, mut params: Query, repeat: impl FnOnce(&mut Fields, &Query)) -> (u16, String) {
        let (schema, script) = (&list.schema, *self.script.borrow());
        for (name, value) in schema.filters {
            assert_eq!(params.0.remove(*name).as_deref(), Some(*value), "{} without its filter {name}", schema.method);
        }
        let size = params.0.remove("items_count").map(|size| size.parse::<usize>().unwrap());
        // The cursors of some lists have a counter in old versions, and these lists accept it.
        let has_counter = find_operation(schema.method).unwrap().page_sizing == PageSizing::Detectable;
        let is_accepted = |size: usize| match script.version {
            12.. => true,
            9..12 => has_counter && size <= 50,
            _ => params.0.is_empty() || self.counters.borrow().contains(&size),
        };
        if !size.is_none_or(is_accepted) {
            return (422, r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/items_count"}}]}"#.into());
        }
        let rows: Vec<Row> = list.rows.iter().rev().copied().collect();
        let mut start = 0;
        if !params.0.is_empty() {
            let position = (schema.position)(&params).expect(schema.method);
            start = rows.partition_point(|row| (row.block, row.id) >= position);
            let is_sent = start > 0 && params.is_cursor((schema.cursor)(rows[start - 1]));
            match if is_sent { Some(start) } else { (script.synthesized_cursors)(&rows, start) } {
                Some(other) => start = other,
                None => return (422, r#"{"errors":[]}"#.into()),
            }
        }
        let page_size = match size {
            _ if (schema.cursor)(Row::new(0, 0)).is_empty() => rows.len(),
            Some(size) if script.version >= 12 => script.max_page_size.min(size),
            _ => script.page_size,
        };
        let page = &rows[start..rows.len().min(start + page_size)];
        if page.iter().any(|row| row.mark == Mark::Unserved) {
            return (500, r#"{"message":"Something went wrong."}"#.into());
        }
        let last = page.last().filter(|_| start + page.len() < rows.len());
        let mut next = last.map_or(Vec::new(), |last| (schema.cursor)(*last));
        repeat(&mut next, &params);
        if last.is_some() && has_counter && script.version < 12 {
            let counter = if script.version < 9 { size.unwrap_or(0) + page.len() } else { 50 };
            self.counters.borrow_mut().insert(counter);
            next.push(("items_count", counter.to_string()));
        }
        let next = if last.is_some() { object(&next) + "}" } else { "null".into() };
        let items = schema.records(page, 0);
        (200, format!(r#"{{"items":[{}],"next_page_params":{next}}}"#, items.join(",")))
    }

    /// Returns the rows of an action.
    fn read_action(&self, list: &List, params: &Query, rng: &mut Rng) -> (u16, String) {
        let (schema, script) = (&list.schema, *self.script.borrow());
        let bound = |name, other| params.number(name).or(params.number(other));
        let blocks = bound("startblock", "fromBlock").unwrap_or(0)..=bound("endblock", "toBlock").unwrap_or(PENDING);
        let (page, offset) = (params.number("page").unwrap_or(1), params.number("offset"));
        let is_near = |offset| (page * offset <= script.page_limit).then_some(page);
        let Some(page) = offset.map_or_else(|| (script.deep_pages)(page), is_near) else {
            return (200, r#"{"message":"Result window is too large","result":null,"status":"0"}"#.into());
        };
        let size = if schema.is_unpaged() { u64::MAX } else { offset.unwrap_or(script.page_limit) };
        let mut rows: Vec<Row> = list.rows.iter().filter(|row| blocks.contains(&row.block)).copied().collect();
        if schema.is_range && schema.has_order() && params.get("sort") != Some("asc") {
            rows.reverse();
        }
        let [first, count] = [(page - 1).saturating_mul(size), size].map(|count| usize::try_from(count).unwrap());
        rows = rows.into_iter().skip(first).take(count).collect();
        rows.truncate((script.clamp)(&rows, script.max_rows, rng));
        rows_content(&schema.records(&rows, self.requests.borrow().len()))
    }
}

/// The status and the body of an action.
fn rows_content(rows: &[String]) -> (u16, String) {
    let (message, status) = if rows.is_empty() { ("Nothing found", 0) } else { ("OK", 1) };
    (200, format!(r#"{{"message":"{message}","result":[{}],"status":"{status}"}}"#, rows.join(",")))
}

/// Returns random latencies of up to a second.
pub fn random_latency(seed: u64) -> impl FnMut(&str) -> u64 + 'static {
    let mut rng = Rng::new(seed);
    move |_| rng.between(1, 1_000)
}
