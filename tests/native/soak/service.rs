//! A small simulation of the service: all lists with keyset cursors, and the list actions and balances of the account
//! module. [`Service::grow`] adds a block.

use std::cell::RefCell;
use std::collections::HashSet;

use address_query::testing::endpoint::{PageSizing, find_operation, percent_decode};
use serde_json::json;

use super::actions::{ACTIONS, ActionRows};
use super::records::{CursorParams, LISTS, ListRows};
use crate::range::rng::Rng;

/// A response with status 200, before it is serialised.
pub enum Content {
    /// A page of a list. `cursor` is the cursor of the request.
    Page { rows: Vec<String>, next: Option<CursorParams>, cursor: Vec<(String, String)> },
    /// The rows of an action.
    Rows(Vec<String>),
    /// The version of the backend.
    Version(u64),
    /// An action that is refused with this message.
    Refusal(&'static str),
}

pub struct Service {
    /// Version of the backend: 8, 11 or 12.
    version: u64,
    /// The values of `items_count` in the cursors of version 8.
    counters: RefCell<HashSet<u64>>,
    /// Positions of the records of each list, newest first.
    lists: [Vec<u64>; LISTS.len()],
    /// Block and id of the records of each action, oldest first.
    actions: [Vec<(u64, u64)>; ACTIONS.len()],
    /// Number of records per page of a list, including hidden ones.
    page_size: usize,
    /// Rows that one request of an action can reach.
    pub page_limit: u64,
    /// Number of blocks that were added.
    pub new_blocks: u64,
    last_id: u64,
}

/// Whether the service removes a record after it has selected the page. Pages can therefore be short or empty.
const fn is_hidden(position: u64) -> bool {
    position % 7 == 3 || position % 90 < 21
}

impl Service {
    pub fn new(rng: &mut Rng) -> Self {
        let mut service = Self {
            version: rng.pick(&[8, 11, 12]),
            counters: RefCell::default(),
            lists: std::array::from_fn(|_| (1..=rng.between(0, 120)).rev().collect()),
            actions: Default::default(),
            page_size: usize::try_from(rng.between(3, 15)).unwrap(),
            page_limit: rng.between(6, 40),
            new_blocks: 0,
            last_id: 0,
        };
        for (index, action) in ACTIONS.iter().enumerate() {
            let mut block = 1000;
            for _ in 0..rng.between(0, 30) {
                block += 1 + rng.between(0, 3) * rng.between(0, 500);
                // Rows beyond a full response of one block are out of reach without pages.
                let max_rows = if rng.chance(6) && action.has_order() { 2 * service.page_limit } else { 4 };
                for _ in 0..rng.between(1, max_rows) {
                    // Some records are equal.
                    service.last_id += u64::from(!action.is_range || rng.chance(95));
                    service.actions[index].push((block, service.last_id));
                }
                service.last_id += 1;
            }
        }
        service
    }

    /// Returns all records of a list as JSON.
    pub fn list_rows(&self, list: &ListRows) -> Vec<String> {
        let index = LISTS.iter().position(|other| other.method == list.method).unwrap();
        self.lists[index].iter().filter(|position| !is_hidden(**position)).map(|position| list.row(*position)).collect()
    }

    /// Returns all records of an action as JSON, oldest first.
    pub fn action_rows(&self, action: &ActionRows) -> Vec<String> {
        let index = ACTIONS.iter().position(|other| other.method == action.method).unwrap();
        self.actions[index].iter().map(|&(block, id)| (action.row)(block, id).to_string()).collect()
    }

    /// Returns how many rows one request of an action can read of this block. None if the block was never at the head.
    pub fn head_block_rows(&self, action: &str, block: u64) -> Option<u64> {
        let rows = &self.actions[ACTIONS.iter().position(|other| other.action == action)?];
        let (head, _) = rows.last()?;
        let count = rows.iter().filter(|(other, _)| *other == block).count() as u64;
        (block + self.new_blocks >= *head && count > 0).then_some(count.min(self.page_limit))
    }

    /// Adds a block at the head.
    pub fn grow(&mut self, rng: &mut Rng) {
        self.new_blocks += 1;
        for positions in &mut self.lists {
            let head = positions.first().copied().unwrap_or_default();
            positions.splice(0..0, (head + 1..=head + rng.between(1, 3)).rev());
        }
        for (rows, _) in self.actions.iter_mut().zip(&ACTIONS).filter(|(_, action)| action.is_range) {
            let head = rows.last().map_or(1000, |(block, _)| *block);
            for _ in 0..rng.between(1, 3) {
                self.last_id += 1;
                rows.push((head + 1, self.last_id));
            }
        }
    }

