//! A small front end, written as a user of the crate writes it: with the public API and `web-sys`, without a framework.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::browser::Browser;
use address_query::client::{BadRecordSink, Client, ClientOptions, ListPages, RangeReport, RetryPolicy};
use address_query::endpoint::params::{Address, Order};
use address_query::endpoint::{AddressLogsParams, AddressWithdrawalsParams, TxListParams};
use address_query::error::{Error, ErrorCode};
use address_query::types::{AccountTransaction, Withdrawal};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use super::long_table::show_transactions;
use super::{BUSY, DEEP, RESTRICTED, SERVICE, address_path, element, fetch_expected};

/// The view of one address.
struct AddressView {
    client: Client<Browser>,
    address: Address,
    withdrawals: ListPages<Browser, AddressWithdrawalsParams>,
    rows: Element,
    status: Element,
}

impl AddressView {
    /// Creates an empty view. Both strings are user input.
    fn new(base_url: &str, address: &str) -> Result<Self, Error> {
        let client = Client::new(Browser::default(), base_url.parse()?)
            .with_retry_policy(RetryPolicy::default().max_attempts(2));
        let address: Address = address.parse()?;
        let withdrawals = client.pages(&AddressWithdrawalsParams::new(address.clone()))?;
        Ok(Self { client, address, withdrawals, rows: element("ul"), status: element("p") })
    }

    /// Appends the next page of withdrawals. Returns whether the button "Load more" stays.
    async fn load_more(&mut self) -> bool {
        match self.withdrawals.next().await {
            Ok(Some(page)) => {
                for withdrawal in &page.items {
                    self.append(&describe_withdrawal(withdrawal));
                }
                page.next.is_some()
            }
            Ok(None) => false,
            Err(error) => {
                self.show_error(&error);
                true
            }
        }
    }

    /// Shows all transactions, oldest first, and how complete they are.
    async fn load_transactions(&self) {
        let params = TxListParams::new(self.address.clone()).sort(Order::Ascending);
        let result: Result<RangeReport, Error> = async {
            let mut reader = self.client.all_rows(&params)?;
            while let Some(transactions) = reader.next().await? {
                for transaction in &transactions {
                    self.append(&describe_transaction(transaction));
                }
            }
            Ok(reader.report().clone())
        }
        .await;
        match result {
            Ok(report) if report.complete => self.set_status(&format!("All {} transactions", report.records)),
            Ok(report) => self.set_status(&format!("{} transactions; some are missing", report.records)),
            Err(error) => self.show_error(&error),
        }
    }

    /// Shows the balances of this address and another one.
    async fn load_balances(&self, other: &Address) {
        match self.client.balances(&[self.address.clone(), other.clone()], None).await {
            Ok(accounts) => {
                for account in accounts {
                    let balance = account.balance.as_deref().unwrap_or("unknown");
                    self.append(&format!("{} {balance}", account.account));
                }
            }
            Err(error) => self.show_error(&error),
        }
    }

    /// Appends a row. Set as text: strings of the service are untrusted.
    fn append(&self, text: &str) {
        let row = element("li");
        row.set_text_content(Some(text));
        self.rows.append_child(&row).unwrap();
    }

    fn set_status(&self, text: &str) {
        self.status.set_text_content(Some(text));
    }

    fn show_error(&self, error: &Error) {
        self.set_status(&describe_error(error));
    }
}

fn describe_withdrawal(withdrawal: &Withdrawal) -> String {
    format!("{} {}", withdrawal.index, withdrawal.amount)
}

fn describe_transaction(transaction: &AccountTransaction) -> String {
    let to = transaction.to.as_deref().unwrap_or("new contract");
    format!("{} {to} {}", transaction.hash, transaction.value)
}

/// Returns what happened and what the user can do.
fn describe_error(error: &Error) -> String {
    let action = match error.code {
        ErrorCode::InvalidParameter => "Correct your input.",
        ErrorCode::Network | ErrorCode::Timeout | ErrorCode::RateLimited => "Try again.",
        ErrorCode::HttpStatus if error.status >= Some(500) => "Try again later.",
        _ => "Choose another address or instance.",
    };
    format!("{action} {}", error.message)
}

impl AddressView {
    /// The texts of all rows.
    fn texts(&self) -> Vec<String> {
        let rows = self.rows.children();
        (0..rows.length()).map(|index| rows.item(index).unwrap().text_content().unwrap()).collect()
    }

    fn status(&self) -> String {
        self.status.text_content().unwrap()
    }
}

fn view(address: &str) -> AddressView {
    AddressView::new(SERVICE.unwrap(), address).unwrap()
}

#[wasm_bindgen_test]
async fn a_front_end_lists_pages_until_the_last_one() {
    let mut view = view(BUSY);
    let mut pages = 1;
    while view.load_more().await {
        pages += 1;
        assert_eq!(view.status(), "");
    }
    let sent = fetch_expected("", &address_path(BUSY, "withdrawals"), "").await;
    let expected: Vec<String> =
        sent.iter().map(|row| format!("{} {}", row["index"], row["amount"].as_str().unwrap())).collect();
    assert_eq!(view.texts(), expected);
    assert_eq!(pages, expected.len().div_ceil(50));
}

