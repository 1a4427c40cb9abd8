#![no_main]
//! Compares messages of error bodies with `serde_json`. The message of every known format is found; a body that is not JSON
//! is its own message. Every message is short and printable.

use std::collections::BTreeSet;

use address_query::testing::decode::{error_message, is_markup, refusal_message};
use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use serde::de::IgnoredAny;

mod pairs;
mod seeds;

use pairs::Pairs;

/// Maximum length of a message, without the ellipsis.
const MAX_CHARS: usize = 300;

/// Maximum length of a body that is used completely.
const MAX_BYTES: usize = 4 * MAX_CHARS;

fuzz_target!(init: seeds::write("error-body", bodies()), |data: &[u8]| check(data));

fn bodies() -> impl Iterator<Item = Vec<u8>> {
    let others =
        ["502 Bad Gateway", "error code: 1010", "null and void", "<html><title>504 Gateway Time-out</title>\n"];
    let responses = seeds::responses().into_iter().filter(|(folder, _)| folder == "errors").map(|(_, body)| body);
    responses.chain(others.map(|body| body.as_bytes().to_vec()))
}

/// A JSON value as `serde_json` reads it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Tree {
    String(String),
    Object(Pairs<Tree>),
    List(Vec<Tree>),
    Other(#[allow(dead_code, reason = "its value does not matter")] IgnoredAny),
}

fn check(body: &[u8]) {
    let (message, refusal) = (error_message(body), refusal_message(body));
    for found in [&message, &refusal].into_iter().flatten() {
        assert!(found.chars().count() <= MAX_CHARS + 1, "{} characters", found.chars().count());
        assert!(!found.contains(|c: char| c.is_control()) && found.trim() == found, "{found:?}");
    }
    assert!(message.as_deref() != Some(""));
    assert_eq!(is_markup(body), body.trim_ascii_start().starts_with(b"<"));

    let Ok(body) = std::str::from_utf8(body) else { return };
    if let Some(tree) = serde_json::from_str::<Tree>(body).ok().filter(Tree::has_defined_message) {
        assert_eq!(message, tree.message().map(|found| to_single_line(&found)).filter(|line| !line.is_empty()));
        assert_eq!(refusal, tree.refusal().map(|found| to_single_line(&found)));
        return;
    }
    // An incomplete object may still contain its message, so only other bodies are their own message.
    let is_text = !body.trim_start().starts_with(['{', '[', '"', '\u{feff}']) && !body.contains('<');
    if is_text && body.len() <= MAX_BYTES && serde_json::from_str::<IgnoredAny>(body).is_err() {
        assert_eq!(message.unwrap_or_default(), to_single_line(body));
    }
}

impl Tree {
    /// Whether the message is defined: no object has repeated names, and the value is not just a number, boolean or null.
    fn has_defined_message(&self) -> bool {
        !matches!(self, Self::Other(_)) && self.has_single_names()
    }

    fn has_single_names(&self) -> bool {
        match self {
            Self::Object(members) => {
                let names: BTreeSet<&str> = members.0.iter().map(|(name, _)| name.as_str()).collect();
                names.len() == members.0.len() && members.0.iter().all(|(_, value)| value.has_single_names())
            }
            Self::List(elements) => elements.iter().all(Self::has_single_names),
            Self::String(_) | Self::Other(_) => true,
        }
    }

    fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn string(&self, name: &str) -> Option<String> {
        match self.member(name) {
            Some(Self::String(string)) => Some(string.clone()),
            _ => None,
        }
    }

    fn message(&self) -> Option<String> {
        match self {
            Self::String(string) => Some(string.clone()),
            _ => self.errors().or_else(|| self.string("message")).or_else(|| self.error()),
        }
    }

    fn refusal(&self) -> Option<String> {
        if ["items", "result"].iter().any(|name| matches!(self.member(name), Some(Self::List(_)))) {
            return None;
        }
        if self.string("status").as_deref() == Some("1") {
            return None;
        }
        let result = self.string("result").filter(|result| !result.is_empty());
        self.errors().or_else(|| self.error()).or(result).or_else(|| self.string("message"))
    }

    fn error(&self) -> Option<String> {
        self.string("error").or_else(|| self.member("error")?.string("message"))
    }

    /// The last `detail` of the REST API or `message` of GraphQL.
    fn reason(&self) -> Option<String> {
        let Self::Object(members) = self else { return None };
        members.0.iter().rev().find_map(|(name, value)| match value {
            Self::String(reason) if name == "detail" || name == "message" => Some(reason.clone()),
            _ => None,
        })
    }

    fn errors(&self) -> Option<String> {
        let Some(Self::List(errors)) = self.member("errors") else { return None };
        let messages = errors.iter().filter(|error| matches!(error, Self::Object(_))).map(|error| {
            let reason = error.reason().or_else(|| error.string("title")).unwrap_or_else(|| "invalid value".into());
            let pointer = error.member("source").and_then(|source| source.string("pointer")).unwrap_or_default();
            match pointer.trim_start_matches('/').trim_end_matches("_param") {
                "" => reason,
                parameter => format!("{parameter}: {reason}"),
            }
        });
        let messages: Vec<String> = messages.collect();
        (!messages.is_empty()).then(|| messages.join("; "))
    }
}

/// Whether a character has the Unicode category Cf.
fn is_format(c: char) -> bool {
    const RANGES: &[(u32, u32)] = &[
        (0xad, 0xad),
        (0x600, 0x605),
        (0x61c, 0x61c),
        (0x6dd, 0x6dd),
        (0x70f, 0x70f),
        (0x890, 0x891),
        (0x8e2, 0x8e2),
        (0x180e, 0x180e),
        (0x200b, 0x200f),
        (0x202a, 0x202e),
        (0x2060, 0x206f),
        (0xfeff, 0xfeff),
        (0xfff9, 0xfffb),
        (0x110bd, 0x110bd),
        (0x110cd, 0x110cd),
        (0x13430, 0x1343f),
        (0x1bca0, 0x1bca3),
        (0x1d173, 0x1d17a),
        (0xe0001, 0xe007f),
    ];
    RANGES.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
}

/// A message as one line of printable characters, of limited length.
fn to_single_line(message: &str) -> String {
    let mut line = String::new();
    for c in message.chars() {
        match (c.is_whitespace() || c.is_control(), line.ends_with(' ') || line.is_empty()) {
            (true, true) => {}
            (true, false) => line.push(' '),
            (false, _) => line.push(if is_format(c) { '\u{fffd}' } else { c }),
        }
    }
    let line = line.trim_end();
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
