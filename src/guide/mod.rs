//! Guides: a page per task. The tests compile every example.
//!
//! | task | guide |
//! |---|---|
//! | read a page, a record or a balance | [`first_rows`] |
//! | iterate over all records of a list | [`all_records`] |
//! | read a period of an account with more than 10,000 rows | [`long_ranges`] |
//! | omit invalid records instead of failing | [`bad_records`] |
//! | set timeouts, retries and rate limits | [`retries_and_rate_limits`] |
//! | continue after an error, or in another session | [`resume`] |
//! | show an address in a page without a framework | [`web_page`] |
//! | use the client in Leptos, Yew or Dioxus | [`frameworks`] |
//! | test without a network | [`testing`] |

#[doc = include_str!("all_records.md")]
pub mod all_records {}
#[doc = include_str!("bad_records.md")]
pub mod bad_records {}
#[doc = include_str!("first_rows.md")]
pub mod first_rows {}
#[doc = include_str!("frameworks.md")]
pub mod frameworks {}
#[doc = include_str!("long_ranges.md")]
pub mod long_ranges {}
#[doc = include_str!("resume.md")]
pub mod resume {}
#[doc = include_str!("retries_and_rate_limits.md")]
pub mod retries_and_rate_limits {}
#[doc = include_str!("testing.md")]
pub mod testing {}
#[doc = include_str!("web_page.md")]
pub mod web_page {}
