//! Every row of an action over a range of blocks, past the 10,000 that one request reaches: window after window of blocks,
//! each row exactly once, with a report of what could not be read completely.
//!
//! A window is asked for as wide as what is left. A full answer of 10,000 rows is cut at its last block, which the next
//! window begins with: that block's rows are given out from there only. Equal rows are legal (two equal transfers of one
//! transaction), so rows are never told apart by their content. A window that the service is too slow for is halved, and
//! later ones grow again.
//!
//! A service or a proxy may give fewer rows than 10,000 and not say so. So an answer proves that it holds all rows of its
//! window only by being shorter than another answer of the same reading, or empty. Any other answer is cut like a full one.
//! The next window then begins with its last block: for a whole answer it brings that block's rows alone, which are fewer.
//! An answer of one block cannot be cut; there, the one row behind it is asked for. So a range with one short answer costs
//! at most one further request, and behind a longer answer none.
//!
//! A large window is given out while it arrives, in batches: at each the reader moves on as if the window had been full and
//! cut there. When an answer breaks off, what was given out are whole blocks, and the next window begins behind them.

mod plan;
mod report;
mod row;
mod width;

pub use report::{IncompleteBlock, Report, Unprocessed};

use super::account::{Asked, Rows};
use super::fetch::Arriving;
use super::resume;
use super::{Client, FramePages, Patience, Runtime};
use crate::decode::{Cursor, FramePage, Leniency};
use crate::endpoint::request::{BlockRange, MAX_BLOCK};
use crate::endpoint::{Action, MAX_ROWS, Request};
use crate::error::{Error, ErrorCode};
use crate::text::{number as decimal, parsed};
use plan::{Aim, Plan};
use row::Identity;
use width::WindowWidth;

/// A block that fills an answer, read page by page.
#[derive(Debug, Clone, Copy)]
struct Giant {
    block: u64,
    /// The page to be read next.
    page: u64,
    /// Rows of a page.
    size: u64,
    /// Its records that were given out.
    records: u64,
    /// Digest of the page before, to notice a service that gives the same page again.
    before: u64,
    /// The window that this is the only block of, as far as its answer showed. Whether that was all of the window is still
    /// to be asked.
    window: Option<(u64, u64)>,
}

/// The rows of the block that the last window was cut at. The next window begins with that block: the same rows must come
/// again, or the block has changed.
#[derive(Debug, Clone, Copy)]
struct Overlap {
    /// How many rows there were.
    rows: u64,
    digest: u64,
}

/// The newest block with a row, which a descending reading begins with. A reorganisation changes the newest blocks: in
/// ascending order the last ones that were read, which the next window shows, but in descending order the first ones. So a
/// descending reading looks at this block once more at its end.
#[derive(Debug, Clone, Copy)]
struct Newest {
    block: u64,
    rows: u64,
    digest: u64,
    /// When it was read.
    at_ms: u64,
}

/// A window that is still arriving.
#[derive(Debug)]
struct Incoming {
    rest: Box<Arriving>,
    low: u64,
    high: u64,
    /// Its rows that were given out or left out.
    rows: u64,
}

const MINUTE_MS: u64 = 60_000;

/// Older blocks are not reorganised.
const FINAL_MS: u64 = 3_600_000;

/// In less time there are hardly new blocks: a short reading does not look at its newest block again.
const BLOCK_MS: u64 = 10_000;

