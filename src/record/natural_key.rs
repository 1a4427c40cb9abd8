//! Natural keys: the fields that identify a record, for databases and user interfaces.

/// The natural key of a record. The generator creates the JavaScript function `keyOf` from it; WebAssembly does not contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NaturalKey {
    /// The key, with the paths of fields in braces: `log:{block_hash}:{index}`. A path after a bar is used if the path
    /// before it is null. `None` for records without a key: two equal ones may be different things.
    pub template: Option<&'static str>,
    /// Documentation: the limits of the key's uniqueness within a chain.
    pub remarks: &'static str,
}

impl NaturalKey {
    /// The start of the key. Records about the same thing, such as an address, share it.
    #[must_use]
    pub fn prefix(&self) -> &'static str {
        self.template.and_then(|template| template.split(':').next()).unwrap_or_default()
    }

    /// The fields in the key, each as a list of paths: the first that is not null is used.
    pub fn fields(&self) -> impl Iterator<Item = Vec<&'static str>> {
        let parts = self.template.unwrap_or_default().split(':').skip(1);
        parts.map(|part| part.trim_matches(['{', '}']).split('|').collect())
    }
}
