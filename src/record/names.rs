//! The names of the fields of a record, as one string ([`Table::names`](super::Table::names)): checks and searches at
//! compile time.

/// Finds the index of the field with this documented name in [`Table::names`](super::Table::names). An unknown name fails the build.
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
pub(crate) const MAX_NAMES: usize = 4;

/// The maximum number of fields of a record.
pub(crate) const MAX_FIELDS: usize = 64;

/// Returns `names` unchanged, after checking that there are not too many fields, and not too many names of a field.
///
/// # Panics
/// At compile time, if there are more than [`MAX_FIELDS`] fields, or more than [`MAX_NAMES`] names of a field.
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub(crate) const fn check_names(names: &str) -> &str {
    let (bytes, mut at, mut fields, mut aliases) = (names.as_bytes(), 0, 1, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'|' => aliases += 1,
            b' ' => (fields, aliases) = (fields + 1, 0),
            _ => {}
        }
        assert!(aliases < MAX_NAMES, "a field has too many names");
        assert!(fields <= MAX_FIELDS, "a record has too many fields");
        at += 1;
    }
    names
}

/// Finds the pair for [`Table::derived_field`](super::Table::derived_field): a field with the documented name of another field among its older
/// names.
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub(crate) const fn find_derived_field(names: &str) -> Option<(usize, usize)> {
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

/// Finds a name in a list. An unknown name fails the build.
///
/// # Panics
/// At compile time, if the name is not in the list.
#[expect(clippy::panic, clippy::indexing_slicing, reason = "runs at compile time only")]
pub(crate) const fn find_name(names: &[&str], name: &str) -> usize {
    let mut at = 0;
    while at < names.len() {
        if find_documented_name(names[at].as_bytes(), name.as_bytes(), 0).is_some() {
            return at;
        }
        at += 1;
    }
    panic!("no field has this name")
}
