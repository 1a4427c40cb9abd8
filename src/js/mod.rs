//! The boundary: what JavaScript calls, and what it is given. Decides nothing; the package's own JavaScript adds iteration.

#[cfg(feature = "bench")]
mod bench;
mod entries;
mod error;
mod hooks;
mod lists;
mod pace;
mod page;
mod plain;
mod stop;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

pub use lists::{Pages, Ranges};

use crate::browser::Browser;
use crate::client::settings::{ACTION_SETTINGS, BALANCES_SETTINGS};
use crate::client::{CallSettings, Client, ClientSettings};
use crate::decode::Leniency;
use crate::endpoint::{Action, ParamValue, Request, action_named};
use crate::error::{Error, ErrorCode};

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

    /// A list, by the name of its method.
    ///
    /// # Errors
    /// A parameter or option that is wrong.
    pub fn list(&self, name: &str, params: &JsValue, settings: &JsValue) -> Result<Pages, JsValue> {
        Pages::open(self, name, params, settings).map_err(error::to_js)
    }

    /// The range of blocks of an action, by the name of its method.
    ///
    /// # Errors
    /// A parameter or option that is wrong.
    pub fn range(&self, name: &str, params: &JsValue, settings: &JsValue) -> Result<Ranges, JsValue> {
        Ranges::open(self, name, params, settings).map_err(error::to_js)
    }

    /// A promise of what an action answers, by the name of its method.
    ///
    /// # Errors
    /// A parameter or option that is wrong.
    pub fn ask(
        &self,
        name: &str,
        params: &JsValue,
        settings: &JsValue,
        signal: Option<AbortSignal>,
    ) -> Result<Promise, JsValue> {
        let asked = self.asked(name, params, settings).map_err(error::to_js)?;
        let (action, request, client) = asked;
        let (leniency, hooks) = (self.leniency, self.hooks.clone());
        let work = async move {
            let answer = page::Answer::of(action, &hooks);
            let mut pages = answer.pages(leniency);
            let (rows, _) = client
                .ask_with(action, &request, &[], &mut pages, crate::client::Earlier::default())
                .await
                .map_err(error::to_js)?;
            answer.whole(rows)
        };
        Ok(stop::promise(Box::pin(work), signal))
    }

    /// A promise of balances, in the order of the addresses.
    ///
    /// # Errors
    /// A parameter or option that is wrong.
    pub fn balances(
        &self,
        params: &JsValue,
        settings: &JsValue,
        signal: Option<AbortSignal>,
    ) -> Result<Promise, JsValue> {
        let addresses = addresses(params).map_err(error::to_js)?;
        let (client, settings) = self.client_with(settings, BALANCES_SETTINGS).map_err(error::to_js)?;
        let within = settings.until_fresh.then_some(settings.fresh_within_ms);
        let work = async move { page::balances(&client.balances(&addresses, within).await.map_err(error::to_js)?) };
        Ok(stop::promise(Box::pin(work), signal))
    }
}

impl Session {
    fn client_with(&self, settings: &JsValue, known: &[&str]) -> Result<(Client<Browser>, CallSettings), Error> {
        let entries = entries::read(settings, "options")?;
        let settings = CallSettings::read(&entries, known, self.client.patience())?;
        Ok((self.client.clone().with_patience(settings.patience), settings))
    }

    fn asked(
        &self,
        name: &str,
        params: &JsValue,
        settings: &JsValue,
    ) -> Result<(&'static Action, Request, Client<Browser>), Error> {
        let action = action_named(name).ok_or_else(|| Error::new(ErrorCode::Internal, "no action of that name"))?;
        let request = entries::request(action, params)?;
        let (client, _) = self.client_with(settings, ACTION_SETTINGS)?;
        Ok((action, request, client))
    }
}

/// The one parameter of `balanceMulti`: how many there are is not the service's business here.
fn addresses(params: &JsValue) -> Result<ParamValue, Error> {
    let mut address = None;
    for (name, value) in entries::read(params, "params")? {
        if name != "address" {
            return Err(Error::invalid_parameter(&name, "is no parameter of balanceMulti; it takes address"));
        }
        address = Some(value);
    }
    address.ok_or_else(|| Error::invalid_parameter("address", "is required: address hashes"))
}
