//! Converts results to JavaScript objects. It passes frames to `page.js`, which calls the generated constructors of records.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use crate::browser::Browser;
use crate::client::range::ParallelReader;
use crate::client::{Client, Rows};
use crate::decode::{BatchSink, FrameDecoder};
use crate::decode::{Cursor, FramePage, Layout, Omitted};
use crate::endpoint::{Action, List, Lookup};

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
    fn create_page(items: &Array, envelope: &JsValue, resume_token: Option<&str>, omitted: Option<String>) -> JsValue;
    #[wasm_bindgen(js_name = createRows)]
    fn create_rows(items: &Array, incomplete: bool, message: &JsValue, omitted: Option<String>) -> JsValue;
    #[wasm_bindgen(js_name = createWindow)]
    fn create_window(items: Option<Array>, state: &str) -> JsValue;
}

/// Converts a page of a list. Null after the last page.
pub(super) fn page_to_js(
    list: &List,
    page: Option<Box<FramePage>>,
    resume_token: Option<&str>,
    client: &Client<Browser>,
) -> Result<JsValue, JsValue> {
    let Some(mut page) = page else { return Ok(JsValue::NULL) };
    page.frame.append_cursor(&page.next.as_ref().map_or_else(|| "null".into(), Cursor::to_json));
    let items = Array::new();
    let envelope = append_rows(&mut page, list.layout, &items, client)?;
    let omitted = Omitted::from_page(list.name, &page.bad_records);
    Ok(create_page(&items, &envelope, resume_token, omitted_to_json(&omitted)))
}

/// Converts a single record.
pub(super) fn record_to_js(
    lookup: &Lookup,
    mut page: Box<FramePage>,
    client: &Client<Browser>,
) -> Result<JsValue, JsValue> {
    append_rows(&mut page, lookup.layout, &Array::new(), client)
}

/// Builds the result of an action. It converts the rows of a large response while the response arrives. Clones build the same
/// result.
#[derive(Clone)]
pub(super) struct ResultBuilder {
    action: &'static Action,
    client: Client<Browser>,
    items: Array,
    failure: Rc<RefCell<Option<JsValue>>>,
}

impl ResultBuilder {
    pub(super) fn new(action: &'static Action, client: &Client<Browser>) -> Self {
        Self { action, client: client.clone(), items: Array::new(), failure: Rc::default() }
    }

    /// Makes the reader send the batches of a large response to this builder.
    pub(super) fn attach(&self, reader: FrameDecoder) -> FrameDecoder {
        let builder = self.clone();
        let on_batch = move |batch| match batch {
            Some(mut batch) => {
                if let Err(failure) = builder.append(&mut batch) {
                    builder.failure.replace(Some(failure));
                }
            }
            // The request is retried: discard the rows of the failed attempt.
            None => builder.items.set_length(0),
        };
        reader.with_sink(BatchSink::new(on_batch))
    }

    /// Returns all rows, or the value of an action without rows.
    pub(super) fn finish(&self, mut result: Rows<Box<FramePage>>) -> Result<JsValue, JsValue> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let envelope = self.append(&mut result.items)?;
        if self.action.layout.rows.is_none() {
            return Reflect::get(&envelope, &"result".into());
        }
        let message = serde_wasm_bindgen::to_value(&result.message)?;
        Ok(create_rows(&self.items, result.incomplete, &message, omitted_to_json(&result.omitted)))
    }

    fn append(&self, page: &mut FramePage) -> Result<JsValue, JsValue> {
        append_rows(page, self.action.layout, &self.items, &self.client)
    }
}

/// Converts a window of a range, or one batch of a window, with the report so far. At the end of the range, `window` is `None`,
/// and the items of the result are null.
pub(super) fn window_to_js(
    action: &Action,
    window: Option<Box<FramePage>>,
    reader: &ParallelReader<Browser>,
    client: &Client<Browser>,
) -> Result<JsValue, JsValue> {
    let items = match window {
        Some(mut window) => {
            let items = Array::new();
            append_rows(&mut window, action.layout, &items, client)?;
            Some(items)
        }
        None => None,
    };
    Ok(create_window(items, &to_json(&reader.batch_state())))
}

/// Formats the summary of omitted records as JSON. `None` if there are none.
fn omitted_to_json(omitted: &Omitted) -> Option<String> {
    (omitted.count > 0).then(|| to_json(omitted))
}

/// Parses the strings of a page in JavaScript, but creates no records.
#[cfg(feature = "bench")]
pub(super) fn parse_strings(
    mut page: Box<FramePage>,
    layout: Layout,
    client: &Client<Browser>,
) -> Result<JsValue, JsValue> {
    page.rows.clear();
    append_rows(&mut page, layout, &Array::new(), client)
}

/// Appends the rows of a page to `items`, and returns the envelope record: the members of the response beside the rows.
fn append_rows(
    page: &mut FramePage,
    layout: Layout,
    items: &Array,
    client: &Client<Browser>,
) -> Result<JsValue, JsValue> {
    client.emit_findings(page);
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
