//! An answer, read while its bytes arrive: rows into a frame, the members beside them, the cursor of a list.
//!
//! Reading can stop at every row and at every other member of the page; what was begun there is begun anew when more
//! bytes have come.

use super::cursor::Cursor;
use super::drift::{Drift, DriftLog};
use super::fail::{Fail, Stopped};
use super::frame::Frame;
use super::memory::Memory;
use super::record::{Decoder, Progress};
use super::scan::{MARK, Scanner};
use crate::record::{Mismatch, Table};

/// How an answer is laid out.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The member that holds the rows, and whether it may be null; nothing where there are no rows.
    pub rows: Option<(&'static str, bool)>,
    /// A row.
    pub row: &'static Table,
    /// What stands beside the rows.
    pub envelope: &'static Table,
}

impl Layout {
    /// A page of a list of the REST interface.
    #[must_use]
    pub const fn list(row: &'static Table, envelope: &'static Table) -> Self {
        Self { rows: Some(("items", false)), row, envelope }
    }

    /// An answer of the module/action interface: rows under `result`, null for a refusal.
    #[must_use]
    pub const fn rows(row: &'static Table, envelope: &'static Table) -> Self {
        Self { rows: Some(("result", true)), row, envelope }
    }

    /// An answer that is one record.
    #[must_use]
    pub const fn record(envelope: &'static Table) -> Self {
        Self { rows: None, row: envelope, envelope }
    }
}

/// What the caller wants of the decoder.
#[derive(Debug, Clone, Copy, Default)]
pub struct Leniency {
    /// Whether rows that do not fit are left out and reported, rather than failing the page.
    pub skip_bad_rows: bool,
    /// Whether unknown fields are kept.
    pub keep_extra: bool,
}

/// A row that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// What does not fit.
    pub mismatch: Mismatch,
    /// The row's JSON.
    pub raw: String,
}

/// A page that was read.
#[derive(Debug)]
pub struct FramePage {
    /// The values.
    pub frame: Frame,
    /// Positions of the rows' records.
    pub rows: Vec<u32>,
    /// Whether there were rows, even if none: not where null stood for them.
    pub has_rows: bool,
    /// Position of the record that holds the members beside the rows. In a part of a page, those that came before.
    pub envelope: u32,
    /// Where the list goes on; nothing at its end.
    pub next: Option<Cursor>,
    /// Why the service's cursor cannot be sent back, if it cannot: the list goes on, but nobody knows where.
    pub cursor_error: Option<Mismatch>,
    /// Rows that were left out.
    pub bad_rows: Vec<BadRow>,
    /// Drift that was seen so far, in other answers too; in a part of an answer, since the part before.
    pub drift: Vec<Drift>,
}

/// What is kept between the pages of a list.
#[derive(Debug, Default)]
pub struct Experience {
    memory: Memory,
    drift: DriftLog,
}

/// Reads one page.
#[derive(Debug)]
pub struct PageDecoder {
    layout: Layout,
    leniency: Leniency,
    experience: Experience,
    input: Vec<u8>,
    /// How much was read and let go.
    dropped: usize,
    state: State,
    /// Input up to here has been read.
    done: usize,
    /// With less input than this, reading on is not worth while: a row of many megabytes is not read at every chunk.
    wanted: usize,
    frame: Frame,
    rows: Vec<u32>,
    envelope_at: usize,
    progress: Progress,
    /// The members beside the rows as they came, each with a comma behind it: they belong to each part of the page.
    beside: Vec<u8>,
    has_rows: bool,
    next: Option<Cursor>,
    cursor_error: Option<Mismatch>,
    bad_rows: Vec<BadRow>,
    read_rows: usize,
    /// Whether rows can be read again: their bytes are kept until they are taken.
    rereads: bool,
    /// Where the rows begin that can be read again.
    starts: Vec<Start>,
    /// How much of the document the parts hold that were taken.
    taken: usize,
}

/// Where a row begins, and how many were left out before it.
#[derive(Debug)]
struct Start {
    at: usize,
    bad: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Members { first: bool },
    Rows { first: bool },
    End,
}

impl PageDecoder {
    /// A decoder for a page of a list: rows of this table, with the members of `envelope` beside them.
    #[must_use]
    pub fn new(row: &'static Table, envelope: &'static Table, leniency: Leniency, experience: Experience) -> Self {
        Self::of(Layout::list(row, envelope), leniency, experience)
    }

    /// A decoder for an answer of this layout.
    #[must_use]
    pub fn of(layout: Layout, leniency: Leniency, mut experience: Experience) -> Self {
        experience.drift.begin_anew();
        let (frame, envelope_at) = Self::new_frame(layout);
        Self {
            layout,
            leniency,
            experience,
            input: Vec::new(),
            dropped: 0,
            state: State::Start,
            done: 0,
            wanted: 0,
            frame,
            rows: Vec::new(),
            envelope_at,
            progress: Progress::default(),
            beside: Vec::new(),
            has_rows: false,
            next: None,
            cursor_error: None,
            bad_rows: Vec::new(),
            read_rows: 0,
            rereads: false,
            starts: Vec::new(),
            taken: 0,
        }
    }

