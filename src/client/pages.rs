//! How answers are read: into frames for JavaScript, or into structs for Rust.

use std::fmt;
use std::marker::PhantomData;

use super::lessons::Lessons;
use crate::decode::drift::Drift;
use crate::decode::page::BadRow;
use crate::decode::{Cursor, Fail, FramePage, Layout, Leniency, Page, PageDecoder};
use crate::endpoint::{List, ListParams};
use crate::record::Mismatch;

/// Reads the pages of one list, one after the other.
pub trait Pages {
    /// A page.
    type Page;
    /// Why the cursor of a page cannot be sent back, if it cannot.
    fn cursor_error(_page: &mut Self::Page) -> Option<&mut Mismatch> {
        None
    }
    /// The cursor that a page of a list shows.
    fn next_of(page: &mut Self::Page) -> Option<&mut Option<Cursor>>;
    /// Begins a page; what an abandoned one left is dropped.
    fn begin(&mut self);
    /// Takes bytes of the page.
    ///
    /// # Errors
    /// What does not fit.
    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), Fail>;
    /// What was read so far, if it can be given out before the rest. What follows makes other pages.
    fn part(&mut self) -> Option<ReadPage<Self::Page>> {
        None
    }
    /// Ends the page: itself, whether it is empty, and where the list goes on.
    ///
    /// # Errors
    /// What does not fit.
    fn finish(&mut self) -> Result<ReadPage<Self::Page>, Fail>;
}

/// A page that was read.
#[derive(Debug)]
pub struct ReadPage<P> {
    /// The page.
    pub page: P,
    /// Whether it holds no rows.
    pub is_empty: bool,
    /// Where the list goes on; nothing at its end.
    pub next: Option<Cursor>,
}

/// Rows are given on when those that have come are so many bytes of JSON: less than a piece of a body, so that each
/// piece does.
const PART: usize = 1 << 15;

/// Takes rows before their page has ended: those read since it took some last. Nothing in their place voids all that it
/// took of the page.
pub struct Sink(Box<dyn FnMut(Option<FramePage>)>);

impl Sink {
    /// Calls this function with the rows.
    pub fn new(take: impl FnMut(Option<FramePage>) + 'static) -> Self {
        Self(Box::new(take))
    }
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sink")
    }
}

/// What becomes of rows before their page has ended.
#[derive(Debug)]
enum Early {
    /// They wait for it.
    Wait,
    /// They go there; what there is to be told of them waits.
    Go(Sink, Vec<BadRow>, Vec<Drift>),
    /// They are given out up to where the value of this field changed last.
    Until(usize),
}

/// Pages as frames.
#[derive(Debug)]
pub struct FramePages {
    layout: Layout,
    leniency: Leniency,
    lessons: Lessons,
    decoder: Option<Box<PageDecoder>>,
    early: Early,
}

impl FramePages {
    /// Reads the pages of this list.
    #[must_use]
    pub fn new(list: &'static List, leniency: Leniency) -> Self {
        Self::of(Layout::list(list.item, list.envelope), leniency)
    }

    /// Reads answers of this layout.
    #[must_use]
    pub fn of(layout: Layout, leniency: Leniency) -> Self {
        Self { layout, leniency, lessons: Lessons::default(), decoder: None, early: Early::Wait }
    }

    /// The same, with what others have learned.
    pub(super) fn sharing(mut self, lessons: &Lessons) -> Self {
        self.lessons = lessons.clone();
        self
    }

    /// The same, which gives the rows of a large page to this sink while it arrives. The page itself has the last ones
    /// only.
    #[must_use]
    pub fn into_sink(mut self, sink: Sink) -> Self {
        self.early = Early::Go(sink, Vec::new(), Vec::new());
        self
    }

    /// The same, which gives out the rows of a page while it arrives, up to where the value of this field changed last.
    /// Those behind it are there too, and come again.
    #[must_use]
    pub fn until_change_of(mut self, field: usize) -> Self {
        self.early = Early::Until(field);
        self
    }
}

impl Pages for FramePages {
    type Page = Box<FramePage>;

    fn cursor_error(page: &mut Self::Page) -> Option<&mut Mismatch> {
        page.cursor_error.as_mut()
    }

