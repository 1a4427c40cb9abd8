//! [`DecoderState`]: what the decoder of a page passes on to the decoder of the next one. [`DecoderStatePool`] has the states of a client,
//! by the layout of responses. Calls borrow one while they decode, because without one, the first row alone takes a tenth of the decoding
//! time of a small page.

use std::cell::RefCell;
use std::rc::Rc;

use super::drift::DriftLog;
use super::layout::{DecodeOptions, Layout};
use super::shape_cache::ShapeCache;
use crate::record::Table;

/// The state that the decoder of a page passes on to the decoder of the next one, so that the first row is decoded quickly.
///
/// It contains the shapes of the records and the drift that was found. They belong together: drift that a shape contains
/// is not found again, but reported from the log.
#[derive(Debug, Default)]
pub struct DecoderState {
    pub(super) shapes: ShapeCache,
    pub(super) drift: DriftLog,
}

/// One [`DecoderState`] per layout and `keep_extra`.
#[derive(Debug, Clone, Default)]
pub(crate) struct DecoderStatePool(Rc<RefCell<Vec<Entry>>>);

type Entry = (CacheKey, Box<DecoderState>);

/// Identifies responses of the same shape. With `keep_extra` unknown fields are decoded too, so it is part of the key.
#[derive(Debug, Clone, Copy)]
struct CacheKey {
    row: &'static Table,
    envelope: &'static Table,
    keep_extra: bool,
}

impl CacheKey {
    fn new(layout: Layout, decode_options: DecodeOptions) -> Self {
        Self { row: layout.row, envelope: layout.envelope, keep_extra: decode_options.keep_extra }
    }

    fn matches(&self, other: &Self) -> bool {
        let has_same_tables = std::ptr::eq(self.row, other.row) && std::ptr::eq(self.envelope, other.envelope);
        has_same_tables && self.keep_extra == other.keep_extra
    }
}

impl DecoderStatePool {
    /// Removes the cache of a layout and returns it. Returns an empty one if there is none, or if a concurrent call holds it.
    pub(super) fn take(&self, layout: Layout, decode_options: DecodeOptions) -> DecoderState {
        let key = CacheKey::new(layout, decode_options);
        let mut entries = self.0.borrow_mut();
        let index = entries.iter().position(|(known, _)| known.matches(&key));
        index.map(|index| *entries.swap_remove(index).1).unwrap_or_default()
    }

    /// Puts a cache back. Replaces the cache that a concurrent call may have put back in the meantime.
    pub(super) fn put(&self, layout: Layout, decode_options: DecodeOptions, decoder_state: DecoderState) {
        let key = CacheKey::new(layout, decode_options);
        let mut entries = self.0.borrow_mut();
        entries.retain(|(known, _)| !known.matches(&key));
        entries.push((key, Box::new(decoder_state)));
    }
}
