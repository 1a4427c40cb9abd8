//! Calls of the module/action API (`?module=…&action=…`), and the meaning of their response envelopes.

use std::cell::RefCell;
use std::rc::Rc;

use super::handle::Client;
use super::retry::response_error::{frame_error, refusal_error};
use super::retry::{FetchStart, Fetched, StreamingResponse};
use super::runtime::Runtime;
use super::transport::Target;
use crate::decode::error_body::{refusal_message, sanitize_message};
use crate::decode::{BatchSink, FrameDecoder, FramePage, Omitted};
use crate::endpoint::{MAX_ROWS, Operation, Request, RowsAction, ValueAction};
use crate::error::Error;
use crate::record::Record;
use crate::strings::format_u64;

/// The rows of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActionRows<P> {
    /// The rows.
    pub items: P,
    /// The rows that were omitted, because they failed validation. See
    /// [`DecodeOptions::skip_bad_records`](super::DecodeOptions::skip_bad_records).
    pub omitted: Omitted,
    /// Whether rows may be missing: the service has not processed all blocks yet, or returned as many rows as it can.
    pub incomplete: bool,
    /// Which rows may be missing, often as the service words it.
    pub message: Option<String>,
}

/// The envelope of a response: everything except its rows.
struct ActionEnvelope {
    status: Option<String>,
    message: Option<String>,
    /// Whether there is a result: a value, or a list of rows, even an empty one.
    has_result: bool,
}

impl ActionEnvelope {
    /// Fails if the service refused the request. Status `"0"` with a list means "nothing found". Status `"0"`
    /// without a result means a refusal.
    fn check_refusal(&self, head: &[u8], has_key: bool) -> Result<(), Error> {
        if self.has_result || self.status.as_deref() == Some("1") {
            return Ok(());
        }
        let message = refusal_message(head).or_else(|| self.message.as_deref().map(sanitize_message));
        let mut error = refusal_error(&message.unwrap_or_else(|| "no reason given".into()), has_key);
        error.status = Some(200);
        Err(error)
    }

    /// Combines the envelope with its rows. Status `"2"` means that rows are missing. In a batch, the status may not have
    /// arrived yet; then the message before the rows decides.
    fn into_rows(self, action: &Operation, items: Box<FramePage>, is_batch: bool) -> ActionRows<Box<FramePage>> {
        let incomplete = match &self.status {
            None if is_batch => self.message.as_deref().is_some_and(|message| message != "OK"),
            status => status.as_deref() == Some("2"),
        };
        ActionRows {
            omitted: Omitted::from_page(action.name, &items.bad_records),
            items,
            incomplete,
            message: self.message.filter(|_| incomplete).map(|message| sanitize_message(&message)),
        }
    }
}

fn read_envelope(action: &Operation, page: &FramePage) -> ActionEnvelope {
    let read = |name: &str| {
        let field = action.layout.envelope.find_field(name.as_bytes())?.field;
        Some(page.frame.get(page.envelope as usize + field))
    };
    let has_result =
        if action.layout.rows.is_some() { page.has_rows } else { read("result").is_some_and(|slot| slot != 0) };
    let read_string = |name| page.frame.string(read(name)?);
    ActionEnvelope { status: read_string("status"), message: read_string("message"), has_result }
}

/// Returns the rows of an action's response. `head` is the beginning of its body.
///
/// # Errors
/// [`Refused`](crate::error::ErrorCode::Refused) or [`RateLimited`](crate::error::ErrorCode::RateLimited) if the service refused the request.
pub fn rows_from_page(
    action: &Operation,
    page: Box<FramePage>,
    head: &[u8],
) -> Result<ActionRows<Box<FramePage>>, Error> {
    let envelope = read_envelope(action, &page);
    envelope.check_refusal(head, false).map(|()| envelope.into_rows(action, page, false))
}

/// The rows of a response, and the rest of it if it is still arriving.
pub(crate) type ActionResult = (ActionRows<Box<FramePage>>, Option<Box<StreamingResponse>>);

impl<R: Runtime> Client<R> {
    /// Requests a target of an action's request, or continues a response that is still arriving. Decodes with the given reader.
    pub(crate) async fn fetch_action(
        &self,
        request: &Request,
        target: Target,
        reader: &mut FrameDecoder,
        start: FetchStart,
    ) -> Result<ActionResult, Error> {
        let action = request.operation();
        let has_key = self.inner.transport.options.api_key.is_some();
        let validate = |page: &FramePage, head: &[u8]| read_envelope(action, page).check_refusal(head, has_key);
        let Fetched { page, rest } = self.fetch(target, request.requirement(), reader, Some(&validate), start).await?;
        let mut rows = read_envelope(action, &page).into_rows(action, page, rest.is_some());
        rows.message = rows.message.map(|message| self.inner.transport.redact(message));
        Ok((rows, rest))
    }

