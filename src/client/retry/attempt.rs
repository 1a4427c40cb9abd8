//! One attempt of a call: takes the events of an exchange and the time, decodes the body, and enforces the timeout and the size
//! limit. It performs no I/O and has no clock: `super` passes both in.

use super::policy::RetryPolicy;
use super::response_error;
use crate::client::runtime::{Headers, find_header, has_challenge};
use crate::client::transport::ExchangeEvent;
use crate::decode::{DecodeError, FrameDecoder, FramePage, convert_response};
use crate::endpoint::Query;
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::{ELLIPSIS, format_u64, parse_u64};

/// Size of the beginning of a body that is kept for error messages, in bytes.
const HEAD_BYTES: usize = 4096;

/// The state of an attempt.
#[derive(Debug)]
pub(super) struct Attempt {
    /// Its number, starting at 1.
    pub(super) number: u32,
    policy: RetryPolicy,
    max_response_bytes: usize,
    /// Whether the client has an API key.
    has_key: bool,
    /// Time left for this attempt, in milliseconds. Only time in which the call waits for events counts. None until the
    /// request is sent.
    timeout_left_ms: Option<u64>,
    /// Time left for the call, in milliseconds, counted in the same way.
    deadline_left_ms: u64,
    /// When the call began to wait.
    waiting_since: u64,
    /// Status and headers, if the response is a failure by its status or a challenge.
    failed_status: Option<(u16, Headers)>,
    /// The beginning of the body.
    head: Vec<u8>,
    /// Number of bytes read.
    bytes_read: usize,
    /// The query and the body so far, if the response is that of a GraphQL query.
    query_body: Option<(&'static Query, Vec<u8>)>,
}

/// What an event means for an attempt.
#[derive(Debug)]
pub(super) enum Progress {
    /// The attempt needs more events.
    Pending,
    /// The timeout starts now. Until then only the deadline counts.
    TimeoutStarted,
    /// A batch of rows is complete, and the response continues.
    Batch(Box<FramePage>),
    /// The response has ended.
    Complete(Box<FramePage>),
}

impl Attempt {
    /// Creates attempt `number` of a call that may take `time_left_ms` more. With `query` it converts the response before it is
    /// decoded.
    pub(super) fn new(
        number: u32,
        policy: RetryPolicy,
        max_response_bytes: usize,
        has_key: bool,
        time_left_ms: u64,
        query: Option<&'static Query>,
    ) -> Self {
        Self {
            number,
            policy,
            max_response_bytes,
            has_key,
            timeout_left_ms: None,
            deadline_left_ms: time_left_ms,
            waiting_since: 0,
            failed_status: None,
            head: Vec::new(),
            bytes_read: 0,
            query_body: query.map(|query| (query, Vec::new())),
        }
    }

    /// Starts the clock: the call waits for events from now on.
    pub(super) const fn resume(&mut self, now: u64) {
        self.waiting_since = now;
    }

    /// Stops the clock while the caller handles a batch.
    pub(super) const fn pause(&mut self, now: u64) {
        let waited = now.saturating_sub(self.waiting_since);
        if let Some(left) = &mut self.timeout_left_ms {
            *left = left.saturating_sub(waited);
        }
        self.deadline_left_ms = self.deadline_left_ms.saturating_sub(waited);
    }

    /// How long the call may wait for events, in milliseconds, counted from [`resume`](Self::resume) or
    /// [`Progress::TimeoutStarted`].
    pub(super) fn time_left_ms(&self) -> u64 {
        self.timeout_left_ms.map_or(self.deadline_left_ms, |left| left.min(self.deadline_left_ms))
    }

    /// The part of [`time_left_ms`](Self::time_left_ms) that is left now.
    pub(super) fn time_left_at(&self, now: u64) -> u64 {
        self.time_left_ms().saturating_sub(now.saturating_sub(self.waiting_since))
    }

