//! Every row of an action over a range of blocks, past the 10,000 that one request reaches: window after window of blocks,
//! each row exactly once, with a report of what could not be read completely.
//!
//! A window is asked for as wide as what is left. An answer with fewer than 10,000 rows holds all of it. A full one is cut
//! at its last block, which the next window begins with: that block's rows are given out from there only. Equal rows are
//! legal (two equal transfers of one transaction), so rows are never told apart by their content. A window that the service
//! is too slow for is halved, and later ones grow again.

use super::account::Rows;
use super::resume::{self, digest};
use super::retry::is_too_slow;
use super::{Client, FramePages, Patience, Runtime};
use crate::decode::{Cursor, FramePage, Leniency};
use crate::endpoint::request::{MAX_BLOCK, Range};
use crate::endpoint::{Action, Request, WINDOW};
use crate::error::{Error, ErrorCode};
use crate::text::number as decimal;

/// How completely a range was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Windows of blocks that were read.
    pub windows: u32,
    /// Requests that were sent for them.
    pub requests: u32,
    /// Records that were given out.
    pub records: u64,
    /// Blocks with more rows than the service gives out.
    pub incomplete_blocks: Vec<IncompleteBlock>,
    /// Ranges that the service has not processed completely yet.
    pub unprocessed: Vec<Unprocessed>,
    /// Blocks that changed while they were read: a reorganisation.
    pub changed_blocks: Vec<u64>,
    /// The next block to be read; nothing at the end.
    pub next_block: Option<u64>,
}

/// A block that could not be read completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompleteBlock {
    /// Its number.
    pub block: u64,
    /// Its rows that were read.
    pub records: u64,
    /// Why there are no more.
    pub reason: String,
}

/// Blocks whose rows the service has not processed completely yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unprocessed {
    /// First block.
    pub first: u64,
    /// Last block.
    pub last: u64,
    /// The service's words.
    pub message: String,
}

/// A block with at least as many rows as one request reaches, read page by page.
#[derive(Debug, Clone, Copy)]
struct Giant {
    block: u64,
    /// The page to be read next; page n holds the rows from 10,000 (n - 1) on.
    page: u64,
    /// Its records that were given out.
    records: u64,
    /// Digest of the page before, to notice a service that gives the same page again.
    before: u64,
}

/// A row: its block, and a digest of what does not change from request to request.
#[derive(Debug, Clone, Copy)]
struct Key {
    block: u64,
    digest: u64,
}

/// Reads a range window by window.
#[derive(Debug)]
pub struct RangeReader<R: Runtime> {
    client: Client<R>,
    action: &'static Action,
    request: Request,
    pages: FramePages,
    range: Range,
    /// Rows of a full window.
    full: u64,
    /// What is left of the range; nothing at the end.
    left: Option<(u64, u64)>,
    giant: Option<Giant>,
    /// Rows of the block at which the last window was cut: they must come again.
    cut: Option<(u64, Vec<u64>)>,
    /// Blocks of a window, once the service was too slow for all that is left.
    width: Option<u64>,
    /// The newest block with a row, once it had to be found out: behind it one window holds all.
    newest: u64,
    started: bool,
    report: Report,
}

impl<R: Runtime> RangeReader<R> {
    /// Reads a range, or what is left of it after the window that gave the token.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] for a parameter that has no place here, and for `resume` when the token does not
    /// belong here.
    pub fn new(
        client: Client<R>,
        action: &'static Action,
        request: Request,
        leniency: Leniency,
        resume: Option<&str>,
    ) -> Result<Self, Error> {
        let range = request.range()?;
        let mut reader = Self {
            client,
            action,
            request,
            pages: FramePages::of(action.layout, leniency),
            range,
            full: WINDOW,
            left: Some((range.first, range.last)),
            giant: None,
            cut: None,
            width: None,
            newest: MAX_BLOCK,
            started: false,
            report: Report::default(),
        };
        if let Some(token) = resume {
            let cursor = resume::cursor(token, reader.client.base(), &reader.request)?;
            reader
                .go_to(&cursor)
                .ok_or_else(|| Error::invalid_parameter("resume", "is no token of all(); start without it"))?;
        }
        Ok(reader)
    }

