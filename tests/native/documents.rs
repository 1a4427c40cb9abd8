//! Makes documents out of the declarations: mostly what they ask for, with every leniency and every kind of damage.
//!
//! A document is made from a sequence of choices. Zero is always the plain choice, so that the shrinking of a failing
//! sequence towards shorter ones and zeros shrinks the document towards the simplest that still fails.

use address_query::record::{Format, Kind, Slot, Table};

use crate::support::Case;

/// The choices; past their end, always the plain one.
pub struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// One of so many.
    pub fn pick(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        usize::from(byte) % count
    }

    pub fn of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.pick(options.len())]
    }

    /// True once in so many times, at most 256.
    pub fn rarely(&mut self, once_in: usize) -> bool {
        self.pick(once_in) == once_in - 1
    }

    pub fn large(&mut self) -> usize {
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

/// A member of a list or object, yet to be written.
#[derive(Clone, Copy)]
enum Member {
    Rows { name: &'static str, may_be_null: bool, row: Slot },
    Cursor,
    CursorKey,
    Field { name: &'static str, slot: Slot, other_meaning: bool },
    Unknown,
    Element(Slot),
    Any,
}

#[expect(clippy::struct_excessive_bools, reason = "moods, independent of one another")]
struct Writer<'a, 'b> {
    choices: &'b mut Choices<'a>,
    json: Vec<u8>,
    /// Whether values differ from the declaration in ways that are absorbed.
    lenient: bool,
    /// Whether values differ in ways that must be refused.
    faulty: bool,
    spaced: bool,
    escaped: bool,
    depth: usize,
    /// Where records have been written: the decoder takes a short cut where the same text comes again.
    records: Vec<(&'static Table, std::ops::Range<usize>)>,
}

/// A page of a list, as bytes.
pub fn document(case: &Case, choices: &mut Choices<'_>) -> Vec<u8> {
    let mood = choices.pick(8);
    let spaced = choices.rarely(3);
    let escaped = choices.rarely(4);
    let mut writer = Writer {
        choices,
        json: Vec::new(),
        lenient: mood > 0,
        faulty: mood > 4,
        spaced,
        escaped,
        depth: 0,
        records: Vec::new(),
    };
    writer.page(case);
    let mut json = writer.json;
    damage(choices, &mut json);
    json
}

fn damage(choices: &mut Choices<'_>, json: &mut Vec<u8>) {
    match choices.pick(25) {
        24 => {
            // One mark in the place of another.
            let marks: Vec<usize> = (0..json.len()).filter(|&at| b"{}[],:\"".contains(&json[at])).collect();
            if let Some(&at) = marks.get(choices.large() % marks.len().max(1)) {
                json[at] = choices.of(b"{}[],:\" ");
            }
        }
        23 => {
            let end = choices.large() % (json.len() + 1);
            json.truncate(end);
        }
        22 => {
            let at = choices.large() % json.len();
            json[at] ^= 1 << choices.pick(8);
        }
        21 => {
            let at = choices.large() % (json.len() + 1);
            let bad = choices.of(&[b"\xff".as_slice(), b"\xed\xa0\x80", b"\xc3", b"\0", b"\x1f", b"\xc0\xaf"]);
            json.splice(at..at, bad.iter().copied());
        }
        20 => {
            let at = choices.large() % (json.len() + 1);
            let more =
                choices.of(&[",", "}", "]", "{", "[", "\"", ":", "\\", "0", "-", "null", "\u{feff}", "e5", "\\u12"]);
            json.splice(at..at, more.bytes());
        }
        19 => json.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
        18 => json.extend(choices.of(&[" ", "\n\n", "x", "{}", ",", "\0"]).bytes()),
        _ => {}
    }
}

impl Writer<'_, '_> {
    fn raw(&mut self, json: &str) {
        self.json.extend_from_slice(json.as_bytes());
    }

    fn space(&mut self) {
        if self.spaced {
            let space = self.choices.of(&["", " ", "\n\t", "\r\n  "]);
            self.raw(space);
        }
    }

    fn lenient(&mut self, once_in: usize) -> bool {
        self.lenient && self.choices.rarely(once_in)
    }

    fn faulty(&mut self, once_in: usize) -> bool {
        self.faulty && self.choices.rarely(once_in)
    }

    fn text(&mut self, plain: &str) {
        self.raw("\"");
        for c in plain.chars() {
            if self.escaped && self.choices.rarely(12) {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    self.raw(&format!("\\u{unit:04x}"));
                }
            } else {
                self.raw(c.encode_utf8(&mut [0; 4]));
            }
        }
        self.raw("\"");
    }

    fn members(&mut self, close: &str, members: impl IntoIterator<Item = Member>) {
        self.depth += 1;
        for (index, member) in members.into_iter().enumerate() {
            if index > 0 {
                self.space();
                self.raw(",");
            }
            self.space();
            self.member(member);
        }
        self.space();
        self.raw(close);
        self.depth -= 1;
    }

    fn member(&mut self, member: Member) {
        match member {
            Member::Rows { name, may_be_null, row } => {
                self.text(name);
                self.colon();
                match () {
                    () if self.faulty(60) => self.any(),
                    () if may_be_null && self.choices.rarely(6) => self.raw("null"),
                    () => self.list(row),
                }
            }
            Member::Cursor => self.cursor(),
            Member::CursorKey => self.cursor_key(),
            Member::Field { name, other_meaning: true, .. } => {
                self.text(name);
                self.colon();
                self.text(HASHES[0]);
            }
            Member::Field { name, slot, .. } => {
                self.text(name);
                self.colon();
                self.value(slot);
            }
            Member::Unknown => self.unknown(),
            Member::Element(slot) => self.value(slot),
            Member::Any => self.any(),
        }
    }

    fn colon(&mut self) {
        self.space();
        self.raw(":");
        self.space();
    }

    fn page(&mut self, case: &Case) {
        self.space();
        if self.faulty(60) {
            return self.any();
        }
        self.raw("{");
        let mut order = ["rows", "next_page_params", "envelope", "unknown"];
        let turn = self.choices.pick(4);
        order.rotate_left(turn);
        let mut members = Vec::new();
        for part in order {
            match part {
                "rows" => {
                    let times = if self.faulty(80) { 2 * self.choices.pick(2) } else { 1 };
                    let row = Slot { kind: Kind::Record(case.layout.row), nullable: false };
                    let rows = case.layout.rows.map(|(name, may_be_null)| Member::Rows { name, may_be_null, row });
                    members.extend(rows.into_iter().flat_map(|rows| std::iter::repeat_n(rows, times)));
                }
                "next_page_params" => {
                    let times = self.choices.pick(2) + usize::from(self.lenient(20));
                    members.extend(std::iter::repeat_n(Member::Cursor, times));
                }
                "envelope" => members.extend(self.fields(case.layout.envelope)),
                _ if self.lenient(6) => members.push(Member::Unknown),
                _ => {}
            }
        }
        self.members("}", members);
    }

    fn cursor(&mut self) {
        self.text("next_page_params");
        self.colon();
        match self.choices.pick(4) {
            0 => return self.raw("null"),
            1 if self.faulty(10) => return self.any(),
            _ => self.raw("{"),
        }
        let count = self.choices.pick(4);
        self.members("}", std::iter::repeat_n(Member::CursorKey, count));
    }

    fn cursor_key(&mut self) {
        let key = self.choices.of(&["block_number", "index", "items_count", "value", "fiat_value", "ключ"]);
        self.text(key);
        self.colon();
        match self.choices.pick(6) {
            1 => {
                let text = self.choices.of(&["50", "0E-20", "1.2E-8", "0x59", "", "ERC-721", "null"]);
                self.text(text);
            }
            2 => self.raw("null"),
            3 => self.raw("true"),
            4 => self.raw("\"\\u0031\\ud800\""),
            5 if self.faulty(8) => self.any(),
            _ => self.number(),
        }
    }

    /// Members for the fields of a table: in foreign order, under older names, twice, or not at all.
    fn fields(&mut self, table: &'static Table) -> Vec<Member> {
        let mut order: Vec<usize> = (0..table.fields.len()).collect();
        if self.lenient(3) && !order.is_empty() {
            let (turn, from) = (self.choices.pick(order.len()), self.choices.pick(order.len()));
            order.rotate_left(turn);
            order.swap(0, from);
        }
        let mut members = Vec::new();
        for index in order {
            let (field, names) = (&table.fields[index], table.names_of(index).collect::<Vec<_>>());
            let may_be_missing = field.slot.nullable || matches!(field.slot.kind, Kind::List(_));
            if if may_be_missing { self.lenient(5) } else { self.faulty(50) } {
                continue;
            }
            let times = 1 + usize::from(self.lenient(40)) + usize::from(names.len() > 1 && self.lenient(4));
            for _ in 0..times {
                let name = if self.lenient(3) { self.choices.of(&names) } else { names[0] };
                let other_meaning = names.len() > 1 && matches!(field.slot.kind, Kind::Record(_)) && self.lenient(10);
                members.push(Member::Field { name, slot: field.slot, other_meaning });
            }
        }
        if self.lenient(8) {
            members.push(Member::Unknown);
        }
        members
    }

    fn unknown(&mut self) {
        let key = self.choices.of(KEYS);
        self.raw(&format!("\"{key}\""));
        self.colon();
        self.any();
    }

    fn list(&mut self, element: Slot) {
        self.raw("[");
        let count = self.choices.pick(4);
        self.members("]", std::iter::repeat_n(Member::Element(element), count));
    }

    fn value(&mut self, slot: Slot) {
        if if slot.nullable { self.choices.rarely(6) } else { self.faulty(150) } {
            return self.raw("null");
        }
        if self.faulty(100) {
            return self.any();
        }
        match slot.kind {
            Kind::Text(format) => self.formatted(format),
            Kind::Integer if self.lenient(8) => {
                let text = self.choices.of(&["7", "", "12519063346", "2.2546398e7", "-3", "15.0"]);
                self.text(text);
            }
            Kind::Integer => {
                let end = if self.lenient { NUMBERS.len() - 6 } else { 5 };
                let number = if self.faulty(30) { self.choices.of(NUMBERS) } else { self.choices.of(&NUMBERS[..end]) };
                self.raw(number);
            }
            Kind::Boolean => {
                let boolean = self.choices.of(&["false", "true"]);
                self.raw(boolean);
            }
            Kind::Json => self.any(),
            Kind::JsonObject if self.lenient(4) => {
                let mut inner = Writer { choices: self.choices, json: Vec::new(), records: Vec::new(), ..*self };
                if inner.choices.rarely(3) {
                    inner.any();
                } else {
                    inner.object();
                }
                let inner = inner.json;
                let text = serde_json::to_string(&String::from_utf8_lossy(&inner)).unwrap();
                self.raw(&text);
            }
            Kind::JsonObject if self.lenient(8) => self.any(),
            Kind::JsonObject => self.object(),
            Kind::Record(table) => self.record(table),
            Kind::List(_) if self.lenient(10) => self.raw("null"),
            Kind::List(element) => self.list(*element),
        }
    }

    fn record(&mut self, table: &'static Table) {
        let earlier = self.records.iter().rfind(|(known, _)| std::ptr::eq(*known, table)).cloned();
        if let Some((_, written)) = earlier
            && self.choices.rarely(4)
        {
            return self.json.extend_from_within(written);
        }
        let start = self.json.len();
        self.raw("{");
        let members = self.fields(table);
        self.members("}", members);
        self.records.push((table, start..self.json.len()));
    }

    fn formatted(&mut self, format: Format) {
        if self.lenient(25) {
            return self.number();
        }
        if self.faulty(60) {
            let text = self.choices.of(&[
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
            return self.text(text);
        }
        match format {
            Format::Address => {
                let text = self.choices.of(HASHES);
                self.text(text);
            }
            Format::Hash => {
                let text = format!("0x{}", self.choices.of(&["ab", "00", "5E"]).repeat(32));
                self.text(&text);
            }
            Format::HexData => {
                let text = format!("0x{}", "c0ffee".repeat(self.choices.pick(9)));
                self.text(&text);
            }
            Format::Selector => {
                let text = self.choices.of(&["ddf252ad", "0xddf252ad"]);
                self.text(text);
            }
            Format::Quantity => {
                let text = self.choices.of(&["0x0", "0x64", "0xDE0B6B3A7640000"]);
                self.text(text);
            }
            Format::Uint | Format::Int | Format::Decimal => self.digits(format),
            Format::Timestamp => {
                let plain = [
                    "2026-05-01T10:00:11.123456Z",
                    "2026-02-04 05:43:23.000000Z",
                    "1491118514",
                    "2026-05-01T10:00:11Z",
                    "2026-12-31T23:59:60.5Z",
                ];
                let text = if self.lenient { self.choices.of(&plain) } else { plain[0] };
                self.text(text);
            }
            Format::Label(known) => {
                let text = if self.lenient(10) || known.is_empty() { "novel" } else { self.choices.of(known) };
                self.text(text);
            }
            Format::Free => self.free(),
        }
    }

    fn digits(&mut self, format: Format) {
        let plain = ["0", "1", "18", "1000000000000", "999999999999999999999", "007"];
        match self.choices.pick(10) {
            0..=4 => {
                let text = self.choices.of(&plain);
                self.text(text);
            }
            5 => self.text(&"9".repeat(78)),
            6 if self.lenient => {
                let text = self.choices.of(&["4e+21", "15.0", "1.50e1", "0E-20", "1.2E3", ""]);
                self.text(text);
            }
            7 if format != Format::Uint => self.text("-12"),
            8 if format == Format::Decimal => {
                let text = self.choices.of(&["1.2E-8", "3456.789", "0.1", "1.2E+21"]);
                self.text(text);
            }
            _ => self.text("42"),
        }
    }

    fn free(&mut self) {
        self.raw("\"");
        for _ in 0..=self.choices.pick(3) {
            let piece = if self.choices.rarely(3) { self.choices.of(ESCAPES) } else { self.choices.of(LETTERS) };
            self.raw(piece);
            if self.lenient(30) {
                let bad = self.choices.of(&[b"\xff".as_slice(), b"\xed\xa0\x80", b"\xc3", b"\xf0\x9f\x98", b"\x80"]);
                self.json.extend_from_slice(bad);
            }
        }
        self.raw("\"");
    }

    fn number(&mut self) {
        let number = self.choices.of(NUMBERS);
        self.raw(number);
    }

    /// Any JSON; now and then nested as deep as it may, or deeper.
    fn any(&mut self) {
        let deepest = if self.depth > 12 { 6 } else { 9 };
        match self.choices.pick(deepest) {
            0 => self.raw("null"),
            1 => self.raw("true"),
            2 => self.raw("false"),
            3 => self.number(),
            4 | 5 => self.free(),
            6 if self.choices.rarely(12) => {
                let levels = 125 + self.choices.pick(5);
                let (open, close) = self.choices.of(&[("[", "]"), ("{\"a\":", "}")]);
                self.raw(&open.repeat(levels));
                self.raw("0");
                self.raw(&close.repeat(levels));
            }
            6 | 7 => {
                self.raw("[");
                let count = self.choices.pick(4);
                self.members("]", std::iter::repeat_n(Member::Any, count));
            }
            _ => self.object(),
        }
    }

    fn object(&mut self) {
        self.raw("{");
        let count = self.choices.pick(4);
        self.members("}", std::iter::repeat_n(Member::Unknown, count));
    }
}
