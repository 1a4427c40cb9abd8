//! The responses under test, and helpers that decode them to comparable values; fixtures.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use address_query::endpoint::response::Response;
use address_query::testing::decode::{BadRecord, DecodeOptions, FrameDecoder, FramePage};
use address_query::testing::decode::{Cursor, DecodeError, Layout};
use address_query::testing::endpoint::{OperationVisitor, Params, ResponseKind, visit_operations};
use address_query::testing::frame::Frame;
use address_query::testing::record::normalize_document;
use address_query::testing::record::{Kind, Mismatch, Record, Table, Value, ValueType};
use address_query::types;
use serde::Serialize;
use serde_json::Value as Json;

use crate::serde_reader::{Response as SerdeResponse, read_page, read_record, read_response, read_row};

/// A kind of response: its layout, and the functions that read it with serde, and from a frame into structs.
#[derive(Clone, Copy)]
pub struct Case {
    /// The folder with its fixtures.
    pub name: &'static str,
    pub layout: Layout,
    read_serde: fn(&[u8], Layout) -> Result<PageValue, DecodeError>,
    /// Reads a row with serde.
    pub read_serde_row: fn(&str) -> Result<(), Mismatch>,
    read_structs: fn(&mut FramePage) -> Option<Json>,
}

/// A page as a JSON value with its cursor. The value is `None` where `serde_json` cannot parse it (`1e400`).
#[derive(Debug, Clone, PartialEq)]
pub struct PageValue {
    pub value: Option<Json>,
    pub next: Option<Cursor>,
    pub cursor_error: Option<Mismatch>,
}

/// Creates the case of a list.
pub const fn case<T: Record + Value + Serialize, E: Record + Serialize>(name: &'static str) -> Case {
    Case {
        name,
        layout: Layout::list(T::TABLE, E::TABLE),
        read_serde: |bytes, layout| {
            let (response, (next, cursor_error)) = read_page::<T, E>(bytes, layout)?;
            Ok(PageValue { value: to_value(&response.envelope, &response.rows), next, cursor_error })
        },
        read_serde_row: |json| read_row::<T>(&normalize_document(json.as_bytes())).map(drop),
        read_structs: |page| to_value(&page.read_envelope::<E>().unwrap(), &page.read_rows::<T>().unwrap()),
    }
}

/// Creates the case of an action that returns rows.
pub const fn rows<T: Record + Value + Serialize>(name: &'static str) -> Case {
    Case {
        layout: Layout::rows(T::TABLE, types::RowsEnvelope::TABLE),
        read_serde: |bytes, layout| {
            let SerdeResponse { rows, envelope } = read_response::<T, types::RowsEnvelope>(bytes, layout)?;
            Ok(PageValue { value: to_value(&envelope, &rows), next: None, cursor_error: None })
        },
        ..case::<T, types::RowsEnvelope>(name)
    }
}

/// Creates the case of a response that is a single record.
pub const fn record<T: Record + Value + Serialize>(name: &'static str) -> Case {
    Case {
        layout: Layout::record(T::TABLE),
        read_serde: |bytes, _| {
            let value = to_value(&read_record::<T>(bytes)?, &Json::Null);
            Ok(PageValue { value, next: None, cursor_error: None })
        },
        read_structs: |page| to_value(&page.read_envelope::<T>().unwrap(), &Json::Null),
        ..case::<T, types::ItemsOnly>(name)
    }
}

/// The envelope of a response, with its rows as `items`. `None` where `serde_json` cannot parse a value (`1e400`).
fn to_value(envelope: &impl Serialize, rows: &impl Serialize) -> Option<Json> {
    let mut value = serde_json::to_value(envelope).ok()?;
    value["items"] = serde_json::to_value(rows).ok()?;
    Some(value)
}

