//! The boundary: what JavaScript calls, and what it is given. Decides nothing; the package's own JavaScript adds iteration.

#[cfg(feature = "bench")]
mod bench;
mod calls;
mod entries;
mod error;
mod hooks;
mod pace;
mod page;

use js_sys::{Array, Function};
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};
use wasm_bindgen::prelude::*;

pub use calls::Call;

use calls::{Reading, Source};

use crate::browser::Browser;
use crate::client::settings::Entries;
use crate::client::{CallSettings, Client, ClientSettings, Pager, RangeReader};
use crate::decode::{Layout, Leniency};
use crate::endpoint::{Operation, ParamValue, Request, find_action, find_list};
use crate::error::{Error, ErrorCode};

/// Smaller than the standard library's allocator.
#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// One client: an instance of the service and how to talk to it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    client: Client<Browser>,
    leniency: Leniency,
    hooks: hooks::Hooks,
}

#[wasm_bindgen]
impl Session {
    /// `settings` holds the client's options that are no functions, as alternating names and values. Options were checked
    /// by the declarations in [`crate::client::options`]. The callbacks do not throw.
    ///
    /// # Errors
    /// An option that is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(
        settings: &Array,
        fetch: Option<Function>,
        api_key: Option<Function>,
        on_drift: Option<Function>,
        on_bad_record: Option<Function>,
        on_event: Option<Function>,
    ) -> Result<Self, JsValue> {
        let mut settings = ClientSettings::read(&entries::read(settings)).map_err(error::to_js)?;
        let base = settings.base.as_str();
        if base.starts_with('/') && !Browser::can_request(base) {
            let rule = "a path alone has no origin here; give the whole address";
            return Err(error::to_js(Error::invalid_parameter("baseUrl", rule)));
        }
        if let Some(ask) = api_key {
            settings.api_key = Some(hooks::asked_key(ask));
        }
        settings.on_event = on_event.map(hooks::event_sink);
        settings.rate_limiter = Some(pace::shared(fetch.as_ref(), &settings));
        let hooks = hooks::Hooks::new(on_drift, on_bad_record, settings.api_key.clone());
        let browser = fetch.map_or_else(Browser::default, Browser::with_fetch);
        let leniency = settings.leniency;
        Ok(Self { client: Client::with_settings(browser, settings), leniency, hooks })
    }

    /// A call, by the name of its method; with `is_range` one of `all()`. Parameters and options are names and values by turns.
    /// Nothing is sent before its first `next`.
    ///
    /// # Errors
    /// A parameter or option that is wrong.
    pub fn call(&self, name: &str, params: &Array, settings: &Array, is_range: bool) -> Result<Call, JsValue> {
        let (params, settings) = (entries::read(params), entries::read(settings));
        self.opened(name, &params, &settings, is_range).map_err(error::to_js)
    }
}

impl Session {
    fn opened(&self, name: &str, params: &Entries, settings: &Entries, is_range: bool) -> Result<Call, Error> {
        let list = find_list(name);
        let (leniency, patience) = (self.leniency, self.client.patience());
        let settings = CallSettings::read(settings, patience);
        let client = self.client.clone().with_patience(settings.patience);
        let resume = settings.resume.as_deref();
        let given: Vec<_> = params.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let request = |operation: &'static Operation| Request::from_borrowed(operation, &given);
        let source = if name == "balanceMulti" {
            let within = settings.until_fresh.then_some(settings.fresh_within_ms);
            Source::Balances(addresses(params)?, within, client, leniency)
        } else if let Some(list) = list {
            let pages = client.frames(Layout::list(list.item, list.envelope), leniency);
            Source::List(list, Box::new(Pager::new(client, request(list)?, pages, resume)?))
        } else {
            let action = find_action(name).ok_or_else(|| Error::new(ErrorCode::Internal, "no method of that name"))?;
            let request = request(action)?;
            if is_range {
                Source::Range(action, Box::new(RangeReader::new(client, action, request, leniency, resume)?))
            } else {
                Source::Action(action, request, client, leniency)
            }
        };
        Ok(Call::of(Reading { hooks: self.hooks.clone(), source }))
    }
}

/// The one parameter of `balanceMulti`: how many there are is not the service's business here.
fn addresses(params: &Entries) -> Result<ParamValue, Error> {
    if let Some((name, _)) = params.iter().find(|(name, _)| name != "address") {
        return Err(Error::invalid_parameter(name, "is not a parameter of balanceMulti; valid parameters are address"));
    }
    let address = params.first().map(|(_, value)| value.clone());
    address.ok_or_else(|| Error::invalid_parameter("address", "is required: address hashes"))
}
