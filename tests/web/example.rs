//! The example of the guide `web_page`. `tests/native/rust_examples.rs` checks that both are the same.

// The guide: begin
use address_query::browser::Browser;
use address_query::client::Client;
use address_query::endpoint::AddressTokenTransfersParams;
use address_query::endpoint::params::{TokenType, TokenTypes};
use address_query::error::Error;
use address_query::types::TokenTransfer;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// A table of token transfers: `rows` is its `<tbody>`, `status` an element for messages.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TransferTable {
    client: Client<Browser>,
    rows: Element,
    status: Element,
}

#[wasm_bindgen]
impl TransferTable {
    /// Creates an empty table. Keep it: the calls of one client share a rate limit.
    #[wasm_bindgen(constructor)]
    pub fn new(base_url: &str, rows: Element, status: Element) -> Result<TransferTable, JsError> {
        let client = Client::new(Browser::default(), base_url.parse()?);
        Ok(Self { client, rows, status })
    }

    /// Shows the newest ERC-20 transfers of an address, or an error message.
    pub async fn show(&self, address: String) -> Result<(), JsValue> {
        self.status.set_text_content(Some("Loading…"));
        let result = self.read(&address).await;
        self.rows.set_text_content(None);
        match result {
            Ok(transfers) => {
                for transfer in &transfers {
                    self.append(transfer)?;
                }
                self.status.set_text_content(Some(&format!("Showing {} transfers", transfers.len())));
            }
            Err(error) => self.status.set_text_content(Some(&error.message)),
        }
        Ok(())
    }

    /// Reads the first page. An address that is not valid is an error before anything is sent.
    async fn read(&self, address: &str) -> Result<Vec<TokenTransfer>, Error> {
        let params = AddressTokenTransfersParams::new(address.parse()?).r#type(TokenTypes(vec![TokenType::Erc20]));
        Ok(self.client.page(&params).await?.items)
    }

    /// Appends a row. Token symbols are untrusted, so that cells are set as text, never as HTML.
    fn append(&self, transfer: &TokenTransfer) -> Result<(), JsValue> {
        let document = self.rows.owner_document().ok_or("the table is not in a document")?;
        let row = document.create_element("tr")?;
        let token = transfer.token.as_ref();
        let cells = [
            transfer.timestamp.as_deref(),
            Some(&*transfer.from.hash),
            Some(&*transfer.to.hash),
            transfer.total.as_ref().and_then(|total| total.value.as_deref()), // in base units
            token.and_then(|token| token.symbol.as_deref()),
        ];
        for text in cells {
            let cell = document.create_element("td")?;
            cell.set_text_content(Some(text.unwrap_or("–")));
            row.append_child(&cell)?;
        }
        self.rows.append_child(&row)?;
        Ok(())
    }
}
// The guide: end
