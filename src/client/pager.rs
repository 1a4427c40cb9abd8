//! One page after the other: follows the cursor and nothing else, notices when it leads in a circle, and can say at any
//! time where to go on.

use super::resume::{self, digest};
use super::{Client, Pages, ReadPage, Runtime, status};
use crate::decode::{Cursor, Fail};
use crate::endpoint::Request;
use crate::error::{Error, ErrorCode};
use crate::record::Mismatch;
use crate::text::number;

/// Empty pages in a row that are followed: hidden rows make a page empty, but not for ever.
const MAX_EMPTY_PAGES: u32 = 100;

/// Reads a list page by page.
#[derive(Debug)]
pub struct Pager<R: Runtime, P> {
    client: Client<R>,
    request: Request,
    pages: P,
    position: Position,
    /// Digests of the cursors that were followed, in ascending order.
    followed: Vec<u64>,
    empty_pages: u32,
}

#[derive(Debug, Clone)]
enum Position {
    Start,
    After(Cursor),
    /// Behind the page of this cursor (without keys: the first page), whose own cursor cannot be read. The error, until it
    /// is returned.
    Behind(Cursor, Option<Error>),
    End,
}

/// Ends the resume token of [`Position::Behind`]. No query ends in it.
const BEHIND: char = '&';

impl<R: Runtime, P: Pages> Pager<R, P> {
    /// Starts at the first page, or after the page that gave the token.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] for `resume` when the token does not belong here.
    pub fn new(client: Client<R>, request: Request, pages: P, resume: Option<&str>) -> Result<Self, Error> {
        let mut pager =
            Self { client, request, pages, position: Position::Start, followed: Vec::new(), empty_pages: 0 };
        if let Some(token) = resume {
            let page = token.strip_suffix(BEHIND);
            pager.follow(resume::cursor(page.unwrap_or(token), pager.client.base(), &pager.request)?);
            if page.is_some() {
                pager.stay_behind(None);
            }
        }
        Ok(pager)
    }

    /// The next page; nothing after the last one. After an error the same page can be asked for again. Dropping the future
    /// ends the request and leaves the pager where it was.
    ///
    /// A page whose cursor cannot be read is returned, and the error [`ErrorCode::Cursor`] follows it. Asking once more, or
    /// resuming from its token, requests the page again: if its cursor can be read now, the list goes on behind it.
    ///
    /// # Errors
    /// Whatever kept the page from being read, with a resume token for it.
    pub async fn next(&mut self) -> Result<Option<P::Page>, Error> {
        let next = self.read_next().await;
        next.map_err(|mut error| {
            error.resume_token = self.resume_token();
            error
        })
    }

    async fn read_next(&mut self) -> Result<Option<P::Page>, Error> {
        loop {
            if let Position::Behind(_, error) = &mut self.position
                && let Some(error) = error.take()
            {
                return Err(error);
            }
            if matches!(self.position, Position::End) {
                return Ok(None);
            }
            // The records of this page were returned before.
            let is_again = matches!(self.position, Position::Behind(..));
            let read = self.client.read(&self.request, self.position.cursor(), &mut self.pages).await?;
            let page = self.turn(read)?;
            if !is_again {
                return Ok(Some(page));
            }
        }
    }

    /// Continues after the last page that was read; nothing before the first page and after the last.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        let mut token = resume::token(self.client.base(), &self.request, self.position.cursor()?);
        if matches!(self.position, Position::Behind(..)) {
            token.push(BEHIND);
        }
        Some(token)
    }

    /// Moves on to where a page leads.
    fn turn(&mut self, mut read: ReadPage<P::Page>) -> Result<P::Page, Error> {
        if let Some(mismatch) = P::cursor_error(&mut read.page) {
            let error = self.unreadable(mismatch);
            if matches!(self.position, Position::Behind(..)) {
                return Err(error);
            }
            self.stay_behind(Some(error));
            return Ok(read.page);
        }
        let Some(next) = read.next else {
            self.position = Position::End;
            return Ok(read.page);
        };
        if self.followed.binary_search(&identity(&next)).is_ok() {
            return Err(self.astray(
                "the service leads the list back to a page that was read before; its records are not given out twice. \
                 Try again later from the resume token, or narrow the query"
                    .into(),
            ));
        }
        self.empty_pages = if read.is_empty { self.empty_pages + 1 } else { 0 };
        self.follow(next);
        if self.empty_pages >= MAX_EMPTY_PAGES {
            self.empty_pages = 0;
            let many = number(MAX_EMPTY_PAGES.into());
            let message = many + " pages in a row were empty; the resume token continues behind them";
            return Err(self.astray(message));
        }
        Ok(read.page)
    }

    /// The error of a list that cannot be followed from where it is.
    fn astray(&self, message: String) -> Error {
        let mut error = Error::new(ErrorCode::Cursor, message);
        error.url = Some(self.url());
        error
    }

    /// The error of a page whose cursor cannot be read.
    fn unreadable(&self, mismatch: &Mismatch) -> Error {
        let mut error = status::unreadable(&Fail::Cursor(Box::new(mismatch.clone())), &[]);
        error.url = Some(self.url());
        error
    }

    /// The URL of the page that is read.
    fn url(&self) -> String {
        self.request.url(self.client.base(), self.position.cursor())
    }

    /// Stays behind the page that was read, since nobody knows where the list goes on.
    fn stay_behind(&mut self, error: Option<Error>) {
        let position = std::mem::replace(&mut self.position, Position::End);
        let cursor = if let Position::After(cursor) = position { cursor } else { Cursor::default() };
        self.position = Position::Behind(cursor, error);
    }

    fn follow(&mut self, cursor: Cursor) {
        let digest = identity(&cursor);
        if let Err(place) = self.followed.binary_search(&digest) {
            self.followed.insert(place, digest);
        }
        self.position = Position::After(cursor);
    }
}

impl Position {
    /// The cursor of the page that is read next.
    const fn cursor(&self) -> Option<&Cursor> {
        match self {
            Self::After(cursor) | Self::Behind(cursor, _) => Some(cursor),
            Self::Start | Self::End => None,
        }
    }
}

/// Digest of what a cursor points to. `items_count` only counts: services up to 8 raise it with every page, so a cursor
/// that differs in nothing else makes no progress. It counts where there is nothing else.
fn identity(cursor: &Cursor) -> u64 {
    const COUNTER: &str = "items_count";
    let only_counts = cursor.parameters().all(|(name, _)| name == COUNTER);
    let mut text = String::new();
    for (name, value) in cursor.parameters().filter(|(name, _)| only_counts || *name != COUNTER) {
        text.push_str(name);
        text.push('\0');
        text.push_str(value);
        text.push('\0');
    }
    digest(text.as_bytes())
}