    /// The same decoder, whose parts may end where a field's value changes.
    #[must_use]
    pub const fn that_rereads(mut self) -> Self {
        self.rereads = true;
        self
    }

    fn new_frame(layout: Layout) -> (Frame, usize) {
        let mut frame = Frame::new();
        let envelope_at = frame.reserve(layout.envelope.fields.len());
        (frame, envelope_at)
    }

    /// How many rows have been read that were not taken.
    #[must_use]
    pub const fn ready(&self) -> usize {
        self.rows.len() + self.bad_rows.len()
    }

    /// How many bytes were read that were not taken.
    #[must_use]
    pub const fn ready_bytes(&self) -> usize {
        self.dropped + self.done - self.taken
    }

    /// Whether something stands beside the rows that have come.
    #[must_use]
    pub const fn has_beside(&self) -> bool {
        !self.beside.is_empty()
    }

    /// How many bytes the parts hold that were taken.
    #[must_use]
    pub const fn taken_bytes(&self) -> usize {
        self.taken
    }

    /// Takes the rows as [`Self::take`] does, and reads those at the end again that have one value in this field: they begin
    /// the next part too. Nothing where all rows have the same, and before and after the rows. Only a decoder
    /// [`that_rereads`](Self::that_rereads) can do so.
    pub fn take_until(&mut self, field: usize) -> Option<FramePage> {
        let value = |row: &u32| self.frame.content(self.frame.get(*row as usize + field));
        let last = self.rows.last().map(value)?;
        let before = self.rows.iter().rposition(|row| value(row) != last)?;
        let first = self.starts.get(before + 1).filter(|_| matches!(self.state, State::Rows { .. }))?;
        self.done = first.at;
        self.read_rows -= self.ready() - (before + 1) - first.bad;
        self.bad_rows.truncate(first.bad);
        self.state = State::Rows { first: true };
        Some(self.take())
    }

    /// Takes the rows that have been read: a part of the page, with the members that stood before them and no cursor. What
    /// follows makes other parts, the last of which [`Self::finish`] gives. The document may still turn out to be no JSON.
    pub fn take(&mut self) -> FramePage {
        let (mut frame, envelope_at) = Self::new_frame(self.layout);
        frame.expect(self.ready_bytes());
        self.taken = self.dropped + self.done;
        self.starts.clear();
        self.let_go();
        let page = self.read(frame);
        self.envelope_at = envelope_at;
        self.progress = Progress::default();
        let beside = std::mem::take(&mut self.beside);
        let mut decoder = Decoder {
            scan: Scanner::at(&beside, 0),
            frame: &mut self.frame,
            memory: &mut self.experience.memory,
            drift: &mut self.experience.drift,
            keep_extra: self.leniency.keep_extra,
        };
        // They were read before: nothing is found in them that was not known then.
        while !decoder.scan.rest().is_empty() {
            let read = decoder.scan.key().and_then(|key| {
                decoder.member_beside(self.layout.envelope, self.envelope_at, &key, &mut self.progress)?;
                decoder.scan.expect(b',', "a comma")
            });
            if read.is_err() {
                break;
            }
        }
        if self.state == State::End {
            let _ = decoder.end(self.layout.envelope, self.envelope_at, &mut self.progress);
        }
        self.experience.memory.forget_records();
        self.beside = beside;
        page
    }

    /// What was read, with another frame in its place.
    fn read(&mut self, next: Frame) -> FramePage {
        self.frame.close();
        self.experience.memory.forget_records();
        FramePage {
            frame: std::mem::replace(&mut self.frame, next),
            rows: std::mem::take(&mut self.rows),
            has_rows: self.has_rows,
            envelope: position(self.envelope_at),
            next: None,
            cursor_error: None,
            bad_rows: std::mem::take(&mut self.bad_rows),
            drift: self.experience.drift.take_new(),
        }
    }

