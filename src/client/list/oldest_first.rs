//! [`OldestFirst`]: reads a list oldest first. The service returns lists newest first, so the list is read to its end before the first
//! page is returned.
//!
//! The list is read in parts of [`PART_PAGES`] pages. The pages of the two oldest parts are held. Only the places where the other parts
//! begin are known, and these parts are read again. A part ends with a whole block, because new records move the pages.

use std::ops::RangeInclusive;

use super::keyset_parts::{FIRST, read_values};
use super::pager::{ListPage, OLDEST_FIRST, Pager};
use crate::client::resume::{ResumePoint, other_request};
use crate::client::runtime::Runtime;
use crate::decode::{BadRecord, Cursor, FramePage, find_block_field};
use crate::endpoint::Operation;
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::{format_u64, parse_u64};

/// The number of pages of a part.
pub const PART_PAGES: usize = 50;

/// The numbers that a resume token begins with: the block of the next record, how many records of that block were returned, and the
/// last block to read.
const NUMBERS: [&str; 3] = [OLDEST_FIRST, "skip", "to"];
/// A place in a resume token: its block, and then the keys of its cursor.
const PLACE: &str = "place";

/// The block of records that are newer than all blocks.
const NEWEST: u64 = FIRST - 1;

/// Where a part begins.
#[derive(Debug)]
struct Place {
    /// The lowest block of the page before the cursor. No record after it is newer than that page.
    block: u64,
    cursor: Cursor,
}

/// Reads the list newest first, from the last place to the first block that was not returned.
#[derive(Debug, Default)]
struct Pass {
    /// The first block that was not returned.
    first: u64,
    /// How many of its oldest records were returned.
    skip: u64,
    /// The first block after the held pages. [`FIRST`] if there is none.
    end: u64,
    /// The block of the last record that was read. [`FIRST`] before it is known.
    last: u64,
    /// The lowest block of a bad record in the page that was read last.
    last_bad: u64,
    /// The held pages with the blocks of their records, newest first.
    pages: Vec<(Box<FramePage>, Vec<u64>)>,
    /// The number of held pages before the last place.
    placed: usize,
    is_complete: bool,
}

/// Reads a list page by page, oldest first.
#[derive(Debug)]
pub(super) struct OldestFirst<R: Runtime> {
    pager: Pager<R>,
    /// The index of the field with the block of a record.
    field: usize,
    from: u64,
    to: u64,
    /// The block of the next record, and how many records of that block were returned.
    position: (u64, u64),
    /// Where the parts begin that were not returned yet, newest first.
    places: Vec<Place>,
    pass: Pass,
    /// Bad records in pages that are newer than the last block. Their blocks are unknown.
    bad_records: Vec<BadRecord>,
}

impl<R: Runtime> OldestFirst<R> {
    /// Creates a reader of the records in these blocks. `pager` is at the beginning of the list.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] if the list is not sorted by block, if there are no blocks, or if the token belongs to another
    /// request.
    pub(super) fn new(
        pager: Pager<R>,
        list: &Operation,
        blocks: RangeInclusive<u64>,
        resume: Option<&str>,
    ) -> Result<Self, Error> {
        let field = find_block_field(list.layout.row).filter(|_| list.is_sorted_by_block && pager.has_default_order());
        let field = field
            .ok_or_else(|| Error::invalid_parameter(option_name!(order), "asc needs a list that is sorted by block"))?;
        let (from, to) = blocks.into_inner();
        if from > to {
            return Err(Error::invalid_parameter(
                option_name!(from_block),
                concat!("must not be after ", option_name!(to_block)),
            ));
        }
        let (to, position) = (to.min(NEWEST), (from, 0));
        let (places, pass, bad_records) = Default::default();
        let mut reader = Self { pager, field, from, to, position, places, pass, bad_records };
        if let Some(token) = resume {
            reader.move_to(&reader.pager.decode_token(token, true)?)?;
        }
        reader.begin();
        Ok(reader)
    }

