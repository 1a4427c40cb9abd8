//! Answers as JavaScript sees them: frames handed to the generated constructors.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use crate::browser::Browser;
use crate::client::balances::KnownBalance;
use crate::client::{FramePages, RangeReader, Rows, Sink};
use crate::decode::{FramePage, Layout};
use crate::endpoint::{Action, List};

use super::hooks::Hooks;

#[wasm_bindgen(raw_module = "./page.js")]
extern "C" {
    /// Adds the rows of a frame to `items`, and gives the record that stands beside them. The slices are views of the module's
    /// memory: nothing may be allocated meanwhile.
    #[wasm_bindgen(js_name = addRows, catch)]
    fn add_rows(
        slots: &[u32],
        wide: &[f64],
        short: &[u8],
        pool: &[u8],
        json: &[u8],
        extras: &[u32],
        item: u32,
        rows: &[u32],
        items: &Array,
        envelope: u32,
        envelope_at: u32,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = pageOf)]
    fn page_of(items: &Array, beside: &JsValue, next: Option<&str>, resume_token: Option<&str>) -> JsValue;
    #[wasm_bindgen(js_name = rowsOf)]
    fn rows_of(items: &Array, incomplete: bool, message: Option<&str>) -> JsValue;
    #[wasm_bindgen(js_name = windowOf)]
    fn window_of(
        items: Option<Array>,
        resume_token: Option<&str>,
        is_part: bool,
        windows: u32,
        requests: u32,
        records: f64,
        next_block: Option<f64>,
        response_limit: Option<f64>,
        incomplete: &Array,
        unprocessed: &Array,
        changed: &JsValue,
    ) -> JsValue;
    #[wasm_bindgen(js_name = addIncomplete)]
    fn add_incomplete(list: &Array, block: f64, records: f64, reason: &str);
    #[wasm_bindgen(js_name = addUnprocessed)]
    fn add_unprocessed(list: &Array, first: f64, last: f64, message: &str);
    #[wasm_bindgen(js_name = addBalance)]
    fn add_balance(list: &Array, account: &str, balance: Option<&str>, stale: bool);
}

/// A page of a list.
pub(super) fn page(
    list: &List,
    mut page: Box<FramePage>,
    token: Option<&str>,
    hooks: &Hooks,
) -> Result<JsValue, JsValue> {
    let next = page.next.as_ref().map(crate::decode::Cursor::to_json);
    let items = Array::new();
    let beside = add(&mut page, Layout::list(list.item, list.envelope), &items, hooks)?;
    Ok(page_of(&items, &beside, next.as_deref(), token))
}

/// What an action answers. The rows of a large answer are made while it arrives.
#[derive(Clone)]
pub(super) struct Answer {
    action: &'static Action,
    hooks: Hooks,
    items: Array,
    failure: Rc<RefCell<Option<JsValue>>>,
}

impl Answer {
    pub(super) fn of(action: &'static Action, hooks: &Hooks) -> Self {
        Self { action, hooks: hooks.clone(), items: Array::new(), failure: Rc::default() }
    }

    /// The pages, whose first rows come here then.
    pub(super) fn take_early(&self, pages: FramePages) -> FramePages {
        let answer = self.clone();
        let take = move |part| match part {
            Some(mut part) => {
                if let Err(failure) = answer.add(&mut part) {
                    answer.failure.replace(Some(failure));
                }
            }
            None => answer.items.set_length(0),
        };
        pages.into_sink(Sink::new(take))
    }

    /// All rows, or the value.
    pub(super) fn whole(&self, mut answer: Rows<Box<FramePage>>) -> Result<JsValue, JsValue> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let beside = self.add(&mut answer.items)?;
        if self.action.layout.rows.is_none() {
            return Reflect::get(&beside, &"result".into());
        }
        let message = answer.message.map(|message| self.hooks.hidden(&message));
        Ok(rows_of(&self.items, answer.incomplete, message.as_deref()))
    }

    fn add(&self, page: &mut FramePage) -> Result<JsValue, JsValue> {
        add(page, self.action.layout, &self.items, &self.hooks)
    }
}

/// A window of a range, or a part of it: its rows, null at the end, with the report so far.
pub(super) fn window(
    action: &Action,
    window: Option<Box<FramePage>>,
    reader: &RangeReader<Browser>,
    hooks: &Hooks,
) -> Result<JsValue, JsValue> {
    let items = match window {
        Some(mut window) => {
            let items = Array::new();
            add(&mut window, action.layout, &items, hooks)?;
            Some(items)
        }
        None => None,
    };
    let (report, next_block) = reader.progress();
    let (incomplete, unprocessed) = (Array::new(), Array::new());
    for block in &report.incomplete_blocks {
        add_incomplete(&incomplete, number(block.block), number(block.records), &block.reason);
    }
    for range in &report.unprocessed {
        add_unprocessed(&unprocessed, number(range.first), number(range.last), &hooks.hidden(&range.message));
    }
    let changed: Vec<f64> = report.changed_blocks.iter().copied().map(number).collect();
    Ok(window_of(
        items,
        reader.resume_token().as_deref(),
        reader.is_arriving(),
        report.windows,
        report.requests,
        number(report.records),
        next_block.map(number),
        report.response_limit.map(number),
        &incomplete,
        &unprocessed,
        &serde_wasm_bindgen::to_value(&changed)?,
    ))
}

/// Balances, as a list of plain objects.
pub(super) fn balances(balances: &[KnownBalance]) -> JsValue {
    let list = Array::new();
    for known in balances {
        add_balance(&list, &known.account, known.balance.as_deref(), known.stale);
    }
    list.into()
}

/// Nothing, once the engine has parsed the texts.
#[cfg(feature = "bench")]
pub(super) fn texts(mut page: Box<FramePage>, layout: Layout, hooks: &Hooks) -> Result<JsValue, JsValue> {
    page.rows.clear();
    add(&mut page, layout, &Array::new(), hooks)
}

/// Adds the rows of a page to these, and gives the record that stands beside them.
fn add(page: &mut FramePage, layout: Layout, items: &Array, hooks: &Hooks) -> Result<JsValue, JsValue> {
    hooks.tell(page);
    let FramePage { frame, rows, envelope, .. } = page;
    let beside = add_rows(
        &frame.slots,
        &frame.wide,
        &frame.short,
        &frame.pool,
        &frame.json,
        frame.extras.as_flattened(),
        layout.row.number,
        rows,
        items,
        layout.envelope.number,
        *envelope,
    );
    std::mem::take(frame).give_back();
    beside
}

/// A number of JavaScript's.
#[expect(clippy::cast_precision_loss, reason = "none is that large")]
pub(super) fn number(value: u64) -> f64 {
    value as f64
}
