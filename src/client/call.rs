//! [`MethodCall`]: a call of a method by its name, as JavaScript makes it. The declaration of the method determines the
//! variant. `crate::js` reads it.

use super::handle::Client;
use super::list::ListReader;
use super::options::{CallOptions, DEFAULT_CONCURRENCY, NamedValues};
use super::range::{ParallelReader, RangeReader};
use super::runtime::Runtime;
use crate::endpoint::request::check_names;
use crate::endpoint::{ANY_PATH, Operation, ParamValue, Request, ResponseKind, find_operation};
use crate::error::{Error, ErrorCode};

/// A call whose parameters and options are checked. Nothing has been sent.
#[derive(Debug)]
pub enum MethodCall<R: Runtime> {
    /// A list, read page by page.
    List(&'static Operation, ListReader<R>),
    /// A lookup of a single record.
    Lookup(&'static Operation, Request, Client<R>),
    /// Information about the instance: [`Client::instance`].
    Instance(Client<R>),
    /// An action, read window by window.
    Range(&'static Operation, Box<ParallelReader<R>>),
    /// An action, read with one request.
    Action(&'static Operation, Request, Client<R>),
    /// An action that requests its addresses in batches. Stale balances are requested again for this many milliseconds,
    /// if any.
    Batched(&'static Operation, ParamValue, Option<u64>, Client<R>),
}

impl<R: Runtime> MethodCall<R> {
    /// Creates a call of the method with this JavaScript name, or of the operation with this path. With `is_range`, it calls the method's `all()`.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] for an invalid parameter or resume token.
    pub fn new(
        client: &Client<R>,
        method: &str,
        params: &NamedValues,
        options: &NamedValues,
        is_range: bool,
    ) -> Result<Self, Error> {
        let options = CallOptions::read(options, client.retry_policy());
        let client = client.clone().with_retry_policy(options.retry_policy).with_fresh_responses(options.is_fresh);
        let resume = options.resume.as_deref();
        if method == ANY_PATH.name {
            // JavaScript passes the path as a parameter without a name.
            let (path, params) = match &**params {
                [(name, ParamValue::String(path)), params @ ..] if name.is_empty() => (path.as_str(), params),
                params => ("", params),
            };
            return Ok(Self::Lookup(&ANY_PATH, Request::from_path(path, params)?, client));
        }
        if method == "instance" {
            return Ok(Self::Instance(client));
        }
        let operation =
            find_operation(method).ok_or_else(|| Error::new(ErrorCode::Internal, "no method of that name"))?;
        if operation.kind == ResponseKind::Batched {
            // The only parameter. The limits of one request do not apply to it.
            check_names(operation, params)?;
            let addresses = params.first().map_or(ParamValue::Other, |(_, value)| value.clone());
            let fresh_within_ms = options.until_fresh.then_some(options.fresh_within_ms);
            return Ok(Self::Batched(operation, addresses, fresh_within_ms, client));
        }
        let request = Request::new(operation, params)?;
        Ok(match operation.kind {
            ResponseKind::List => {
                let mut reader = ListReader::new(client, request, options.blocks()?, resume)?;
                if options.page_size > 0 {
                    reader.choose_page_size(options.page_size)?;
                }
                if options.concurrency > 0 {
                    reader = reader.with_concurrency(operation, options.concurrency);
                }
                Self::List(operation, reader)
            }
            ResponseKind::Single => Self::Lookup(operation, request, client),
            _ if is_range => {
                let reader = RangeReader::new(client, request, resume)?;
                let concurrency = if options.concurrency == 0 { DEFAULT_CONCURRENCY } else { options.concurrency };
                Self::Range(operation, Box::new(ParallelReader::new(reader).with_concurrency(concurrency)))
            }
            _ => Self::Action(operation, request, client),
        })
    }
}
