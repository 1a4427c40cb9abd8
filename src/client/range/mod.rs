//! Reads all rows of an action over a range of blocks, past the 10,000 rows that one request can reach. Start with
//! [`RangeReader`], or with [`Client::all_rows`] for rows as structs. Each row is delivered exactly once, and [`RangeReport`]
//! says which blocks are incomplete.
//!
//! `parallel` reads several parts of a range concurrently, with a [`RangeReader`] for each. `block_parts` cuts the
//! range.
//!
//! [`RangeReader`] sends the requests that the planner (`planner`) decides on. `oversized_block` processes the probes and
//! pages of an oversized block. Neither depends on HTTP, JSON or a clock.
//!
//! # Windows
//!
//! A *window* is a run of consecutive blocks that one request asks for. The first window is the whole range.
//!
//! - A response of 10,000 rows (the *page limit*) is *truncated* at its last block: the rows of that block are dropped,
//!   and the next window starts with that block. The block is the *overlap* of the two windows.
//! - Rows can be equal: one transaction may contain two equal transfers. Rows are therefore never deduplicated by content.
//! - A window that is too slow for the service is halved. Later windows grow again (`window_width`).
//! - A block with at least as many rows as the page limit is *oversized*. It is read page by page.
//!
//! # Hidden response limits
//!
//! A service or proxy may return fewer than 10,000 rows per response without saying so. Until such a limit is detected, a response is
//! known to be complete only if it is empty or shorter than an earlier response of the same range. Any other response is truncated as
//! if it were full. If it was complete after all, the next window returns only the rows of the overlap.
//!
//! A limit may be in bytes or seconds instead of rows, so that the shortest response may be the one from which rows are
//! missing. Once a limit is detected, only an empty response is complete. A response that was taken for complete before
//! is then verified, or its blocks are reported as unprocessed if rows after them were delivered. A resume token
//! includes the detected limit. If nothing reveals a limit, for example because only responses that are shorter than an
//! earlier one are cut, the missing rows remain unnoticed.
//!
//! A response with a single block cannot be truncated. In that case a *probe* requests the one row after it. A range that
//! fits in one short response thus costs at most one extra request. After a longer response there is no extra cost, unless a limit was
//! detected (`response_limit`).
//!
//! # Actions without pages
//!
//! The logs module has neither pages nor an order: the oldest block comes first. The rows of an oversized block beyond
//! the first page are out of reach, and the report says so. A short response with a single block is not probed: the
//! next window begins after it. The range is read by one reader, because no request can find the block of a row.
//!
//! Versions before 10.0 of the service drop logs of replaced blocks from the first 1,000, so that a response of nearly that size is not
//! the last. It is truncated like a full one.
//!
//! # Omitted rows
//!
//! Rows that fail validation are omitted on request, and counted in the report. They are delivered with their block, like other
//! rows. If it is unknown whether such a row is before or after the block at which a response is truncated, the response is
//! truncated at an earlier block, or fewer blocks are requested. A block with an omitted row is not compared with an earlier
//! response: it has not changed because rows were omitted.
//!
//! # Streaming
//!
//! Large windows are delivered in batches while the response arrives. Each batch is truncated like a full window. If the
//! response breaks off, only whole blocks were delivered, and the next window starts after them.

mod backoff;
mod batches;
mod block_parts;
mod density;
mod oversized_block;
mod parallel;
mod planner;
mod planner_state;
mod probe;
mod report;
mod request;
mod response_limit;
mod rows;
#[cfg(test)]
mod tests;
mod token;
mod window_width;

pub use batches::{RangeBatches, RangeRecords};
pub use parallel::ParallelReader;
pub use report::{BatchState, IncompleteBlock, RangeBatch, RangeReport, UnprocessedRange};

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::account::ActionResult;
use super::handle::Client;
use super::rate_limiter::Priority;
use super::resume::{self, ResumePoint, TokenSubject};
use super::retry::{FetchStart, RetryDelay, StreamingResponse, spend_retry};
use super::runtime::Runtime;
use super::transport::Target;
use crate::decode::{Cursor, FrameDecoder, FramePage};
use crate::endpoint::{Operation, RangeForm, Request};
use crate::error::{Error, ErrorCode};
use planner::Planner;
use planner_state::Blocks;
use request::{RangeRequest, Recovery};
use response_limit::Evidence;
use rows::{BlockRows, RangeResponse, RowFields};

