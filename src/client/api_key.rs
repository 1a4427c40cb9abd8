//! The API key: sent with every request, and taken out of every text that leaves the client.

use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::decode::Cursor;
use crate::endpoint::request::percent_encode;
use crate::error::Error;
use crate::text::{CUT, split_once};

/// What stands in a text where the key was.
const HIDDEN: &str = "***";

/// So many of its first characters tell something of a key.
const TELLING: usize = 6;

/// Keys of a function that gives new ones now and then are remembered, to be hidden: so many of the last ones.
const REMEMBERED: usize = 16;

/// A key, once it is asked for.
pub type AskedKey = Pin<Box<dyn Future<Output = Result<String, Error>>>>;

/// The key, or where it comes from. Clones share what they know.
#[derive(Clone)]
pub struct ApiKey(Rc<Inner>);

struct Inner {
    source: Source,
    /// Spellings of the keys that were given so far.
    known: RefCell<Vec<String>>,
}

enum Source {
    Text(String),
    Ask(Box<dyn Fn() -> AskedKey>),
}

impl ApiKey {
    /// A key that stays the same.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `apiKey` when it cannot be one.
    pub fn text(key: &str) -> Result<Self, Error> {
        let key = checked(key)?;
        let known = RefCell::new(Vec::new());
        let api_key = Self(Rc::new(Inner { source: Source::Text(key.to_owned()), known }));
        api_key.remember(key);
        Ok(api_key)
    }

    /// A key that is asked for before each request.
    pub fn ask(ask: impl Fn() -> AskedKey + 'static) -> Self {
        Self(Rc::new(Inner { source: Source::Ask(Box::new(ask)), known: RefCell::default() }))
    }

    /// Whether the other one gives the same key.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0.source, &other.0.source) {
            (Source::Text(one), Source::Text(other)) => one == other,
            _ => Rc::ptr_eq(&self.0, &other.0),
        }
    }

    /// The key for a request.
    pub(crate) async fn get(&self) -> Result<String, Error> {
        match &self.0.source {
            Source::Text(key) => Ok(key.clone()),
            Source::Ask(ask) => {
                let key = ask().await?;
                self.remember(checked(&key)?);
                Ok(key)
            }
        }
    }

    fn remember(&self, key: &str) {
        let mut known = self.0.known.borrow_mut();
        if !known.iter().any(|text| text == key) {
            // Both spellings: what a browser says about a request may quote its URL.
            known.extend([key.to_owned(), percent_encode(key)]);
            let over = known.len().saturating_sub(2 * REMEMBERED);
            known.drain(..over);
        }
    }

    /// Takes the keys out of a cursor that repeat the API key under any name: it is sent with every request anyway.
    pub(crate) fn remove_from(&self, cursor: &mut Option<Cursor>) {
        let known = self.0.known.borrow();
        let is_secret = |text: &str| known.iter().any(|key| split_once(text, key).is_some());
        *cursor = cursor.take().and_then(|cursor| cursor.without(is_secret));
    }

    /// The string without the key, and without a beginning of it where an excerpt was cut.
    #[must_use]
    pub fn hidden_in(&self, text: &str) -> String {
        self.0.known.borrow().iter().fold(text.to_owned(), |text, key| hide_cut(&hide(&text, key), key))
    }
}

fn hide(text: &str, key: &str) -> String {
    let beginning = key.get(..TELLING).unwrap_or(key);
    let (mut shown, mut rest) = (String::new(), text);
    while let Some((before, after)) = split_once(rest, beginning) {
        shown.push_str(before);
        shown.push_str(HIDDEN);
        // All of it, also where it is spelt otherwise from here on: to the next byte that ends a text in JSON, HTML and prose.
        let same = key.bytes().skip(TELLING).zip(after.bytes()).take_while(|(one, other)| one == other).count();
        let ends = |byte: u8| matches!(byte, 0..=b' ' | b'"' | b'\'' | b'<' | b'>');
        let more = after.bytes().skip(same).take_while(|byte| !ends(*byte)).count();
        rest = after.get(same + more..).unwrap_or_default();
    }
    shown + rest
}

/// Hides what an excerpt shows of the key at the place where it was cut, be it a single character.
fn hide_cut(text: &str, key: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some((before, after)) = split_once(rest, CUT) {
        let beginnings = (1..TELLING).rev().filter_map(|length| before.strip_suffix(key.get(..length)?));
        match beginnings.into_iter().next() {
            Some(before) => shown.push_str(&[before, HIDDEN, CUT].concat()),
            None => shown.push_str(&[before, CUT].concat()),
        }
        rest = after;
    }
    shown + rest
}

/// Short ones could not be hidden: they would be found everywhere.
fn checked(key: &str) -> Result<&str, Error> {
    if (8..=512).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(key);
    }
    Err(Error::invalid_parameter("apiKey", "must be a text of 8 to 512 printable ASCII characters without spaces"))
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}