    /// Returns the next page, or `None` after the last one. After an error, call it again to continue.
    ///
    /// # Errors
    /// Any failure of a request or of decoding, with a resume token that continues from there.
    pub(super) async fn next(&mut self) -> Result<Option<ListPage>, Error> {
        loop {
            if !self.pass.is_complete {
                self.read().await?;
            }
            if let Some((page, blocks)) = self.pass.pages.pop() {
                let page = self.reverse(page, &blocks);
                if page.resume.is_none() || !page.page.rows.is_empty() || !page.page.bad_records.is_empty() {
                    return Ok(Some(page));
                }
            } else if self.pass.end > self.to {
                return Ok(None);
            } else {
                self.begin();
            }
        }
    }

    /// The position of the next page, with the places that are known. `None` at the beginning.
    pub(super) fn start(&self) -> Option<ResumePoint> {
        (self.position != (self.from, 0) || !self.places.is_empty()).then(|| self.resume_point())
    }

    fn resume_point(&self) -> ResumePoint {
        let numbers = [self.position.0, self.position.1, self.to];
        let mut keys: Vec<_> = NUMBERS.into_iter().zip(numbers.map(format_u64)).collect();
        for Place { block, cursor } in &self.places {
            keys.push((PLACE, format_u64(*block)));
            keys.extend(cursor.parameters().map(|(name, value)| (name, value.to_owned())));
        }
        let cursor = Cursor::from_parameters(keys.into_iter().map(|(name, value)| (name.to_owned(), value)));
        self.pager.resume_point_at(cursor.unwrap_or_default())
    }

    /// Moves to the position of a resume token.
    fn move_to(&mut self, token: &Cursor) -> Result<(), Error> {
        let mut keys = token.parameters();
        let numbers = NUMBERS.map(|name| parse_u64(keys.next().filter(|key| key.0 == name)?.1));
        let [block, skip, to] = numbers.map(Option::unwrap_or_default);
        if to != self.to {
            return Err(other_request());
        }
        self.position = self.position.max((block, skip));
        for (name, value) in keys {
            if name == PLACE {
                self.places.push(Place { block: parse_u64(value).unwrap_or(0), cursor: Cursor::default() });
            } else if let Some(place) = self.places.last_mut() {
                place.cursor.set_parameter(name, Some(value.to_owned()));
            }
        }
        Ok(())
    }

    /// Begins a pass at the last place whose part has records that were not returned.
    fn begin(&mut self) {
        let (first, skip) = self.position;
        while self.places.pop_if(|place| place.block <= first).is_some() {}
        let end = self.last_place();
        if self.places.is_empty() {
            self.bad_records.clear();
        }
        self.pass = Pass { first, skip, end, last: end, ..Pass::default() };
        self.pager.restart(self.places.last().map(|place| place.cursor.clone()));
    }

    /// The block of the last place.
    fn last_place(&self) -> u64 {
        self.places.last().map_or(FIRST, |place| place.block)
    }

    /// Reads the pages of the pass.
    async fn read(&mut self) -> Result<(), Error> {
        loop {
            let page = match self.pager.next().await {
                Ok(page) => page,
                Err(mut error) => {
                    let count = self.places.len();
                    self.places.extend(self.current_place());
                    error.resume_token = self.start().map(|point| point.token());
                    self.places.truncate(count);
                    return Err(error);
                }
            };
            let Some(ListPage { page, resume }) = page else { break };
            let Some(blocks) = self.read_blocks(&page) else {
                self.begin();
                let message = "the service returned records out of order or twice; read the list newest first instead";
                let mut error = Error::new(ErrorCode::Cursor, message);
                error.resume_token = self.start().map(|point| point.token());
                return Err(error);
            };
            let pass = &mut self.pass;
            let is_end = pass.last < pass.first || resume.is_none();
            if pass.last.min(NEWEST) > self.to && !is_end {
                // So far all records are newer than the last block, except perhaps bad ones after the last record.
                pass.placed = 0;
                pass.pages.clear();
                self.places.clear();
                // Once a page was returned, they are reported, and a pass without places reads them again.
                if self.position == (self.from, 0) {
                    let bad_records =
                        page.bad_records.into_iter().filter(|bad| is_within(bad, self.from..=self.to, true));
                    self.bad_records.extend(bad_records);
                }
                self.add_place();
                continue;
            }
            pass.pages.push((page, blocks));
            if is_end {
                break;
            }
            if pass.pages.len() >= pass.placed + PART_PAGES {
                self.add_place();
            }
        }
        self.pass.is_complete = true;
        Ok(())
    }