    /// Returns the response to a request.
    pub fn respond(&self, url: &str) -> Content {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let decode = |value: &str| percent_decode(value).unwrap();
        let pair = |pair: &str| pair.split_once('=').map(|(name, value)| (decode(name), decode(value))).unwrap();
        let params: Vec<(String, String)> = query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect();
        if path.ends_with(VERSION_PATH) {
            return Content::Version(self.version);
        }
        if path.contains("/api/v2/") {
            // A list of the whole chain and a list of an address can have paths with the same end.
            let (list, _) = LISTS
                .iter()
                .enumerate()
                .filter(|(_, list)| path.ends_with(list.path))
                .max_by_key(|(_, list)| list.path.len())
                .unwrap();
            return self.page(&LISTS[list], &self.lists[list], params);
        }
        self.rows(&params)
    }

    /// Returns a page of a list. `params` are the filters and the cursor.
    fn page(&self, list: &ListRows, positions: &[u64], mut params: Vec<(String, String)>) -> Content {
        for filter in list.filters {
            let index = params.iter().position(|(name, value)| (name.as_str(), value.as_str()) == *filter);
            params.remove(index.unwrap_or_else(|| panic!("{} without its filter {filter:?}", list.method)));
        }
        let requested = self.take_page_size(list, &mut params);
        let cursor = params;
        let mut start = 0;
        if !cursor.is_empty() {
            let (key, parse) = list.parse_cursor;
            let position = cursor.iter().find(|(name, _)| *name == key).and_then(|(_, value)| parse(value));
            let position = position.unwrap_or_else(|| panic!("not a cursor of {}: {cursor:?}", list.method));
            let sort = |params: &[(String, String)]| {
                let mut params = params.to_vec();
                params.sort();
                params
            };
            let expected: Vec<_> =
                (list.cursor)(position).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(sort(&cursor), sort(&expected), "the client must send a cursor unchanged");
            start = positions.iter().position(|other| *other < position).unwrap_or(positions.len());
        }
        let page_size = match requested {
            _ if !list.has_pages() => positions.len(),
            // A larger size is reduced without an error.
            Some(_) if self.version == 12 => 2 * self.page_size,
            _ => self.page_size,
        };
        let page = &positions[start..positions.len().min(start + page_size)];
        let next = (start + page.len() < positions.len()).then(|| (list.cursor)(*page.last().unwrap()));
        let next = next.map(|mut next| {
            next.extend(self.create_counter(list, requested, page.len()));
            next
        });
        let shown = page.iter().filter(|position| !is_hidden(**position));
        Content::Page { rows: shown.map(|position| list.row(*position)).collect(), next, cursor }
    }

    /// Removes `items_count` from the parameters of a request, and checks it as the version of the service does. Returns its value.
    fn take_page_size(&self, list: &ListRows, params: &mut Vec<(String, String)>) -> Option<u64> {
        let index = params.iter().position(|(name, _)| name == "items_count")?;
        let requested = params.remove(index).1.parse().unwrap();
        let has_counter = has_counter(list);
        match self.version {
            8 => assert!(has_counter && self.counters.borrow().contains(&requested), "{}: {requested}", list.method),
            11 => assert!(has_counter && requested == 50, "{} must not be sent items_count {requested}", list.method),
            _ => assert_eq!(requested, 100, "{}", list.method),
        }
        Some(requested)
    }

    /// `items_count` in the next cursor: the number of records so far in version 8, the page size in 11, and none in 12.
    fn create_counter(
        &self,
        list: &ListRows,
        requested: Option<u64>,
        records: usize,
    ) -> Option<(&'static str, String)> {
        let counter = match self.version {
            _ if !has_counter(list) => return None,
            8 => requested.unwrap_or(0) + records as u64,
            11 => 50,
            _ => return None,
        };
        self.counters.borrow_mut().insert(counter);
        Some(("items_count", counter.to_string()))
    }

