//! The client's policy, against a scripted network in virtual time.

mod answers;
mod api_key;
mod events;
mod kept;

mod paging;
mod rate_limiter;
mod requests;
mod resume;
mod retry;
mod settings;
mod sharing;

use address_query::client::{Client, ClientSettings, FramePages, Pager, Patience, TypedPages};
use address_query::decode::Leniency;
use address_query::endpoint::{AddressWithdrawalsParams, List, ParamValue, Request, find_list};
use address_query::error::{Error, ErrorCode};

use crate::runtime::Script;
use crate::support::HASH_A;

pub const BASE: &str = "https://eth.blockscout.com";

/// `/addresses/{HASH_A}/withdrawals`, the list with the shortest rows.
const WITHDRAWALS: &str =
    "https://eth.blockscout.com/api/v2/addresses/0x00000000219ab540356cBB839Cbe05303d7705Fa/withdrawals";

type Withdrawals = Pager<Script, TypedPages<AddressWithdrawalsParams>>;

/// A client that tries once.
fn client(script: &Script) -> Client<Script> {
    patient(script).with_patience(Patience { max_attempts: 1, ..Patience::default() })
}

/// A client as it is unless told otherwise.
pub fn patient(script: &Script) -> Client<Script> {
    Client::new(script.clone(), BASE.parse().unwrap())
}

pub fn params() -> AddressWithdrawalsParams {
    AddressWithdrawalsParams { address_hash: HASH_A.parse().unwrap() }
}

fn withdrawals(script: &Script) -> Withdrawals {
    client(script).pages(&params()).unwrap()
}

/// A client with settings changed like this.
fn client_with(script: &Script, change: impl FnOnce(&mut ClientSettings)) -> Client<Script> {
    let mut settings = ClientSettings::new(BASE.parse().unwrap());
    change(&mut settings);
    Client::with_settings(script.clone(), settings)
}

/// The list of another address.
fn params_of(number: u64) -> AddressWithdrawalsParams {
    AddressWithdrawalsParams { address_hash: format!("0x{number:040x}").parse().unwrap() }
}

/// The indices of the first page.
async fn first_page(client: Client<Script>) -> Result<Vec<i64>, Error> {
    let page = client.page(&params()).await?;
    Ok(page.items.iter().map(|row| row.index).collect())
}

/// The indices of the first page of another address's withdrawals.
pub async fn first_page_of(client: Client<Script>, number: u64) -> Result<Vec<i64>, Error> {
    let page = client.page(&params_of(number)).await?;
    Ok(page.items.iter().map(|row| row.index).collect())
}

/// A page of withdrawals with these indices, that goes on as told.
pub fn page(indices: &[i64], next: &str) -> String {
    let rows: Vec<String> = indices
        .iter()
        .map(|index| format!(r#"{{"index":{index},"validator_index":7,"amount":"32000000000000000000"}}"#))
        .collect();
    format!(r#"{{"items":[{}],"next_page_params":{next}}}"#, rows.join(","))
}

/// The next page's indices; nothing at the end.
fn read(script: &Script, pager: &mut Withdrawals) -> Result<Option<Vec<i64>>, Error> {
    let page = script.block_on(pager.next())?;
    Ok(page.map(|page| page.items.iter().map(|row| row.index).collect()))
}

/// All pages up to the end.
#[track_caller]
fn read_all(script: &Script, pager: &mut Withdrawals) -> Vec<Vec<i64>> {
    std::iter::from_fn(|| read(script, pager).unwrap()).collect()
}

#[track_caller]
fn list(name: &str) -> &'static List {
    find_list(name).unwrap()
}

fn text(value: &str) -> ParamValue {
    ParamValue::String(value.to_owned())
}

/// The pages as JavaScript reads them.
#[track_caller]
fn frames(script: &Script, list: &'static List, values: &[(&str, ParamValue)]) -> Pager<Script, FramePages> {
    let request = Request::new(list, values.iter().cloned()).unwrap();
    Pager::new(client(script), request, FramePages::new(list, Leniency::default()), None).unwrap()
}

/// Frames of the list that [`withdrawals`] reads.
#[track_caller]
fn withdrawal_frames(script: &Script) -> Pager<Script, FramePages> {
    frames(script, list("addressWithdrawals"), &[("address_hash", text(HASH_A))])
}

#[track_caller]
fn assert_refused<T>(outcome: Result<T, Error>, parameter: &str, rule: &str) {
    let error = outcome.err().unwrap_or_else(|| panic!("{parameter} was taken"));
    assert_eq!(error.code, ErrorCode::InvalidParameter, "{error}");
    assert_eq!(error.parameter.as_deref(), Some(parameter), "{error}");
    assert_eq!(error.message, format!("{parameter}: {rule}"));
}
