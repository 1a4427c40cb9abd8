//! Reads a list page by page: follows the cursors of the pages, detects cursors that repeat, and creates resume tokens.
//! [`Pager`] returns pages as frames, [`ListPages`](super::ListPages) as structs.

use std::rc::Rc;
use std::sync::Arc;

use super::page_size::{PageSize, StatedSize, learn};
use crate::client::handle::Client;
use crate::client::rate_limiter::Priority;
use crate::client::resume::{self, ResumePoint, TokenSubject, digest};
use crate::client::retry::{FetchStart, is_permanent_500, response_error};
use crate::client::runtime::Runtime;
use crate::client::transport::Target;
use crate::decode::{Cursor, DecodeError, FrameDecoder, FramePage};
use crate::endpoint::request::has_long_query;
use crate::endpoint::{Keyset, Request};
use crate::error::{Error, ErrorCode};
use crate::record::Mismatch;
use crate::strings::{format_u64, split_once, truncate_chars};

/// Maximum number of consecutive empty pages. The service hides some rows, so single pages may be empty.
const MAX_EMPTY_PAGES: u32 = 100;

/// A page of a list as a frame.
#[derive(Debug)]
pub struct ListPage {
    /// The records.
    pub page: Box<FramePage>,
    /// Continues after the page. `None` at the end of the list.
    pub resume: Option<ResumePoint>,
}

impl AsRef<FramePage> for ListPage {
    fn as_ref(&self) -> &FramePage {
        &self.page
    }
}

impl AsMut<FramePage> for ListPage {
    fn as_mut(&mut self) -> &mut FramePage {
        &mut self.page
    }
}

/// Reads a list page by page.
#[derive(Debug)]
pub struct Pager<R: Runtime> {
    pub(super) client: Client<R>,
    subject: Arc<TokenSubject>,
    decoder: FrameDecoder,
    /// The order of the list.
    pub(super) keyset: Option<Keyset>,
    /// Whether the list continues after records that the service cannot serve.
    pub(super) skips_bad_records: bool,
    position: ListPosition,
    /// Priority of the next request. A user waits for the first page, even if it is the page of a resume token.
    priority: Priority,
    /// Digests of all cursors that were followed, sorted.
    followed: Vec<u64>,
    empty_pages: u32,
    /// Siblings share it.
    pub(super) page_size: PageSize,
    /// The service cannot serve one of this many records after the position. 0 if no page has failed.
    suspect_records: u32,
}

#[derive(Debug, Clone)]
enum ListPosition {
    Start,
    After(Cursor),
    /// The page at this cursor was returned, but the next cursor in it is unreadable. An empty cursor stands for the first
    /// page. Holds the error until `next` returns it.
    Blocked(Cursor, Option<Error>),
    End,
}

/// Suffix of a cursor in the resume token at [`ListPosition::Blocked`]. A cursor never ends with this character.
const BLOCKED_SUFFIX: &str = "&";

/// The first key in the resume tokens of a list that is read oldest first.
pub(super) const OLDEST_FIRST: &str = "asc";

impl<R: Runtime> Pager<R> {
    /// Creates a pager that starts at the first page, or at the position of the resume token.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] for `resume` if the token belongs to another request.
    pub fn new(
        client: Client<R>,
        request: Request,
        decoder: FrameDecoder,
        resume: Option<&str>,
    ) -> Result<Self, Error> {
        let page_size = PageSize { operation: request.operation(), chosen: Rc::default() };
        let mut pager = Self {
            subject: Arc::new(TokenSubject { url: client.inner.source_url.clone(), request }),
            client,
            decoder,
            keyset: None,
            skips_bad_records: false,
            position: ListPosition::Start,
            priority: Priority::Interactive,
            followed: Vec::new(),
            empty_pages: 0,
            page_size,
            suspect_records: 0,
        };
        if let Some(token) = resume {
            let is_blocked = token.ends_with(BLOCKED_SUFFIX);
            pager.follow(pager.decode_token(token, false)?);
            if is_blocked {
                pager.block(None);
            }
        }
        Ok(pager)
    }

    /// Decodes the position of a resume token. Fails if the token is for the opposite order.
    pub(super) fn decode_token(&self, token: &str, is_oldest_first: bool) -> Result<Cursor, Error> {
        let position = resume::decode_token(token, &self.client.token_urls(), &self.subject.request)?;
        if is_oldest_first != split_once(position, "=").is_some_and(|(name, _)| name == OLDEST_FIRST) {
            return Err(resume::other_request());
        }
        resume::decode_cursor(position.strip_suffix(BLOCKED_SUFFIX).unwrap_or(position))
    }

