//! From a request to its page: the URL, the deadline, the answer's status, the body as it arrives. Generic over
//! [`Runtime`]; knows no browser.

pub mod account;
pub mod balances;
pub mod pager;
pub mod pages;
pub mod range;
pub mod resume;
pub mod runtime;
pub mod settings;
pub mod status;

use std::rc::Rc;

pub use account::Rows;
pub use pager::Pager;
pub use pages::{FramePages, Pages, RawPages, ReadPage, TypedPages};
pub use range::{RangeReader, Report};
pub use runtime::{First, NoAnswer, Response, Runtime};
pub use settings::{CallSettings, ClientSettings};

use crate::decode::{Cursor, Page};
use crate::endpoint::{BaseUrl, ListParams, Request};
use crate::error::{Error, ErrorCode};

/// How much of a body is looked at to say what an unreadable answer is.
const HEAD: usize = 4096;

/// How long a page may take, unless the caller says otherwise.
pub const DEFAULT_TIMEOUT_MS: u64 = 30_000;

/// Reads one instance of the service.
///
/// ```no_run
/// # async fn example(runtime: impl address_query::client::Runtime) -> Result<(), address_query::error::Error> {
/// use address_query::client::Client;
/// use address_query::endpoint::AddressLogsParams;
///
/// let client = Client::new(runtime, "https://eth.blockscout.com".parse()?);
/// let params = AddressLogsParams { address_hash: "0x00000000219ab540356cBB839Cbe05303d7705Fa".parse()?, topic: None };
/// let mut pager = client.pages(&params)?;
/// while let Some(page) = pager.next().await? {
///     for log in page.items {
///         println!("{} {}", log.block_number, log.transaction_hash);
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Client<R> {
    inner: Rc<Inner<R>>,
    timeout_ms: u64,
}

#[derive(Debug)]
struct Inner<R> {
    runtime: R,
    base: BaseUrl,
}

impl<R> Clone for Client<R> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner), timeout_ms: self.timeout_ms }
    }
}

impl<R: Runtime> Client<R> {
    /// A client for this instance.
    #[must_use]
    pub fn new(runtime: R, base: BaseUrl) -> Self {
        Self { inner: Rc::new(Inner { runtime, base }), timeout_ms: DEFAULT_TIMEOUT_MS }
    }

    /// The same client with another limit for how long a page may take, body included.
    #[must_use]
    pub fn with_timeout(mut self, timeout_ms: u64) -> Self {
        self.timeout_ms = timeout_ms;
        self
    }

    /// The instance.
    #[must_use]
    pub fn base(&self) -> &BaseUrl {
        &self.inner.base
    }

    fn runtime(&self) -> &R {
        &self.inner.runtime
    }

    /// The first page of a list.
    ///
    /// # Errors
    /// A parameter that breaks a rule, or whatever kept the page from being read.
    pub async fn page<P: ListParams>(&self, params: &P) -> Result<Page<P::Item, P::Envelope>, Error> {
        let page = self.pages(params)?.next().await?;
        page.ok_or_else(|| Error::new(ErrorCode::Internal, "a list without a first page"))
    }

    /// A list, page by page.
    ///
    /// # Errors
    /// A parameter that breaks a rule.
    pub fn pages<P: ListParams>(&self, params: &P) -> Result<Pager<R, TypedPages<P>>, Error> {
        Pager::new(self.clone(), Request::of(params)?, TypedPages::default(), None)
    }

    /// A list, page by page, after the page that gave this resume token.
    ///
    /// # Errors
    /// A parameter that breaks a rule, or a token that does not belong here.
    pub fn pages_after<P: ListParams>(&self, params: &P, resume: &str) -> Result<Pager<R, TypedPages<P>>, Error> {
        Pager::new(self.clone(), Request::of(params)?, TypedPages::default(), Some(resume))
    }

    /// Reads one page.
    async fn read<P: Pages>(
        &self,
        request: &Request,
        cursor: Option<&Cursor>,
        pages: &mut P,
    ) -> Result<ReadPage<P::Page>, Error> {
        let (read, _) = self.read_url(&request.url(self.base(), cursor), pages).await?;
        Ok(read)
    }

    /// Reads the answer of one URL; with it the beginning of its body.
    async fn read_url<P: Pages>(&self, url: &str, pages: &mut P) -> Result<(ReadPage<P::Page>, Vec<u8>), Error> {
        let deadline = self.inner.runtime.sleep(self.timeout_ms);
        let outcome = match runtime::race(self.answer(url, pages), deadline).await {
            First::Left(outcome) => outcome,
            First::Right(()) => {
                let message = format!("no complete answer within {} ms; try again or raise timeoutMs", self.timeout_ms);
                Err(Error::new(ErrorCode::Timeout, message))
            }
        };
        outcome.map_err(|mut error| {
            error.url = Some(url.to_owned());
            error.attempts = Some(1);
            error
        })
    }

    async fn answer<P: Pages>(&self, url: &str, pages: &mut P) -> Result<(ReadPage<P::Page>, Vec<u8>), Error> {
        let runtime = &self.inner.runtime;
        let mut response = runtime.send(url).await.map_err(no_answer)?;
        let good = (200..300).contains(&response.status);
        let mut head = Vec::new();
        pages.begin();
        loop {
            let chunk = match runtime.chunk(&mut response.body).await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                // A failing status says enough.
                Err(_) if !good => break,
                Err(broken_off) => return Err(no_answer(broken_off)),
            };
            let room = HEAD.saturating_sub(head.len()).min(chunk.len());
            head.extend_from_slice(chunk.get(..room).unwrap_or_default());
            if good {
                pages.feed(chunk).map_err(|fail| status::unreadable(&fail, &head))?;
            } else if head.len() >= HEAD {
                break;
            }
        }
        if !good {
            return Err(status::failing_status(response.status, &response.headers, &head, runtime.now_ms()));
        }
        match pages.finish() {
            Ok(read) => Ok((read, head)),
            Err(fail) => Err(status::unreadable(&fail, &head)),
        }
    }
}

fn no_answer(NoAnswer(reason): NoAnswer) -> Error {
    let message = format!(
        "no answer ({reason}); check the connection and baseUrl. A page of another origin must be allowed by CORS, and \
         errors of a CDN in front of the service look like this too"
    );
    Error::new(ErrorCode::Network, message)
}
