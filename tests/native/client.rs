//! Tests of the client against scripted responses, in virtual time.

mod any_path;
mod api_key;
mod credits;
mod events;
mod instance;
mod isolated_tasks;
mod lookup;
mod method_call;
mod responses;

mod options;
mod page_size;
mod page_urls;
mod paging;
pub mod peers;
mod rate_limiter;
mod requests;
mod resume;
mod retry;
mod shared_fetch;
mod version_check;

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{Client, ClientOptions, Event, EventSink, ListPages, RetryPolicy};
use address_query::endpoint::AddressWithdrawalsParams;
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::{FrameDecoder, NamedValues, Pager};
use address_query::testing::decode::DecodeOptions;
use address_query::testing::endpoint::{Operation, ParamValue, Request, find_operation};

use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

pub const BASE: &str = "https://eth.blockscout.com";

use crate::service::VERSION_PATH as VERSION;

/// `/addresses/{HASH_A}/withdrawals`, the list with the shortest rows.
pub const WITHDRAWALS: &str =
    "https://eth.blockscout.com/api/v2/addresses/0x00000000219ab540356cBB839Cbe05303d7705Fa/withdrawals";

type Withdrawals = ListPages<TestRuntime, AddressWithdrawalsParams>;

/// A client without retries.
pub fn client(runtime: &TestRuntime) -> Client<TestRuntime> {
    retrying_client(runtime).with_retry_policy(RetryPolicy::default().max_attempts(1))
}

/// A client with default options.
pub fn retrying_client(runtime: &TestRuntime) -> Client<TestRuntime> {
    Client::new(runtime.clone(), BASE.parse().unwrap())
}

pub fn params() -> AddressWithdrawalsParams {
    AddressWithdrawalsParams::new(HASH_A.parse().unwrap())
}

fn withdrawals(runtime: &TestRuntime) -> Withdrawals {
    client(runtime).pages(&params()).unwrap()
}

/// A client whose default options `change` modifies.
fn client_with(runtime: &TestRuntime, change: impl FnOnce(&mut ClientOptions)) -> Client<TestRuntime> {
    let mut options = ClientOptions::new(BASE.parse().unwrap());
    change(&mut options);
    Client::with_options(runtime.clone(), options)
}

/// Returns a sink that records `read(event)` for each event, and the records.
fn record_events<T: 'static>(read: impl Fn(&Event<'_>) -> T + 'static) -> (EventSink, Rc<RefCell<Vec<T>>>) {
    let recorded = Rc::<RefCell<Vec<T>>>::default();
    let recorder = Rc::clone(&recorded);
    (EventSink::new(move |event| recorder.borrow_mut().push(read(event))), recorded)
}

/// Parameters for the address with this number.
fn params_of(number: u64) -> AddressWithdrawalsParams {
    AddressWithdrawalsParams::new(format!("0x{number:040x}").parse().unwrap())
}

/// Reads the first page and returns its indices.
async fn first_page(client: Client<TestRuntime>) -> Result<Vec<i64>, Error> {
    let page = client.page(&params()).await?;
    Ok(page.items.iter().map(|row| row.index).collect())
}

/// Reads the first page of the address with this number and returns its indices.
pub async fn first_page_of(client: Client<TestRuntime>, number: u64) -> Result<Vec<i64>, Error> {
    let page = client.page(&params_of(number)).await?;
    Ok(page.items.iter().map(|row| row.index).collect())
}