    /// Returns the next page, or `None` after the last one; see [`ListPages::next`](super::ListPages::next).
    ///
    /// # Errors
    /// Any failure of the request or of decoding, with a resume token for the page.
    pub async fn next(&mut self) -> Result<Option<ListPage>, Error> {
        while !matches!(self.position, ListPosition::End) {
            // The records of a blocked page were returned before.
            let is_repeated = matches!(self.position, ListPosition::Blocked(..));
            match self.read_page().await {
                Ok(Some(page)) if !is_repeated => {
                    self.priority = Priority::Bulk;
                    return Ok(Some(ListPage { page, resume: self.resume_point() }));
                }
                Ok(_) => {}
                Err(mut error) => {
                    error.resume_token = self.resume_point().map(|point| point.token());
                    return Err(error);
                }
            }
        }
        Ok(None)
    }

    /// Reads the page at the position, and moves to the next one. `None` if a smaller page is to be requested.
    async fn read_page(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        if let ListPosition::Blocked(_, error) = &mut self.position
            && let Some(error) = error.take()
        {
            return Err(error);
        }
        // The page is requested again with the size that its cursor states. After another size it would end elsewhere.
        let is_repeated = matches!(self.position, ListPosition::Blocked(..));
        let is_first = self.priority == Priority::Interactive;
        let mut size = match self.suspect_records {
            _ if is_repeated => StatedSize::FromCursor,
            0 => self.page_size.next(&self.client, is_first).await?,
            records => StatedSize::fixed((records / 2).max(1)),
        };
        let (client, cursor) = (self.client.clone(), self.position.cursor().cloned());
        let mut page = match self.fetch_page(&client, cursor.as_ref(), &size).await {
            Err(error) if !is_repeated && self.page_size.can_omit(&error, &size.apply(self.position.keys())) => {
                size = StatedSize::Unset;
                let page = self.fetch_page(&client, cursor.as_ref(), &size).await?;
                learn(&self.client, Some(false));
                page
            }
            Err(error) if !is_repeated && is_permanent_500(&error) => {
                let records = size.records();
                if self.skips_bad_records && records > 1 && self.page_size.is_selectable(&client).await {
                    self.suspect_records = records;
                    return Ok(None);
                }
                let (page, next) = self.skip_unserved_record(error, cursor.as_ref(), &size).await?;
                if let Some(next) = next {
                    self.follow(next);
                }
                page
            }
            Err(error) => {
                self.page_size.learn_from_error(&self.client, &error);
                return Err(error);
            }
            Ok(page) => page,
        };
        self.suspect_records = self.suspect_records.saturating_sub(size.records());
        self.page_size.learn_from(&self.client, &page).await?;
        if let Some(key) = &self.client.inner.transport.options.api_key {
            key.remove_from_cursor(&mut page.next);
            if let Some(mismatch) = &mut page.cursor_error {
                mismatch.path = key.redact(&mismatch.path);
                mismatch.found = key.redact(&mismatch.found);
            }
        }
        self.advance(&page, size)?;
        Ok(Some(page))
    }

    /// Fetches the page at a cursor with this size.
    pub(super) async fn fetch_page(
        &mut self,
        client: &Client<R>,
        cursor: Option<&Cursor>,
        size: &StatedSize,
    ) -> Result<Box<FramePage>, Error> {
        let keys = size.apply(cursor.map(|cursor| cursor.parameters().collect()).unwrap_or_default());
        let target = Target { priority: self.priority, ..client.target(&self.subject.request, &keys) };
        // `Request` has checked the length of the parameters. Only the cursor can be too long.
        if has_long_query(&target.url) {
            return Err(cursor_too_long(target.url));
        }
        let requirement = self.page_size.requirement().or_else(|| self.subject.request.requirement());
        let start = FetchStart::Request;
        let mut page = client.fetch(target, requirement, &mut self.decoder, None, start).await?.page;
        if let Some(next) = &mut page.next {
            next.drop_sent(&keys);
        }
        Ok(page)
    }

    /// Returns the position after the last page that was returned. `None` at the beginning and at the end of the list.
    pub(super) fn resume_point(&self) -> Option<ResumePoint> {
        let mut point = self.resume_point_at(self.position.cursor()?.clone());
        if matches!(self.position, ListPosition::Blocked(..)) {
            point.suffix = BLOCKED_SUFFIX;
        }
        Some(point)
    }

    /// The cursor of the next page. `None` for the first page, and if it is unknown.
    pub(super) const fn cursor(&self) -> Option<&Cursor> {
        if let ListPosition::After(cursor) = &self.position { Some(cursor) } else { None }
    }

    /// Continues at a cursor, or at the beginning of the list.
    pub(super) fn restart(&mut self, cursor: Option<Cursor>) {
        self.position = ListPosition::Start;
        self.followed.clear();
        (self.empty_pages, self.suspect_records) = (0, 0);
        if let Some(cursor) = cursor {
            self.follow(cursor);
        }
    }

    /// Returns the position of a cursor.
    pub(super) fn resume_point_at(&self, cursor: Cursor) -> ResumePoint {
        ResumePoint::new(Arc::clone(&self.subject), cursor)
    }

    /// Whether the list is in its default order.
    pub(crate) fn has_default_order(&self) -> bool {
        self.subject.request.has_default_order()
    }

