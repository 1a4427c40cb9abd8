//! Texts put together and taken apart, in the few ways that are needed here: what the standard library has for it can do much
//! more, and would be many times as large in the module.

/// Declares codes, an enum whose members JavaScript and the service see as texts: meaning, name, text.
macro_rules! codes {
    ($(#[doc = $about:expr])* $codes:ident { $( $(#[doc = $doc:expr])* $name:ident = $text:literal, )* }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $codes { $( $(#[doc = $doc])* $name, )* }

        impl $codes {
            /// Every text with its meaning: for the type definitions and the docs.
            pub const ALL: &'static [(&'static str, &'static str)] = &[$( ($text, concat!($($doc),*)), )*];

            /// The text.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$name => $text, )* }
            }
        }
    };
}
pub(crate) use codes;

/// A number in decimal digits.
pub(crate) fn number(value: u64) -> String {
    digits(value, 10, 1)
}

/// The number that a text of decimal digits stands for, where it is not too large.
#[inline(never)]
pub(crate) fn parsed(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// A number in digits of this base, up to 16; zeros in front until there are so many.
pub(crate) fn digits(mut value: u64, base: u64, least: usize) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::new();
    while value > 0 || text.len() < least {
        let digit = usize::try_from(value % base).ok().and_then(|digit| DIGITS.get(digit));
        text.insert(0, digit.map_or('0', |digit| char::from(*digit)));
        value /= base;
    }
    text
}

/// The text before and behind the first place where `mark` stands.
pub(crate) fn split_once<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let at = text.as_bytes().windows(mark.len().max(1)).position(|window| window == mark.as_bytes())?;
    Some((text.get(..at)?, text.get(at + mark.len()..)?))
}

/// The text up to the first of these ASCII characters, and what follows, which begins with it.
#[expect(clippy::manual_contains, reason = "what is written for long lists is large")]
pub(crate) fn split_before<'a>(text: &'a str, marks: &[u8]) -> (&'a str, &'a str) {
    let is_mark = |byte: u8| marks.iter().any(|mark| *mark == byte);
    text.split_at(text.bytes().position(is_mark).unwrap_or(text.len()))
}

/// Whether one of these ASCII characters is in the text.
pub(crate) fn has_any(text: &str, of: &[u8]) -> bool {
    !split_before(text, of).1.is_empty()
}

/// The texts between these ASCII characters.
pub(crate) fn parts(text: &str, mark: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let (part, behind) = split_before(rest?, &[mark]);
        rest = behind.get(1..);
        Some(part)
    })
}

/// The text with its ASCII letters small.
#[inline(never)]
pub(crate) fn lowercase(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// The text without the white space around it.
#[inline(never)]
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_ascii()
}

/// The one of these words that a text is, whatever the case of its letters.
#[inline(never)]
pub(crate) fn word_of<'a>(words: &[&'a str], text: &str) -> Option<&'a str> {
    words.iter().copied().find(|word| word.eq_ignore_ascii_case(text))
}

/// The string that these bytes are, with U+FFFD in place of what is no UTF-8, as `TextDecoder` puts it.
#[inline(never)]
pub(crate) fn lossy(bytes: &[u8]) -> String {
    let (mut string, mut rest) = (String::new(), bytes);
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(valid) => {
                string.push_str(valid);
                return string;
            }
            Err(error) => error,
        };
        let (valid, bad) = rest.split_at_checked(error.valid_up_to()).unwrap_or_default();
        string.push_str(std::str::from_utf8(valid).unwrap_or_default());
        string.push('\u{fffd}');
        rest = error.error_len().and_then(|length| bad.get(length..)).unwrap_or_default();
    }
}

/// Ranges of format characters (Unicode category Cf) and line separators.
const FORMATS: &[(char, char)] = &[
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

/// The string with U+FFFD in place of control characters, line separators and format characters (Unicode category Cf): they
/// are invisible, or change how the characters around them are displayed.
pub(crate) fn escape_invisible(string: &str) -> String {
    let is_format = |character: char| FORMATS.iter().any(|(first, last)| (*first..=*last).contains(&character));
    let escape = |character: char| if character.is_control() || is_format(character) { '\u{fffd}' } else { character };
    string.chars().map(escape).collect()
}

/// Marks where a string was cut.
pub(crate) const CUT: &str = "…";

/// Cuts off what is more than so many characters, and marks the place.
pub(crate) fn shorten(text: &mut String, characters: usize) {
    let mut cut = text.char_indices().zip(0..).filter(|(_, seen)| *seen == characters);
    if let Some(((at, _), _)) = cut.next() {
        text.truncate(at);
        text.push_str(CUT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lossy_strings_are_those_of_the_standard_library() {
        for bytes in [
            b"".as_slice(),
            b"d\xc3\xa9",
            b"d\xe9j\xe0",
            b"\xe2\x82",
            b"a\xe2\x82b",
            b"\xf0\x9f\x98a\xed\xa0\x80",
            b"\xff\xff\xc3",
        ] {
            assert_eq!(lossy(bytes), String::from_utf8_lossy(bytes), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn numbers_have_the_digits_of_their_base() {
        for value in [0, 7, 10, 1_000, u64::MAX] {
            assert_eq!(number(value), value.to_string());
            assert_eq!(parsed(&value.to_string()), Some(value));
            assert_eq!(digits(value, 16, 16), format!("{value:016x}"));
        }
    }

    #[test]
    fn what_is_no_number_is_not_read_as_one() {
        for text in ["", "+1", "-1", "1 ", "1.0", "18446744073709551616"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn texts_are_cut_at_their_first_mark() {
        assert_eq!(split_once("a://b://", "://"), Some(("a", "b://")));
        assert_eq!(split_once("ä{x}", "{x}"), Some(("ä", "")));
        assert_eq!(split_once("a:/", "://"), None);
        assert_eq!(split_before("ä/b?", b"?/"), ("ä", "/b?"));
        assert_eq!(split_before("ab", b"/"), ("ab", ""));
    }

    #[test]
    fn texts_have_parts_even_if_empty() {
        for text in ["", ",", "a", "a,b", ",ä,,b,"] {
            assert_eq!(parts(text, b',').collect::<Vec<_>>(), text.split(',').collect::<Vec<_>>());
        }
    }

    #[test]
    fn escapes_invisible_characters() {
        for hidden in
            "\0\u{7f}\u{85}\u{ad}\u{61c}\u{200b}\u{200f}\u{2028}\u{202e}\u{2066}\u{feff}\u{1d173}\u{e0041}".chars()
        {
            assert_eq!(escape_invisible(&format!("a{hidden}b")), "a\u{fffd}b", "{hidden:?}");
        }
        let shown = "zwölf 日本語 😀 \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{fffd}";
        assert_eq!(escape_invisible(shown), shown);
    }

    #[test]
    fn what_is_too_long_is_cut_between_characters() {
        for (most, left) in [(0, "…"), (1, "ä…"), (2, "äx"), (3, "äx")] {
            let mut text = "äx".to_owned();
            shorten(&mut text, most);
            assert_eq!(text, left);
        }
    }
}
