#![no_main]
//! Resume tokens: the cursor comes back where the token was made, nothing but an error comes from anywhere else or from a
//! damaged token, and a forged one does no harm.

use address_query::client::resume;
use address_query::decode::Cursor;
use address_query::decode::scan::Scanner;
use address_query::endpoint::{BaseUrl, LISTS, List, ParamValue, Request};
use address_query::error::Error;
use libfuzzer_sys::fuzz_target;

mod seeds;

/// Values that parameters may have; each takes those that fit it.
const VALUES: [&str; 16] = [
    "0x00000000219ab540356cBB839Cbe05303d7705Fa",
    "0x00000000219AB540356CBB839CBE05303D7705FA",
    "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
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

fuzz_target!(init: seeds::write("resume-token", places()), |data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        check(text);
    }
});

/// Two places, a cursor, a damage and a token's query: one line each.
fn places() -> Vec<Vec<u8>> {
    let token = "aq1.addressLogs.0123456789abcdef.0123456789abcdef.a=1&b=%C3%A9";
    let place = |(index, (_, json)): (usize, (String, String))| {
        let base = ["https://eth.blockscout.com", "https://gateway.example/Deep", "localhost:4000"][index % 3];
        let list = char::from(b'a' + u8::try_from(index % 8).expect("one of eight"));
        let json = json.replace('\n', " ");
        format!("{list}aaaa\n{base}\n{list}aaab\n{base}/api\n{json}\nx\n{token}").into_bytes()
    };
    seeds::cursors().into_iter().enumerate().map(place).collect()
}

/// A list with filters, on an instance.
struct Place {
    base: BaseUrl,
    list: &'static List,
    filters: Vec<(&'static str, &'static str)>,
    request: Request,
}

impl Place {
    /// The first letter chooses the list, the others a value for each of its parameters, or none.
    fn read(choices: &str, base: &str) -> Option<Self> {
        let mut choices = choices.bytes().map(usize::from);
        let list = LISTS[choices.next()? % LISTS.len()];
        let mut filters = Vec::new();
        for param in list.operation.params {
            let fitting: Vec<&str> = VALUES
                .into_iter()
                .filter(|value| value.split(',').all(|one| param.rule.canonicalize(one).is_some()))
                .collect();
            let choice = choices.next().unwrap_or_default() % (fitting.len() + usize::from(!param.required));
            filters.extend(fitting.get(choice).map(|value| (param.name, *value)));
        }
        let values = filters.iter().map(|&(name, value)| (name, ParamValue::String(value.to_owned())));
        let request = Request::new(list, values).expect("parameters that fit");
        Some(Self { base: BaseUrl::parse(base).ok()?, list, filters, request })
    }

    /// The filters as they were given. Letter case says nothing in hex digits and in the names of standards.
    fn given(&self) -> Vec<(&str, String)> {
        let mut given: Vec<(&str, String)> =
            self.filters.iter().map(|&(name, value)| (name, value.to_ascii_lowercase())).collect();
        given.sort();
        given
    }

    /// The filters with what stands for those that were not given.
    fn meant(&self) -> Vec<(&str, String)> {
        let mut meant = self.given();
        let together = self.list.operation.together;
        if together.iter().any(|(name, _)| meant.iter().any(|(given, _)| given == name)) {
            let missing = together.iter().filter(|(name, _)| !self.filters.iter().any(|(given, _)| given == name));
            meant.extend(missing.map(|&(name, value)| (name, value.to_owned())));
        }
        meant.sort();
        meant
    }

    fn is_list_of(&self, other: &Self) -> bool {
        self.base == other.base && self.list.operation.name == other.list.operation.name
    }

    /// Another instance: a letter of the base URL has the other case.
    fn nearby(&self, at: usize) -> Option<BaseUrl> {
        let mut near = self.base.as_str().to_owned().into_bytes();
        let at = at % near.len().max(1);
        near.get(at).filter(|letter| letter.is_ascii_alphabetic())?;
        near[at] ^= 0x20;
        let near = BaseUrl::parse(&String::from_utf8(near).ok()?).ok()?;
        (near != self.base).then_some(near)
    }

    fn token(&self, place: &Cursor) -> String {
        resume::token(&self.base, &self.request, place)
    }

    fn cursor(&self, token: &str) -> Result<Cursor, Error> {
        let cursor = resume::cursor(token, &self.base, &self.request);
        assert!(cursor.as_ref().err().is_none_or(|error| error.parameter.as_deref() == Some("resume")));
        cursor
    }
}

fn check(text: &str) {
    let mut lines = text.splitn(7, '\n');
    let mut line = || lines.next().unwrap_or_default();
    let (here, elsewhere) = (Place::read(line(), line()), Place::read(line(), line()));
    let (Some(here), Some(elsewhere)) = (here, elsewhere) else { return };
    let (json, damage, foreign) = (format!("{} ", line()), line(), line());

    // Any text.
    if let Ok(cursor) = here.cursor(foreign) {
        assert_eq!(here.token(&cursor), foreign);
    }
    // A query with everything around it as it has to be.
    let query = foreign.rsplit('.').next().unwrap_or_default();
    let place = Cursor::from_parameters([(String::new(), String::new())]).expect("a key");
    let sound = here.token(&place);
    let bound: Vec<&str> = sound.splitn(4, '.').take(3).collect();
    let bound = bound.join(".");
    let forged = format!("{bound}.{:016x}.{query}", resume::digest(format!("{bound}.{query}").as_bytes()));
    if let Ok(cursor) = here.cursor(&forged) {
        assert_comes_back(&here, &cursor);
    }

    let Ok(Some(cursor)) = Cursor::read(&mut Scanner::new(json.as_bytes())) else { return };
    let token = assert_comes_back(&here, &cursor);
    match elsewhere.cursor(&token) {
        Ok(taken) => {
            assert!(here.is_list_of(&elsewhere) && here.meant() == elsewhere.meant(), "{token} is taken elsewhere");
            assert!(taken.parameters().eq(cursor.parameters()));
        }
        Err(error) => {
            let is_same = here.is_list_of(&elsewhere) && here.given() == elsewhere.given();
            assert!(!is_same, "{token} is refused where it was made: {error}");
        }
    }

    let mut choices = damage.bytes().map(usize::from);
    let mut choice = || choices.next().unwrap_or_default();
    let mut damaged = token.clone().into_bytes();
    let at = (choice() << 7 | choice()) % damaged.len();
    let bit = 1 << (choice() % 7);
    if let Some(near) = here.nearby(at) {
        assert!(resume::cursor(&token, &near, &here.request).is_err(), "{token} of {} is taken at {near}", here.base);
    }
    damaged[at] ^= bit;
    let damaged = String::from_utf8(damaged).expect("ASCII");
    assert!(here.cursor(&damaged).is_err(), "{damaged} is taken for {token}");
    assert!(here.cursor(&token[..at]).is_err(), "{} is taken for {token}", &token[..at]);
}

/// The token of a cursor, which reads back as that cursor.
#[track_caller]
fn assert_comes_back(place: &Place, cursor: &Cursor) -> String {
    let token = place.token(cursor);
    assert!(token.bytes().all(|b| b.is_ascii_graphic()), "{token:?}");
    let back = place.cursor(&token).expect("taken where it was made");
    assert!(back.parameters().eq(cursor.parameters()), "{token}: {back:?} in place of {cursor:?}");
    token
}
