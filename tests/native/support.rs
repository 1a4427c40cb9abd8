//! The lists under test, and both ways to read a page of them as one comparable value.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use address_query::decode::page::{BadRow, Experience, FramePage, Leniency, PageDecoder};
use address_query::decode::typed::{read_record, read_rows};
use address_query::decode::{Cursor, Fail, Frame, Layout, Page};
use address_query::record::{Kind, Mismatch, Record, Slot, Table, Value, read_document};
use address_query::types;
use serde::Serialize;
use serde_json::Value as Json;

/// An answer: its declarations, and its reading by serde.
pub struct Case {
    /// The folder of its fixtures.
    pub name: &'static str,
    pub layout: Layout,
    pub typed: fn(&[u8]) -> Result<Reading, Fail>,
    pub typed_row: fn(&str) -> Result<(), Mismatch>,
}

/// A page as the caller gets it. The value is missing where `serde_json` cannot hold it (`1e400`).
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub value: Option<Json>,
    pub next: Option<Cursor>,
    pub cursor_error: Option<Mismatch>,
}

/// A list.
pub const fn case<T: Record + Value + Serialize, E: Record + Serialize>(name: &'static str) -> Case {
    Case {
        name,
        layout: Layout::list(T::TABLE, E::TABLE),
        typed: |bytes| {
            let page = Page::<T, E>::read(bytes)?;
            Ok(Reading { value: serde_json::to_value(&page).ok(), next: page.next, cursor_error: page.cursor_error })
        },
        typed_row: |json| <T as Value>::read(&read_document(json.as_bytes())).map(drop),
    }
}

/// An action's answer with rows.
pub const fn rows<T: Record + Value + Serialize>(name: &'static str) -> Case {
    Case {
        layout: Layout::rows(T::TABLE, types::RowsEnvelope::TABLE),
        typed: |bytes| {
            let (answer, rows) = read_rows::<T>(bytes)?;
            let value = serde_json::to_value(&answer).ok().zip(serde_json::to_value(rows).ok());
            Ok(Reading { value: value.map(|(answer, rows)| with_items(answer, rows)), next: None, cursor_error: None })
        },
        ..case::<T, types::ItemsOnly>(name)
    }
}

/// An answer that is one record.
pub const fn record<T: Record + Value + Serialize>(name: &'static str) -> Case {
    Case {
        layout: Layout::record(T::TABLE),
        typed: |bytes| {
            let value = serde_json::to_value(read_record::<T>(bytes)?).ok();
            Ok(Reading { value: value.map(|value| with_items(value, Json::Null)), next: None, cursor_error: None })
        },
        ..case::<T, types::ItemsOnly>(name)
    }
}

/// An answer as a list has it: the rows under `items`, null where there are none.
fn with_items(mut answer: Json, rows: Json) -> Json {
    answer["items"] = rows;
    answer
}

pub static ADDRESSES: Case = case::<types::AddressListItem, types::Addresses>("addresses");
pub static NFT: Case = case::<types::NftInstance, types::ItemsOnly>("address-nft");
pub static LOGS: Case = case::<types::Log, types::ItemsOnly>("address-logs");
pub static TRANSFERS: Case = case::<types::TokenTransfer, types::ItemsOnly>("token-transfers");
pub static BALANCES: Case = case::<types::CoinBalanceChange, types::ItemsOnly>("address-coin-balance-history");
pub static CALLS: Case =
    case::<types::InternalTransaction, types::InternalTransactions>("address-internal-transactions");
pub static WITHDRAWALS: Case = case::<types::Withdrawal, types::ItemsOnly>("address-withdrawals");

/// Answers of the module/action interface.
pub static TRANSACTION_ROWS: Case = rows::<types::AccountTransaction>("txlist");
pub static INTERNAL_ROWS: Case = rows::<types::AccountInternalTransaction>("txlistinternal");
pub static TRANSFER_ROWS: Case = rows::<types::Erc404Transfer>("token404tx");
pub static HOLDING_ROWS: Case = rows::<types::TokenHolding>("tokenlist");
pub static BLOCK_ROWS: Case = rows::<types::MinedBlock>("getminedblocks");
pub static BALANCE_ROWS: Case = rows::<types::Balance>("balancemulti");
pub static VALUE: Case = record::<types::ValueResponse>("balance");
pub static ETH_BALANCE: Case = record::<types::EthBalanceResponse>("eth_get_balance");