/// The body of a page of withdrawals with these indices. `next` is the JSON of its cursor.
pub fn page(indices: &[i64], next: &str) -> String {
    let rows: Vec<String> = indices
        .iter()
        .map(|index| format!(r#"{{"index":{index},"validator_index":7,"amount":"32000000000000000000"}}"#))
        .collect();
    format!(r#"{{"items":[{}],"next_page_params":{next}}}"#, rows.join(","))
}

/// A response with this page.
fn ok_page(indices: &[i64], next: &str) -> MockResponse {
    MockResponse::ok(page(indices, next))
}

/// A response with the last page.
fn last_page(indices: &[i64]) -> MockResponse {
    ok_page(indices, "null")
}

/// Reads the next page and returns its indices. None after the last page.
fn read(runtime: &TestRuntime, pager: &mut Withdrawals) -> Result<Option<Vec<i64>>, Error> {
    let page = runtime.block_on(pager.next())?;
    Ok(page.map(|page| page.items.iter().map(|row| row.index).collect()))
}

/// Reads all remaining pages and returns their indices.
#[track_caller]
fn read_all(runtime: &TestRuntime, pager: &mut Withdrawals) -> Vec<Vec<i64>> {
    std::iter::from_fn(|| read(runtime, pager).unwrap()).collect()
}

#[track_caller]
pub fn list(name: &str) -> &'static Operation {
    find_operation(name).unwrap()
}

pub fn string(value: &str) -> ParamValue {
    ParamValue::String(value.to_owned())
}

/// Values of options or parameters, as JavaScript passes them.
pub fn named_values(values: &[(&str, ParamValue)]) -> NamedValues {
    values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// A pager that decodes into frames, as JavaScript uses it.
#[track_caller]
fn frame_pager(runtime: &TestRuntime, list: &'static Operation, values: &[(&str, ParamValue)]) -> Pager<TestRuntime> {
    let request = Request::new(list, values).unwrap();
    Pager::new(client(runtime), request, FrameDecoder::new(list.layout, DecodeOptions::default()), None).unwrap()
}

/// An instance of version 11 that returns these two pages.
fn serve_two_pages(first: String, second: String) -> TestRuntime {
    let mut pages = vec![second, first];
    TestRuntime::with_service(move |url| {
        let is_version = url.ends_with(VERSION);
        MockResponse::ok(if is_version { r#"{"backend_version":"v11.2.7"}"#.into() } else { pages.pop().unwrap() })
    })
}

/// Returns the URLs of the lists that were requested.
fn take_list_urls(runtime: &TestRuntime) -> Vec<String> {
    runtime.take_urls().into_iter().filter(|url| !url.ends_with(VERSION)).collect()
}

/// Like [`withdrawals`], but decodes into frames.
#[track_caller]
fn withdrawals_frame_pager(runtime: &TestRuntime) -> Pager<TestRuntime> {
    frame_pager(runtime, list("addressWithdrawals"), &[("address_hash", string(HASH_A))])
}

/// The error for a response, which is not retried. It must be the same for structs and for frames.
#[track_caller]
fn failure(response: &MockResponse) -> Error {
    let runtime = TestRuntime::new([response.clone(), response.clone()]);
    let typed = read(&runtime, &mut withdrawals(&runtime)).expect_err("typed");
    let framed = runtime.block_on(withdrawals_frame_pager(&runtime).next()).expect_err("framed");
    let details = |error: &Error| (error.code, error.status, error.retry_after_ms, error.path.clone());
    assert_eq!(details(&typed), details(&framed), "{typed}\n{framed}");
    // Only the advice about a crash differs.
    assert!(typed.message == framed.message || typed.status == Some(500), "{typed}\n{framed}");
    assert_eq!(typed.url.as_deref(), Some(WITHDRAWALS));
    assert_eq!((typed.attempts, &typed.resume_token), (Some(1), &None));
    assert_eq!(runtime.open_requests(), 0, "a request remains open");
    framed
}

#[track_caller]
pub fn assert_invalid_parameter<T>(outcome: Result<T, Error>, parameter: &str, rule: &str) {
    let error = outcome.err().unwrap_or_else(|| panic!("{parameter} was accepted"));
    assert_eq!(error.code, ErrorCode::InvalidParameter, "{error}");
    assert_eq!(error.parameter.as_deref(), Some(parameter), "{error}");
    assert_eq!(error.message, format!("{parameter}: {rule}"));
}
