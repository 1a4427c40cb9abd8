//! Finds the message in the body of an error response. The service has six formats, and proxies have others.

use crate::json::{ScanError, Scanner};
use crate::strings::{ELLIPSIS, escape_invisible, from_utf8_lossy, split_once, truncate_chars};

/// Maximum length of a message, in characters.
const MAX_MESSAGE: usize = 300;

/// Maximum number of lists and objects around a message.
const MAX_LEVELS: usize = 8;

/// The message of an error response. `None` if the body has none.
///
/// The sources, in order of preference: `errors[]`, `message`, `error` (a string, or an object with a `message`), and a
/// body that is one JSON string. For a body that is not JSON, the message is its start, without markup.
#[must_use]
pub fn error_message(body: &[u8]) -> Option<String> {
    let mut found = Found::default();
    let mut scan = Scanner::new(body);
    // An incomplete body may still contain the message. A value with text after it (`502 Bad Gateway`) is not JSON.
    let is_json = found.read_value(&mut scan, &mut String::new()).is_ok() && scan.peek().is_err();
    let message = find_first([&found.errors, &found.message, &found.error, &found.document]);
    let message = message.or_else(|| (!is_json).then(|| sanitize_message(&strip_markup(body))))?;
    (!message.is_empty()).then_some(message)
}

/// The message of a refusal with a success status: an envelope with status 0 and no list, or an `error`.
///
/// `None` if the body has a list: an empty one means "nothing found". Also `None` with status 1.
#[must_use]
pub fn refusal_message(body: &[u8]) -> Option<String> {
    let found = Found::read(body)?;
    if found.has_list || found.status.as_deref() == Some("1") {
        return None;
    }
    // If the message is just "NOTOK", the reason is in `result`. In other responses, `result` is data.
    let result = found.result.filter(|_| found.status.as_deref() == Some("0"));
    find_first([&found.errors, &found.error, &result, &found.message])
}

/// Whether the gateway itself reports the error: `{"error": "…", "source": "internal"}`. The errors of the instance
/// behind the gateway have another source, or none.
#[must_use]
pub(crate) fn is_gateway_error(body: &[u8]) -> bool {
    Found::read(body).is_some_and(|found| found.source.as_deref() == Some("internal"))
}

/// The first message that was found.
fn find_first(messages: [&Option<String>; 4]) -> Option<String> {
    messages.into_iter().flatten().next().map(|message| sanitize_message(message))
}

/// The strings of a body that can be, or belong to, its message.
#[derive(Default)]
struct Found {
    has_list: bool,
    status: Option<String>,
    result: Option<String>,
    errors: Option<String>,
    message: Option<String>,
    error: Option<String>,
    /// Which server of a gateway failed.
    source: Option<String>,
    /// The document, if it is a string.
    document: Option<String>,
    /// Members of the element of `errors` that is being read.
    detail: Option<String>,
    title: Option<String>,
    pointer: Option<String>,
}

impl Found {
    /// Reads a body. `None` if it is not JSON.
    #[inline(never)]
    fn read(body: &[u8]) -> Option<Self> {
        let mut found = Self::default();
        found.read_value(&mut Scanner::new(body), &mut String::new()).ok()?;
        Some(found)
    }

    /// Reads a value and all values in it. The path has a slash for each level, followed by the name of the member, or
    /// by nothing for an element of a list.
    fn read_value(&mut self, scan: &mut Scanner<'_>, path: &mut String) -> Result<(), ScanError> {
        let first = scan.peek()?;
        let end = match first {
            b'"' => {
                let string = scan.read_string_lossy()?;
                self.store_string(path, string);
                return Ok(());
            }
            b'{' => b'}',
            b'[' => b']',
            _ => return scan.skip_value().map(drop),
        };
        // No message is nested deeper.
        if path.bytes().filter(|byte| *byte == b'/').count() > MAX_LEVELS {
            return scan.skip_value().map(drop);
        }
        scan.advance(1);
        let length = path.len();
        let mut is_first = true;
        while scan.next_member(end, is_first)? {
            is_first = false;
            path.push('/');
            if first == b'{' {
                path.push_str(&from_utf8_lossy(&scan.read_key()?));
            }
            self.read_value(scan, path)?;
            path.truncate(length);
        }
        match (first, path.as_str()) {
            (b'[', "/items" | "/result") => self.has_list = true,
            (b'{', "/errors/") => self.end_error(),
            _ => {}
        }
        Ok(())
    }

    /// Stores a string if it is at the path of a message.
    fn store_string(&mut self, path: &str, string: String) {
        let target = match path {
            "" => &mut self.document,
            "/status" => &mut self.status,
            "/message" => &mut self.message,
            "/error" | "/error/message" => &mut self.error,
            "/source" => &mut self.source,
            "/result" if !string.is_empty() => &mut self.result,
            "/errors//detail" | "/errors//message" => &mut self.detail,
            "/errors//title" => &mut self.title,
            "/errors//source/pointer" => &mut self.pointer,
            _ => return,
        };
        *target = Some(string);
    }

