//! Reads lists page by page: [`Pager`] as frames, [`ListPages`] as structs. `parallel` reads several parts of a
//! list at the same time, with a [`Pager`] for each.

mod pager;
mod pages;
mod parallel;

pub use pager::Pager;
pub use pages::{ListPages, ListRecords, Page};
pub use parallel::{ListReader, ParallelPager};