#[wasm_bindgen_test]
async fn a_front_end_shows_a_whole_range_and_its_report() {
    let view = view(BUSY);
    view.load_transactions().await;
    let rows = view.texts();
    assert_eq!(view.status(), format!("All {} transactions", rows.len()));
    assert!(rows.len() > 100 && rows[0].starts_with("0x"), "{} rows", rows.len());
}

#[wasm_bindgen_test]
async fn a_front_end_shows_balances() {
    let view = view(BUSY);
    view.load_balances(&RESTRICTED.parse().unwrap()).await;
    let rows = view.texts();
    assert_eq!(rows[0], format!("{BUSY} 1234567890123456789012"));
    assert!(rows.len() == 2 && rows[1].starts_with(RESTRICTED), "{rows:?}");
}

#[wasm_bindgen_test]
async fn a_front_end_says_what_to_do_after_an_error() {
    let invalid = AddressView::new(SERVICE.unwrap(), "0x12").err().unwrap();
    let message = "Correct your input. address: must be an address hash: 0x and 40 hex digits";
    assert_eq!(describe_error(&invalid), message);
    // Browsers refuse to connect to this port.
    let mut offline = AddressView::new("http://127.0.0.1:1", BUSY).unwrap();
    assert!(offline.load_more().await, "the button stays");
    assert!(offline.status().starts_with("Try again. "), "{}", offline.status());
    let mut restricted = view(RESTRICTED);
    assert!(restricted.load_more().await);
    let status = restricted.status();
    assert!(status.starts_with("Choose another address") && status.contains("Restricted access"), "{status}");
    assert!(restricted.texts().is_empty());
}

#[wasm_bindgen_test]
async fn a_front_end_skips_bad_records_and_shows_how_many() {
    // A page of two records, of which the first has an invalid amount.
    let record = |amount: &str| {
        format!(
            r#"{{"index":1,"validator_index":5,"block_number":7,"amount":"{amount}","timestamp":"2024-01-01T00:00:00.000000Z"}}"#
        )
    };
    let page = format!(r#"{{"items":[{},{}],"next_page_params":null}}"#, record("x"), record("3"));
    let respond =
        js_sys::Function::new_with_args("request", &format!("return Promise.resolve(new Response('{page}'))"));
    let mut options = ClientOptions::new(SERVICE.unwrap().parse().unwrap());
    options.decode_options.skip_bad_records = true;
    let paths = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&paths);
    options.on_bad_record = Some(BadRecordSink::new(move |bad| seen.borrow_mut().push(bad.path.clone())));
    let client = Client::with_options(Browser::with_fetch(respond), options);
    let page = client.page(&AddressWithdrawalsParams::new(BUSY.parse().unwrap())).await.unwrap();
    assert_eq!((page.items.len(), page.omitted.count), (1, 1));
    assert_eq!(paths.take(), ["items[0].amount"]);
}

#[wasm_bindgen_test]
async fn a_front_end_reads_a_list_with_four_requests_at_a_time() {
    let client = Client::new(Browser::default(), SERVICE.unwrap().parse().unwrap());
    let params = AddressLogsParams::new(BUSY.parse().unwrap());
    let mut logs = client.pages(&params).unwrap().with_concurrency(4).into_records();
    let mut read = Vec::new();
    while let Some(log) = logs.next().await.unwrap() {
        read.push(format!("{} {}", log.block_number, log.index));
    }
    let sent = fetch_expected("", &address_path(BUSY, "logs"), "").await;
    let expected: Vec<String> = sent.iter().map(|row| format!("{} {}", row["block_number"], row["index"])).collect();
    assert_eq!(read, expected);
}

#[wasm_bindgen_test]
async fn a_front_end_reads_a_range_row_by_row() {
    let client = Client::new(Browser::default(), SERVICE.unwrap().parse().unwrap());
    let params = TxListParams::new(DEEP.parse().unwrap()).sort(Order::Ascending);
    let mut rows = client.all_rows(&params).unwrap().into_records();
    let (mut count, mut last_block) = (0, 0);
    while let Some(row) = rows.next().await.unwrap() {
        let block: u64 = row.block_number.parse().unwrap();
        assert!(block >= last_block, "row {count} is out of order");
        (count, last_block) = (count + 1, block);
    }
    let report = rows.get_ref().report();
    assert!(report.complete && report.records == count, "{report:?}");
    assert!(count >= 60_000, "{count} rows");
}

#[wasm_bindgen_test]
async fn the_program_of_the_guide_shows_more_than_10_000_rows() {
    let body = element("tbody");
    let show = |address: &str| show_transactions(SERVICE.unwrap().to_owned(), address.to_owned(), body.clone());
    assert!(show(DEEP).await.unwrap(), "the range is complete");
    assert!(body.child_element_count() >= 60_000, "{} rows", body.child_element_count());
    assert!(body.first_element_child().unwrap().text_content().unwrap().starts_with("0x"));
    let error = js_sys::Error::from(show("0x12").await.unwrap_err());
    assert!(String::from(error.message()).contains("must be an address hash"), "{error:?}");
}
