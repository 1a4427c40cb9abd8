//! Eight bytes at a time: what a text is made of, whether two are the same, where to look for a third.
//!
//! A *mark* is the highest bit of a byte. Up to and including its first mark a word of marks is exact.

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGHS: u64 = ONES << 7;
const ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);

/// Marks quotes, backslashes, control characters and what is not ASCII.
#[inline(always)]
const fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    // What is below is found by its borrow; a byte that has its highest bit set is marked anyway.
    let below = quote.wrapping_sub(ONES) | backslash.wrapping_sub(ONES) | word.wrapping_sub(ONES * 0x20);
    (below | word) & HIGHS
}

/// Marks what is no decimal digit.
#[inline(always)]
const fn not_digit(word: u64) -> u64 {
    let value = word ^ ZEROS;
    (value.wrapping_add(ONES * (0x80 - 10)) | value) & HIGHS
}

/// Marks what is no hex digit.
#[inline(always)]
const fn not_hex(word: u64) -> u64 {
    let lower = word | (ONES * 0x20);
    let digit = word.wrapping_add(ONES * (0x80 - 0x30)) & !word.wrapping_add(ONES * (0x7f - 0x39));
    let letter = lower.wrapping_add(ONES * (0x80 - 0x61)) & !lower.wrapping_add(ONES * (0x7f - 0x66));
    (!(digit | letter) | word) & HIGHS
}

