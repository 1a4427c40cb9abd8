//! A model of a list of the service: keyset pagination of random items, with faults.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::testing::endpoint::ParamValue;
use serde_json::{Value as Json, json};

use crate::range::rng::Rng;
use crate::support::{HASH_A, read_fixture};
use crate::test_runtime::MockResponse;

/// The lists of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Logs,
    Transactions,
    /// Their index counts as the block.
    Withdrawals,
}

/// The item at a position. Pending transactions have no block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    pub block: Option<u64>,
    pub index: u64,
    /// Fails validation.
    pub is_bad: bool,
    /// Removed from its page by the service.
    pub is_hidden: bool,
    /// The service fails for every page with it.
    pub is_unserved: bool,
}

impl Item {
    pub const fn new(block: u64, index: u64) -> Self {
        Self { block: Some(block), index, is_bad: false, is_hidden: false, is_unserved: false }
    }
}

/// How the service responds to a cursor that does not name an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SynthesizedCursors {
    Accepted,
    Refused,
    /// It returns the first page.
    Ignored,
    /// It returns an empty last page.
    Empty,
    /// It skips a block.
    Inexact,
}

#[derive(Debug, Clone, Copy)]
pub struct Behavior {
    pub page_size: usize,
    pub synthesized_cursors: SynthesizedCursors,
    /// How many of a hundred requests fail.
    pub fault_percent: u64,
    /// With how many of a hundred requests the list grows.
    pub growth_percent: u64,
    /// Whether requests choose the size of a page, as since version 12.
    pub has_page_sizes: bool,
    /// Whether the cursors repeat the keys of the request's cursor before the keys of the next page.
    pub repeats_keys: bool,
}

impl Behavior {
    pub const fn normal(page_size: usize) -> Self {
        Self {
            page_size,
            synthesized_cursors: SynthesizedCursors::Accepted,
            fault_percent: 0,
            growth_percent: 0,
            has_page_sizes: false,
            repeats_keys: false,
        }
    }
}

struct ServiceState {
    kind: Kind,
    /// Newest first.
    items: RefCell<Vec<Item>>,
    behavior: Behavior,
    rng: RefCell<Rng>,
    /// The JSON of an item, with `BLOCK`, `HEIGHT`, `INDEX` and `HASH` instead of its position.
    template: String,
}

#[derive(Clone)]
pub struct Service(Rc<ServiceState>);

impl Service {
    pub fn new(kind: Kind, items: Vec<Item>, behavior: Behavior, seed: u64) -> Self {
        let (folder, item) = match kind {
            Kind::Logs => ("address-logs", 1),
            Kind::Transactions => ("address-transactions", 2),
            Kind::Withdrawals => ("address-withdrawals", 1),
        };
        let fixture: Json = serde_json::from_slice(&read_fixture(&format!("{folder}/v11.json"))).unwrap();
        let mut row = fixture["items"][item].clone();
        match kind {
            Kind::Logs => row["block_number"] = json!("BLOCK"),
            Kind::Transactions => {
                row["block_number"] = json!("BLOCK");
                row["position"] = json!("INDEX");
                row["hash"] = json!("HASH");
            }
            Kind::Withdrawals => row["block_number"] = json!("HEIGHT"),
        }
        row["index"] = json!(if kind == Kind::Withdrawals { "BLOCK" } else { "INDEX" });
        let template = row.to_string();
        let rng = RefCell::new(Rng::new(seed));
        Self(Rc::new(ServiceState { kind, items: RefCell::new(items), behavior, rng, template }))
    }

