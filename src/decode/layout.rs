//! The structure of a response, and the options of the decoder.

use crate::builder::builder_methods;
use crate::record::Table;

/// The structure of a response.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The name of the member with the rows, and whether it may be null. `None` if the response has no rows.
    pub rows: Option<(&'static str, bool)>,
    /// Whether the response may also be only the list of rows: an array without the object around it.
    pub accepts_array: bool,
    /// Whether the response is any JSON value, which becomes the only field of the envelope.
    pub is_any_json: bool,
    /// The table of a row.
    pub row: &'static Table,
    /// The table of the envelope: the members beside the rows.
    pub envelope: &'static Table,
}

impl Layout {
    /// A page of a list of the REST API: rows in `items`.
    #[must_use]
    pub const fn list(row: &'static Table, envelope: &'static Table) -> Self {
        Self { rows: Some(("items", false)), accepts_array: false, is_any_json: false, row, envelope }
    }

    /// A response of the module/action API: rows in `result`, which is null if the request was refused.
    #[must_use]
    pub const fn rows(row: &'static Table, envelope: &'static Table) -> Self {
        Self { rows: Some(("result", true)), accepts_array: false, is_any_json: false, row, envelope }
    }

    /// A response that is one record.
    #[must_use]
    pub const fn record(envelope: &'static Table) -> Self {
        Self { rows: None, accepts_array: false, is_any_json: false, row: envelope, envelope }
    }

    /// A response that is any JSON value.
    #[must_use]
    pub const fn any_json(envelope: &'static Table) -> Self {
        Self { is_any_json: true, ..Self::record(envelope) }
    }
}

/// Options of the decoder.
///
/// ```
/// use address_query::client::DecodeOptions;
///
/// let options = DecodeOptions::default().skip_bad_records(true);
/// assert!(options.skip_bad_records && !options.keep_extra);
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct DecodeOptions {
    /// Whether records with an unreadable essential field are omitted and reported. Otherwise they fail the page.
    /// Default: false.
    pub skip_bad_records: bool,
    /// Whether unknown fields are kept. Default: false.
    pub keep_extra: bool,
}

impl DecodeOptions {
    builder_methods! { skip_bad_records: bool, keep_extra: bool, }
}