/// How many bytes come before the first mark.
#[inline(always)]
const fn before(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// What follows the bytes that are not marked.
#[inline(always)]
fn after(mut text: &[u8], marks: impl Fn(u64) -> u64, is_marked: impl Fn(&u8) -> bool) -> &[u8] {
    while let Some((eight, rest)) = text.split_first_chunk::<8>() {
        let marks = marks(u64::from_le_bytes(*eight));
        if marks != 0 {
            return text.get(before(marks)..).unwrap_or_default();
        }
        text = rest;
    }
    let plain = text.iter().position(is_marked).unwrap_or(text.len());
    text.get(plain..).unwrap_or_default()
}

/// What follows the plain beginning of a text: ASCII without quotes, escapes and control characters.
#[inline(always)]
pub(super) fn after_plain(text: &[u8]) -> &[u8] {
    after(text, special, |byte| matches!(byte, 0..0x20 | b'"' | b'\\' | 0x80..))
}

/// What follows the decimal digits.
#[inline(always)]
pub(super) fn after_digits(text: &[u8]) -> &[u8] {
    after(text, not_digit, |byte| !byte.is_ascii_digit())
}

/// What follows the hex digits.
#[inline(always)]
pub(super) fn after_hex(text: &[u8]) -> &[u8] {
    after(text, not_hex, |byte| !byte.is_ascii_hexdigit())
}

/// The integer, of up to 15 digits, that a text begins with, and how many digits they are. Nothing where it is spelt
/// otherwise: signed, with a fraction, an exponent or a leading zero.
#[inline(always)]
pub(super) fn number(text: &[u8; 16]) -> Option<(i64, usize)> {
    let word = u128::from_le_bytes(*text);
    let [low, high] = [word, word >> 64].map(low_half);
    let mut digits = before(not_digit(low));
    let mut value = value_of(low, digits);
    if digits == 8 {
        let more = before(not_digit(high));
        value = value * POWERS.get(more)? + value_of(high, more);
        digits += more;
    }
    let behind = text.get(digits)?;
    if digits == 0 || matches!(behind, b'.' | b'e' | b'E') || (digits > 1 && text.first() == Some(&b'0')) {
        return None;
    }
    Some((value.cast_signed(), digits))
}

/// 1, 10, 100, and so on.
const POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

#[inline(always)]
fn low_half(word: u128) -> u64 {
    #[allow(clippy::cast_possible_truncation, reason = "the half that is asked for")]
    let half = word as u64;
    half
}

/// What the first digits of a word stand for.
#[inline(always)]
const fn value_of(word: u64, digits: usize) -> u64 {
    if digits == 0 {
        return 0;
    }
    // Digit by digit, pair by pair, four by four; zeros in front.
    let ones = (word ^ ZEROS) << (64 - 8 * digits);
    let pairs = (ones.wrapping_mul(10) + (ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    let eights = fours.wrapping_mul(10_000) + (fours >> 32);
    eights & 0xFFFF_FFFF
}

/// What eight bytes have to be: where `like` has a zero, any digit; the same byte elsewhere.
pub(super) const fn shape(like: [u8; 8]) -> (u64, u64) {
    let word = u64::from_le_bytes(like);
    // By this much a difference may exceed what is allowed before it reaches the highest bit.
    let zeros = !((word ^ ZEROS) + (ONES * 0x7f)) & HIGHS;
    (word, ONES * 0x7f - (zeros >> 7) * 9)
}

/// Whether eight bytes have a shape.
#[inline(always)]
pub(super) const fn has_shape(text: [u8; 8], (like, room): (u64, u64)) -> bool {
    let difference = u64::from_le_bytes(text) ^ like;
    (difference.wrapping_add(room) | difference) & HIGHS == 0
}

/// Whether there are hex digits only, in whole words.
#[inline(always)]
pub(super) fn is_hex(words: &[[u8; 8]]) -> bool {
    words.iter().fold(0, |marks, eight| marks | not_hex(u64::from_le_bytes(*eight))) == 0
}

/// Whether `text` begins with `start`.
#[inline(always)]
pub(super) fn begins(text: &[u8], start: &[u8]) -> bool {
    let Some(text) = text.get(..start.len()) else { return false };
    let ((text, text_rest), (start, start_rest)) = (text.as_chunks::<16>(), start.as_chunks::<16>());
    let same = |(one, other): (&[u8; 16], &[u8; 16])| u128::from_le_bytes(*one) == u128::from_le_bytes(*other);
    text.iter().zip(start).all(same) && same_end(text_rest, start_rest)
}

/// Whether two texts of one length, shorter than 16 bytes, are the same.
#[inline(always)]
fn same_end(mut one: &[u8], mut other: &[u8]) -> bool {
    if let (Some((one_eight, one_rest)), Some((other_eight, other_rest))) =
        (one.split_first_chunk::<8>(), other.split_first_chunk::<8>())
    {
        if u64::from_le_bytes(*one_eight) != u64::from_le_bytes(*other_eight) {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Up to this many bytes count at either end of a text when it is looked for.
const ENDS: usize = 64;

/// Where to look for a text: of a very long one, only both ends count.
#[inline(always)]
pub(super) fn place(text: &[u8]) -> usize {
    let start = text.get(..ENDS).unwrap_or(text);
    let mut hash = mixed(text.len() as u64, start);
    if text.len() > ENDS {
        hash = mixed(hash, text.last_chunk::<ENDS>().map_or(&[], |end| end));
    }
    hash = hash.wrapping_mul(FACTOR);
    #[allow(clippy::cast_possible_truncation, reason = "the high half fits 32 bits")]
    let place = (hash >> 32) as usize;
    place
}

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline(always)]
fn mixed(hash: u64, text: &[u8]) -> u64 {
    let (words, _) = text.as_chunks::<8>();
    let mix = |hash: u64, eight: &[u8; 8]| (hash.rotate_left(23) ^ u64::from_le_bytes(*eight)).wrapping_mul(FACTOR);
    let hash = words.iter().fold(hash, mix);
    // The last word may share bytes with the one before.
    text.last_chunk().map_or(hash, |last| mix(hash, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte at every place of a text, beside ordinary ones.
    fn holds(filler: u8, after: impl Fn(&[u8]) -> &[u8], stops: impl Fn(u8) -> bool) {
        for byte in 0..=255 {
            for length in [1, 7, 8, 9, 20] {
                for at in 0..length {
                    let mut text = vec![filler; length];
                    text[at] = byte;
                    let expected = if stops(byte) { length - at } else { 0 };
                    assert_eq!(after(&text).len(), expected, "{byte} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn each_byte_stops_what_it_has_to() {
        holds(b'x', after_plain, |byte| byte < 0x20 || byte == b'"' || byte == b'\\' || !byte.is_ascii());
        holds(b'7', after_digits, |byte| !byte.is_ascii_digit());
        holds(b'a', after_hex, |byte| !byte.is_ascii_hexdigit());
    }

    #[test]
    fn numbers_are_read_as_far_as_they_are_plain() {
        for (text, expected) in [
            ("0,", Some((0, 1))),
            ("7}", Some((7, 1))),
            ("1234567,", Some((1_234_567, 7))),
            ("90210 \n,", Some((90_210, 5))),
            ("12345678,", Some((12_345_678, 8))),
            ("987654321]", Some((987_654_321, 9))),
            ("100000000000007}", Some((100_000_000_000_007, 15))),
            ("1234567890123456", None),
            ("12.5,", None),
            ("12345678.5,", None),
            ("12345678e5,", None),
            ("1e5,", None),
            ("1E5,", None),
            ("01,", None),
            ("012345678,", None),
            ("-1,", None),
            ("\"1\",", None),
        ] {
            let padded = format!("{text:16}");
            assert_eq!(number(padded.as_bytes().try_into().unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn a_shape_takes_digits_where_it_has_zeros() {
        let like = *b"00T00:00";
        assert!(has_shape(*b"31T23:59", shape(like)));
        for at in 0..8 {
            for byte in 0..=255u8 {
                let mut text = like;
                text[at] = byte;
                let fits = if like[at] == b'0' { byte.is_ascii_digit() } else { byte == like[at] };
                assert_eq!(has_shape(text, shape(like)), fits, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn two_odd_bytes_stop_at_the_first() {
        for first in 0..=255u8 {
            for second in 0..=255u8 {
                let text = [b'0', first, second, b'0', b'0', b'0', b'0', b'0'];
                let stop =
                    |stops: &dyn Fn(u8) -> bool| text.iter().position(|&byte| stops(byte)).map_or(0, |at| 8 - at);
                assert_eq!(after_hex(&text).len(), stop(&|byte| !byte.is_ascii_hexdigit()), "{text:?}");
                assert_eq!(after_digits(&text).len(), stop(&|byte| !byte.is_ascii_digit()), "{text:?}");
                let special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\' || !byte.is_ascii();
                assert_eq!(after_plain(&text).len(), stop(&special), "{text:?}");
                assert_eq!(is_hex(&[text]), text.iter().all(u8::is_ascii_hexdigit));
            }
        }
    }

    #[test]
    fn a_text_begins_with_its_beginnings_only() {
        let text: Vec<u8> = (0..40).collect();
        for length in 0..=text.len() {
            let start = &text[..length];
            assert!(begins(&text, start));
            for at in 0..length {
                let mut other = start.to_vec();
                other[at] ^= 0x10;
                assert!(!begins(&text, &other), "{at} of {length}");
            }
        }
        assert!(!begins(&text[..7], &text[..8]));
    }
}
