//! Strings and numbers of generated documents.

use address_query::testing::record::Format;

use super::{HASHES, Writer};

const LETTERS: &[&str] =
    &["", "a", "USDC", "twelve chars", "thirteen char", "proxy_type", "zwölf", "日本語", "😀", "a\u{7f}\u{2028}"];
const ESCAPES: &[&str] = &[
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\r",
    "\\t",
    "\\u0000",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\uD800",
    "\\udc00\\ud83d",
    "\\ud83d\\u0041",
];
pub(super) const NUMBERS: &[&str] = &[
    "0",
    "7",
    "-1",
    "18",
    "2147483647",
    "2147483648",
    "-2147483649",
    "12519063346",
    "9007199254740991",
    "9007199254740992",
    "1.5",
    "15.0",
    "2E3",
    "-0",
    "1e-7",
    "4e+21",
    "12345678901234567890",
];
/// Strings that most formats reject.
const INVALID_STRINGS: &[&str] = &[
    "",
    "x",
    "0x",
    "0xabc",
    "-1",
    "1.5",
    "0x12g4",
    "2026-13-01T00:00:00Z",
    "2026-05-01T10:00:11.5+02:00",
    "deprecated",
    "1e999999",
    "null",
];

impl Writer<'_, '_> {
    /// Writes a string in this format.
    pub(super) fn write_formatted_string(&mut self, format: Format) {
        if self.deviates(25) {
            return self.write_number();
        }
        if self.is_invalid(60) {
            let string = self.choices.pick_one(INVALID_STRINGS);
            return self.write_string(string);
        }
        match format {
            Format::Address => self.write_one_of(HASHES),
            Format::Hash => {
                let string = format!("0x{}", self.choices.pick_one(&["ab", "00", "5E"]).repeat(32));
                self.write_string(&string);
            }
            Format::HexData | Format::Bytes => {
                let string = format!("0x{}", "c0ffee".repeat(self.choices.pick(9)));
                let is_empty = format == Format::Bytes && self.deviates(4);
                self.write_string(if is_empty { "" } else { &string });
            }
            Format::Bytecode => {
                let prefix = if self.deviates(3) { "" } else { "0x" };
                let string = format!("{prefix}{}", "c0ffee".repeat(1 + self.choices.pick(8)));
                self.write_string(&string);
            }
            Format::Selector => self.write_one_of(&["ddf252ad", "0xddf252ad"]),
            Format::Quantity => self.write_one_of(&["0x0", "0x64", "0xDE0B6B3A7640000"]),
            Format::HexUint => {
                let strings = ["0x0", "0x64", "0x1674f0e", "0x", "12", &format!("0x{}", "f".repeat(64))];
                let string = if self.deviations { self.choices.pick_one(&strings) } else { strings[2] };
                self.write_string(string);
            }
            Format::Uint | Format::ChainId | Format::StrictUint | Format::Int | Format::Decimal => {
                self.write_digits(format);
            }
            Format::Timestamp => {
                let times = [
                    "2026-05-01T10:00:11.123456Z",
                    "2026-02-04 05:43:23.000000Z",
                    "1491118514",
                    "2026-05-01T10:00:11Z",
                    "2026-12-31T23:59:60.5Z",
                ];
                let string = if self.deviations { self.choices.pick_one(&times) } else { times[0] };
                self.write_string(string);
            }
            Format::OpenEnum(known) => {
                let string = if self.deviates(10) || known.is_empty() { "novel" } else { self.choices.pick_one(known) };
                self.write_string(string);
            }
            Format::Date => self.write_one_of(&["2026-05-01", "2024-02-29"]),
            Format::Free => self.write_free_string(),
        }
    }

    fn write_one_of(&mut self, strings: &[&str]) {
        let string = self.choices.pick_one(strings);
        self.write_string(string);
    }

    fn write_digits(&mut self, format: Format) {
        let integers = ["0", "1", "18", "1000000000000", "999999999999999999999", "007"];
        match self.choices.pick(10) {
            0..=4 => {
                let string = self.choices.pick_one(&integers);
                self.write_string(string);
            }
            5 => self.write_string(&"9".repeat(78)),
            6 if self.deviations => {
                let string = self.choices.pick_one(&["4e+21", "15.0", "1.50e1", "0E-20", "1.2E3", ""]);
                self.write_string(string);
            }
            7 if matches!(format, Format::Int | Format::Decimal) => self.write_string("-12"),
            8 if format == Format::Decimal => {
                let string = self.choices.pick_one(&["1.2E-8", "3456.789", "0.1", "1.2E+21"]);
                self.write_string(string);
            }
            _ => self.write_string("42"),
        }
    }

    /// Writes any string, sometimes with invalid UTF-8.
    pub(super) fn write_free_string(&mut self) {
        self.write_raw("\"");
        for _ in 0..=self.choices.pick(3) {
            let piece =
                if self.choices.once_in(3) { self.choices.pick_one(ESCAPES) } else { self.choices.pick_one(LETTERS) };
            self.write_raw(piece);
            if self.deviates(30) {
                let bad =
                    self.choices.pick_one(&[b"\xff".as_slice(), b"\xed\xa0\x80", b"\xc3", b"\xf0\x9f\x98", b"\x80"]);
                self.json.extend_from_slice(bad);
            }
        }
        self.write_raw("\"");
    }

    /// Writes any number.
    pub(super) fn write_number(&mut self) {
        let number = self.choices.pick_one(NUMBERS);
        self.write_raw(number);
    }
}
