//! The boundary: what JavaScript calls, and what it is given. Decides nothing; the package's own JavaScript adds iteration.

#[cfg(feature = "bench")]
mod bench;
mod calls;
mod entries;
mod error;
mod hooks;
mod pace;
mod page;

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};
use wasm_bindgen::prelude::*;

pub use calls::Call;

use calls::{Reading, Source};

use crate::browser::Browser;
use crate::client::settings::{ACTION_SETTINGS, BALANCES_SETTINGS, Entries, LIST_SETTINGS};
use crate::client::{CallSettings, Client, ClientSettings, Pager, RangeReader};
use crate::decode::{Layout, Leniency};
use crate::endpoint::{Operation, ParamValue, Request, action_named, list_named};
use crate::error::{Error, ErrorCode};

/// A third of the standard library's allocator, and no slower.
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
    /// `settings` holds the plain values of the client's options; `functions` those that are functions.
    ///
    /// # Errors
    /// An option that is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &JsValue, functions: &JsValue) -> Result<Self, JsValue> {
        let settings = entries::read(settings, "options").and_then(|entries| ClientSettings::read(&entries));
        let mut settings = settings.map_err(error::to_js)?;
        let hooks = hooks::Hooks::read(functions, &mut settings);
        let fetch = hooks::function(functions, "fetch");
        settings.pace = Some(pace::shared(fetch.as_ref(), &settings));
        let browser = fetch.map_or_else(Browser::default, Browser::with_fetch);
        let leniency = settings.leniency;
        Ok(Self { client: Client::with_settings(browser, settings), leniency, hooks })
    }

    /// A call, by the name of its method; with `is_range` one of `all()`. Nothing is sent before its first `next`.
    ///
    /// # Errors
    /// A parameter or option that is wrong.
    pub fn call(&self, name: &str, params: &JsValue, settings: &JsValue, is_range: bool) -> Result<Call, JsValue> {
        self.opened(name, params, settings, is_range).map_err(error::to_js)
    }
}

impl Session {
    fn opened(&self, name: &str, params: &JsValue, settings: &JsValue, is_range: bool) -> Result<Call, Error> {
        let params = entries::read(params, "params")?;
        let settings = entries::read(settings, "options")?;
        let list = list_named(name);
        let known = match name {
            "balanceMulti" => BALANCES_SETTINGS,
            _ if is_range || list.is_some() => LIST_SETTINGS,
            _ => ACTION_SETTINGS,
        };
        let (leniency, patience) = (self.leniency, self.client.patience());
        let settings = CallSettings::read(&settings, known, patience)?;
        let client = self.client.clone().with_patience(settings.patience);
        let resume = settings.resume.as_deref();
        let request = |operation: &'static Operation| {
            Request::new(operation, params.iter().map(|(name, value)| (name.as_str(), value.clone())))
        };
        let source = if name == "balanceMulti" {
            let within = settings.until_fresh.then_some(settings.fresh_within_ms);
            Source::Balances(addresses(&params)?, within, client)
        } else if let Some(list) = list {
            let pages = client.frames(Layout::list(list.item, list.envelope), leniency);
            Source::List(list, Box::new(Pager::new(client, request(list)?, pages, resume)?))
        } else {
            let action = action_named(name).ok_or_else(|| Error::new(ErrorCode::Internal, "no method of that name"))?;
            let request = request(action)?;
            if is_range {
                Source::Range(action, Box::new(RangeReader::new(client, action, request, leniency, resume)?))
            } else {
                Source::Action(action, request, client, leniency)
            }
        };
        Ok(Call::of(Reading { hooks: self.hooks.clone(), source }, settings.prefetch))
    }
}

/// The one parameter of `balanceMulti`: how many there are is not the service's business here.
fn addresses(params: &Entries) -> Result<ParamValue, Error> {
    if let Some((name, _)) = params.iter().find(|(name, _)| name != "address") {
        return Err(Error::invalid_parameter(name, "is no parameter of balanceMulti; it takes address"));
    }
    let address = params.first().map(|(_, value)| value.clone());
    address.ok_or_else(|| Error::invalid_parameter("address", "is required: address hashes"))
}
