//! Callbacks for diagnostics: problems in responses that do not prevent their delivery, which are drift and omitted records. A client
//! passes them to its callbacks when it delivers the records around them.

use std::fmt;
use std::rc::Rc;

use crate::decode::{BadRecord, Drift};

/// A callback for reports of type `T`. Clones call the same function.
pub struct Sink<T>(pub(super) Rc<dyn Fn(&T)>);

impl<T> Sink<T> {
    /// A sink that calls this function with each report.
    pub fn new(callback: impl Fn(&T) + 'static) -> Self {
        Self(Rc::new(callback))
    }
}

impl<T> Clone for Sink<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Sink<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sink")
    }
}

/// A callback for differences between responses and the API's documentation.
///
/// ```
/// use address_query::client::{ClientOptions, DriftSink};
///
/// let options = ClientOptions::new("https://eth.blockscout.com".parse()?)
///     .on_drift(DriftSink::new(|drift| println!("{}.{}: found {}", drift.record, drift.field, drift.found)));
/// # Ok::<(), address_query::error::Error>(())
/// ```
pub type DriftSink = Sink<Drift>;

/// A callback for records that are omitted because they are invalid.
///
/// ```
/// use address_query::client::{BadRecordSink, ClientOptions, DecodeOptions};
///
/// let options = ClientOptions::new("https://eth.blockscout.com".parse()?)
///     .decode_options(DecodeOptions::default().skip_bad_records(true))
///     .on_bad_record(BadRecordSink::new(|bad| println!("omitted: {}, found {}", bad.path, bad.found)));
/// # Ok::<(), address_query::error::Error>(())
/// ```
pub type BadRecordSink = Sink<BadRecord>;
