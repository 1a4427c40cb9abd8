//! Small string helpers that avoid `core::fmt` and the substring search of `str`. They would add about 8 KB of
//! WebAssembly.
//!
//! Most helpers have the name of the standard function that they replace. This file also has the functions that make untrusted
//! strings safe to display.

/// Formats an integer in decimal.
pub(crate) fn format_u64(value: u64) -> String {
    format_digits(value, 10, 1)
}

/// Parses decimal digits. `None` for any other string, such as `+1`, and for values above `u64::MAX`.
#[inline(never)]
pub(crate) fn parse_u64(string: &str) -> Option<u64> {
    string.bytes().all(|byte| byte.is_ascii_digit()).then(|| string.parse().ok()).flatten()
}

/// Formats an integer in a base of 2 to 16, padded with zeros to at least `min_length` digits.
pub(crate) fn format_digits(mut value: u64, base: u64, min_length: usize) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = String::new();
    while value > 0 || digits.len() < min_length {
        let digit = usize::try_from(value % base).ok().and_then(|digit| DIGITS.get(digit));
        digits.insert(0, digit.map_or('0', |digit| char::from(*digit)));
        value /= base;
    }
    digits
}

/// Splits a string at the first occurrence of a delimiter, like [`str::split_once`].
pub(crate) fn split_once<'a>(string: &'a str, delimiter: &str) -> Option<(&'a str, &'a str)> {
    let at = string.as_bytes().windows(delimiter.len().max(1)).position(|window| window == delimiter.as_bytes())?;
    Some((string.get(..at)?, string.get(at + delimiter.len()..)?))
}

/// Splits a string before the first of these ASCII characters. If none occurs, the second part is empty.
#[expect(clippy::manual_contains, reason = "`contains` compiles to code for long slices, which is larger")]
pub(crate) fn split_before<'a>(string: &'a str, characters: &[u8]) -> (&'a str, &'a str) {
    let is_match = |byte: u8| characters.iter().any(|character| *character == byte);
    string.split_at(string.bytes().position(is_match).unwrap_or(string.len()))
}

/// Whether a string contains one of these ASCII characters.
pub(crate) fn contains_any(string: &str, characters: &[u8]) -> bool {
    !split_before(string, characters).1.is_empty()
}

/// Splits a string at an ASCII character, like [`str::split`].
pub(crate) fn split(string: &str, delimiter: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(string);
    std::iter::from_fn(move || {
        let (part, after) = split_before(rest?, &[delimiter]);
        rest = after.get(1..);
        Some(part)
    })
}

/// Converts ASCII letters to lower case.
#[inline(never)]
pub(crate) fn to_lowercase(string: &str) -> String {
    string.to_ascii_lowercase()
}

/// Removes ASCII white space from both ends.
#[inline(never)]
pub(crate) fn trim(string: &str) -> &str {
    string.trim_ascii()
}

/// Finds the candidate that equals a string, ignoring ASCII case.
#[inline(never)]
pub(crate) fn find_ignore_case<'a>(candidates: &[&'a str], string: &str) -> Option<&'a str> {
    candidates.iter().copied().find(|candidate| candidate.eq_ignore_ascii_case(string))
}

/// Decodes UTF-8. Invalid sequences become U+FFFD, as with `TextDecoder` and [`String::from_utf8_lossy`].
#[inline(never)]
pub(crate) fn from_utf8_lossy(bytes: &[u8]) -> String {
    let (mut string, mut rest) = (String::new(), bytes);
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(valid) => {
                string.push_str(valid);
                return string;
            }
            Err(error) => error,
        };
        let (valid, invalid) = rest.split_at_checked(error.valid_up_to()).unwrap_or_default();
        string.push_str(std::str::from_utf8(valid).unwrap_or_default());
        string.push('\u{fffd}');
        rest = error.error_len().and_then(|length| invalid.get(length..)).unwrap_or_default();
    }
}

/// Ranges of format characters (Unicode category Cf) and line separators.
const FORMAT_CHARACTERS: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e007f}'),
];

