//! Reads all rows of an action over a range of blocks, past the 10,000 rows that one request can reach. Start with
//! [`RangeReader`]. Each row is delivered exactly once, and [`RangeReport`] says which blocks are incomplete.
//!
//! This module decides which blocks to request. It does not send requests (`client::fetch`) or decode rows (`decode`).
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
//! A service or proxy may return fewer than 10,000 rows per response without saying so. A response is known to be complete
//! only if it is empty or shorter than an earlier response of the same reader. Any other response is truncated as if it
//! were full. If it was complete after all, the next window returns only the rows of the overlap.
//!
//! A response with a single block cannot be truncated. In that case a *probe* requests the one row after it. A range that
//! fits in one short response thus costs at most one extra request. After a longer response there is no extra cost.
//!
//! # Streaming
//!
//! Large windows are delivered in batches while the response arrives. Each batch is truncated like a full window. If the
//! response breaks off, only whole blocks were delivered, and the next window starts after them.

mod next_request;
mod report;
mod row;
mod window_width;

pub use report::{IncompleteBlock, RangeReport, UnprocessedRange};

use super::account::{ActionResult, Rows};
use super::fetch::{FetchStart, StreamingResponse};
use super::resume;
use super::{Client, FrameDecoder, RetryPolicy, Runtime};
use crate::decode::{Cursor, DecodeOptions, FramePage};
use crate::endpoint::request::{BlockRange, MAX_BLOCK};
use crate::endpoint::{Action, MAX_ROWS, Request};
use crate::error::{Error, ErrorCode};
use crate::strings::{format_u64, parse_u64};
use next_request::{NextRequest, Purpose};
use row::RowFields;
use window_width::WindowWidth;

/// A block that fills a response by itself. It is read page by page.
#[derive(Debug, Clone, Copy)]
struct OversizedBlock {
    block: u64,
    /// The next page to read, counted from 1.
    page: u64,
    /// Rows per page.
    page_size: u64,
    /// Records of this block that were delivered.
    records: u64,
    /// Digest of the previous page. It detects a service that returns the same page again.
    previous_digest: u64,
    /// The window that seems to contain only this block, if a probe must verify that. `None` if the block is known to continue.
    unverified_window: Option<(u64, u64)>,
}

/// The rows of the block at which the last window was truncated. The next window starts with that block. If it returns
/// different rows, the block has changed.
#[derive(Debug, Clone, Copy)]
struct Overlap {
    /// Number of its rows that were read.
    rows: u64,
    digest: u64,
}

/// The newest block with a row, as it was at the start of a descending range.
///
/// A chain reorganisation changes the newest blocks. In ascending order they are read last, and the overlap shows the change.
/// In descending order they are read first, so the reader requests this block again at the end.
#[derive(Debug, Clone, Copy)]
struct HeadSnapshot {
    block: u64,
    rows: u64,
    digest: u64,
    /// When it was read, in milliseconds since 1970.
    read_at_ms: u64,
}

/// A window whose response is still arriving.
#[derive(Debug)]
struct StreamingWindow {
    response: Box<StreamingResponse>,
    low: u64,
    high: u64,
    /// Rows that were delivered or skipped so far.
    rows: u64,
}

/// Rows younger than this may have been added after the previous response.
const RECENT_ROW_MS: u64 = 60_000;

/// Blocks older than this are not reorganised.
const FINAL_BLOCK_MS: u64 = 3_600_000;

/// The head block is requested again only if the range took longer than this, about the time of one block.
const MIN_RECHECK_MS: u64 = 10_000;

/// Names of the numbers in a resume token: the remaining range, the fields of [`OversizedBlock`], [`Overlap`] and
/// [`HeadSnapshot`], in this order.
const TOKEN_FIELDS: [&str; 13] = [
    "first",
    "last",
    "block",
    "page",
    "size",
    "records",
    "before",
    "rows",
    "digest",
    "newest",
    "newest_rows",
    "newest_digest",
    "newest_at",
];

