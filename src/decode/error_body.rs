//! The message in the body of a failing answer, whatever its shape: the service has five, proxies more.

use super::fail::Stopped;
use super::scan::Scanner;
use crate::text::{CUT, escape_invisible, lossy, shorten};

/// Longest message that is passed on.
const MAX_MESSAGE: usize = 300;

/// Messages stand within so many lists and objects.
const MAX_LEVELS: usize = 8;

/// Reads the message of an error body. In this order: `errors[]`, `message`, `error` (a text, or an object with a
/// `message`), a bare JSON text, else the beginning of the text itself, markup left out. Nothing for an empty body.
#[must_use]
pub fn error_message(body: &[u8]) -> Option<String> {
    let mut found = Found::default();
    let mut scan = Scanner::new(body);
    // A body that breaks off may still have shown its message; one that goes on (`502 Bad Gateway`) was no JSON.
    let is_json = found.value(&mut scan, &mut String::new()).is_ok() && scan.peek().is_err();
    let message = first_of([&found.errors, &found.message, &found.error, &found.text]);
    let message = message.or_else(|| (!is_json).then(|| printable(&plain_text(body))))?;
    (!message.is_empty()).then_some(message)
}

/// The message of an answer with a good status that is none of the documented ones but says why: an envelope with status 0
/// and no list, or an `error`. "Nothing found", an empty list, is no refusal.
#[must_use]
pub fn refusal(body: &[u8]) -> Option<String> {
    let mut found = Found::default();
    found.value(&mut Scanner::new(body), &mut String::new()).ok()?;
    if found.has_list {
        return None;
    }
    // Where the message is a mere "NOTOK", the reason stands under `result`.
    first_of([&found.errors, &found.error, &found.result, &found.message])
}

fn first_of(texts: [&Option<String>; 4]) -> Option<String> {
    texts.into_iter().flatten().next().map(|text| printable(text))
}

#[derive(Default)]
struct Found {
    has_list: bool,
    result: Option<String>,
    errors: Option<String>,
    message: Option<String>,
    error: Option<String>,
    text: Option<String>,
    /// Of the element of `errors` that is being read.
    detail: Option<String>,
    title: Option<String>,
    pointer: Option<String>,
}

impl Found {
    /// Takes a value and all within it. The path holds the names of the members on the way, each behind a slash, and
    /// nothing for an element of a list.
    fn value(&mut self, scan: &mut Scanner<'_>, path: &mut String) -> Result<(), Stopped> {
        let first = scan.peek()?;
        let end = match first {
            b'"' => {
                let text = scan.text()?;
                self.text_at(path, text);
                return Ok(());
            }
            b'{' => b'}',
            b'[' => b']',
            _ => return scan.skip().map(drop),
        };
        // Deeper than any message stands.
        if path.bytes().filter(|byte| *byte == b'/').count() > MAX_LEVELS {
            return scan.skip().map(drop);
        }
        scan.advance(1);
        let length = path.len();
        let mut is_first = true;
        while scan.next_member(end, is_first)? {
            is_first = false;
            path.push('/');
            if first == b'{' {
                path.push_str(&lossy(&scan.key()?));
            }
            self.value(scan, path)?;
            path.truncate(length);
        }
        match (first, path.as_str()) {
            (b'[', "/items" | "/result") => self.has_list = true,
            (b'{', "/errors/") => self.end_error(),
            _ => {}
        }
        Ok(())
    }

    fn text_at(&mut self, path: &str, text: String) {
        let place = match path {
            "" => &mut self.text,
            "/message" => &mut self.message,
            "/error" | "/error/message" => &mut self.error,
            "/result" if !text.is_empty() => &mut self.result,
            "/errors//detail" => &mut self.detail,
            "/errors//title" => &mut self.title,
            "/errors//source/pointer" => &mut self.pointer,
            _ => return,
        };
        *place = Some(text);
    }

