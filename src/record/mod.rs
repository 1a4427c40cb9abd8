//! The declaration language: what a record, a field and a value are, and the tables made from declarations.
//!
//! A record is declared once, with `record!`. From that one declaration come the Rust struct,
//! its lenient reading by serde ([`read`]), the table that drives the decoder ([`crate::decode`]), and, by the
//! generator, the JavaScript constructor, the TypeScript interface and the table in the docs.

pub mod format;
pub mod read;
mod text;

use crate::text::parts;

pub use format::Format;
pub use read::{Mismatch, read_document};
pub use text::*;

/// What a value is.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A text of a format.
    Text(Format),
    /// An integer that JavaScript numbers hold exactly.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// Any JSON, passed on as it is.
    Json,
    /// A JSON object with any members, passed on as it is; the same object inside a text is unpacked.
    JsonObject,
    /// A nested record.
    Record(&'static Table),
    /// A list; a missing one is empty.
    List(&'static Slot),
}

/// A place for a value: of a field, or of a list's elements.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// What stands there.
    pub kind: Kind,
    /// Whether `null` may stand there.
    pub nullable: bool,
}

impl Slot {
    /// Whether `null` is taken.
    #[must_use]
    pub const fn takes_null(self) -> bool {
        self.nullable || matches!(self.kind, Kind::List(_))
    }
}

/// One field of a record.
#[derive(Debug)]
pub struct Field {
    /// What it holds.
    pub slot: Slot,
    /// Whether the service always sends it; if so, its absence is drift.
    pub always: bool,
}

/// A record's declaration as data. There is exactly one per record, so its address identifies it.
#[derive(Debug)]
pub struct Table {
    /// The record's name in Rust and TypeScript.
    pub name: &'static str,
    /// Its place among all records, by which the boundary names it.
    pub number: u32,
    /// The fields' names in one text, a space between two fields: the documented name, then those that other versions of the
    /// service use, best first, a bar before each. (Many small texts, and where each of them stands, are much larger.)
    pub names: &'static str,
    /// The fields, in the order of the declaration.
    pub fields: &'static [Field],
    /// Own fields that repeat members of the first element of a list.
    pub mirror: Option<Mirror>,
    /// A field, and another one that gives its text in another spelling: it has the first one's name among its older names.
    pub respelt: Option<(usize, usize)>,
}

impl Table {
    /// The names of a field: the documented one, then the others, best first.
    pub fn names_of(&self, field: usize) -> impl Iterator<Item = &'static str> {
        let names = self.names.as_bytes().split(|byte| *byte == b' ').nth(field).unwrap_or_default();
        parts(std::str::from_utf8(names).unwrap_or_default(), b'|')
    }

    /// The documented name of a field.
    #[must_use]
    pub fn name_of(&self, field: usize) -> &'static str {
        self.names_of(field).next().unwrap_or_default()
    }

    /// The field that has this name, and which of its names that is.
    #[must_use]
    pub fn field_named(&self, name: &[u8]) -> Option<(usize, usize)> {
        let fields = self.names.as_bytes().split(|byte| *byte == b' ').zip(0..self.fields.len());
        let rank = |names: &[u8]| names.split(|byte| *byte == b'|').position(|known| known == name);
        fields.into_iter().find_map(|(names, field)| Some((field, rank(names)?)))
    }
}

/// Own fields that repeat members of a list's first element. Empty own fields are filled from that element; an empty list
/// gets an element made of the own fields.
#[derive(Debug)]
pub struct Mirror {
    /// Index of the list among the fields.
    pub list: usize,
    /// Pairs: index of the own field, index of the field in the list's elements.
    pub pairs: &'static [(usize, usize)],
}

