//! The message in the body of a failing answer, whatever its shape: the service has five, proxies more.

use super::scan::{Fail, Scanner};

/// Longest message that is passed on.
const MAX_MESSAGE: usize = 300;

/// Reads the message of an error body. In this order: `errors[]`, `message`, `error` (a text, or an object with a
/// `message`), a bare JSON text, else the beginning of the text itself, markup left out. Nothing for an empty body.
#[must_use]
pub fn error_message(body: &[u8]) -> Option<String> {
    let mut found = Found::default();
    let mut scan = Scanner::new(body);
    // A body that breaks off may still have shown its message; one that goes on (`502 Bad Gateway`) was no JSON.
    let is_json = found.document(&mut scan).is_ok() && scan.peek() == Err(Fail::More);
    let message = found.errors.or(found.message).or(found.error).or(found.text);
    let message = message.or_else(|| if is_json { None } else { plain_text(body) })?;
    let message = printable(&message);
    (!message.is_empty()).then_some(message)
}

/// The message of an answer with a good status that is none of the documented ones but says why: an envelope with status 0
/// and no list, or an `error`. "Nothing found", an empty list, is no refusal.
#[must_use]
pub fn refusal(body: &[u8]) -> Option<String> {
    let mut found = Found::default();
    found.document(&mut Scanner::new(body)).ok()?;
    if found.has_list {
        return None;
    }
    // Where the message is a mere "NOTOK", the reason stands under `result`.
    found.errors.or(found.error).or(found.result).or(found.message).map(|message| printable(&message))
}

#[derive(Default)]
struct Found {
    has_list: bool,
    result: Option<String>,
    errors: Option<String>,
    message: Option<String>,
    error: Option<String>,
    text: Option<String>,
}

impl Found {
    fn document(&mut self, scan: &mut Scanner<'_>) -> Result<(), Fail> {
        match scan.peek()? {
            b'"' => self.text = Some(text(scan)?),
            b'{' => members(scan, |scan, key| {
                let first = scan.peek()?;
                match (key, first) {
                    (b"message", b'"') => self.message = Some(text(scan)?),
                    (b"error", b'"') => self.error = Some(text(scan)?),
                    (b"error", b'{') => members(scan, |scan, key| {
                        if key == b"message" && scan.peek()? == b'"' {
                            self.error = Some(text(scan)?);
                            return Ok(());
                        }
                        scan.skip().map(drop)
                    })?,
                    (b"items" | b"result", b'[') => {
                        self.has_list = true;
                        scan.skip()?;
                    }
                    (b"result", b'"') => self.result = Some(text(scan)?).filter(|result| !result.is_empty()),
                    (b"errors", b'[') => self.errors = validation_errors(scan)?,
                    _ => drop(scan.skip()?),
                }
                Ok(())
            })?,
            _ => drop(scan.skip()?),
        }
        Ok(())
    }
}

/// `[{"detail": "Unexpected field: page", "source": {"pointer": "/page"}}]` as `page: Unexpected field: page`.
fn validation_errors(scan: &mut Scanner<'_>) -> Result<Option<String>, Fail> {
    let mut messages = Vec::new();
    scan.enter()?;
    let mut first = true;
    while scan.next_member(b']', first)? {
        first = false;
        if scan.peek()? != b'{' {
            scan.skip()?;
            continue;
        }
        let (mut detail, mut pointer) = (None, String::new());
        members(scan, |scan, key| {
            let first = scan.peek()?;
            match (key, first) {
                (b"detail", b'"') => detail = Some(text(scan)?),
                (b"title", b'"') if detail.is_none() => detail = Some(text(scan)?),
                (b"source", b'{') => members(scan, |scan, key| {
                    if key == b"pointer" && scan.peek()? == b'"' {
                        pointer = text(scan)?;
                        return Ok(());
                    }
                    scan.skip().map(drop)
                })?,
                _ => drop(scan.skip()?),
            }
            Ok(())
        })?;
        let parameter = pointer.trim_start_matches('/').trim_end_matches("_param");
        let detail = detail.unwrap_or_else(|| "invalid value".into());
        messages.push(if parameter.is_empty() { detail } else { format!("{parameter}: {detail}") });
    }
    Ok((!messages.is_empty()).then(|| messages.join("; ")))
}

fn members(
    scan: &mut Scanner<'_>,
    mut member: impl FnMut(&mut Scanner<'_>, &[u8]) -> Result<(), Fail>,
) -> Result<(), Fail> {
    scan.enter()?;
    let mut first = true;
    while scan.next_member(b'}', first)? {
        first = false;
        let key = scan.string()?.plain();
        scan.expect(b':', "a colon")?;
        member(scan, &key)?;
    }
    Ok(())
}

fn text(scan: &mut Scanner<'_>) -> Result<String, Fail> {
    Ok(String::from_utf8_lossy(&scan.string()?.plain()).into_owned())
}

/// Text between markup, or the text itself: `<html><title>504 Gateway Time-out</title>` says what it has to say.
fn plain_text(body: &[u8]) -> Option<String> {
    let start = body.get(..body.len().min(4 * MAX_MESSAGE))?;
    let mut text = String::new();
    let mut in_tag = false;
    for character in String::from_utf8_lossy(start).chars() {
        match character {
            '<' => in_tag = true,
            '>' if in_tag => {
                in_tag = false;
                text.push(' ');
            }
            _ if !in_tag => text.push(character),
            _ => {}
        }
    }
    (!text.trim().is_empty()).then_some(text)
}

/// White space folded, control characters dropped, length bounded: the body may come from anybody.
fn printable(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let mut folded: String = words.join(" ").chars().take(MAX_MESSAGE + 1).collect();
    if folded.chars().count() > MAX_MESSAGE {
        folded.pop();
        folded.push('…');
    }
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
}