    pub fn method(&self) -> &'static str {
        match self.0.kind {
            Kind::Logs => "addressLogs",
            Kind::Transactions => "addressTransactions",
            Kind::Withdrawals => "addressWithdrawals",
        }
    }

    pub fn params() -> Vec<(String, ParamValue)> {
        vec![("address_hash".into(), ParamValue::String(HASH_A.into()))]
    }

    pub fn items(&self) -> Vec<Item> {
        self.0.items.borrow().clone()
    }

    /// Responds to the request with this URL, after this time.
    pub fn respond(&self, url: &str, latency_ms: u64) -> MockResponse {
        let wait = MockResponse::default().wait(latency_ms);
        if url.ends_with("/config/backend-version") {
            let version = if self.0.behavior.has_page_sizes { "12.0.0" } else { "11.2.7" };
            return wait.and_head(200, &[]).chunk(format!(r#"{{"backend_version":"v{version}"}}"#));
        }
        let (behavior, mut rng) = (self.0.behavior, self.0.rng.borrow_mut());
        if rng.chance(behavior.growth_percent) {
            self.grow(&mut rng);
        }
        if rng.chance(behavior.fault_percent) {
            return match rng.between(0, 2) {
                0 => wait.and_head(500, &[]).chunk("no"),
                1 => wait.and_head(200, &[]).chunk("{\"items\":[").disconnect("the body broke off"),
                _ => wait.and_head(200, &[]).chunk("<html>"),
            };
        }
        let items = self.0.items.borrow();
        let mut start = 0;
        if let Some(position) = self.read_cursor(url) {
            start = items.iter().take_while(|item| self.position(item) >= position).count();
            let names_item = items.iter().any(|item| self.position(item) == position);
            match behavior.synthesized_cursors {
                SynthesizedCursors::Accepted => {}
                _ if names_item => {}
                SynthesizedCursors::Refused => return wait.and_head(422, &[]).chunk(r#"{"errors":[]}"#),
                SynthesizedCursors::Ignored => start = 0,
                SynthesizedCursors::Inexact => {
                    let skipped = items.get(start).map(|item| item.block);
                    start += items[start..].iter().take_while(|item| Some(item.block) == skipped).count();
                }
                SynthesizedCursors::Empty => {
                    return wait.and_head(200, &[]).chunk(r#"{"items":[],"next_page_params":null}"#);
                }
            }
        }
        let chosen = read_parameter(url, "items_count").filter(|_| behavior.has_page_sizes);
        let page_size = chosen.map_or(behavior.page_size, |size| behavior.page_size.min(size.parse().unwrap()));
        let end = items.len().min(start + page_size);
        let page = &items[start..end];
        if page.iter().any(|item| item.is_unserved) {
            return wait.and_head(500, &[]).chunk(r#"{"message":"Something went wrong."}"#);
        }
        let rows: Vec<String> = page.iter().filter(|item| !item.is_hidden).map(|item| self.serialize(item)).collect();
        let next = page.last().filter(|_| end < items.len());
        let mut next = next.map_or("null".into(), |last| self.make_cursor(last).to_string());
        let sent = items.iter().find(|item| Some(self.position(item)) == self.read_cursor(url));
        if let Some(sent) = sent.filter(|_| behavior.repeats_keys && next != "null") {
            next = self.make_cursor(sent).to_string().replace('}', ",") + &next[1..];
        }
        wait.and_head(200, &[]).chunk(format!(r#"{{"items":[{}],"next_page_params":{next}}}"#, rows.join(",")))
    }

    /// Adds an item before all others, except for pending ones.
    fn grow(&self, rng: &mut Rng) {
        let mut items = self.0.items.borrow_mut();
        let pending = items.iter().take_while(|item| item.block.is_none()).count();
        let newest = items.get(pending).and_then(|item| item.block).unwrap_or(0);
        items.insert(pending, Item::new(newest + rng.between(1, 20), 1));
    }

    /// Higher is newer.
    fn position(&self, item: &Item) -> (u64, u64) {
        match self.0.kind {
            Kind::Withdrawals => (item.block.unwrap(), 1),
            _ => (item.block.unwrap_or(u64::MAX), item.index),
        }
    }

    fn make_cursor(&self, item: &Item) -> Json {
        match self.0.kind {
            Kind::Logs if self.0.behavior.has_page_sizes => json!({ "block_number": item.block, "index": item.index }),
            Kind::Logs => json!({ "block_number": item.block, "index": item.index, "items_count": 50 }),
            Kind::Transactions => json!({
                "block_number": item.block,
                // Pending transactions are sorted by another key.
                "index": item.block.map(|_| item.index),
                "hash": hash(*item),
                "value": item.index.to_string(),
            }),
            Kind::Withdrawals if self.0.behavior.has_page_sizes => json!({ "index": item.block }),
            Kind::Withdrawals => json!({ "index": item.block, "items_count": 50 }),
        }
    }

    fn read_cursor(&self, url: &str) -> Option<(u64, u64)> {
        let value = |name: &str| read_parameter(url, name);
        let number = |name: &str| value(name)?.parse::<u64>().ok();
        match self.0.kind {
            Kind::Logs => Some((number("block_number")?, number("index")?)),
            Kind::Transactions => match value("block_number")? {
                "null" => Some((u64::MAX, value("value")?.parse().unwrap())),
                block => Some((block.parse().unwrap(), number("index")?)),
            },
            Kind::Withdrawals => Some((number("index")?, 1)),
        }
    }

    fn serialize(&self, item: &Item) -> String {
        let block = match item.block {
            Some(block) if item.is_bad && self.0.kind == Kind::Withdrawals => format!("\"bad {block}\""),
            Some(block) => block.to_string(),
            None => "null".into(),
        };
        // Quotes make it invalid.
        let index = if item.is_bad { format!("\"bad {}\"", item.index) } else { item.index.to_string() };
        let row = self.0.template.replace("\"BLOCK\"", &block);
        let row = row.replace("\"HEIGHT\"", &item.block.map_or_else(String::new, |block| block.to_string()));
        row.replace("\"INDEX\"", &index).replace("HASH", &hash(*item))
    }
}

fn read_parameter<'a>(url: &'a str, name: &str) -> Option<&'a str> {
    url.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

fn hash(item: Item) -> String {
    format!("0x{:048x}{:016x}", item.block.unwrap_or(u64::MAX), item.index)
}

/// Returns random items, newest first, of blocks whose density varies.
pub fn random_items(kind: Kind, rng: &mut Rng, page_size: usize) -> Vec<Item> {
    let pages = if rng.chance(20) { rng.between(0, 2) } else { rng.between(3, 25) };
    let count = pages * page_size as u64 + rng.between(0, page_size as u64);
    let mut items = Vec::new();
    let mut block = rng.between(0, 1_000);
    let mut gap = 3;
    while (items.len() as u64) < count {
        if rng.chance(5) {
            gap = rng.pick(&[0, 1, 10, 1_000]);
        }
        block += 1 + rng.between(0, gap);
        let is_single = kind == Kind::Withdrawals || rng.chance(60);
        let size = if is_single { 1 } else { rng.between(2, 2 * page_size as u64) };
        let first = rng.between(0, 1);
        items.extend((first..first + size).map(|index| Item::new(block, index)));
    }
    if kind == Kind::Transactions && rng.chance(50) {
        items
            .extend((0..rng.between(1, 3 * page_size as u64)).map(|index| Item { block: None, ..Item::new(0, index) }));
    }
    items.reverse();
    items
}
