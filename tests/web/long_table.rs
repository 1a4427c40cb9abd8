//! The Rust program of the guide. `tests/native/readme.rs` checks that both are the same.

// The guide: begin
use address_query::browser::Browser;
use address_query::client::Client;
use address_query::endpoint::TxListParams;
use futures_util::TryStreamExt;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// Appends a row for each transaction of an account to a `<tbody>`. Returns whether none is missing.
#[wasm_bindgen]
pub async fn show_transactions(base_url: String, address: String, body: Element) -> Result<bool, JsValue> {
    let client = Client::new(Browser::default(), base_url.parse().map_err(JsError::from)?);
    let params = TxListParams::new(address.parse().map_err(JsError::from)?);
    let mut transactions = client.all_rows(&params).map_err(JsError::from)?.with_concurrency(4).into_records();
    let document = body.owner_document().ok_or("the table is not in a document")?;
    while let Some(transaction) = transactions.try_next().await.map_err(JsError::from)? {
        let row = body.append_child(&*document.create_element("tr")?)?;
        for text in [&*transaction.hash, &transaction.from, &transaction.value] {
            row.append_child(&*document.create_element("td")?)?.set_text_content(Some(text));
        }
    }
    Ok(transactions.get_ref().report().complete)
}
// The guide: end