pub static CASES: [&Case; 7] = [&ADDRESSES, &NFT, &LOGS, &TRANSFERS, &BALANCES, &CALLS, &WITHDRAWALS];

impl Case {
    /// Decodes a page that arrives in these chunks.
    pub fn decode<'a>(
        &self,
        chunks: impl IntoIterator<Item = &'a [u8]>,
        leniency: Leniency,
    ) -> Result<FramePage, Fail> {
        let mut decoder = PageDecoder::of(self.layout, leniency, Experience::default());
        for chunk in chunks {
            decoder.feed(chunk.to_vec())?;
        }
        decoder.finish().map(|(page, _)| page)
    }

    /// Decodes a page that is taken in parts, one after each chunk: the rows of all, the rest from the last.
    pub fn decode_in_parts<'a>(
        &self,
        chunks: impl IntoIterator<Item = &'a [u8]>,
        leniency: Leniency,
    ) -> Result<(Reading, Vec<BadRow>), Fail> {
        let mut decoder = PageDecoder::of(self.layout, leniency, Experience::default());
        let (mut items, mut bad_rows) = (Some(Json::Null), Vec::new());
        let mut keep = |part: &FramePage| {
            match (&mut items, self.reading(part).value.map(|mut value| value["items"].take())) {
                (Some(Json::Array(items)), Some(Json::Array(rows))) => items.extend(rows),
                (Some(items), Some(rows)) if items.is_null() => *items = rows,
                (Some(_), Some(Json::Null)) => {}
                _ => items = None,
            }
            bad_rows.extend_from_slice(&part.bad_rows);
        };
        for chunk in chunks {
            decoder.feed(chunk.to_vec())?;
            let (ready, part) = (decoder.ready(), decoder.take());
            assert_eq!((decoder.ready(), part.rows.len() + part.bad_rows.len()), (0, ready));
            keep(&part);
        }
        let (last, _) = decoder.finish()?;
        keep(&last);
        let mut reading = self.reading(&last);
        reading.value = reading.value.zip(items).map(|(mut value, items)| {
            value["items"] = items;
            value
        });
        Ok((reading, bad_rows))
    }

    /// Decodes a page that arrives at once.
    pub fn decode_whole(&self, json: impl AsRef<[u8]>) -> Result<FramePage, Fail> {
        self.decode([json.as_ref()], Leniency::default())
    }

    /// A decoded page as a value.
    pub fn reading(&self, page: &FramePage) -> Reading {
        let Layout { rows, row, envelope } = self.layout;
        // Only lists go on.
        let is_list = rows == Layout::list(row, envelope).rows;
        let next = page.next.clone().filter(|_| is_list);
        let cursor_error = page.cursor_error.clone().filter(|_| is_list);
        let mut value = frame_value(page, row, envelope);
        if let Some(value) = value.as_mut().filter(|_| !page.has_rows) {
            value["items"] = Json::Null;
        }
        Reading { value, next, cursor_error }
    }

    /// The whole page as a value.
    #[track_caller]
    pub fn value(&self, json: impl AsRef<[u8]>) -> Json {
        self.reading(&self.decode_whole(json).unwrap()).value.unwrap()
    }
}