    /// The same reader for a service where one request reaches so many rows, and where a page has as many unless told.
    #[must_use]
    pub const fn with_window(mut self, rows: u64) -> Self {
        self.full = rows;
        self
    }

    /// The rows of the next window; nothing at the end. After an error the same window can be asked for again.
    ///
    /// # Errors
    /// Whatever kept the window from being read, with a resume token for it.
    pub async fn next(&mut self) -> Result<Option<FramePage>, Error> {
        self.read().await.map_err(|mut error| {
            error.resume_token = self.resume_token();
            error
        })
    }

    /// How completely the range was read so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let next = self.giant.as_ref().map(|giant| giant.block);
        let next = next.or_else(|| self.left.map(|(first, last)| if self.range.newest_first { last } else { first }));
        Report { next_block: next, ..self.report.clone() }
    }

    /// Continues after the last window that was read; nothing before the first and after the last.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        let mut keys = Vec::new();
        if let Some((first, last)) = self.left {
            keys.extend([("first".to_owned(), decimal(first)), ("last".to_owned(), decimal(last))]);
        }
        if let Some(Giant { block, page, records, before }) = self.giant {
            let numbers = [("block", block), ("page", page), ("records", records), ("before", before)];
            keys.extend(numbers.map(|(name, number)| (name.to_owned(), decimal(number))));
        }
        let cursor = Cursor::from_parameters(keys).filter(|_| self.started)?;
        Some(resume::token(self.client.base(), &self.request, &cursor))
    }

    fn go_to(&mut self, cursor: &Cursor) -> Option<()> {
        let number = |name: &str| {
            let (_, value) = cursor.parameters().find(|(key, _)| *key == name)?;
            value.parse::<u64>().ok()
        };
        self.left = match (number("first"), number("last")) {
            (Some(first), Some(last)) if first >= self.range.first && first <= last && last <= self.range.last => {
                Some((first, last))
            }
            (None, None) => None,
            _ => return None,
        };
        self.giant = match (number("block"), number("page"), number("records"), number("before")) {
            (Some(block), Some(page @ 1..), Some(records), Some(before)) => {
                Some(Giant { block, page, records, before })
            }
            (None, None, None, None) => None,
            _ => return None,
        };
        self.started = true;
        (self.left.is_some() || self.giant.is_some()).then_some(())
    }

    async fn read(&mut self) -> Result<Option<FramePage>, Error> {
        loop {
            if let Some(giant) = self.giant {
                if let Some(page) = self.read_giant(giant).await? {
                    return Ok(Some(page));
                }
                continue;
            }
            let Some((first, last)) = self.left else { return Ok(None) };
            let (low, high) = self.window(first, last);
            let offset = decimal(self.full);
            let answer = match self.ask(low, high, &[("page", "1"), ("offset", &offset)]).await {
                Ok(answer) => answer,
                Err(error) if low < high && is_too_slow(&error) => {
                    self.narrow(low, high, error).await?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let keys = self.keys(&answer.rows, low, high)?;
            let is_full = self.is_full(&answer.rows);
            if is_full && keys.is_empty() {
                let message = ["none of ", &*offset, " rows can be read, so there is no block to go on from"].concat();
                return Err(Error::new(ErrorCode::Decode, message));
            }
            self.report.windows += 1;
            self.started = true;
            let mut page = self.noted(answer, low, high);
            self.compare_cut(&keys, is_full);
            self.turn(&mut page, &keys, is_full, low, high);
            if !page.rows.is_empty() || !page.bad_rows.is_empty() {
                return Ok(Some(page));
            }
        }
    }

    /// The next window of what is left.
    fn window(&self, first: u64, last: u64) -> (u64, u64) {
        match self.width {
            Some(width) if self.range.newest_first => (last.saturating_sub(width - 1).max(first), last),
            Some(width) if first <= self.newest => (first, first.saturating_add(width - 1).min(last)),
            _ => (first, last),
        }
    }

    /// Takes from a window what is given out now, and moves on to where the next one begins.
    fn turn(&mut self, page: &mut FramePage, keys: &[Key], is_full: bool, low: u64, high: u64) {
        let newest_first = self.range.newest_first;
        if !is_full {
            self.step_over(low, high);
            self.width = self.width.map(|width| width.saturating_mul(2));
        } else if let (Some(begin), Some(end)) = (keys.first(), keys.last()) {
            let cut = end.block;
            if begin.block == cut {
                self.step_over(if newest_first { cut } else { low }, if newest_first { high } else { cut });
                // Whose the rows are that could not be read is known only of a window of one block.
                let is_first_page = page.bad_rows.is_empty() || low == high;
                if !is_first_page {
                    page.rows.clear();
                }
                let (number, records) = (if is_first_page { 2 } else { 1 }, page.rows.len() as u64);
                self.giant = Some(Giant { block: cut, page: number, records, before: page_digest(keys) });
                self.report.records += records;
                return;
            }
            self.cut = Some((cut, sorted(keys.iter().filter(|key| key.block == cut).map(|key| key.digest))));
            let mut blocks = keys.iter().map(|key| key.block);
            page.rows.retain(|_| blocks.next() != Some(cut));
            self.left = self.left.map(|(first, last)| if newest_first { (first, cut) } else { (cut, last) });
        }
        self.report.records += page.rows.len() as u64;
    }

    /// A window was read whole.
    fn step_over(&mut self, low: u64, high: u64) {
        let Some((first, last)) = self.left else { return };
        self.left = if self.range.newest_first {
            (low > first).then(|| (first, low - 1))
        } else {
            (high < last).then(|| (high + 1, last))
        };
    }

    /// A page of a block with more rows than one request reaches. The service does not check the limit of 10,000 where
    /// `page` is given alone.
    async fn read_giant(&mut self, mut giant: Giant) -> Result<Option<FramePage>, Error> {
        let Giant { block, page: number, before, .. } = giant;
        let answer = match self.ask(block, block, &[("page", &decimal(number))]).await {
            Ok(answer) => answer,
            Err(error) if error.code == ErrorCode::Refused => {
                self.incomplete(giant, error.message.clone());
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let keys = self.keys(&answer.rows, block, block)?;
        let page = self.noted(answer, block, block);
        let now = page_digest(&keys);
        if number > 1 && !keys.is_empty() && now == before {
            self.incomplete(giant, "the service gives the same rows for every page".into());
            return Ok(None);
        }
        giant.records += page.rows.len() as u64;
        self.giant = self.is_full(&page).then_some(Giant { page: number + 1, before: now, ..giant });
        self.report.records += page.rows.len() as u64;
        Ok((!page.rows.is_empty() || !page.bad_rows.is_empty()).then_some(page))
    }

    fn incomplete(&mut self, Giant { block, records, .. }: Giant, reason: String) {
        self.giant = None;
        self.report.incomplete_blocks.push(IncompleteBlock { block, records, reason });
    }

    fn is_full(&self, page: &FramePage) -> bool {
        (page.rows.len() + page.bad_rows.len()) as u64 >= self.full
    }

    /// The rows of an answer; that some are not processed yet is noted.
    fn noted(&mut self, answer: Rows<FramePage>, first: u64, last: u64) -> FramePage {
        let is_known = |known: &Unprocessed| known.first <= first && last <= known.last;
        if answer.incomplete && !self.report.unprocessed.iter().any(is_known) {
            let message = answer.message.unwrap_or_default();
            self.report.unprocessed.push(Unprocessed { first, last, message });
        }
        answer.rows
    }

    async fn ask(&mut self, low: u64, high: u64, paging: &[(&str, &str)]) -> Result<Rows<FramePage>, Error> {
        let (is_one_block, has_end) = (low == high, high != MAX_BLOCK);
        let (low, high) = (decimal(low), decimal(high));
        let mut more = vec![("sort", if self.range.newest_first { "desc" } else { "asc" })];
        if low != "0" {
            more.push(("startblock", low.as_str()));
        }
        // Left out, it means all blocks: the service does so for values that it finds too large.
        if has_end {
            more.push(("endblock", high.as_str()));
        }
        more.extend(paging);
        self.report.requests += 1;
        // Where a narrower window may do, a wide one that is too slow is not asked for again.
        let patience = Patience { repeats_slow: is_one_block, ..self.client.patience() };
        let client = self.client.clone().with_patience(patience);
        client.ask_with(self.action, &self.request, &more, &mut self.pages).await
    }

    /// The service was too slow for this window: the next one is half as wide.
    async fn narrow(&mut self, low: u64, high: u64, too_slow: Error) -> Result<(), Error> {
        let mut high = high;
        if high == MAX_BLOCK {
            // Nobody knows where the chain ends, so the newest row says it.
            self.report.requests += 1;
            let more = [("sort", "desc"), ("page", "1"), ("offset", "1")];
            let answer = self.client.ask_with(self.action, &self.request, &more, &mut self.pages).await?;
            let newest = self.row_keys(&answer.rows)?.first().map(|key| key.block);
            if newest.is_none() && !answer.rows.bad_rows.is_empty() {
                return Err(too_slow);
            }
            let Some(newest) = newest.filter(|newest| *newest >= low) else {
                // There are no rows here, or none any more.
                self.noted(answer, low, high);
                self.compare_cut(&[], false);
                self.step_over(low, high);
                return Ok(());
            };
            self.newest = newest;
            high = newest;
            if self.range.newest_first {
                self.left = self.left.map(|(first, _)| (first, high));
            }
        }
        self.width = Some(((high - low).div_ceil(2)).max(1));
        Ok(())
    }

    /// The rows' keys, checked against the window and the order that were asked for: rows of other windows would be given
    /// out twice.
    fn keys(&self, page: &FramePage, low: u64, high: u64) -> Result<Vec<Key>, Error> {
        let keys = self.row_keys(page)?;
        let ordered =
            keys.is_sorted_by(|a, b| if self.range.newest_first { a.block >= b.block } else { a.block <= b.block });
        if !ordered || keys.iter().any(|key| key.block < low || key.block > high) {
            let message = "the service gave rows of other blocks than it was asked for; they are not given out. Read the range \
                           page by page instead";
            return Err(Error::new(ErrorCode::Cursor, message));
        }
        Ok(keys)
    }

    fn row_keys(&self, page: &FramePage) -> Result<Vec<Key>, Error> {
        let table = self.action.layout.row;
        let named = |name: &[u8]| table.field_named(name).map(|(field, _)| field);
        let (Some(block), confirmations) = (named(b"blockNumber"), named(b"confirmations")) else {
            return Err(Error::new(ErrorCode::Internal, "rows without a block number"));
        };
        let key = |row: &u32| {
            let content = |field: usize| page.frame.content(page.frame.get(*row as usize + field));
            let number = std::str::from_utf8(content(block)?).ok()?.parse().ok()?;
            let mut text = Vec::new();
            for field in (0..table.fields.len()).filter(|field| Some(*field) != confirmations) {
                text.extend_from_slice(content(field).unwrap_or(b"\0"));
                text.push(b'\n');
            }
            Some(Key { block: number, digest: digest(&text) })
        };
        let keys: Option<Vec<Key>> = page.rows.iter().map(key).collect();
        keys.ok_or_else(|| Error::new(ErrorCode::Decode, "a block number is too large; this is no chain we know"))
    }

    /// The rows at which the last window was cut must come again; if not, the block is another one now.
    fn compare_cut(&mut self, keys: &[Key], is_full: bool) {
        let Some((block, mut missing)) = self.cut.take() else { return };
        for key in keys.iter().filter(|key| key.block == block) {
            if let Ok(found) = missing.binary_search(&key.digest) {
                missing.remove(found);
            }
        }
        let seen_whole = !is_full || keys.last().is_some_and(|last| last.block != block);
        if !missing.is_empty() && seen_whole {
            self.report.changed_blocks.push(block);
        }
    }
}

/// A digest of a page's rows in any order.
fn page_digest(keys: &[Key]) -> u64 {
    let digests = sorted(keys.iter().map(|key| key.digest));
    digest(&digests.into_iter().flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
}

fn sorted(digests: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut digests: Vec<u64> = digests.collect();
    digests.sort_unstable();
    digests
}