    /// Moves the position to the page after this one, which was requested with this size.
    fn advance(&mut self, page: &FramePage, size: StatedSize) -> Result<(), Error> {
        if let Some(mismatch) = &page.cursor_error {
            let error = self.unreadable_cursor_error(mismatch, &size);
            if matches!(self.position, ListPosition::Blocked(..)) {
                return Err(error);
            }
            self.block(Some(error));
            if let ListPosition::Blocked(cursor, _) = &mut self.position {
                size.write_to(cursor);
            }
            return Ok(());
        }
        let Some(next) = page.next.clone() else {
            self.position = ListPosition::End;
            return Ok(());
        };
        if self.followed.binary_search(&position_digest(&next)).is_ok() {
            let message = "the cursor repeats: it leads to a page that was read before. No records are returned twice; try again \
                           later from the resume token, or narrow the query";
            return Err(self.cursor_error(message.into(), &size));
        }
        let is_empty = page.rows.is_empty() && page.bad_records.is_empty();
        self.empty_pages = if is_empty { self.empty_pages + 1 } else { 0 };
        self.follow(next);
        if self.empty_pages >= MAX_EMPTY_PAGES {
            self.empty_pages = 0;
            let count = format_u64(MAX_EMPTY_PAGES.into());
            let message = count + " consecutive pages were empty; continue after them with the resume token";
            return Err(self.cursor_error(message, &StatedSize::FromCursor));
        }
        Ok(())
    }

    /// The error for a list that cannot be continued.
    fn cursor_error(&self, message: String, size: &StatedSize) -> Error {
        let mut error = Error::new(ErrorCode::Cursor, message);
        error.url = Some(self.url(size));
        error
    }

    /// The error for a page whose next cursor is unreadable.
    fn unreadable_cursor_error(&self, mismatch: &Mismatch, size: &StatedSize) -> Error {
        let mut error = response_error::decode_error(&DecodeError::Cursor(Box::new(mismatch.clone())), &[], false);
        error.url = Some(self.url(size));
        error
    }

    /// The URL of the current page with this size.
    fn url(&self, size: &StatedSize) -> String {
        self.subject.request.url(self.client.base_url(), &size.apply(self.position.keys()))
    }

    /// Moves to [`ListPosition::Blocked`]: the current page was read, but the next one is unknown.
    fn block(&mut self, error: Option<Error>) {
        let position = std::mem::replace(&mut self.position, ListPosition::End);
        let cursor = if let ListPosition::After(cursor) = position { cursor } else { Cursor::default() };
        self.position = ListPosition::Blocked(cursor, error);
    }

    fn follow(&mut self, cursor: Cursor) {
        let digest = position_digest(&cursor);
        if let Err(index) = self.followed.binary_search(&digest) {
            self.followed.insert(index, digest);
        }
        self.position = ListPosition::After(cursor);
    }

    /// Creates a pager of the same list that starts after this cursor.
    pub(crate) fn create_sibling(&self, cursor: Cursor) -> Self {
        Self {
            client: self.client.clone(),
            subject: Arc::clone(&self.subject),
            decoder: self.decoder.create_sibling(),
            followed: vec![position_digest(&cursor)],
            position: ListPosition::After(cursor),
            priority: Priority::Bulk,
            empty_pages: 0,
            page_size: self.page_size.clone(),
            suspect_records: 0,
            keyset: self.keyset,
            skips_bad_records: self.skips_bad_records,
        }
    }
}

impl ListPosition {
    /// The cursor of the page that is read next.
    const fn cursor(&self) -> Option<&Cursor> {
        match self {
            Self::After(cursor) | Self::Blocked(cursor, _) => Some(cursor),
            Self::Start | Self::End => None,
        }
    }

    /// The keys of the cursor. Empty for the first page.
    fn keys(&self) -> Vec<(&str, &str)> {
        self.cursor().map(|cursor| cursor.parameters().collect()).unwrap_or_default()
    }
}

/// Digest of the position that a cursor points to. Ignores `items_count`, unless it is the only parameter. Service versions up
/// to 8 increase `items_count` with every page, so a cursor that differs only in `items_count` makes no progress.
fn position_digest(cursor: &Cursor) -> u64 {
    const COUNTER: &str = "items_count";
    let has_only_counter = cursor.parameters().all(|(name, _)| name == COUNTER);
    let mut input = String::new();
    for (name, value) in cursor.parameters() {
        if has_only_counter || name != COUNTER {
            input.push_str(&[name, "\0", value, "\0"].concat());
        }
    }
    digest(input.as_bytes())
}

/// The error for a cursor that makes the URL longer than the service accepts.
fn cursor_too_long(mut url: String) -> Error {
    const MAX_CHARS: usize = 200;
    truncate_chars(&mut url, MAX_CHARS);
    let message =
        ["the cursor of the next page makes the URL longer than the service accepts: ", &*url, "; narrow the query"]
            .concat();
    let mut error = Error::new(ErrorCode::Cursor, message);
    error.url = Some(url);
    error
}
