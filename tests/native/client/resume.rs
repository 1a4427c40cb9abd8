//! Resume tokens: their contents, and the requests that they are valid for.

use std::sync::Arc;

use address_query::client::{Client, ClientOptions};
use address_query::endpoint::{AddressWithdrawalsParams, BaseUrl};
use address_query::error::Error;
use address_query::testing::client::resume::{
    MALFORMED, OTHER_REQUEST, OTHER_VERSION, ResumePoint, TokenSubject, decode_cursor, decode_token,
};
use address_query::testing::decode::Cursor;
use address_query::testing::endpoint::{ParamValue, Request};

use super::{
    WITHDRAWALS, assert_invalid_parameter, client, last_page, list, ok_page, params, params_of, read, read_all, string,
    withdrawals,
};
use crate::support::HASH_A;
use crate::test_runtime::TestRuntime;

/// The token after a page with this cursor.
#[track_caller]
fn token_for(cursor: &str) -> String {
    let runtime = TestRuntime::new([ok_page(&[1], cursor)]);
    let mut pager = withdrawals(&runtime);
    read(&runtime, &mut pager).unwrap();
    pager.resume_token().unwrap()
}

fn request(method: &str, values: &[(&str, ParamValue)]) -> Request {
    Request::new(list(method), values).unwrap()
}

/// The cursor of tokens that are not read from a page.
fn position() -> Cursor {
    Cursor::from_parameters([("index".to_owned(), "3".to_owned())]).unwrap()
}

fn encode(url: BaseUrl, request: &Request) -> String {
    ResumePoint::new(Arc::new(TokenSubject { url, request: request.clone() }), position()).token()
}

#[track_caller]
fn assert_rejected<T>(outcome: Result<T, Error>, rule: &str) {
    assert_invalid_parameter(outcome, "resume", rule);
}

