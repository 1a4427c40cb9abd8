//! Declarations of records: the macro `record!`, the types of fields, and the [`Table`] of each record.
//!
//! A record is an object of the API, such as a token transfer. It is declared once, in [`crate::types`]. From that
//! declaration come:
//!
//! - the Rust struct, and its reading by serde ([`read`]);
//! - the [`Table`] that drives the decoder ([`crate::decode`]);
//! - through the generator (`src/bin/generate`): the JavaScript constructor, the TypeScript interface and the
//!   documentation.
//!
//! Start at [`Record`], [`Table`] and [`Kind`]. The formats of strings are in [`mod@format`].

pub mod format;
pub mod read;
mod strings;

use crate::strings::split;

pub use format::Format;
pub use read::{Mismatch, normalize_document};
pub use strings::*;

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A string in a format.
    String(Format),
    /// An integer that JavaScript numbers hold exactly.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// Any JSON value, passed on unchanged.
    Json,
    /// A JSON object with any members, passed on unchanged. A string that contains such an object is parsed.
    JsonObject,
    /// A nested record.
    Record(&'static Table),
    /// A list. A missing list is empty.
    List(&'static Slot),
}

/// The type of a value: of a field, or of the elements of a list.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The kind of the value.
    pub kind: Kind,
    /// Whether the value can be null.
    pub nullable: bool,
}

impl Slot {
    /// Whether `null` is accepted. A list accepts it as an empty list.
    #[must_use]
    pub const fn accepts_null(self) -> bool {
        self.nullable || matches!(self.kind, Kind::List(_))
    }
}

/// A field of a record.
#[derive(Debug)]
pub struct Field {
    /// The type of its value.
    pub slot: Slot,
    /// Whether the service always sends the field. If so, its absence is reported as [drift](crate::decode::drift).
    pub always_sent: bool,
}

/// The declaration of a record, as data. There is exactly one per record, so its address identifies the record.
#[derive(Debug)]
pub struct Table {
    /// The name of the record in Rust and TypeScript.
    pub name: &'static str,
    /// The index of the record among all records. It identifies the record on the JavaScript side.
    pub number: u32,
    /// The names of the fields, such as `first_field|older_name second_field`. A space separates the fields. A bar
    /// separates the names of a field: the documented one, then those of other service versions, preferred first.
    ///
    /// This is one string, because a slice of strings takes much more space in the WebAssembly module.
    pub names: &'static str,
    /// The fields, in declaration order.
    pub fields: &'static [Field],
    /// The fields that repeat members of the first element of a list.
    pub flattened: Option<Flattened>,
    /// The indices of a source field and of the field derived from it, which has the same value in another format.
    /// The documented name of the source field is one of the older names of the derived field.
    pub derived_field: Option<(usize, usize)>,
}

impl Table {
    /// The names of a field: the documented one, then those of other service versions, preferred first.
    pub fn field_names(&self, field: usize) -> impl Iterator<Item = &'static str> {
        let names = self.names.as_bytes().split(|byte| *byte == b' ').nth(field).unwrap_or_default();
        split(std::str::from_utf8(names).unwrap_or_default(), b'|')
    }

    /// The documented name of a field.
    #[must_use]
    pub fn field_name(&self, field: usize) -> &'static str {
        self.field_names(field).next().unwrap_or_default()
    }

    /// Finds the field with this name. Returns its index, and the index of the name among its names.
    #[must_use]
    pub fn find_field(&self, name: &[u8]) -> Option<(usize, usize)> {
        let fields = self.names.as_bytes().split(|byte| *byte == b' ').zip(0..self.fields.len());
        let rank = |names: &[u8]| names.split(|byte| *byte == b'|').position(|known| known == name);
        fields.into_iter().find_map(|(names, field)| Some((field, rank(names)?)))
    }
}

/// Fields of a record that repeat members of the first element of a list, for example `implementation_name` and
/// `implementations[0].name`. Null fields are filled from the first element. An empty list gets one element, built from
/// the fields.
#[derive(Debug)]
pub struct Flattened {
    /// The index of the list among the fields.
    pub list: usize,
    /// Pairs: the index of the field in the record, and its index in the elements of the list.
    pub pairs: &'static [(usize, usize)],
}