    /// Returns the rows of an action.
    fn rows(&self, params: &[(String, String)]) -> Content {
        let param = |name: &str| params.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
        let number =
            |name: &str| param(name).filter(|value| *value != "latest").map(|value| value.parse::<u64>().unwrap());
        let action = param("action").unwrap();
        if action == "balancemulti" {
            let balance = |account: &str| json!({ "account": account, "balance": balance(account), "stale": false });
            // Not in the order of the request.
            return Content::Rows(
                param("address").unwrap().rsplit(',').map(|account| balance(account).to_string()).collect(),
            );
        }
        let index = ACTIONS.iter().position(|other| other.action == action).unwrap();
        let ActionRows { is_range, row, .. } = ACTIONS[index];
        let is_paged = ACTIONS[index].is_paged();
        let has_order = ACTIONS[index].has_order();
        let (first, last) = if has_order { ("startblock", "endblock") } else { ("fromBlock", "toBlock") };
        let (low, high) = (number(first).unwrap_or(0), number(last).unwrap_or(u64::MAX));
        let (page, offset) = (number("page").unwrap_or(1), number("offset"));
        if offset.is_some_and(|offset| page * offset > self.page_limit) {
            return Content::Refusal("Result window is too large");
        }
        let mut found: Vec<_> =
            self.actions[index].iter().filter(|(block, _)| low <= *block && *block <= high).collect();
        if is_range && has_order && param("sort") != Some("asc") {
            found.reverse();
        }
        let page_size = if is_paged || !has_order { offset.unwrap_or(self.page_limit) } else { u64::MAX };
        let skipped = usize::try_from((page - 1).saturating_mul(page_size)).unwrap();
        let page = found.into_iter().skip(skipped).take(usize::try_from(page_size).unwrap());
        Content::Rows(page.map(|&(block, id)| row(block, id).to_string()).collect())
    }
}

/// The end of the path that returns the version.
pub const VERSION_PATH: &str = "/config/backend-version";

/// Whether the cursors of old versions have `items_count`.
fn has_counter(list: &ListRows) -> bool {
    find_operation(list.method).unwrap().page_sizing == PageSizing::Detectable
}

/// Returns the balance of an account, as a decimal string.
pub fn balance(account: &str) -> String {
    u64::from_str_radix(&account[account.len() - 12..], 16).unwrap().to_string()
}

impl Content {
    /// Returns the body of the response.
    pub fn to_json(&self) -> String {
        match self {
            Self::Page { rows, next, .. } => {
                page_json(rows, next.as_ref().map(|cursor| cursor_json(cursor, &[], false)))
            }
            Self::Rows(rows) if rows.is_empty() => r#"{"message":"Nothing found","result":[],"status":"0"}"#.into(),
            Self::Rows(rows) => format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(",")),
            Self::Version(version) => format!(r#"{{"backend_version":"v{version}.0.0"}}"#),
            Self::Refusal(message) => json!({ "message": message, "result": null, "status": "0" }).to_string(),
        }
    }
}

/// Returns the body of a page of a list.
pub fn page_json(rows: &[String], next: Option<String>) -> String {
    format!(r#"{{"items":[{}],"next_page_params":{}}}"#, rows.join(","), next.unwrap_or_else(|| "null".into()))
}

/// Returns a cursor as JSON. The values of `stale` are added under duplicate keys: as strings after the others, as version 9.0.0 sends
/// them, or first, as versions up to 9.4.2 do.
pub fn cursor_json(cursor: &[(&'static str, String)], stale: &[(String, String)], stale_first: bool) -> String {
    let is_string = |name: &str| {
        let others = [
            "fetched_coin_balance",
            "hash",
            "token_id",
            "token_type",
            "value",
            "amount",
            "type",
            "name",
            "page_token",
            "next_page_params_type",
            "token[name]",
        ];
        name.ends_with("_hash") || others.contains(&name)
    };
    let typed = |name: &str, value: &str| {
        if is_string(name) { format!(r#""{name}":"{value}""#) } else { format!(r#""{name}":{value}"#) }
    };
    let member = |(name, value): &(&str, String)| {
        let fresh = typed(name, value);
        match stale.iter().find(|(other, _)| other == name) {
            None => fresh,
            Some((_, old)) if stale_first => format!("{},{fresh}", typed(name, old)),
            Some((_, old)) => format!(r#"{fresh},"{name}":"{old}""#),
        }
    };
    format!("{{{}}}", cursor.iter().map(member).collect::<Vec<_>>().join(","))
}