    /// Reads the block of each record. A record without one counts to the block of the record before it. At the start of the list,
    /// as for pending transactions, it counts as newer than all blocks. `None` if the records are out of order.
    fn read_blocks(&mut self, page: &FramePage) -> Option<Vec<u64>> {
        let mut blocks = read_values(self.field, page);
        for block in &mut blocks {
            if *block == FIRST {
                *block = self.pass.last.min(NEWEST);
            } else if *block > self.pass.last {
                return None;
            } else {
                self.pass.last = *block;
            }
        }
        self.pass.last_bad = page.bad_records.iter().filter_map(|bad| bad.block).min().unwrap_or(FIRST);
        Some(blocks)
    }

    /// The place after the pages that were read. `None` if no part can begin there.
    fn current_place(&self) -> Option<Place> {
        let block = self.pass.last.min(self.pass.last_bad);
        let cursor = self.pager.cursor()?.clone();
        (block > self.pass.first && block < self.last_place()).then_some(Place { block, cursor })
    }

    /// Ends the current part, and drops the pages of the part before it.
    fn add_place(&mut self) {
        let end = self.last_place();
        if let Some(place) = self.current_place() {
            self.places.push(place);
            self.pass.pages.drain(..self.pass.placed);
            self.pass.placed = self.pass.pages.len();
            self.pass.end = end;
        }
    }

    /// Reverses a page and moves the position after it. `blocks` has the block of each record. Removes records that the pass does
    /// not return.
    fn reverse(&mut self, mut page: Box<FramePage>, blocks: &[u64]) -> ListPage {
        let pass = &mut self.pass;
        let last = self.to.min(pass.end - 1);
        // The part that was returned before has the rest of this page.
        let is_cut = pass.first > self.from && blocks.last().is_some_and(|block| *block < pass.first);
        let mut rows = Vec::new();
        for (row, block) in page.rows.iter().zip(blocks).rev() {
            if *block < pass.first || *block > last {
                continue;
            }
            if *block == pass.first && pass.skip > 0 {
                pass.skip -= 1;
                continue;
            }
            if *block != self.position.0 {
                self.position = (*block, 0);
            }
            self.position.1 += 1;
            rows.push(*row);
        }
        page.rows = rows;
        page.bad_records.retain(|bad| is_within(bad, pass.first..=last, !is_cut));
        page.bad_records.append(&mut self.bad_records);
        (page.next, page.cursor_error) = (None, None);
        let is_last = pass.pages.is_empty();
        if is_last {
            self.position = (pass.end, 0);
        }
        let is_end = is_last && pass.end > self.to;
        ListPage { page, resume: (!is_end).then(|| self.resume_point()) }
    }
}

/// Whether a bad record is reported: if its block is within `blocks` or, with `includes_unknown`, unknown. Where the service
/// could not serve a page, records newer than the block may be missing, too.
fn is_within(bad: &BadRecord, blocks: RangeInclusive<u64>, includes_unknown: bool) -> bool {
    match bad.block {
        Some(block) if block > *blocks.end() => false,
        Some(block) if block >= *blocks.start() => true,
        block => includes_unknown && (block.is_none() || bad.raw.is_empty()),
    }
}
