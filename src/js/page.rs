//! Answers as JavaScript sees them: frames handed to the generated constructors.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::client::balances::KnownBalance;
use crate::client::{Report, Rows};
use crate::decode::FramePage;
use crate::endpoint::{Action, List};

use super::hooks::Hooks;

#[wasm_bindgen(raw_module = "./page.js")]
extern "C" {
    /// Makes this the frame that is read until it is closed. The slices are views of the module's memory: nothing may be
    /// allocated in between.
    #[wasm_bindgen(js_name = openFrame, catch)]
    fn open_frame(slots: &[u32], wide: &[f64], document: &[u8], extras: &[u32]) -> Result<(), JsValue>;
    #[wasm_bindgen(js_name = buildPage, catch)]
    fn build_page(
        item: &str,
        envelope: &str,
        rows: &[u32],
        envelope_at: u32,
        next: Option<String>,
        resume_token: Option<String>,
    ) -> Result<JsValue, JsValue>;
    /// Rows with what is said beside them.
    #[wasm_bindgen(js_name = buildRows, catch)]
    fn build_rows(item: &str, rows: &[u32], more: &JsValue) -> Result<JsValue, JsValue>;
    /// The `result` of a record.
    #[wasm_bindgen(js_name = buildValue, catch)]
    fn build_value(envelope: &str, envelope_at: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = closeFrame)]
    fn close_frame();
}

#[derive(Serialize)]
struct Completeness<'a> {
    incomplete: bool,
    message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Window<'a> {
    resume_token: Option<&'a str>,
    report: WindowReport<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WindowReport<'a> {
    complete: bool,
    windows: u32,
    requests: u32,
    records: f64,
    next_block: Option<f64>,
    incomplete_blocks: Vec<IncompleteBlock<'a>>,
    unprocessed: Vec<Unprocessed>,
    changed_blocks: Vec<f64>,
}

#[derive(Serialize)]
struct IncompleteBlock<'a> {
    block: f64,
    records: f64,
    reason: &'a str,
}

#[derive(Serialize)]
struct Unprocessed {
    first: f64,
    last: f64,
    message: String,
}

#[derive(Serialize)]
#[serde(rename = "Balance")]
struct OneBalance<'a> {
    account: &'a str,
    balance: Option<&'a str>,
    stale: bool,
}

/// A page of a list.
pub(super) fn page(list: &List, page: FramePage, token: Option<String>, hooks: &Hooks) -> Result<JsValue, JsValue> {
    let next = page.next.as_ref().map(crate::decode::Cursor::to_json);
    with_frame(page, hooks, |rows, envelope| {
        build_page(list.item.name, list.envelope.name, rows, envelope, next, token)
    })
}

/// What an action answered: rows, or a value.
pub(super) fn answer(action: &Action, answer: Rows<FramePage>, hooks: &Hooks) -> Result<JsValue, JsValue> {
    let message = answer.message.map(|message| hooks.hidden(&message));
    let more = object(&Completeness { incomplete: answer.incomplete, message: message.as_deref() })?;
    with_frame(answer.rows, hooks, |rows, envelope| {
        if action.layout.rows.is_some() {
            build_rows(action.layout.row.name, rows, &more)
        } else {
            build_value(action.layout.envelope.name, envelope)
        }
    })
}

/// A window of a range: its rows, null at the end, with the report so far.
pub(super) fn window(
    action: &Action,
    window: Option<FramePage>,
    report: &Report,
    token: Option<&str>,
    hooks: &Hooks,
) -> Result<JsValue, JsValue> {
    let whole = report.incomplete_blocks.is_empty() && report.unprocessed.is_empty();
    #[expect(clippy::cast_precision_loss, reason = "JavaScript's numbers")]
    let number = |value: u64| value as f64;
    let report = WindowReport {
        complete: report.next_block.is_none() && whole,
        windows: report.windows,
        requests: report.requests,
        records: number(report.records),
        next_block: report.next_block.map(number),
        incomplete_blocks: report
            .incomplete_blocks
            .iter()
            .map(|block| IncompleteBlock {
                block: number(block.block),
                records: number(block.records),
                reason: &block.reason,
            })
            .collect(),
        unprocessed: report
            .unprocessed
            .iter()
            .map(|range| Unprocessed {
                first: number(range.first),
                last: number(range.last),
                message: hooks.hidden(&range.message),
            })
            .collect(),
        changed_blocks: report.changed_blocks.iter().copied().map(number).collect(),
    };
    let more = object(&Window { resume_token: token, report })?;
    match window {
        Some(window) => with_frame(window, hooks, |rows, _| build_rows(action.layout.row.name, rows, &more)),
        None => {
            js_sys::Reflect::set(&more, &"items".into(), &JsValue::NULL)?;
            Ok(more)
        }
    }
}

/// Balances, as a list of plain objects.
pub(super) fn balances(balances: &[KnownBalance]) -> Result<JsValue, JsValue> {
    let balances: Vec<OneBalance<'_>> = balances
        .iter()
        .map(|known| OneBalance { account: &known.account, balance: known.balance.as_deref(), stale: known.stale })
        .collect();
    object(&balances)
}

fn with_frame(
    page: FramePage,
    hooks: &Hooks,
    build: impl FnOnce(&[u32], u32) -> Result<JsValue, JsValue>,
) -> Result<JsValue, JsValue> {
    hooks.tell(&page);
    let FramePage { frame, rows, envelope, .. } = page;
    let extras: Vec<u32> = frame.extras.iter().flat_map(|&(at, slot)| [at, slot]).collect();
    open_frame(&frame.slots, &frame.wide, &frame.document(), &extras)?;
    let built = build(&rows, envelope);
    close_frame();
    built
}

pub(super) fn object(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).map_err(JsValue::from)
}