    fn next_of(page: &mut Self::Page) -> Option<&mut Option<Cursor>> {
        Some(&mut page.next)
    }

    fn begin(&mut self) {
        let experience = self.lessons.take(self.layout, self.leniency);
        let mut decoder = PageDecoder::of(self.layout, self.leniency, experience);
        match &mut self.early {
            Early::Wait => {}
            Early::Go(Sink(take), bad_rows, drift) => {
                take(None);
                bad_rows.clear();
                drift.clear();
            }
            Early::Until(_) => decoder = decoder.that_rereads(),
        }
        self.decoder = Some(Box::new(decoder));
    }

    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), Fail> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        decoder.feed(chunk)?;
        if let Early::Go(Sink(take), bad_rows, drift) = &mut self.early
            && decoder.ready_bytes() >= PART
            && decoder.ready() > 0
        {
            let mut part = decoder.take();
            bad_rows.append(&mut part.bad_rows);
            drift.append(&mut part.drift);
            take(Some(part));
        }
        Ok(())
    }

    /// The first rows at once, more and more of them later: each part costs something.
    fn part(&mut self) -> Option<ReadPage<Box<FramePage>>> {
        let (Early::Until(field), Some(decoder)) = (&self.early, &mut self.decoder) else { return None };
        // Whether rows are complete is told beside them: where that comes later, they wait for it.
        if !decoder.has_beside() || decoder.ready_bytes() < decoder.taken_bytes().min(PART) {
            return None;
        }
        decoder.take_until(*field).map(read)
    }

    fn finish(&mut self) -> Result<ReadPage<Box<FramePage>>, Fail> {
        let (mut page, experience) = self.decoder.take().ok_or(Fail::More)?.finish()?;
        self.lessons.put(self.layout, self.leniency, experience);
        if let Early::Go(_, bad_rows, drift) = &mut self.early {
            bad_rows.append(&mut page.bad_rows);
            drift.append(&mut page.drift);
            (page.bad_rows, page.drift) = (std::mem::take(bad_rows), std::mem::take(drift));
        }
        Ok(read(page))
    }
}

fn read(page: FramePage) -> ReadPage<Box<FramePage>> {
    ReadPage {
        is_empty: page.rows.is_empty() && page.bad_rows.is_empty(),
        next: page.next.clone(),
        page: Box::new(page),
    }
}

/// Answers as their bytes.
#[derive(Debug, Default)]
pub struct RawPages(Vec<u8>);

impl Pages for RawPages {
    type Page = Vec<u8>;

    fn next_of(_: &mut Self::Page) -> Option<&mut Option<Cursor>> {
        None
    }

    fn begin(&mut self) {
        self.0.clear();
    }

    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), Fail> {
        self.0.extend_from_slice(&chunk);
        Ok(())
    }

    fn finish(&mut self) -> Result<ReadPage<Vec<u8>>, Fail> {
        Ok(ReadPage { page: std::mem::take(&mut self.0), is_empty: false, next: None })
    }
}

/// Pages as structs.
#[derive(Debug)]
pub struct TypedPages<P> {
    bytes: Vec<u8>,
    params: PhantomData<P>,
}

impl<P> Default for TypedPages<P> {
    fn default() -> Self {
        Self { bytes: Vec::new(), params: PhantomData }
    }
}

impl<P: ListParams> Pages for TypedPages<P> {
    type Page = Page<P::Item, P::Envelope>;

    fn cursor_error(page: &mut Self::Page) -> Option<&mut Mismatch> {
        page.cursor_error.as_mut()
    }

    fn next_of(page: &mut Self::Page) -> Option<&mut Option<Cursor>> {
        Some(&mut page.next)
    }

    fn begin(&mut self) {
        self.bytes.clear();
    }

    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), Fail> {
        self.bytes.extend_from_slice(&chunk);
        Ok(())
    }

    fn finish(&mut self) -> Result<ReadPage<Self::Page>, Fail> {
        let page = Page::read(&self.bytes)?;
        Ok(ReadPage { is_empty: page.items.is_empty(), next: page.next.clone(), page })
    }
}
