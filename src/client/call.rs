//! [`MethodCall`]: a call of a method by its name, as JavaScript makes it. Its declaration decides what is read and how.

use super::account::Rows;
use super::handle::Client;
use super::list::{ListPage, ListReader};
use super::options::{CallOptions, DEFAULT_CONCURRENCY, NamedValues};
use super::range::{ParallelReader, RangeBatch, RangeReader};
use super::runtime::Runtime;
use crate::decode::{BatchSink, FramePage};
use crate::endpoint::request::check_names;
use crate::endpoint::{ANY_PATH, Operation, ParamValue, Request, ResponseKind, find_operation};
use crate::error::{Error, ErrorCode};
use crate::object::JsonValue;

/// Converts what calls read to the values of another language.
pub trait Convert {
    /// A value of that language.
    type Value;
    /// An error of that language.
    type Error: From<Error>;

    /// Converts a page of a list. `None` after the last page.
    ///
    /// # Errors
    /// If a value cannot be created.
    fn page(&self, list: &Operation, page: Option<ListPage>) -> Converted<Self>;

    /// Converts a single record: the envelope of the page.
    ///
    /// # Errors
    /// If a value cannot be created.
    fn record(&self, lookup: &Operation, page: Box<FramePage>) -> Converted<Self>;

    /// Converts a window of a range, one batch of a window, or the end of the range.
    ///
    /// # Errors
    /// That of the batch, or if a value cannot be created.
    fn window(&self, action: &Operation, batch: RangeBatch) -> Converted<Self>;

    /// Converts the result of an action: the batches of a large response while it arrives, and then the rest.
    fn rows(&self, action: &'static Operation) -> (BatchSink, impl FnOnce(Rows<Box<FramePage>>) -> Converted<Self>);

    /// Converts a declared object, or a list of them.
    fn object(&self, object: &dyn JsonValue) -> Self::Value;
}

/// A converted value, or the error of a request or conversion.
pub type Converted<C> = Result<<C as Convert>::Value, <C as Convert>::Error>;

/// A call whose parameters and options are checked. Nothing is sent before [`next`](Self::next).
#[derive(Debug)]
pub enum MethodCall<R: Runtime> {
    /// A list, read page by page.
    List(&'static Operation, ListReader<R>),
    /// A lookup of a single record.
    Lookup(&'static Operation, Request, Client<R>),
    /// What the instance states about itself: [`Client::instance`].
    Instance(Client<R>),
    /// An action, read window by window.
    Range(&'static Operation, Box<ParallelReader<R>>),
    /// An action, read with one request.
    Action(&'static Operation, Request, Client<R>),
    /// An action that requests its addresses in batches, and for how many milliseconds stale balances are requested again.
    /// `None` means not at all.
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
        let decode_options = client.decode_options();
        let options = CallOptions::read(options, client.retry_policy());
        let client = client.clone().with_retry_policy(options.retry_policy).with_fresh_responses(options.is_fresh);
        let resume = options.resume.as_deref();
        let values: Vec<_> = params.iter().map(|(name, value)| (name.as_str(), value)).collect();
        if method == ANY_PATH.name {
            // JavaScript passes the path as a parameter without a name.
            let (path, params) = match &*values {
                [("", ParamValue::String(path)), params @ ..] => (path.as_str(), params),
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
            check_names(operation, &values)?;
            let addresses = values.first().map_or(ParamValue::Other, |(_, value)| (*value).clone());
            let fresh_within_ms = options.until_fresh.then_some(options.fresh_within_ms);
            return Ok(Self::Batched(operation, addresses, fresh_within_ms, client));
        }
        let request = Request::from_borrowed(operation, &values)?;
        Ok(match operation.kind {
            ResponseKind::List => {
                let mut reader = ListReader::new(client, operation, request, decode_options, resume)?;
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
                let reader = RangeReader::new(client, operation, request, decode_options, resume)?;
                let concurrency = if options.concurrency == 0 { DEFAULT_CONCURRENCY } else { options.concurrency };
                Self::Range(operation, Box::new(ParallelReader::new(reader).with_concurrency(concurrency)))
            }
            _ => Self::Action(operation, request, client),
        })
    }

    /// Reads and converts the next page, window or batch, or the result.
    ///
    /// # Errors
    /// The error of a request, or of the conversion.
    pub async fn next<C: Convert>(&mut self, convert: &C) -> Converted<C> {
        match self {
            Self::List(list, reader) => convert.page(list, reader.next().await?),
            Self::Lookup(lookup, request, client) => {
                convert.record(lookup, client.fetch_lookup(lookup, request).await?)
            }
            Self::Instance(client) => Ok(convert.object(&*client.shared_instance().await?)),
            Self::Range(action, reader) => convert.window(action, reader.next().await),
            Self::Action(action, request, client) => {
                let (sink, finish) = convert.rows(action);
                let mut decoder = client.frame_decoder(action.layout, client.decode_options()).with_sink(sink);
                finish(client.request_action(action, request, &mut decoder).await?)
            }
            Self::Batched(action, addresses, fresh_within_ms, client) => {
                Ok(convert.object(&client.request_balances(action, addresses, *fresh_within_ms).await?))
            }
        }
    }
}