pub static ADDRESSES: Case = case::<types::AddressListItem, types::Addresses>("addresses");
pub static NFT: Case = case::<types::NftInstance, types::ItemsOnly>("address-nft");
pub static LOGS: Case = case::<types::Log, types::ItemsOnly>("address-logs");
pub static TRANSFERS: Case = case::<types::TokenTransfer, types::ItemsOnly>("token-transfers");
pub static BALANCES: Case = case::<types::CoinBalanceChange, types::ItemsOnly>("address-coin-balance-history");
pub static INTERNAL_TRANSACTIONS: Case =
    case::<types::InternalTransaction, types::InternalTransactions>("address-internal-transactions");

/// Responses of the module/action API.
pub static TRANSACTION_ROWS: Case = rows::<types::AccountTransaction>("txlist");
pub static INTERNAL_ROWS: Case = rows::<types::AccountInternalTransaction>("txlistinternal");
pub static TRANSFER_ROWS: Case = rows::<types::Erc404Transfer>("token404tx");
pub static HOLDING_ROWS: Case = rows::<types::TokenHolding>("tokenlist");
pub static BLOCK_ROWS: Case = rows::<types::MinedBlock>("getminedblocks");
pub static BALANCE_ROWS: Case = rows::<types::Balance>("balancemulti");
pub static VALUE: Case = record::<types::ValueResponse>("balance");
pub static ETH_BALANCE: Case = record::<types::EthBalanceResponse>("eth_get_balance");
pub static CLOSEST_BLOCK: Case = record::<types::ClosestBlockResponse>("getblocknobytime");

/// A case for each type of response of the REST API, named after the first list or lookup that returns it. The lists
/// above are among them.
pub static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    struct Cases(Vec<Case>);
    impl OperationVisitor for Cases {
        fn visit<P: Params>(&mut self) {
            let operation = P::OPERATION;
            let name = operation.folder_name().leak();
            match operation.kind {
                _ if operation.module().is_some() => {}
                ResponseKind::List => {
                    let new = case::<<P::Response as Response>::Item, <P::Response as Response>::Envelope>(name);
                    self.add(Case { layout: operation.layout, ..new });
                }
                _ => self.add(record::<<P::Response as Response>::Item>(name)),
            }
        }
    }
    impl Cases {
        fn add(&mut self, new: Case) {
            if !self.0.iter().any(|case| case.has_layout(new.layout)) {
                self.0.push(new);
            }
        }
    }
    let mut cases = Cases(Vec::new());
    visit_operations(&mut cases);
    cases.0
});

impl Case {
    /// Whether responses of this case have this layout.
    pub fn has_layout(&self, layout: Layout) -> bool {
        let Layout { rows, accepts_array, row, envelope, .. } = self.layout;
        (rows, accepts_array) == (layout.rows, layout.accepts_array)
            && std::ptr::eq(row, layout.row)
            && std::ptr::eq(envelope, layout.envelope)
    }