    /// The beginning of the body.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Handles an event of the exchange.
    ///
    /// # Errors
    /// A failing status, a failure of the request, a body above the size limit, or one that cannot be decoded.
    pub(super) fn on_event(
        &mut self,
        event: ExchangeEvent,
        decoder: &mut FrameDecoder,
        now: u64,
    ) -> Result<Progress, Error> {
        match event {
            ExchangeEvent::Sent => {
                decoder.begin();
                self.pause(now);
                self.resume(now);
                self.timeout_left_ms = Some(self.policy.timeout_ms);
                Ok(Progress::TimeoutStarted)
            }
            ExchangeEvent::Head(status, headers) => {
                if !(200..300).contains(&status) || has_challenge(&headers) {
                    self.failed_status = Some((status, headers));
                } else if exceeds_limit(&headers, self.max_response_bytes) {
                    return Err(self.too_large_error());
                }
                Ok(Progress::Pending)
            }
            ExchangeEvent::Chunk(bytes) => {
                if !self.accept_chunk(&bytes, now)? {
                    return Ok(Progress::Pending);
                }
                decoder.feed(bytes).map_err(|error| self.decode_error(&error))?;
                Ok(decoder.take_batch().map_or(Progress::Pending, Progress::Batch))
            }
            ExchangeEvent::End => {
                self.status_error(now).map_or(Ok(()), Err)?;
                if let Some((query, body)) = self.query_body.take() {
                    let page = convert_response(&body, &query.layout)
                        .map_err(|failure| response_error::query_error(failure, &self.head, self.has_key))?;
                    decoder.feed(page).map_err(|error| self.decode_error(&error))?;
                }
                decoder.finish().map(Progress::Complete).map_err(|error| self.decode_error(&error))
            }
            ExchangeEvent::Failed(error) => Err(self.truncated_status_error(now).unwrap_or(error)),
        }
    }

    /// Copies what error messages and queries need of a chunk. Returns whether it is to be decoded as it is.
    fn accept_chunk(&mut self, bytes: &[u8], now: u64) -> Result<bool, Error> {
        let room = HEAD_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
        if self.failed_status.is_some() {
            // The beginning of the body is enough for the error.
            let error = self.status_error(now).filter(|_| self.head.len() >= HEAD_BYTES);
            return error.map_or(Ok(false), Err);
        }
        self.bytes_read += bytes.len();
        if self.bytes_read > self.max_response_bytes {
            return Err(self.too_large_error());
        }
        if let Some((_, body)) = &mut self.query_body {
            body.extend_from_slice(bytes);
            return Ok(false);
        }
        Ok(true)
    }

    fn decode_error(&self, error: &DecodeError) -> Error {
        response_error::decode_error(error, &self.head, self.has_key)
    }

    /// The error when no time is left.
    pub(super) fn on_timeout(&mut self, now: u64) -> Error {
        self.truncated_status_error(now).unwrap_or_else(|| self.timeout_error())
    }

    /// The error for a failing status.
    fn status_error(&self, now: u64) -> Option<Error> {
        let (status, headers) = self.failed_status.as_ref()?;
        Some(response_error::http_status_error(*status, headers, &self.head, now, self.has_key))
    }

    /// The error for a failing status whose body is truncated: the status says more than the truncation.
    fn truncated_status_error(&mut self, now: u64) -> Option<Error> {
        self.head.extend_from_slice(ELLIPSIS.as_bytes());
        self.status_error(now)
    }

