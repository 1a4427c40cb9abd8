//! Detects a response limit that the service does not state, and decides whether rows may be missing from a response.

/// How many of the requested rows a response has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    /// All.
    Complete,
    /// Perhaps not all: it is the longest so far, but not full. The next response shows whether rows are missing.
    Unverified,
    /// As many as the service returns. More may follow.
    Full,
    /// Those that have arrived. The response continues.
    Partial,
}

/// The maximum number of rows per response: the one that was requested, or a lower one that the service applies.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResponseLimit {
    /// Maximum number of rows that one request can return. A response with as many rows is *full*.
    page_limit: u64,
    /// Number of rows of the longest response so far.
    longest: u64,
    /// The lower limit of the service, if it was detected.
    detected: Option<u64>,
    /// Whether the last response was [`Completeness::Unverified`].
    is_unverified: bool,
}

impl ResponseLimit {
    pub(super) const fn new(page_limit: u64) -> Self {
        Self { page_limit, longest: 0, detected: None, is_unverified: false }
    }

    pub(super) const fn page_limit(&self) -> u64 {
        self.page_limit
    }

    /// The limit of the service, if it is lower than the page limit. `None` while none was detected.
    pub(super) const fn detected(&self) -> Option<u64> {
        self.detected
    }

    /// This limit for other blocks, without a response to verify.
    pub(super) const fn verified(self) -> Self {
        Self { is_unverified: false, ..self }
    }

    /// Whether the next response shows if the last one was complete.
    pub(super) const fn is_unverified(&self) -> bool {
        self.is_unverified
    }

    /// Number of rows of the longest response so far.
    pub(super) const fn longest(&self) -> u64 {
        self.longest
    }

    /// Records that the service has returned a response with this many rows for other blocks.
    pub(super) fn on_other_response(&mut self, rows: u64) {
        if rows > self.longest {
            self.longest = rows;
            self.detected = None;
        }
    }

    /// Records whether rows were missing from an unverified response: the rows after it existed when it was sent.
    pub(super) fn on_following_rows(&mut self, were_missing: bool) {
        if std::mem::take(&mut self.is_unverified) && were_missing {
            self.detected = Some(self.longest);
        }
    }

    /// Records whether rows were missing from a response of one block with this many rows.
    pub(super) fn on_probe(&mut self, rows: u64, were_missing: bool) {
        self.is_unverified = false;
        if were_missing {
            self.longest = self.longest.max(rows);
            self.detected = Some(rows);
        }
    }

    /// Records a response, or a batch of it, with this many rows so far. `has_blocks` is false if no row could be decoded.
    pub(super) fn on_response(&mut self, rows: u64, has_blocks: bool, is_end: bool) -> Completeness {
        let longest_before = self.longest;
        if is_end {
            self.on_other_response(rows);
        }
        let completeness = if !is_end {
            Completeness::Partial
        } else if rows >= self.detected.unwrap_or(self.page_limit) {
            Completeness::Full
        } else if has_blocks && rows >= longest_before {
            Completeness::Unverified
        } else {
            Completeness::Complete
        };
        self.is_unverified = completeness == Completeness::Unverified;
        completeness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(limit: &mut ResponseLimit, rows: u64) -> Completeness {
        limit.on_response(rows, rows > 0, true)
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
        assert_eq!(limit.on_response(9, true, false), Completeness::Partial);
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
        // A complete response says nothing about a limit.
        classify(&mut limit, 2);
        limit.on_following_rows(true);
        assert_eq!(limit.detected(), Some(4));
        // A longer response refutes it.
        assert_eq!((classify(&mut limit, 5), limit.detected()), (Completeness::Unverified, None));
    }

    #[test]
    fn rows_of_other_blocks_say_nothing_about_the_last_response() {
        let mut limit = ResponseLimit::new(10);
        classify(&mut limit, 4);
        let mut limit = limit.verified();
        limit.on_following_rows(true);
        assert_eq!((limit.longest(), limit.detected()), (4, None));
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
