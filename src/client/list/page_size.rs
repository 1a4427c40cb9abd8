//! How many records to request for a page. Since version 12 of the backend a request can choose up to 100 with
//! `items_count`. Older versions reject the parameter on some lists, reject values above 50 on others, or ignore it.
//!
//! If the caller has not chosen a size, the first page is requested without one, so that no request is rejected only
//! because of its size. Later requests ask for 100 records if the instance is known to accept that. Its cursors show
//! whether it does; for lists where they do not, its version is requested. The lists of a client share this knowledge.

use std::cell::Cell;
use std::rc::Rc;

use crate::client::fetch::create_version_error;
use crate::client::handle::Client;
use crate::client::options::MAX_PAGE_SIZE;
use crate::client::runtime::Runtime;
use crate::decode::{Cursor, FramePage};
use crate::endpoint::Operation;
use crate::endpoint::operation::PageSizing;
use crate::endpoint::version::{Requirement, Version};
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::{format_u64, parse_u64};

/// The page size if the request states none, in all versions.
pub const DEFAULT_PAGE_SIZE: u32 = 50;

/// The first version in which a request can choose the page size.
pub const PAGE_SIZE_SINCE: Version = Version::declared("12.0.0");

/// The page size in a request.
#[derive(Debug)]
pub(super) enum StatedSize {
    /// The size in the cursor, if it has one.
    FromCursor,
    /// A size that replaces the one in the cursor.
    Fixed(String),
    /// No size, even if the cursor has one.
    Unset,
}

impl StatedSize {
    pub(super) fn fixed(size: u32) -> Self {
        Self::Fixed(format_u64(size.into()))
    }

    /// Converts the keys of a cursor to the keys of the request.
    pub(super) fn apply<'a>(&'a self, mut keys: Vec<(&'a str, &'a str)>) -> Vec<(&'a str, &'a str)> {
        if !matches!(self, Self::FromCursor) {
            keys.retain(|(name, _)| *name != PageSizing::PARAMETER);
        }
        if let Self::Fixed(size) = self {
            keys.push((PageSizing::PARAMETER, size));
        }
        keys
    }

    /// The maximum number of records on the page.
    pub(super) fn records(&self) -> u32 {
        let Self::Fixed(size) = self else { return DEFAULT_PAGE_SIZE };
        parse_u64(size).and_then(|size| size.try_into().ok()).unwrap_or(DEFAULT_PAGE_SIZE)
    }

    /// Changes a cursor so that the same page is requested again.
    pub(super) fn write_to(self, cursor: &mut Cursor) {
        match self {
            Self::FromCursor => {}
            Self::Fixed(size) => cursor.set_parameter(PageSizing::PARAMETER, Some(size)),
            Self::Unset => cursor.set_parameter(PageSizing::PARAMETER, None),
        }
    }
}

/// Chooses the page sizes of a list. Clones share the caller's size.
#[derive(Debug, Clone)]
pub(super) struct PageSize {
    pub(super) operation: &'static Operation,
    /// The caller's size.
    pub(super) chosen: Rc<Cell<Option<u32>>>,
}

impl PageSize {
    /// Sets the caller's size.
    ///
    /// # Errors
    /// [`InvalidParameter`](crate::error::ErrorCode) if it is not from 1 to 100, or if the page size of the list is
    /// fixed.
    pub(super) fn choose(&self, size: u32) -> Result<(), Error> {
        let rule = if self.operation.page_sizing == PageSizing::Fixed {
            "cannot be used here: the pages of this list have a fixed size"
        } else if size == 0 || size > MAX_PAGE_SIZE {
            "must be an integer from 1 to 100"
        } else {
            self.chosen.set(Some(size));
            return Ok(());
        };
        Err(Error::invalid_parameter(option_name!(page_size), rule))
    }

    /// The caller's size, if some versions do not support it.
    fn new_size(&self) -> Option<u32> {
        self.chosen.get().filter(|size| *size != DEFAULT_PAGE_SIZE)
    }

    /// The version that is required for the caller's size.
    pub(super) fn requirement(&self) -> Option<Requirement> {
        let operation = self.operation.name;
        self.new_size().map(|_| Requirement {
            operation,
            parameter: Some(option_name!(page_size)),
            since: PAGE_SIZE_SINCE,
        })
    }

