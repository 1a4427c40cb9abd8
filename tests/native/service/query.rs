//! The parameters of requests.

use address_query::testing::endpoint::percent_decode;

use super::{Fields, PENDING};

/// The parameters of a URL.
#[derive(Debug, Clone, Default)]
pub struct Query(pub(super) Vec<(String, String)>);

impl Query {
    pub fn parse(url: &str) -> Self {
        let decode = |value: &str| percent_decode(value).unwrap();
        let query = url.split_once('?').map_or("", |(_, query)| query);
        Self(query.split('&').filter_map(|pair| pair.split_once('=')).map(|(a, b)| (decode(a), decode(b))).collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| &**value)
    }

    /// The last 18 digits of a decimal number, or the last 16 of a hexadecimal one. `null` is the block of a pending transaction.
    pub fn number(&self, name: &str) -> Option<u64> {
        let end = |value: &str, digits: usize| value[value.len().saturating_sub(digits)..].to_owned();
        match self.get(name)? {
            "null" => Some(PENDING),
            value if value.starts_with("0x") => u64::from_str_radix(&end(&value[2..], 16), 16).ok(),
            value => end(value, 18).parse().ok(),
        }
    }

    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.remove(index).1)
    }

    /// Whether these are the parameters of a cursor.
    pub(super) fn is_cursor(&self, fields: &Fields) -> bool {
        let has = |(name, value): &(&str, String)| self.get(name) == Some(value.trim_matches('"'));
        self.0.len() == fields.len() && fields.iter().all(has)
    }
}
