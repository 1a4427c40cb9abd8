//! Generates JSON documents from the declarations: mostly valid ones, some with accepted deviations, some invalid.
//!
//! A document is generated from a sequence of choices. Zero is always the simplest choice: a test library that shrinks
//! a failing sequence thereby finds a simple document.

use address_query::record::{Format, Kind, Table, ValueType};

use crate::support::Case;

/// A sequence of choices. After its end, every choice is 0.
pub struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the next choice, below `count`.
    pub fn pick(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        usize::from(byte) % count
    }

    /// Chooses one of the options.
    pub fn pick_one<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.pick(options.len())]
    }

    /// Returns true once in this number of choices, which is at most 256.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.pick(times) == times - 1
    }

    /// Returns a choice below 65,536.
    pub fn pick_large(&mut self) -> usize {
        self.pick(256) << 8 | self.pick(256)
    }
}

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
const KEYS: &[&str] =
    &["block_type", "__proto__", "constructor", "", "\\u0061b", "\\ud800", "tagIcon ", "é", "0", "next"];
const NUMBERS: &[&str] = &[
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
const HASHES: &[&str] = &[
    "0x00000000219ab540356cBB839Cbe05303d7705Fa",
    "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    "0x0000000000000000000000000000000000000000",
];

/// A member of a list or object that is to be written.
#[derive(Clone, Copy)]
enum Member {
    Rows { name: &'static str, may_be_null: bool, row: ValueType },
    Cursor,
    CursorKey,
    Field { name: &'static str, value_type: ValueType, other_meaning: bool },
    Unknown,
    Element(ValueType),
    Any,
}

#[expect(clippy::struct_excessive_bools, reason = "independent options")]
struct Writer<'a, 'b> {
    choices: &'b mut Choices<'a>,
    json: Vec<u8>,
    /// Whether to write deviations that the decoder accepts.
    deviations: bool,
    /// Whether to write values that the decoder must reject.
    invalid: bool,
    spaced: bool,
    escaped: bool,
    depth: usize,
    /// The positions of written records. Repeating one exercises the fast path of the decoder.
    records: Vec<(&'static Table, std::ops::Range<usize>)>,
}

/// Generates a response of this case.
pub fn generate_document(case: &Case, choices: &mut Choices<'_>) -> Vec<u8> {
    let validity = choices.pick(8);
    let spaced = choices.once_in(3);
    let escaped = choices.once_in(4);
    let mut writer = Writer {
        choices,
        json: Vec::new(),
        deviations: validity > 0,
        invalid: validity > 4,
        spaced,
        escaped,
        depth: 0,
        records: Vec::new(),
    };
    writer.write_page(case);
    let mut json = writer.json;
    damage(choices, &mut json);
    json
}

/// Damages some documents: truncates them, flips bits, inserts or replaces bytes.
fn damage(choices: &mut Choices<'_>, json: &mut Vec<u8>) {
    match choices.pick(25) {
        24 => {
            // Replaces a structural character.
            let structural: Vec<usize> = (0..json.len()).filter(|&at| b"{}[],:\"".contains(&json[at])).collect();
            if let Some(&at) = structural.get(choices.pick_large() % structural.len().max(1)) {
                json[at] = choices.pick_one(b"{}[],:\" ");
            }
        }
        23 => {
            let end = choices.pick_large() % (json.len() + 1);
            json.truncate(end);
        }
        22 => {
            let at = choices.pick_large() % json.len();
            json[at] ^= 1 << choices.pick(8);
        }
        21 => {
            let at = choices.pick_large() % (json.len() + 1);
            let invalid =
                choices.pick_one(&[b"\xff".as_slice(), b"\xed\xa0\x80", b"\xc3", b"\0", b"\x1f", b"\xc0\xaf"]);
            json.splice(at..at, invalid.iter().copied());
        }
        20 => {
            let at = choices.pick_large() % (json.len() + 1);
            let token = choices
                .pick_one(&[",", "}", "]", "{", "[", "\"", ":", "\\", "0", "-", "null", "\u{feff}", "e5", "\\u12"]);
            json.splice(at..at, token.bytes());
        }
        19 => json.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
        18 => json.extend(choices.pick_one(&[" ", "\n\n", "x", "{}", ",", "\0"]).bytes()),
        _ => {}
    }
}

impl Writer<'_, '_> {
    fn write_raw(&mut self, json: &str) {
        self.json.extend_from_slice(json.as_bytes());
    }

    fn write_space(&mut self) {
        if self.spaced {
            let space = self.choices.pick_one(&["", " ", "\n\t", "\r\n  "]);
            self.write_raw(space);
        }
    }

    /// Whether to write an accepted deviation, once in this number of times.
    fn deviates(&mut self, times: usize) -> bool {
        self.deviations && self.choices.once_in(times)
    }

    /// Whether to write an invalid value, once in this number of times.
    fn is_invalid(&mut self, times: usize) -> bool {
        self.invalid && self.choices.once_in(times)
    }

    fn write_string(&mut self, string: &str) {
        self.write_raw("\"");
        for c in string.chars() {
            if self.escaped && self.choices.once_in(12) {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    self.write_raw(&format!("\\u{unit:04x}"));
                }
            } else {
                self.write_raw(c.encode_utf8(&mut [0; 4]));
            }
        }
        self.write_raw("\"");
    }

    fn write_members(&mut self, close: &str, members: impl IntoIterator<Item = Member>) {
        self.depth += 1;
        for (index, member) in members.into_iter().enumerate() {
            if index > 0 {
                self.write_space();
                self.write_raw(",");
            }
            self.write_space();
            self.write_member(member);
        }
        self.write_space();
        self.write_raw(close);
        self.depth -= 1;
    }

    fn write_member(&mut self, member: Member) {
        match member {
            Member::Rows { name, may_be_null, row } => {
                self.write_string(name);
                self.write_colon();
                match () {
                    () if self.is_invalid(60) => self.write_any_json(),
                    () if may_be_null && self.choices.once_in(6) => self.write_raw("null"),
                    () => self.write_list(row),
                }
            }
            Member::Cursor => self.write_cursor(),
            Member::CursorKey => self.write_cursor_key(),
            Member::Field { name, other_meaning: true, .. } => {
                self.write_string(name);
                self.write_colon();
                self.write_string(HASHES[0]);
            }
            Member::Field { name, value_type, .. } => {
                self.write_string(name);
                self.write_colon();
                self.write_value(value_type);
            }
            Member::Unknown => self.write_unknown_member(),
            Member::Element(value_type) => self.write_value(value_type),
            Member::Any => self.write_any_json(),
        }
    }

    fn write_colon(&mut self) {
        self.write_space();
        self.write_raw(":");
        self.write_space();
    }

    fn write_page(&mut self, case: &Case) {
        self.write_space();
        if self.is_invalid(60) {
            return self.write_any_json();
        }
        if case.layout.accepts_array && self.choices.once_in(2) {
            return self.write_list(ValueType { kind: Kind::Record(case.layout.row), nullable: false });
        }
        self.write_raw("{");
        let mut order = ["rows", "next_page_params", "envelope", "unknown"];
        let rotation = self.choices.pick(4);
        order.rotate_left(rotation);
        let mut members = Vec::new();
        for part in order {
            match part {
                "rows" => {
                    let count = if self.is_invalid(80) { 2 * self.choices.pick(2) } else { 1 };
                    let row = ValueType { kind: Kind::Record(case.layout.row), nullable: false };
                    let rows = case.layout.rows.map(|(name, may_be_null)| Member::Rows { name, may_be_null, row });
                    members.extend(rows.into_iter().flat_map(|rows| std::iter::repeat_n(rows, count)));
                }
                "next_page_params" => {
                    let count = self.choices.pick(2) + usize::from(self.deviates(20));
                    members.extend(std::iter::repeat_n(Member::Cursor, count));
                }
                "envelope" => members.extend(self.choose_fields(case.layout.envelope)),
                _ if self.deviates(6) => members.push(Member::Unknown),
                _ => {}
            }
        }
        self.write_members("}", members);
    }

    fn write_cursor(&mut self) {
        self.write_string("next_page_params");
        self.write_colon();
        match self.choices.pick(4) {
            0 => return self.write_raw("null"),
            1 if self.is_invalid(10) => return self.write_any_json(),
            _ => self.write_raw("{"),
        }
        let count = self.choices.pick(4);
        self.write_members("}", std::iter::repeat_n(Member::CursorKey, count));
    }

    fn write_cursor_key(&mut self) {
        let key = self.choices.pick_one(&["block_number", "index", "items_count", "value", "fiat_value", "ключ"]);
        self.write_string(key);
        self.write_colon();
        match self.choices.pick(6) {
            1 => {
                let string = self.choices.pick_one(&["50", "0E-20", "1.2E-8", "0x59", "", "ERC-721", "null"]);
                self.write_string(string);
            }
            2 => self.write_raw("null"),
            3 => self.write_raw("true"),
            4 => self.write_raw("\"\\u0031\\ud800\""),
            5 if self.is_invalid(8) => self.write_any_json(),
            _ => self.write_number(),
        }
    }

    /// Returns members for the fields of a table: reordered, under older names, twice, or missing.
    fn choose_fields(&mut self, table: &'static Table) -> Vec<Member> {
        let mut order: Vec<usize> = (0..table.fields.len()).collect();
        if self.deviates(3) && !order.is_empty() {
            let (rotation, other) = (self.choices.pick(order.len()), self.choices.pick(order.len()));
            order.rotate_left(rotation);
            order.swap(0, other);
        }
        let mut members = Vec::new();
        for index in order {
            let (field, names) = (&table.fields[index], table.field_names(index).collect::<Vec<_>>());
            let may_be_missing = field.value_type.nullable || matches!(field.value_type.kind, Kind::List(_));
            if if may_be_missing { self.deviates(5) } else { self.is_invalid(50) } {
                continue;
            }
            let count = 1 + usize::from(self.deviates(40)) + usize::from(names.len() > 1 && self.deviates(4));
            for _ in 0..count {
                let name = if self.deviates(3) { self.choices.pick_one(&names) } else { names[0] };
                let other_meaning =
                    names.len() > 1 && matches!(field.value_type.kind, Kind::Record(_)) && self.deviates(10);
                members.push(Member::Field { name, value_type: field.value_type, other_meaning });
            }
        }
        if self.deviates(8) {
            members.push(Member::Unknown);
        }
        members
    }

    fn write_unknown_member(&mut self) {
        let key = self.choices.pick_one(KEYS);
        self.write_raw(&format!("\"{key}\""));
        self.write_colon();
        self.write_any_json();
    }

    fn write_list(&mut self, element: ValueType) {
        self.write_raw("[");
        let count = self.choices.pick(4);
        self.write_members("]", std::iter::repeat_n(Member::Element(element), count));
    }

    fn write_value(&mut self, value_type: ValueType) {
        if if value_type.nullable { self.choices.once_in(6) } else { self.is_invalid(150) } {
            return self.write_raw("null");
        }
        if self.is_invalid(100) {
            return self.write_any_json();
        }
        match value_type.kind {
            Kind::String(format) => self.write_formatted_string(format),
            Kind::Integer if self.deviates(8) => {
                let string = self.choices.pick_one(&["7", "", "12519063346", "2.2546398e7", "-3", "15.0"]);
                self.write_string(string);
            }
            Kind::Integer => {
                let end = if self.deviations { NUMBERS.len() - 6 } else { 5 };
                let number = if self.is_invalid(30) {
                    self.choices.pick_one(NUMBERS)
                } else {
                    self.choices.pick_one(&NUMBERS[..end])
                };
                self.write_raw(number);
            }
            Kind::Number => self.write_number(),
            Kind::Boolean => {
                let boolean = self.choices.pick_one(&["false", "true"]);
                self.write_raw(boolean);
            }
            Kind::Json => self.write_any_json(),
            Kind::JsonObject if self.deviates(4) => {
                let mut inner = Writer { choices: self.choices, json: Vec::new(), records: Vec::new(), ..*self };
                if inner.choices.once_in(3) {
                    inner.write_any_json();
                } else {
                    inner.write_any_object();
                }
                let inner = inner.json;
                let string = serde_json::to_string(&String::from_utf8_lossy(&inner)).unwrap();
                self.write_raw(&string);
            }
            Kind::JsonObject if self.deviates(8) => self.write_any_json(),
            Kind::JsonObject => self.write_any_object(),
            Kind::Record(table) => self.write_record(table),
            Kind::List(_) if self.deviates(10) => self.write_raw("null"),
            Kind::List(element) => self.write_list(*element),
        }
    }

    fn write_record(&mut self, table: &'static Table) {
        let previous = self.records.iter().rfind(|(known, _)| std::ptr::eq(*known, table)).cloned();
        if let Some((_, range)) = previous
            && self.choices.once_in(4)
        {
            return self.json.extend_from_within(range);
        }
        let start = self.json.len();
        self.write_raw("{");
        let members = self.choose_fields(table);
        self.write_members("}", members);
        self.records.push((table, start..self.json.len()));
    }

    fn write_formatted_string(&mut self, format: Format) {
        if self.deviates(25) {
            return self.write_number();
        }
        if self.is_invalid(60) {
            let string = self.choices.pick_one(&[
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
            ]);
            return self.write_string(string);
        }
        match format {
            Format::Address => {
                let string = self.choices.pick_one(HASHES);
                self.write_string(string);
            }
            Format::Hash => {
                let string = format!("0x{}", self.choices.pick_one(&["ab", "00", "5E"]).repeat(32));
                self.write_string(&string);
            }
            Format::HexData => {
                let string = format!("0x{}", "c0ffee".repeat(self.choices.pick(9)));
                self.write_string(&string);
            }
            Format::Selector => {
                let string = self.choices.pick_one(&["ddf252ad", "0xddf252ad"]);
                self.write_string(string);
            }
            Format::Quantity => {
                let string = self.choices.pick_one(&["0x0", "0x64", "0xDE0B6B3A7640000"]);
                self.write_string(string);
            }
            Format::Uint | Format::Int | Format::Decimal => self.write_digits(format),
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
            Format::Date => {
                let string = self.choices.pick_one(&["2026-05-01", "2024-02-29"]);
                self.write_string(string);
            }
            Format::Free => self.write_free_string(),
        }
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
            7 if format != Format::Uint => self.write_string("-12"),
            8 if format == Format::Decimal => {
                let string = self.choices.pick_one(&["1.2E-8", "3456.789", "0.1", "1.2E+21"]);
                self.write_string(string);
            }
            _ => self.write_string("42"),
        }
    }

    fn write_free_string(&mut self) {
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

    fn write_number(&mut self) {
        let number = self.choices.pick_one(NUMBERS);
        self.write_raw(number);
    }

    /// Writes any JSON value, sometimes nested as deep as allowed or deeper.
    fn write_any_json(&mut self) {
        let options = if self.depth > 12 { 6 } else { 9 };
        match self.choices.pick(options) {
            0 => self.write_raw("null"),
            1 => self.write_raw("true"),
            2 => self.write_raw("false"),
            3 => self.write_number(),
            4 | 5 => self.write_free_string(),
            6 if self.choices.once_in(12) => {
                let levels = 125 + self.choices.pick(5);
                let (open, close) = self.choices.pick_one(&[("[", "]"), ("{\"a\":", "}")]);
                self.write_raw(&open.repeat(levels));
                self.write_raw("0");
                self.write_raw(&close.repeat(levels));
            }
            6 | 7 => {
                self.write_raw("[");
                let count = self.choices.pick(4);
                self.write_members("]", std::iter::repeat_n(Member::Any, count));
            }
            _ => self.write_any_object(),
        }
    }

    fn write_any_object(&mut self) {
        self.write_raw("{");
        let count = self.choices.pick(4);
        self.write_members("}", std::iter::repeat_n(Member::Unknown, count));
    }
}
