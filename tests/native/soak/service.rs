//! The whole service, small: the eight lists with keyset cursors, the list actions and balances of the account module. New
//! blocks come when they are told to.

use address_query::endpoint::request::percent_decode;
use serde_json::json;

use super::rows::{ACTIONS, ActionRows, Keys, LISTS, ListRows};
use crate::range::dice::Dice;

/// An answer with status 200, still in its parts.
pub enum Answer {
    /// `keys` are those of the request's cursor.
    Page {
        rows: Vec<String>,
        next: Option<Keys>,
        keys: Vec<(String, String)>,
    },
    Rows(Vec<String>),
    Refusal(&'static str),
}

pub struct Service {
    /// Places of the records of each list, the newest first.
    lists: [Vec<u64>; LISTS.len()],
    /// Block and number of the records of each action, the oldest first.
    actions: [Vec<(u64, u64)>; ACTIONS.len()],
    /// Records that a page is cut from.
    size: usize,
    /// Records that one request to an action reaches.
    pub window: u64,
    /// New blocks since the beginning.
    pub blocks: u64,
    ids: u64,
}

/// Taken out after the page was cut: pages get short, or empty.
const fn is_hidden(place: u64) -> bool {
    place % 7 == 3 || place % 90 < 21
}

impl Service {
    pub fn new(dice: &mut Dice) -> Self {
        let mut service = Self {
            lists: std::array::from_fn(|_| (1..=dice.roll(0, 120)).rev().collect()),
            actions: Default::default(),
            size: usize::try_from(dice.roll(3, 15)).unwrap(),
            window: dice.roll(6, 40),
            blocks: 0,
            ids: 0,
        };
        for (index, action) in ACTIONS.iter().enumerate() {
            let mut block = 1000;
            for _ in 0..dice.roll(0, 30) {
                block += 1 + dice.roll(0, 3) * dice.roll(0, 500);
                let most = if dice.percent(6) { 2 * service.window } else { 4 };
                for _ in 0..dice.roll(1, most) {
                    // Equal records are legal.
                    service.ids += u64::from(!action.ranged || dice.percent(95));
                    service.actions[index].push((block, service.ids));
                }
                service.ids += 1;
            }
        }
        service
    }

    /// The records of a list as they are sent.
    pub fn list(&self, list: &ListRows) -> Vec<String> {
        let index = LISTS.iter().position(|known| known.method == list.method).unwrap();
        self.lists[index].iter().filter(|place| !is_hidden(**place)).map(|place| list.row(*place)).collect()
    }

    /// The records of an action as they are sent, the oldest first.
    pub fn action(&self, action: &ActionRows) -> Vec<String> {
        let index = ACTIONS.iter().position(|known| known.method == action.method).unwrap();
        self.actions[index].iter().map(|&(block, id)| (action.row)(block, id).to_string()).collect()
    }

    /// A new block at the head.
    pub fn grow(&mut self, dice: &mut Dice) {
        self.blocks += 1;
        for places in &mut self.lists {
            let head = places.first().copied().unwrap_or_default();
            places.splice(0..0, (head + 1..=head + dice.roll(1, 3)).rev());
        }
        for (rows, _) in self.actions.iter_mut().zip(&ACTIONS).filter(|(_, action)| action.ranged) {
            let head = rows.last().map_or(1000, |(block, _)| *block);
            for _ in 0..dice.roll(1, 3) {
                self.ids += 1;
                rows.push((head + 1, self.ids));
            }
        }
    }

    pub fn answer(&self, url: &str) -> Answer {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let decoded = |text: &str| percent_decode(text).unwrap();
        let pair = |pair: &str| pair.split_once('=').map(|(name, value)| (decoded(name), decoded(value))).unwrap();
        let query: Vec<(String, String)> = query.split('&').filter(|text| !text.is_empty()).map(pair).collect();
        if path.contains("/api/v2/") {
            let list = LISTS.iter().position(|list| path.ends_with(list.path)).unwrap();
            return self.page(&LISTS[list], &self.lists[list], query);
        }
        self.rows(&query)
    }