/// Reads a frame as the constructors do: `items` and the envelope's members in one object.
pub fn frame_value(page: &FramePage, row: &Table, envelope: &Table) -> Option<Json> {
    let frame = &page.frame;
    let texts: Vec<Json> = serde_json::from_slice(&frame.pool).expect("the texts are JSON");
    let json: Vec<&serde_json::value::RawValue> = serde_json::from_slice(&frame.json).expect("the free JSON is JSON");
    let is_extra = |index: usize| frame.extras.iter().any(|&[_, slot]| slot as usize == index);
    // Unknown fields may nest one level deeper than `serde_json` goes.
    let value = |(index, json): (usize, &&serde_json::value::RawValue)| {
        serde_json::from_str(json.get()).ok().or_else(|| is_extra(index).then_some(Json::Null))
    };
    let json = json.iter().enumerate().map(value).collect::<Option<_>>()?;
    let reader = Reader { frame, texts, json, extras: frame.extras.iter().map(|&[at, slot]| (at, slot)).collect() };
    let mut value = reader.record(envelope, page.envelope as usize);
    value["items"] = page.rows.iter().map(|&at| reader.record(row, at as usize)).collect();
    Some(value)
}

struct Reader<'a> {
    frame: &'a Frame,
    texts: Vec<Json>,
    json: Vec<Json>,
    extras: HashMap<u32, u32>,
}

impl Reader<'_> {
    fn record(&self, table: &Table, at: usize) -> Json {
        let field = |(index, field): (usize, &address_query::record::Field)| {
            (table.name_of(index).to_owned(), self.slot(field.slot, self.frame.slots[at + index]))
        };
        let mut members: serde_json::Map<String, Json> = table.fields.iter().enumerate().map(field).collect();
        if let Some(&slot) = self.extras.get(&(u32::try_from(at).unwrap())) {
            members.insert("extra".into(), self.json[slot as usize].clone());
        }
        Json::Object(members)
    }

    fn slot(&self, slot: Slot, value: u32) -> Json {
        let at = value as usize;
        if at == 0 && matches!(slot.kind, Kind::List(_)) {
            return Json::Array(Vec::new());
        }
        if at == 0 {
            assert!(slot.nullable, "null where none may stand");
            return Json::Null;
        }
        match slot.kind {
            Kind::Text(_) if at & 1 == 1 => {
                let (start, length) = (at >> 5, at >> 1 & 15);
                let text = &self.frame.short[start..start + length];
                assert!(text.is_ascii());
                String::from_utf8(text.to_vec()).unwrap().into()
            }
            Kind::Text(_) => {
                let text = &self.texts[at / 2];
                assert!(text.is_string(), "{text} in place of a text");
                text.clone()
            }
            Kind::Json | Kind::JsonObject => self.json[at].clone(),
            Kind::Integer if at & 1 == 1 => (at >> 1).into(),
            #[expect(clippy::cast_possible_truncation, reason = "within 53 bits")]
            Kind::Integer => (self.frame.wide[at / 2 - 1] as i64).into(),
            Kind::Boolean => match at {
                1 => false.into(),
                2 => true.into(),
                _ => panic!("{at} is no boolean"),
            },
            Kind::Record(table) => self.record(table, at - 1),
            Kind::List(element) => {
                let length = self.frame.slots[at - 1] as usize;
                self.frame.slots[at..at + length].iter().map(|&value| self.slot(*element, value)).collect()
            }
        }
    }
}

/// The same value without the members that `keep_extra` adds.
pub fn without_extra(mut value: Json) -> Json {
    match &mut value {
        // Records only: free JSON has no say in this, as no fixture and no generated document calls a member `extra`.
        Json::Object(members) => {
            members.remove("extra");
            members.values_mut().for_each(|member| *member = without_extra(member.take()));
        }
        Json::Array(elements) => elements.iter_mut().for_each(|element| *element = without_extra(element.take())),
        _ => {}
    }
    value
}

/// Cuts a document at these positions.
pub fn cut_at<'a>(document: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (document.len() + 1)).collect();
    cuts.extend([0, document.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &document[pair[0]..pair[1]]).collect()
}

/// The fixtures of a folder: name and content.
pub fn fixtures(folder: &str) -> Vec<(String, Vec<u8>)> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no fixtures in {folder}");
    let name = |file: &Path| file.strip_prefix(root.parent().unwrap()).unwrap().display().to_string();
    files.iter().map(|file| (name(file), std::fs::read(file).unwrap())).collect()
}

pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

pub const HASH_A: &str = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
