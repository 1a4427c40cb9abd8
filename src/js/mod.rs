//! The boundary to JavaScript: the classes that the JavaScript of the package uses. Start with [`Session`].
//!
//! This module converts arguments, results and errors and contains no other logic. Iteration is implemented in JavaScript
//! (`pkg-template`). The functions that Rust imports from there are declared in `callbacks`, `error` and `page`.

#[cfg(feature = "bench")]
mod bench;
mod callbacks;
mod calls;
mod error;
mod object;
mod page;
mod rate_limiters;
mod tabs;

use js_sys::{Array, Object, Reflect};
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};
use wasm_bindgen::prelude::*;

pub use calls::Call;

use crate::browser::Browser;
use crate::client::call::MethodCall;
use crate::client::options::NamedValues;
use crate::client::{Client, ClientOptions};
use crate::endpoint::{BaseUrl, ParamValue, find_credits};
use crate::error::Error;

/// This allocator is smaller than the standard library's.
#[global_allocator]
#[cfg(not(feature = "bench"))]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// The same allocator, and a count of the bytes in use.
#[global_allocator]
#[cfg(feature = "bench")]
static ALLOCATOR: cap::Cap<WasmDynamicTalc> = cap::Cap::new(new_wasm_dynamic_allocator(), usize::MAX);

/// The Rust side of one JavaScript client.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    client: Client<Browser>,
}

#[wasm_bindgen]
impl Session {
    /// Creates a session with these client options.
    ///
    /// JavaScript has already checked the options against the declarations in `crate::client::options`. Callbacks must not
    /// throw.
    ///
    /// # Errors
    /// An `AddressQueryError` with code `invalid_parameter` if an option is not valid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Object) -> Result<Self, JsValue> {
        let find = |name: &str| {
            let value = Reflect::get(options, &name.into()).unwrap_or_default();
            if value.is_null() { JsValue::UNDEFINED } else { value }
        };
        let function = |name| find(name).dyn_into().ok();
        let parse_base_url = |url: &str| BaseUrl::parse_with(url, Browser::is_authority);
        let values = ClientOptions::read(&to_named_values(options), parse_base_url);
        let (mut options, fetch) = (values?, function("fetch"));
        let base = options.base_url.as_str();
        if base.starts_with('/') && !Browser::can_request(base) {
            let rule = "must be an absolute URL: there is no web page to which a path could be relative";
            return Err(Error::invalid_parameter("baseUrl", rule).into());
        }
        if let Some(api_key) = function("apiKey") {
            options.api_key = Some(callbacks::create_api_key(api_key));
        }
        options.on_event = function("onEvent").map(callbacks::create_event_sink);
        options.on_drift = function("onDrift").map(callbacks::create_drift_sink);
        options.on_bad_record = function("onBadRecord").map(callbacks::create_bad_record_sink);
        options.rate_limiter = Some(rate_limiters::find_or_create(&options, find("apiKey"), find("fetch")));
        let browser = fetch.map_or_else(Browser::default, Browser::with_fetch);
        Ok(Self { client: Client::with_options(browser, options) })
    }

    /// Returns the normalized URL of the instance, which resume tokens belong to.
    #[wasm_bindgen(js_name = baseUrl)]
    #[must_use]
    pub fn base_url(&self) -> JsValue {
        self.client.base_url().as_str().into()
    }

    /// Counts a request that JavaScript sent while the module was loading, and that no call takes over. `url` has no API key. `operation` is the path or
    /// the name of its operation.
    #[wasm_bindgen(js_name = countRequest)]
    pub fn count_request(&self, url: &str, operation: &str) {
        self.client.count_request(url, find_credits(operation));
    }

    /// Returns what the client has spent, and what remains.
    #[must_use]
    pub fn credits(&self) -> JsValue {
        object::to_js(&self.client.credits())
    }

    /// Calls the method with this name, or the operation with this path. With `is_range`, it calls the method's `all()`. Returns the
    /// [`Call`], and the promise of its first `next`.
    ///
    /// # Errors
    /// An `AddressQueryError` with code `invalid_parameter` if a parameter or option is not valid.
    pub fn call(&self, name: &str, params: &Object, options: &Object, is_range: bool) -> Result<Array, JsValue> {
        let (params, options) = (to_named_values(params), to_named_values(options));
        let method_call = MethodCall::new(&self.client, name, &params, &options, is_range)?;
        Ok(Call::start(method_call))
    }
}

/// Converts the members of an object: parameters or options. Null and undefined mean the default.
///
/// This does not use `serde_wasm_bindgen`, which ignores misspelt names and adds 11 KB (brotli) to the package.
fn to_named_values(object: &Object) -> NamedValues {
    let mut values = NamedValues::new();
    for entry in Object::entries(object) {
        let entry: Array = entry.unchecked_into();
        let (name, value) = (entry.get(0), entry.get(1));
        if !value.is_null() && !value.is_undefined() {
            values.push((name.as_string().unwrap_or_default(), to_param_value(&value)));
        }
    }
    values
}

fn to_param_value(value: &JsValue) -> ParamValue {
    if let Some(string) = value.as_string() {
        return ParamValue::String(string);
    }
    if let Some(number) = value.as_f64() {
        return ParamValue::Number(number);
    }
    if let Some(boolean) = value.as_bool() {
        return ParamValue::Boolean(boolean);
    }
    let Some(list) = value.dyn_ref::<Array>() else { return ParamValue::Other };
    let mut strings = Vec::new();
    for index in 0..list.length() {
        let Some(string) = list.get(index).as_string() else { return ParamValue::Other };
        strings.push(string);
    }
    ParamValue::List(strings)
}
