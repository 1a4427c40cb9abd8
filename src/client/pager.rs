//! One page after the other: follows the cursor and nothing else, notices when it leads in a circle, and can say at any
//! time where to go on.

use super::resume::{self, digest};
use super::{Client, Pages, ReadPage, Runtime};
use crate::decode::Cursor;
use crate::endpoint::Request;
use crate::error::{Error, ErrorCode};
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
    End,
}

impl<R: Runtime, P: Pages> Pager<R, P> {
    /// Starts at the first page, or after the page that gave the token.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] for `resume` when the token does not belong here.
    pub fn new(client: Client<R>, request: Request, pages: P, resume: Option<&str>) -> Result<Self, Error> {
        let mut pager =
            Self { client, request, pages, position: Position::Start, followed: Vec::new(), empty_pages: 0 };
        if let Some(token) = resume {
            pager.follow(resume::cursor(token, pager.client.base(), &pager.request)?);
        }
        Ok(pager)
    }

    /// The next page; nothing after the last one. After an error the same page can be asked for again. Dropping the future
    /// ends the request and leaves the pager where it was.
    ///
    /// # Errors
    /// Whatever kept the page from being read, with a resume token for it.
    pub async fn next(&mut self) -> Result<Option<P::Page>, Error> {
        let cursor = match &self.position {
            Position::End => return Ok(None),
            Position::Start => None,
            Position::After(cursor) => Some(cursor),
        };
        let read = self.client.read(&self.request, cursor, &mut self.pages).await;
        read.and_then(|read| self.turn(read)).map(Some).map_err(|mut error| {
            error.resume_token = self.resume_token();
            error
        })
    }

    /// Continues after the last page that was read; nothing before the first page and after the last.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        match &self.position {
            Position::After(cursor) => Some(resume::token(self.client.base(), &self.request, cursor)),
            Position::Start | Position::End => None,
        }
    }

    /// Moves on to where a page leads.
    fn turn(&mut self, read: ReadPage<P::Page>) -> Result<P::Page, Error> {
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
        let cursor = if let Position::After(cursor) = &self.position { Some(cursor) } else { None };
        error.url = Some(self.request.url(self.client.base(), cursor));
        error
    }

    fn follow(&mut self, cursor: Cursor) {
        let digest = identity(&cursor);
        if let Err(place) = self.followed.binary_search(&digest) {
            self.followed.insert(place, digest);
        }
        self.position = Position::After(cursor);
    }
}

fn identity(cursor: &Cursor) -> u64 {
    let mut text = String::new();
    for (name, value) in cursor.parameters() {
        text.push_str(name);
        text.push('\0');
        text.push_str(value);
        text.push('\0');
    }
    digest(text.as_bytes())
}