/// A record: declared with `record!`, read from JSON, described by a table.
pub trait Record: Sized + 'static {
    /// The declaration as data.
    const TABLE: &'static Table;
    /// Meaning of the record, then of each field. Kept apart from the table so that it is never part of the module.
    const DOCS: (&'static str, &'static [&'static str]);
    /// The TypeScript type of each field.
    fn typescript_fields() -> Vec<String>;
    /// Reads the members of a JSON object.
    ///
    /// # Errors
    /// The first member that does not fit, with its path.
    fn from_members(members: &mut read::Members<'_>) -> Result<Self, Mismatch>;
}

/// A type that can stand in a field.
pub trait Value: Sized {
    /// What the decoder has to expect.
    const SLOT: Slot;
    /// The TypeScript type.
    fn typescript() -> String;
    /// Reads one JSON value.
    ///
    /// # Errors
    /// What was expected and what was found.
    fn read(json: &str) -> Result<Self, Mismatch>;
    /// The value of a field that is not there, if it may be missing.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

/// The index of the field with this documented name, among [`Table::names`]. For use in declarations: a wrong name fails the
/// build.
///
/// # Panics
/// At compile time, when there is no such field.
#[must_use]
#[expect(clippy::panic, reason = "runs at compile time only")]
pub const fn field_index(names: &str, name: &str) -> usize {
    match documented_as(names.as_bytes(), name.as_bytes(), 0) {
        Some(field) => field,
        None => panic!("no field of that name"),
    }
}

/// A field has no more names than this.
pub const MAX_NAMES: usize = 4;

/// The names of a declaration.
///
/// # Panics
/// At compile time, when a field has more than [`MAX_NAMES`].
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub const fn few_names(names: &str) -> &str {
    let (text, mut at, mut bars) = (names.as_bytes(), 0, 0);
    while at < text.len() {
        bars = match text[at] {
            b'|' => bars + 1,
            b' ' => 0,
            _ => bars,
        };
        assert!(bars < MAX_NAMES, "a field has too many names");
        at += 1;
    }
    names
}

/// The field that has another field's documented name among its older names, behind that field.
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub const fn respelt(names: &str) -> Option<(usize, usize)> {
    let names = names.as_bytes();
    let (mut at, mut to) = (0, 0);
    while at < names.len() {
        if names[at] == b' ' {
            to += 1;
        } else if names[at] == b'|'
            && let Some(from) = documented_as(names, names, at + 1)
        {
            return Some((from, to));
        }
        at += 1;
    }
    None
}

/// The field whose documented name is the word of `text` that begins at `at`.
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
const fn documented_as(names: &[u8], text: &[u8], at: usize) -> Option<usize> {
    let (mut begin, mut field) = (0, 0);
    while begin < names.len() {
        let mut length = 0;
        while letter(names, begin + length) == letter(text, at + length) {
            if letter(text, at + length) == END {
                return Some(field);
            }
            length += 1;
        }
        while begin < names.len() && names[begin] != b' ' {
            begin += 1;
        }
        (begin, field) = (begin + 1, field + 1);
    }
    None
}

/// What stands for the end of a word.
const END: u8 = b' ';

#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
const fn letter(text: &[u8], at: usize) -> u8 {
    if at < text.len() && text[at] != b'|' { text[at] } else { END }
}

/// Declares a record.
///
/// ```text
/// record! {
///     /// What the record is.
///     Token {
///         /// What the field means, its unit, what null means.
///         holders_count | "holders": Option<Uint>,     // documented name | older names : type
///         is_bridged @sometimes: Option<bool>,         // where its absence is nothing to speak of
///         block_number = "blockNumber": Uint,          // where the service's name is not in snake_case
///     }
/// } mirror "list" of Element {                              // optional, see Mirror
///     "own field" = "member of the list's first element"
/// } settle |record| { /* the same for the struct */ }
/// ```
macro_rules! record {
    ($(#[doc = $doc:expr])* $name:ident {
        $( $(#[doc = $field_doc:expr])* $field:ident $(= $json:literal)? $(| $alias:literal)* $(@ $sometimes:ident)? : $type:ty ),* $(,)?
    } $(mirror $list:literal of $element:ty {
        $( $own:literal = $member:literal ),* $(,)?
    } settle $settle:expr)?) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $name {
            $( $(#[doc = $field_doc])* $(#[serde(rename = $json)])? pub $field: $type, )*
        }

        impl $crate::record::Record for $name {
            const TABLE: &'static $crate::record::Table = {
                const NAMES: &str = $crate::record::few_names(
                    concat!($( $crate::record::name!($field $($json)?) $(, "|", $alias)*, " " ),*).trim_ascii_end(),
                );
                static TABLE: $crate::record::Table = $crate::record::Table {
                    name: stringify!($name),
                    number: super::Number::$name as u32,
                    names: NAMES,
                    fields: &[$( $crate::record::Field {
                        slot: <$type as $crate::record::Value>::SLOT,
                        always: $crate::record::always!($($sometimes)?),
                    }, )*],
                    respelt: $crate::record::respelt(NAMES),
                    mirror: {
                        #[allow(unused_mut, unused_assignments, reason = "only records with a mirror assign it")]
                        let mut mirror = None;
                        $( mirror = Some($crate::record::Mirror {
                            list: $crate::record::field_index(NAMES, $list),
                            pairs: const {
                                const MEMBERS: &str = <$element as $crate::record::Record>::TABLE.names;
                                &[$( (
                                    $crate::record::field_index(NAMES, $own),
                                    $crate::record::field_index(MEMBERS, $member),
                                ), )*]
                            },
                        }); )?
                        mirror
                    },
                };
                &TABLE
            };
            const DOCS: (&'static str, &'static [&'static str]) =
                (concat!($($doc, "\n"),*), &[$( concat!($($field_doc, "\n"),*) ),*]);

            fn typescript_fields() -> Vec<String> {
                vec![$( <$type as $crate::record::Value>::typescript() ),*]
            }

            #[allow(unused_variables, reason = "a record without fields")]
            fn from_members(
                members: &mut $crate::record::read::Members<'_>,
            ) -> Result<Self, $crate::record::Mismatch> {
                #[allow(unused_mut, reason = "only records with a mirror are settled")]
                let mut record = Self {
                    $( $field: members.take(&[$crate::record::name!($field $($json)?) $(, $alias)*])?, )*
                };
                $( let settle: fn(&mut Self) = $settle; settle(&mut record); )?
                Ok(record)
            }
        }

        impl $crate::record::Value for $name {
            const SLOT: $crate::record::Slot = $crate::record::Slot {
                kind: $crate::record::Kind::Record(<Self as $crate::record::Record>::TABLE),
                nullable: false,
            };
            fn typescript() -> String {
                stringify!($name).into()
            }
            fn read(json: &str) -> Result<Self, $crate::record::Mismatch> {
                $crate::record::read::record(json)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let json = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
                <Self as $crate::record::Value>::read(json.get()).map_err(serde::de::Error::custom)
            }
        }
    };
}

/// A field's documented name.
macro_rules! name {
    (r#type) => {
        "type"
    };
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $json:literal) => {
        $json
    };
}

/// Whether a field is always sent.
macro_rules! always {
    () => {
        true
    };
    (sometimes) => {
        false
    };
}

pub(crate) use {always, name, record};