    /// `{"detail": "Unexpected field: page", "source": {"pointer": "/page"}}` as `page: Unexpected field: page`.
    fn end_error(&mut self) {
        let (detail, title, pointer) = (self.detail.take(), self.title.take(), self.pointer.take().unwrap_or_default());
        let parameter = pointer.trim_start_matches('/');
        let parameter = parameter.strip_suffix("_param").unwrap_or(parameter);
        let said = detail.as_deref().or(title.as_deref()).unwrap_or("invalid value");
        let errors = self.errors.get_or_insert_default();
        let semicolon = if errors.is_empty() { "" } else { "; " };
        let colon = if parameter.is_empty() { "" } else { ": " };
        for part in [semicolon, parameter, colon, said] {
            errors.push_str(part);
        }
    }
}

/// Text between markup, or the text itself: `<html><title>504 Gateway Time-out</title>` says what it has to say.
fn plain_text(body: &[u8]) -> String {
    let start = body.get(..4 * MAX_MESSAGE).unwrap_or(body);
    let mut text = Vec::new();
    let mut in_tag = false;
    for &byte in start {
        match byte {
            b'<' => in_tag = true,
            b'>' if in_tag => {
                in_tag = false;
                text.push(b' ');
            }
            _ if !in_tag => text.push(byte),
            _ => {}
        }
    }
    // A character that was cut off.
    let mut text = lossy(&text).trim_end_matches('\u{fffd}').to_owned();
    if start.len() < body.len() {
        text.push_str(CUT);
    }
    text
}

/// A message of the service as one short line: white space and control characters folded, invisible characters escaped,
/// length bounded. Anybody may have written it.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut folded = String::new();
    for word in text.split(|character: char| character.is_whitespace() || character.is_control()) {
        if !folded.is_empty() && !word.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    let mut folded = escape_invisible(&folded);
    shorten(&mut folded, MAX_MESSAGE);
    folded
}

/// Whether a body is a web page rather than JSON.
#[must_use]
pub fn is_markup(body: &[u8]) -> bool {
    body.trim_ascii_start().first() == Some(&b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_shape_gives_its_message() {
        for (body, message) in [
            (
                r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/page"},"detail":"Unexpected field: page"}]}"#,
                "page: Unexpected field: page",
            ),
            (
                r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/address_hash_param"}},{"detail":"x"}],"more":1}"#,
                "address_hash: Invalid value; x",
            ),
            (r#"{"message":"Not found"}"#, "Not found"),
            (r#"{"message":"Unknown module","result":null,"status":"0"}"#, "Unknown module"),
            (r#"{"error":"Out of credits","source":"internal"}"#, "Out of credits"),
            (r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params"},"id":0}"#, "Invalid params"),
            ("\"Internal server error\"", "Internal server error"),
            ("<html>\n<head><title>504 Gateway Time-out</title></head></html>", "504 Gateway Time-out"),
            ("error code: 1010", "error code: 1010"),
            (r#"{"message":"broken off", "res"#, "broken off"),
        ] {
            assert_eq!(error_message(body.as_bytes()).as_deref(), Some(message), "{body}");
        }
    }

    #[test]
    fn bodies_without_a_message_give_none() {
        for body in ["", "   ", "null", "{}", "[]", "{\"message\":null}", "\"\"", "<p></p>"] {
            assert_eq!(error_message(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn hostile_messages_are_bounded_and_printable() {
        let body = format!("{{\"message\":\"a\\u0000\\u001b[31m\\n{}\"}}", "x".repeat(5000));
        let message = error_message(body.as_bytes()).unwrap_or_default();
        assert!(message.starts_with("a [31m xxx"), "{message}");
        assert_eq!(message.chars().count(), MAX_MESSAGE + 1);
    }

    #[test]
    fn format_characters_in_messages_are_escaped() {
        for (body, said) in [
            (r#"{"message":"pay \u202e0x12\u2066 ok\ufeff"}"#, "pay \u{fffd}0x12\u{fffd} ok\u{fffd}"),
            ("<p>a\u{202e}b</p>", "a\u{fffd}b"),
            ("zwölf 日本語\u{200b}", "zwölf 日本語\u{fffd}"),
        ] {
            assert_eq!(error_message(body.as_bytes()).as_deref(), Some(said), "{body}");
        }
        let body = r#"{"status":"0","result":"a\u202eb"}"#;
        assert_eq!(refusal(body.as_bytes()).as_deref(), Some("a\u{fffd}b"));
    }
}
