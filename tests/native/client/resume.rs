//! Resume tokens: what they hold, and where they are refused.

use address_query::client::Client;
use address_query::client::resume::{cursor, token};
use address_query::decode::Cursor;
use address_query::endpoint::{AddressWithdrawalsParams, ParamValue, Request};

use super::{WITHDRAWALS, assert_refused, client, list, page, params, read, read_all, text, withdrawals};
use crate::runtime::{Reply, Script};
use crate::support::HASH_A;

const BROKEN: &str = "is no resume token, or not a whole one; start without it";
const OTHER_VERSION: &str = "is a token of another version of this library; start without it";
const ELSEWHERE: &str = "was made for another base URL, address or filter; give the same again";

/// The token after one page that leads to this cursor.
#[track_caller]
fn token_for(cursor: &str) -> String {
    let script = Script::new([Reply::ok(page(&[1], cursor))]);
    let mut pager = withdrawals(&script);
    read(&script, &mut pager).unwrap();
    pager.resume_token().unwrap()
}

fn request(method: &str, values: &[(&str, ParamValue)]) -> Request {
    Request::new(list(method), values.iter().cloned()).unwrap()
}

#[test]
fn a_token_goes_on_where_its_page_ended() {
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
        let script = Script::new([Reply::ok(page(&[5], "null"))]);
        let mut pager = client(&script).pages_after(&params(), &token).unwrap();
        assert_eq!(pager.resume_token().as_ref(), Some(&token), "before its first page");
        assert_eq!(read_all(&script, &mut pager), [[5]]);
        assert_eq!(script.take_urls(), [format!("{WITHDRAWALS}?{query}")]);
    }
}

#[test]
fn a_token_is_taken_with_the_address_in_any_letter_case() {
    let token = token_for(r#"{"index":90}"#);
    for hash in [HASH_A.to_ascii_lowercase(), format!("0x{}", HASH_A[2..].to_ascii_uppercase())] {
        let params = AddressWithdrawalsParams { address_hash: hash.parse().unwrap() };
        assert!(client(&Script::default()).pages_after(&params, &token).is_ok());
    }
}

#[test]
fn a_token_is_refused_elsewhere() {
    let token = token_for(r#"{"index":90}"#);
    let script = Script::default();
    let other = AddressWithdrawalsParams { address_hash: format!("0x{}", "1".repeat(40)).parse().unwrap() };
    assert_refused(client(&script).pages_after(&other, &token), "resume", ELSEWHERE);
    for base in ["https://gnosis.blockscout.com", "http://eth.blockscout.com", "https://eth.blockscout.com/1"] {
        let client = Client::new(script.clone(), base.parse().unwrap());
        assert_refused(client.pages_after(&params(), &token), "resume", ELSEWHERE);
    }
    let withdrawals = request("addressWithdrawals", &[("address_hash", text(HASH_A))]);
    let place = Cursor::from_parameters([("index".to_owned(), "3".to_owned())]).unwrap();
    let [deep, other] =
        ["https://gateway.example/Deep", "https://gateway.example/deep"].map(|base| base.parse().unwrap());
    assert_refused(cursor(&self::token(&deep, &withdrawals, &place), &other, &withdrawals), "resume", ELSEWHERE);
    let base = super::BASE.parse().unwrap();
    let logs = request("addressLogs", &[("address_hash", text(HASH_A))]);
    assert_refused(cursor(&token, &base, &logs), "resume", "is a token of addressWithdrawals, not of addressLogs");
    assert!(script.take_urls().is_empty());
}

#[test]
fn a_token_is_bound_to_the_filters_it_was_made_with() {
    let base = super::BASE.parse().unwrap();
    let address = ("address_hash", text(HASH_A));
    let to = [address.clone(), ("filter", text("to"))];
    let place = Cursor::from_parameters([("index".to_owned(), "3".to_owned())]).unwrap();
    let made = token(&base, &request("addressTokenTransfers", &to), &place);
    let read = |values: &[(&str, ParamValue)]| cursor(&made, &base, &request("addressTokenTransfers", values));
    assert_eq!(read(&to), Ok(place));
    assert_refused(read(std::slice::from_ref(&address)), "resume", ELSEWHERE);
    assert_refused(read(&[address.clone(), ("filter", text("from"))]), "resume", ELSEWHERE);
    assert_refused(read(&[address, ("filter", text("to")), ("type", text("ERC-20"))]), "resume", ELSEWHERE);
}

#[test]
fn a_token_that_was_damaged_is_refused() {
    let token = token_for(r#"{"block_number":23705399,"index":90}"#);
    let resume = |token: &str| client(&Script::default()).pages_after(&params(), token);
    for length in 0..token.len() {
        assert_refused(resume(&token[..length]), "resume", expected(&token[..length]));
    }
    for at in 0..token.len() {
        let mut bytes = token.clone().into_bytes();
        bytes[at] ^= 1;
        let damaged = String::from_utf8(bytes).unwrap();
        assert_refused(resume(&damaged), "resume", expected(&damaged));
    }
    for other in ["aq0", "aq2"] {
        assert_refused(resume(&token.replacen("aq1", other, 1)), "resume", OTHER_VERSION);
    }
    for foreign in ["", ".", "null", "....", "{\"index\":90}", "aq1....", "index=90"] {
        assert_refused(resume(foreign), "resume", expected(foreign));
    }
}

/// Where five parts can be told, the first is the version.
fn expected(damaged: &str) -> &'static str {
    let parts = damaged.splitn(5, '.').collect::<Vec<_>>();
    if parts.len() == 5 && parts[0] != "aq1" { OTHER_VERSION } else { BROKEN }
}
