//! [`MethodCall`]: a call of a method by its name, as JavaScript makes it. Its declaration decides what is read and how.

use super::account::Rows;
use super::handle::Client;
use super::list::{ListPage, ListReader};
use super::options::{CallOptions, DEFAULT_CONCURRENCY, NamedValues};
use super::range::{ParallelReader, RangeBatch, RangeReader};
use super::runtime::Runtime;
use crate::decode::{BatchSink, FramePage};
use crate::endpoint::request::check_names;
use crate::endpoint::{
    ANY_PATH, Action, ActionKind, List, Lookup, ParamValue, Request, find_action, find_list, find_lookup,
};
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
    fn page(&self, list: &List, page: Option<ListPage>) -> Converted<Self>;

    /// Converts a single record: the envelope of the page.
    ///
    /// # Errors
    /// If a value cannot be created.
    fn record(&self, lookup: &Lookup, page: Box<FramePage>) -> Converted<Self>;

    /// Converts a window of a range, one batch of a window, or the end of the range.
    ///
    /// # Errors
    /// That of the batch, or if a value cannot be created.
    fn window(&self, action: &Action, batch: RangeBatch) -> Converted<Self>;

    /// Converts the result of an action: the batches of a large response while it arrives, and then the rest.
    fn rows(&self, action: &'static Action) -> (BatchSink, impl FnOnce(Rows<Box<FramePage>>) -> Converted<Self>);

    /// Converts a declared object, or a list of them.
    fn object(&self, object: &dyn JsonValue) -> Self::Value;
}

/// A converted value, or the error of a request or conversion.
pub type Converted<C> = Result<<C as Convert>::Value, <C as Convert>::Error>;

/// A call whose parameters and options are checked. Nothing is sent before [`next`](Self::next).
#[derive(Debug)]
pub enum MethodCall<R: Runtime> {
    /// A list, read page by page.
    List(&'static List, ListReader<R>),
    /// A lookup of a single record.
    Lookup(&'static Lookup, Request, Client<R>),
    /// What the instance states about itself: [`Client::instance`].
    Instance(Client<R>),
    /// An action, read window by window.
    Range(&'static Action, Box<ParallelReader<R>>),
    /// An action, read with one request.
    Action(&'static Action, Request, Client<R>),
    /// An action that requests its addresses in batches, and for how many milliseconds stale balances are requested again.
    /// `None` means not at all.
    Batched(&'static Action, ParamValue, Option<u64>, Client<R>),
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
        if let Some(list) = find_list(method) {
            let request = Request::from_borrowed(list, &values)?;
            let mut reader = ListReader::new(client, list, request, decode_options, resume)?;
            if options.page_size > 0 {
                reader.choose_page_size(options.page_size)?;
            }
            if options.concurrency > 0 {
                reader = reader.with_concurrency(list, options.concurrency);
            }
            return Ok(Self::List(list, reader));
        }
        if let Some(lookup) = find_lookup(method) {
            return Ok(Self::Lookup(lookup, Request::from_borrowed(lookup, &values)?, client));
        }
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
        let action = find_action(method).ok_or_else(|| Error::new(ErrorCode::Internal, "no method of that name"))?;
        if action.kind == ActionKind::Batched {
            // The only parameter. The limits of one request do not apply to it.
            check_names(action, &values)?;
            let addresses = values.first().map_or(ParamValue::Other, |(_, value)| (*value).clone());
            let fresh_within_ms = options.until_fresh.then_some(options.fresh_within_ms);
            return Ok(Self::Batched(action, addresses, fresh_within_ms, client));
        }
        let request = Request::from_borrowed(action, &values)?;
        if is_range {
            let reader = RangeReader::new(client, action, request, decode_options, resume)?;
            let concurrency = if options.concurrency == 0 { DEFAULT_CONCURRENCY } else { options.concurrency };
            return Ok(Self::Range(action, Box::new(ParallelReader::new(reader).with_concurrency(concurrency))));
        }
        Ok(Self::Action(action, request, client))
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
