//! Lookups: operations of the REST API that return a single record, and requests that no operation declares.

use super::handle::Client;
use super::retry::FetchStart;
use super::retry::response_error::frame_error;
use super::runtime::Runtime;
use crate::decode::FramePage;
use crate::endpoint::{ANY_PATH, LookupParams, Operation, ParamValue, Request};
use crate::error::Error;
use crate::types::{AnyResponse, Json};

impl<R: Runtime> Client<R> {
    /// Requests a single record.
    ///
    /// # Errors
    /// An invalid parameter, or any failure of the request or of decoding.
    pub async fn lookup<P: LookupParams>(&self, params: &P) -> Result<P::Record, Error> {
        let request = Request::from_params(params)?;
        let mut page = self.fetch_lookup(P::OPERATION, &request).await?;
        page.read_envelope().ok_or_else(frame_error)
    }

    /// Requests a path that no operation covers, and returns its JSON. Only the syntax is validated.
    ///
    /// The path is relative to the base URL, such as `/api/v2/main-page/blocks`. A path that begins with `/services/`
    /// selects a service that the gateway has for all chains. A request costs as many credits as the operation with
    /// this path, or else the usual price of an operation.
    ///
    /// # Errors
    /// An invalid path or parameter, or any failure of the request.
    pub async fn request(&self, path: &str, params: &[(&str, &str)]) -> Result<Json, Error> {
        let values: Vec<_> = params.iter().map(|&(name, value)| (name, ParamValue::String(value.to_owned()))).collect();
        let mut page = self.fetch_lookup(&ANY_PATH, &Request::from_path(path, &values)?).await?;
        page.read_envelope::<AnyResponse>().map(|response| response.json).ok_or_else(frame_error)
    }

    /// Requests a single record: the envelope of the page. Emits its diagnostics.
    pub(crate) async fn fetch_lookup(
        &self,
        lookup: &'static Operation,
        request: &Request,
    ) -> Result<Box<FramePage>, Error> {
        let mut decoder = self.frame_decoder(lookup.layout);
        let target = self.target(request, &[]);
        let start = FetchStart::Request;
        let page = self.fetch(target, request.requirement(), &mut decoder, None, start).await?.page;
        self.emit_diagnostics(&page);
        Ok(page)
    }
}
