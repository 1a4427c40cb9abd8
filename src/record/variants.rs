//! [`Variants`]: the kinds of a record, and the fields that each has.

/// The kinds of a record. One field holds the kind, which determines the nullable fields that are set.
#[derive(Debug)]
pub struct Variants {
    /// The index of the field with the kind, a string.
    pub field: usize,
    /// The kinds, each with the indices of the fields that are not null. Other kinds require no field.
    pub cases: &'static [(&'static [&'static str], &'static [usize])],
}

impl Variants {
    /// Returns the first field that a record of this kind lacks. `is_null` is whether a field is null.
    pub(crate) fn find_missing(&self, kind: &[u8], is_null: impl Fn(usize) -> bool) -> Option<usize> {
        let (_, needed) = self.cases.iter().find(|(kinds, _)| kinds.iter().any(|known| known.as_bytes() == kind))?;
        needed.iter().copied().find(|field| is_null(*field))
    }
}

/// The error for a field that the kind of the record requires.
pub(crate) const EXPECTED_BY_KIND: &str = "a value, because of the type of the record";