/// Reads the rows of a range of blocks, window by window.
#[derive(Debug)]
pub struct RangeReader<R: Runtime> {
    client: Client<R>,
    action: &'static Action,
    request: Request,
    decoder: FrameDecoder,
    row_fields: RowFields,
    range: BlockRange,
    /// Maximum number of rows that one request can return. A response with as many rows is *full*.
    page_limit: u64,
    /// First and last block that are still to be read. `None` at the end.
    remaining: Option<(u64, u64)>,
    oversized: Option<OversizedBlock>,
    /// The window of which some batches were delivered. `remaining` starts with the block after them.
    streaming: Option<StreamingWindow>,
    overlap: Option<Overlap>,
    head_snapshot: Option<HeadSnapshot>,
    /// Number of rows of the longest response so far.
    longest_response: u64,
    /// Whether the last response may be complete or limited: it was the longest so far, but not full. If more rows follow, the
    /// service has a lower limit than `page_limit`.
    is_unverified: bool,
    width: WindowWidth,
    /// The newest block with a row, or [`MAX_BLOCK`] until it had to be requested. One window covers all blocks after it.
    head_block: u64,
    /// Consecutive requests that were too slow for the service.
    slow_responses: u32,
    /// Total pause after these requests, in milliseconds.
    paused_ms: u64,
    /// Whether a window was read, by this reader or the one that created the resume token.
    has_started: bool,
    report: RangeReport,
}

