//! Converts results to JavaScript objects. It passes frames to `page.js`, which calls the generated constructors of records.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use crate::client::ActionRows;
use crate::client::list::ListPage;
use crate::client::range::RangeBatch;
use crate::decode::{BatchSink, Cursor, FramePage, Layout, Omitted};
use crate::endpoint::Operation;
use crate::object::to_json;

#[wasm_bindgen(raw_module = "./page.js")]
extern "C" {
    /// Appends the rows of a frame to `items`, and returns the envelope record. The slices are views of WebAssembly memory, so
    /// this must not call back into Rust: an allocation would invalidate them.
    #[wasm_bindgen(js_name = addRows, catch)]
    fn add_rows(
        slots: &[u32],
        pool: &[u8],
        json: &[u8],
        extras: &[u32],
        item: u32,
        rows: &[u32],
        items: &Array,
        envelope: u32,
        envelope_at: u32,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = createPage)]
    fn create_page(items: &Array, envelope: &JsValue, resume_token: Option<String>, omitted: &str) -> JsValue;
    #[wasm_bindgen(js_name = createRows)]
    fn create_rows(items: &Array, incomplete: bool, message: &JsValue, omitted: &str) -> JsValue;
    #[wasm_bindgen(js_name = createWindow)]
    fn create_window(items: Option<Array>, state: &str) -> JsValue;
}

/// Converts a page of a list. Null after the last page.
pub(super) fn convert_page(list: &Operation, page: Option<ListPage>) -> Result<JsValue, JsValue> {
    let Some(ListPage { mut page, resume }) = page else { return Ok(JsValue::NULL) };
    page.frame.append_cursor(&page.next.as_ref().map_or_else(|| "null".into(), Cursor::to_json));
    let items = Array::new();
    let envelope = append_rows(&mut page, list.layout, &items)?;
    let omitted = Omitted::from_page(list.name, &page.bad_records);
    Ok(create_page(&items, &envelope, resume.map(|point| point.token()), &to_json(&omitted)))
}

/// Converts a single record: the envelope of the page.
pub(super) fn convert_record(lookup: &Operation, mut page: Box<FramePage>) -> Result<JsValue, JsValue> {
    append_rows(&mut page, lookup.layout, &Array::new())
}

/// Converts a window of a range, one batch of a window, or the end of the range.
pub(super) fn convert_window(action: &Operation, batch: RangeBatch) -> Result<JsValue, JsValue> {
    let state = to_json(&batch.state());
    let items = match batch.page? {
        Some(mut page) => {
            let items = Array::new();
            append_rows(&mut page, action.layout, &items)?;
            Some(items)
        }
        None => None,
    };
    Ok(create_window(items, &state))
}

/// Builds the result of an action. It converts the rows of a large response while the response arrives. Clones build the same
/// result.
#[derive(Clone)]
pub(super) struct ResultBuilder {
    action: &'static Operation,
    items: Array,
    failure: Rc<RefCell<Option<JsValue>>>,
}

impl ResultBuilder {
    pub(super) fn new(action: &'static Operation) -> Self {
        Self { action, items: Array::new(), failure: Rc::default() }
    }

    /// Creates a sink that appends the batches of a large response.
    pub(super) fn create_sink(&self) -> BatchSink {
        let builder = self.clone();
        BatchSink::new(move |batch| match batch {
            Some(mut batch) => {
                if let Err(failure) = builder.append(&mut batch) {
                    builder.failure.replace(Some(failure));
                }
            }
            // The request is retried: discard the rows of the failed attempt.
            None => builder.items.set_length(0),
        })
    }

    /// Returns all rows, or the value of an action without rows.
    pub(super) fn finish(&self, mut result: ActionRows<Box<FramePage>>) -> Result<JsValue, JsValue> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let envelope = self.append(&mut result.items)?;
        if self.action.layout.rows.is_none() {
            return Reflect::get(&envelope, &"result".into());
        }
        let message = serde_wasm_bindgen::to_value(&result.message)?;
        Ok(create_rows(&self.items, result.incomplete, &message, &to_json(&result.omitted)))
    }

    fn append(&self, page: &mut FramePage) -> Result<JsValue, JsValue> {
        append_rows(page, self.action.layout, &self.items)
    }
}

/// Parses the strings of a page in JavaScript, but creates no records.
#[cfg(feature = "bench")]
pub(super) fn parse_strings(mut page: Box<FramePage>, layout: Layout) -> Result<JsValue, JsValue> {
    page.rows.clear();
    append_rows(&mut page, layout, &Array::new())
}

/// Appends the rows of a page to `items`, and returns the envelope record: the members of the response beside the rows.
fn append_rows(page: &mut FramePage, layout: Layout, items: &Array) -> Result<JsValue, JsValue> {
    let FramePage { frame, rows, envelope, .. } = page;
    let envelope_record = add_rows(
        &frame.slots,
        &frame.pool,
        &frame.json,
        frame.extras.as_flattened(),
        layout.row.number,
        rows,
        items,
        layout.envelope.number,
        *envelope,
    );
    std::mem::take(frame).recycle();
    envelope_record
}
