//! The path that an answer takes once its bytes are there, by itself, for `make bench`. Not part of the package.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::hooks::Hooks;
use super::page;
use crate::browser::Browser;
use crate::client::runtime::PIECE;
use crate::client::{Client, FramePages, Pages as _, ReadPage, account};
use crate::decode::{Fail, FramePage, Layout, Leniency};
use crate::endpoint::{Action, BaseUrl, List, find_action, find_list};

/// Decodes answers of one operation, with what was learned from those before, as a client does.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Bench {
    operation: Operation,
    client: Client<Browser>,
    hooks: Hooks,
}

#[derive(Debug)]
enum Operation {
    List(&'static List),
    Action(&'static Action),
}

#[wasm_bindgen]
impl Bench {
    /// By the name of a list's or action's method.
    ///
    /// # Errors
    /// There is none of that name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, JsValue> {
        let operation = find_list(name).map(Operation::List).or_else(|| find_action(name).map(Operation::Action));
        let operation = operation.ok_or("no operation of that name")?;
        let base = BaseUrl::parse("https://bench.invalid").map_err(super::error::to_js)?;
        Ok(Self { operation, client: Client::new(Browser::default(), base), hooks: Hooks::default() })
    }

    /// How many rows there are: read, and nothing made of them.
    ///
    /// # Errors
    /// What does not fit.
    pub fn read(&self, bytes: &Uint8Array) -> Result<usize, JsValue> {
        self.frames(bytes).map(|read| read.page.rows.len())
    }

    /// The same, with the texts handed over to the engine, which parses them.
    ///
    /// # Errors
    /// What does not fit.
    pub fn texts(&self, bytes: &Uint8Array) -> Result<JsValue, JsValue> {
        page::texts(self.frames(bytes)?.page, self.layout(), &self.hooks)
    }

    /// The page, or the rows, as the caller of a method gets them.
    ///
    /// # Errors
    /// What does not fit.
    pub fn decode(&self, bytes: &Uint8Array) -> Result<JsValue, JsValue> {
        match &self.operation {
            Operation::List(list) => page::page(list, self.frames(bytes)?.page, None, &self.hooks),
            Operation::Action(action) => {
                let answer = page::Answer::of(action, &self.hooks);
                let mut pages = answer.take_early(self.client.frames(action.layout, Leniency::default()));
                let read = read(bytes, &mut pages)?;
                answer.whole(account::judge(action, read.page, &[]).map_err(super::error::to_js)?)
            }
        }
    }
}

impl Bench {
    fn frames(&self, bytes: &Uint8Array) -> Result<ReadPage<Box<FramePage>>, JsValue> {
        read(bytes, &mut self.client.frames(self.layout(), Leniency::default()))
    }

    fn layout(&self) -> Layout {
        match &self.operation {
            Operation::List(list) => Layout::list(list.item, list.envelope),
            Operation::Action(action) => action.layout,
        }
    }
}

fn read(bytes: &Uint8Array, pages: &mut FramePages) -> Result<ReadPage<Box<FramePage>>, JsValue> {
    let unfit = |fail: Fail| JsValue::from(format!("{fail:?}"));
    pages.begin();
    for start in (0..bytes.length()).step_by(PIECE as usize) {
        pages.feed(bytes.subarray(start, start + PIECE).to_vec()).map_err(unfit)?;
    }
    pages.finish().map_err(unfit)
}
