//! SWAR (SIMD within a register): scans, compares and hashes strings eight bytes at a time.
//!
//! A *mark* is the highest bit of a byte in a word. The functions `mark_…` return exact marks only up to and including
//! the first one; later marks may be wrong.

/// The byte 1 eight times.
const ONES: u64 = u64::from_ne_bytes([1; 8]);
/// The highest bit of each byte.
const HIGH_BITS: u64 = ONES << 7;
/// The digit `0` eight times.
const ASCII_ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);

/// Marks quotes, backslashes, control characters and bytes that are not ASCII.
#[inline(always)]
const fn mark_special(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    // A byte that is too small underflows, which sets its highest bit. Bytes from 0x80 are marked anyway.
    let below = quote.wrapping_sub(ONES) | backslash.wrapping_sub(ONES) | word.wrapping_sub(ONES * 0x20);
    (below | word) & HIGH_BITS
}

/// Marks bytes that are not decimal digits.
#[inline(always)]
const fn mark_non_digits(word: u64) -> u64 {
    let value = word ^ ASCII_ZEROS;
    (value.wrapping_add(ONES * (0x80 - 10)) | value) & HIGH_BITS
}

/// Marks bytes that are not hex digits.
#[inline(always)]
const fn mark_non_hex(word: u64) -> u64 {
    let lower = word | (ONES * 0x20);
    let digit = word.wrapping_add(ONES * (0x80 - 0x30)) & !word.wrapping_add(ONES * (0x7f - 0x39));
    let letter = lower.wrapping_add(ONES * (0x80 - 0x61)) & !lower.wrapping_add(ONES * (0x7f - 0x66));
    (!(digit | letter) | word) & HIGH_BITS
}

/// The number of bytes before the first mark.
#[inline(always)]
const fn count_unmarked(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// The bytes from the first marked byte on. `is_marked` is the same test as `mark`, for the last bytes, one at a time.
#[inline(always)]
fn skip_unmarked(mut bytes: &[u8], mark: impl Fn(u64) -> u64, is_marked: impl Fn(&u8) -> bool) -> &[u8] {
    while let Some((eight, rest)) = bytes.split_first_chunk::<8>() {
        let marks = mark(u64::from_le_bytes(*eight));
        if marks != 0 {
            return bytes.get(count_unmarked(marks)..).unwrap_or_default();
        }
        bytes = rest;
    }
    let plain = bytes.iter().position(is_marked).unwrap_or(bytes.len());
    bytes.get(plain..).unwrap_or_default()
}

/// The bytes after leading *plain* characters: ASCII without quotes, backslashes and control characters.
#[inline(always)]
pub(crate) fn skip_plain(bytes: &[u8]) -> &[u8] {
    skip_unmarked(bytes, mark_special, |byte| matches!(byte, 0..0x20 | b'"' | b'\\' | 0x80..))
}

/// The bytes after leading decimal digits.
#[inline(always)]
pub(crate) fn skip_digits(bytes: &[u8]) -> &[u8] {
    skip_unmarked(bytes, mark_non_digits, |byte| !byte.is_ascii_digit())
}

/// The bytes after leading hex digits.
#[inline(always)]
pub(crate) fn skip_hex_digits(bytes: &[u8]) -> &[u8] {
    skip_unmarked(bytes, mark_non_hex, |byte| !byte.is_ascii_hexdigit())
}

/// Parses a leading integer of up to 15 digits. Returns the value and the number of digits. `None` for a sign, a
/// fraction, an exponent or a leading zero.
#[inline(always)]
pub(crate) fn parse_integer(bytes: &[u8; 16]) -> Option<(i64, usize)> {
    let ([low, high], []) = bytes.as_chunks() else { return None };
    let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*high));
    let mut digits = count_unmarked(mark_non_digits(low));
    let mut value = parse_digits(low, digits);
    if digits == 8 {
        let more = count_unmarked(mark_non_digits(high));
        value = value * POWERS.get(more)? + parse_digits(high, more);
        digits += more;
    }
    let next = bytes.get(digits)?;
    if digits == 0 || matches!(next, b'.' | b'e' | b'E') || (digits > 1 && bytes.first() == Some(&b'0')) {
        return None;
    }
    Some((value.cast_signed(), digits))
}