    /// Calls an action with one request. Rows may be missing if the response has as many as the service ever returns.
    pub(crate) async fn request_action(
        &self,
        action: &'static Operation,
        request: &Request,
        decoder: &mut FrameDecoder,
    ) -> Result<ActionRows<Box<FramePage>>, Error> {
        let target = self.target(request, &[]);
        let (mut rows, _) = self.fetch_action(request, target, decoder, FetchStart::Request).await?;
        self.emit_diagnostics(&rows.items);
        let (max_rows, advice) = match action.range_form() {
            Some(form) => (form.max_rows, "; all() reads them"),
            None => (MAX_ROWS, ""),
        };
        // The pages of actions without ranges have no common limit.
        let is_limited = action.range_form().is_some() || !request.has_param("offset");
        if is_limited && !rows.incomplete && rows.items.rows_read as u64 == max_rows {
            let rule =
                ["the service returns at most ", &*format_u64(max_rows), " rows, so that more may exist", advice];
            (rows.incomplete, rows.message) = (true, Some(rule.concat()));
        }
        Ok(rows)
    }

    /// Calls an action that returns rows.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::TokenListParams;
    /// # use address_query::error::Error;
    /// /// Returns the symbols of the tokens that an address holds.
    /// async fn held_symbols(client: &Client<impl Runtime>, address: &str) -> Result<Vec<String>, Error> {
    ///     let tokens = client.rows(&TokenListParams::new(address.parse()?)).await?;
    ///     Ok(tokens.items.iter().filter_map(|token| Some(token.symbol.as_ref()?.to_string())).collect())
    /// }
    /// ```
    ///
    /// # Errors
    /// An invalid parameter, any failure of the request or of decoding, or a refusal of the service.
    pub async fn rows<A: RowsAction>(&self, params: &A) -> Result<ActionRows<Vec<A::Row>>, Error> {
        let request = Request::from_params(params)?;
        let collected = Rc::new(RefCell::new(RowCollector::default()));
        let collector = Rc::clone(&collected);
        let sink = BatchSink::new(move |batch| collector.borrow_mut().on_batch(batch));
        let mut decoder = self.frame_decoder(A::OPERATION.layout).with_sink(sink);
        let mut rows = self.request_action(A::OPERATION, &request, &mut decoder).await?;
        let mut collected = collected.take();
        collected.add(&mut rows.items);
        let RowCollector { items, is_mismatch: false } = collected else { return Err(frame_error()) };
        Ok(ActionRows { items, omitted: rows.omitted, incomplete: rows.incomplete, message: rows.message })
    }

    /// Calls an action that returns a single value. The value is in the field `result`.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::BalanceParams;
    /// # use address_query::error::Error;
    /// /// Returns the native balance of an address in wei.
    /// async fn balance(client: &Client<impl Runtime>, address: &str) -> Result<Option<String>, Error> {
    ///     let response = client.value(&BalanceParams::new(address.parse()?)).await?;
    ///     Ok(response.result.map(|wei| wei.to_string()))
    /// }
    /// ```
    ///
    /// # Errors
    /// An invalid parameter, any failure of the request or of decoding, or a refusal of the service.
    pub async fn value<A: ValueAction>(&self, params: &A) -> Result<A::ValueRecord, Error> {
        let request = Request::from_params(params)?;
        let mut decoder = self.frame_decoder(A::OPERATION.layout);
        let mut response = self.request_action(A::OPERATION, &request, &mut decoder).await?;
        response.items.read_envelope().ok_or_else(frame_error)
    }
}

/// Collects the rows of a response while it arrives.
struct RowCollector<T> {
    items: Vec<T>,
    /// Whether a row is a record of another type.
    is_mismatch: bool,
}

impl<T> Default for RowCollector<T> {
    fn default() -> Self {
        Self { items: Vec::new(), is_mismatch: false }
    }
}

impl<T: Record> RowCollector<T> {
    /// Adds a batch. `None` means that the response restarts.
    fn on_batch(&mut self, batch: Option<FramePage>) {
        match batch {
            Some(mut batch) => self.add(&mut batch),
            None => *self = Self::default(),
        }
    }

    fn add(&mut self, page: &mut FramePage) {
        match page.read_rows() {
            Some(rows) => self.items.extend(rows),
            None => self.is_mismatch = true,
        }
        std::mem::take(&mut page.frame).recycle();
    }
}
