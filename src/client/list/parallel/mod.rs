//! Reads several parts of a list at the same time, and delivers their pages in order. Start with [`ListReader`].
//!
//! # Parts
//!
//! A *part* is a run of consecutive items with a [`Pager`] of its own. At first there is one part: the whole list. While requests
//! are idle, the `schedule` cuts parts in two: it makes a cursor for a position further down from one of the service. Only lists
//! with a [`Keyset`] have such cursors. An item belongs to a part by the integer that the list is sorted by, usually its block, so
//! that all items of a block are in the same part.
//!
//! - A part ends where the next one begins. The page that reaches the next part is shortened. It shows whether the next part
//!   began with the right item.
//! - A synthesized cursor is trusted only after a page with items below its position. Otherwise the part is discarded, and the one
//!   before it reads on. This also happens where the list has no further items, and where the service refuses the cursor.
//! - If the items are not in the declared order, no further parts are split off, and the list is read on without parts.
//! - If bad records were omitted from a page where two parts meet, their positions are unknown. The parts are then joined again.
//!
//! # Changes of the list
//!
//! New items appear before the first page. A reorganisation can repeat or drop items between two pages, as without parts.

mod part;
mod schedule;

use std::rc::Rc;

use self::schedule::Parts;
use super::pager::Pager;
use crate::client::handle::Client;
use crate::client::join::Join;
use crate::client::options::MAX_CONCURRENCY;
use crate::client::runtime::Runtime;
use crate::decode::{DecodeOptions, FramePage};
use crate::endpoint::{Keyset, List, Request};
use crate::error::Error;

/// Reads a list page by page, with one request at a time or with several.
#[derive(Debug)]
pub enum ListReader<R: Runtime> {
    /// With one request at a time.
    Sequential(Box<Pager<R>>),
    /// With several requests at the same time.
    Parallel(ParallelPager<R>),
}

impl<R: Runtime> ListReader<R> {
    /// Creates a reader with one request at a time, which starts at the first page, or at the position of the resume token.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` if the token belongs to another request.
    pub fn new(
        client: Client<R>,
        list: &'static List,
        request: Request,
        decode_options: DecodeOptions,
        resume: Option<&str>,
    ) -> Result<Self, Error> {
        let decoder = client.frame_decoder(list.layout, decode_options);
        Ok(Self::Sequential(Box::new(Pager::new(client, request, decoder, resume)?)))
    }

    /// Sets the maximum number of requests at the same time, from 1 to 10. It has no effect on a list that is not in a
    /// [`Keyset`]'s order.
    #[must_use]
    pub fn with_concurrency(self, list: &List, concurrency: u32) -> Self {
        match (self, list.keyset) {
            (Self::Sequential(pager), Some(keyset)) if concurrency > 1 && pager.has_default_order() => {
                let concurrency = concurrency.min(MAX_CONCURRENCY);
                Self::Parallel(ParallelPager::new(list, keyset, *pager, concurrency))
            }
            (reader, _) => reader,
        }
    }

    /// Returns the next page, or `None` after the last one; see [`Pager::next`].
    ///
    /// # Errors
    /// The error of a request, with a resume token that continues after the pages that were returned.
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        match self {
            Self::Sequential(pager) => pager.next().await,
            Self::Parallel(pager) => pager.next().await,
        }
    }

    /// Returns a token that continues after the last page that was returned; see [`Pager::resume_token`].
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        match self {
            Self::Sequential(pager) => pager.resume_token(),
            Self::Parallel(pager) => pager.resume_token(),
        }
    }
}

/// Reads a list page by page with several requests at the same time.
///
/// The items are those of a [`Pager`]. Some pages are shorter, where parts meet. Dropping it ends the requests, which otherwise
/// continue while the caller handles items.
#[derive(Debug)]
pub struct ParallelPager<R: Runtime> {
    join: Rc<Join<Parts<R>>>,
    resume_token: Option<String>,
}

impl<R: Runtime> ParallelPager<R> {
    /// Reads the list of this pager with up to this many concurrent requests.
    #[must_use]
    pub fn new(list: &List, keyset: Keyset, pager: Pager<R>, concurrency: u32) -> Self {
        let resume_token = pager.resume_token();
        Self { join: Join::new(Parts::new(list, keyset, pager, concurrency)), resume_token }
    }

    /// Returns the next page, or `None` after the last one; see [`Pager::next`]. The second call starts to read ahead.
    ///
    /// # Errors
    /// The error of a request, with a resume token that continues after the pages that were returned.
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        if self.join.schedule.borrow_mut().prepare_next() {
            self.join.start_task(self.join.schedule.borrow().runtime());
        }
        let (result, resume_token) = self.join.next().await;
        self.resume_token = resume_token;
        result
    }

    /// Returns a token that continues after the last page that was returned; see [`Pager::resume_token`].
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        self.resume_token.clone()
    }
}
