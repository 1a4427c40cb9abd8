//! Generates JSON documents from the declarations: mostly valid ones, some with accepted deviations, some invalid.
//!
//! A document is generated from a sequence of choices. Zero is always the simplest choice: a test library that shrinks
//! a failing sequence thereby finds a simple document.

mod choices;
mod scalars;

use address_query::testing::record::{Kind, Table, ValueType};

use crate::support::Case;
pub use choices::Choices;
use scalars::NUMBERS;

const KEYS: &[&str] =
    &["block_type", "__proto__", "constructor", "", "\\u0061b", "\\ud800", "tagIcon ", "é", "0", "next"];
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
    Field { name: &'static str, value_type: ValueType, is_partial: bool },
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
            Member::Field { name, is_partial: true, .. } => {
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
            if if may_be_missing || !field.is_essential { self.deviates(5) } else { self.is_invalid(50) } {
                continue;
            }
            let count = 1 + usize::from(self.deviates(40)) + usize::from(names.len() > 1 && self.deviates(4));
            for _ in 0..count {
                let name = if self.deviates(3) { self.choices.pick_one(&names) } else { names[0] };
                let is_partial =
                    names.len() > 1 && matches!(field.value_type.kind, Kind::Record(_)) && self.deviates(10);
                members.push(Member::Field { name, value_type: field.value_type, is_partial });
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
            Kind::Unsigned if self.deviates(8) => {
                let string = self.choices.pick_one(&["7", "", "12519063346", "2.2546398e7", "15.0"]);
                self.write_string(string);
            }
            Kind::Integer | Kind::Unsigned => {
                let end = if self.deviations { NUMBERS.len() - 6 } else { 5 };
                let number = if self.is_invalid(30) {
                    self.choices.pick_one(NUMBERS)
                } else {
                    let number = self.choices.pick_one(&NUMBERS[..end]);
                    if matches!(value_type.kind, Kind::Unsigned) { number.trim_start_matches('-') } else { number }
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
