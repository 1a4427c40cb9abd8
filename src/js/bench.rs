//! Decodes the bytes of responses to JavaScript objects, without the network, and counts allocated memory. Only `make bench` and
//! `make memory` use this module; the package does not contain it.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::page::{self, ResultBuilder, convert_page};
use crate::browser::Browser;
use crate::client::list::ListPage;
use crate::client::{Client, MAX_CHUNK_BYTES, account};
use crate::decode::{DecodeError, FrameDecoder, FramePage};
use crate::endpoint::{BaseUrl, Operation, ResponseKind, find_operation};

/// Decodes responses of one operation. Like a client, it keeps the shape caches between responses.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Bench {
    operation: &'static Operation,
    client: Client<Browser>,
}

#[wasm_bindgen]
impl Bench {
    /// Creates a decoder for the list or action method with this name.
    ///
    /// # Errors
    /// If there is no such method.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, JsValue> {
        let operation = find_operation(name).ok_or("no operation of that name")?;
        let base = BaseUrl::parse("https://bench.invalid")?;
        Ok(Self { operation, client: Client::new(Browser::default(), base) })
    }

    /// Returns the number of bytes that are allocated, by the allocator's own count.
    #[must_use]
    #[wasm_bindgen(js_name = countAllocatedBytes)]
    pub fn count_allocated_bytes() -> usize {
        super::ALLOCATOR.allocated()
    }

    /// Decodes a response to a frame, and returns the number of rows.
    ///
    /// # Errors
    /// If the response is not valid.
    pub fn read(&self, bytes: &Uint8Array) -> Result<usize, JsValue> {
        self.decode_frame(bytes).map(|page| page.rows.len())
    }

    /// Decodes a response to a frame, and parses its strings in JavaScript.
    ///
    /// # Errors
    /// If the response is not valid.
    pub fn strings(&self, bytes: &Uint8Array) -> Result<JsValue, JsValue> {
        page::parse_strings(self.decode_frame(bytes)?, self.operation.layout)
    }

    /// Decodes a response to the page or rows that a method returns.
    ///
    /// # Errors
    /// If the response is not valid.
    pub fn decode(&self, bytes: &Uint8Array) -> Result<JsValue, JsValue> {
        if self.operation.kind == ResponseKind::List {
            let page = self.decode_frame(bytes)?;
            return convert_page(self.operation, Some(ListPage { page, resume: None }));
        }
        let builder = ResultBuilder::new(self.operation);
        let decoder = self.client.frame_decoder(self.operation.layout);
        let page = read_page(bytes, &mut decoder.with_sink(builder.create_sink()))?;
        builder.finish(account::rows_from_page(self.operation, page, &[])?)
    }
}

impl Bench {
    fn decode_frame(&self, bytes: &Uint8Array) -> Result<Box<FramePage>, JsValue> {
        read_page(bytes, &mut self.client.frame_decoder(self.operation.layout))
    }
}

fn read_page(bytes: &Uint8Array, reader: &mut FrameDecoder) -> Result<Box<FramePage>, JsValue> {
    let to_js = |error: DecodeError| JsValue::from(format!("{error:?}"));
    reader.begin();
    for start in (0..bytes.length()).step_by(MAX_CHUNK_BYTES as usize) {
        reader.feed(bytes.subarray(start, start + MAX_CHUNK_BYTES).to_vec()).map_err(to_js)?;
    }
    reader.finish().map_err(to_js)
}