/// Powers of ten: 1, 10, 100, …
const POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The value of the first digits of a word.
#[inline(always)]
const fn parse_digits(word: u64, digits: usize) -> u64 {
    if digits == 0 {
        return 0;
    }
    // Adds neighbouring digits, then pairs, then groups of four. Leading zeros fill the word.
    let ones = (word ^ ASCII_ZEROS) << (64 - 8 * digits);
    let pairs = (ones.wrapping_mul(10) + (ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    let eights = fours.wrapping_mul(10_000) + (fours >> 32);
    eights & 0xFFFF_FFFF
}

/// A pattern for [`matches_pattern`], as a word and an addend. It matches any digit where `like` has
/// a zero, and the same byte elsewhere.
pub(crate) const fn digit_pattern(like: [u8; 8]) -> (u64, u64) {
    let word = u64::from_le_bytes(like);
    let zeros = !((word ^ ASCII_ZEROS) + (ONES * 0x7f)) & HIGH_BITS;
    // The addend: a difference above 9 (digits) or 0 (other bytes) plus this number reaches the highest bit.
    (word, ONES * 0x7f - (zeros >> 7) * 9)
}

/// Whether eight bytes match a pattern of [`digit_pattern`].
#[inline(always)]
pub(crate) const fn matches_pattern(bytes: [u8; 8], (like, addend): (u64, u64)) -> bool {
    let difference = u64::from_le_bytes(bytes) ^ like;
    (difference.wrapping_add(addend) | difference) & HIGH_BITS == 0
}

/// Whether all bytes are hex digits.
#[inline(always)]
pub(crate) fn is_hex(words: &[[u8; 8]]) -> bool {
    // A loop, because the compiler does not inline the closure of an iterator.
    let mut marks = 0;
    for eight in words {
        marks |= mark_non_hex(u64::from_le_bytes(*eight));
    }
    marks == 0
}

/// Whether `bytes` starts with `start`.
#[inline(always)]
pub(crate) fn starts_with(bytes: &[u8], start: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..start.len()) else { return false };
    let ((bytes, bytes_rest), (start, start_rest)) = (bytes.as_chunks::<16>(), start.as_chunks::<16>());
    let are_equal = |(one, other): (&[u8; 16], &[u8; 16])| u128::from_le_bytes(*one) == u128::from_le_bytes(*other);
    bytes.iter().zip(start).all(are_equal) && short_eq(bytes_rest, start_rest)
}

/// Whether two strings of the same length, of less than 16 bytes, are equal.
#[inline(always)]
fn short_eq(mut one: &[u8], mut other: &[u8]) -> bool {
    if let (Some((one_word, one_rest)), Some((other_word, other_rest))) =
        (one.split_first_chunk::<8>(), other.split_first_chunk::<8>())
    {
        if u64::from_le_bytes(*one_word) != u64::from_le_bytes(*other_word) {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Maximum number of bytes that are hashed at each end of a string.
const HASHED_AT_EACH_END: usize = 64;

/// The hash of a string. Of a long string, only both ends are hashed.
#[inline(always)]
pub(crate) fn hash_bytes(bytes: &[u8]) -> usize {
    let start = bytes.get(..HASHED_AT_EACH_END).unwrap_or(bytes);
    let mut hash = mix_into_hash(bytes.len() as u64, start);
    if bytes.len() > HASHED_AT_EACH_END {
        hash = mix_into_hash(hash, bytes.last_chunk::<HASHED_AT_EACH_END>().map_or(&[], |end| end));
    }
    // The last bytes affect only high bits so far.
    hash = (hash ^ (hash >> 32)).wrapping_mul(FACTOR);
    #[allow(clippy::cast_possible_truncation, reason = "the high half fits 32 bits")]
    let hash = (hash >> 32) as usize;
    hash
}

/// An odd factor that spreads the bits of a hash (the golden ratio).
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes bytes into a hash.
#[inline(always)]
fn mix_into_hash(hash: u64, bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    // The products do not depend on each other, so that the processor computes several at once.
    let mix = |hash: u64, eight: &[u8; 8]| hash.rotate_left(23) ^ u64::from_le_bytes(*eight).wrapping_mul(FACTOR);
    let hash = words.iter().fold(hash, mix);
    // The last word may overlap with the one before.
    bytes.last_chunk().map_or(hash, |last| mix(hash, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every byte at every position of a string of fillers: whether the skip function `after` stops there.
    fn check_every_byte(filler: u8, after: impl Fn(&[u8]) -> &[u8], stops: impl Fn(u8) -> bool) {
        for byte in 0..=255 {
            for length in [1, 7, 8, 9, 20] {
                for at in 0..length {
                    let mut bytes = vec![filler; length];
                    bytes[at] = byte;
                    let expected = if stops(byte) { length - at } else { 0 };
                    assert_eq!(after(&bytes).len(), expected, "{byte} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn skip_functions_stop_at_the_right_bytes() {
        check_every_byte(b'x', skip_plain, |byte| byte < 0x20 || byte == b'"' || byte == b'\\' || !byte.is_ascii());
        check_every_byte(b'7', skip_digits, |byte| !byte.is_ascii_digit());
        check_every_byte(b'a', skip_hex_digits, |byte| !byte.is_ascii_hexdigit());
    }

    #[test]
    fn parse_integer_accepts_plain_digits_only() {
        for (bytes, expected) in [
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
            let padded = format!("{bytes:16}");
            assert_eq!(parse_integer(padded.as_bytes().try_into().unwrap()), expected, "{bytes}");
        }
    }

    #[test]
    fn a_pattern_accepts_digits_where_it_has_zeros() {
        let like = *b"00T00:00";
        assert!(matches_pattern(*b"31T23:59", digit_pattern(like)));
        for at in 0..8 {
            for byte in 0..=255u8 {
                let mut bytes = like;
                bytes[at] = byte;
                let matches = if like[at] == b'0' { byte.is_ascii_digit() } else { byte == like[at] };
                assert_eq!(matches_pattern(bytes, digit_pattern(like)), matches, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn skip_functions_stop_at_the_first_of_two_bytes() {
        for first in 0..=255u8 {
            for second in 0..=255u8 {
                let bytes = [b'0', first, second, b'0', b'0', b'0', b'0', b'0'];
                let stop =
                    |stops: &dyn Fn(u8) -> bool| bytes.iter().position(|&byte| stops(byte)).map_or(0, |at| 8 - at);
                assert_eq!(skip_hex_digits(&bytes).len(), stop(&|byte| !byte.is_ascii_hexdigit()), "{bytes:?}");
                assert_eq!(skip_digits(&bytes).len(), stop(&|byte| !byte.is_ascii_digit()), "{bytes:?}");
                let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\' || !byte.is_ascii();
                assert_eq!(skip_plain(&bytes).len(), stop(&is_special), "{bytes:?}");
                assert_eq!(is_hex(&[bytes]), bytes.iter().all(u8::is_ascii_hexdigit));
            }
        }
    }

    #[test]
    fn starts_with_accepts_prefixes_only() {
        let bytes: Vec<u8> = (0..40).collect();
        for length in 0..=bytes.len() {
            let start = &bytes[..length];
            assert!(starts_with(&bytes, start));
            for at in 0..length {
                let mut other = start.to_vec();
                other[at] ^= 0x10;
                assert!(!starts_with(&bytes, &other), "{at} of {length}");
            }
        }
        assert!(!starts_with(&bytes[..7], &bytes[..8]));
    }

    #[test]
    fn every_byte_affects_the_low_bits_of_a_hash() {
        for length in 8..=2 * HASHED_AT_EACH_END {
            for at in 0..length {
                let mut bytes = vec![b'x'; length];
                let hashes = b"0123456789abcdef".map(|digit| {
                    bytes[at] = digit;
                    hash_bytes(&bytes) % 1024
                });
                let distinct = std::collections::BTreeSet::from(hashes).len();
                assert!(distinct > 8, "{distinct} distinct hashes, {at} of {length}");
            }
        }
    }
}