    /// Returns the size to request for the next page. `is_first` states that it is the first page, which the caller is
    /// waiting for.
    ///
    /// # Errors
    /// [`UnsupportedVersion`](crate::error::ErrorCode) if the instance is known not to accept the caller's size.
    pub(super) async fn next(&self, client: &Client<impl Runtime>, is_first: bool) -> Result<StatedSize, Error> {
        let size = if self.chosen.get().is_some() {
            if accepts_size(client) == Some(false) {
                self.check_version(client, true).await?;
            }
            self.new_size()
        } else {
            let is_selectable = !is_first && self.is_selectable(client).await;
            is_selectable.then_some(MAX_PAGE_SIZE)
        };
        Ok(size.map_or(StatedSize::FromCursor, StatedSize::fixed))
    }

    /// Whether a request can choose the page size. Requests the version of the instance unless it is known.
    pub(super) async fn is_selectable(&self, client: &Client<impl Runtime>) -> bool {
        if self.operation.page_sizing == PageSizing::Fixed {
            return false;
        }
        if let Some(accepts) = client.inner.info_cache.accepts_page_size.get(client.runtime().now_ms()) {
            return accepts == Some(true);
        }
        // Several parts of a list share the request. Without a response it is repeated after some minutes.
        let accepts = client.backend_version().await.map(|version| version >= PAGE_SIZE_SINCE);
        learn(client, accepts);
        accepts == Some(true)
    }

    /// Learns from a page whether the instance accepts a size.
    ///
    /// # Errors
    /// [`UnsupportedVersion`](crate::error::ErrorCode) if the instance has ignored the caller's size, as versions up to 8 do.
    pub(super) async fn learn_from(&self, client: &Client<impl Runtime>, page: &FramePage) -> Result<(), Error> {
        if let (Some(next), PageSizing::Detectable) = (&page.next, self.operation.page_sizing) {
            learn(client, Some(next.parameters().all(|(name, _)| name != PageSizing::PARAMETER)));
        }
        let Some(size) = self.new_size() else { return Ok(()) };
        let (known, count) = (accepts_size(client), page.rows.len() + page.bad_records.len());
        let is_ignored = known == Some(false) || count > size as usize;
        // The instance may also have a smaller maximum, or hide rows.
        let is_short = known.is_none() && page.next.is_some() && count < size as usize;
        if is_ignored || is_short { self.check_version(client, is_ignored).await } else { Ok(()) }
    }

    /// Whether the request may succeed without a page size. A page that is requested again needs the same size.
    pub(super) fn can_omit(&self, error: &Error, keys: &[(&str, &str)]) -> bool {
        let is_refused_size = |(name, size): &(&str, &str)| {
            let is_large = parse_u64(size).is_none_or(|size| size > DEFAULT_PAGE_SIZE.into());
            *name == PageSizing::PARAMETER && (is_large || self.operation.page_sizing == PageSizing::Undetectable)
        };
        error.status == Some(422) && self.chosen.get().is_none() && keys.iter().any(is_refused_size)
    }

    /// Learns from an error whether the instance has rejected the caller's size.
    pub(super) fn learn_from_error(&self, client: &Client<impl Runtime>, error: &Error) {
        if self.new_size().is_some() && error.code == ErrorCode::UnsupportedVersion {
            learn(client, Some(false));
        }
    }

    /// Fails if the version of the instance is too old for the caller's size. If the version is unknown, `is_old` decides.
    async fn check_version(&self, client: &Client<impl Runtime>, is_old: bool) -> Result<(), Error> {
        let version = client.backend_version().await;
        let accepts = version.map_or(!is_old, |version| version >= PAGE_SIZE_SINCE);
        if version.is_some() {
            learn(client, Some(accepts));
        }
        match self.requirement().filter(|_| !accepts) {
            Some(requirement) => {
                let error = Error::new(ErrorCode::UnsupportedVersion, "");
                Err(create_version_error(error, &requirement, version))
            }
            None => Ok(()),
        }
    }
}

/// Whether the instance accepts a size. `None` if unknown.
fn accepts_size(client: &Client<impl Runtime>) -> Option<bool> {
    client.inner.info_cache.accepts_page_size.get(client.runtime().now_ms()).flatten()
}

/// Records whether the instance accepts a size. `None`: its version could not be determined.
pub(super) fn learn(client: &Client<impl Runtime>, accepts: Option<bool>) {
    client.inner.info_cache.accepts_page_size.set(accepts, client.runtime().now_ms());
}