impl<R: Runtime> RangeReader<R> {
    /// Creates a reader of the blocks that `request` selects. With a `resume` token it continues where that token was
    /// created. Nothing is sent before [`next`](Self::next).
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] if a parameter is not allowed for ranges, or if the token belongs to another request.
    pub fn new(
        client: Client<R>,
        action: &'static Action,
        request: Request,
        decode_options: DecodeOptions,
        resume: Option<&str>,
    ) -> Result<Self, Error> {
        let range = request.block_range()?;
        let row_fields = RowFields::from_table(action.layout.row);
        let row_fields = row_fields.ok_or_else(|| Error::new(ErrorCode::Internal, "rows without a block number"))?;
        let decoder = client.frame_decoder(action.layout, decode_options).with_batches_grouped_by(row_fields.block);
        let mut reader = Self {
            client,
            action,
            request,
            decoder,
            row_fields,
            range,
            page_limit: MAX_ROWS,
            remaining: Some((range.first, range.last)),
            oversized: None,
            streaming: None,
            overlap: None,
            head_snapshot: None,
            longest_response: 0,
            is_unverified: false,
            width: WindowWidth::default(),
            head_block: MAX_BLOCK,
            slow_responses: 0,
            paused_ms: 0,
            has_started: false,
            report: RangeReport::default(),
        };
        if let Some(token) = resume {
            let cursor = resume::decode_token(token, reader.client.base_url(), &reader.request)?;
            reader.restore_position(&cursor).ok_or_else(|| {
                Error::invalid_parameter("resume", "is not a token of all(); omit it to start from the beginning")
            })?;
        }
        Ok(reader)
    }

    /// Sets the maximum number of rows per request. It must equal the default page size of the service, because full pages are
    /// requested without `offset`.
    #[must_use]
    pub const fn with_page_limit(mut self, rows: u64) -> Self {
        self.page_limit = rows;
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
    pub fn report(&self) -> RangeReport {
        let (report, next_block) = self.progress();
        RangeReport { next_block, ..report.clone() }
    }

    /// Returns the report without its `next_block`, and the next block. Avoids the clone of [`report`](Self::report).
    pub(crate) fn progress(&self) -> (&RangeReport, Option<u64>) {
        let next = self.oversized.as_ref().map(|oversized| oversized.block);
        let next =
            next.or_else(|| self.remaining.map(|(first, last)| if self.range.newest_first { last } else { first }));
        (&self.report, next)
    }

    /// Whether more batches of the current window may follow.
    #[must_use]
    pub const fn is_streaming(&self) -> bool {
        self.streaming.is_some()
    }

    /// Cancels the request whose response is still arriving, if any. The next call of `next` sends a new one.
    pub fn cancel_request(&mut self) {
        self.streaming = None;
    }

    /// Returns a token that continues after the last rows that were returned. `None` before the first and after the last rows.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        let (first, last) = self.remaining.unzip();
        let oversized_fields = |oversized: OversizedBlock| {
            let OversizedBlock { block, page, page_size, records, previous_digest, .. } = oversized;
            [block, page, page_size, records, previous_digest].map(Some)
        };
        let [block, page, page_size, records, previous_digest] =
            self.oversized.map(oversized_fields).unwrap_or_default();
        let (rows, digest) = self.overlap.map(|overlap| (overlap.rows, overlap.digest)).unzip();
        let mut keys = Vec::new();
        let head_fields = |head: HeadSnapshot| [head.block, head.rows, head.digest, head.read_at_ms].map(Some);
        let head = self.head_snapshot.filter(|_| first.or(block).is_some()).map(head_fields).unwrap_or_default();
        let position =
            [first, last, block, page, page_size, records, previous_digest, rows, digest].into_iter().chain(head);
        for (name, number) in TOKEN_FIELDS.iter().zip(position) {
            if let Some(number) = number {
                keys.push(((*name).to_owned(), format_u64(number)));
            }
        }
        let cursor = Cursor::from_parameters(keys).filter(|_| self.has_started)?;
        Some(resume::encode_token(self.client.base_url(), &self.request, &cursor))
    }

    /// Continues at the position of a resume token. `None` if it is not a position in this range.
    fn restore_position(&mut self, cursor: &Cursor) -> Option<()> {
        let mut numbers = [None; TOKEN_FIELDS.len()];
        for (name, number) in TOKEN_FIELDS.iter().zip(&mut numbers) {
            *number = cursor.parameters().find(|(key, _)| key == name).and_then(|(_, value)| parse_u64(value));
        }
        let [first, last, block, page, page_size, records, previous_digest, rows, digest, head @ ..] = numbers;
        self.remaining = match (first, last) {
            (Some(first), Some(last)) if self.range.first <= first && first <= last && last <= self.range.last => {
                Some((first, last))
            }
            (None, None) => None,
            _ => return None,
        };
        self.oversized = match (block, page, page_size, records, previous_digest) {
            (Some(block), Some(page @ 1..), Some(page_size @ 1..), Some(records), Some(previous_digest)) => {
                // The blocks after it are in `remaining`, so that only this block is probed.
                let unverified_window = (page == 2).then_some((block, block));
                Some(OversizedBlock { block, page, page_size, records, previous_digest, unverified_window })
            }
            (None, None, None, None, None) => None,
            _ => return None,
        };
        if let [Some(block), Some(rows), Some(digest), Some(read_at_ms)] = head {
            self.head_snapshot = Some(HeadSnapshot { block, rows, digest, read_at_ms });
        }
        self.overlap = rows.zip(digest).map(|(rows, digest)| Overlap { rows, digest });
        self.has_started = true;
        (self.remaining.is_some() || self.oversized.is_some()).then_some(())
    }

    async fn read_next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        (self.slow_responses, self.paused_ms) = (0, 0);
        let mut fallback = None;
        while let Some(mut next) = fallback.take().or_else(|| self.plan_next_request()) {
            let target = self.build_target(&next);
            let start = std::mem::take(&mut next.start);
            self.report.requests += u32::from(!matches!(start, FetchStart::Streaming(_)));
            // A window of several blocks that is too slow is narrowed, not retried.
            let retry_slow_requests = match next.purpose {
                Purpose::FindHeadBlock(_) => self.client.retry_policy().retry_slow_requests,
                Purpose::Page(..) | Purpose::ProbeNextRow(_) | Purpose::RecheckHeadBlock(_) | Purpose::Window(_) => {
                    next.low == next.high
                }
            };
            let client = self
                .client
                .clone()
                .with_retry_policy(RetryPolicy { retry_slow_requests, ..self.client.retry_policy() });
            let page = match client.fetch_action(&target, self.action, &mut self.decoder, start).await {
                Ok(result) => {
                    (self.slow_responses, self.paused_ms) = (0, 0);
                    self.process_result(next, result)?
                }
                Err(error) => {
                    fallback = self.handle_failure(next, error)?;
                    None
                }
            };
            if page.is_some() {
                return Ok(page);
            }
        }
        Ok(None)
    }

    /// Processes the result of a request and advances the reader. Returns the rows to deliver, if any.
    fn process_result(
        &mut self,
        NextRequest { low, high, purpose, .. }: NextRequest,
        result: ActionResult,
    ) -> Result<Option<Box<FramePage>>, Error> {
        match purpose {
            Purpose::Window(rows_before) => self.process_window(low, high, rows_before, result),
            Purpose::Page(..) => self.process_page(result.0),
            Purpose::ProbeNextRow(_) => {
                self.process_probe(low, high, &result.0.items);
                Ok(None)
            }
            Purpose::RecheckHeadBlock(_) => self.compare_head_block(&result.0.items).map(|()| None),
            Purpose::FindHeadBlock(too_slow) => self.narrow_to_head_block(low, high, too_slow, result.0),
        }
    }

    /// Processes the rows of a window, or a batch of them. `rows_before` counts the rows of its earlier batches.
    fn process_window(
        &mut self,
        low: u64,
        high: u64,
        rows_before: u64,
        (mut result, rest): ActionResult,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let blocks = self.validate_blocks(&result.items, low, high)?;
        let total = rows_before + count_rows(&result.items);
        let is_end = rest.is_none();
        // The rows of the overlap are known. Only rows after them show that the last response was limited.
        let overlap_rows = self.overlap.map_or(0, |overlap| overlap.rows);
        if std::mem::take(&mut self.is_unverified) && self.has_old_row_at(&result.items, overlap_rows) {
            self.report.response_limit = Some(self.longest_response);
        }
        let longest = self.longest_response;
        if is_end && total > longest {
            self.longest_response = total;
            self.report.response_limit = None;
        }
        let is_full = total >= self.report.response_limit.unwrap_or(self.page_limit);
        if is_full && blocks.is_empty() {
            let message =
                ["none of the ", &*format_u64(total), " rows could be decoded, so the next block is unknown"].concat();
            return Err(Error::new(ErrorCode::Decode, message));
        }
        if !self.has_started && self.range.newest_first {
            self.take_head_snapshot(&result.items, &blocks);
        }
        self.has_started = true;
        self.compare_overlap(&result.items, &blocks);
        // A batch is truncated like a full window.
        let is_truncated = !is_end || !blocks.is_empty() && total >= longest.min(self.page_limit);
        let is_whole = rows_before == 0 && is_end;
        self.is_unverified = is_end && is_truncated && !is_full;
        if is_end && !is_full {
            self.width.on_success(high - low + 1);
        }
        self.update_unprocessed(&mut result, low, high, rows_before > 0 && is_end);
        let mut page = result.items;
        if !is_truncated {
            self.advance_past(low, high);
        } else if is_whole && blocks.first() == blocks.last() {
            self.begin_oversized_block(&mut page, &blocks, low, high);
        } else {
            self.truncate_at_last_block(&mut page, &blocks, is_end);
        }
        self.report.records += page.rows.len() as u64;
        match rest {
            Some(response) => {
                let rows = rows_before + count_rows(&page);
                self.streaming = Some(StreamingWindow { response, low, high, rows });
            }
            None => self.report.windows += 1,
        }
        Ok((rows_before > 0 || count_rows(&page) > 0).then_some(page))
    }

    /// Drops the rows of the last block. The next window or batch starts with that block. At the end of a response, also drops
    /// the bad rows from that block on, because the next window returns them again.
    fn truncate_at_last_block(&mut self, page: &mut FramePage, blocks: &[u64], is_end: bool) {
        let Some(&last_block) = blocks.last() else { return };
        let (digest, rows) = self.row_fields.digest(page, blocks, last_block, u64::MAX);
        self.overlap = Some(Overlap { rows, digest });
        let mut blocks = blocks.iter();
        page.rows.retain(|_| blocks.next() != Some(&last_block));
        if is_end {
            let newest_first = self.range.newest_first;
            let is_before = |block: u64| if newest_first { block > last_block } else { block < last_block };
            page.bad_rows.retain(|bad| row::parse_block(bad).is_none_or(is_before));
        }
        self.remaining = self
            .remaining
            .map(|(first, last)| if self.range.newest_first { (first, last_block) } else { (last_block, last) });
    }

    /// Continues inside the only block of a response, after the rows that it returned.
    fn begin_oversized_block(&mut self, page: &mut FramePage, blocks: &[u64], low: u64, high: u64) {
        let Some(&block) = blocks.first() else { return };
        let (previous_digest, _) = self.row_fields.digest(page, blocks, block, u64::MAX);
        let page_size = count_rows(page).min(self.page_limit);
        let mut next_page = 2;
        // The probe skips the blocks that were read before this one, because rows may have been added to them since.
        let probed = if self.range.newest_first { (low, block) } else { (block, high) };
        let unverified_window = self.is_unverified.then_some(probed);
        // In a window of several blocks, bad rows may belong to another block: the block is then read from its first page.
        if unverified_window.is_none() && low < high && !page.bad_rows.is_empty() {
            page.rows.clear();
            next_page = 1;
        }
        if self.range.newest_first {
            self.advance_past(block, high);
        } else {
            self.advance_past(low, block);
        }
        let records = page.rows.len() as u64;
        self.oversized =
            Some(OversizedBlock { block, page: next_page, page_size, records, previous_digest, unverified_window });
    }

    /// Remembers the newest block of a descending range, unless it is too old to change.
    fn take_head_snapshot(&mut self, page: &FramePage, blocks: &[u64]) {
        let (Some(&row), Some(&block)) = (page.rows.first(), blocks.first()) else { return };
        if self.is_younger_than(page, row, FINAL_BLOCK_MS) {
            let (digest, rows) = self.row_fields.digest(page, blocks, block, u64::MAX);
            let read_at_ms = self.client.runtime().now_ms();
            self.head_snapshot = Some(HeadSnapshot { block, rows, digest, read_at_ms });
        }
    }

    /// Reports the head block as changed if its rows differ from the snapshot.
    fn compare_head_block(&mut self, page: &FramePage) -> Result<(), Error> {
        let Some(HeadSnapshot { block, rows, digest, .. }) = self.head_snapshot.take() else { return Ok(()) };
        let blocks = self.row_fields.blocks(page)?;
        if self.row_fields.digest(page, &blocks, block, rows).0 != digest
            && !self.report.changed_blocks.contains(&block)
        {
            self.report.changed_blocks.push(block);
        }
        Ok(())
    }

    /// Processes the result of a probe after a response of one block. If the probe returns no row, the response was complete.
    /// If it returns one and the window has several blocks, the next probe covers only this block.
    fn process_probe(&mut self, low: u64, high: u64, page: &FramePage) {
        let Some(mut oversized) = self.oversized.take() else { return };
        self.is_unverified = false;
        if count_rows(page) == 0 {
            self.advance_past(low, high);
            return;
        }
        if self.has_old_row_at(page, 0) {
            self.longest_response = self.longest_response.max(oversized.page_size);
            self.report.response_limit = Some(oversized.page_size);
        }
        oversized.unverified_window = (low < high).then_some((oversized.block, oversized.block));
        self.oversized = Some(oversized);
        if low < high && oversized.records < oversized.page_size {
            let reason = "some of its rows could not be decoded, so the start of its next page is unknown";
            self.report_incomplete_block(reason.into());
        }
    }

    /// Whether the page has a row at this index that is too old to have been added after the previous response. Such a row
    /// shows that the previous response was incomplete.
    fn has_old_row_at(&self, page: &FramePage, row: u64) -> bool {
        let row = usize::try_from(row).ok().and_then(|row| page.rows.get(row));
        row.is_some_and(|row| !self.is_younger_than(page, *row, RECENT_ROW_MS))
    }

    fn is_younger_than(&self, page: &FramePage, row: u32, ms: u64) -> bool {
        let mined_at = self.row_fields.mined_at_ms(page, row);
        mined_at.is_some_and(|mined_at| mined_at.saturating_add(ms) > self.client.runtime().now_ms())
    }

    /// Removes a completely read window from the remaining range.
    fn advance_past(&mut self, low: u64, high: u64) {
        let Some((first, last)) = self.remaining else { return };
        self.remaining = if self.range.newest_first {
            (low > first).then(|| (first, low - 1))
        } else {
            (high < last).then(|| (high + 1, last))
        };
    }

    /// Processes a page of an oversized block.
    fn process_page(&mut self, mut result: Rows<Box<FramePage>>) -> Result<Option<Box<FramePage>>, Error> {
        let Some(oversized) = self.oversized else { return Ok(None) };
        let OversizedBlock { block, page: page_number, records, .. } = oversized;
        let blocks = self.validate_blocks(&result.items, block, block)?;
        self.update_unprocessed(&mut result, block, block, false);
        let page = result.items;
        let (digest, _) = self.row_fields.digest(&page, &blocks, block, u64::MAX);
        if page_number > 1 && !blocks.is_empty() && digest == oversized.previous_digest {
            self.report_incomplete_block("the service returns the same rows for every page".into());
            return Ok(None);
        }
        let delivered = page.rows.len() as u64;
        let next = OversizedBlock {
            page: page_number + 1,
            records: records + delivered,
            previous_digest: digest,
            ..oversized
        };
        self.oversized = (count_rows(&page) >= oversized.page_size).then_some(next);
        self.report.records += delivered;
        Ok((count_rows(&page) > 0).then_some(page))
    }

    /// Stops reading the oversized block and reports it as incomplete.
    fn report_incomplete_block(&mut self, reason: String) {
        if let Some(OversizedBlock { block, records, .. }) = self.oversized.take() {
            self.report.incomplete_blocks.push(IncompleteBlock { block, records, reason });
        }
    }

    /// Reports the blocks if the service has not processed them completely. The last batch of a streamed window
    /// (`is_last_batch`) overrides what the earlier batches reported.
    fn update_unprocessed(&mut self, result: &mut Rows<Box<FramePage>>, first: u64, last: u64, is_last_batch: bool) {
        if is_last_batch && !result.incomplete {
            self.report.unprocessed.retain(|range| (range.first, range.last) != (first, last));
        }
        let is_reported = |range: &UnprocessedRange| range.first <= first && last <= range.last;
        if result.incomplete && !self.report.unprocessed.iter().any(is_reported) {
            let message = result.message.take().unwrap_or_default();
            self.report.unprocessed.push(UnprocessedRange { first, last, message });
        }
    }

    /// Narrows the next window after the head block was requested. If no rows are left, ends the range.
    fn narrow_to_head_block(
        &mut self,
        low: u64,
        high: u64,
        too_slow: Error,
        mut result: Rows<Box<FramePage>>,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let head_block = self.row_fields.blocks(&result.items)?.first().copied();
        if head_block.is_none() && !result.items.bad_rows.is_empty() {
            return Err(too_slow);
        }
        if let Some(head_block) = head_block.filter(|block| *block >= low) {
            self.head_block = head_block;
            if self.range.newest_first {
                self.remaining = self.remaining.map(|(first, _)| (first, head_block));
            }
            self.width.on_failure(head_block - low + 1);
        } else {
            // No rows are left, perhaps because of a reorganisation.
            self.compare_overlap(&result.items, &[]);
            self.update_unprocessed(&mut result, low, high, false);
            self.advance_past(low, high);
        }
        Ok(None)
    }

    /// Returns the block of each row. Fails if a row lies outside the window or out of order, because rows of other windows
    /// would be delivered twice.
    fn validate_blocks(&self, page: &FramePage, low: u64, high: u64) -> Result<Vec<u64>, Error> {
        let blocks = self.row_fields.blocks(page)?;
        let ordered = blocks.is_sorted_by(|a, b| if self.range.newest_first { a >= b } else { a <= b });
        if !ordered || blocks.iter().any(|block| !(low..=high).contains(block)) {
            let message = "the service returned rows outside the requested blocks or out of order, and they were discarded; \
                           read the range page by page instead";
            return Err(Error::new(ErrorCode::Cursor, message));
        }
        Ok(blocks)
    }

    /// Compares the first rows of the overlap block with those of the last window. Reports the block if they differ.
    fn compare_overlap(&mut self, page: &FramePage, blocks: &[u64]) {
        let (Some(Overlap { rows, digest }), Some(block)) = (self.overlap.take(), self.progress().1) else { return };
        if self.row_fields.digest(page, blocks, block, rows).0 != digest {
            self.report.changed_blocks.push(block);
        }
    }
}

/// Number of rows in a response, including bad rows.
fn count_rows(page: &FramePage) -> u64 {
    (page.rows.len() + page.bad_rows.len()) as u64
}
