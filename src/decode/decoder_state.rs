//! [`DecoderState`]: what the decoder of a page passes on to the decoder of the next one. [`DecoderStatePool`] has the states of a client,
//! by the layout of responses. Calls borrow one while they decode, because without one, the first row alone takes a tenth of the decoding
//! time of a small page.

use std::cell::RefCell;
use std::ptr;
use std::rc::Rc;

use super::drift::DriftLog;
use super::layout::{DecodeOptions, Layout};
use super::shape_cache::ShapeCache;

/// The state that the decoder of a page passes on to the decoder of the next one, so that the first row is decoded quickly.
///
/// It contains the shapes of the records and the drift that was found. They belong together: drift that a shape contains
/// is not found again, but reported from the log.
#[derive(Debug, Default)]
pub(super) struct DecoderState {
    pub(super) shapes: ShapeCache,
    pub(super) drift: DriftLog,
}

/// One [`DecoderState`] per layout and `keep_extra`. With `keep_extra` unknown fields are decoded too.
#[derive(Debug, Clone, Default)]
pub(crate) struct DecoderStatePool(Rc<RefCell<Vec<Entry>>>);

type Entry = (Layout, bool, Box<DecoderState>);

impl DecoderStatePool {
    /// Removes the state of a layout and returns it. Returns a new one if there is none, or if a concurrent call holds it.
    pub(super) fn take(&self, layout: Layout, decode_options: DecodeOptions) -> DecoderState {
        let mut entries = self.0.borrow_mut();
        let index = entries.iter().position(|(known, keep_extra, _)| {
            let has_same_tables = ptr::eq(known.row, layout.row) && ptr::eq(known.envelope, layout.envelope);
            has_same_tables && *keep_extra == decode_options.keep_extra
        });
        index.map(|index| *entries.swap_remove(index).2).unwrap_or_default()
    }

    /// Puts a state back. Replaces the one that a concurrent call may have put back in the meantime.
    pub(super) fn put(&self, layout: Layout, decode_options: DecodeOptions, decoder_state: DecoderState) {
        drop(self.take(layout, decode_options));
        self.0.borrow_mut().push((layout, decode_options.keep_extra, Box::new(decoder_state)));
    }
}