    /// Takes bytes as they arrive and reads as far as they go.
    ///
    /// # Errors
    /// What does not fit; nothing can be read after that.
    pub fn feed(&mut self, chunk: Vec<u8>) -> Result<(), Fail> {
        if self.starts.is_empty() {
            self.let_go();
        }
        if self.input.is_empty() {
            self.frame.expect(chunk.len());
            self.input = chunk;
        } else {
            self.input.extend_from_slice(&chunk);
        }
        if self.input.len() < self.wanted {
            return Ok(());
        }
        loop {
            match self.step() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(Fail::More) => {
                    self.wanted = self.done + (self.input.len() - self.done) * 5 / 4;
                    return Ok(());
                }
                Err(fail) => return Err(fail),
            }
        }
    }

    /// Forgets the input that has been read.
    fn let_go(&mut self) {
        if self.done > 0 {
            self.input.drain(..self.done);
            self.dropped += self.done;
            self.wanted = self.wanted.saturating_sub(self.done);
            self.done = 0;
            self.experience.memory.forget_records();
        }
    }

    /// Ends the page.
    ///
    /// # Errors
    /// When the document is not complete.
    pub fn finish(mut self) -> Result<(FramePage, Experience), Fail> {
        if self.state != State::End {
            // Input that was not worth reading may have been enough.
            self.wanted = 0;
            self.feed(Vec::new())?;
        }
        if self.state != State::End {
            let found: &[u8] = if self.input.is_empty() && self.state == State::Start { b"" } else { b"its end" };
            return Err(Fail::syntax("a whole JSON document", found));
        }
        let mut page = self.read(Frame::default());
        (page.next, page.cursor_error) = (self.next.take(), self.cursor_error.take());
        Ok((page, std::mem::take(&mut self.experience)))
    }

    /// Reads one member of the page, or the rows; false when there is nothing more to read.
    fn step(&mut self) -> Result<bool, Fail> {
        let mut decoder = Decoder {
            scan: Scanner::at(&self.input, self.done).after(self.dropped),
            frame: &mut self.frame,
            memory: &mut self.experience.memory,
            drift: &mut self.experience.drift,
            keep_extra: self.leniency.keep_extra,
        };
        let Layout { rows, row, envelope } = self.layout;
        let (rows_key, null_rows) = rows.unwrap_or_default();
        // The next state, if there is more to read.
        let mut read = || match self.state {
            State::Start => {
                begin(&mut decoder.scan)?;
                Ok(Some(State::Members { first: true }))
            }
            State::Members { first } => {
                if decoder.scan.next_member(b'}', first)? {
                    let start = decoder.scan.position();
                    let key = decoder.scan.key()?;
                    match &*key {
                        key if rows.is_some() && key == rows_key.as_bytes() => {
                            let first = decoder.scan.peek()?;
                            if self.has_rows {
                                decoder.scan.unfit("one list", b"a second one");
                                return Err(decoder.scan.outward(rows_key));
                            }
                            if first == b'n' && null_rows {
                                decoder.scan.literal("null")?;
                            } else if first == b'[' {
                                decoder.scan.advance(1);
                                self.has_rows = true;
                                return Ok(Some(State::Rows { first: true }));
                            } else {
                                decoder.scan.mismatch("a list");
                                return Err(decoder.scan.outward(rows_key));
                            }
                        }
                        b"next_page_params" if rows.is_some() => {
                            (self.next, self.cursor_error) = Cursor::member(&mut decoder.scan)?;
                        }
                        _ => {
                            decoder.member_beside(envelope, self.envelope_at, &key, &mut self.progress)?;
                            if rows.is_some() {
                                self.beside.extend_from_slice(decoder.scan.since(start));
                                self.beside.push(b',');
                            }
                        }
                    }
                    Ok(Some(State::Members { first: false }))
                } else if self.has_rows || null_rows || rows.is_none() {
                    decoder.end(envelope, self.envelope_at, &mut self.progress)?;
                    Ok(Some(State::End))
                } else {
                    decoder.scan.unfit("a list", b"");
                    Err(decoder.scan.outward(rows_key))
                }
            }
            State::Rows { mut first } => {
                let learned = decoder.memory.of(row);
                while decoder.scan.next_member(b']', first)? {
                    decoder.scan.peek()?;
                    let start = Start { at: decoder.scan.position(), bad: self.bad_rows.len() };
                    match decoder.row(row, learned) {
                        Ok(at) => {
                            self.rows.push(position(at));
                            self.starts.extend(self.rereads.then_some(start));
                        }
                        Err(Stopped) => {
                            let why = decoder.scan.why().in_element(self.read_rows).in_field(rows_key);
                            let mismatch = match why {
                                Fail::Shape(mismatch) if self.leniency.skip_bad_rows => mismatch,
                                why => return Err(decoder.scan.stop(why)),
                            };
                            let raw = crate::text::lossy(decoder.scan.since(start.at));
                            self.bad_rows.push(BadRow { mismatch: *mismatch, raw });
                        }
                    }
                    self.read_rows += 1;
                    // Where more of the input is waited for, reading goes on here.
                    first = false;
                    self.state = State::Rows { first };
                    self.done = decoder.scan.position();
                }
                Ok(Some(State::Members { first: false }))
            }
            State::End => match decoder.scan.peek() {
                Err(Stopped) => Ok(None),
                Ok(_) => Err(decoder.scan.syntax("the end of the document")),
            },
        };
        let Some(next) = read().map_err(|Stopped| decoder.scan.why())? else { return Ok(false) };
        self.done = decoder.scan.position();
        self.state = next;
        Ok(true)
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Steps into the document, over a byte order mark.
fn begin(scan: &mut Scanner<'_>) -> Result<(), Stopped> {
    if scan.rest().len() < MARK.len() && MARK.starts_with(scan.rest()) {
        return Err(Stopped);
    }
    scan.skip_mark();
    if scan.peek()? != b'{' {
        return Err(scan.mismatch("an object"));
    }
    scan.advance(1);
    Ok(())
}
