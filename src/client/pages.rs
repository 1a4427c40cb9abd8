//! How answers are read: into frames for JavaScript, or into structs for Rust.

use std::marker::PhantomData;

use crate::decode::{Cursor, Experience, Fail, FramePage, Layout, Leniency, Page, PageDecoder};
use crate::endpoint::{List, ListParams};

/// Reads the pages of one list, one after the other.
pub trait Pages {
    /// A page.
    type Page;
    /// Begins a page; what an abandoned one left is dropped.
    fn begin(&mut self);
    /// Takes bytes of the page.
    ///
    /// # Errors
    /// What does not fit.
    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), Fail>;
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

/// Pages as frames.
#[derive(Debug)]
pub struct FramePages {
    layout: Layout,
    leniency: Leniency,
    experience: Experience,
    decoder: Option<PageDecoder>,
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
        Self { layout, leniency, experience: Experience::default(), decoder: None }
    }
}

impl Pages for FramePages {
    type Page = FramePage;

    fn begin(&mut self) {
        let experience = std::mem::take(&mut self.experience);
        self.decoder = Some(PageDecoder::of(self.layout, self.leniency, experience));
    }

    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), Fail> {
        self.decoder.as_mut().map_or(Ok(()), |decoder| decoder.feed(chunk))
    }

    fn finish(&mut self) -> Result<ReadPage<FramePage>, Fail> {
        let (page, experience) = self.decoder.take().ok_or(Fail::More)?.finish()?;
        self.experience = experience;
        Ok(ReadPage { is_empty: page.rows.is_empty() && page.bad_rows.is_empty(), next: page.next.clone(), page })
    }
}

/// Answers as their bytes.
#[derive(Debug, Default)]
pub struct RawPages(Vec<u8>);

impl Pages for RawPages {
    type Page = Vec<u8>;

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
