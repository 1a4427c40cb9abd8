#![no_main]
//! Error bodies, against `serde_json`: the message of every documented shape is found, every other text says itself, and
//! what comes out is short and printable.

use std::collections::BTreeSet;

use address_query::decode::error_body::{error_message, is_markup, refusal};
use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use serde::de::IgnoredAny;

mod pairs;
mod seeds;

use pairs::Pairs;

/// Longest message, without the mark of what was left out.
const LONGEST: usize = 300;

/// Bodies up to here are looked at whole.
const WHOLE: usize = 4 * LONGEST;

fuzz_target!(init: seeds::write("error-body", bodies()), |data: &[u8]| check(data));

fn bodies() -> impl Iterator<Item = Vec<u8>> {
    let texts = ["502 Bad Gateway", "error code: 1010", "null and void", "<html><title>504 Gateway Time-out</title>\n"];
    let answers = seeds::answers().into_iter().filter(|(folder, _)| folder == "errors").map(|(_, body)| body);
    answers.chain(texts.map(|text| text.as_bytes().to_vec()))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Tree {
    Text(String),
    Object(Pairs<Tree>),
    List(Vec<Tree>),
    Other(#[allow(dead_code, reason = "what it is does not matter")] IgnoredAny),
}

fn check(body: &[u8]) {
    let (message, refused) = (error_message(body), refusal(body));
    for said in [&message, &refused].into_iter().flatten() {
        assert!(said.chars().count() <= LONGEST + 1, "{} characters", said.chars().count());
        assert!(!said.contains(|c: char| c.is_control()) && said.trim() == said, "{said:?}");
    }
    assert!(message.as_deref() != Some(""));
    assert_eq!(is_markup(body), body.trim_ascii_start().starts_with(b"<"));

    let Ok(text) = std::str::from_utf8(body) else { return };
    if let Some(tree) = serde_json::from_str::<Tree>(text).ok().filter(Tree::is_plain) {
        assert_eq!(message, tree.message().map(|said| folded(&said)).filter(|said| !said.is_empty()));
        assert_eq!(refused, tree.refusal().map(|said| folded(&said)));
        return;
    }
    // A document that begins like an object may have shown its message before it breaks off.
    let is_text = !text.trim_start().starts_with(['{', '[', '"', '\u{feff}']) && !text.contains('<');
    if is_text && body.len() <= WHOLE && serde_json::from_str::<IgnoredAny>(text).is_err() {
        assert_eq!(message.unwrap_or_default(), folded(text));
    }
}

impl Tree {
    /// Whether no object has two members of one name, and this is more than a number: what those say is nobody's promise.
    fn is_plain(&self) -> bool {
        !matches!(self, Self::Other(_)) && self.has_single_names()
    }

    fn has_single_names(&self) -> bool {
        match self {
            Self::Object(members) => {
                let names: BTreeSet<&str> = members.0.iter().map(|(name, _)| name.as_str()).collect();
                names.len() == members.0.len() && members.0.iter().all(|(_, value)| value.has_single_names())
            }
            Self::List(elements) => elements.iter().all(Self::has_single_names),
            Self::Text(_) | Self::Other(_) => true,
        }
    }

    fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<String> {
        match self.member(name) {
            Some(Self::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    fn message(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            _ => self.errors().or_else(|| self.text("message")).or_else(|| self.error()),
        }
    }

    fn refusal(&self) -> Option<String> {
        if ["items", "result"].iter().any(|name| matches!(self.member(name), Some(Self::List(_)))) {
            return None;
        }
        let result = self.text("result").filter(|result| !result.is_empty());
        self.errors().or_else(|| self.error()).or(result).or_else(|| self.text("message"))
    }

    fn error(&self) -> Option<String> {
        self.text("error").or_else(|| self.member("error")?.text("message"))
    }

    fn errors(&self) -> Option<String> {
        let Some(Self::List(errors)) = self.member("errors") else { return None };
        let said = errors.iter().filter(|error| matches!(error, Self::Object(_))).map(|error| {
            let what = error.text("detail").or_else(|| error.text("title")).unwrap_or_else(|| "invalid value".into());
            let pointer = error.member("source").and_then(|source| source.text("pointer")).unwrap_or_default();
            match pointer.trim_start_matches('/').trim_end_matches("_param") {
                "" => what,
                parameter => format!("{parameter}: {what}"),
            }
        });
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join("; "))
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

/// One line of printable text, bounded.
fn folded(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        match (c.is_whitespace() || c.is_control(), line.ends_with(' ') || line.is_empty()) {
            (true, true) => {}
            (true, false) => line.push(' '),
            (false, _) => line.push(if is_format(c) { '\u{fffd}' } else { c }),
        }
    }
    let line = line.trim_end();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