    /// Decodes a page that arrives in these chunks.
    pub fn decode<'a>(
        &self,
        chunks: impl IntoIterator<Item = &'a [u8]>,
        decode_options: DecodeOptions,
    ) -> Result<FramePage, DecodeError> {
        let mut decoder = FrameDecoder::new(self.layout, decode_options);
        decoder.begin();
        for chunk in chunks {
            decoder.feed(chunk.to_vec())?;
        }
        decoder.finish().map(|page| *page)
    }

    /// Decodes a page in batches, one after each chunk. The result has the rows of all batches, and the rest of the
    /// last.
    pub fn decode_in_batches<'a>(
        &self,
        chunks: impl IntoIterator<Item = &'a [u8]>,
        decode_options: DecodeOptions,
    ) -> Result<(PageValue, Vec<BadRecord>), DecodeError> {
        let mut decoder = FrameDecoder::new(self.layout, decode_options);
        decoder.begin();
        let (mut items, mut bad_records, mut rows) = (Some(Json::Null), Vec::new(), 0);
        let mut append = |batch: &FramePage| {
            match (&mut items, self.page_value(batch).value.map(|mut value| value["items"].take())) {
                (Some(Json::Array(items)), Some(Json::Array(rows))) => items.extend(rows),
                (Some(items), Some(rows)) if items.is_null() => *items = rows,
                (Some(_), Some(Json::Null)) => {}
                _ => items = None,
            }
            let first = bad_records.len();
            bad_records.extend_from_slice(&batch.bad_records);
            for bad in &mut bad_records[first..] {
                bad.position += rows;
            }
            rows += batch.rows.len();
        };
        for chunk in chunks {
            decoder.feed(chunk.to_vec())?;
            let (ready, batch) = (decoder.pending_rows(), decoder.take_batch());
            assert_eq!((decoder.pending_rows(), batch.rows.len() + batch.bad_records.len()), (0, ready));
            append(&batch);
        }
        let last = decoder.finish()?;
        append(&last);
        let mut page = self.page_value(&last);
        page.value = page.value.zip(items).map(|(mut value, items)| {
            value["items"] = items;
            value
        });
        Ok((page, bad_records))
    }

    /// Decodes a page that arrives at once.
    pub fn decode_whole(&self, json: impl AsRef<[u8]>) -> Result<FramePage, DecodeError> {
        self.decode([json.as_ref()], DecodeOptions::default())
    }

    /// Converts a decoded page to a JSON value with its cursor.
    pub fn page_value(&self, page: &FramePage) -> PageValue {
        let Layout { rows, row, envelope, .. } = self.layout;
        // Only lists have cursors.
        let is_list = rows == Layout::list(row, envelope).rows;
        let next = page.next.clone().filter(|_| is_list);
        let cursor_error = page.cursor_error.clone().filter(|_| is_list);
        let mut value = frame_value(page, row, envelope);
        if let Some(value) = value.as_mut().filter(|_| !page.has_rows) {
            value["items"] = Json::Null;
        }
        PageValue { value, next, cursor_error }
    }

    /// Reads a page with serde.
    pub fn read_serde(&self, bytes: &[u8]) -> Result<PageValue, DecodeError> {
        (self.read_serde)(bytes, self.layout)
    }

    /// Reads the structs of a decoded page, as Rust calls do, and converts them to a JSON value.
    pub fn struct_value(&self, page: &mut FramePage) -> Option<Json> {
        let mut value = (self.read_structs)(page);
        if let Some(value) = value.as_mut().filter(|_| !page.has_rows) {
            value["items"] = Json::Null;
        }
        value
    }

    /// Decodes a page and converts it to a JSON value.
    #[track_caller]
    pub fn value(&self, json: impl AsRef<[u8]>) -> Json {
        self.page_value(&self.decode_whole(json).unwrap()).value.unwrap()
    }
}

/// Reads a frame as the JavaScript constructors do: the members of the envelope and `items` in one object.
pub fn frame_value(page: &FramePage, row: &Table, envelope: &Table) -> Option<Json> {
    let frame = &page.frame;
    let mut strings: Vec<Json> = serde_json::from_slice(&frame.pool).expect("the string pool is JSON");
    let short = strings.pop().as_ref().and_then(Json::as_str).expect("the short strings").to_owned();
    let json = if frame.json.is_empty() { b"[null]" } else { &*frame.json };
    let json: Vec<&serde_json::value::RawValue> = serde_json::from_slice(json).expect("the free JSON is JSON");
    let is_extra = |index: usize| frame.extras.iter().any(|&[_, slot]| slot as usize == index);
    // Unknown fields can be nested one level deeper than the limit of `serde_json`.
    let value = |(index, json): (usize, &&serde_json::value::RawValue)| {
        serde_json::from_str(json.get()).ok().or_else(|| is_extra(index).then_some(Json::Null))
    };
    let json = json.iter().enumerate().map(value).collect::<Option<_>>()?;
    let extras = frame.extras.iter().map(|&[at, slot]| (at, slot)).collect();
    let reader = Reader { frame, strings, short, json, extras };
    let mut value = reader.record(envelope, page.envelope as usize);
    value["items"] = page.rows.iter().map(|&at| reader.record(row, at as usize)).collect();
    Some(value)
}

