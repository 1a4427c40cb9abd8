//! Detects a response limit that the service does not state, and decides whether rows may be missing from a response.

use super::planner_state::Blocks;

/// How many of the requested rows a response has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    /// All of them.
    Complete,
    /// Unknown. The next response shows whether rows are missing.
    Unverified,
    /// As many as the service can return. More may follow.
    Full,
    /// The rows that have arrived so far. The response continues.
    Partial,
}

/// The maximum number of rows per response: the one that was requested, or a lower one that the service applies.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResponseLimit {
    /// Maximum number of rows that one request can return. A response with as many rows is *full*.
    page_limit: u64,
    pub(super) evidence: Evidence,
    /// The last response, if it was [`Completeness::Unverified`].
    pub(super) unverified: Option<ShortResponse>,
}

/// A response that may lack rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ShortResponse {
    pub(super) rows: u64,
    /// The blocks that were requested.
    pub(super) window: Blocks,
    /// In milliseconds since 1970.
    pub(super) received_at_ms: u64,
}

/// Evidence of a response limit, shared by the readers of a range.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Number of rows of the longest response.
    pub(super) longest: u64,
    /// Number of rows of the shortest response from which rows were missing although it was not full.
    pub(super) detected: Option<u64>,
    /// The blocks of responses that were considered complete, and can no longer be verified if a limit is detected.
    pub(super) assumed: Option<Blocks>,
}

impl Evidence {
    /// Adds blocks whose rows were considered complete.
    pub(super) fn add_assumed(&mut self, blocks: Blocks) {
        self.assumed = Some(self.assumed.map_or(blocks, |assumed| assumed.hull(blocks)));
    }

    fn add_cut(&mut self, rows: u64) {
        self.detected = Some(self.detected.map_or(rows, |detected| detected.min(rows)));
    }

    /// Adds the evidence of other responses.
    pub(super) fn merge(&mut self, other: Self) {
        self.longest = self.longest.max(other.longest);
        if let Some(rows) = other.detected {
            self.add_cut(rows);
        }
        if let Some(blocks) = other.assumed {
            self.add_assumed(blocks);
        }
    }
}

impl ResponseLimit {
    pub(super) const fn new(page_limit: u64) -> Self {
        Self { page_limit, evidence: Evidence { longest: 0, detected: None, assumed: None }, unverified: None }
    }

    pub(super) const fn page_limit(&self) -> u64 {
        self.page_limit
    }

    /// The lowest limit of the service, if one below the page limit was detected.
    pub(super) const fn detected(&self) -> Option<u64> {
        self.evidence.detected
    }

    /// This limit for other blocks, without a response to verify.
    pub(super) const fn verified(self) -> Self {
        Self { unverified: None, ..self }
    }

    /// Whether the next response will show if the last one was complete.
    pub(super) const fn is_unverified(&self) -> bool {
        self.unverified.is_some()
    }

    /// Sets the maximum number of rows per request.
    pub(super) const fn set_page_limit(&mut self, rows: u64) {
        self.page_limit = rows;
    }

    /// Records whether rows were missing from an unverified response: the rows after it existed when it was sent.
    pub(super) fn on_following_rows(&mut self, were_missing: bool) {
        if let Some(response) = self.unverified.take()
            && were_missing
        {
            self.evidence.add_cut(response.rows);
        }
    }

    /// Records whether rows were missing from a response of one block with this many rows.
    pub(super) fn on_probe(&mut self, rows: u64, were_missing: bool) {
        self.unverified = None;
        if were_missing {
            self.evidence.add_cut(rows);
        }
    }

    /// Records that rows are missing from a response with this many.
    pub(super) fn on_cut(&mut self, rows: u64) -> Completeness {
        self.on_probe(rows, true);
        Completeness::Full
    }

