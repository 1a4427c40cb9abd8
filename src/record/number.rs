//! Decimal numbers of any size: integers that JavaScript holds exactly, and scientific notation.

use crate::strings::from_utf8_lossy;

/// The maximum number of digits of an integer. 256 bits have up to 78 digits; the rest is room for sums.
/// The limit also bounds the expansion of `1e999999999`.
pub(crate) const MAX_DIGITS: usize = 100;

/// The parts of a number: `-12.50e-3` is negative, with whole part `12`, fraction `50` and exponent -3.
pub(super) struct Number<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: isize,
}

impl<'a> Number<'a> {
    /// Parses a number in JSON syntax. Leading zeros are accepted.
    pub(super) fn parse(number: &'a [u8]) -> Option<Self> {
        let negative = number.first() == Some(&b'-');
        let unsigned = number.strip_prefix(b"-").unwrap_or(number);
        let (mantissa, exponent) = match unsigned.iter().position(|b| matches!(b, b'e' | b'E')) {
            Some(at) => (unsigned.get(..at)?, parse_exponent(unsigned.get(at + 1..)?)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = match mantissa.iter().position(|&b| b == b'.') {
            Some(at) => (mantissa.get(..at)?, Some(mantissa.get(at + 1..)?)),
            None => (mantissa, None),
        };
        let is_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        (is_digits(whole) && fraction.is_none_or(is_digits)).then_some(Self {
            negative,
            whole,
            fraction: fraction.unwrap_or_default(),
            exponent,
        })
    }

    /// Formats the number without an exponent and without redundant zeros. `None` if that would be too long.
    pub(super) fn to_plain(&self) -> Option<String> {
        let digits = [self.whole, self.fraction].concat();
        let Some(first) = digits.iter().position(|&b| b != b'0') else { return Some("0".into()) };
        let last = digits.iter().rposition(|&b| b != b'0')?;
        let digits = digits.get(first..=last)?;
        // The position of the decimal point, counted from the first digit that is not zero.
        let point = self.whole.len().cast_signed() + self.exponent - first.cast_signed();
        if point.unsigned_abs() + digits.len() > 2 * MAX_DIGITS {
            return None;
        }
        let mut plain = if self.negative { vec![b'-'] } else { Vec::new() };
        // Positions outside of `digits` are zeros. At least one digit is before the point.
        let start = (point - 1).min(0);
        for at in start..point.max(digits.len().cast_signed()) {
            if at == point && at > start {
                plain.push(b'.');
            }
            plain.push(*digits.get(at.cast_unsigned()).unwrap_or(&b'0'));
        }
        Some(from_utf8_lossy(&plain))
    }
}

fn parse_exponent(exponent: &[u8]) -> Option<isize> {
    let digits = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+")).unwrap_or(exponent);
    let size = parse_digits(digits).filter(|_| digits.len() <= 6)?;
    let size = isize::try_from(size).ok()?;
    Some(if exponent.starts_with(b"-") { -size } else { size })
}

/// Parses 1 to 16 decimal digits.
fn parse_digits(digits: &[u8]) -> Option<i64> {
    if !(1..=16).contains(&digits.len()) {
        return None;
    }
    let mut value = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(value)
}

/// Converts `0x` and at most 256 bits in hex to decimal digits. `0x` alone is 0. `None` for anything else.
pub(super) fn hex_to_decimal(hex: &[u8]) -> Option<String> {
    const MAX_HEX_DIGITS: usize = 64;
    // Decimal digits, last one first.
    let mut decimal = vec![b'0'];
    let digits = hex.strip_prefix(b"0x")?;
    let digits = digits.get(digits.iter().take_while(|&&digit| digit == b'0').count()..)?;
    if digits.len() > MAX_HEX_DIGITS {
        return None;
    }
    for &digit in digits {
        let mut carry = u8::try_from(char::from(digit).to_digit(16)?).ok()?;
        for digit in &mut decimal {
            let sum = (*digit - b'0') * 16 + carry;
            (*digit, carry) = (b'0' + sum % 10, sum / 10);
        }
        while carry > 0 {
            decimal.push(b'0' + carry % 10);
            carry /= 10;
        }
    }
    decimal.reverse();
    Some(from_utf8_lossy(&decimal))
}

/// Formats a number without an exponent, exactly: `1.2E-8` becomes `0.000000012`. `None` if it is not a number, or if
/// the result would be too long.
pub(crate) fn to_plain_decimal(number: &[u8]) -> Option<String> {
    Number::parse(number)?.to_plain()
}

/// Parses a number as an integer. `None` if it is not an integer, or if a JavaScript number cannot hold it exactly.
pub(crate) fn parse_safe_integer(number: &[u8]) -> Option<i64> {
    const MAX_SAFE: i64 = (1 << 53) - 1;
    let value = parse_digits(number).or_else(|| {
        let plain = to_plain_decimal(number)?;
        let digits = plain.strip_prefix('-').unwrap_or(&plain);
        let magnitude = parse_digits(digits.as_bytes())?;
        Some(if digits.len() < plain.len() { -magnitude } else { magnitude })
    });
    value.filter(|value| value.abs() <= MAX_SAFE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scientific_notation_is_expanded_exactly() {
        for (number, plain) in [
            ("0E-20", "0"),
            ("1.2E-8", "0.000000012"),
            ("1.2E+21", "1200000000000000000000"),
            ("12.34", "12.34"),
            ("120e-1", "12"),
            ("0012.300", "12.3"),
            ("-5e-1", "-0.5"),
            ("123e-2", "1.23"),
            ("0", "0"),
        ] {
            assert_eq!(to_plain_decimal(number.as_bytes()).as_deref(), Some(plain), "{number}");
        }
        for invalid in ["", "-", ".5", "5.", "1e", "e5", "0x1", "1 ", "--1", "1e5e5", "NaN"] {
            assert_eq!(to_plain_decimal(invalid.as_bytes()), None, "{invalid}");
        }
    }

    #[test]
    fn safe_integers_are_exact_in_javascript() {
        assert_eq!(parse_safe_integer(b"9007199254740991"), Some(9_007_199_254_740_991));
        assert_eq!(parse_safe_integer(b"9007199254740992"), None);
        assert_eq!(parse_safe_integer(b"-3"), Some(-3));
        assert_eq!(parse_safe_integer(b"2.2546398e7"), Some(22_546_398));
        assert_eq!(parse_safe_integer(b"1.5"), None);
    }
}