struct Reader<'a> {
    frame: &'a Frame,
    strings: Vec<Json>,
    short: String,
    json: Vec<Json>,
    extras: HashMap<u32, u32>,
}

impl Reader<'_> {
    fn record(&self, table: &Table, at: usize) -> Json {
        let field = |(index, field): (usize, &address_query::testing::record::Field)| {
            (table.field_name(index).to_owned(), self.slot(field.value_type, self.frame.slots[at + index]))
        };
        let mut members: serde_json::Map<String, Json> = table.fields.iter().enumerate().map(field).collect();
        if let Some(&slot) = self.extras.get(&(u32::try_from(at).unwrap())) {
            members.insert("extra".into(), self.json[slot as usize].clone());
        }
        Json::Object(members)
    }

    fn slot(&self, value_type: ValueType, value: u32) -> Json {
        let at = value as usize;
        if at == 0 && matches!(value_type.kind, Kind::List(_)) {
            return Json::Array(Vec::new());
        }
        if at == 0 {
            assert!(value_type.nullable, "null in a slot that is not nullable");
            return Json::Null;
        }
        match value_type.kind {
            Kind::String(_) if at & 1 == 1 => {
                let (start, length) = (at >> 5, at >> 1 & 15);
                let string = &self.short[start..start + length];
                assert!(string.is_ascii());
                string.into()
            }
            Kind::String(_) => {
                let string = &self.strings[at / 2];
                assert!(string.is_string(), "{string} is not a string");
                string.clone()
            }
            Kind::Json | Kind::JsonObject | Kind::Number => self.json[at].clone(),
            Kind::Integer | Kind::Unsigned if at & 1 == 1 => (at >> 1).into(),
            Kind::Integer | Kind::Unsigned => self.strings[at / 2].as_i64().expect("an integer").into(),
            Kind::Boolean => match at {
                1 => false.into(),
                2 => true.into(),
                _ => panic!("{at} is not a boolean"),
            },
            Kind::Record(table) => self.record(table, at - 1),
            Kind::List(element) => {
                let length = self.frame.slots[at - 1] as usize;
                self.frame.slots[at..at + length].iter().map(|&value| self.slot(*element, value)).collect()
            }
        }
    }
}

/// Removes the members that `keep_extra` adds.
pub fn without_extra(mut value: Json) -> Json {
    match &mut value {
        // This affects only records: no free JSON in a fixture or generated document has a member `extra`.
        Json::Object(members) => {
            members.remove("extra");
            members.values_mut().for_each(|member| *member = without_extra(member.take()));
        }
        Json::Array(elements) => elements.iter_mut().for_each(|element| *element = without_extra(element.take())),
        _ => {}
    }
    value
}

/// Cuts a document at these positions, modulo its length.
pub fn split_at_positions<'a>(document: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (document.len() + 1)).collect();
    cuts.extend([0, document.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &document[pair[0]..pair[1]]).collect()
}

/// Reads the fixtures of a folder: path and content.
pub fn read_fixtures(folder: &str) -> Vec<(String, Vec<u8>)> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|_| {
        panic!("tests/fixtures/{folder} is missing: a list with a new record needs a recorded response there, such as v12.json")
    });
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no fixtures in {folder}");
    let name = |file: &Path| file.strip_prefix(root.parent().unwrap()).unwrap().display().to_string();
    files.iter().map(|file| (name(file), std::fs::read(file).unwrap())).collect()
}

/// Reads a fixture.
pub fn read_fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

/// An address hash in EIP-55 letter case.
pub const HASH_A: &str = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