/// Replaces control characters, line separators and format characters (Unicode category Cf) with U+FFFD: they are
/// invisible, or change how the characters around them are displayed.
pub(crate) fn escape_invisible(string: &str) -> String {
    let is_format =
        |character: char| FORMAT_CHARACTERS.iter().any(|(first, last)| (*first..=*last).contains(&character));
    let escape = |character: char| if character.is_control() || is_format(character) { '\u{fffd}' } else { character };
    string.chars().map(escape).collect()
}

/// Formats a string as JSON, with quotes and escapes.
pub(crate) fn quote_json(string: &str) -> String {
    let mut json = String::new();
    push_json_string(&mut json, string);
    json
}

/// Appends a string as JSON, with quotes and escapes.
#[inline(never)]
pub(crate) fn push_json_string(json: &mut String, string: &str) {
    json.reserve(string.len() + 2);
    json.push('"');
    for character in string.chars() {
        match character {
            '"' | '\\' => json.push('\\'),
            ..' ' => {
                json.push_str("\\u");
                json.push_str(&format_digits(u64::from(character), 16, 4));
                continue;
            }
            _ => {}
        }
        json.push(character);
    }
    json.push('"');
}

/// The character that marks the end of a truncated string.
pub(crate) const ELLIPSIS: &str = "…";

/// Truncates a string to at most `max_chars` characters, and appends [`ELLIPSIS`] if it was longer.
pub(crate) fn truncate_chars(string: &mut String, max_chars: usize) {
    let mut end = string.char_indices().zip(0..).filter(|(_, index)| *index == max_chars);
    if let Some(((at, _), _)) = end.next() {
        string.truncate(at);
        string.push_str(ELLIPSIS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_invalid_utf8_like_the_standard_library() {
        for bytes in [
            b"".as_slice(),
            b"d\xc3\xa9",
            b"d\xe9j\xe0",
            b"\xe2\x82",
            b"a\xe2\x82b",
            b"\xf0\x9f\x98a\xed\xa0\x80",
            b"\xff\xff\xc3",
        ] {
            assert_eq!(from_utf8_lossy(bytes), String::from_utf8_lossy(bytes), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn formats_and_parses_integers() {
        for value in [0, 7, 10, 1_000, u64::MAX] {
            assert_eq!(format_u64(value), value.to_string());
            assert_eq!(parse_u64(&value.to_string()), Some(value));
            assert_eq!(format_digits(value, 16, 16), format!("{value:016x}"));
        }
    }

    #[test]
    fn parses_only_decimal_digits_up_to_64_bits() {
        for string in ["", "+1", "-1", "1 ", "1.0", "18446744073709551616"] {
            assert_eq!(parse_u64(string), None, "{string}");
        }
    }

    #[test]
    fn splits_at_the_first_delimiter() {
        assert_eq!(split_once("a://b://", "://"), Some(("a", "b://")));
        assert_eq!(split_once("ä{x}", "{x}"), Some(("ä", "")));
        assert_eq!(split_once("a:/", "://"), None);
        assert_eq!(split_before("ä/b?", b"?/"), ("ä", "/b?"));
        assert_eq!(split_before("ab", b"/"), ("ab", ""));
    }

    #[test]
    fn splits_like_the_standard_library() {
        for string in ["", ",", "a", "a,b", ",ä,,b,"] {
            assert_eq!(split(string, b',').collect::<Vec<_>>(), string.split(',').collect::<Vec<_>>());
        }
    }

    #[test]
    fn escapes_invisible_characters() {
        for invisible in
            "\0\u{7f}\u{85}\u{ad}\u{61c}\u{200b}\u{200f}\u{2028}\u{202e}\u{2066}\u{feff}\u{1d173}\u{e0041}".chars()
        {
            assert_eq!(escape_invisible(&format!("a{invisible}b")), "a\u{fffd}b", "{invisible:?}");
        }
        let visible = "zwölf 日本語 😀 \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{fffd}";
        assert_eq!(escape_invisible(visible), visible);
    }

    #[test]
    fn truncates_between_characters() {
        for (max_chars, expected) in [(0, "…"), (1, "ä…"), (2, "äx"), (3, "äx")] {
            let mut string = "äx".to_owned();
            truncate_chars(&mut string, max_chars);
            assert_eq!(string, expected);
        }
    }
}
