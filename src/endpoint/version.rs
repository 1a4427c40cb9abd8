//! [`Version`]: a version of the backend, and [`Requirement`]: the version that a request needs.

use std::num::NonZeroU32;

use crate::strings::format_u64;

/// A version of the backend, such as 11.2.7: three numbers of ten bits, the major one first. Packed, so that the declarations
/// stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(NonZeroU32);

const NUMBER_BITS: u32 = 10;
const MAX_NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// The newest part of a request: an operation or parameter that older backend versions do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Requirement {
    /// Name of the operation.
    pub(crate) operation: &'static str,
    /// Name of the parameter. `None`: the operation itself is the newest part.
    pub(crate) parameter: Option<&'static str>,
    /// The first version that has it.
    pub(crate) since: Version,
}

impl Version {
    /// Parses a version as an instance writes it: `v11.2.7`, `8.0.2-beta`. A missing minor or patch number is 0. `None` if
    /// it does not begin with a number, or has one above 1023.
    #[must_use]
    pub const fn parse(version: &str) -> Option<Self> {
        let (mut rest, mut packed, mut number, mut has_digit, mut dots) = (version.as_bytes(), 0, 0, false, 0);
        if let [b'v' | b'V', after @ ..] = rest {
            rest = after;
        }
        while let [byte, after @ ..] = rest {
            match byte {
                b'0'..=b'9' => {
                    number = number * 10 + (*byte - b'0') as u32;
                    if number > MAX_NUMBER {
                        return None;
                    }
                    has_digit = true;
                }
                b'.' if has_digit && dots < 2 => {
                    packed = packed << NUMBER_BITS | number;
                    (number, has_digit, dots) = (0, false, dots + 1);
                }
                _ => break,
            }
            rest = after;
        }
        match NonZeroU32::new((packed << NUMBER_BITS | number) << (NUMBER_BITS * (2 - dots))) {
            Some(packed) => Some(Self(packed)),
            None => None,
        }
    }

    /// Parses the version in a declaration. An invalid one fails the build.
    ///
    /// # Panics
    /// At compile time, if the version is invalid.
    #[must_use]
    #[expect(clippy::panic, reason = "runs at compile time only")]
    pub const fn declared(version: &str) -> Self {
        match Self::parse(version) {
            Some(version) => version,
            None => panic!("a declaration has an invalid version"),
        }
    }

    /// Formats the version: `11.2.7`.
    #[must_use]
    pub fn format(self) -> String {
        let number = |shift: u32| format_u64((self.0.get() >> shift & MAX_NUMBER).into());
        [&*number(2 * NUMBER_BITS), ".", &*number(NUMBER_BITS), ".", &*number(0)].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed_as_instances_write_them() {
        for (version, expected) in [
            ("v11.2.7", Some("11.2.7")),
            ("8.0.2-beta", Some("8.0.2")),
            ("v12.0.0+commit.5e1f", Some("12.0.0")),
            ("9.1", Some("9.1.0")),
            ("10", Some("10.0.0")),
            ("9.x.3", Some("9.0.0")),
            ("v9..3", Some("9.0.0")),
            ("", None),
            ("v", None),
            ("master", None),
            ("-1.0.0", None),
            ("v.9", None),
            ("0.0.0", None),
            ("1023.1023.1023.5", Some("1023.1023.1023")),
            ("1024.0.0", None),
            ("9.0.1024", None),
            ("99999999999999999999", None),
            ("７.0.0", None),
        ] {
            assert_eq!(Version::parse(version).map(Version::format).as_deref(), expected, "{version}");
        }
    }

    #[test]
    fn versions_are_compared_by_number() {
        let versions = ["6.9.0", "8.0.2", "8.1.0", "9.0.0", "10.0.0", "11.2.7", "12.0.0"].map(Version::declared);
        assert!(versions.is_sorted_by(|one, other| one < other));
    }
}