    /// Records a response, or a batch of it, with the rows so far. `has_blocks` is false if no row could be decoded. A shorter
    /// response than `min_rows` is complete, unless a limit was detected.
    pub(super) fn on_response(
        &mut self,
        response: ShortResponse,
        has_blocks: bool,
        is_end: bool,
        min_rows: u64,
    ) -> Completeness {
        let rows = response.rows;
        if is_end {
            self.evidence.longest = self.evidence.longest.max(rows);
        }
        let completeness = if !is_end {
            Completeness::Partial
        } else if rows >= self.detected().unwrap_or(self.page_limit) {
            Completeness::Full
        } else if has_blocks && (rows >= min_rows || self.detected().is_some()) {
            Completeness::Unverified
        } else {
            Completeness::Complete
        };
        self.unverified = Some(response).filter(|_| completeness == Completeness::Unverified);
        completeness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(limit: &mut ResponseLimit, rows: u64) -> Completeness {
        limit.on_response(ShortResponse { rows, ..ShortResponse::default() }, rows > 0, true, limit.evidence.longest)
    }

    #[test]
    fn only_responses_that_are_empty_or_shorter_than_another_are_complete() {
        let mut limit = ResponseLimit::new(10);
        assert_eq!(classify(&mut limit, 0), Completeness::Complete);
        assert_eq!(classify(&mut limit, 4), Completeness::Unverified);
        assert_eq!(classify(&mut limit, 4), Completeness::Unverified);
        assert_eq!(classify(&mut limit, 3), Completeness::Complete);
        assert_eq!(classify(&mut limit, 10), Completeness::Full);
        assert_eq!(classify(&mut limit, 9), Completeness::Complete);
        assert_eq!(
            limit.on_response(ShortResponse { rows: 9, ..ShortResponse::default() }, true, false, 0),
            Completeness::Partial
        );
    }

    #[test]
    fn rows_after_an_unverified_response_reveal_a_limit() {
        let mut limit = ResponseLimit::new(10);
        classify(&mut limit, 4);
        limit.on_following_rows(false);
        assert_eq!(limit.detected(), None);
        classify(&mut limit, 4);
        limit.on_following_rows(true);
        assert_eq!((limit.detected(), classify(&mut limit, 4)), (Some(4), Completeness::Full));
    }

    #[test]
    fn with_a_limit_every_response_with_rows_is_verified_and_the_lowest_limit_counts() {
        let mut limit = ResponseLimit::new(10);
        classify(&mut limit, 4);
        limit.on_following_rows(true);
        assert_eq!((classify(&mut limit, 7), limit.detected()), (Completeness::Full, Some(4)));
        assert_eq!(classify(&mut limit, 2), Completeness::Unverified);
        limit.on_following_rows(true);
        assert_eq!(limit.detected(), Some(2));
        assert_eq!(classify(&mut limit, 1), Completeness::Unverified);
        assert_eq!(classify(&mut limit, 0), Completeness::Complete);
    }

    #[test]
    fn a_limit_that_another_reader_has_detected_applies() {
        let mut limit = ResponseLimit::new(10);
        limit.evidence.merge(Evidence { longest: 8, detected: Some(3), ..Evidence::default() });
        assert_eq!(classify(&mut limit, 2), Completeness::Unverified);
        limit.evidence.merge(Evidence { longest: 5, ..Evidence::default() });
        assert_eq!((limit.evidence.longest, limit.detected()), (8, Some(3)));
    }

    #[test]
    fn rows_of_other_blocks_say_nothing_about_the_last_response() {
        let mut limit = ResponseLimit::new(10);
        classify(&mut limit, 4);
        let mut limit = limit.verified();
        limit.on_following_rows(true);
        assert_eq!((limit.evidence.longest, limit.detected()), (4, None));
    }

    #[test]
    fn a_probe_reveals_the_limit_of_a_response_with_one_block() {
        let mut limit = ResponseLimit::new(10);
        classify(&mut limit, 3);
        limit.on_probe(3, true);
        assert_eq!((limit.detected(), limit.is_unverified()), (Some(3), false));
        let mut limit = ResponseLimit::new(10);
        classify(&mut limit, 3);
        limit.on_probe(3, false);
        assert_eq!((limit.detected(), limit.is_unverified()), (None, false));
    }
}
