//! The module/action interface: what an answer's envelope means, and asking an action once.

use super::fetch::{Arriving, Earlier, Fetched, Target};
use super::status::{refused, unreadable};
use super::{Client, FramePages, RawPages, Runtime};
use crate::decode::error_body::{printable, refusal};
use crate::decode::typed::{read_record, read_rows};
use crate::decode::{FramePage, Leniency};
use crate::endpoint::{Action, ActionParams, Request, RowsAction, ValueAction};
use crate::error::{Error, ErrorCode};
use crate::record::{Record, field_index};
use crate::text::lossy;
use crate::types::{EthBalanceResponse, RowsEnvelope, ValueEnvelope, ValueResponse};

/// The rows of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows<P> {
    /// The rows.
    pub items: P,
    /// Whether the service has not processed all of them yet.
    pub incomplete: bool,
    /// What is missing, in the service's words.
    pub message: Option<String>,
}

/// What an answer's envelope says.
struct Envelope {
    status: Option<String>,
    message: Option<String>,
    /// Whether there is a result: rows, even none, or a value.
    has_result: bool,
}

impl Envelope {
    /// Status `"0"` with a list is "nothing found"; without a result it is a refusal.
    fn check(&self, head: &[u8]) -> Result<(), Error> {
        if self.has_result || self.status.as_deref() == Some("1") {
            return Ok(());
        }
        let said = refusal(head).or_else(|| self.message.as_deref().map(printable));
        let mut error = refused(&said.unwrap_or_else(|| "no reason given".into()));
        error.status = Some(200);
        Err(error)
    }

    /// Status `"2"` is data that is not complete. Where the status stands behind the rows of a part, the message before them
    /// tells.
    fn around<P>(self, items: P, is_part: bool) -> Rows<P> {
        let incomplete = match &self.status {
            None if is_part => self.message.as_deref().is_some_and(|message| message != "OK"),
            status => status.as_deref() == Some("2"),
        };
        Rows { items, incomplete, message: self.message.filter(|_| incomplete).map(|message| printable(&message)) }
    }
}

/// The text of an envelope's field.
fn text(page: &FramePage, field: usize) -> Option<String> {
    let content = page.frame.content(page.frame.get(page.envelope as usize + field))?;
    Some(lossy(&crate::decode::escape::unescaped(content)))
}

fn envelope(action: &Action, page: &FramePage) -> Envelope {
    const STATUS: usize = field_index(RowsEnvelope::TABLE.names, "status");
    const MESSAGE: usize = field_index(RowsEnvelope::TABLE.names, "message");
    const VALUE: usize = field_index(ValueResponse::TABLE.names, "result");
    const ETH: usize = field_index(EthBalanceResponse::TABLE.names, "result");
    let has = |field: usize| page.frame.get(page.envelope as usize + field) != 0;
    if std::ptr::eq(action.layout.envelope, EthBalanceResponse::TABLE) {
        return Envelope { status: None, message: None, has_result: has(ETH) };
    }
    let has_result = if action.layout.rows.is_some() { page.has_rows } else { has(VALUE) };
    Envelope { status: text(page, STATUS), message: text(page, MESSAGE), has_result }
}

/// What an action's answer means. `head` is the beginning of its body.
///
/// # Errors
/// A refusal.
pub fn judge(action: &Action, page: Box<FramePage>, head: &[u8]) -> Result<Rows<Box<FramePage>>, Error> {
    let envelope = envelope(action, &page);
    envelope.check(head).map(|()| envelope.around(page, false))
}

/// An answer, and what is still to come of it.
pub(crate) type Asked = (Rows<Box<FramePage>>, Option<Box<Arriving>>);

impl<R: Runtime> Client<R> {
    /// Asks an action once.
    ///
    /// # Errors
    /// Whatever kept the answer from being read, or a refusal.
    pub async fn ask(
        &self,
        action: &'static Action,
        request: &Request,
        leniency: Leniency,
    ) -> Result<Rows<Box<FramePage>>, Error> {
        let mut pages = self.frames(action.layout, leniency);
        Ok(self.ask_at(&self.target(request, None), action, &mut pages, Earlier::default()).await?.0)
    }

    /// The same, into pages that know the answers before.
    pub(crate) async fn ask_at(
        &self,
        target: &Target,
        action: &'static Action,
        pages: &mut FramePages,
        earlier: Earlier,
    ) -> Result<Asked, Error> {
        let mut judge = |page: &mut Box<FramePage>, head: &[u8]| envelope(action, page).check(head);
        let Fetched { read, rest } = self.fetch(target, pages, &mut judge, earlier).await?;
        Ok((envelope(action, &read.page).around(read.page, rest.is_some()), rest))
    }

    /// The rows of an action.
    ///
    /// # Errors
    /// A parameter that breaks a rule, whatever kept the answer from being read, or a refusal.
    pub async fn rows<A: RowsAction>(&self, params: &A) -> Result<Rows<Vec<A::Row>>, Error> {
        let read = |body: &[u8], head: &[u8]| {
            let (answer, rows) = read_rows::<A::Row>(body).map_err(|fail| unreadable(&fail, head))?;
            let (status, message) =
                (answer.status.map(|text| text.to_string()), answer.message.map(|text| text.to_string()));
            let envelope = Envelope { status, message, has_result: rows.is_some() };
            envelope.check(head).map(|()| envelope.around(rows.unwrap_or_default(), false))
        };
        self.typed(params, read).await
    }

    /// The value of an action, in its envelope.
    ///
    /// # Errors
    /// A parameter that breaks a rule, whatever kept the answer from being read, or a refusal.
    pub async fn value<A: ValueAction>(&self, params: &A) -> Result<A::Response, Error> {
        let read = |body: &[u8], head: &[u8]| {
            let answer: A::Response = read_record(body).map_err(|fail| unreadable(&fail, head))?;
            let status = answer.status().map(str::to_owned);
            let envelope = Envelope { status, message: None, has_result: answer.has_result() };
            envelope.check(head).map(|()| answer)
        };
        self.typed(params, read).await
    }

    /// Asks an action once and judges its whole body.
    async fn typed<A: ActionParams, T>(
        &self,
        params: &A,
        read: impl Fn(&[u8], &[u8]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let request = Request::new(A::ACTION, params.to_values())?;
        let mut answer = None;
        let mut judge = |body: &mut Vec<u8>, head: &[u8]| {
            answer = Some(read(body, head)?);
            Ok(())
        };
        self.fetch(&self.target(&request, None), &mut RawPages::default(), &mut judge, Earlier::default()).await?;
        answer.ok_or_else(|| Error::new(ErrorCode::Internal, "an answer that nobody judged"))
    }
}
