//! Internals for the tests, the benchmark and the programs of this repository. They are public because those are
//! separate crates, but they are not part of the public API: they may change in any release.

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
        let mut next = (None, None);
        let mut read = || {
            scan.skip_byte_order_mark()?;
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
    pub use crate::types::described::{DescribedRecord, RecordVisitor};

    /// Every record.
    pub static RECORDS: &[DescribedRecord] = crate::types::RECORDS;

    /// Visits every record type.
    pub fn visit_records(visitor: &mut impl RecordVisitor) {
        crate::types::visit_records(visitor);
    }
}

/// The declarations of operations, and their requests.
pub mod endpoint {
    pub use crate::endpoint::action_rules::{MAX_CALLS, MAX_CONTRACTS};
    pub use crate::endpoint::base_url::{GATEWAY, GATEWAY_RPC_PATH, RPC_PATH};
    pub use crate::endpoint::operation::{
        DEFAULT_CREDITS, DescribedOperation, Keyset, Operation, OperationVisitor, PageSizing, ParamSpec, Params,
    };
    pub use crate::endpoint::params::rule::{Allowed, ParamRule, ParamType, ParamValue};
    pub use crate::endpoint::query::Query;
    pub use crate::endpoint::request::{MAX_QUERY_LENGTH, Request, percent_decode, percent_encode};
    pub use crate::endpoint::response::{MAX_ROWS, RangeForm, Response, ResponseKind};
    pub use crate::endpoint::version::Version;

    /// The operation of any path.
    pub static ANY_PATH: &Operation = &crate::endpoint::ANY_PATH;

    /// Every set of token standards to filter by: TypeScript type, documentation, standards.
    pub static TOKEN_STANDARDS: &[(&str, &str, &[&str])] = crate::endpoint::params::TOKEN_STANDARDS;

    /// Visits the parameter type of every operation.
    pub fn visit_operations(visitor: &mut impl OperationVisitor) {
        crate::endpoint::visit_operations(visitor);
    }

    /// Every operation with its documentation.
    #[must_use]
    pub fn described_operations() -> Vec<DescribedOperation> {
        struct All(Vec<DescribedOperation>);
        impl OperationVisitor for All {
            fn visit<P: Params>(&mut self) {
                self.0.push(P::DESCRIBED);
            }
        }
        let mut all = All(Vec::new());
        visit_operations(&mut all);
        all.0
    }

    /// Every operation.
    pub fn operations() -> impl Iterator<Item = &'static Operation> {
        crate::endpoint::operations()
    }

    /// Every list of the REST API.
    pub fn lists() -> impl Iterator<Item = &'static Operation> {
        operations().filter(|operation| operation.module().is_none() && operation.kind == ResponseKind::List)
    }

    /// Every operation of the REST API that returns a single record.
    pub fn lookups() -> impl Iterator<Item = &'static Operation> {
        operations().filter(|operation| operation.module().is_none() && operation.kind == ResponseKind::Single)
    }

    /// Every action of the module/action API, and of JSON-RPC.
    pub fn actions() -> impl Iterator<Item = &'static Operation> {
        operations().filter(|operation| operation.module().is_some_and(|module| module != "graphql"))
    }

    /// Every GraphQL operation.
    pub fn queries() -> impl Iterator<Item = &'static Operation> {
        operations().filter(|operation| !operation.queries.is_empty())
    }

    /// Whether an action accepts `page` and `offset` only together.
    #[must_use]
    pub fn requires_page_and_offset(action: &Operation) -> bool {
        let rule: crate::endpoint::operation::CrossRule = crate::endpoint::action_rules::require_page_and_offset;
        action.rules.iter().any(|other| std::ptr::fn_addr_eq(*other, rule))
    }

    /// Finds an operation by its JavaScript name, or by its path.
    #[must_use]
    pub fn find_operation(name: &str) -> Option<&'static Operation> {
        crate::endpoint::find_operation(name)
    }
}

/// The parts of the client, and calls with frames as results, as JavaScript makes them.
pub mod client {
    use crate::client::account::ActionRows;
    use crate::client::{AccountBalance, Client, Runtime};
    use crate::decode::{DecodeOptions, FramePage};
    use crate::endpoint::{BalanceMultiParams, Operation, ParamValue, Params as _, Request};
    use crate::error::Error;

    pub use crate::client::account::rows_from_page;
    pub use crate::client::call::MethodCall;
    pub use crate::client::list::{DEFAULT_PAGE_SIZE, ListPage, ListReader, PAGE_SIZE_SINCE, PART_PAGES, Pager};
    pub use crate::client::options::{
        Accepted, CallOptions, DEFAULT_CONCURRENCY, MAX_PAGE_SIZE, NamedValues, OPTION_SETS, OptionSet, OptionSpec,
    };
    pub use crate::client::range::{BatchState, ParallelReader, RangeBatch, RangeReader};
    pub use crate::client::retry::response_error::{decode_error, http_status_error};
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
        action: &'static Operation,
        request: &Request,
        decode_options: DecodeOptions,
    ) -> Result<ActionRows<Box<FramePage>>, Error> {
        let mut decoder = client.frame_decoder(action.layout);
        decoder.decode_options = decode_options;
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
        client.request_balances(BalanceMultiParams::OPERATION, addresses, fresh_within_ms).await
    }
}
