//! Lookups: operations of the REST API that return a single record.

use super::fetch::FetchStart;
use super::response_error::decode_error;
use super::{Client, RawDecoder, Runtime};
use crate::decode::typed::read_record;
use crate::endpoint::{LookupParams, Operation, Params, Request};
use crate::error::{Error, ErrorCode};

impl<R: Runtime> Client<R> {
    /// Requests a single record.
    ///
    /// # Errors
    /// An invalid parameter, or any failure of the request or of decoding.
    pub async fn lookup<P: LookupParams>(&self, params: &P) -> Result<P::Record, Error> {
        let read = |body: &[u8], head: &[u8]| read_record(body).map_err(|error| decode_error(&error, head));
        self.call_typed(P::LOOKUP, params, read).await
    }

    /// Calls an operation, and decodes its complete body with `read`, which also gets the beginning of the body.
    pub(super) async fn call_typed<P: Params, T>(
        &self,
        operation: &'static Operation,
        params: &P,
        read: impl Fn(&[u8], &[u8]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let request = Request::new(operation, params.to_values())?;
        let mut result = None;
        let mut validate = |body: &mut Vec<u8>, head: &[u8]| {
            result = Some(read(body, head)?);
            Ok(())
        };
        self.fetch_or_explain(
            &self.target(&request, &[]),
            &mut RawDecoder::default(),
            &mut validate,
            FetchStart::Request,
        )
        .await?;
        result.ok_or_else(|| Error::new(ErrorCode::Internal, "the response was not validated"))
    }
}
