//! What the tests, the benchmark and the programs of this repository use beside the public API. It is public because they are
//! crates of their own, but it is not part of the public API: it may change in every release.

pub use crate::json::excerpt;

/// The decoder.
pub mod decode {
    pub use crate::decode::cursor::parse_cursor;
    pub use crate::decode::error_body::{error_message, is_markup, refusal_message};
    pub use crate::decode::omitted::MAX_PLACES;
    pub use crate::decode::*;

    use crate::json::{ScanError, Scanner};
    use crate::record::Mismatch;

    /// Reads the cursor of a page, but nothing else.
    ///
    /// # Errors
    /// Invalid JSON.
    pub fn read_cursor(bytes: &[u8]) -> Result<(Option<Cursor>, Option<Mismatch>), DecodeError> {
        let mut scan = Scanner::new(bytes);
        scan.skip_byte_order_mark();
        let mut next = (None, None);
        let mut read = || {
            if scan.peek()? == b'[' {
                return Ok(());
            }
            scan.expect(b'{', "an object")?;
            let mut first = true;
            while scan.next_member(b'}', first)? {
                first = false;
                if *scan.read_key()? == *b"next_page_params" {
                    next = Cursor::read_member(&mut scan)?;
                } else {
                    scan.skip_value()?;
                }
            }
            Ok(())
        };
        read().map_err(|ScanError| scan.take_error())?;
        Ok(next)
    }
}

/// The frame.
pub mod frame {
    pub use crate::frame::*;
}

/// The declaration language of objects.
pub mod object {
    pub use crate::object::*;
}

/// The declaration language of records.
pub mod record {
    pub use crate::record::*;
}

/// The declarations of records.
pub mod types {
    pub use crate::types::described::{Described, RecordVisitor};

    /// Every record.
    pub static RECORDS: &[Described] = crate::types::RECORDS;

    /// Visits every record type.
    pub fn visit_records(visitor: &mut impl RecordVisitor) {
        crate::types::visit_records(visitor);
    }
}

/// The declarations of operations, and their requests.
pub mod endpoint {
    pub use crate::endpoint::action::{Action, ActionKind, ActionParams, DescribedAction, MAX_ROWS, RangeForm};
    pub use crate::endpoint::action_rules::{MAX_CALLS, MAX_CONTRACTS};
    pub use crate::endpoint::base_url::{GATEWAY, GATEWAY_RPC_PATH, RPC_PATH};
    pub use crate::endpoint::list::{DescribedList, Keyset, List, ListVisitor};
    pub use crate::endpoint::lookup::{DescribedLookup, Lookup, LookupVisitor};
    pub use crate::endpoint::operation::{DEFAULT_CREDITS, Operation, PageSizing, ParamSpec, Params};
    pub use crate::endpoint::params::rule::{Allowed, ParamRule, ParamType, ParamValue};
    pub use crate::endpoint::query::Query;
    pub use crate::endpoint::query_operation::{DescribedQuery, QueryOperation};
    pub use crate::endpoint::request::{MAX_QUERY_LENGTH, Request, percent_decode, percent_encode};
    pub use crate::endpoint::version::Version;

    /// The lookup of any path.
    pub static ANY_PATH: &Lookup = &crate::endpoint::ANY_PATH;

    /// Every set of token standards to filter by: TypeScript type, documentation, standards.
    pub static TOKEN_STANDARDS: &[(&str, &str, &[&str])] = crate::endpoint::params::TOKEN_STANDARDS;

    /// Every action.
    pub static ACTIONS: &[&Action] = crate::endpoint::ACTIONS;

    /// Every action with its documentation.
    pub static DESCRIBED_ACTIONS: &[DescribedAction] = crate::endpoint::DESCRIBED_ACTIONS;

    /// Every list.
    pub static LISTS: &[&List] = crate::endpoint::LISTS;

    /// Every list with its documentation.
    pub static DESCRIBED_LISTS: &[DescribedList] = crate::endpoint::DESCRIBED_LISTS;

    /// Every lookup.
    pub static LOOKUPS: &[&Lookup] = crate::endpoint::LOOKUPS;