/// Reads the rows of a range of blocks, window by window.
#[derive(Debug)]
pub struct RangeReader<R: Runtime> {
    client: Client<R>,
    action: &'static Operation,
    form: &'static RangeForm,
    subject: Arc<TokenSubject>,
    decoder: FrameDecoder,
    row_fields: RowFields,
    planner: Planner,
    /// The last block to read, if other readers read the rest of the range. It may change while a request is in flight.
    end: Rc<Cell<Option<u64>>>,
    /// Evidence of a response limit, shared with the sibling readers.
    evidence: Rc<Cell<Evidence>>,
    /// The rest of the response from which the last batch was returned.
    streaming: Option<Box<StreamingResponse>>,
    /// See [`continues_window`](Self::continues_window).
    continues_window: bool,
}

/// Creates a decoder that delivers whole blocks.
fn create_decoder<R: Runtime>(client: &Client<R>, action: &Operation, row_fields: RowFields) -> FrameDecoder {
    client.frame_decoder(action.layout).with_batches_grouped_by(row_fields.block)
}

impl<R: Runtime> RangeReader<R> {
    /// Creates a reader of the blocks that `request` selects. With a `resume` token it continues where that token was
    /// created. Nothing is sent before [`next`](Self::next).
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] if a parameter is not allowed for ranges, or if the token belongs to another request.
    pub fn new(client: Client<R>, request: Request, resume: Option<&str>) -> Result<Self, Error> {
        let action = request.operation();
        let no_range = || Error::new(ErrorCode::Internal, "rows without a block number");
        let row_fields = RowFields::from_action(action).ok_or_else(no_range)?;
        let form = action.range_form().ok_or_else(no_range)?;
        let mut planner = Planner::new(request.block_range(form)?, form.max_rows).with_pages(form.has_pages);
        let decoder = create_decoder(&client, action, row_fields);
        if let Some(token) = resume {
            let position = resume::decode_token(token, &client.token_urls(), &request)?;
            let cursor = resume::decode_cursor(position)?;
            planner.restore(&cursor).ok_or_else(|| {
                Error::invalid_parameter("resume", "is not a token of all(); omit it to start from the beginning")
            })?;
        }
        Ok(Self {
            subject: Arc::new(TokenSubject { url: client.inner.source_url.clone(), request }),
            client,
            action,
            form,
            decoder,
            row_fields,
            end: Rc::default(),
            evidence: Rc::new(Cell::new(planner.evidence())),
            planner,
            streaming: None,
            continues_window: false,
        })
    }

    /// Creates another reader of the same range, at its beginning.
    fn create_sibling(&self) -> Self {
        let Self { ref client, action, form, ref subject, row_fields, ref planner, .. } = *self;
        Self {
            decoder: create_decoder(client, action, row_fields),
            planner: Planner::new(planner.range, planner.page_limit()).with_pages(form.has_pages),
            end: Rc::default(),
            evidence: Rc::clone(&self.evidence),
            subject: Arc::clone(subject),
            streaming: None,
            continues_window: false,
            client: client.clone(),
            action,
            form,
            row_fields,
        }
    }

    /// Sets the maximum number of rows per request. It must equal the default page size of the service, because full pages are
    /// requested without `offset`.
    #[must_use]
    pub const fn with_page_limit(mut self, rows: u64) -> Self {
        self.planner.set_page_limit(rows);
        self
    }

    /// Returns the rows of the next window, or the next batch of a window that is still streaming. `None` at the end.
    ///
    /// Batches contain whole blocks and are returned before the response is complete. The rest of the response may still fail
    /// or contain no rows. After an error, call `next` again to retry. Dropping the future does not move the reader.
    ///
    /// # Errors
    /// The error of the request, with a resume token that continues after the rows that were returned.
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        self.read_next().await.map_err(|mut error| {
            error.resume_token = self.resume_token();
            error
        })
    }

    /// Returns a report of how completely the range was read so far.
    #[must_use]
    pub const fn report(&self) -> &RangeReport {
        self.planner.report()
    }

    /// Whether more batches of the current window may follow.
    #[must_use]
    pub const fn is_streaming(&self) -> bool {
        self.streaming.is_some()
    }

    /// Whether the rows that [`next`](Self::next) returned last belong to the same window as the rows before. False for
    /// the first rows of a window, even if the response to the previous window broke off.
    #[must_use]
    pub const fn continues_window(&self) -> bool {
        self.continues_window
    }

    /// Cancels the request whose response is still arriving, if any. The next call of `next` sends a new one.
    pub fn cancel_request(&mut self) {
        self.streaming = None;
    }

    /// Returns a token that continues after the last rows that were returned. `None` before the first and after the last rows.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        Some(self.start()?.token())
    }

    /// The position that the token stands for.
    fn start(&self) -> Option<ResumePoint> {
        Some(self.resume_point(self.planner.position()?))
    }

    /// Returns the position of a cursor.
    fn resume_point(&self, cursor: Cursor) -> ResumePoint {
        ResumePoint::new(Arc::clone(&self.subject), cursor)
    }

    async fn read_next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        self.planner.begin_call(self.streaming.is_some());
        self.continues_window = false;
        let (mut start, mut shrunk) = (FetchStart::Request, 0);
        self.apply_end();
        self.share_evidence();
        while let Some(request) = self.planner.next_request(self.client.runtime().now_ms()) {
            if let Some(response) = self.streaming.take() {
                start = FetchStart::Streaming(response);
            }
            let (target, policy) = (self.target(&request), request.retry_policy(self.client.retry_policy()));
            let client = self.client.clone().with_retry_policy(policy);
            let start_now = std::mem::take(&mut start);
            let result = client.fetch_action(&self.subject.request, target, &mut self.decoder, start_now).await;
            self.apply_end();
            match result {
                Ok(result) => {
                    if shrunk > 0 {
                        self.client.inner.transport.limiter.refund_retries(std::mem::take(&mut shrunk));
                    }
                    if let Some(page) = self.process_result(&request, result)? {
                        return Ok(Some(page));
                    }
                }
                Err(error) => start = self.recover(&request, error, &mut shrunk)?,
            }
        }
        Ok(None)
    }

    /// Returns the block of the row of this number, counted from 1 at the start or the end of these blocks. `None` if there is
    /// no such row, or if the request fails.
    async fn find_block(&self, blocks: Blocks, number: u64, from_end: bool) -> Option<u64> {
        let request = RangeRequest::row(blocks, self.planner.range.newest_first != from_end, number);
        let mut decoder = create_decoder(&self.client, self.action, self.row_fields);
        let target = self.target(&request);
        let result = self.client.fetch_action(&self.subject.request, target, &mut decoder, FetchStart::Request).await;
        let (rows, _) = result.ok()?;
        BlockRows::new(self.row_fields, rows.items).ok()?.blocks().first().copied()
    }

    /// Whether all blocks were read, and the last response needs no verification because of a detected limit.
    fn has_ended(&self) -> bool {
        let can_verify = self.planner.assumption.is_some_and(|assumption| assumption.last_block.is_some());
        self.planner.has_ended() && !(can_verify && self.evidence.get().detected.is_some())
    }

    /// Exchanges evidence of a response limit with the siblings.
    fn share_evidence(&mut self) {
        self.planner.limit.evidence.merge(self.evidence.get());
        self.evidence.set(self.planner.evidence());
    }

    /// Gives up verifying the last response, because the rows that follow are delivered.
    fn drop_assumption(&mut self) {
        self.planner.drop_assumption();
        self.share_evidence();
        self.planner.update_report();
    }

    /// Leaves the blocks after `end` to other readers.
    fn apply_end(&mut self) {
        if let Some(end) = self.end.get() {
            self.planner.end_at(end);
        }
    }

    /// The URL of a request.
    fn target(&self, request: &RangeRequest) -> Target {
        let mut params = Vec::new();
        if self.form.has_pages {
            params.push(("sort", if request.newest_first { "desc" } else { "asc" }));
        }
        let values = request.values(self.form);
        for (name, value) in &values {
            if let Some(value) = value {
                params.push((*name, value));
            }
        }
        Target { priority: Priority::Bulk, ..self.client.target(&self.subject.request, &params) }
    }

    /// Passes the result of a request to the planner. Returns the rows to deliver, if any.
    fn process_result(
        &mut self,
        request: &RangeRequest,
        (result, rest): ActionResult,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let response = RangeResponse {
            rows: BlockRows::new(self.row_fields, result.items)?,
            unprocessed: result.incomplete.then(|| result.message.unwrap_or_default()),
            is_end: rest.is_none(),
            received_at_ms: self.client.runtime().now_ms(),
        };
        self.share_evidence();
        let page = self.planner.on_response(request, response)?;
        self.share_evidence();
        // Only the rest of a window is read.
        self.continues_window = request.is_continuation;
        self.streaming = rest.filter(|_| self.planner.is_streaming());
        Ok(page)
    }

    /// Returns how the next request continues after a failed one. `shrunk` counts the failed requests that smaller ones
    /// replaced: each takes a retry from the budget.
    fn recover(&mut self, request: &RangeRequest, error: Error, shrunk: &mut u32) -> Result<FetchStart, Error> {
        let policy = self.client.retry_policy();
        let recovery = self.planner.on_failure(request, error, &policy, self.client.runtime().random())?;
        Ok(match recovery {
            Recovery::Continue => FetchStart::Request,
            Recovery::Retry(error) => FetchStart::Failed(error),
            Recovery::Shrink { error, pause_ms } => {
                let error = spend_retry(&self.client.inner.transport.limiter, error)?;
                *shrunk += 1;
                pause_ms.map_or(FetchStart::Request, |ms| FetchStart::Delayed(RetryDelay::new(&error, ms)))
            }
        })
    }
}
