//! Continues a list after a record that the service cannot serve: [`Pager::skip_unserved_record`].
//!
//! The service fails for some records that anyone can create, such as an NFT whose metadata has a number instead of a URL. Every
//! page with such a record fails with status 500, however often it is requested, while the pages around it are served. With
//! `bad_records: "skip"` a list continues after it:
//!
//! - The service cannot serve a page if its attempts end with [`is_permanent_500`].
//! - Where requests choose the size of a page, [`Pager`] requests smaller pages first, down to the record itself, so that all records
//!   before it are delivered. Elsewhere the records of the page before it are lost, too.
//! - In a list that is sorted by a [`Keyset`], a search finds the highest position from which a page is served. That page is
//!   delivered, and reports the record as omitted.
//! - After the following page was served, the failing page must fail once more. Otherwise the failure was temporary, and nothing is
//!   omitted.
//! - A list in another order cannot be continued: a cursor for a position after the record would be a guess.
//!
//! The search cannot tell two such records apart. Where several are close together, it may end after the last of them, and the
//! records between them are lost, too. The number of missing records is therefore unknown: the report says where they may be.

use super::keyset_parts::read_values;
use super::page_size::StatedSize;
use super::pager::Pager;
use crate::client::retry::is_permanent_500;
use crate::client::runtime::Runtime;
use crate::decode::{BadRecord, Cursor, FramePage};
use crate::endpoint::Keyset;
use crate::error::{Error, option_name};
use crate::strings::{format_u64, parse_u64, split_once};

/// The highest value of a key.
const MAX_VALUE: u64 = i32::MAX as u64;

/// Maximum number of attempts for a position of the search.
const ATTEMPTS: u32 = 2;

const CAN_CONTINUE: &str =
    concat!("; if only this page fails, ", option_name!(skip_bad_records), " continues after it");
const ENDS: &str = "; if only this page fails, this list cannot be continued after it";
const NOT_FOUND: &str = "; the service served no page after it either";

impl<R: Runtime> Pager<R> {
    /// Finds the first page after the record that the service cannot serve. The page at the cursor failed with this error and
    /// size. Returns the page and its cursor, or the page at the same cursor if the service can serve it now.
    pub(super) async fn skip_unserved_record(
        &mut self,
        mut error: Error,
        cursor: Option<&Cursor>,
        size: &StatedSize,
    ) -> Result<(Box<FramePage>, Option<Cursor>), Error> {
        let keyset = self.keyset.filter(|_| self.has_default_order());
        let Some(keyset) = keyset.filter(|_| self.skips_bad_records) else {
            error.message.push_str(if keyset.is_some() { CAN_CONTINUE } else { ENDS });
            return Err(error);
        };
        let start = FailedPosition::new(keyset, cursor);
        let policy = self.client.retry_policy();
        let max_attempts = policy.max_attempts.map_or(ATTEMPTS, |max| max.min(ATTEMPTS));
        let client = self.client.clone().with_retry_policy(policy.max_attempts(max_attempts));
        let (mut values, mut found, mut retries) = (vec![MAX_VALUE; keyset.keys.len()], None, 0);
        for index in 0..values.len() {
            // Positions below `first` are after the record, `last` is not. The search begins at the end that is nearer to the record.
            let (mut first, mut last) = (0, start.find_limit(index, &values));
            let mut step = if index == 0 && start.values.is_none() { MAX_VALUE } else { 1 };
            while first < last {
                let middle = u64::midpoint(first, last);
                let value = match index {
                    // The oldest position shows whether the service serves anything.
                    _ if first == 0 => 0,
                    0 => middle.max(last.saturating_sub(step)),
                    _ => middle.min(first + step - 1),
                };
                step = (2 * step).min(MAX_VALUE);
                set_value(&mut values, index, value);
                let cursor = start.move_to(keyset, &values);
                match self.fetch_page(&client, Some(&cursor), size).await {
                    Ok(page) if read_values(keyset.field, &page).iter().all(|value| values.first() >= Some(value)) => {
                        found = Some((page, cursor));
                        first = value + 1;
                    }
                    Err(error) if is_permanent_500(&error) => {
                        retries += error.attempts.unwrap_or(1) - 1;
                        last = value;
                    }
                    Err(error) => return Err(error),
                    // The service ignores the position.
                    Ok(_) => {
                        error.message.push_str(NOT_FOUND);
                        return Err(error);
                    }
                }
            }
            set_value(&mut values, index, first);
        }
        let Some((mut page, next)) = found else {
            error.message.push_str(NOT_FOUND);
            return Err(error);
        };
        match self.fetch_page(&client, cursor, size).await {
            Err(error) if is_permanent_500(&error) => {}
            result => return result.map(|page| (page, None)),
        }
        client.inner.transport.limiter.refund_retries(retries);
        page.bad_records.insert(0, create_bad_record(keyset, &values));
        Ok((page, Some(next)))
    }
}

/// The position of the page that failed.
struct FailedPosition {
    /// The keys of its cursor. Empty at the beginning, and among items without a block.
    cursor: Cursor,
    /// The values of the keys of the order, if the cursor has them.
    values: Option<Vec<u64>>,
    /// 1 if the position is within a batch of token transfers. The rest of the batch follows it.
    batch: u64,
}

impl FailedPosition {
    fn new(keyset: Keyset, cursor: Option<&Cursor>) -> Self {
        let parameters = || cursor.into_iter().flat_map(Cursor::parameters);
        let value = |key: &&str| parse_u64(parameters().find(|(name, _)| name == key)?.1);
        let values: Option<Vec<u64>> = keyset.keys.iter().map(value).collect();
        let is_of_batch = |name: &str| split_once(name, "batch").is_some();
        let others = parameters().filter(|(name, _)| values.is_some() && !is_of_batch(name));
        let others = others.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let batch = parameters().any(|(name, _)| is_of_batch(name)).into();
        Self { cursor: Cursor::from_parameters(others).unwrap_or_default(), values, batch }
    }

    /// The highest value of the key at this index in positions after this one, if the keys before it have these values.
    fn find_limit(&self, index: usize, values: &[u64]) -> u64 {
        let known = self.values.as_ref().filter(|known| known.get(..index) == values.get(..index));
        known.and_then(|known| known.get(index)).map_or(MAX_VALUE, |value| value + self.batch)
    }

    /// The cursor at another position.
    fn move_to(&self, keyset: Keyset, values: &[u64]) -> Cursor {
        let mut cursor = self.cursor.clone();
        for (key, value) in keyset.keys.iter().zip(values) {
            cursor.set_parameter(key, Some(format_u64(*value)));
        }
        cursor
    }
}

/// Creates the report of the record at this position.
fn create_bad_record(keyset: Keyset, values: &[u64]) -> BadRecord {
    BadRecord {
        // Items without a block come first, and the only key of some lists is an index.
        block: values.first().copied().filter(|block| *block < MAX_VALUE && keyset.keys.len() > 1),
        path: "items".into(),
        expected: "a page that the service can serve",
        found: "status 500".into(),
        raw: String::new(),
        position: 0,
    }
}

fn set_value(values: &mut [u64], index: usize, value: u64) {
    if let Some(slot) = values.get_mut(index) {
        *slot = value;
    }
}
