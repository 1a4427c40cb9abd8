//! Answers as JavaScript sees them: frames handed to the generated constructors.

use wasm_bindgen::prelude::*;

use crate::client::balances::KnownBalance;
use crate::client::range::{IncompleteBlock, Unprocessed};
use crate::client::{Report, Rows};
use crate::decode::FramePage;
use crate::endpoint::{Action, List};

use super::hooks::Hooks;
use super::plain::Plain;

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
    let more = [("incomplete", Plain::Boolean(answer.incomplete)), ("message", Plain::known(message.as_deref()))];
    let more = Plain::Object(more.into()).to_js()?;
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
    let incomplete_block = |block: &IncompleteBlock| {
        let members = [
            ("block", Plain::number(block.block)),
            ("records", Plain::number(block.records)),
            ("reason", Plain::text(block.reason.clone())),
        ];
        Plain::Object(members.into())
    };
    let unprocessed = |range: &Unprocessed| {
        let members = [
            ("first", Plain::number(range.first)),
            ("last", Plain::number(range.last)),
            ("message", Plain::text(hooks.hidden(&range.message))),
        ];
        Plain::Object(members.into())
    };
    let report = [
        ("complete", Plain::Boolean(report.next_block.is_none() && whole)),
        ("windows", Plain::number(report.windows)),
        ("requests", Plain::number(report.requests)),
        ("records", Plain::number(report.records)),
        ("nextBlock", report.next_block.map_or(Plain::Null, Plain::number)),
        ("incompleteBlocks", Plain::List(report.incomplete_blocks.iter().map(incomplete_block).collect())),
        ("unprocessed", Plain::List(report.unprocessed.iter().map(unprocessed).collect())),
        ("changedBlocks", Plain::List(report.changed_blocks.iter().copied().map(Plain::number).collect())),
    ];
    let more = [("resumeToken", Plain::known(token)), ("report", Plain::Object(report.into()))];
    let more = Plain::Object(more.into()).to_js()?;
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
    let balance = |known: &KnownBalance| {
        let members = [
            ("account", Plain::text(known.account.clone())),
            ("balance", known.balance.clone().map_or(Plain::Null, Plain::text)),
            ("stale", Plain::Boolean(known.stale)),
        ];
        Plain::Object(members.into())
    };
    Plain::List(balances.iter().map(balance).collect()).to_js()
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
