//! [`DecoderState`]: what the decoder of a page passes on to the decoder of the next one.

use super::drift::DriftLog;
use super::shape_cache::ShapeCache;

/// The state that the decoder of a page passes on to the decoder of the next one, so that the first row is decoded quickly.
///
/// It contains the shapes of the records and the drift that was found. They belong together: drift that a shape contains
/// is not found again, but reported from the log.
#[derive(Debug, Default)]
pub struct DecoderState {
    pub(super) shapes: ShapeCache,
    pub(super) drift: DriftLog,
}
