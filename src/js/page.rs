//! Answers as JavaScript sees them: frames handed to the generated constructors.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use crate::browser::Browser;
use crate::client::balances::KnownBalance;
use crate::client::range::{IncompleteBlock, Unprocessed};
use crate::client::{FramePages, RangeReader, Rows, Sink};
use crate::decode::FramePage;
use crate::endpoint::{Action, List};

use super::hooks::Hooks;
use super::plain::Plain;

#[wasm_bindgen(raw_module = "./page.js")]
extern "C" {
    /// Makes this the frame that is read until it is closed. The slices are views of the module's memory: nothing may be
    /// allocated in between.
    #[wasm_bindgen(js_name = openFrame, catch)]
    fn open_frame(
        slots: &[u32],
        wide: &[f64],
        short: &[u8],
        pool: &[u8],
        json: &[u8],
        extras: &[u32],
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(js_name = buildPage, catch)]
    fn build_page(
        item: &str,
        envelope: &str,
        rows: &[u32],
        envelope_at: u32,
        next: Option<String>,
        resume_token: Option<String>,
    ) -> Result<JsValue, JsValue>;
    /// Adds rows to `items`: those, with what is said beside them.
    #[wasm_bindgen(js_name = buildRows, catch)]
    fn build_rows(item: &str, rows: &[u32], items: &Array, more: &JsValue) -> Result<JsValue, JsValue>;
    /// The `result` of a record.
    #[wasm_bindgen(js_name = buildValue, catch)]
    fn build_value(envelope: &str, envelope_at: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = closeFrame)]
    fn close_frame();
}

/// A page of a list.
pub(super) fn page(list: &List, page: &FramePage, token: Option<&str>, hooks: &Hooks) -> Result<JsValue, JsValue> {
    let next = page.next.as_ref().map(crate::decode::Cursor::to_json);
    with_frame(page, hooks, &|rows, envelope| {
        build_page(list.item.name, list.envelope.name, rows, envelope, next.clone(), token.map(str::to_owned))
    })
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
            Some(part) => {
                if let Err(failure) = answer.build(&part, &JsValue::UNDEFINED) {
                    answer.failure.replace(Some(failure));
                }
            }
            None => answer.items.set_length(0),
        };
        pages.into_sink(Sink::new(take))
    }

    /// All rows, or the value.
    pub(super) fn whole(&self, answer: Rows<Box<FramePage>>) -> Result<JsValue, JsValue> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let message = answer.message.map(|message| self.hooks.hidden(&message));
        let more = [("incomplete", Plain::Boolean(answer.incomplete)), ("message", Plain::known(message.as_deref()))];
        let more = Plain::Object(more.into()).to_js()?;
        self.build(&answer.rows, &more)
    }

    fn build(&self, page: &FramePage, more: &JsValue) -> Result<JsValue, JsValue> {
        let layout = self.action.layout;
        with_frame(page, &self.hooks, &|rows, envelope| {
            if layout.rows.is_some() {
                build_rows(layout.row.name, rows, &self.items, more)
            } else {
                build_value(layout.envelope.name, envelope)
            }
        })
    }
}

/// A window of a range, or a part of it: its rows, null at the end, with the report so far.
pub(super) fn window(
    action: &Action,
    window: Option<Box<FramePage>>,
    reader: &RangeReader<Browser>,
    hooks: &Hooks,
) -> Result<JsValue, JsValue> {
    let report = reader.report();
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
    let token = reader.resume_token();
    let more = [
        ("resumeToken", Plain::known(token.as_deref())),
        ("isPart", Plain::Boolean(reader.is_arriving())),
        ("report", Plain::Object(report.into())),
    ];
    let more = Plain::Object(more.into()).to_js()?;
    match window {
        Some(window) => {
            with_frame(&window, hooks, &|rows, _| build_rows(action.layout.row.name, rows, &Array::new(), &more))
        }
        None => {
            Reflect::set(&more, &"items".into(), &JsValue::NULL)?;
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

/// Nothing, once the engine has parsed the texts.
#[cfg(feature = "bench")]
pub(super) fn texts(page: &FramePage, hooks: &Hooks) -> Result<JsValue, JsValue> {
    with_frame(page, hooks, &|_, _| Ok(JsValue::NULL))
}

/// Makes of a frame's rows and envelope what the caller gets.
type Build<'a> = &'a dyn Fn(&[u32], u32) -> Result<JsValue, JsValue>;

fn with_frame(page: &FramePage, hooks: &Hooks, build: Build<'_>) -> Result<JsValue, JsValue> {
    hooks.tell(page);
    let FramePage { frame, rows, envelope, .. } = page;
    let mut extras = Vec::with_capacity(2 * frame.extras.len());
    for &(at, slot) in &frame.extras {
        extras.extend([at, slot]);
    }
    open_frame(&frame.slots, &frame.wide, &frame.short, &frame.pool, &frame.json, &extras)?;
    let built = build(rows, *envelope);
    close_frame();
    built
}
