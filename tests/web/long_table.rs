//! The Rust program of the guide. `tests/native/rust_examples.rs` checks that both are the same.

// The guide: begin
use address_query::browser::Browser;
use address_query::client::Client;
use address_query::endpoint::TxListParams;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// Appends a row for each transaction of an account to a `<tbody>`.
/// Returns whether none is missing.
#[wasm_bindgen]
pub async fn show_transactions(
    base_url: String,
    address: String,
    body: Element,
) -> Result<bool, JsValue> {
    let base_url = base_url.parse().map_err(JsError::from)?;
    let client = Client::new(Browser::default(), base_url);
    let params = TxListParams::new(address.parse().map_err(JsError::from)?);
    let rows = client.all_rows(&params).map_err(JsError::from)?;
    let mut rows = rows.with_concurrency(4).into_records();
    let document = body.owner_document().ok_or("the table has no document")?;
    while let Some(record) = rows.next().await.map_err(JsError::from)? {
        let row = body.append_child(&*document.create_element("tr")?)?;
        for text in [&*record.hash, &record.from, &record.value] {
            let cell = row.append_child(&*document.create_element("td")?)?;
            cell.set_text_content(Some(text));
        }
    }
    Ok(rows.get_ref().report().complete)
}
// The guide: end