/// A record. Implemented by `record!`.
pub trait Record: Sized + 'static {
    /// The declaration, as data.
    const TABLE: &'static Table;
    /// The documentation of the record, and of each field. Separate from the table, so that WebAssembly does not
    /// contain it.
    const DOCS: (&'static str, &'static [&'static str]);
    /// The TypeScript type of each field.
    fn typescript_fields() -> Vec<String>;
    /// Reads the record from the members of a JSON object.
    ///
    /// # Errors
    /// The first invalid member, with its path.
    fn from_members(members: &mut read::Members<'_>) -> Result<Self, Mismatch>;
}

/// A type that a field can have.
pub trait Value: Sized {
    /// The type, as data.
    const SLOT: Slot;
    /// The TypeScript type.
    fn typescript() -> String;
    /// Reads a JSON value.
    ///
    /// # Errors
    /// A [`Mismatch`] if the value is of another kind or format.
    fn read(json: &str) -> Result<Self, Mismatch>;
    /// The value of a missing field. `None` if the field is required.
    #[must_use]
    fn value_if_missing() -> Option<Self> {
        None
    }
}

/// Finds the index of the field with this documented name in [`Table::names`]. An unknown name fails the build.
///
/// # Panics
/// At compile time, if there is no such field.
#[must_use]
#[expect(clippy::panic, reason = "runs at compile time only")]
pub const fn field_index(names: &str, name: &str) -> usize {
    match find_documented_name(names.as_bytes(), name.as_bytes(), 0) {
        Some(field) => field,
        None => panic!("no field has this name"),
    }
}

/// The maximum number of names of a field.
pub const MAX_NAMES: usize = 4;

/// Returns `names` unchanged, after checking that no field has too many names.
///
/// # Panics
/// At compile time, if a field has more than [`MAX_NAMES`] names.
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub const fn check_name_counts(names: &str) -> &str {
    let (bytes, mut at, mut bars) = (names.as_bytes(), 0, 0);
    while at < bytes.len() {
        bars = match bytes[at] {
            b'|' => bars + 1,
            b' ' => 0,
            _ => bars,
        };
        assert!(bars < MAX_NAMES, "a field has too many names");
        at += 1;
    }
    names
}

/// Finds the pair for [`Table::derived_field`]: a field with the documented name of another field among its older
/// names.
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub const fn find_derived_field(names: &str) -> Option<(usize, usize)> {
    let names = names.as_bytes();
    let (mut at, mut field) = (0, 0);
    while at < names.len() {
        if names[at] == b' ' {
            field += 1;
        } else if names[at] == b'|'
            && let Some(source) = find_documented_name(names, names, at + 1)
        {
            return Some((source, field));
        }
        at += 1;
    }
    None
}

/// Finds the field whose documented name equals the name that starts at byte `at` of `other`.
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
const fn find_documented_name(names: &[u8], other: &[u8], at: usize) -> Option<usize> {
    let (mut start, mut field) = (0, 0);
    while start < names.len() {
        let mut length = 0;
        while name_byte(names, start + length) == name_byte(other, at + length) {
            if name_byte(other, at + length) == END {
                return Some(field);
            }
            length += 1;
        }
        while start < names.len() && names[start] != b' ' {
            start += 1;
        }
        (start, field) = (start + 1, field + 1);
    }
    None
}

/// Marks the end of a name.
const END: u8 = b' ';

/// The byte of a name at `at`, or [`END`] after the name.
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
const fn name_byte(names: &[u8], at: usize) -> u8 {
    if at < names.len() && names[at] != b'|' { names[at] } else { END }
}

/// Declares a record.
///
/// ```text
/// record! {
///     /// Documentation of the record.
///     Token {
///         /// Documentation of the field: meaning, unit, meaning of null.
///         holders_count | "holders": Option<Uint>,     // documented name | older names: type
///         is_bridged @sometimes: Option<bool>,         // not always sent: its absence is not drift
///         block_number = "blockNumber": Uint,          // the name in JSON, where it differs from the one in Rust
///     } flattened "list" of Element {                  // optional, see `Flattened`
///         "field" = "member of the first element"
///     } fill |record| { /* does the same for the struct */ }
/// }
/// ```
macro_rules! record {
    ($(#[doc = $doc:expr])* $name:ident {
        $( $(#[doc = $field_doc:expr])* $field:ident $(= $json:literal)? $(| $alias:literal)* $(@ $sometimes:ident)? : $type:ty ),* $(,)?
    } $(flattened $list:literal of $element:ty {
        $( $own:literal = $member:literal ),* $(,)?
    } fill $fill:expr)?) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $name {
            $( $(#[doc = $field_doc])* $(#[serde(rename = $json)])? pub $field: $type, )*
        }

        impl $crate::record::Record for $name {
            const TABLE: &'static $crate::record::Table = {
                const NAMES: &str = $crate::record::check_name_counts(
                    concat!($( $crate::record::name!($field $($json)?) $(, "|", $alias)*, " " ),*).trim_ascii_end(),
                );
                static TABLE: $crate::record::Table = $crate::record::Table {
                    name: stringify!($name),
                    number: super::Number::$name as u32,
                    names: NAMES,
                    fields: &[$( $crate::record::Field {
                        slot: <$type as $crate::record::Value>::SLOT,
                        always_sent: $crate::record::always!($($sometimes)?),
                    }, )*],
                    derived_field: $crate::record::find_derived_field(NAMES),
                    flattened: {
                        #[allow(unused_mut, unused_assignments, reason = "only records with flattened fields assign it")]
                        let mut flattened = None;
                        $( flattened = Some($crate::record::Flattened {
                            list: $crate::record::field_index(NAMES, $list),
                            pairs: const {
                                const MEMBERS: &str = <$element as $crate::record::Record>::TABLE.names;
                                &[$( (
                                    $crate::record::field_index(NAMES, $own),
                                    $crate::record::field_index(MEMBERS, $member),
                                ), )*]
                            },
                        }); )?
                        flattened
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
                #[allow(unused_mut, reason = "only records with flattened fields change it")]
                let mut record = Self {
                    $( $field: members.read_member(&[$crate::record::name!($field $($json)?) $(, $alias)*])?, )*
                };
                $( let fill: fn(&mut Self) = $fill; fill(&mut record); )?
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
                $crate::record::read::read_record(json)
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

/// The documented name of a field.
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

/// Whether the service always sends a field.
macro_rules! always {
    () => {
        true
    };
    (sometimes) => {
        false
    };
}

pub(crate) use {always, name, record};
