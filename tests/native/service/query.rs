//! The parameters of requests.

use std::collections::BTreeMap;

use address_query::testing::endpoint::percent_decode;

use super::schemas::Fields;

/// The parameters of a URL.
#[derive(Debug, Clone)]
pub struct Query(pub(super) BTreeMap<String, String>);

impl Query {
    pub fn parse(url: &str) -> Self {
        let decode = |value: &str| percent_decode(value).unwrap();
        let query = url.split_once('?').map_or("", |(_, query)| query);
        Self(query.split('&').filter_map(|pair| pair.split_once('=')).map(|(a, b)| (decode(a), decode(b))).collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| &**value)
    }

    /// The last 18 digits of a decimal number, or the last 16 of a hexadecimal one.
    pub fn number(&self, name: &str) -> Option<u64> {
        let value = self.get(name)?;
        let (digits, radix, most) = value.strip_prefix("0x").map_or((value, 10, 18), |digits| (digits, 16, 16));
        u64::from_str_radix(&digits[digits.len().saturating_sub(most)..], radix).ok()
    }

    /// Whether these are the parameters of a cursor.
    pub(super) fn is_cursor(&self, fields: Fields) -> bool {
        self.0 == fields.into_iter().map(|(name, value)| (name.into(), value.trim_matches('"').into())).collect()
    }
}