/// What a resume token knows: what is left, the block that is read page by page, the rows that must come again, and the
/// newest block.
const POSITION: [&str; 13] = [
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

/// Reads a range window by window.
#[derive(Debug)]
pub struct RangeReader<R: Runtime> {
    client: Client<R>,
    action: &'static Action,
    request: Request,
    pages: FramePages,
    identity: Identity,
    range: BlockRange,
    /// Rows of a full window.
    full: u64,
    /// What is left of the range; nothing at the end.
    left: Option<(u64, u64)>,
    giant: Option<Giant>,
    /// The window of which a part was given out; `left` begins with the block after it.
    incoming: Option<Incoming>,
    overlap: Option<Overlap>,
    newest_read: Option<Newest>,
    /// Rows of the longest answer so far.
    longest: u64,
    /// Whether the last answer was that one, but shorter than asked for: more rows behind it show a limit.
    is_unproven: bool,
    width: WindowWidth,
    /// The newest block with a row, once it had to be found out: behind it one window holds all.
    newest: u64,
    /// Answers in a row that the service was too slow for, and how long was waited behind them.
    slow: u32,
    paused_ms: u64,
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
        let range = request.block_range()?;
        let identity = Identity::of(action.layout.row);
        let identity = identity.ok_or_else(|| Error::new(ErrorCode::Internal, "rows without a block number"))?;
        let pages = client.frames(action.layout, leniency).until_change_of(identity.block);
        let mut reader = Self {
            client,
            action,
            request,
            pages,
            identity,
            range,
            full: MAX_ROWS,
            left: Some((range.first, range.last)),
            giant: None,
            incoming: None,
            overlap: None,
            newest_read: None,
            longest: 0,
            is_unproven: false,
            width: WindowWidth::default(),
            newest: MAX_BLOCK,
            slow: 0,
            paused_ms: 0,
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

    /// The rows of the next window, or of the next blocks of a large one that is still arriving; nothing at the end.
    /// They come before the end of the answer was seen: that may still turn out to be broken, or to bring no more rows.
    /// After an error the same rows can be asked for again, and dropping the future leaves the reader where it was.
    ///
    /// # Errors
    /// Whatever kept the rows from being read, with a resume token for them. What came before are whole blocks.
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        self.read().await.map_err(|mut error| {
            error.resume_token = self.resume_token();
            error
        })
    }

    /// How completely the range was read so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let (report, next_block) = self.progress();
        Report { next_block, ..report.clone() }
    }

    /// The report as it is kept, and the next block.
    pub(crate) fn progress(&self) -> (&Report, Option<u64>) {
        let next = self.giant.as_ref().map(|giant| giant.block);
        let next = next.or_else(|| self.left.map(|(first, last)| if self.range.newest_first { last } else { first }));
        (&self.report, next)
    }

    /// Whether the rest of the last window is still to come.
    #[must_use]
    pub const fn is_arriving(&self) -> bool {
        self.incoming.is_some()
    }

    /// Ends the request whose answer is still arriving. The next rows are asked for anew.
    pub fn let_go(&mut self) {
        self.incoming = None;
    }

    /// Continues after the last rows that were read; nothing before the first and after the last.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        let (first, last) = self.left.unzip();
        let of_giant = |giant: Giant| [giant.block, giant.page, giant.size, giant.records, giant.before].map(Some);
        let [block, page, size, records, before] = self.giant.map(of_giant).unwrap_or_default();
        let (rows, digest) = self.overlap.map(|overlap| (overlap.rows, overlap.digest)).unzip();
        let mut keys = Vec::new();
        let of_newest = |newest: Newest| [newest.block, newest.rows, newest.digest, newest.at_ms].map(Some);
        let newest = self.newest_read.filter(|_| first.or(block).is_some()).map(of_newest).unwrap_or_default();
        let position = [first, last, block, page, size, records, before, rows, digest].into_iter().chain(newest);
        for (name, number) in POSITION.iter().zip(position) {
            if let Some(number) = number {
                keys.push(((*name).to_owned(), decimal(number)));
            }
        }
        let cursor = Cursor::from_parameters(keys).filter(|_| self.started)?;
        Some(resume::token(self.client.base(), &self.request, &cursor))
    }

    fn go_to(&mut self, cursor: &Cursor) -> Option<()> {
        let mut numbers = [None; POSITION.len()];
        for (name, number) in POSITION.iter().zip(&mut numbers) {
            *number = cursor.parameters().find(|(key, _)| key == name).and_then(|(_, value)| parsed(value));
        }
        let [first, last, block, page, size, records, before, rows, digest, newest @ ..] = numbers;
        self.left = match (first, last) {
            (Some(first), Some(last)) if self.range.first <= first && first <= last && last <= self.range.last => {
                Some((first, last))
            }
            (None, None) => None,
            _ => return None,
        };
        self.giant = match (block, page, size, records, before) {
            (Some(block), Some(page @ 1..), Some(size @ 1..), Some(records), Some(before)) => {
                // The rest of the window is left: here it is the block that may have more rows.
                let window = (page == 2).then_some((block, block));
                Some(Giant { block, page, size, records, before, window })
            }
            (None, None, None, None, None) => None,
            _ => return None,
        };
        if let [Some(block), Some(rows), Some(digest), Some(at_ms)] = newest {
            self.newest_read = Some(Newest { block, rows, digest, at_ms });
        }
        self.overlap = rows.zip(digest).map(|(rows, digest)| Overlap { rows, digest });
        self.started = true;
        (self.left.is_some() || self.giant.is_some()).then_some(())
    }

    async fn read(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        (self.slow, self.paused_ms) = (0, 0);
        let mut instead = None;
        while let Some(mut plan) = instead.take().or_else(|| self.plan()) {
            let target = self.target(&plan);
            let earlier = std::mem::take(&mut plan.earlier);
            self.report.requests += u32::from(earlier.rest.is_none());
            // Where a narrower window may do, a wide one that is too slow is not asked for again.
            let repeats_slow = match plan.aim {
                Aim::Newest(_) => self.client.patience().repeats_slow,
                Aim::Page(..) | Aim::Behind(_) | Aim::Again(_) | Aim::Window(_) => plan.low == plan.high,
            };
            let client = self.client.clone().with_patience(Patience { repeats_slow, ..self.client.patience() });
            let asked = client.ask_at(&target, self.action, &mut self.pages, earlier).await;
            let taken = match asked {
                Ok(asked) => {
                    (self.slow, self.paused_ms) = (0, 0);
                    self.take(plan, asked)?
                }
                Err(error) => {
                    instead = self.failed(plan, error)?;
                    None
                }
            };
            if taken.is_some() {
                return Ok(taken);
            }
        }
        Ok(None)
    }

    /// Takes what was asked for, and moves on: the rows that are given out, if any.
    fn take(&mut self, Plan { low, high, aim, .. }: Plan, asked: Asked) -> Result<Option<Box<FramePage>>, Error> {
        match aim {
            Aim::Window(before) => self.take_window(low, high, before, asked),
            Aim::Page(..) => self.take_page(asked.0),
            Aim::Behind(_) => {
                self.take_behind(low, high, &asked.0.items);
                Ok(None)
            }
            Aim::Again(_) => self.take_again(&asked.0.items).map(|()| None),
            Aim::Newest(too_slow) => self.take_newest(low, high, too_slow, asked.0),
        }
    }

    fn take_window(
        &mut self,
        low: u64,
        high: u64,
        before: u64,
        (answer, rest): Asked,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let blocks = self.blocks(&answer.items, low, high)?;
        let total = before + rows_of(&answer.items);
        let is_end = rest.is_none();
        // What was there already is no proof of a limit.
        let known = self.overlap.map_or(0, |overlap| overlap.rows);
        if std::mem::take(&mut self.is_unproven) && self.is_behind(&answer.items, known) {
            self.report.response_limit = Some(self.longest);
        }
        let longest = self.longest;
        if is_end && total > longest {
            self.longest = total;
            self.report.response_limit = None;
        }
        let is_full = total >= self.report.response_limit.unwrap_or(self.full);
        if is_full && blocks.is_empty() {
            let message =
                ["none of ", &*decimal(total), " rows can be read, so there is no block to go on from"].concat();
            return Err(Error::new(ErrorCode::Decode, message));
        }
        if !self.started && self.range.newest_first {
            self.remember_newest(&answer.items, &blocks);
        }
        self.started = true;
        self.compare_overlap(&answer.items, &blocks);
        // A part is cut as a full window is.
        let is_cut = !is_end || !blocks.is_empty() && total >= longest.min(self.full);
        let is_whole = before == 0 && is_end;
        self.is_unproven = is_end && is_cut && !is_full;
        if is_end && !is_full {
            self.width.succeed(high - low + 1);
        }
        let mut page = self.noted(answer, low, high, before > 0 && is_end);
        if !is_cut {
            self.step_over(low, high);
        } else if is_whole && blocks.first() == blocks.last() {
            self.begin_giant(&mut page, &blocks, low, high);
        } else {
            self.cut(&mut page, &blocks, is_end);
        }
        self.report.records += page.rows.len() as u64;
        match rest {
            Some(rest) => {
                let rows = before + rows_of(&page);
                self.incoming = Some(Incoming { rest, low, high, rows });
            }
            None => self.report.windows += 1,
        }
        Ok((before > 0 || rows_of(&page) > 0).then_some(page))
    }

    /// Leaves out the rows of the last block, which the next window or part begins with. At the end of an answer, unreadable
    /// rows from there on come again, too.
    fn cut(&mut self, page: &mut FramePage, blocks: &[u64], is_end: bool) {
        let Some(&cut) = blocks.last() else { return };
        let (digest, rows) = self.identity.digest(page, blocks, cut, u64::MAX);
        self.overlap = Some(Overlap { rows, digest });
        let mut blocks = blocks.iter();
        page.rows.retain(|_| blocks.next() != Some(&cut));
        if is_end {
            let newest_first = self.range.newest_first;
            let is_before = |block: u64| if newest_first { block > cut } else { block < cut };
            page.bad_rows.retain(|bad| row::block_of(bad).is_none_or(is_before));
        }
        self.left = self.left.map(|(first, last)| if self.range.newest_first { (first, cut) } else { (cut, last) });
    }

    /// Goes on within the only block of an answer, behind the rows that came.
    fn begin_giant(&mut self, page: &mut FramePage, blocks: &[u64], low: u64, high: u64) {
        let Some(&block) = blocks.first() else { return };
        let (before, _) = self.identity.digest(page, blocks, block, u64::MAX);
        let size = rows_of(page).min(self.full);
        let mut number = 2;
        // Without the blocks before this one, where there may be rows by now.
        let rest = if self.range.newest_first { (low, block) } else { (block, high) };
        let window = self.is_unproven.then_some(rest);
        // Whose the rows are that could not be read is known only of a window of one block.
        if window.is_none() && low < high && !page.bad_rows.is_empty() {
            page.rows.clear();
            number = 1;
        }
        if self.range.newest_first {
            self.step_over(block, high);
        } else {
            self.step_over(low, block);
        }
        let records = page.rows.len() as u64;
        self.giant = Some(Giant { block, page: number, size, records, before, window });
    }

    fn remember_newest(&mut self, page: &FramePage, blocks: &[u64]) {
        let (Some(&row), Some(&block)) = (page.rows.first(), blocks.first()) else { return };
        if self.is_younger(page, row, FINAL_MS) {
            let (digest, rows) = self.identity.digest(page, blocks, block, u64::MAX);
            self.newest_read = Some(Newest { block, rows, digest, at_ms: self.client.runtime().now_ms() });
        }
    }

    /// Takes the newest block once more.
    fn take_again(&mut self, page: &FramePage) -> Result<(), Error> {
        let Some(Newest { block, rows, digest, .. }) = self.newest_read.take() else { return Ok(()) };
        let blocks = self.identity.blocks(page)?;
        if self.identity.digest(page, &blocks, block, rows).0 != digest && !self.report.changed_blocks.contains(&block)
        {
            self.report.changed_blocks.push(block);
        }
        Ok(())
    }

    /// Takes the row behind an answer of one block. If there is none, the answer was all of its window; if there is one, the
    /// same is asked of the block alone.
    fn take_behind(&mut self, low: u64, high: u64, page: &FramePage) {
        let Some(mut giant) = self.giant.take() else { return };
        self.is_unproven = false;
        if rows_of(page) == 0 {
            self.step_over(low, high);
            return;
        }
        if self.is_behind(page, 0) {
            self.longest = self.longest.max(giant.size);
            self.report.response_limit = Some(giant.size);
        }
        giant.window = (low < high).then_some((giant.block, giant.block));
        self.giant = Some(giant);
        if low < high && giant.records < giant.size {
            self.incomplete("beside unreadable rows, it is not known where its next page begins".into());
        }
    }

    /// Whether this row shows that an answer before it was not whole: there is such a row, and it is older than a minute.
    /// A younger one may have come after that answer.
    fn is_behind(&self, page: &FramePage, row: u64) -> bool {
        let row = usize::try_from(row).ok().and_then(|row| page.rows.get(row));
        row.is_some_and(|row| !self.is_younger(page, *row, MINUTE_MS))
    }

    fn is_younger(&self, page: &FramePage, row: u32, ms: u64) -> bool {
        let mined_at = self.identity.mined_at_ms(page, row);
        mined_at.is_some_and(|mined_at| mined_at.saturating_add(ms) > self.client.runtime().now_ms())
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

    fn take_page(&mut self, answer: Rows<Box<FramePage>>) -> Result<Option<Box<FramePage>>, Error> {
        let Some(giant @ Giant { block, page: number, records, before, .. }) = self.giant else { return Ok(None) };
        let blocks = self.blocks(&answer.items, block, block)?;
        let page = self.noted(answer, block, block, false);
        let (now, _) = self.identity.digest(&page, &blocks, block, u64::MAX);
        if number > 1 && !blocks.is_empty() && now == before {
            self.incomplete("the service gives the same rows for every page".into());
            return Ok(None);
        }
        let given = page.rows.len() as u64;
        let next = Giant { page: number + 1, records: records + given, before: now, ..giant };
        self.giant = (rows_of(&page) >= giant.size).then_some(next);
        self.report.records += given;
        Ok((rows_of(&page) > 0).then_some(page))
    }

    fn incomplete(&mut self, reason: String) {
        if let Some(Giant { block, records, .. }) = self.giant.take() {
            self.report.incomplete_blocks.push(IncompleteBlock { block, records, reason });
        }
    }

    /// The rows of an answer; that some are not processed yet is noted. The end of a window knows better than its parts.
    fn noted(&mut self, answer: Rows<Box<FramePage>>, first: u64, last: u64, is_end: bool) -> Box<FramePage> {
        if is_end && !answer.incomplete {
            self.report.unprocessed.retain(|known| (known.first, known.last) != (first, last));
        }
        let is_known = |known: &Unprocessed| known.first <= first && last <= known.last;
        if answer.incomplete && !self.report.unprocessed.iter().any(is_known) {
            let message = answer.message.unwrap_or_default();
            self.report.unprocessed.push(Unprocessed { first, last, message });
        }
        answer.items
    }

    /// Narrows the next window, once it is known where the chain ends.
    fn take_newest(
        &mut self,
        low: u64,
        high: u64,
        too_slow: Error,
        answer: Rows<Box<FramePage>>,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let newest = self.identity.blocks(&answer.items)?.first().copied();
        if newest.is_none() && !answer.items.bad_rows.is_empty() {
            return Err(too_slow);
        }
        if let Some(newest) = newest.filter(|newest| *newest >= low) {
            self.newest = newest;
            if self.range.newest_first {
                self.left = self.left.map(|(first, _)| (first, newest));
            }
            self.width.fail(newest - low + 1);
        } else {
            // There are no rows here, or none any more.
            self.compare_overlap(&answer.items, &[]);
            self.noted(answer, low, high, false);
            self.step_over(low, high);
        }
        Ok(None)
    }

    /// The rows' blocks, checked against the window and the order that were asked for: rows of other windows would be given
    /// out twice.
    fn blocks(&self, page: &FramePage, low: u64, high: u64) -> Result<Vec<u64>, Error> {
        let blocks = self.identity.blocks(page)?;
        let ordered = blocks.is_sorted_by(|a, b| if self.range.newest_first { a >= b } else { a <= b });
        if !ordered || blocks.iter().any(|block| !(low..=high).contains(block)) {
            let message = "the service gave rows of other blocks than it was asked for; they are not given out. Read the range \
                           page by page instead";
            return Err(Error::new(ErrorCode::Cursor, message));
        }
        Ok(blocks)
    }

    /// Reports the block that the last window was cut at, if its rows do not come again: the first ones that it has now, in
    /// the service's order.
    fn compare_overlap(&mut self, page: &FramePage, blocks: &[u64]) {
        let (Some(Overlap { rows, digest }), Some(block)) = (self.overlap.take(), self.progress().1) else { return };
        if self.identity.digest(page, blocks, block, rows).0 != digest {
            self.report.changed_blocks.push(block);
        }
    }
}

/// Rows of an answer, those that could not be read too.
fn rows_of(page: &FramePage) -> u64 {
    (page.rows.len() + page.bad_rows.len()) as u64
}
