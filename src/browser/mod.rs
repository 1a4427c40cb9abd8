//! Network, time and chance of a browser: [`Runtime`] on gloo-net, web-sys and js-sys. Works wherever there is a global `fetch`:
//! pages, workers, servers.

use std::cell::Cell;

use gloo_net::http::Request;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, RequestCredentials, RequestRedirect};

use crate::client::runtime::{HEADERS, Headers};
use crate::client::{NoAnswer, Response, Runtime};
use crate::text;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(request: &web_sys::Request) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(done: &Function, ms: i32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// The browser, or whatever has its `fetch`.
#[derive(Debug, Default)]
pub struct Browser {
    fetch: Option<Function>,
}

impl Browser {
    /// Sends requests with this function instead of the global `fetch`. It takes a `Request` and gives a promise of a
    /// `Response`.
    #[must_use]
    pub fn with_fetch(fetch: Function) -> Self {
        Self { fetch: Some(fetch) }
    }
}

/// Ends a request when it is dropped. (Without a reason: gloo-net and some engines expect errors there, and the caller's own
/// reason is given back at the boundary.)
#[derive(Debug)]
struct AbortGuard(AbortController);

impl Drop for AbortGuard {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The body of an answer.
#[derive(Debug)]
pub struct Body {
    source: Source,
    /// What has come and was not taken yet.
    rest: Uint8Array,
    _guard: AbortGuard,
}

/// A body is taken in pieces of so many bytes: a large one that is there at once would fill the module's memory for good.
const PIECE: u32 = 1 << 16;

/// Where the bytes of a body come from.
#[derive(Debug)]
enum Source {
    /// The reader of its stream.
    Reader(JsValue),
    /// A response that is no real one, and gives its bytes at once.
    Whole(JsValue),
    /// There are none, or no more.
    End,
}

impl Runtime for Browser {
    type Body = Body;

    async fn send(&self, url: &str, follow_redirects: bool) -> Result<Response<Body>, NoAnswer> {
        let guard = AbortGuard(AbortController::new().map_err(no_answer)?);
        let request = Request::get(url)
            .credentials(RequestCredentials::Omit)
            .redirect(if follow_redirects { RequestRedirect::Follow } else { RequestRedirect::Error })
            .abort_signal(Some(&guard.0.signal()))
            .build()
            .map_err(|error| match error {
                gloo_net::Error::JsError(error) => NoAnswer(error.message),
                gloo_net::Error::GlooError(message) => NoAnswer(message),
            })?;
        let request = web_sys::Request::from(request);
        let answer = match &self.fetch {
            Some(fetch) => fetch.call1(&JsValue::UNDEFINED, &request).map(|answer| Promise::resolve(&answer)),
            None => global_fetch(&request),
        };
        let answer = match answer {
            Ok(answer) => JsFuture::from(answer).await,
            Err(thrown) => Err(thrown),
        };
        // What a caller's own `fetch` gives may only look like a `Response`: nothing of it is taken for granted. (gloo-net
        // and web-sys would panic.)
        let answer = answer.map_err(no_answer)?;
        let no_response = || NoAnswer("fetch gave no Response".into());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; no status is outside")]
        let status = member(&answer, "status").as_f64().ok_or_else(no_response)? as u16;
        let headers = member(&answer, "headers");
        let header = |name: &str| call(&headers, "get", Some(name))?.ok()?.as_string();
        let body = member(&answer, "body");
        let source = match call(&body, "getReader", None) {
            Some(reader) => Source::Reader(reader.map_err(no_answer)?),
            None if body.is_null() => Source::End,
            None => Source::Whole(call(&answer, "arrayBuffer", None).ok_or_else(no_response)?.map_err(no_answer)?),
        };
        let mut readable = Headers::new();
        for name in HEADERS {
            readable.extend(header(name).map(|value| (name, value)));
        }
        Ok(Response { status, headers: readable, body: Body { source, rest: Uint8Array::default(), _guard: guard } })
    }

    async fn chunk(&self, body: &mut Body) -> Result<Option<Vec<u8>>, NoAnswer> {
        while body.rest.length() == 0 {
            let bytes = match std::mem::replace(&mut body.source, Source::End) {
                Source::End => return Ok(None),
                Source::Whole(buffer) => settled(buffer).await?,
                Source::Reader(reader) => {
                    let read = call(&reader, "read", None).ok_or_else(|| NoAnswer("the body cannot be read".into()))?;
                    let read = settled(read.map_err(no_answer)?).await?;
                    if member(&read, "done").is_truthy() {
                        return Ok(None);
                    }
                    body.source = Source::Reader(reader);
                    member(&read, "value")
                }
            };
            body.rest = match bytes.dyn_into::<Uint8Array>() {
                Ok(bytes) => bytes,
                Err(other) if other.is_instance_of::<js_sys::ArrayBuffer>() => Uint8Array::new(&other),
                Err(_) => return Err(NoAnswer("the body does not consist of bytes".into())),
            };
        }
        let rest = std::mem::take(&mut body.rest);
        body.rest = rest.subarray(PIECE.min(rest.length()), rest.length());
        Ok(Some(rest.subarray(0, PIECE).to_vec()))
    }

    async fn sleep(&self, ms: u64) {
        let timer = Timer::start(ms);
        // The timer's promise is never rejected.
        drop(JsFuture::from(timer.promise.clone()).await);
    }

    fn now_ms(&self) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds since 1970")]
        let now = js_sys::Date::now() as u64;
        now
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }
}

/// A member of whatever it is; undefined where there is none.
fn member(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}

/// Calls a method, if there is one of that name.
fn call(on: &JsValue, name: &str, argument: Option<&str>) -> Option<Result<JsValue, JsValue>> {
    let method = member(on, name).dyn_into::<Function>().ok()?;
    Some(match argument {
        Some(argument) => method.call1(on, &argument.into()),
        None => method.call0(on),
    })
}

async fn settled(promise: JsValue) -> Result<JsValue, NoAnswer> {
    JsFuture::from(Promise::resolve(&promise)).await.map_err(no_answer)
}

/// A timer that is cleared when it is dropped. Its promise is settled then all the same: what waits for one that never is
/// would never be freed.
struct Timer {
    promise: Promise,
    /// Of the timer, or a port.
    handle: JsValue,
    settle: Function,
}

impl Timer {
    fn start(ms: u64) -> Self {
        let handle = Cell::new(JsValue::UNDEFINED);
        let settle = Cell::new(JsValue::UNDEFINED);
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let promise = Promise::new(&mut |resolve, _| {
            // Browsers make short timers wait for milliseconds; a message is there with the event loop's next turn.
            let message = if ms == 0 { message(&resolve) } else { None };
            handle.set(message.unwrap_or_else(|| set_timeout(&resolve, ms)));
            settle.set(resolve.into());
        });
        Self { promise, handle: handle.into_inner(), settle: settle.into_inner().unchecked_into() }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // A port that is open keeps a process alive.
        if call(&self.handle, "close", None).is_none() {
            clear_timeout(&self.handle);
        }
        drop(self.settle.call0(&JsValue::UNDEFINED));
    }
}

/// Sends a message: the port that hears it. Nothing where there are no channels.
fn message(heard: &Function) -> Option<JsValue> {
    let channel = member(&js_sys::global(), "MessageChannel").dyn_into::<Function>().ok()?;
    let channel = Reflect::construct(&channel, &js_sys::Array::new()).ok()?;
    let port = member(&channel, "port1");
    Reflect::set(&port, &"onmessage".into(), heard).ok()?;
    call(&member(&channel, "port2"), "postMessage", Some(""))?.ok()?;
    Some(port)
}

/// What the browser says about a failure, in a few words.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
fn no_answer(thrown: JsValue) -> NoAnswer {
    const SHOWN: usize = 200;
    let message = member(&thrown, "message").as_string();
    let mut text = message.or_else(|| thrown.as_string()).unwrap_or_else(|| "no reason given".into());
    text::shorten(&mut text, SHOWN);
    NoAnswer(text)
}
