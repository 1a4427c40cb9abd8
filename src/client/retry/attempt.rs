//! One attempt of a call: takes the parts of a response and the time, decodes the body, and enforces the timeout and the size limit. It
//! performs no I/O and has no clock: `super` passes both in.

use super::policy::RetryPolicy;
use super::response_error;
use crate::client::runtime::{Headers, find_header, has_challenge};
use crate::client::transport::HEAD_BYTES;
use crate::decode::{DecodeError, FrameDecoder, FramePage, convert_response};
use crate::endpoint::Query;
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::{ELLIPSIS, format_u64, parse_u64};

/// When a call has waited too long, in milliseconds since 1970. Only time spent waiting counts.
#[derive(Debug)]
pub(super) struct TimeLimits {
    /// The end of the call.
    pub(super) deadline: u64,
    /// The end of the attempt. None until the request is sent.
    pub(super) timeout: Option<u64>,
    /// When the clock stopped, because the caller handles a batch.
    pub(super) paused_at: u64,
}

impl TimeLimits {
    /// Starts the timeout, unless it has started. The request is sent.
    pub(super) fn start_timeout(&mut self, now: u64, timeout_ms: u64) {
        self.timeout.get_or_insert(now.saturating_add(timeout_ms));
    }

    /// Starts the clock again.
    pub(super) fn resume(&mut self, now: u64) {
        let paused_ms = now.saturating_sub(self.paused_at);
        self.deadline = self.deadline.saturating_add(paused_ms);
        self.timeout = self.timeout.map(|timeout| timeout.saturating_add(paused_ms));
    }

    /// How long the call may still wait, in milliseconds.
    pub(super) fn time_left_ms(&self, now: u64) -> u64 {
        self.timeout.map_or(self.deadline, |timeout| timeout.min(self.deadline)).saturating_sub(now)
    }
}

/// The state of an attempt.
#[derive(Debug)]
pub(super) struct Attempt {
    /// Its number, starting at 1.
    pub(super) number: u32,
    pub(super) policy: RetryPolicy,
    pub(super) max_response_bytes: usize,
    /// Whether the client has an API key.
    pub(super) has_key: bool,
    /// Status and headers, if the status is a failure or the response is a challenge.
    pub(super) failed_status: Option<(u16, Headers)>,
    /// The beginning of the body.
    pub(super) head: Vec<u8>,
    /// Number of bytes read.
    pub(super) bytes_read: usize,
    /// The query and the body so far, for GraphQL.
    pub(super) query_body: Option<(&'static Query, Vec<u8>)>,
}

impl Attempt {
    /// Handles the status and the headers.
    ///
    /// # Errors
    /// A body above the size limit. A failing status becomes an error only at the end of the body, which has the
    /// message.
    pub(super) fn on_head(&mut self, status: u16, headers: &Headers) -> Result<(), Error> {
        if !(200..300).contains(&status) || has_challenge(headers) {
            self.failed_status = Some((status, headers.clone()));
            return Ok(());
        }
        // It may be the length of the compressed body, which is never longer.
        let length = find_header(headers, "content-length").and_then(parse_u64);
        if length > Some(self.max_response_bytes as u64) { Err(self.too_large_error()) } else { Ok(()) }
    }

    /// Decodes a chunk of the body. Returns a batch of rows if one is complete.
    ///
    /// # Errors
    /// A failing status, a body above the size limit, or one that cannot be decoded.
    pub(super) fn on_chunk(
        &mut self,
        bytes: Vec<u8>,
        decoder: &mut FrameDecoder,
        now: u64,
    ) -> Result<Option<Box<FramePage>>, Error> {
        // Error messages need the beginning of the body.
        let room = HEAD_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
        if self.failed_status.is_some() {
            let error = self.status_error(now).filter(|_| self.head.len() >= HEAD_BYTES);
            return error.map_or(Ok(None), Err);
        }
        self.bytes_read += bytes.len();
        if self.bytes_read > self.max_response_bytes {
            return Err(self.too_large_error());
        }
        if let Some((_, body)) = &mut self.query_body {
            body.extend_from_slice(&bytes);
            return Ok(None);
        }
        decoder.feed(bytes).map_err(|error| self.decode_error(&error))?;
        Ok(decoder.take_grouped_batch())
    }

