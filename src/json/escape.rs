//! The escapes of JSON strings: resolve them, repair them.

use std::borrow::Cow;

use crate::strings::from_utf8_lossy;

/// The UTF-16 code unit of an escape `\uXXXX`. `None` if it is malformed.
pub(crate) fn code_unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0u16, |sum, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(sum << 4 | u16::try_from(value).ok()?)
    })
}

/// Resolves the escapes of a JSON string that was validated. `raw` has no quotes. Unpaired surrogates become U+FFFD.
#[must_use]
pub(crate) fn unescape(raw: &[u8]) -> Cow<'_, [u8]> {
    if raw.iter().all(|byte| *byte != b'\\') {
        return Cow::Borrowed(raw);
    }
    let mut plain = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        if byte != b'\\' {
            plain.push(byte);
            at += 1;
            continue;
        }
        let escape = raw.get(at + 1).copied().unwrap_or_default();
        at += 2;
        plain.push(match escape {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let escapes = [raw.get(at - 2..at + 4), raw.get(at + 4..at + 10)];
                let units = escapes.map(|escape| escape.and_then(code_unit).unwrap_or_default());
                let character = char::decode_utf16(units).next().and_then(Result::ok).unwrap_or('\u{fffd}');
                at += 6 * character.len_utf16() - 2;
                plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            other => other,
        });
    }
    Cow::Owned(plain)
}

/// A copy of JSON in which unpaired surrogates and invalid UTF-8 are replaced by U+FFFD.
#[must_use]
pub(crate) fn replace_ill_formed(json: &[u8]) -> Vec<u8> {
    let mut fixed = from_utf8_lossy(json).into_bytes();
    let mut at = 0;
    while let Some(found) = fixed.get(at..).and_then(|rest| rest.iter().position(|&b| b == b'\\')) {
        at += found;
        let (this, next) = (fixed.get(at..at + 6).and_then(code_unit), fixed.get(at + 6..at + 12).and_then(code_unit));
        at += match (this, next) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                if let Some(escape) = fixed.get_mut(at..at + 6) {
                    escape.copy_from_slice(b"\\ufffd");
                }
                6
            }
            _ => 2,
        };
    }
    fixed
}
