//! The rule of flattened fields ([`Flattened`](super::Flattened)) for structs. For frames, it is in `src/decode`.

/// A member of a list element that a flattened field of type `Option<T>` repeats: a `T` or an `Option<T>`.
pub(crate) trait FlattenedMember<T>: Sized {
    /// The value for the field.
    fn into_field(self) -> Option<T>;
    /// The value of the member. `None` if the member is required, and the field is null.
    fn from_field(field: Option<T>) -> Option<Self>;
}

impl<T> FlattenedMember<T> for T {
    fn into_field(self) -> Option<T> {
        Some(self)
    }
    fn from_field(field: Option<T>) -> Option<T> {
        field
    }
}

impl<T> FlattenedMember<T> for Option<T> {
    fn into_field(self) -> Option<T> {
        self
    }
    fn from_field(field: Option<T>) -> Option<Option<T>> {
        Some(field)
    }
}
