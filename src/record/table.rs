//! The [`Table`] of a record: its declaration, as data that the decoder and the generator read.

use super::{Format, Variants};

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A string in a format.
    String(Format),
    /// An integer that JavaScript numbers hold exactly.
    Integer,
    /// An integer of at least 0 that JavaScript numbers hold exactly.
    Unsigned,
    /// Any JSON number, passed on unchanged.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Any JSON value, passed on unchanged.
    Json,
    /// A JSON object with any members, passed on unchanged. A string that contains such an object is parsed.
    JsonObject,
    /// A nested record.
    Record(&'static Table),
    /// A list. A missing list is empty.
    List(&'static ValueType),
}

/// The type of a value: of a field, or of the elements of a list.
#[derive(Debug, Clone, Copy)]
pub struct ValueType {
    /// The kind of the value.
    pub kind: Kind,
    /// Whether the value can be null.
    pub nullable: bool,
}

/// A field of a record.
#[derive(Debug)]
pub struct Field {
    /// The type of its value.
    pub value_type: ValueType,
    /// Whether the service always sends the field. If so, its absence is reported as [drift](crate::decode::Drift).
    pub always_sent: bool,
    /// Whether the field identifies the record, places it, or says what moved. If it cannot be read, the record fails. Every other
    /// field is an ornament: if it cannot be read, it becomes null, or an empty list, and is reported as drift.
    pub is_essential: bool,
}

/// The marks of declarations.
impl Field {
    /// A field without marks.
    pub(crate) const fn new(value_type: ValueType) -> Self {
        Self { value_type, always_sent: true, is_essential: false }
    }

    /// Clears [`always_sent`](Self::always_sent).
    pub(crate) const fn sometimes(mut self) -> Self {
        self.always_sent = false;
        self
    }

    /// Sets [`is_essential`](Self::is_essential).
    pub(crate) const fn essential(mut self) -> Self {
        self.is_essential = true;
        self
    }
}

/// The maximum number of essential fields of a record.
const MAX_ESSENTIAL: usize = 8;

/// Returns the fields unchanged, after checking their marks.
///
/// # Panics
/// At compile time, if an ornament cannot be null, or if more than [`MAX_ESSENTIAL`] fields are essential.
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub(crate) const fn check_fields<const N: usize>(fields: [Field; N]) -> [Field; N] {
    let (mut at, mut essential) = (0, 0);
    while at < N {
        essential += fields[at].is_essential as usize;
        assert!(
            fields[at].is_essential || fields[at].value_type.accepts_null(),
            "mark the field @essential, or make it an Option"
        );
        at += 1;
    }
    assert!(essential <= MAX_ESSENTIAL, "too many fields are essential");
    fields
}

/// The declaration of a record, as data. There is exactly one per record, so its address identifies the record.
#[derive(Debug)]
pub struct Table {
    /// The name of the record in Rust and TypeScript.
    pub name: &'static str,
    /// The index of the record among all records. It identifies the record on the JavaScript side.
    pub number: u32,
    /// The names of the fields, such as `first_field|older_name second_field`. A space separates the fields. A bar
    /// separates the names of a field: the documented one, then the names in other service versions, preferred first.
    ///
    /// This is one string, because a slice with a string per field takes 260 bytes more of the compressed package.
    pub names: &'static str,
    /// The fields, in declaration order.
    pub fields: &'static [Field],
    /// The fields that repeat members of the first element of a list.
    pub flattened: Option<Flattened>,
    /// The indices of a source field and of the field derived from it, which has the same value in another format.
    /// The documented name of the source field is one of the older names of the derived field.
    pub derived_field: Option<(usize, usize)>,
    /// Members that only other kinds of records have, with what those are. Old service versions mix them into lists:
    /// they are always omitted.
    pub except: &'static [(&'static str, &'static str)],
    /// The kinds of the record, if it has several.
    pub variants: Option<Variants>,
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

/// A field, and which of its names was used. Rank 0 is the preferred name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldName {
    /// The index of the field.
    pub field: usize,
    /// The index of the name among the names of the field.
    pub rank: u8,
}

impl Table {
    /// A name of a field. Rank 0 is the documented one. The names in other service versions follow, preferred first.
    #[must_use]
    pub(crate) fn find_name(&self, field: usize, rank: usize) -> Option<&'static str> {
        let names = nth_part(self.names.as_bytes(), b' ', field)?;
        std::str::from_utf8(nth_part(names, b'|', rank)?).ok()
    }

    /// The names of a field, preferred first.
    pub fn field_names(&self, field: usize) -> impl Iterator<Item = &'static str> {
        (0..).map_while(move |rank| self.find_name(field, rank))
    }

    /// Whether the record fails if this field cannot be read.
    pub(crate) fn is_essential(&self, field: usize) -> bool {
        self.fields.get(field).is_some_and(|field| field.is_essential)
    }

    /// Whether the record is an address: its first field is an address hash. Some responses have only the hash instead of the object.
    pub(crate) fn is_address(&self) -> bool {
        let first = self.fields.first().map(|field| field.value_type.kind);
        matches!(first, Some(Kind::String(Format::Address)))
    }

    /// The documented name of a field.
    #[must_use]
    pub fn field_name(&self, field: usize) -> &'static str {
        self.find_name(field, 0).unwrap_or_default()
    }

    /// Finds the field with this name.
    #[must_use]
    pub fn find_field(&self, name: &[u8]) -> Option<FieldName> {
        for (names, field) in self.names.as_bytes().split(|byte| *byte == b' ').zip(0..self.fields.len()) {
            for (known, rank) in names.split(|byte| *byte == b'|').zip(0..) {
                if known == name {
                    return Some(FieldName { field, rank });
                }
            }
        }
        None
    }
}

/// A part of a list of names.
fn nth_part(names: &'static [u8], separator: u8, index: usize) -> Option<&'static [u8]> {
    names.split(|byte| *byte == separator).nth(index)
}