    fn timeout_error(&self) -> Error {
        let Some(timeout_left_ms) = self.timeout_left_ms else { return self.unsent_error() };
        let (limit, option) = if self.deadline_left_ms <= timeout_left_ms {
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

/// Whether `Content-Length` exceeds the limit. It may be the length of the compressed body, which is never longer.
fn exceeds_limit(headers: &Headers, limit: usize) -> bool {
    find_header(headers, "content-length").and_then(parse_u64).is_some_and(|length| length > limit as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{DecodeOptions, Layout};
    use crate::record::Record;
    use crate::types::{Balance, RowsEnvelope};

    const POLICY: RetryPolicy =
        RetryPolicy { timeout_ms: 100, deadline_ms: 250, max_attempts: 1, max_wait_ms: 0, retry_slow_requests: true };

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
        let mut attempt = Attempt::new(1, POLICY, 400, false, 250, None);
        attempt.resume(0);
        attempt
    }

    fn head(status: u16) -> ExchangeEvent {
        ExchangeEvent::Head(status, vec![("retry-after", "3".into())])
    }

    fn chunk(body: &str) -> ExchangeEvent {
        ExchangeEvent::Chunk(body.into())
    }

    fn failed() -> ExchangeEvent {
        ExchangeEvent::Failed(Error::new(ErrorCode::Network, "reset"))
    }

    /// Passes the events to the attempt. Returns the number of rows in each page that it delivers, and how it ends.
    fn run(
        attempt: &mut Attempt,
        events: impl IntoIterator<Item = ExchangeEvent>,
    ) -> (Vec<usize>, Result<bool, Error>) {
        let (mut decoder, mut pages) = (new_decoder(), Vec::new());
        decoder.begin();
        for event in events {
            match attempt.on_event(event, &mut decoder, 0) {
                Ok(Progress::Pending | Progress::TimeoutStarted) => {}
                Ok(Progress::Batch(page)) => pages.push(page.rows.len()),
                Ok(Progress::Complete(page)) => {
                    pages.push(page.rows.len());
                    return (pages, Ok(true));
                }
                Err(error) => return (pages, Err(error)),
            }
        }
        (pages, Ok(false))
    }

    #[test]
    fn delivers_batches_and_the_rest_at_the_end() {
        let mut attempt = new_attempt();
        let (first, last) = ([HEAD, &row(1), &row(2)].concat(), row(3).replace("},", "}") + END);
        let events = [ExchangeEvent::Sent, head(200), chunk(&first), chunk(&last), ExchangeEvent::End];
        let (pages, end) = run(&mut attempt, events);
        // The second page repeats the row of the last account.
        assert_eq!((pages, end), (vec![2, 2], Ok(true)));
        assert_eq!(attempt.head(), [&*first, &*last].concat().as_bytes());
    }

    #[test]
    fn sent_discards_what_an_earlier_attempt_decoded() {
        let (mut decoder, mut attempt) = (new_decoder(), new_attempt());
        decoder.begin();
        decoder.feed([HEAD, &row(1)].concat().into()).unwrap();
        attempt.on_event(ExchangeEvent::Sent, &mut decoder, 0).unwrap();
        attempt.on_event(chunk(&[HEAD, END].concat()), &mut decoder, 0).unwrap();
        assert_eq!(decoder.finish().unwrap().rows.len(), 0);
    }

    #[test]
    fn failing_status_has_the_message_of_the_body_even_if_it_breaks_off() {
        let error = |last| {
            let body = chunk(r#"{"message":"busy"}"#);
            run(&mut new_attempt(), [ExchangeEvent::Sent, head(503), body, last]).1.unwrap_err()
        };
        for error in [error(ExchangeEvent::End), error(failed())] {
            assert_eq!((error.status, error.retry_after_ms), (Some(503), Some(3000)));
            assert!(error.message.contains("busy"), "{error}");
        }
        let mut attempt = new_attempt();
        run(&mut attempt, [ExchangeEvent::Sent, head(503)]).1.unwrap();
        assert_eq!(attempt.on_timeout(100).status, Some(503));
    }

    #[test]
    fn long_body_of_a_failing_status_is_not_read_to_its_end() {
        let half = || chunk(&"x".repeat(HEAD_BYTES / 2));
        assert_eq!(run(&mut new_attempt(), [head(502), half()]).1, Ok(false));
        assert_eq!(run(&mut new_attempt(), [head(502), half(), half()]).1.unwrap_err().status, Some(502));
    }

    #[test]
    fn body_above_the_limit_is_rejected_by_its_length_or_while_it_arrives() {
        let stated = ExchangeEvent::Head(200, vec![("content-length", " 401".into())]);
        let body = [HEAD, END].concat();
        let full = || vec![chunk(&body), chunk(&" ".repeat(400 - body.len()))];
        let too_long = [vec![head(200)], full(), vec![chunk(" ")]].into_iter().flatten().collect();
        for events in [vec![stated], too_long] {
            let error = run(&mut new_attempt(), events).1.unwrap_err();
            assert!(error.message.starts_with("the response is larger than 400 bytes"), "{error}");
        }
        let stated = ExchangeEvent::Head(200, vec![("content-length", "400".into())]);
        let full = [vec![stated], full(), vec![ExchangeEvent::End]].into_iter().flatten();
        assert_eq!(run(&mut new_attempt(), full).1, Ok(true));
    }

    #[test]
    fn truncated_body_and_lost_connection_are_errors() {
        let error = run(&mut new_attempt(), [head(200), ExchangeEvent::End]).1.unwrap_err();
        assert_eq!((error.code, error.is_transient), (ErrorCode::Decode, true));
        assert_eq!(run(&mut new_attempt(), [head(200), failed()]).1.unwrap_err().code, ErrorCode::Network);
    }

    #[test]
    fn timeout_counts_from_sending_and_only_while_the_call_waits() {
        let mut attempt = new_attempt();
        assert_eq!(attempt.time_left_ms(), 250);
        let error = attempt.on_timeout(250);
        assert!(error.message.starts_with("the request was not sent within 250 ms"), "{error}");
        assert_eq!(error.attempts, Some(0));
        attempt.on_event(ExchangeEvent::Sent, &mut new_decoder(), 120).unwrap();
        assert_eq!(attempt.time_left_ms(), 100);
        attempt.pause(150);
        attempt.resume(9_000);
        assert_eq!(attempt.time_left_ms(), 70);
        attempt.pause(9_010);
        assert_eq!(attempt.time_left_ms(), 60);
        assert!(attempt.on_timeout(9_070).message.contains("within 100 ms; try again or raise timeout_ms"));
        attempt.on_event(ExchangeEvent::Sent, &mut new_decoder(), 9_070).unwrap();
        assert!(attempt.on_timeout(9_100).message.contains("within 250 ms; try again or raise deadline_ms"));
    }
}
