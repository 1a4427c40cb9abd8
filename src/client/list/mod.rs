//! Reads lists page by page: [`Pager`] as frames, [`ListPages`] as structs. [`ListReader`] decides how a list is read: page by
//! page, in concurrent parts (`keyset_parts`), or oldest first.

mod keyset_parts;
mod oldest_first;
mod page_size;
mod pager;
mod pages;
mod reader;
mod unserved;

pub use oldest_first::PART_PAGES;
pub use page_size::{DEFAULT_PAGE_SIZE, PAGE_SIZE_SINCE};
pub use pager::{ListPage, Pager};
pub use pages::{ListPages, ListRecords, Page};
pub use reader::ListReader;
