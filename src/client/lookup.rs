//! Lookups: operations of the REST API that return a single record.

use super::handle::Client;
use super::retry::FetchStart;
use super::retry::response_error::frame_error;
use super::runtime::Runtime;
use crate::decode::FramePage;
use crate::endpoint::{Lookup, LookupParams, Request};
use crate::error::Error;

impl<R: Runtime> Client<R> {
    /// Requests a single record.
    ///
    /// # Errors
    /// An invalid parameter, or any failure of the request or of decoding.
    pub async fn lookup<P: LookupParams>(&self, params: &P) -> Result<P::Record, Error> {
        let request = Request::new(P::LOOKUP, params.to_values())?;
        let mut page = self.fetch_lookup(P::LOOKUP, &request).await?;
        self.emit_findings(&page);
        page.read_envelope().ok_or_else(frame_error)
    }

    /// Requests a single record: the envelope of the page.
    pub(crate) async fn fetch_lookup(
        &self,
        lookup: &'static Lookup,
        request: &Request,
    ) -> Result<Box<FramePage>, Error> {
        let mut decoder = self.frame_decoder(lookup.layout, self.decode_options());
        let target = self.target(request, &[]);
        Ok(self.fetch(&target, &mut decoder, &mut |_, _| Ok(()), FetchStart::Request).await?.page)
    }
}
