#![no_main]
//! Resume tokens: a token decodes to its cursor for the request that it was created with. For any other request, and after any
//! damage, it is an error. Forged tokens do no harm.

use std::sync::Arc;

use address_query::endpoint::BaseUrl;
use address_query::error::Error;
use address_query::testing::client::resume::{ResumePoint, TokenSubject, decode_cursor, decode_token, digest};
use address_query::testing::decode::Cursor;
use address_query::testing::decode::parse_cursor;
use address_query::testing::endpoint::{Operation, ParamValue, Request, lists};
use libfuzzer_sys::fuzz_target;

mod seeds;

/// Values of parameters. Each parameter uses those that it accepts.
const VALUES: [&str; 17] = [
    "0x00000000219ab540356cBB839Cbe05303d7705Fa",
    "0x00000000219AB540356CBB839CBE05303D7705FA",
    "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    "73",
    "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c",
    "to",
    "from",
    "asc",
    "desc",
    "balance",
    "transactions_count",
    "true",
    "false",
    "ERC-20",
    "erc-20",
    "ERC-721,ERC-1155",
];

fuzz_target!(init: seeds::write("resume-token", inputs()), |data: &[u8]| {
    if let Ok(input) = std::str::from_utf8(data) {
        check(input);
    }
});

/// Two listings (choices and base URL each), a cursor, a damage and a token, one line each.
fn inputs() -> Vec<Vec<u8>> {
    let token = "aq1.addressLogs.0123456789abcdef.0123456789abcdef.a=1&b=%C3%A9";
    let input = |(index, (_, json)): (usize, (String, String))| {
        let base = ["https://eth.blockscout.com", "https://gateway.example/Deep", "localhost:4000"][index % 3];
        let list = char::from(b'a' + u8::try_from(index % 8).expect("one of eight"));
        let json = json.replace('\n', " ");
        format!("{list}aaaa\n{base}\n{list}aaab\n{base}/api\n{json}\nx\n{token}").into_bytes()
    };
    seeds::cursors().into_iter().enumerate().map(input).collect()
}

/// A list with filters, of an instance.
struct Listing {
    base: BaseUrl,
    list: &'static Operation,
    filters: Vec<(&'static str, &'static str)>,
    request: Request,
}

impl Listing {
    /// Creates a listing. The first letter chooses the list, and the others a value, or none, for each of its parameters.
    fn from_choices(choices: &str, base: &str) -> Option<Self> {
        let mut choices = choices.bytes().map(usize::from);
        let list = lists().nth(choices.next()? % lists().count())?;
        let mut filters = Vec::new();
        for param in list.params {
            let accepted: Vec<&str> = VALUES
                .into_iter()
                .filter(|value| value.split(',').all(|one| param.rule.canonicalize(one).is_some()))
                .collect();
            let choice = choices.next().unwrap_or_default() % (accepted.len() + usize::from(!param.required));
            filters.extend(accepted.get(choice).map(|value| (param.name, *value)));
        }
        let values: Vec<_> =
            filters.iter().map(|&(name, value)| (name, ParamValue::String(value.to_owned()))).collect();
        let request = Request::new(list, &values).expect("valid parameters");
        Some(Self { base: BaseUrl::parse(base).ok()?, list, filters, request })
    }

    /// The filters, sorted. Letter case is ignored, because all values with letters are case-insensitive.
    fn sorted_filters(&self) -> Vec<(&str, String)> {
        let mut filters: Vec<(&str, String)> =
            self.filters.iter().map(|&(name, value)| (name, value.to_ascii_lowercase())).collect();
        filters.sort();
        filters
    }

    /// The filters with the defaults of missing ones, sorted.
    fn effective_filters(&self) -> Vec<(&str, String)> {
        let mut filters = self.sorted_filters();
        let paired = self.list.paired_defaults;
        if paired.iter().any(|(name, _)| filters.iter().any(|(known, _)| known == name)) {
            let missing = paired.iter().filter(|(name, _)| !self.filters.iter().any(|(known, _)| known == name));
            filters.extend(missing.map(|&(name, value)| (name, value.to_owned())));
        }
        filters.sort();
        filters
    }

    fn has_same_list(&self, other: &Self) -> bool {
        self.base == other.base && self.list.name == other.list.name
    }