    /// Every lookup with its documentation.
    pub static DESCRIBED_LOOKUPS: &[DescribedLookup] = crate::endpoint::DESCRIBED_LOOKUPS;

    /// Every GraphQL operation.
    pub static QUERIES: &[QueryOperation] = crate::endpoint::QUERIES;

    /// Every GraphQL operation with its documentation.
    pub static DESCRIBED_QUERIES: &[DescribedQuery] = crate::endpoint::DESCRIBED_QUERIES;

    /// Whether an action accepts `page` and `offset` only together.
    #[must_use]
    pub fn requires_page_and_offset(action: &Action) -> bool {
        let rule: crate::endpoint::operation::CrossRule = crate::endpoint::action_rules::require_page_and_offset;
        action.rules.iter().any(|other| std::ptr::fn_addr_eq(*other, rule))
    }

    /// Finds an action by its JavaScript name.
    #[must_use]
    pub fn find_action(name: &str) -> Option<&'static Action> {
        crate::endpoint::find_action(name)
    }

    /// Finds a list by its JavaScript name.
    #[must_use]
    pub fn find_list(name: &str) -> Option<&'static List> {
        crate::endpoint::find_list(name)
    }

    /// Visits the parameter type of every list.
    pub fn visit_lists(visitor: &mut impl ListVisitor) {
        crate::endpoint::visit_lists(visitor);
    }

    /// Visits the parameter type of every lookup.
    pub fn visit_lookups(visitor: &mut impl LookupVisitor) {
        crate::endpoint::visit_lookups(visitor);
    }
}

/// The parts of the client, and calls with frames as results, as JavaScript makes them.
pub mod client {
    use crate::client::account::Rows;
    use crate::client::{AccountBalance, Client, Runtime};
    use crate::decode::{DecodeOptions, FramePage};
    use crate::endpoint::{Action, ActionParams as _, BalanceMultiParams, ParamValue, Request};
    use crate::error::Error;

    pub use crate::client::account::rows_from_page;
    pub use crate::client::call::{Convert, Converted, MethodCall};
    pub use crate::client::list::{DEFAULT_PAGE_SIZE, ListPage, ListReader, PAGE_SIZE_SINCE, Pager};
    pub use crate::client::options::{
        Accepted, CallOptions, DEFAULT_CONCURRENCY, MAX_PAGE_SIZE, NamedValues, OPTION_SETS, OptionSet, OptionSpec,
    };
    pub use crate::client::range::{BatchState, ParallelReader, RangeBatch, RangeReader};
    pub use crate::client::retry::response_error::{decode_error, http_status_error};
    pub use crate::client::runtime::{Either, race};
    pub use crate::client::transport::{FOREIGN_KEY, GATEWAY_KEY};
    pub use crate::decode::{BatchSink, FrameDecoder};

    /// Resume tokens.
    pub mod resume {
        pub use crate::client::resume::*;
    }

    /// The options of a client.
    pub static CLIENT_OPTIONS: &OptionSet = &crate::client::options::CLIENT_OPTIONS;

    /// Calls an action, and returns its response as a frame.
    ///
    /// # Errors
    /// Any failure of the request or of decoding, or a refusal of the service.
    pub async fn call_action<R: Runtime>(
        client: &Client<R>,
        action: &'static Action,
        request: &Request,
        decode_options: DecodeOptions,
    ) -> Result<Rows<Box<FramePage>>, Error> {
        let mut decoder = client.frame_decoder(action.layout, decode_options);
        client.request_action(action, request, &mut decoder).await
    }

    /// Returns balances of addresses that are not checked yet.
    ///
    /// # Errors
    /// An invalid address, or any failure of a request or of decoding.
    pub async fn unchecked_balances<R: Runtime>(
        client: &Client<R>,
        addresses: &ParamValue,
        fresh_within_ms: Option<u64>,
    ) -> Result<Vec<AccountBalance>, Error> {
        client.request_balances(BalanceMultiParams::ACTION, addresses, fresh_within_ms).await
    }
}
