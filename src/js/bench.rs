//! The path that an answer takes once its bytes are there, by itself, for `make bench`. Not part of the package.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::hooks::Hooks;
use super::page;
use crate::client::{FramePages, Pages as _, ReadPage, account};
use crate::decode::{Fail, FramePage, Leniency};
use crate::endpoint::{Action, List, action_named, list_named};

/// What a stream of a body hands over at a time.
const CHUNK: u32 = 64 * 1024;

/// Decodes answers of one operation.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Bench {
    operation: Operation,
    hooks: Hooks,
}

#[derive(Debug)]
enum Operation {
    /// Pages of a list are read with what was learned from those before.
    List(&'static List, Box<FramePages>),
    /// An action is asked once.
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
        let list =
            list_named(name).map(|list| Operation::List(list, Box::new(FramePages::new(list, Leniency::default()))));
        let operation =
            list.or_else(|| action_named(name).map(Operation::Action)).ok_or("no operation of that name")?;
        Ok(Self { operation, hooks: Hooks::default() })
    }

    /// The page, or the rows, as the caller of a method gets them.
    ///
    /// # Errors
    /// What does not fit.
    pub fn decode(&mut self, bytes: &Uint8Array) -> Result<JsValue, JsValue> {
        match &mut self.operation {
            Operation::List(list, pages) => page::page(list, read(bytes, pages)?.page, None, &self.hooks),
            Operation::Action(action) => {
                let answer = page::Answer::of(action, &self.hooks);
                let read = read(bytes, &mut answer.pages(Leniency::default()))?;
                answer.whole(account::judge(action, read.page, &[]).map_err(super::error::to_js)?)
            }
        }
    }
}

fn read(bytes: &Uint8Array, pages: &mut FramePages) -> Result<ReadPage<FramePage>, JsValue> {
    let unfit = |fail: Fail| JsValue::from(format!("{fail:?}"));
    pages.begin();
    for start in (0..bytes.length()).step_by(CHUNK as usize) {
        pages.feed(bytes.subarray(start, start + CHUNK).to_vec()).map_err(unfit)?;
    }
    pages.finish().map_err(unfit)
}