    /// Ends an element of `errors`. Formats
    /// `{"detail": "Unexpected field: page", "source": {"pointer": "/page"}}` as
    /// `page: Unexpected field: page`.
    fn end_error(&mut self) {
        let (detail, title, pointer) = (self.detail.take(), self.title.take(), self.pointer.take().unwrap_or_default());
        let parameter = pointer.trim_start_matches('/');
        let parameter = parameter.strip_suffix("_param").unwrap_or(parameter);
        let reason = detail.as_deref().or(title.as_deref()).unwrap_or("invalid value");
        let errors = self.errors.get_or_insert_default();
        let semicolon = if errors.is_empty() { "" } else { "; " };
        let colon = if parameter.is_empty() { "" } else { ": " };
        for part in [semicolon, parameter, colon, reason] {
            errors.push_str(part);
        }
    }
}

/// The text of a body without markup, such as "504 Gateway Time-out" of `<html><title>504 Gateway Time-out</title>`.
fn strip_markup(body: &[u8]) -> String {
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
    // The last character may be incomplete.
    let mut text = from_utf8_lossy(&text).trim_end_matches('\u{fffd}').to_owned();
    if start.len() < body.len() {
        text.push_str(ELLIPSIS);
    }
    text
}

/// Makes an untrusted message safe to show: one line of limited length. White space and control characters are
/// collapsed, and invisible characters are escaped.
#[must_use]
pub(crate) fn sanitize_message(message: &str) -> String {
    let mut folded = String::new();
    for word in message.split(|character: char| character.is_whitespace() || character.is_control()) {
        if !folded.is_empty() && !word.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    let mut folded = escape_invisible(&folded);
    truncate_chars(&mut folded, MAX_MESSAGE);
    folded
}

/// Whether a body is JSON, as the service sends it, rather than a page of a proxy or firewall.
#[must_use]
pub(crate) fn is_json(body: &[u8]) -> bool {
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'))
}

/// Whether a body is a CDN's CAPTCHA page. The title counts too, since only the beginning of a body is kept: "Just a
/// moment...", "Un momento…", "Einen Moment…".
#[must_use]
pub(crate) fn is_challenge(body: &[u8]) -> bool {
    let page = from_utf8_lossy(body);
    let title = split_once(&page, "<title>").and_then(|(_, rest)| split_once(rest, "</title>"));
    is_markup(body)
        && (has_challenge_script(body) || title.is_some_and(|(title, _)| split_once(title, "oment").is_some()))
}

/// Whether a body has the script of Cloudflare's challenge, which is the same in every language.
#[must_use]
pub(crate) fn has_challenge_script(body: &[u8]) -> bool {
    split_once(&from_utf8_lossy(body), "_cf_chl_opt").is_some()
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
    fn messages_of_all_known_formats_are_found() {
        for (body, message) in [
            (
                r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/page"},"detail":"Unexpected field: page"}]}"#,
                "page: Unexpected field: page",
            ),
            (
                r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/address_hash_param"}},{"detail":"x"}],"more":1}"#,
                "address_hash: Invalid value; x",
            ),
            (
                r#"{"data":{"address":null},"errors":[{"message":"Address not found.","path":["address"]}]}"#,
                "Address not found.",
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
    fn gateway_errors_differ_from_instance_errors() {
        for (body, expected) in [
            (r#"{"error":"Unsupported network","source":"internal"}"#, true),
            (r#"{"source":"internal"}"#, true),
            (r#"{"error":"Bad gateway","source":"upstream"}"#, false),
            (r#"{"message":"Not found"}"#, false),
            (r#"{"error":{"source":"internal"}}"#, false),
            (r#"{"errors":[{"source":{"pointer":"internal"}}]}"#, false),
            (r#"{"error":"Unsupported network","source":"inter"#, false),
            ("", false),
        ] {
            assert_eq!(is_gateway_error(body.as_bytes()), expected, "{body}");
        }
    }

    #[test]
    fn bodies_without_a_message_have_none() {
        for body in ["", "   ", "null", "{}", "[]", "{\"message\":null}", "\"\"", "<p></p>"] {
            assert_eq!(error_message(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn hostile_messages_are_truncated_and_sanitized() {
        let body = format!("{{\"message\":\"a\\u0000\\u001b[31m\\n{}\"}}", "x".repeat(5000));
        let message = error_message(body.as_bytes()).unwrap_or_default();
        assert!(message.starts_with("a [31m xxx"), "{message}");
        assert_eq!(message.chars().count(), MAX_MESSAGE + 1);
    }

    #[test]
    fn format_characters_in_messages_are_escaped() {
        for (body, expected) in [
            (r#"{"message":"pay \u202e0x12\u2066 ok\ufeff"}"#, "pay \u{fffd}0x12\u{fffd} ok\u{fffd}"),
            ("<p>a\u{202e}b</p>", "a\u{fffd}b"),
            ("zwölf 日本語\u{200b}", "zwölf 日本語\u{fffd}"),
        ] {
            assert_eq!(error_message(body.as_bytes()).as_deref(), Some(expected), "{body}");
        }
        let body = r#"{"status":"0","result":"a\u202eb"}"#;
        assert_eq!(refusal_message(body.as_bytes()).as_deref(), Some("a\u{fffd}b"));
    }
}