    /// Another base URL: the case of one letter is changed. `None` if that is the same URL.
    fn change_case(&self, at: usize) -> Option<BaseUrl> {
        let mut changed = self.base.as_str().to_owned().into_bytes();
        let at = at % changed.len().max(1);
        changed.get(at).filter(|letter| letter.is_ascii_alphabetic())?;
        changed[at] ^= 0x20;
        let changed = BaseUrl::parse(&String::from_utf8(changed).ok()?).ok()?;
        (changed != self.base).then_some(changed)
    }

    fn encode(&self, cursor: &Cursor) -> String {
        let subject = TokenSubject { url: self.base.clone(), request: self.request.clone() };
        ResumePoint::new(Arc::new(subject), cursor.clone()).token()
    }

    fn decode(&self, token: &str) -> Result<Cursor, Error> {
        let cursor = decode_token(token, &[&self.base], &self.request).and_then(decode_cursor);
        assert!(cursor.as_ref().err().is_none_or(|error| error.parameter.as_deref() == Some("resume")));
        cursor
    }
}

fn check(input: &str) {
    let mut lines = input.splitn(7, '\n');
    let mut line = || lines.next().unwrap_or_default();
    let (listing, other) = (Listing::from_choices(line(), line()), Listing::from_choices(line(), line()));
    let (Some(listing), Some(other)) = (listing, other) else { return };
    let (json, damage, foreign) = (format!("{} ", line()), line(), line());

    // Any string.
    if let Ok(cursor) = listing.decode(foreign) {
        assert_eq!(listing.encode(&cursor), foreign);
    }
    // A forged token: any query, but a valid prefix and checksum.
    let query = foreign.rsplit('.').next().unwrap_or_default();
    let any_cursor = Cursor::from_parameters([(String::new(), String::new())]).expect("a key");
    let valid = listing.encode(&any_cursor);
    let prefix: Vec<&str> = valid.splitn(4, '.').take(3).collect();
    let prefix = prefix.join(".");
    let forged = format!("{prefix}.{:016x}.{query}", digest(format!("{prefix}.{query}").as_bytes()));
    if let Ok(cursor) = listing.decode(&forged) {
        assert_round_trip(&listing, &cursor);
    }

    let Ok(Some(cursor)) = parse_cursor(json.as_bytes()) else { return };
    let token = assert_round_trip(&listing, &cursor);
    match other.decode(&token) {
        Ok(decoded) => {
            assert!(
                listing.has_same_list(&other) && listing.effective_filters() == other.effective_filters(),
                "{token} is accepted for another request"
            );
            assert!(decoded.parameters().eq(cursor.parameters()));
        }
        Err(error) => {
            let is_same = listing.has_same_list(&other) && listing.sorted_filters() == other.sorted_filters();
            assert!(!is_same, "{token} is rejected for the request that it was created with: {error}");
        }
    }

    let mut choices = damage.bytes().map(usize::from);
    let mut choice = || choices.next().unwrap_or_default();
    let mut damaged = token.clone().into_bytes();
    let at = (choice() << 7 | choice()) % damaged.len();
    let bit = 1 << (choice() % 7);
    if let Some(changed) = listing.change_case(at) {
        assert!(
            decode_token(&token, &[&changed], &listing.request).is_err(),
            "{token} of {} is accepted for {changed}",
            listing.base
        );
    }
    damaged[at] ^= bit;
    let damaged = String::from_utf8(damaged).expect("ASCII");
    assert!(listing.decode(&damaged).is_err(), "{damaged} is accepted for {token}");
    assert!(listing.decode(&token[..at]).is_err(), "{} is accepted for {token}", &token[..at]);
}

/// Encodes a cursor and asserts that its token decodes to the same cursor. Returns the token.
#[track_caller]
fn assert_round_trip(listing: &Listing, cursor: &Cursor) -> String {
    let token = listing.encode(cursor);
    assert!(token.bytes().all(|b| b.is_ascii_graphic()), "{token:?}");
    let decoded = listing.decode(&token).expect("a valid token");
    assert!(decoded.parameters().eq(cursor.parameters()), "{token}: expected {cursor:?}, found {decoded:?}");
    token
}
