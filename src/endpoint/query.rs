//! [`Query`]: the GraphQL query of an operation, and the body of its requests.

use crate::decode::{QueryKind, QueryLayout};
use crate::strings::{quote_json, split};

/// The maximum complexity of a query, by default. The service rejects more complex ones.
const MAX_COMPLEXITY: usize = 100;

/// A GraphQL query, as data.
#[derive(Debug)]
pub struct Query {
    /// The parameter that selects this query: its main variable.
    pub main_param: &'static str,
    /// The text. Its variables have the names of the parameters. A connection also has `$after`, and the number of
    /// records per request as `first`.
    pub text: &'static str,
    /// The structure of the response.
    pub layout: QueryLayout,
    /// The maximum number of records per request, which follows from the complexity of the text. 1 for a value.
    pub max_records: usize,
}

impl Query {
    /// Creates a query from its main parameter, the kind of result and its path, the fields that GraphQL does not have,
    /// and the text.
    pub(crate) const fn new(
        main_param: &'static str,
        kind: QueryKind,
        path: &'static [&'static str],
        nulls: &'static [&'static str],
        text: &'static str,
    ) -> Self {
        let multiplier = match kind {
            QueryKind::Connection => "first:",
            QueryKind::List => "hashes:$address",
            QueryKind::Value => "",
        };
        let layout = QueryLayout { kind, path, nulls };
        Self { main_param, text, layout, max_records: max_records(text, multiplier) }
    }

    /// Returns the body of a request with these parameters, and additional ones as variables.
    pub(super) fn body(&self, query_params: &[(&'static str, String)], additional: &[(&str, &str)]) -> String {
        let mut body = String::from("{\"query\":\"");
        // The text has no characters to escape.
        body.push_str(self.text);
        let mut separator = "\",\"variables\":{";
        let params = query_params.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in params.chain(additional.iter().copied()) {
            let (mut before, mut value) = ("", quote_json(value));
            if self.layout.kind == QueryKind::List {
                before = "[";
                value = join_elements(&value);
            }
            for part in [separator, &*quote_json(name), ":", before, &*value] {
                body.push_str(part);
            }
            separator = ",";
        }
        body.push_str("}}");
        body
    }
}

/// Converts a comma-separated string to the rest of a JSON list: `"a,b"` to `"a","b"]`.
fn join_elements(string: &str) -> String {
    let mut list = String::new();
    for element in split(string, b',') {
        list.push_str(if list.is_empty() { "" } else { "\",\"" });
        list.push_str(element);
    }
    list.push(']');
    list
}

/// The number of records that a query may request. A connection requests them with `first`, a list by their hashes.
/// Each field costs 1, and a field with a multiplier that many times the cost of the fields in it. No other field
/// follows these.
const fn max_records(text: &str, multiplier: &str) -> usize {
    if multiplier.is_empty() {
        return 1;
    }
    let (mut outside, mut inside) = (0, 0);
    let (mut is_inside, mut in_arguments, mut rest) = (false, true, text.as_bytes());
    while let [byte, after @ ..] = rest {
        is_inside |= starts_with(rest, multiplier.as_bytes());
        match byte {
            // The text starts with `query` and the declarations of the variables.
            b'(' => in_arguments = true,
            b')' | b'{' => in_arguments = false,
            b':' => {}
            // The last character of a name that is not an alias is the end of a field.
            _ if !in_arguments && is_end_of_field(*byte, after) && is_inside => inside += 1,
            _ if !in_arguments && is_end_of_field(*byte, after) => outside += 1,
            _ => {}
        }
        rest = after;
    }
    // The field with the multiplier itself is not counted.
    (MAX_COMPLEXITY + 1 - outside) / inside
}

/// Whether this byte ends the name of a field.
const fn is_end_of_field(byte: u8, after: &[u8]) -> bool {
    byte.is_ascii_alphanumeric() && matches!(after, [b' ' | b'{' | b'}' | b'(', ..])
}

const fn starts_with(mut text: &[u8], mut prefix: &[u8]) -> bool {
    while let ([expected, other_prefix @ ..], [found, other_text @ ..]) = (prefix, text) {
        if *expected != *found {
            return false;
        }
        (prefix, text) = (other_prefix, other_text);
    }
    prefix.is_empty()
}