    /// Returns the page, or the rest of it, at the end of the body.
    ///
    /// # Errors
    /// A failing status, or a body that cannot be decoded.
    pub(super) fn on_end(&mut self, decoder: &mut FrameDecoder, now: u64) -> Result<Box<FramePage>, Error> {
        self.status_error(now).map_or(Ok(()), Err)?;
        if let Some((query, body)) = self.query_body.take() {
            let page = convert_response(&body, &query.layout)
                .map_err(|failure| response_error::query_error(failure, &self.head, self.has_key))?;
            decoder.feed(page).map_err(|error| self.decode_error(&error))?;
        }
        decoder.finish().map_err(|error| self.decode_error(&error))
    }

    /// The error for a body that breaks off with this error.
    pub(super) fn on_failure(&mut self, error: Error, now: u64) -> Error {
        self.truncated_status_error(now).unwrap_or(error)
    }

    fn decode_error(&self, error: &DecodeError) -> Error {
        response_error::decode_error(error, &self.head, self.has_key)
    }

    /// The error when no time is left.
    pub(super) fn on_timeout(&mut self, limits: &TimeLimits, now: u64) -> Error {
        self.truncated_status_error(now).unwrap_or_else(|| self.timeout_error(limits))
    }

    /// The error for a failing status.
    fn status_error(&self, now: u64) -> Option<Error> {
        let (status, headers) = self.failed_status.as_ref()?;
        Some(response_error::http_status_error(*status, headers, &self.head, now, self.has_key))
    }

    /// The error for a failing status with a truncated body: the status is more informative than the truncation.
    fn truncated_status_error(&mut self, now: u64) -> Option<Error> {
        self.head.extend_from_slice(ELLIPSIS.as_bytes());
        self.status_error(now)
    }

    fn timeout_error(&self, limits: &TimeLimits) -> Error {
        let Some(timeout) = limits.timeout else { return self.unsent_error() };
        let (limit, option) = if limits.deadline <= timeout {
            (self.policy.deadline_ms, option_name!(deadline_ms))
        } else {
            (self.policy.timeout_ms, option_name!(timeout_ms))
        };
        let message =
            ["no complete response within ", &*format_u64(limit), " ms; try again or raise ", option].concat();
        Error::new(ErrorCode::Timeout, message)
    }

    /// The error if the deadline passes before the request is sent.
    fn unsent_error(&self) -> Error {
        let what = if self.number == 1 { "request" } else { "retry" };
        let message = [
            "the ",
            what,
            " was not sent within ",
            &*format_u64(self.policy.deadline_ms),
            concat!(
                " ms, because it waited for the rate limit, earlier requests or the API key; try again or raise ",
                option_name!(deadline_ms)
            ),
        ];
        let mut error = Error::new(ErrorCode::Timeout, message.concat());
        error.attempts = Some(self.number - 1);
        error
    }