#[test]
fn token_continues_after_its_page() {
    for (cursor, query) in [
        (r#"{"index":90}"#, "index=90"),
        (
            r#"{"z":null,"a":"x.y&=% é","big":12345678901234567890,"e":"1E+2"}"#,
            "z=null&a=x.y%26%3D%25%20%C3%A9&big=12345678901234567890&e=100",
        ),
        (r#"{"":""}"#, "="),
    ] {
        let token = token_for(cursor);
        assert!(token.is_ascii() && token.starts_with("aq1.addressWithdrawals."), "{token}");
        let runtime = TestRuntime::new([last_page(&[5])]);
        let mut pager = client(&runtime).resume_pages(&params(), &token).unwrap();
        assert_eq!(pager.resume_token().as_ref(), Some(&token), "before its first page");
        assert_eq!(read_all(&runtime, &mut pager), [[5]]);
        assert_eq!(runtime.take_urls(), [format!("{WITHDRAWALS}?{query}")]);
    }
}

#[test]
fn page_has_its_token_after_later_pages_are_read() {
    let runtime = TestRuntime::new([ok_page(&[9], r#"{"index":9}"#), ok_page(&[5], r#"{"index":5}"#), last_page(&[1])]);
    let (mut pager, mut pages) = (withdrawals(&runtime), Vec::new());
    while let Some(page) = runtime.block_on(pager.next()).unwrap() {
        pages.push((page, pager.resume_token()));
    }
    for (page, token) in &pages {
        assert_eq!(page.resume_token(), *token);
    }
    assert_eq!(pages[0].1, Some(token_for(r#"{"index":9}"#)));
    assert_eq!(pages[2].1, None);
}

#[test]
fn token_is_valid_for_the_address_in_any_letter_case() {
    let token = token_for(r#"{"index":90}"#);
    for hash in [HASH_A.to_ascii_lowercase(), format!("0x{}", HASH_A[2..].to_ascii_uppercase())] {
        let params = AddressWithdrawalsParams::new(hash.parse().unwrap());
        assert!(client(&TestRuntime::default()).resume_pages(&params, &token).is_ok());
    }
}

#[test]
fn token_of_another_request_is_rejected() {
    let token = token_for(r#"{"index":90}"#);
    let runtime = TestRuntime::default();
    assert_rejected(client(&runtime).resume_pages(&params_of(1), &token), OTHER_REQUEST);
    for base in ["https://gnosis.blockscout.com", "http://eth.blockscout.com", "https://eth.blockscout.com/1"] {
        let client = Client::new(runtime.clone(), base.parse().unwrap());
        assert_rejected(client.resume_pages(&params(), &token), OTHER_REQUEST);
    }
    let withdrawals = request("addressWithdrawals", &[("address_hash", string(HASH_A))]);
    let [deep, other] =
        ["https://gateway.example/Deep", "https://gateway.example/deep"].map(|base| base.parse().unwrap());
    assert_rejected(decode_token(&encode(deep, &withdrawals), &[&other], &withdrawals), OTHER_REQUEST);
    let logs = request("addressLogs", &[("address_hash", string(HASH_A))]);
    let rule = "is a token of addressWithdrawals, not of addressLogs";
    assert_rejected(decode_token(&token, &[&super::BASE.parse().unwrap()], &logs), rule);
    assert!(runtime.take_urls().is_empty());
}

/// A client of a chain, if there is a chain, and the token after its first page.
fn read_token(base: &str, chain_id: Option<u64>) -> (Client<TestRuntime>, String) {
    let runtime = TestRuntime::new([ok_page(&[1], r#"{"index":90}"#)]);
    let options = ClientOptions::new(base.parse().unwrap()).chain_id(chain_id);
    let client = Client::with_options(runtime.clone(), options);
    let mut pager = client.pages(&params()).unwrap();
    read(&runtime, &mut pager).unwrap();
    (client, pager.resume_token().unwrap())
}

#[test]
fn token_of_a_chain_is_valid_wherever_the_chain_is_read() {
    let bases = ["https://api.blockscout.com/1", "/api/blockscout/1", "https://proxy.example/1", super::BASE];
    let clients = bases.map(|base| read_token(base, Some(1)));
    let (of_url, of_other_chain) =
        (read_token("https://x.example", None), read_token("/api/blockscout/8453", Some(8453)));
    for (client, _) in &clients {
        for (_, token) in &clients {
            assert!(client.resume_pages(&params(), token).is_ok());
        }
        for (_, foreign) in [&of_url, &of_other_chain] {
            assert_rejected(client.resume_pages(&params(), foreign), OTHER_REQUEST);
        }
    }
    assert_rejected(of_other_chain.0.resume_pages(&params(), &clients[0].1), OTHER_REQUEST);
}

#[test]
fn token_of_a_base_url_stays_valid_once_its_chain_is_known() {
    for (base, chain_id) in [(super::BASE, 1), ("/api/blockscout/8453", 8453), ("https://api.blockscout.com/10", 10)] {
        let (_, old) = read_token(base, None);
        let (client, _) = read_token(base, Some(chain_id));
        assert!(client.resume_pages(&params(), &old).is_ok(), "{base}");
    }
}

#[test]
fn token_is_bound_to_its_filters() {
    let base: BaseUrl = super::BASE.parse().unwrap();
    let with = |filters: &[(&'static str, &str)]| {
        let filters = filters.iter().map(|(name, value)| (*name, string(value)));
        request("addressTokenTransfers", &[vec![("address_hash", string(HASH_A))], filters.collect()].concat())
    };
    let token = encode(base.clone(), &with(&[("filter", "to")]));
    let read = |filters: &[_]| decode_token(&token, &[&base], &with(filters)).and_then(decode_cursor);
    assert_eq!(read(&[("filter", "to")]), Ok(position()));
    for others in [&[][..], &[("filter", "from")], &[("filter", "to"), ("type", "ERC-20")]] {
        assert_rejected(read(others), OTHER_REQUEST);
    }
}

#[test]
fn damaged_token_is_rejected() {
    let token = token_for(r#"{"block_number":23705399,"index":90}"#);
    let mut damaged: Vec<String> = (0..token.len()).map(|length| token[..length].to_owned()).collect();
    damaged.extend((0..token.len()).map(|at| {
        let mut bytes = token.clone().into_bytes();
        bytes[at] ^= 1;
        String::from_utf8(bytes).unwrap()
    }));
    damaged.extend(["&", "0", "="].map(|more| format!("{token}{more}")));
    damaged.extend(["aq0", "aq2"].map(|other| token.replacen("aq1", other, 1)));
    damaged.extend(["", ".", "null", "....", "{\"index\":90}", "aq1....", "index=90"].map(String::from));
    for damaged in damaged {
        // If it has five fields, the first one is the version.
        let parts: Vec<&str> = damaged.splitn(5, '.').collect();
        let rule = if parts.len() == 5 && parts[0] != "aq1" { OTHER_VERSION } else { MALFORMED };
        assert_rejected(client(&TestRuntime::default()).resume_pages(&params(), &damaged), rule);
    }
}