    fn page(&self, list: &ListRows, places: &[u64], mut keys: Vec<(String, String)>) -> Answer {
        for (name, value) in list.filters {
            let found = keys.iter().position(|(key, given)| key == name && given == value);
            keys.remove(found.unwrap_or_else(|| panic!("{} without its filter {name}", list.method)));
        }
        let mut start = 0;
        if !keys.is_empty() {
            let place =
                keys.iter().find(|(name, _)| *name == list.place.0).and_then(|(_, value)| (list.place.1)(value));
            let place = place.unwrap_or_else(|| panic!("no cursor of {}: {keys:?}", list.method));
            let sent = |keys: &[(String, String)]| {
                let mut keys = keys.to_vec();
                keys.sort();
                keys
            };
            let own: Vec<_> = (list.keys)(place).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(sent(&keys), sent(&own), "a cursor goes back as it came");
            start = places.iter().position(|known| *known < place).unwrap_or(places.len());
        }
        let page = &places[start..places.len().min(start + self.size)];
        let next = (start + page.len() < places.len()).then(|| (list.keys)(*page.last().unwrap()));
        let shown = page.iter().filter(|place| !is_hidden(**place));
        Answer::Page { rows: shown.map(|place| list.row(*place)).collect(), next, keys }
    }

    fn rows(&self, query: &[(String, String)]) -> Answer {
        let given = |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let number = |name: &str| given(name).map(|text| text.parse::<u64>().unwrap());
        let action = given("action").unwrap();
        if action == "balancemulti" {
            let balance = |account: &str| json!({ "account": account, "balance": balance(account), "stale": false });
            // In no order that the request knows.
            return Answer::Rows(given("address").unwrap().rsplit(',').map(|one| balance(one).to_string()).collect());
        }
        let index = ACTIONS.iter().position(|known| known.action == action).unwrap();
        let ActionRows { ranged, row, .. } = ACTIONS[index];
        let (low, high) = (number("startblock").unwrap_or(0), number("endblock").unwrap_or(u64::MAX));
        let (page, offset) = (number("page").unwrap_or(1), number("offset"));
        if offset.is_some_and(|offset| page * offset > self.window) {
            return Answer::Refusal("Result window is too large");
        }
        let mut found: Vec<_> =
            self.actions[index].iter().filter(|(block, _)| low <= *block && *block <= high).collect();
        if ranged && given("sort") != Some("asc") {
            found.reverse();
        }
        let size = if action == "tokenlist" { u64::MAX } else { offset.unwrap_or(self.window) };
        let skipped = usize::try_from((page - 1).saturating_mul(size)).unwrap();
        let page = found.into_iter().skip(skipped).take(usize::try_from(size).unwrap());
        Answer::Rows(page.map(|&(block, id)| row(block, id).to_string()).collect())
    }
}

/// The balance of an account, as a number in text.
pub fn balance(account: &str) -> String {
    u64::from_str_radix(&account[account.len() - 12..], 16).unwrap().to_string()
}

impl Answer {
    pub fn text(&self) -> String {
        match self {
            Self::Page { rows, next, .. } => self::page(rows, next.as_ref().map(|keys| cursor(keys, &[]))),
            Self::Rows(rows) if rows.is_empty() => r#"{"message":"Nothing found","result":[],"status":"0"}"#.into(),
            Self::Rows(rows) => format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(",")),
            Self::Refusal(message) => json!({ "message": message, "result": null, "status": "0" }).to_string(),
        }
    }
}

pub fn page(rows: &[String], next: Option<String>) -> String {
    format!(r#"{{"items":[{}],"next_page_params":{}}}"#, rows.join(","), next.unwrap_or_else(|| "null".into()))
}

/// A cursor in JSON, with the values of `stale` a second time under the same keys.
pub fn cursor(keys: &[(&'static str, String)], stale: &[(String, String)]) -> String {
    let is_text = |name: &str| {
        matches!(name, "fetched_coin_balance" | "hash" | "token_id" | "token_type") || name.ends_with("_hash")
    };
    let member = |(name, value): &(&str, String)| {
        let fresh = if is_text(name) { format!(r#""{name}":"{value}""#) } else { format!(r#""{name}":{value}"#) };
        let old = stale.iter().find(|(known, _)| known == name);
        old.map_or(fresh.clone(), |(_, old)| format!(r#"{fresh},"{name}":"{old}""#))
    };
    format!("{{{}}}", keys.iter().map(member).collect::<Vec<_>>().join(","))
}