    fn too_large_error(&self) -> Error {
        let limit = format_u64(self.max_response_bytes as u64);
        let message = [
            "the response is larger than ",
            &*limit,
            concat!(" bytes; narrow the query or raise ", option_name!(max_response_bytes)),
        ]
        .concat();
        Error::new(ErrorCode::Decode, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{DecodeOptions, Layout};
    use crate::record::Record;
    use crate::types::{Balance, RowsEnvelope};

    const POLICY: RetryPolicy = RetryPolicy {
        timeout_ms: 100,
        deadline_ms: 250,
        max_attempts: Some(1),
        max_wait_ms: 0,
        retry_slow_requests: true,
    };

    const HEAD: &str = r#"{"message":"OK","result":["#;
    const END: &str = "]}";

    /// A row of a block.
    fn row(account: u8) -> String {
        format!(r#"{{"account":"0x{account:040}","balance":"1","stale":false}},"#)
    }

    /// Decodes rows. Each account after the first completes a batch.
    fn new_decoder() -> FrameDecoder {
        let layout = Layout::rows(Balance::TABLE, RowsEnvelope::TABLE);
        FrameDecoder::new(layout, DecodeOptions::default()).with_batches_grouped_by(0)
    }

    fn new_attempt() -> Attempt {
        Attempt {
            number: 1,
            policy: POLICY,
            max_response_bytes: 400,
            has_key: false,
            failed_status: None,
            head: Vec::new(),
            bytes_read: 0,
            query_body: None,
        }
    }

    const LIMITS: TimeLimits = TimeLimits { deadline: 250, timeout: None, paused_at: 0 };

    /// How a body ends.
    #[derive(Clone, Copy)]
    enum End {
        Complete,
        Broken,
        Arriving,
    }

    /// Passes a response to the attempt. Returns the number of rows in each delivered page, and how the response ends.
    fn run(attempt: &mut Attempt, status: u16, chunks: &[&str], end: End) -> (Vec<usize>, Result<bool, Error>) {
        let (mut decoder, mut pages) = (new_decoder(), Vec::new());
        decoder.begin();
        let mut read = || {
            attempt.on_head(status, &vec![("retry-after", "3".into())])?;
            for chunk in chunks {
                pages.extend(attempt.on_chunk((*chunk).into(), &mut decoder, 0)?.map(|page| page.rows.len()));
            }
            match end {
                End::Complete => pages.push(attempt.on_end(&mut decoder, 0)?.rows.len()),
                End::Broken => return Err(attempt.on_failure(Error::new(ErrorCode::Network, "reset"), 0)),
                End::Arriving => return Ok(false),
            }
            Ok(true)
        };
        let end = read();
        (pages, end)
    }

    #[test]
    fn delivers_batches_and_the_rest_at_the_end() {
        let mut attempt = new_attempt();
        let (first, last) = ([HEAD, &row(1), &row(2)].concat(), row(3).replace("},", "}") + END);
        let (pages, end) = run(&mut attempt, 200, &[&first, &last], End::Complete);
        // The second page repeats the row of the last account.
        assert_eq!((pages, end), (vec![2, 2], Ok(true)));
        assert_eq!(attempt.head, [&*first, &*last].concat().as_bytes());
    }

    #[test]
    fn failing_status_has_the_message_of_the_body_even_if_it_breaks_off() {
        let error = |end| run(&mut new_attempt(), 503, &[r#"{"message":"busy"}"#], end).1.unwrap_err();
        for error in [error(End::Complete), error(End::Broken)] {
            assert_eq!((error.status, error.retry_after_ms), (Some(503), Some(3000)));
            assert!(error.message.contains("busy"), "{error}");
        }
        let mut attempt = new_attempt();
        run(&mut attempt, 503, &[], End::Arriving).1.unwrap();
        assert_eq!(attempt.on_timeout(&LIMITS, 100).status, Some(503));
    }

    #[test]
    fn long_body_of_a_failing_status_is_not_read_to_its_end() {
        let half = &*"x".repeat(HEAD_BYTES / 2);
        assert_eq!(run(&mut new_attempt(), 502, &[half], End::Arriving).1, Ok(false));
        assert_eq!(run(&mut new_attempt(), 502, &[half, half], End::Arriving).1.unwrap_err().status, Some(502));
    }

    #[test]
    fn body_above_the_limit_is_rejected_by_its_length_or_while_it_arrives() {
        let state_length = |length: &str| new_attempt().on_head(200, &vec![("content-length", length.into())]);
        let body = [HEAD, END].concat();
        let rest = &*" ".repeat(400 - body.len());
        let too_long = run(&mut new_attempt(), 200, &[&body, rest, " "], End::Arriving).1;
        for error in [state_length(" 401").unwrap_err(), too_long.unwrap_err()] {
            assert!(error.message.starts_with("the response is larger than 400 bytes"), "{error}");
        }
        state_length("400").unwrap();
        assert_eq!(run(&mut new_attempt(), 200, &[&body, rest], End::Complete).1, Ok(true));
    }

    #[test]
    fn truncated_body_and_lost_connection_are_errors() {
        let error = run(&mut new_attempt(), 200, &[], End::Complete).1.unwrap_err();
        assert_eq!((error.code, error.is_transient), (ErrorCode::Decode, true));
        assert_eq!(run(&mut new_attempt(), 200, &[], End::Broken).1.unwrap_err().code, ErrorCode::Network);
    }

    #[test]
    fn timeout_counts_from_sending_and_only_while_the_call_waits() {
        let (mut attempt, mut limits) = (new_attempt(), LIMITS);
        assert_eq!(limits.time_left_ms(0), 250);
        let error = attempt.on_timeout(&limits, 250);
        assert!(error.message.starts_with("the request was not sent within 250 ms"), "{error}");
        assert_eq!(error.attempts, Some(0));
        limits.start_timeout(120, 100);
        assert_eq!(limits.time_left_ms(120), 100);
        limits.paused_at = 150;
        limits.resume(9_000);
        assert_eq!(limits.time_left_ms(9_000), 70);
        limits.start_timeout(9_010, 100);
        assert_eq!(limits.time_left_ms(9_010), 60, "it has started");
        assert!(attempt.on_timeout(&limits, 9_070).message.contains("within 100 ms; try again or raise timeout_ms"));
        let mut limits = LIMITS;
        limits.start_timeout(160, 100);
        assert_eq!(limits.time_left_ms(160), 90);
        assert!(attempt.on_timeout(&limits, 250).message.contains("within 250 ms; try again or raise deadline_ms"));
    }
}
